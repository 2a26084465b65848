"""Programs on tensors in the form in which frameworks export them, each with a numpy implementation.

A program is a name, its MLIR text with the function @forward, its arguments as numpy arrays, and a function that
computes the expected results from them.
"""

from dataclasses import dataclass
from typing import Callable, List

import numpy as np


@dataclass
class Program:
    name: str
    text: str
    arguments: List[object]
    expected: Callable
    shapes: List[tuple]  # Of the results.
    tolerance: float = 1e-5


PROGRAMS = []


def program(name, text, arguments, expected, tolerance=1e-5):
    results = expected(*arguments)
    results = results if isinstance(results, tuple) else (results,)
    shapes = [np.shape(result) for result in results]
    PROGRAMS.append(Program(name, text, arguments, expected, shapes, tolerance))


def normal(*shape, seed=0, dtype=np.float32):
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


def integers(*shape, low=-8, high=8, seed=0, dtype=np.int32):
    return np.random.default_rng(seed).integers(low, high, shape).astype(dtype)


def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


# Elementwise ops.

program(
    "add",
    """
func.func @forward(%x: tensor<5x7xf32>, %y: tensor<5x7xf32>) -> tensor<5x7xf32> {
  %r = arith.addf %x, %y : tensor<5x7xf32>
  return %r : tensor<5x7xf32>
}
""",
    [normal(5, 7), normal(5, 7, seed=1)],
    lambda x, y: x + y,
)

program(
    "gelu-tanh",
    """
func.func @forward(%x: tensor<?x33xf32>) -> tensor<?x33xf32> {
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %a = arith.constant 0.7978845608 : f32
  %b = arith.constant 0.044715 : f32
  %c0 = arith.constant 0 : index
  %d = tensor.dim %x, %c0 : tensor<?x33xf32>
  %e = tensor.empty(%d) : tensor<?x33xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<?x33xf32>) outs(%e : tensor<?x33xf32>) {
  ^bb0(%v: f32, %o: f32):
    %v2 = arith.mulf %v, %v : f32
    %v3 = arith.mulf %v2, %v : f32
    %s = arith.mulf %v3, %b : f32
    %t = arith.addf %v, %s : f32
    %u = arith.mulf %t, %a : f32
    %w = math.tanh %u : f32
    %p = arith.addf %w, %one : f32
    %q = arith.mulf %p, %v : f32
    %z = arith.mulf %q, %half : f32
    linalg.yield %z : f32
  } -> tensor<?x33xf32>
  return %r : tensor<?x33xf32>
}
""",
    [normal(9, 33)],
    lambda x: 0.5 * x * (1 + np.tanh(0.7978845608 * (x + 0.044715 * x**3))),
    tolerance=1e-4,
)

program(
    "compare-select",
    """
func.func @forward(%x: tensor<64xf32>, %y: tensor<64xf32>) -> (tensor<64xi1>, tensor<64xf32>) {
  %c = arith.cmpf ogt, %x, %y : tensor<64xf32>
  %r = arith.select %c, %x, %y : tensor<64xi1>, tensor<64xf32>
  return %c, %r : tensor<64xi1>, tensor<64xf32>
}
""",
    [normal(64), normal(64, seed=1)],
    lambda x, y: (x > y, np.maximum(x, y)),
)

program(
    "scalar-argument",
    """
func.func @forward(%x: tensor<4x4xf32>, %s: f32) -> tensor<4x4xf32> {
  %t = tensor.splat %s : tensor<4x4xf32>
  %r = arith.mulf %x, %t : tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}
""",
    [normal(4, 4), 2.5],
    lambda x, s: x * np.float32(s),
)

# Reductions and normalizations.

program(
    "softmax",
    """
func.func @forward(%x: tensor<6x100xf32>) -> tensor<6x100xf32> {
  %e = tensor.empty() : tensor<6x100xf32>
  %r = linalg.softmax dimension(1) ins(%x : tensor<6x100xf32>) outs(%e : tensor<6x100xf32>) -> tensor<6x100xf32>
  return %r : tensor<6x100xf32>
}
""",
    [normal(6, 100)],
    softmax,
)

program(
    "softmax-first-dim",
    """
func.func @forward(%x: tensor<37x5xf32>) -> tensor<37x5xf32> {
  %e = tensor.empty() : tensor<37x5xf32>
  %r = linalg.softmax dimension(0) ins(%x : tensor<37x5xf32>) outs(%e : tensor<37x5xf32>) -> tensor<37x5xf32>
  return %r : tensor<37x5xf32>
}
""",
    [normal(37, 5)],
    lambda x: softmax(x, axis=0),
)

program(
    "layernorm",
    """
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>
func.func @forward(%x: tensor<?x96xf32>, %g: tensor<96xf32>, %b: tensor<96xf32>) -> tensor<?x96xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 96.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %d = tensor.dim %x, %c0 : tensor<?x96xf32>
  %er = tensor.empty(%d) : tensor<?xf32>
  %ex = tensor.empty(%d) : tensor<?x96xf32>
  %zr = linalg.fill ins(%zero : f32) outs(%er : tensor<?xf32>) -> tensor<?xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<?x96xf32>) outs(%zr : tensor<?xf32>) {
  ^bb0(%v: f32, %o: f32):
    %s = arith.addf %v, %o : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  %mean = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                          iterator_types = ["parallel"]}
      ins(%sum : tensor<?xf32>) outs(%er : tensor<?xf32>) {
  ^bb0(%v: f32, %o: f32):
    %s = arith.divf %v, %n : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  %centered = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %mean : tensor<?x96xf32>, tensor<?xf32>) outs(%ex : tensor<?x96xf32>) {
  ^bb0(%v: f32, %m: f32, %o: f32):
    %s = arith.subf %v, %m : f32
    linalg.yield %s : f32
  } -> tensor<?x96xf32>
  %squares = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%centered : tensor<?x96xf32>) outs(%zr : tensor<?xf32>) {
  ^bb0(%v: f32, %o: f32):
    %q = arith.mulf %v, %v : f32
    %s = arith.addf %q, %o : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  %r = linalg.generic {indexing_maps = [#id, #row, #column, #column, #id], iterator_types = ["parallel", "parallel"]}
      ins(%centered, %squares, %g, %b : tensor<?x96xf32>, tensor<?xf32>, tensor<96xf32>, tensor<96xf32>)
      outs(%ex : tensor<?x96xf32>) {
  ^bb0(%v: f32, %q: f32, %gain: f32, %bias: f32, %o: f32):
    %var = arith.divf %q, %n : f32
    %ve = arith.addf %var, %eps : f32
    %inv = math.rsqrt %ve : f32
    %s = arith.mulf %v, %inv : f32
    %t = arith.mulf %s, %gain : f32
    %u = arith.addf %t, %bias : f32
    linalg.yield %u : f32
  } -> tensor<?x96xf32>
  return %r : tensor<?x96xf32>
}
""",
    [normal(11, 96), normal(96, seed=1), normal(96, seed=2)],
    lambda x, g, b: (x - x.mean(1, keepdims=True))
    / np.sqrt(((x - x.mean(1, keepdims=True)) ** 2).mean(1, keepdims=True) + 1e-5)
    * g
    + b,
    tolerance=1e-4,
)

program(
    "sum-of-everything",
    """
func.func @forward(%x: tensor<13x17xf32>) -> tensor<f32> {
  %zero = arith.constant dense<0.0> : tensor<f32>
  %r = linalg.reduce ins(%x : tensor<13x17xf32>) outs(%zero : tensor<f32>) dimensions = [0, 1]
      (%a: f32, %b: f32) {
        %s = arith.addf %a, %b : f32
        linalg.yield %s : f32
      }
  return %r : tensor<f32>
}
""",
    [normal(13, 17)],
    lambda x: x.sum(),
    tolerance=1e-4,
)

program(
    "argmax",
    """
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @forward(%x: tensor<9x40xf32>) -> (tensor<9xf32>, tensor<9xi64>) {
  %low = arith.constant 0xFF800000 : f32
  %none = arith.constant 0 : i64
  %ev = tensor.empty() : tensor<9xf32>
  %ei = tensor.empty() : tensor<9xi64>
  %iv = linalg.fill ins(%low : f32) outs(%ev : tensor<9xf32>) -> tensor<9xf32>
  %ii = linalg.fill ins(%none : i64) outs(%ei : tensor<9xi64>) -> tensor<9xi64>
  %r:2 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<9x40xf32>) outs(%iv, %ii : tensor<9xf32>, tensor<9xi64>) {
  ^bb0(%v: f32, %m: f32, %at: i64):
    %j = linalg.index 1 : index
    %k = arith.index_cast %j : index to i64
    %greater = arith.cmpf ogt, %v, %m : f32
    %nm = arith.select %greater, %v, %m : f32
    %nat = arith.select %greater, %k, %at : i64
    linalg.yield %nm, %nat : f32, i64
  } -> (tensor<9xf32>, tensor<9xi64>)
  return %r#0, %r#1 : tensor<9xf32>, tensor<9xi64>
}
""",
    [normal(9, 40)],
    lambda x: (x.max(1), x.argmax(1)),
)

# Contractions and convolutions.

program(
    "linear-relu",
    """
func.func @forward(%x: tensor<?x64xf32>, %w: tensor<64x48xf32>, %b: tensor<48xf32>) -> tensor<?x48xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %d = tensor.dim %x, %c0 : tensor<?x64xf32>
  %e = tensor.empty(%d) : tensor<?x48xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x48xf32>) -> tensor<?x48xf32>
  %m = linalg.matmul ins(%x, %w : tensor<?x64xf32>, tensor<64x48xf32>) outs(%f : tensor<?x48xf32>) -> tensor<?x48xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>,
                                        affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%m, %b : tensor<?x48xf32>, tensor<48xf32>) outs(%e : tensor<?x48xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %s = arith.addf %p, %q : f32
    %t = arith.maximumf %s, %zero : f32
    linalg.yield %t : f32
  } -> tensor<?x48xf32>
  return %r : tensor<?x48xf32>
}
""",
    [normal(10, 64), normal(64, 48, seed=1), normal(48, seed=2)],
    lambda x, w, b: np.maximum(x @ w + b, 0),
    tolerance=1e-4,
)

program(
    "batch-matmul-f16",
    """
func.func @forward(%a: tensor<3x32x16xf16>, %b: tensor<3x16x48xf16>) -> tensor<3x32x48xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x32x48xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3x32x48xf32>) -> tensor<3x32x48xf32>
  %r = linalg.batch_matmul ins(%a, %b : tensor<3x32x16xf16>, tensor<3x16x48xf16>)
      outs(%f : tensor<3x32x48xf32>) -> tensor<3x32x48xf32>
  return %r : tensor<3x32x48xf32>
}
""",
    [normal(3, 32, 16, dtype=np.float16), normal(3, 16, 48, seed=1, dtype=np.float16)],
    lambda a, b: a.astype(np.float32) @ b.astype(np.float32),
    tolerance=1e-3,
)

program(
    "conv-nhwc",
    """
func.func @forward(%x: tensor<1x8x8x3xf32>, %w: tensor<3x3x3x4xf32>) -> tensor<1x6x6x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x6x6x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x6x6x4xf32>) -> tensor<1x6x6x4xf32>
  %r = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>)
      outs(%f : tensor<1x6x6x4xf32>) -> tensor<1x6x6x4xf32>
  return %r : tensor<1x6x6x4xf32>
}
""",
    [normal(1, 8, 8, 3), normal(3, 3, 3, 4, seed=1)],
    lambda x, w: sum(
        np.einsum("nhwc,cf->nhwf", x[:, i : i + 6, j : j + 6], w[i, j]) for i in range(3) for j in range(3)
    ),
    tolerance=1e-4,
)

program(
    "max-pool",
    """
func.func @forward(%x: tensor<1x8x8x5xf32>) -> tensor<1x4x4x5xf32> {
  %low = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<1x4x4x5xf32>
  %w = tensor.empty() : tensor<2x2xf32>
  %f = linalg.fill ins(%low : f32) outs(%e : tensor<1x4x4x5xf32>) -> tensor<1x4x4x5xf32>
  %r = linalg.pooling_nhwc_max {strides = dense<2> : tensor<2xi64>}
      ins(%x, %w : tensor<1x8x8x5xf32>, tensor<2x2xf32>) outs(%f : tensor<1x4x4x5xf32>) -> tensor<1x4x4x5xf32>
  return %r : tensor<1x4x4x5xf32>
}
""",
    [normal(1, 8, 8, 5)],
    lambda x: x.reshape(1, 4, 2, 4, 2, 5).max(axis=(2, 4)),
)

# Data movement.

program(
    "pad",
    """
func.func @forward(%x: tensor<4x?xf32>) -> tensor<6x?xf32> {
  %c = arith.constant 1.5 : f32
  %p = tensor.pad %x low[1, 2] high[1, 3] {
  ^bb0(%i: index, %j: index):
    tensor.yield %c : f32
  } : tensor<4x?xf32> to tensor<6x?xf32>
  %n = math.absf %p : tensor<6x?xf32>
  return %n : tensor<6x?xf32>
}
""",
    [normal(4, 9)],
    lambda x: np.abs(np.pad(x, ((1, 1), (2, 3)), constant_values=1.5)),
)

program(
    "slices",
    """
func.func @forward(%x: tensor<8x10xf32>) -> tensor<4x10xf32> {
  %a = tensor.extract_slice %x[0, 1] [4, 5] [2, 2] : tensor<8x10xf32> to tensor<4x5xf32>
  %b = tensor.extract_slice %x[4, 5] [4, 5] [1, 1] : tensor<8x10xf32> to tensor<4x5xf32>
  %r = tensor.concat dim(1) %a, %b : (tensor<4x5xf32>, tensor<4x5xf32>) -> tensor<4x10xf32>
  return %r : tensor<4x10xf32>
}
""",
    [normal(8, 10)],
    lambda x: np.concatenate([x[::2, 1::2], x[4:, 5:]], axis=1),
)

program(
    "transpose-reshape",
    """
func.func @forward(%x: tensor<6x4x5xf32>) -> tensor<5x24xf32> {
  %e = tensor.empty() : tensor<5x6x4xf32>
  %t = linalg.transpose ins(%x : tensor<6x4x5xf32>) outs(%e : tensor<5x6x4xf32>) permutation = [2, 0, 1]
  %r = tensor.collapse_shape %t [[0], [1, 2]] : tensor<5x6x4xf32> into tensor<5x24xf32>
  return %r : tensor<5x24xf32>
}
""",
    [normal(6, 4, 5)],
    lambda x: x.transpose(2, 0, 1).reshape(5, 24),
)

program(
    "embedding",
    """
func.func @forward(%table: tensor<20x16xf32>, %ids: tensor<3x4x1xi64>) -> tensor<3x4x16xf32> {
  %r = tensor.gather %table[%ids] gather_dims([0]) : (tensor<20x16xf32>, tensor<3x4x1xi64>) -> tensor<3x4x16xf32>
  return %r : tensor<3x4x16xf32>
}
""",
    [normal(20, 16), integers(3, 4, 1, low=0, high=20, dtype=np.int64)],
    lambda table, ids: table[ids[..., 0]],
)

program(
    "pack-unpack",
    """
func.func @forward(%x: tensor<10x15xf32>) -> (tensor<3x2x4x8xf32>, tensor<10x15xf32>) {
  %c = arith.constant 7.0 : f32
  %e = tensor.empty() : tensor<3x2x4x8xf32>
  %p = linalg.pack %x padding_value(%c : f32) inner_dims_pos = [0, 1] inner_tiles = [4, 8] into %e
      : tensor<10x15xf32> -> tensor<3x2x4x8xf32>
  %f = tensor.empty() : tensor<10x15xf32>
  %u = linalg.unpack %p inner_dims_pos = [0, 1] inner_tiles = [4, 8] into %f
      : tensor<3x2x4x8xf32> -> tensor<10x15xf32>
  return %p, %u : tensor<3x2x4x8xf32>, tensor<10x15xf32>
}
""",
    [normal(10, 15)],
    lambda x: (
        np.pad(x, ((0, 2), (0, 1)), constant_values=7).reshape(3, 4, 2, 8).transpose(0, 2, 1, 3),
        x,
    ),
)

# Control flow, constants and calls.

program(
    "loop",
    """
func.func @forward(%x: tensor<16xf32>, %n: index) -> tensor<16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%v = %x) -> tensor<16xf32> {
    %s = arith.addf %v, %x : tensor<16xf32>
    scf.yield %s : tensor<16xf32>
  }
  return %r : tensor<16xf32>
}
""",
    [normal(16), 3],
    lambda x, n: x * np.float32(4),
)

program(
    "while",
    """
func.func @forward(%x: tensor<f32>) -> (tensor<f32>, tensor<i32>) {
  %limit = arith.constant dense<100.0> : tensor<f32>
  %zero = arith.constant dense<0> : tensor<i32>
  %one = arith.constant dense<1> : tensor<i32>
  %r:2 = scf.while (%v = %x, %n = %zero) : (tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>) {
    %less = arith.cmpf olt, %v, %limit : tensor<f32>
    %c = tensor.extract %less[] : tensor<i1>
    scf.condition(%c) %v, %n : tensor<f32>, tensor<i32>
  } do {
  ^bb0(%v: tensor<f32>, %n: tensor<i32>):
    %w = arith.addf %v, %v : tensor<f32>
    %m = arith.addi %n, %one : tensor<i32>
    scf.yield %w, %m : tensor<f32>, tensor<i32>
  }
  return %r#0, %r#1 : tensor<f32>, tensor<i32>
}
""",
    [np.array(3.0, dtype=np.float32)],
    lambda x: (np.float32(192.0), np.int32(6)),
)

program(
    "branch",
    """
func.func @forward(%c: i1, %x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %r = scf.if %c -> tensor<8xf32> {
    %s = arith.addf %x, %y : tensor<8xf32>
    scf.yield %s : tensor<8xf32>
  } else {
    scf.yield %y : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}
""",
    [True, normal(8), normal(8, seed=1)],
    lambda c, x, y: x + y if c else y,
)

program(
    "calls-and-constants",
    """
func.func private @scale(%x: tensor<4xf32>) -> tensor<4xf32> {
  %w = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %r = arith.mulf %x, %w : tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @forward(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %a = func.call @scale(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %b = func.call @scale(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %b, %x : tensor<4xf32>, tensor<4xf32>
}
""",
    [normal(4)],
    lambda x: (x * np.array([1, 4, 9, 16], np.float32), x),
)

program(
    "tosa",
    """
func.func @forward(%x: tensor<1x8x8x3xf32>, %w: tensor<4x3x3x3xf32>, %b: tensor<4xf32>) -> tensor<1x8x8x4xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %c = tosa.conv2d %x, %w, %b, %z, %z {acc_type = f32, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>,
      dilation = array<i64: 1, 1>} : (tensor<1x8x8x3xf32>, tensor<4x3x3x3xf32>, tensor<4xf32>, tensor<1xf32>,
      tensor<1xf32>) -> tensor<1x8x8x4xf32>
  %r = tosa.clamp %c {min_val = 0.0 : f32, max_val = 6.0 : f32} : (tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>
  return %r : tensor<1x8x8x4xf32>
}
""",
    [normal(1, 8, 8, 3), normal(4, 3, 3, 3, seed=1), normal(4, seed=2)],
    lambda x, w, b: np.clip(
        sum(
            np.einsum("nhwc,fc->nhwf", np.pad(x, ((0, 0), (1, 1), (1, 1), (0, 0)))[:, i : i + 8, j : j + 8], w[:, i, j])
            for i in range(3)
            for j in range(3)
        )
        + b,
        0,
        6,
    ),
    tolerance=1e-4,
)

program(
    "int8-requantize",
    """
#id = affine_map<(i, j) -> (i, j)>
func.func @forward(%a: tensor<16x32xi8>, %b: tensor<32x16xi8>) -> tensor<16x16xi8> {
  %zero = arith.constant 0 : i32
  %c7 = arith.constant 7 : i32
  %low = arith.constant -128 : i32
  %high = arith.constant 127 : i32
  %e = tensor.empty() : tensor<16x16xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<16x16xi32>) -> tensor<16x16xi32>
  %m = linalg.matmul ins(%a, %b : tensor<16x32xi8>, tensor<32x16xi8>) outs(%f : tensor<16x16xi32>) -> tensor<16x16xi32>
  %o = tensor.empty() : tensor<16x16xi8>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%m : tensor<16x16xi32>) outs(%o : tensor<16x16xi8>) {
  ^bb0(%v: i32, %out: i8):
    %s = arith.shrsi %v, %c7 : i32
    %l = arith.maxsi %s, %low : i32
    %h = arith.minsi %l, %high : i32
    %t = arith.trunci %h : i32 to i8
    linalg.yield %t : i8
  } -> tensor<16x16xi8>
  return %r : tensor<16x16xi8>
}
""",
    [integers(16, 32, low=-128, high=128, dtype=np.int8), integers(32, 16, low=-128, high=128, seed=1, dtype=np.int8)],
    lambda a, b: np.clip((a.astype(np.int32) @ b.astype(np.int32)) >> 7, -128, 127).astype(np.int8),
    tolerance=0,
)

program(
    "empty-and-unit",
    """
func.func @forward(%x: tensor<0x4xf32>, %y: tensor<1x1xf32>, %a: tensor<3x0xf32>, %b: tensor<0x2xf32>)
    -> (tensor<0x4xf32>, tensor<1x1xf32>, tensor<3x2xf32>) {
  %p = arith.addf %x, %x : tensor<0x4xf32>
  %q = arith.addf %y, %y : tensor<1x1xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x2xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3x2xf32>) -> tensor<3x2xf32>
  %m = linalg.matmul ins(%a, %b : tensor<3x0xf32>, tensor<0x2xf32>) outs(%f : tensor<3x2xf32>) -> tensor<3x2xf32>
  return %p, %q, %m : tensor<0x4xf32>, tensor<1x1xf32>, tensor<3x2xf32>
}
""",
    [normal(0, 4), normal(1, 1), normal(3, 0), normal(0, 2)],
    lambda x, y, a, b: (x + x, y + y, np.zeros((3, 2), np.float32)),
)
