"""Named ops in rare forms, narrow elements as arguments, packs, and vectors on tensors."""

import numpy as np

from elements import from_bits, round_to, to_bits
from forms import form, raw
from programs import integers, normal
from reference import erf
from texts import dims, empty, fill, generic

I64 = np.int64


def windows(x, kernel):
    count = len(kernel)
    return np.lib.stride_tricks.sliding_window_view(x, kernel, tuple(range(x.ndim - count, x.ndim)))


for op, init, x, function in [
    ("pooling_nwc_max", "0xFF800000", normal(2, 9, 3), np.max),
    ("pooling_nwc_sum", "0.0", normal(2, 9, 3), np.sum),
    ("pooling_nwc_max_unsigned", "0", integers(2, 9, 3, low=-9, high=9, dtype=np.int8), "max"),
    ("pooling_nwc_min_unsigned", "-1", integers(2, 9, 3, low=-9, high=9, dtype=np.int8), "min"),
]:
    element = "f32" if x.dtype == np.float32 else "i8"
    form(
        op,
        [x],
        fill("%t0", "$r", init, element)
        + empty("%k", f"tensor<4x{element}>")
        + f"%r = linalg.{op} ins(%a, %k : $a, tensor<4x{element}>) outs(%t0 : $r) -> $r",
        lambda x, f=function: np.moveaxis(
            f(windows(np.moveaxis(x, 2, 1), (4,)), axis=-1)
            if callable(f)
            else getattr(windows(np.moveaxis(x, 2, 1).copy().view(np.uint8), (4,)), f)(-1).astype(np.int8),
            1,
            2,
        ),
        1e-5,
    )
UNARY = [
    ("exp", np.exp),
    ("log", np.log),
    ("ceil", np.ceil),
    ("floor", np.floor),
    ("negf", np.negative),
    ("reciprocal", lambda x: 1 / x),
    ("round", lambda x: np.trunc(x + np.float32(0.5))),
    ("sqrt", np.sqrt),
    ("rsqrt", lambda x: 1 / np.sqrt(x)),
    ("square", np.square),
    ("tanh", np.tanh),
    ("erf", erf),
]
for name, function in UNARY:
    form(
        f"linalg-{name}",
        [np.abs(normal(3, 5)) + np.float32(0.1)],
        empty("%e", "$r") + f"%r = linalg.{name} ins(%a : $a) outs(%e : $r) -> $r",
        function,
        1e-5,
    )
    form(
        f"elementwise-{name}-broadcast",
        [np.abs(normal(5)) + np.float32(0.1)],
        empty("%e", "$r")
        + f"%r = linalg.elementwise kind=#linalg.elementwise_kind<{name}> indexing_maps = [affine_map<(i, j) -> (i)>,\n"
        "affine_map<(i, j) -> (j, i)>] ins(%a : $a) outs(%e : $r) -> $r",
        lambda x, f=function: np.tile(f(x), (4, 1)),
        1e-5,
    )
for name, function, dtype in [
    ("div", np.divide, np.float32),
    ("powf", np.power, np.float32),
    ("max", np.maximum, np.float32),
    ("min", np.minimum, np.int32),
    ("sub", np.subtract, np.float16),
    ("div", lambda a, b: np.trunc(a / b).astype(np.int32), np.int32),
    ("div_unsigned", lambda a, b: (a.view(np.uint32) // b.view(np.uint32)).view(np.int32), np.int32),
]:
    x = np.abs(normal(4, 6)).astype(dtype) + dtype(1) if dtype != np.int32 else integers(4, 6, low=-50, high=50)
    y = np.abs(normal(4, 6, seed=1)).astype(dtype) + dtype(1) if dtype != np.int32 else integers(4, 6, low=1, seed=1)
    form(
        f"linalg-{name}-{np.dtype(dtype).name}",
        [x, y],
        empty("%e", "$r") + f"%r = linalg.{name} ins(%a, %b : $a, $b) outs(%e : $r) -> $r",
        function,
        1e-5,
    )


def winograd(name, m, r):
    n, size, tiles = m + r - 1, 2 * m + r - 1, 2
    a = f"{n}x{n}x{tiles}x{tiles}x1"
    form(
        f"winograd-{m}-{r}",
        [normal(1, size, size, 3), normal(4, r, r, 3, seed=1)],
        empty("%ew", f"tensor<{n}x{n}x3x4xf32>")
        + f"%fw = linalg.winograd_filter_transform fmr({name}) ins(%b : $b) outs(%ew : tensor<{n}x{n}x3x4xf32>)\n"
        f"-> tensor<{n}x{n}x3x4xf32>\n"
        + empty("%ei", f"tensor<{a}x3xf32>")
        + f"%fi = linalg.winograd_input_transform fmr({name}) ins(%a : $a) outs(%ei : tensor<{a}x3xf32>)\n"
        f"-> tensor<{a}x3xf32>\n"
        f"%ci = tensor.collapse_shape %fi [[0, 1], [2, 3, 4], [5]] : tensor<{a}x3xf32> into tensor<{n * n}x4x3xf32>\n"
        f"%cw = tensor.collapse_shape %fw [[0, 1], [2], [3]] : tensor<{n}x{n}x3x4xf32> into tensor<{n * n}x3x4xf32>\n"
        + fill("%t0", f"tensor<{n * n}x4x4xf32>")
        + f"%m = linalg.batch_matmul ins(%ci, %cw : tensor<{n * n}x4x3xf32>, tensor<{n * n}x3x4xf32>)\n"
        f"outs(%t0 : tensor<{n * n}x4x4xf32>) -> tensor<{n * n}x4x4xf32>\n"
        f"%x = tensor.expand_shape %m [[0, 1], [2, 3, 4], [5]] output_shape [{n}, {n}, 2, 2, 1, 4]\n"
        f": tensor<{n * n}x4x4xf32> into tensor<{a}x4xf32>\n"
        + fill("%o", "$r")
        + f"%r = linalg.winograd_output_transform fmr({name}) ins(%x : tensor<{a}x4xf32>) outs(%o : $r) -> $r",
        lambda x, w: np.einsum("nchwij,fijc->nhwf", windows(x.transpose(0, 3, 1, 2), (r, r)), w),
        1e-3,
    )


winograd("F_2_3", 2, 3)
winograd("F_2_5", 2, 5)

# Packs.
form(
    "pack-padded-outer-permutation",
    [normal(5, 7, 6)],
    "%z = arith.constant -2.0 : f32\n"
    + empty("%e", "$r")
    + "%r = linalg.pack %a padding_value(%z : f32) outer_dims_perm = [2, 0, 1] inner_dims_pos = [1, 0]\n"
    "inner_tiles = [4, 2] into %e : $a -> $r",
    lambda x: np.pad(x, ((0, 1), (0, 1), (0, 0)), constant_values=-2).reshape(3, 2, 2, 4, 6).transpose(4, 0, 2, 3, 1),
    0,
)
form(
    "pack-dynamic-i8",
    [integers(9, 10, low=-128, high=128, dtype=np.int8)],
    "%z = arith.constant 7 : i8\n%c4 = arith.constant 4 : index\n%c8 = arith.constant 8 : index\n"
    + dims("%a", "$a", 0, 1)
    + "%m = arith.ceildivui %a0, %c4 : index\n%n = arith.ceildivui %a1, %c8 : index\n"
    + empty("%e", "$r", "%n, %m")
    + "%r = linalg.pack %a padding_value(%z : i8) outer_dims_perm = [1, 0] inner_dims_pos = [0, 1]\n"
    "inner_tiles = [4, 8] into %e : $a -> $r",
    lambda x: np.pad(x, ((0, 3), (0, 6)), constant_values=7).reshape(3, 4, 2, 8).transpose(2, 0, 1, 3),
    0,
    types={"a": "tensor<?x?xi8>", "r": "tensor<?x?x4x8xi8>"},
)
form(
    "unpack-outer-permutation-cropped",
    [normal(3, 2, 4, 3)],
    empty("%e", "$r")
    + "%r = linalg.unpack %a outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [4, 3] into %e : $a -> $r",
    lambda x: x.transpose(1, 2, 0, 3).reshape(8, 9)[:7, :8],
    0,
)
form(
    "pack-multiply-unpack",
    [normal(10, 12, dtype=np.float16), normal(12, 9, seed=1, dtype=np.float16)],
    "%z = arith.constant 0.0 : f16\n"
    + empty("%e0", "tensor<2x3x8x4xf16>")
    + "%x = linalg.pack %a padding_value(%z : f16) inner_dims_pos = [0, 1] inner_tiles = [8, 4] into %e0\n"
    ": $a -> tensor<2x3x8x4xf16>\n"
    + empty("%e1", "tensor<2x3x8x4xf16>")
    + "%y = linalg.pack %b padding_value(%z : f16) outer_dims_perm = [1, 0] inner_dims_pos = [1, 0]\n"
    "inner_tiles = [8, 4] into %e1 : $b -> tensor<2x3x8x4xf16>\n"
    + fill("%t0", "tensor<2x2x8x8xf32>")
    + "%m = linalg.mmt4d ins(%x, %y : tensor<2x3x8x4xf16>, tensor<2x3x8x4xf16>) outs(%t0 : tensor<2x2x8x8xf32>)\n"
    "-> tensor<2x2x8x8xf32>\n"
    + empty("%e2", "$r")
    + "%r = linalg.unpack %m inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %e2 : tensor<2x2x8x8xf32> -> $r",
    lambda x, y: x.astype(np.float32) @ y.astype(np.float32),
    1e-3,
)

# Narrow elements as arguments.
for element in ("f8E4M3FN", "f8E5M2", "f8E4M3FNUZ", "f8E5M2FNUZ", "bf16"):
    x, y = (round_to(normal(18, 32, seed=n), element) for n in (0, 1))
    kind = "i8" if element != "bf16" else "bf16"
    form(
        f"matmul-of-{element.lower()}",
        [to_bits(x, element), to_bits(y, element)],
        fill("%t0", "$r")
        + generic(
            "%r",
            "ik,jk->ij",
            f"%a $a {element}; %b $b {element}",
            "%t0 $r f32",
            f"%p = arith.extf %x0 : {element} to f32\n%q = arith.extf %x1 : {element} to f32\n"
            "%m = arith.mulf %p, %q : f32\n%v = arith.addf %m, %y0 : f32\nyield %v f32",
            "k",
        ),
        lambda a, b, e=element: from_bits(a, e).astype(np.float32) @ from_bits(b, e).astype(np.float32).T,
        1e-3,
        elements={"a": element, "b": element},
    )
    form(
        f"arithmetic-of-{element.lower()}",
        [to_bits(x, element), to_bits(y, element)],
        "%t0 = arith.mulf %a, %b : $a\n%t1 = arith.addf %t0, %b : $a\n%r = arith.maximumf %t1, %a : $a",
        lambda a, b, e=element: to_bits(
            np.maximum(round_to(round_to(from_bits(a, e) * from_bits(b, e), e) + from_bits(b, e), e), from_bits(a, e)),
            e,
        ),
        0,
        elements={"a": element, "b": element, "r": element},
    )
    form(
        f"gather-and-pad-{element.lower()}",
        [to_bits(x, element), np.array([3, 0, 17, 9], I64)],
        f"%z = arith.constant 1.0 : {element}\n"
        + empty("%e", f"tensor<4x32x{element}>")
        + generic(
            "%t0",
            "i->ij",
            "%b $b i64",
            f"%e tensor<4x32x{element}> {element}",
            "%k = arith.index_cast %x0 : i64 to index\n%j = linalg.index 1 : index\n"
            f"%v = tensor.extract %a[%k, %j] : $a\nyield %v {element}",
        )
        + f"%r = tensor.pad %t0 low[1, 0] high[0, 2] {{\n^bb0(%i: index, %j: index):\n"
        f"tensor.yield %z : {element}\n}} : "
        f"tensor<4x32x{element}> to $r",
        lambda a, i, e=element: np.pad(
            a[i], ((1, 0), (0, 2)), constant_values=int(to_bits(np.ones(1, np.float32), e)[0])
        ),
        0,
        elements={"a": element, "r": element},
    )
form(
    "linear-of-i4-argument",
    [normal(5, 16), integers(9, 16, dtype=np.int8), np.abs(normal(9, seed=1))],
    fill("%t0", "$r")
    + generic(
        "%r",
        "ik,jk,j->ij",
        "%a $a f32; %b $b i4; %c $c f32",
        "%t0 $r f32",
        "%q = arith.sitofp %x1 : i4 to f32\n%w = arith.mulf %q, %x2 : f32\n%p = arith.mulf %x0, %w : f32\n"
        "%v = arith.addf %y0, %p : f32\nyield %v f32",
        "k",
    ),
    lambda x, w, s: x @ (w * s[:, None]).T,
    1e-4,
    elements={"b": "i4"},
)
form(
    "i4-results",
    [integers(33, low=-100, high=100), integers(33, dtype=np.int8)],
    "%t0 = arith.trunci %a : $a to $r\n%three = arith.constant dense<3> : $s\n%r = arith.addi %t0, %b : $r\n"
    "%s = arith.divsi %b, %three : $s",
    lambda x, y: (round_to(x.astype(I64) + y, "i4"), np.trunc(y / 3).astype(np.int8)),
    0,
    elements={"b": "i4", "r": "i4", "s": "i4"},
)


def put(x):
    y = x.copy()
    y[2:7, :5] = x[1:6, 3:8].T
    return y


form(
    "i4-slices-and-transpose",
    [integers(7, 9, dtype=np.int8)],
    "%t0 = tensor.extract_slice %a[1, 3] [5, 5] [1, 1] : $a to tensor<5x5xi4>\n"
    + empty("%e", "tensor<5x5xi4>")
    + "%t1 = linalg.transpose ins(%t0 : tensor<5x5xi4>) outs(%e : tensor<5x5xi4>) permutation = [1, 0]\n"
    "%r = tensor.insert_slice %t1 into %a[2, 0] [5, 5] [1, 1] : tensor<5x5xi4> into $a",
    put,
    0,
    elements={"a": "i4", "r": "i4"},
)
form(
    "integers-of-odd-widths",
    [
        integers(9, low=-2, high=2, dtype=np.int8),
        integers(9, low=-(2**46), high=2**46, seed=1, dtype=I64),
        integers(9, low=-2048, high=2048, seed=2, dtype=np.int16),
    ],
    "%t0 = arith.extsi %a : $a to $b\n%t1 = arith.muli %b, %t0 : $b\n%t2 = arith.extui %c : $c to $b\n"
    "%r = arith.addi %t1, %t2 : $b\n%s = arith.addi %c, %c : $c\n%t3 = arith.trunci %c : $c to $a\n"
    "%t = arith.xori %a, %t3 : $a",
    lambda x, y, z: (
        y * x + z % 4096,
        (((z * 2) & 4095) ^ 2048) - 2048,
        (((x ^ (z & 3).astype(np.int8)) & 3) ^ 2) - 2,
    ),
    0,
    elements={"a": "i2", "b": "i48", "c": "i12", "r": "i48", "s": "i12", "t": "i2"},
)
raw(
    "calls-with-i4",
    """
func.func @forward(%x: tensor<?xi4>, %n: i4) -> (tensor<?xi4>, i4) {
  %y, %m = func.call @twice(%x, %n) : (tensor<?xi4>, i4) -> (tensor<?xi4>, i4)
  %z, %k = func.call @twice(%y, %m) : (tensor<?xi4>, i4) -> (tensor<?xi4>, i4)
  return %z, %k : tensor<?xi4>, i4
}
func.func private @twice(%x: tensor<?xi4>, %n: i4) -> (tensor<?xi4>, i4) {
  %y = arith.addi %x, %x : tensor<?xi4>
  %m = arith.addi %n, %n : i4
  return %y, %m : tensor<?xi4>, i4
}""",
    [integers(11, dtype=np.int8), np.int8(3)],
    lambda x, n: (round_to(x.astype(I64) * 4, "i4"), np.int8(-4)),
    0,
)
form(
    "index-arguments",
    [np.array([5, -7, 0, 2**40], I64), np.array([2, 3, 9, -1], I64)],
    "%t0 = arith.muli %a, %b : $a\n%r = arith.floordivsi %a, %b : $a\n%s = arith.index_cast %t0 : $a to $s\n"
    "%p = arith.cmpi ult, %a, %b : $a\n%t = arith.select %p, %a, %b : tensor<4xi1>, $a",
    lambda x, y: (x // y, (x * y).astype(np.int32), np.where(x.view(np.uint64) < y.view(np.uint64), x, y)),
    0,
    types={"a": "tensor<4xindex>", "b": "tensor<4xindex>", "r": "tensor<4xindex>", "t": "tensor<4xindex>"},
)
form(
    "boolean-arithmetic",
    [integers(12) > 0, integers(12, seed=1) > 0],
    "%t0 = arith.addi %a, %b : $a\n%r = arith.muli %t0, %a : $a\n%s = arith.subi %a, %b : $a\n"
    "%t = arith.cmpi ugt, %a, %b : $a\n%u = arith.cmpi slt, %a, %b : $a",
    lambda x, y: ((x ^ y) & x, x ^ y, x & ~y, x & ~y),
    0,
)
form(
    "boolean-matmul",
    [integers(20, 30) > 3, integers(30, 17, seed=1) > 3],
    "%no = arith.constant false\n" + empty("%e", "$r") + "%t0 = linalg.fill ins(%no : i1) outs(%e : $r) -> $r\n"
    "%r = linalg.matmul ins(%a, %b : $a, $b) outs(%t0 : $r) -> $r",
    lambda x, y: (x.astype(int) @ y.astype(int)) > 0,
    0,
)
form(
    "sum-of-booleans-as-float",
    [integers(6, 50) > 0],
    fill("%t0", "$r", "0.0", "f16")
    + generic(
        "%r",
        "ij->i",
        "%a $a i1",
        "%t0 $r f16",
        "%p = arith.uitofp %x0 : i1 to f16\n%v = arith.addf %p, %y0 : f16\nyield %v f16",
        "j",
    ),
    lambda x: x.sum(1).astype(np.float16),
    0,
)


def soft(x, axis):
    e = np.exp(x - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


form(
    "softmax-f64-and-f16",
    [normal(3, 40, dtype=np.float64) * 20, normal(3, 40, seed=1, dtype=np.float16)],
    empty("%e", "$r")
    + "%r = linalg.softmax dimension(1) ins(%a : $a) outs(%e : $r) -> $r\n"
    + empty("%f", "$s")
    + "%s = linalg.softmax dimension(0) ins(%b : $b) outs(%f : $s) -> $s",
    lambda x, y: (soft(x, 1), soft(y.astype(np.float32), 0).astype(np.float16)),
    2e-3,
)


# Vectors, parallel loops and branches.
form(
    "vectors-of-tensors",
    [normal(6, 16), normal(16, seed=1)],
    """%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c6 = arith.constant 6 : index
%z = arith.constant 0.0 : f32
%e = tensor.empty() : $r
%w = vector.transfer_read %b[%c0], %z {in_bounds = [true]} : $b, vector<16xf32>
%r = scf.for %i = %c0 to %c6 step %c1 iter_args(%o = %e) -> $r {
  %v = vector.transfer_read %a[%i, %c0], %z {in_bounds = [true]} : $a, vector<16xf32>
  %m = arith.mulf %v, %w : vector<16xf32>
  %s0 = vector.reduction <add>, %m, %z : vector<16xf32> into f32
  %b0 = vector.broadcast %s0 : f32 to vector<16xf32>
  %x = arith.addf %v, %b0 : vector<16xf32>
  %n = vector.transfer_write %x, %o[%i, %c0] {in_bounds = [true]} : vector<16xf32>, $r
  scf.yield %n : $r
}""",
    lambda x, y: x + (x @ y)[:, None],
    1e-4,
)
form(
    "vector-masks-at-the-edge",
    [normal(13)],
    """%c0 = arith.constant 0 : index
%c8 = arith.constant 8 : index
%c13 = arith.constant 13 : index
%z = arith.constant 0.0 : f32
%e = tensor.empty() : $r
%r = scf.for %i = %c0 to %c13 step %c8 iter_args(%o = %e) -> $r {
  %v = vector.transfer_read %a[%i], %z : $a, vector<8xf32>
  %x = math.absf %v : vector<8xf32>
  %n = vector.transfer_write %x, %o[%i] : vector<8xf32>, $r
  scf.yield %n : $r
}""",
    np.abs,
    0,
)
form(
    "parallel-reduction",
    [normal(5, 7)],
    """%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c5 = arith.constant 5 : index
%c7 = arith.constant 7 : index
%z = arith.constant 0.0 : f32
%s0 = scf.parallel (%i, %j) = (%c0, %c0) to (%c5, %c7) step (%c1, %c1) init (%z) -> f32 {
  %v = tensor.extract %a[%i, %j] : $a
  %w = math.absf %v : f32
  scf.reduce(%w : f32) {
  ^bb0(%x: f32, %y: f32):
    %m = arith.addf %x, %y : f32
    scf.reduce.return %m : f32
  }
}
%r = tensor.from_elements %s0 : $r""",
    lambda x: np.abs(x).sum().reshape(1),
    1e-5,
)
raw(
    "branches-with-tensors",
    """
func.func @forward(%x: tensor<?xf32>, %k: i32) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  cf.switch %k : i32, [
    default: ^other(%x : tensor<?xf32>),
    1: ^one,
    2: ^two(%n : index)
  ]
^one:
  %y = math.absf %x : tensor<?xf32>
  cf.br ^other(%y : tensor<?xf32>)
^two(%m: index):
  %c1 = arith.constant 1 : index
  %l = arith.subi %m, %c1 : index
  %z = tensor.extract_slice %x[1] [%l] [1] : tensor<?xf32> to tensor<?xf32>
  return %z : tensor<?xf32>
^other(%w: tensor<?xf32>):
  %v = arith.addf %w, %x : tensor<?xf32>
  return %v : tensor<?xf32>
}""",
    [normal(6), np.int32(2)],
    lambda x, k: x[1:],
    0,
)
raw(
    "exported-module",
    """
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1)>
module @jit_layer attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32,
    jax.uses_shape_polymorphism = false} {
  func.func public @forward(%arg0: tensor<4x8xf32> {mhlo.layout_mode = "default"},
      %arg1: tensor<8xf32> {mhlo.sharding = "{replicated}"}) -> (tensor<4x8xf32> {jax.result_info = "result[0]"}) {
    %0 = tensor.empty() : tensor<4x8xf32>
    %1 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]}
        ins(%arg1 : tensor<8xf32>) outs(%0 : tensor<4x8xf32>) attrs = {broadcast_dimensions = array<i64: 1>} {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x8xf32>
    %2 = call @inner(%arg0, %1) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    return %2 : tensor<4x8xf32>
  }
  func.func private @inner(%arg0: tensor<4x8xf32>, %arg1: tensor<4x8xf32>) -> tensor<4x8xf32> {
    %0 = tensor.empty() : tensor<4x8xf32>
    %mapped = linalg.map { arith.mulf } ins(%arg0, %arg1 : tensor<4x8xf32>, tensor<4x8xf32>)
        outs(%0 : tensor<4x8xf32>)
    return %mapped : tensor<4x8xf32>
  }
}""",
    [normal(4, 8), normal(8, seed=1)],
    lambda x, y: x * y,
    0,
)
