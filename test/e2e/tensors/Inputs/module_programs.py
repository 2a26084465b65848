"""Attributes, branches, and ops of other dialects in functions on tensors."""

import numpy as np

from forms import form, raw
from programs import normal
from texts import shape

I64 = np.int64


def swp(x, y, n):
    i = 0
    while True:
        a, b = y, x
        if not i < n:
            return a, b
        x, y = a + b, a
        i += 1


for t, d in [
    ("i8", np.int8),
    ("i16", np.int16),
    ("i32", np.int32),
    ("i64", I64),
    ("f32", np.float32),
    ("f64", np.float64),
]:
    form(
        f"scalar-{t}",
        [d(3), (normal(4) * 5).astype(d)],
        ("%0 = tensor.splat %a : $b\n" f"%r = arith.{'addf' if t[0] == 'f' else 'addi'} %0, %b : $b"),
        lambda s, x: s + x,
        types={"a": t},
    )
    form(
        f"scalar-result-{t}",
        [(normal(4) * 5).astype(d)],
        ("%c1 = arith.constant 1 : index\n" "%r = tensor.extract %a[%c1] : $a"),
        lambda x: x[1],
        types={"r": t},
    )
raw(
    "shape-assuming",
    """func.func @forward(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = shape.shape_of %x : tensor<?xf32> -> tensor<1xindex>
  %1 = shape.shape_of %y : tensor<?xf32> -> tensor<1xindex>
  %w = shape.cstr_broadcastable %0, %1 : tensor<1xindex>, tensor<1xindex>
  %r = shape.assuming %w -> (tensor<?xf32>) {
    %z = arith.addf %x, %y : tensor<?xf32>
    shape.assuming_yield %z : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}""",
    [normal(4), normal(4, seed=1)],
    lambda x, y: x + y,
)
raw(
    "shape-broadcast-reshape",
    """func.func @forward(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %0 = shape.shape_of %x : tensor<?x?xf32> -> tensor<2xindex>
  %n = shape.num_elements %0 : tensor<2xindex> -> index
  %s = tensor.from_elements %n : tensor<1xindex>
  %r = tensor.reshape %x(%s) : (tensor<?x?xf32>, tensor<1xindex>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}""",
    [normal(4, 3)],
    lambda x: x.reshape(-1),
)
raw(
    "named-module-locs",
    """#loc = loc("a.py":1:2)
module @jit_model attributes {mhlo.num_partitions = 1 : i32} {
  func.func public @forward(%arg0: tensor<4xf32> {mhlo.layout_mode = "default"} loc("x"))
    -> (tensor<4xf32> {jax.result_info = "result", mhlo.layout_mode = "default"}) {
    %0 = math.absf %arg0 : tensor<4xf32> loc(fused["a", #loc])
    return %0 : tensor<4xf32> loc(callsite("a" at #loc))
  } loc(#loc)
} loc(#loc)""",
    [normal(4)],
    np.abs,
)
raw(
    "writable-attr",
    """func.func @forward(%x: tensor<4xf32> {bufferization.writable = true},
    %y: tensor<4xf32> {bufferization.buffer_layout = affine_map<(i)
    -> (i)>, bufferization.access = "read"}) -> tensor<4xf32> {
    %0 = arith.addf %x, %y : tensor<4xf32>
    return %0 : tensor<4xf32>
}""",
    [normal(4), normal(4, seed=1)],
    lambda x, y: x + y,
)
raw(
    "private-unused-unranked",
    """func.func private @printMemrefF32(tensor<*xf32>)
func.func @forward(%x: tensor<4xf32>) -> tensor<4xf32> {
    %0 = arith.addf %x, %x : tensor<4xf32>
    return %0 : tensor<4xf32>
}""",
    [normal(4)],
    lambda x: x + x,
)
raw(
    "cf-switch",
    """func.func @forward(%x: tensor<4xf32>, %i: i32) -> tensor<4xf32> {
    cf.switch %i : i32, [ default: ^a, 1: ^b, 2: ^c(%x : tensor<4xf32>) ]
  ^a:
    %0 = arith.addf %x, %x : tensor<4xf32>
    cf.br ^c(%0 : tensor<4xf32>)
  ^b:
    %1 = arith.mulf %x, %x : tensor<4xf32>
    cf.br ^c(%1 : tensor<4xf32>)
  ^c(%r: tensor<4xf32>):
    return %r : tensor<4xf32>
}""",
    [normal(4), np.int32(1)],
    lambda x, i: x * x,
)
raw(
    "cf-two-returns",
    """func.func @forward(%x: tensor<4xf32>, %i: i1) -> tensor<4xf32> {
    cf.cond_br %i, ^a, ^b
  ^a:
    %0 = arith.addf %x, %x : tensor<4xf32>
    return %0 : tensor<4xf32>
  ^b:
    return %x : tensor<4xf32>
}""",
    [normal(4), True],
    lambda x, i: x + x,
)
raw(
    "affine-ops",
    """func.func @forward(%x: tensor<9xf32>, %n: index) -> tensor<9xf32> {
  %r = affine.for %i = 0 to 9 iter_args(%t = %x) -> tensor<9xf32> {
    %k = affine.apply affine_map<(d0)[s0] -> ((d0 * 2 + s0) mod 9)>(%i)[%n]
    %m = affine.min affine_map<(d0) -> (d0, 5)>(%k)
    %v = tensor.extract %x[%m] : tensor<9xf32>
    %u = tensor.insert %v into %t[%i] : tensor<9xf32>
    affine.yield %u : tensor<9xf32>
  }
  return %r : tensor<9xf32>
}""",
    [normal(9), 3],
    lambda x, n: np.array([x[min((2 * i + n) % 9, 5)] for i in range(9)]),
)
raw(
    "affine-if",
    """func.func @forward(%x: tensor<9xf32>, %n: index) -> tensor<9xf32> {
  %r = affine.if affine_set<(d0) : (d0 - 2 >= 0)>(%n) -> tensor<9xf32> {
    %y = math.absf %x : tensor<9xf32>
    affine.yield %y : tensor<9xf32>
  } else {
    affine.yield %x : tensor<9xf32>
  }
  return %r : tensor<9xf32>
}""",
    [normal(9), 3],
    lambda x, n: np.abs(x),
)
raw(
    "vector-reduce",
    """func.func @forward(%x: tensor<16xf32>) -> tensor<f32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %v = vector.transfer_read %x[%c0], %z : tensor<16xf32>, vector<16xf32>
  %s = vector.reduction <add>, %v : vector<16xf32> into f32
  %r = tensor.from_elements %s : tensor<f32>
  return %r : tensor<f32>
}""",
    [normal(16)],
    lambda x: x.sum(),
    1e-5,
)
raw(
    "vector-contract",
    """func.func @forward(%x: tensor<4x8xf32>, %y: tensor<8x4xf32>) -> tensor<4x4xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %a = vector.transfer_read %x[%c0, %c0], %z : tensor<4x8xf32>, vector<4x8xf32>
  %b = vector.transfer_read %y[%c0, %c0], %z : tensor<8x4xf32>, vector<8x4xf32>
  %o = arith.constant dense<0.0> : vector<4x4xf32>
  %s = vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k)
    -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
    iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %o
      : vector<4x8xf32>, vector<8x4xf32> into vector<4x4xf32>
  %e = tensor.empty() : tensor<4x4xf32>
  %r = vector.transfer_write %s, %e[%c0, %c0] : vector<4x4xf32>, tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}""",
    [normal(4, 8), normal(8, 4)],
    lambda x, y: x @ y,
    1e-5,
)
raw(
    "poison",
    """func.func @forward(%x: tensor<4xf32>) -> tensor<4xf32> {
  %p = ub.poison : tensor<4xf32>
  %r = linalg.exp ins(%x : tensor<4xf32>) outs(%p : tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}""",
    [normal(4)],
    np.exp,
    1e-5,
)
raw(
    "memref-args",
    """func.func @forward(%x: memref<4xf32>, %y: memref<4xf32>) -> tensor<4xf32> {
  %a = bufferization.to_tensor %x restrict : memref<4xf32> to tensor<4xf32>
  %b = bufferization.to_tensor %y restrict : memref<4xf32> to tensor<4xf32>
  %r = arith.addf %a, %b : tensor<4xf32>
  return %r : tensor<4xf32>
}""",
    [normal(4), normal(4, seed=1)],
    lambda x, y: x + y,
)
raw(
    "loop-over-dynamic-slices",
    """func.func @forward(%x: tensor<?x8xf32>, %t: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant dense<0.0> : tensor<8xf32>
  %n = tensor.dim %x, %c0 : tensor<?x8xf32>
  %r = scf.for %i = %c0 to %n step %t iter_args(%acc = %z) -> tensor<8xf32> {
    %m = affine.min affine_map<(d0)[s0, s1] -> (s1, s0 - d0)>(%i)[%n, %t]
    %s = tensor.extract_slice %x[%i, 0] [%m, 8] [1, 1] : tensor<?x8xf32> to tensor<?x8xf32>
    %q = linalg.reduce { arith.addf } ins(%s : tensor<?x8xf32>) outs(%acc : tensor<8xf32>) dimensions = [0]
    scf.yield %q : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}""",
    [normal(11, 8), 4],
    lambda x, t: x.sum(0),
    1e-5,
)
raw(
    "forall-multi",
    """func.func @forward(%x: tensor<16xf32>) -> (tensor<16xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<16xf32>
  %z = arith.constant dense<0.0> : tensor<4xf32>
  %zz = arith.constant dense<0.0> : tensor<f32>
  %r:2 = scf.forall (%i) in (4) shared_outs(%o = %e, %p = %z) -> (tensor<16xf32>, tensor<4xf32>) {
    %k = affine.apply affine_map<(d0) -> (d0 * 4)>(%i)
    %s = tensor.extract_slice %x[%k] [4] [1] : tensor<16xf32> to tensor<4xf32>
    %y = math.absf %s : tensor<4xf32>
    %q = linalg.reduce { arith.addf } ins(%y : tensor<4xf32>) outs(%zz : tensor<f32>) dimensions = [0]
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %y into %o[%k] [4] [1] : tensor<4xf32> into tensor<16xf32>
      tensor.parallel_insert_slice %q into %p[%i] [1] [1] : tensor<f32> into tensor<4xf32>
    }
  }
  return %r#0, %r#1 : tensor<16xf32>, tensor<4xf32>
}""",
    [normal(16)],
    lambda x: (np.abs(x), np.abs(x).reshape(4, 4).sum(1)),
    1e-5,
)
raw(
    "scf-if-different-origin",
    """func.func @forward(%x: tensor<4xf32>, %c: i1) -> (tensor<4xf32>, tensor<4xf32>) {
  %k = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %r:2 = scf.if %c -> (tensor<4xf32>, tensor<4xf32>) {
    %y = arith.addf %x, %k : tensor<4xf32>
    scf.yield %y, %k : tensor<4xf32>, tensor<4xf32>
  } else {
    scf.yield %x, %x : tensor<4xf32>, tensor<4xf32>
  }
  %s = arith.mulf %r#0, %r#1 : tensor<4xf32>
  return %s, %r#1 : tensor<4xf32>, tensor<4xf32>
}""",
    [normal(4), False],
    lambda x, c: (x * x, x),
)
raw(
    "while-swap",
    """func.func @forward(%x: tensor<4xf32>, %y: tensor<4xf32>, %n: i32) -> (tensor<4xf32>, tensor<4xf32>) {
  %z = arith.constant 0 : i32
  %o = arith.constant 1 : i32
  %r:3 = scf.while (%a = %x, %b = %y, %i = %z) : (tensor<4xf32>, tensor<4xf32>, i32)
    -> (tensor<4xf32>, tensor<4xf32>, i32) {
    %c = arith.cmpi slt, %i, %n : i32
    scf.condition(%c) %b, %a, %i : tensor<4xf32>, tensor<4xf32>, i32
  } do {
  ^bb0(%a: tensor<4xf32>, %b: tensor<4xf32>, %i: i32):
    %s = arith.addf %a, %b : tensor<4xf32>
    %j = arith.addi %i, %o : i32
    scf.yield %s, %a, %j : tensor<4xf32>, tensor<4xf32>, i32
  }
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>
}""",
    [normal(4), normal(4, seed=1), np.int32(3)],
    lambda x, y, n: swp(x, y, n),
)
