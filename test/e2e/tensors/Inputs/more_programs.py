"""Programs on tensors, one for each op or form of an op that exporters use, each with a numpy implementation."""

import numpy as np

from programs import integers, normal, program, softmax

ID2 = "affine_map<(i, j) -> (i, j)>"


def unary(name, op, type, arguments, expected, tolerance=1e-5, shape="7x9"):
    text = f"""
func.func @forward(%x: tensor<{shape}x{type}>) -> tensor<{shape}x{type}> {{
  %r = {op} %x : tensor<{shape}x{type}>
  return %r : tensor<{shape}x{type}>
}}
"""
    program(name, text, arguments, expected, tolerance)


def binary(name, op, type, a, b, expected, tolerance=1e-5):
    shape = "x".join(map(str, a.shape))
    text = f"""
func.func @forward(%x: tensor<{shape}x{type}>, %y: tensor<{shape}x{type}>) -> tensor<{shape}x{type}> {{
  %r = {op} %x, %y : tensor<{shape}x{type}>
  return %r : tensor<{shape}x{type}>
}}
"""
    program(name, text, [a, b], expected, tolerance)


for op, function in [("exp", np.exp), ("tanh", np.tanh), ("sin", np.sin), ("floor", np.floor), ("absf", np.abs)]:
    unary(f"math-{op}", f"math.{op}", "f32", [normal(7, 9)], function, 1e-4)
unary("math-sqrt-f64", "math.sqrt", "f64", [np.abs(normal(7, 9, dtype=np.float64))], np.sqrt)
unary("math-exp-f16", "math.exp", "f16", [normal(7, 9, dtype=np.float16)], np.exp, 5e-3)
for type, dtype in [("i8", np.int8), ("i16", np.int16), ("i32", np.int32), ("i64", np.int64)]:
    a, b = integers(6, 11, dtype=dtype), integers(6, 11, low=1, seed=1, dtype=dtype)
    binary(f"add-{type}", "arith.addi", type, a, b, lambda x, y: x + y, 0)
    binary(f"mul-{type}", "arith.muli", type, a, b, lambda x, y: x * y, 0)
    binary(f"floordiv-{type}", "arith.floordivsi", type, a, b, lambda x, y: x // y, 0)
    binary(f"max-{type}", "arith.maxsi", type, a, b, np.maximum, 0)
binary(
    "xor-i1",
    "arith.xori",
    "i1",
    integers(5, 8, low=0, high=2) > 0,
    integers(5, 8, low=0, high=2, seed=1) > 0,
    lambda x, y: x ^ y,
    0,
)

program(
    "casts",
    """
func.func @forward(%x: tensor<3x5xf32>) -> (tensor<3x5xf16>, tensor<3x5xf64>, tensor<3x5xi32>, tensor<3x5xf32>) {
  %a = arith.truncf %x : tensor<3x5xf32> to tensor<3x5xf16>
  %b = arith.extf %x : tensor<3x5xf32> to tensor<3x5xf64>
  %c = arith.fptosi %x : tensor<3x5xf32> to tensor<3x5xi32>
  %d = arith.sitofp %c : tensor<3x5xi32> to tensor<3x5xf32>
  return %a, %b, %c, %d : tensor<3x5xf16>, tensor<3x5xf64>, tensor<3x5xi32>, tensor<3x5xf32>
}
""",
    [normal(3, 5) * 9],
    lambda x: (x.astype(np.float16), x.astype(np.float64), x.astype(np.int32), np.trunc(x)),
)

program(
    "bf16-bits",
    """
func.func @forward(%x: tensor<4x8xbf16>) -> tensor<4x8xf32> {
  %a = arith.extf %x : tensor<4x8xbf16> to tensor<4x8xf32>
  return %a : tensor<4x8xf32>
}
""",
    [(normal(4, 8).view(np.uint32) >> 16).astype(np.uint16)],
    lambda x: (x.astype(np.uint32) << 16).view(np.float32),
    0,
)

program(
    "named-elementwise",
    """
func.func @forward(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %x, %c0 : tensor<?x?xf32>
  %n = tensor.dim %x, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %a = linalg.add ins(%x, %y : tensor<?x?xf32>, tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %b = linalg.mul ins(%a, %y : tensor<?x?xf32>, tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %c = linalg.elementwise kind=#linalg.elementwise_kind<abs> ins(%b : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>)
      -> tensor<?x?xf32>
  %d = linalg.map {arith.maximumf} ins(%c, %x : tensor<?x?xf32>, tensor<?x?xf32>) outs(%e : tensor<?x?xf32>)
  return %d : tensor<?x?xf32>
}
""",
    [normal(6, 7), normal(6, 7, seed=1)],
    lambda x, y: np.maximum(np.abs((x + y) * y), x),
)

program(
    "broadcast-transpose",
    """
func.func @forward(%x: tensor<5xf32>) -> tensor<5x3xf32> {
  %e = tensor.empty() : tensor<3x5xf32>
  %b = linalg.broadcast ins(%x : tensor<5xf32>) outs(%e : tensor<3x5xf32>) dimensions = [0]
  %f = tensor.empty() : tensor<5x3xf32>
  %t = linalg.transpose ins(%b : tensor<3x5xf32>) outs(%f : tensor<5x3xf32>) permutation = [1, 0]
  return %t : tensor<5x3xf32>
}
""",
    [normal(5)],
    lambda x: np.repeat(x[:, None], 3, axis=1),
)

for name, dims, rows in [("rows", "[1]", "12"), ("columns", "[0]", "70")]:
    program(
        f"reduce-{name}",
        f"""
func.func @forward(%x: tensor<12x70xf32>, %i: tensor<{rows}xf32>) -> tensor<{rows}xf32> {{
  %r = linalg.reduce {{arith.maximumf}} ins(%x : tensor<12x70xf32>) outs(%i : tensor<{rows}xf32>) dimensions = {dims}
  return %r : tensor<{rows}xf32>
}}
""",
        [normal(12, 70), np.full(int(rows), 0.5, np.float32)],
        lambda x, i, axis=int(dims[1]): np.maximum(x.max(axis), i),
    )

MATMULS = [
    (
        "matmul-transpose-b",
        "[affine_map<(m,n,k)->(m,k)>, affine_map<(m,n,k)->(n,k)>, affine_map<(m,n,k)->(m,n)>]",
        "20x24",
        "28x24",
        lambda a, b: a @ b.T,
    ),
    (
        "matmul-transpose-a",
        "[affine_map<(m,n,k)->(k,m)>, affine_map<(m,n,k)->(k,n)>, affine_map<(m,n,k)->(m,n)>]",
        "24x20",
        "24x28",
        lambda a, b: a.T @ b,
    ),
]
for name, maps, a, b, expected in MATMULS:
    program(
        name,
        f"""
func.func @forward(%a: tensor<{a}xf32>, %b: tensor<{b}xf32>) -> tensor<20x28xf32> {{
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<20x28xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<20x28xf32>) -> tensor<20x28xf32>
  %r = linalg.matmul indexing_maps = {maps}
      ins(%a, %b : tensor<{a}xf32>, tensor<{b}xf32>) outs(%f : tensor<20x28xf32>) -> tensor<20x28xf32>
  return %r : tensor<20x28xf32>
}}
""",
        [normal(*map(int, a.split("x"))), normal(*map(int, b.split("x")), seed=1)],
        expected,
        1e-4,
    )

program(
    "matvec-dot",
    """
func.func @forward(%a: tensor<30x40xf32>, %x: tensor<40xf32>) -> (tensor<30xf32>, tensor<f32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<30xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<30xf32>) -> tensor<30xf32>
  %y = linalg.matvec ins(%a, %x : tensor<30x40xf32>, tensor<40xf32>) outs(%f : tensor<30xf32>) -> tensor<30xf32>
  %g = tensor.empty() : tensor<f32>
  %h = linalg.fill ins(%zero : f32) outs(%g : tensor<f32>) -> tensor<f32>
  %d = linalg.dot ins(%x, %x : tensor<40xf32>, tensor<40xf32>) outs(%h : tensor<f32>) -> tensor<f32>
  return %y, %d : tensor<30xf32>, tensor<f32>
}
""",
    [normal(30, 40), normal(40, seed=1)],
    lambda a, x: (a @ x, x @ x),
    1e-4,
)

program(
    "matmul-f16-to-f16",
    """
func.func @forward(%a: tensor<32x64xf16>, %b: tensor<64x48xf16>) -> tensor<32x48xf16> {
  %zero = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<32x48xf16>
  %f = linalg.fill ins(%zero : f16) outs(%e : tensor<32x48xf16>) -> tensor<32x48xf16>
  %r = linalg.matmul ins(%a, %b : tensor<32x64xf16>, tensor<64x48xf16>) outs(%f : tensor<32x48xf16>)
      -> tensor<32x48xf16>
  return %r : tensor<32x48xf16>
}
""",
    [normal(32, 64, dtype=np.float16), normal(64, 48, seed=1, dtype=np.float16)],
    lambda a, b: (a.astype(np.float32) @ b.astype(np.float32)).astype(np.float16),
    0.1,
)

program(
    "matmul-accumulate",
    """
func.func @forward(%a: tensor<16x16xf32>, %b: tensor<16x16xf32>, %c: tensor<16x16xf32>)
    -> (tensor<16x16xf32>, tensor<16x16xf32>) {
  %r = linalg.matmul ins(%a, %b : tensor<16x16xf32>, tensor<16x16xf32>) outs(%c : tensor<16x16xf32>)
      -> tensor<16x16xf32>
  %s = arith.addf %r, %c : tensor<16x16xf32>
  return %r, %s : tensor<16x16xf32>, tensor<16x16xf32>
}
""",
    [normal(16, 16), normal(16, 16, seed=1), normal(16, 16, seed=2)],
    lambda a, b, c: (a @ b + c, a @ b + 2 * c),
    1e-4,
)

program(
    "depthwise-conv",
    """
func.func @forward(%x: tensor<1x9x9x6xf32>, %w: tensor<3x3x6xf32>) -> tensor<1x4x4x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x4x4x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x4x6xf32>) -> tensor<1x4x4x6xf32>
  %r = linalg.depthwise_conv_2d_nhwc_hwc {strides = dense<2> : tensor<2xi64>}
      ins(%x, %w : tensor<1x9x9x6xf32>, tensor<3x3x6xf32>) outs(%f : tensor<1x4x4x6xf32>) -> tensor<1x4x4x6xf32>
  return %r : tensor<1x4x4x6xf32>
}
""",
    [normal(1, 9, 9, 6), normal(3, 3, 6, seed=1)],
    lambda x, w: sum(x[:, i : i + 7 : 2, j : j + 7 : 2] * w[i, j] for i in range(3) for j in range(3)),
    1e-4,
)

program(
    "conv-nchw-dilated",
    """
func.func @forward(%x: tensor<2x3x10x10xf32>, %w: tensor<4x3x3x3xf32>, %b: tensor<4xf32>) -> tensor<2x4x6x6xf32> {
  %e = tensor.empty() : tensor<2x4x6x6xf32>
  %f = linalg.broadcast ins(%b : tensor<4xf32>) outs(%e : tensor<2x4x6x6xf32>) dimensions = [0, 2, 3]
  %r = linalg.conv_2d_nchw_fchw {dilations = dense<2> : tensor<2xi64>}
      ins(%x, %w : tensor<2x3x10x10xf32>, tensor<4x3x3x3xf32>) outs(%f : tensor<2x4x6x6xf32>) -> tensor<2x4x6x6xf32>
  return %r : tensor<2x4x6x6xf32>
}
""",
    [normal(2, 3, 10, 10), normal(4, 3, 3, 3, seed=1), normal(4, seed=2)],
    lambda x, w, b: sum(
        np.einsum("nchw,fc->nfhw", x[:, :, 2 * i : 2 * i + 6, 2 * j : 2 * j + 6], w[:, :, i, j])
        for i in range(3)
        for j in range(3)
    )
    + b[None, :, None, None],
    1e-4,
)

program(
    "average-pool",
    """
func.func @forward(%x: tensor<1x2x6x6xf32>) -> tensor<1x2x5x5xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x2x5x5xf32>
  %w = tensor.empty() : tensor<2x2xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x2x5x5xf32>) -> tensor<1x2x5x5xf32>
  %r = linalg.pooling_nchw_sum ins(%x, %w : tensor<1x2x6x6xf32>, tensor<2x2xf32>) outs(%f : tensor<1x2x5x5xf32>)
      -> tensor<1x2x5x5xf32>
  %q = arith.constant dense<0.25> : tensor<1x2x5x5xf32>
  %s = arith.mulf %r, %q : tensor<1x2x5x5xf32>
  return %s : tensor<1x2x5x5xf32>
}
""",
    [normal(1, 2, 6, 6)],
    lambda x: (x[:, :, :-1, :-1] + x[:, :, 1:, :-1] + x[:, :, :-1, 1:] + x[:, :, 1:, 1:]) / 4,
)

program(
    "reshapes-dynamic",
    """
func.func @forward(%x: tensor<?x12xf32>) -> (tensor<?xf32>, tensor<?x3x4xf32>, tensor<?x6xf32>) {
  %a = tensor.collapse_shape %x [[0, 1]] : tensor<?x12xf32> into tensor<?xf32>
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c6 = arith.constant 6 : index
  %n = tensor.dim %x, %c0 : tensor<?x12xf32>
  %b = tensor.expand_shape %x [[0], [1, 2]] output_shape [%n, 3, 4] : tensor<?x12xf32> into tensor<?x3x4xf32>
  %m = arith.muli %n, %c2 : index
  %s = tensor.from_elements %m, %c6 : tensor<2xindex>
  %c = tensor.reshape %x(%s) : (tensor<?x12xf32>, tensor<2xindex>) -> tensor<?x6xf32>
  return %a, %b, %c : tensor<?xf32>, tensor<?x3x4xf32>, tensor<?x6xf32>
}
""",
    [normal(5, 12)],
    lambda x: (x.reshape(-1), x.reshape(5, 3, 4), x.reshape(10, 6)),
)


def _insert(x, y, at):
    result = x.copy()
    result[at : at + 3, 2:10:2] = y
    return result


program(
    "insert-slice",
    """
func.func @forward(%x: tensor<10x10xf32>, %y: tensor<3x4xf32>, %at: index) -> tensor<10x10xf32> {
  %r = tensor.insert_slice %y into %x[%at, 2] [3, 4] [1, 2] : tensor<3x4xf32> into tensor<10x10xf32>
  return %r : tensor<10x10xf32>
}
""",
    [normal(10, 10), normal(3, 4, seed=1), 5],
    _insert,
)

program(
    "generate-and-elements",
    """
func.func @forward(%x: tensor<6xf32>, %n: index) -> (tensor<?x6xf32>, tensor<2xf32>, tensor<6xf32>) {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %g = tensor.generate %n {
  ^bb0(%i: index, %j: index):
    %v = tensor.extract %x[%j] : tensor<6xf32>
    %k = arith.index_cast %i : index to i32
    %f = arith.sitofp %k : i32 to f32
    %s = arith.mulf %v, %f : f32
    tensor.yield %s : f32
  } : tensor<?x6xf32>
  %a = tensor.extract %x[%c1] : tensor<6xf32>
  %b = tensor.extract %x[%c3] : tensor<6xf32>
  %p = tensor.from_elements %a, %b : tensor<2xf32>
  %q = tensor.insert %a into %x[%c3] : tensor<6xf32>
  return %g, %p, %q : tensor<?x6xf32>, tensor<2xf32>, tensor<6xf32>
}
""",
    [normal(6), 4],
    lambda x, n: (np.arange(n, dtype=np.float32)[:, None] * x, x[[1, 3]], np.where(np.arange(6) == 3, x[1], x)),
)

program(
    "winograd",
    """
func.func @forward(%x: tensor<1x6x6x2xf32>, %w: tensor<3x3x3x2xf32>) -> tensor<1x4x4x3xf32> {
  %zero = arith.constant 0.0 : f32
  %ew = tensor.empty() : tensor<6x6x2x3xf32>
  %fw = linalg.winograd_filter_transform fmr(F_4_3) ins(%w : tensor<3x3x3x2xf32>) outs(%ew : tensor<6x6x2x3xf32>)
      -> tensor<6x6x2x3xf32>
  %ei = tensor.empty() : tensor<6x6x1x1x1x2xf32>
  %fi = linalg.winograd_input_transform fmr(F_4_3) ins(%x : tensor<1x6x6x2xf32>) outs(%ei : tensor<6x6x1x1x1x2xf32>)
      -> tensor<6x6x1x1x1x2xf32>
  %ci = tensor.collapse_shape %fi [[0, 1], [2, 3, 4], [5]] : tensor<6x6x1x1x1x2xf32> into tensor<36x1x2xf32>
  %cw = tensor.collapse_shape %fw [[0, 1], [2], [3]] : tensor<6x6x2x3xf32> into tensor<36x2x3xf32>
  %em = tensor.empty() : tensor<36x1x3xf32>
  %fm = linalg.fill ins(%zero : f32) outs(%em : tensor<36x1x3xf32>) -> tensor<36x1x3xf32>
  %m = linalg.batch_matmul ins(%ci, %cw : tensor<36x1x2xf32>, tensor<36x2x3xf32>) outs(%fm : tensor<36x1x3xf32>)
      -> tensor<36x1x3xf32>
  %x6 = tensor.expand_shape %m [[0, 1], [2, 3, 4], [5]] output_shape [6, 6, 1, 1, 1, 3]
      : tensor<36x1x3xf32> into tensor<6x6x1x1x1x3xf32>
  %eo = arith.constant dense<0.0> : tensor<1x4x4x3xf32>
  %o = linalg.winograd_output_transform fmr(F_4_3) ins(%x6 : tensor<6x6x1x1x1x3xf32>) outs(%eo : tensor<1x4x4x3xf32>)
      -> tensor<1x4x4x3xf32>
  return %o : tensor<1x4x4x3xf32>
}
""",
    [normal(1, 6, 6, 2), normal(3, 3, 3, 2, seed=1)],
    lambda x, w: sum(
        np.einsum("nhwc,fc->nhwf", x[:, i : i + 4, j : j + 4], w[:, i, j]) for i in range(3) for j in range(3)
    ),
    1e-3,
)

program(
    "scatter",
    """
func.func @forward(%d: tensor<10x4xf32>, %i: tensor<3x1xi64>, %s: tensor<3x1x4xf32>) -> tensor<10x4xf32> {
  %r = tensor.scatter %s into %d[%i] scatter_dims([0]) unique
      : (tensor<3x1x4xf32>, tensor<10x4xf32>, tensor<3x1xi64>) -> tensor<10x4xf32>
  return %r : tensor<10x4xf32>
}
""",
    [normal(10, 4), np.array([[7], [0], [3]]), normal(3, 1, 4, seed=1)],
    lambda d, i, s: np.array([s[[7, 0, 3].index(r), 0] if r in (7, 0, 3) else d[r] for r in range(10)]),
)

program(
    "globals",
    """
ml_program.global private mutable @state(dense<[1.0, 2.0, 3.0]> : tensor<3xf32>) : tensor<3xf32>
func.func @forward(%x: tensor<3xf32>) -> tensor<3xf32> {
  %s = ml_program.global_load @state : tensor<3xf32>
  %r = arith.addf %s, %x : tensor<3xf32>
  ml_program.global_store @state = %r : tensor<3xf32>
  return %r : tensor<3xf32>
}
""",
    [normal(3)],
    lambda x: x + np.array([1, 2, 3], np.float32),
)

program(
    "resource-constant",
    """
func.func @forward(%x: tensor<4xf32>) -> tensor<4xf32> {
  %w = arith.constant dense_resource<weights> : tensor<4xf32>
  %r = arith.mulf %x, %w : tensor<4xf32>
  return %r : tensor<4xf32>
}
{-#
  dialect_resources: {
    builtin: {
      weights: "0x040000000000803F000000400000404000008040"
    }
  }
#-}
""",
    [normal(4)],
    lambda x: x * np.array([1, 2, 3, 4], np.float32),
)

program(
    "attention",
    """
#q = affine_map<(b, i, j, k) -> (b, i, k)>
#k = affine_map<(b, i, j, k) -> (b, j, k)>
#s = affine_map<(b, i, j, k) -> (b, i, j)>
#id = affine_map<(b, i, j) -> (b, i, j)>
func.func @forward(%q: tensor<2x16x32xf32>, %k: tensor<2x24x32xf32>, %v: tensor<2x24x32xf32>) -> tensor<2x16x32xf32> {
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.17677669 : f32
  %es = tensor.empty() : tensor<2x16x24xf32>
  %fs = linalg.fill ins(%zero : f32) outs(%es : tensor<2x16x24xf32>) -> tensor<2x16x24xf32>
  %s = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<2x16x32xf32>, tensor<2x24x32xf32>) outs(%fs : tensor<2x16x24xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %t = arith.addf %m, %o : f32
    linalg.yield %t : f32
  } -> tensor<2x16x24xf32>
  %scaled = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s : tensor<2x16x24xf32>) outs(%es : tensor<2x16x24xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.mulf %a, %scale : f32
    linalg.yield %m : f32
  } -> tensor<2x16x24xf32>
  %p = linalg.softmax dimension(2) ins(%scaled : tensor<2x16x24xf32>) outs(%es : tensor<2x16x24xf32>)
      -> tensor<2x16x24xf32>
  %eo = tensor.empty() : tensor<2x16x32xf32>
  %fo = linalg.fill ins(%zero : f32) outs(%eo : tensor<2x16x32xf32>) -> tensor<2x16x32xf32>
  %r = linalg.batch_matmul ins(%p, %v : tensor<2x16x24xf32>, tensor<2x24x32xf32>) outs(%fo : tensor<2x16x32xf32>)
      -> tensor<2x16x32xf32>
  return %r : tensor<2x16x32xf32>
}
""",
    [normal(2, 16, 32), normal(2, 24, 32, seed=1), normal(2, 24, 32, seed=2)],
    lambda q, k, v: softmax(q @ k.transpose(0, 2, 1) * np.float32(0.17677669)) @ v,
    1e-4,
)

program(
    "lstm-like-loop",
    """
func.func @forward(%x: tensor<5x8xf32>, %w: tensor<8x8xf32>, %h0: tensor<1x8xf32>) -> tensor<1x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %zero = arith.constant 0.0 : f32
  %r = scf.for %t = %c0 to %c5 step %c1 iter_args(%h = %h0) -> tensor<1x8xf32> {
    %xt = tensor.extract_slice %x[%t, 0] [1, 8] [1, 1] : tensor<5x8xf32> to tensor<1x8xf32>
    %e = tensor.empty() : tensor<1x8xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x8xf32>) -> tensor<1x8xf32>
    %m = linalg.matmul ins(%h, %w : tensor<1x8xf32>, tensor<8x8xf32>) outs(%f : tensor<1x8xf32>) -> tensor<1x8xf32>
    %s = arith.addf %m, %xt : tensor<1x8xf32>
    %a = math.tanh %s : tensor<1x8xf32>
    scf.yield %a : tensor<1x8xf32>
  }
  return %r : tensor<1x8xf32>
}
""",
    [normal(5, 8), normal(8, 8, seed=1) * np.float32(0.3), normal(1, 8, seed=2)],
    lambda x, w, h: __import__("functools").reduce(lambda h, t: np.tanh(h @ w + x[t : t + 1]), range(5), h),
    1e-4,
)

program(
    "several-results-and-scalars",
    """
func.func @forward(%x: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>, tensor<index>) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %r:2 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                         iterator_types = ["parallel"]}
      ins(%x : tensor<?xf32>) outs(%e, %e : tensor<?xf32>, tensor<?xf32>) {
  ^bb0(%a: f32, %o: f32, %p: f32):
    %s = math.sin %a : f32
    %c = math.cos %a : f32
    linalg.yield %s, %c : f32, f32
  } -> (tensor<?xf32>, tensor<?xf32>)
  %d = tensor.from_elements %n : tensor<index>
  return %r#0, %r#1, %d : tensor<?xf32>, tensor<?xf32>, tensor<index>
}
""",
    [normal(33)],
    lambda x: (np.sin(x), np.cos(x), np.int64(33)),
    1e-4,
)

# The tiles of the product are larger than the result, whose elements divide.
program(
    "divided-product",
    """
func.func @forward(%a: tensor<1x8x33xi8>, %b: tensor<1x33x17xi8>, %c: tensor<1x8x17xi32>, %d: tensor<17xi32>)
    -> tensor<1x8x17xi32> {
  %one = arith.constant 1 : i32
  %e = tensor.empty() : tensor<1x8x17xi32>
  %f = linalg.fill ins(%one : i32) outs(%e : tensor<1x8x17xi32>) -> tensor<1x8x17xi32>
  %m = linalg.batch_matmul ins(%a, %b : tensor<1x8x33xi8>, tensor<1x33x17xi8>)
      outs(%f : tensor<1x8x17xi32>) -> tensor<1x8x17xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>,
                                        affine_map<(b, i, j) -> (j)>, affine_map<(b, i, j) -> (b, i, j)>],
                       iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%m, %c, %d : tensor<1x8x17xi32>, tensor<1x8x17xi32>, tensor<17xi32>) outs(%e : tensor<1x8x17xi32>) {
  ^bb0(%v: i32, %x: i32, %y: i32, %o: i32):
    %q = arith.divui %v, %x : i32
    %s = arith.remsi %q, %y : i32
    linalg.yield %s : i32
  } -> tensor<1x8x17xi32>
  return %r : tensor<1x8x17xi32>
}
""",
    [
        np.arange(8 * 33, dtype=np.int8).reshape(1, 8, 33) % 7,
        np.arange(33 * 17, dtype=np.int16).reshape(1, 33, 17).astype(np.int8) % 5,
        np.arange(1, 8 * 17 + 1, dtype=np.int32).reshape(1, 8, 17),
        np.arange(1, 18, dtype=np.int32) * 3,
    ],
    lambda a, b, c, d: (1 + np.einsum("bik,bkj->bij", a.astype(np.int32), b.astype(np.int32))) // c % d,
)
