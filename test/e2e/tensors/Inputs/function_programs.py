"""Functions: control flow, calls, results, and rare forms of ops."""

import math

import numpy as np

from forms import form, raw
from programs import integers, normal


X, Y = normal(4, 8), normal(4, 8, seed=1)


def next_seed(a):
    state = (7 * 6364136223846793005 + 1442695040888963407) % (1 << 64)
    return a + 7, np.array(state, np.uint64).view(np.int64)


def round_to_f8(x):
    """Rounds to 4 bits; numbers below 2^-6 to multiples of 2^-9."""
    step = 2.0 ** (np.maximum(np.floor(np.log2(np.abs(x))), -6) - 3)
    return (np.rint(x / step) * step).astype(np.float32)


def put(x, where, y):
    x = x.copy()
    x[where] = y
    return x


def mix(x):
    y = np.copysign(np.arctan2(x, x) * np.cbrt(x) + np.expm1(x), x)
    return (np.vectorize(math.erf)(y) + np.rint(x)).astype(np.float32)


raw(
    "main-name-in-module",
    """
module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @forward(%arg0: tensor<4x8xf32> {mhlo.sharding = "{replicated}"},
      %arg1: tensor<4x8xf32>)
      -> (tensor<4x8xf32> {jax.result_info = ""}) attributes {llvm.emit_c_interface} {
    %0 = arith.addf %arg0, %arg1 : tensor<4x8xf32>
    return %0 : tensor<4x8xf32>
  }
}
""",
    [X, Y],
    lambda x, y: x + y,
)
raw(
    "assert",
    """
func.func @forward(%a: tensor<?x8xf32>, %b: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %a, %c0 : tensor<?x8xf32>
  %n = tensor.dim %b, %c0 : tensor<?x8xf32>
  %same = arith.cmpi eq, %m, %n : index
  cf.assert %same, "mismatched size for broadcast"
  %e = tensor.empty(%m) : tensor<?x8xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>,
      affine_map<(d0, d1) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : tensor<?x8xf32>, tensor<?x8xf32>) outs(%e : tensor<?x8xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %0 = arith.mulf %in, %in_0 : f32
    linalg.yield %0 : f32
  } -> tensor<?x8xf32>
  return %r : tensor<?x8xf32>
}
""",
    [X, Y],
    lambda x, y: x * y,
)
raw(
    "torch-seed",
    """
ml_program.global private mutable @global_seed(dense<7> : tensor<i64>) : tensor<i64>
func.func @forward(%a: tensor<3x4xf32>) -> (tensor<3x4xf32>, tensor<i64>) {
  %c = arith.constant 6364136223846793005 : i64
  %d = arith.constant 1442695040888963407 : i64
  %s = ml_program.global_load @global_seed : tensor<i64>
  %v = tensor.extract %s[] : tensor<i64>
  %m = arith.muli %v, %c : i64
  %n = arith.addi %m, %d : i64
  %t = tensor.insert %n into %s[] : tensor<i64>
  ml_program.global_store @global_seed = %t : tensor<i64>
  %e = tensor.empty() : tensor<3x4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<3x4xf32>) outs(%e : tensor<3x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.sitofp %v : i64 to f32
    %1 = arith.addf %in, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<3x4xf32>
  return %r, %t : tensor<3x4xf32>, tensor<i64>
}
""",
    [normal(3, 4)],
    next_seed,
)
raw(
    "unit-dim-broadcast",
    """
func.func @forward(%a: tensor<3x1x5xf32>, %b: tensor<1x4x1xf32>) -> tensor<3x4x5xf32> {
  %e = tensor.empty() : tensor<3x4x5xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, 0, d2)>,
      affine_map<(d0, d1, d2) -> (0, d1, 0)>,
      affine_map<(d0, d1, d2) -> (d0, d1, d2)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%a, %b : tensor<3x1x5xf32>, tensor<1x4x1xf32>) outs(%e : tensor<3x4x5xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %0 = arith.subf %in, %in_0 : f32
    linalg.yield %0 : f32
  } -> tensor<3x4x5xf32>
  return %r : tensor<3x4x5xf32>
}
""",
    [normal(3, 1, 5), normal(1, 4, 1, seed=1)],
    lambda x, y: x - y,
)
form(
    "expand-collapse-cast",
    [normal(6, 8)],
    """
%0 = tensor.expand_shape %a [[0, 1], [2, 3]] output_shape [2, 3, 4, 2] : $a into tensor<2x3x4x2xf32>
%1 = tensor.cast %0 : tensor<2x3x4x2xf32> to tensor<?x?x?x2xf32>
%2 = tensor.collapse_shape %1 [[0], [1, 2], [3]] : tensor<?x?x?x2xf32> into tensor<?x?x2xf32>
%r = tensor.cast %2 : tensor<?x?x2xf32> to $r
""",
    lambda x: x.reshape(2, 12, 2),
    0,
)
form(
    "expand-dynamic",
    [normal(6, 8)],
    """
%c0 = arith.constant 0 : index
%c3 = arith.constant 3 : index
%d = tensor.dim %a, %c0 : $a
%q = arith.divui %d, %c3 : index
%0 = tensor.expand_shape %a [[0, 1], [2]] output_shape [%q, 3, 8] : $a into tensor<?x3x8xf32>
%r = math.absf %0 : tensor<?x3x8xf32>
""",
    lambda x: np.abs(x.reshape(2, 3, 8)),
    0,
    types={"a": "tensor<?x8xf32>", "r": "tensor<?x3x8xf32>"},
)
form(
    "tensor-reshape",
    [normal(6, 8), np.array([4, 12], np.int64)],
    "%r = tensor.reshape %a(%b) : ($a, $b) -> $r",
    lambda x, s: x.reshape(4, 12),
    0,
)
form(
    "tensor-reshape-dyn",
    [normal(6, 8), np.array([4, 12], np.int64)],
    "%0 = tensor.reshape %a(%b) : ($a, $b) -> $r\n%r = math.absf %0 : $r",
    lambda x, s: np.abs(x.reshape(4, 12)),
    0,
    types={"b": "tensor<2xindex>", "r": "tensor<?x?xf32>"},
)
form(
    "tensor-rank-dim",
    [normal(6, 8), 1],
    "%c=tensor.dim %a, %b : $a\n%k = tensor.rank %a : $a\n%r = tensor.from_elements %c, %k : tensor<2xindex>",
    lambda x, i: np.array([8, 2]),
    0,
    types={"r": "tensor<2xindex>"},
)
form("tensor-bitcast", [normal(6, 8)], "%r = tensor.bitcast %a : $a to $r", lambda x: x.view(np.int32), 0)
form("arith-bitcast", [normal(6, 8)], "%r = arith.bitcast %a : $a to $r", lambda x: x.view(np.int32), 0)
form(
    "splat-dyn",
    [np.float32(2), 5],
    "%r = tensor.splat %a[%b] : tensor<?x3xf32>",
    lambda v, n: np.full((5, 3), v),
    0,
    types={"a": "f32", "r": "tensor<?x3xf32>"},
)
form(
    "generate-dyn",
    [3, 5],
    """%r = tensor.generate %a, %b {
^bb0(%i: index, %j: index):
 %s = arith.addi %i, %j : index
 %t = arith.index_cast %s : index to i32
 tensor.yield %t : i32
} : $r""",
    lambda m, n: (np.arange(m)[:, None] + np.arange(n)).astype(np.int32),
    0,
    types={"r": "tensor<?x?xi32>"},
)
form(
    "from-elements",
    [np.float32(2), np.float32(3)],
    "%r = tensor.from_elements %a, %b, %b, %a, %a, %b : tensor<2x3xf32>",
    lambda u, v: np.array([[u, v, v], [u, u, v]], np.float32),
    0,
    types={"a": "f32", "b": "f32"},
)
form(
    "insert-extract",
    [normal(4, 4), 2],
    "%v = tensor.extract %a[%b, %b] : $a\n%c1 = arith.constant 1 : index\n%r = tensor.insert %v into %a[%c1, %b] : $a",
    lambda x, i: np.concatenate([x[:1], np.stack([np.array([x[1, 0], x[1, 1], x[2, 2], x[1, 3]])]), x[2:]]),
    0,
)
form(
    "forall",
    [normal(8, 16)],
    """
%e = tensor.empty() : $r
%r = scf.forall (%i) in (4) shared_outs(%o = %e) -> ($r) {
  %k = affine.apply affine_map<(d0) -> (d0 * 2)>(%i)
  %s = tensor.extract_slice %a[%k, 0] [2, 16] [1, 1] : $a to tensor<2x16xf32>
  %x = math.absf %s : tensor<2x16xf32>
  scf.forall.in_parallel { tensor.parallel_insert_slice %x into %o[%k, 0] [2, 16] [1, 1] : tensor<2x16xf32> into $r }
}""",
    np.abs,
)
form(
    "forall-mapped",
    [normal(8, 16)],
    """
%e = tensor.empty() : $r
%r = scf.forall (%i) in (4) shared_outs(%o = %e) -> ($r) {
  %k = affine.apply affine_map<(d0) -> (d0 * 2)>(%i)
  %s = tensor.extract_slice %a[%k, 0] [2, 16] [1, 1] : $a to tensor<2x16xf32>
  %x = math.absf %s : tensor<2x16xf32>
  scf.forall.in_parallel { tensor.parallel_insert_slice %x into %o[%k, 0] [2, 16] [1, 1] : tensor<2x16xf32> into $r }
} {mapping = [#gpu.block<x>]}""",
    np.abs,
)
form(
    "forall-thread-mapped",
    [normal(8, 16)],
    """
%e = tensor.empty() : $r
%r = scf.forall (%i) in (8) shared_outs(%o = %e) -> ($r) {
  %s = tensor.extract_slice %a[%i, 0] [1, 16] [1, 1] : $a to tensor<1x16xf32>
  %x = math.absf %s : tensor<1x16xf32>
  scf.forall.in_parallel { tensor.parallel_insert_slice %x into %o[%i, 0] [1, 16] [1, 1] : tensor<1x16xf32> into $r }
} {mapping = [#gpu.thread<x>]}""",
    np.abs,
)
form(
    "index-switch",
    [1, normal(4)],
    """
%r = scf.index_switch %a -> $r
case 0 {
  scf.yield %b : $b
}
case 1 {
  %x = arith.addf %b, %b : $b
  scf.yield %x : $b
}
default {
  %x = arith.mulf %b, %b : $b
  scf.yield %x : $b
}""",
    lambda i, x: [x, x + x, x * x][min(i, 2)],
)
form(
    "execute-region",
    [normal(4)],
    """
%r = scf.execute_region -> $r {
  %x = arith.addf %a, %a : $a
  scf.yield %x : $a
}""",
    lambda x: x + x,
)
form(
    "affine-for",
    [normal(4)],
    """
%r = affine.for %i = 0 to 3 iter_args(%v = %a) -> ($a) {
  %x = arith.addf %v, %a : $a
  affine.yield %x : $a
}""",
    lambda x: x * 4,
)
form(
    "scf-for-tiled-matmul",
    [normal(8, 16), normal(16, 8, seed=1)],
    """
%c0 = arith.constant 0 : index
%c4 = arith.constant 4 : index
%c8 = arith.constant 8 : index
%zero = arith.constant 0.0 : f32
%e = tensor.empty() : $r
%f = linalg.fill ins(%zero : f32) outs(%e : $r) -> $r
%r = scf.for %i = %c0 to %c8 step %c4 iter_args(%o = %f) -> $r {
  %q = scf.for %j = %c0 to %c8 step %c4 iter_args(%p = %o) -> $r {
    %x = tensor.extract_slice %a[%i, 0] [4, 16] [1, 1] : $a to tensor<4x16xf32>
    %y = tensor.extract_slice %b[0, %j] [16, 4] [1, 1] : $b to tensor<16x4xf32>
    %z = tensor.extract_slice %p[%i, %j] [4, 4] [1, 1] : $r to tensor<4x4xf32>
    %m = linalg.matmul ins(%x, %y : tensor<4x16xf32>, tensor<16x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
    %n = tensor.insert_slice %m into %p[%i, %j] [4, 4] [1, 1] : tensor<4x4xf32> into $r
    scf.yield %n : $r
  }
  scf.yield %q : $r
}""",
    np.matmul,
    1e-4,
)
form(
    "vector-transfer",
    [normal(4, 16)],
    """
%c0 = arith.constant 0 : index
%p = arith.constant 0.0 : f32
%v = vector.transfer_read %a[%c0, %c0], %p {in_bounds = [true, true]} : $a, vector<4x16xf32>
%w = arith.addf %v, %v : vector<4x16xf32>
%e = tensor.empty() : $r
%r = vector.transfer_write %w, %e[%c0, %c0] {in_bounds = [true, true]} : vector<4x16xf32>, $r""",
    lambda x: x + x,
)
form(
    "materialize",
    [normal(4, 16), normal(4, 16, seed=1)],
    """
%x = math.absf %a : $a
%r = bufferization.materialize_in_destination %x in %b : ($a, $b) -> $r""",
    lambda x, y: np.abs(x),
)
form(
    "alloc-tensor",
    [normal(4, 16)],
    """
%e = bufferization.alloc_tensor() : $r
%f = bufferization.alloc_tensor() copy(%a) : $r
%r = linalg.add ins(%a, %f : $a, $a) outs(%e : $r) -> $r""",
    lambda x: x + x,
)
raw(
    "cf-branches",
    """
func.func @forward(%c: i1, %t: tensor<4x8xf32>) -> tensor<4x8xf32> {
  cf.cond_br %c, ^a, ^b
^a:
  %x = arith.addf %t, %t : tensor<4x8xf32>
  cf.br ^c(%x : tensor<4x8xf32>)
^b:
  %y = arith.mulf %t, %t : tensor<4x8xf32>
  cf.br ^c(%y : tensor<4x8xf32>)
^c(%r: tensor<4x8xf32>):
  return %r : tensor<4x8xf32>
}
""",
    [True, X],
    lambda c, x: x + x,
)
raw(
    "recursion",
    """
func.func private @rec(%n: index, %t: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.cmpi eq, %n, %c0 : index
  %r = scf.if %z -> tensor<4xf32> {
    scf.yield %t : tensor<4xf32>
  } else {
    %m = arith.subi %n, %c1 : index
    %x = arith.addf %t, %t : tensor<4xf32>
    %y = func.call @rec(%m, %x) : (index, tensor<4xf32>) -> tensor<4xf32>
    scf.yield %y : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
func.func @forward(%n: index, %t: tensor<4xf32>) -> tensor<4xf32> {
  %y = func.call @rec(%n, %t) : (index, tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
""",
    [3, normal(4)],
    lambda n, x: x * 8,
)
raw(
    "shape-dialect",
    """
func.func @forward(%t: tensor<?x8xf32>) -> tensor<2xindex> {
  %s = shape.shape_of %t : tensor<?x8xf32> -> tensor<2xindex>
  return %s : tensor<2xindex>
}
""",
    [X],
    lambda x: np.array([4, 8]),
    0,
)
raw(
    "complex",
    """
func.func @forward(%t: tensor<4xf32>, %u: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>,
      affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]}
      ins(%t, %u : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %c = complex.create %a, %b : complex<f32>
    %d = complex.mul %c, %c : complex<f32>
    %im = complex.im %d : complex<f32>
    linalg.yield %im : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}
""",
    [normal(4), normal(4, seed=1)],
    lambda x, y: 2 * x * y,
)
raw(
    "unused-private-decl",
    """
func.func private @printMemrefF32(tensor<*xf32>)
func.func @forward(%t: tensor<4x8xf32>) -> tensor<4x8xf32> {
  return %t : tensor<4x8xf32>
}
""",
    [X],
    lambda x: x,
)
form(
    "i4-values",
    [integers(3, 16, low=-128, high=127, dtype=np.int8)],
    """
%0 = arith.trunci %a : $a to tensor<3x16xi4>
%r = arith.extsi %0 : tensor<3x16xi4> to tensor<3x16xi8>""",
    lambda x: (((x & 15) ^ 8) - 8).astype(np.int8),
    0,
)
form(
    "f8-values",
    [normal(3, 16)],
    """
%0 = arith.truncf %a : $a to tensor<3x16xf8E4M3FN>
%r = arith.extf %0 : tensor<3x16xf8E4M3FN> to $r""",
    round_to_f8,
)
form(
    "i1-reduce",
    [integers(5, 9) > 0],
    "%z = arith.constant dense<false> : $r\n%r = linalg.reduce {arith.ori} ins(%a : $a) outs(%z : $r) dimensions = [1]",
    lambda x: x.any(1),
    0,
)
form(
    "dense-resource-less-const",
    [normal(2, 2)],
    "%k = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : $a\n"
    "%r = linalg.add ins(%a, %k : $a, $a) outs(%a : $a) -> $a",
    lambda x: x + np.array([[1, 2], [3, 4]], np.float32),
)
form(
    "const-result",
    [],
    "%r = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : $r",
    lambda: np.array([[1, 2], [3, 4]], np.float32),
)
form(
    "insert-slice-strided",
    [normal(8, 8), normal(3, 4, seed=1)],
    "%r = tensor.insert_slice %b into %a[1, 0] [3, 4] [2, 2] : $b into $a",
    lambda x, y: put(x, np.s_[1:7:2, 0:8:2], y),
    0,
)
form(
    "rank-reduced-slice",
    [normal(8, 8)],
    "%r = tensor.extract_slice %a[3, 1] [1, 5] [1, 1] : $a to $r",
    lambda x: x[3, 1:6],
    0,
)
form(
    "dyn-slice",
    [normal(8, 8), 2, 3],
    """
%0 = tensor.extract_slice %a[%b, %c] [%c, %b] [1, 2] : $a to tensor<?x?xf32>
%r = math.absf %0 : tensor<?x?xf32>""",
    lambda x, b, c: np.abs(x[2:5, 3:7:2]),
    0,
    types={"r": "tensor<?x?xf32>"},
)
form(
    "argument-returned-twice",
    [normal(4)],
    "%r = arith.addf %a, %a : $a\n%s = tensor.cast %r : $r to $r",
    lambda x: (x + x, x + x),
)
form(
    "pad-dynamic-body",
    [normal(3, 4)],
    """
%r = tensor.pad %a low[1, 0] high[0, 2] {
^bb0(%i: index, %j: index):
  %s = arith.addi %i, %j : index
  %t = arith.index_cast %s : index to i32
  %u = arith.sitofp %t : i32 to f32
  tensor.yield %u : f32
} : $a to $r""",
    lambda x: put((np.arange(4)[:, None] + np.arange(6)).astype(np.float32), np.s_[1:4, 0:4], x),
    0,
)
form(
    "pad-reflect-neg",
    [normal(3, 4)],
    """
%c = arith.constant 0.0 : f32
%r = tensor.pad %a nofold low[0, 0] high[0, 0] {
^bb0(%i: index, %j: index):
  tensor.yield %c : f32
} : $a to $r""",
    lambda x: x,
    0,
)
form("empty-tensor-dyn0", [normal(0, 4)], "%r = arith.addf %a, %a : $a", lambda x: x + x, dynamic=True)
form(
    "sum-k0",
    [normal(3, 0)],
    "%z = arith.constant dense<0.0> : $r\n%r = linalg.reduce {arith.addf} ins(%a : $a) outs(%z : $r) dimensions = [1]",
    lambda x: x.sum(1),
    types={"a": "tensor<3x?xf32>"},
)
form(
    "scalar-math",
    [normal()],
    "%0 = math.exp %a : $a\n%r = math.tanh %0 : $r",
    lambda x: np.tanh(np.exp(x)).astype(np.float32),
)
form(
    "gather-batch",
    [normal(5, 6, 7), integers(3, 2, low=0, high=5, dtype=np.int32)],
    "%r = tensor.gather %a[%b] gather_dims([0, 2]) unique : ($a, $b) -> $r",
    lambda x, i: np.stack([x[i[k, 0], :, i[k, 1]] for k in range(3)]),
    0,
)
form(
    "while-on-tensor",
    [normal(4), np.array(3, np.int32)],
    """
%z = arith.constant dense<0> : tensor<i32>
%one = arith.constant dense<1> : tensor<i32>
%s, %r = scf.while (%i = %z, %v = %a) : (tensor<i32>, $a) -> (tensor<i32>, $a) {
  %l = tensor.extract %i[] : tensor<i32>
  %n = tensor.extract %b[] : tensor<i32>
  %c = arith.cmpi slt, %l, %n : i32
  scf.condition(%c) %i, %v : tensor<i32>, $a
} do {
^bb0(%i: tensor<i32>, %v: $a):
  %j = arith.addi %i, %one : tensor<i32>
  %w = arith.addf %v, %v : $a
  scf.yield %j, %w : tensor<i32>, $a
}""",
    lambda x, n: x * 8,
)
for sign, dtype in (("ui8", np.uint8), ("si32", np.int32)):
    raw(
        "sign-" + sign,
        f"""
func.func @forward(%a: tensor<4x{sign}>) -> tensor<4x{sign}> {{
  %r = tensor.extract_slice %a[0] [4] [1] : tensor<4x{sign}> to tensor<4x{sign}>
  return %r : tensor<4x{sign}>
}}
""",
        [np.arange(4).astype(dtype)],
        lambda x: x,
        0,
    )
raw(
    "no-args-no-tensors-results",
    """
func.func @forward() -> tensor<3xi32> {
  %c = arith.constant dense<[1,2,3]> : tensor<3xi32>
  %d = arith.addi %c, %c : tensor<3xi32>
  return %d : tensor<3xi32>
}
""",
    [],
    lambda: np.array([2, 4, 6], np.int32),
    0,
)
raw(
    "dup-return",
    """
func.func @forward(%t: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %0 = arith.addf %t, %t : tensor<4x8xf32>
  return %0, %0 : tensor<4x8xf32>, tensor<4x8xf32>
}
""",
    [X],
    lambda x: (2 * x, 2 * x),
)
raw(
    "from-file-call-with-two",
    """
func.func @helper(%t: tensor<?xf32>) -> (tensor<?xf32>, index) {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %t, %c0 : tensor<?xf32>
  %0 = arith.addf %t, %t : tensor<?xf32>
  return %0, %d : tensor<?xf32>, index
}
func.func @forward(%t: tensor<8xf32>) -> tensor<?xf32> {
  %c = tensor.cast %t : tensor<8xf32> to tensor<?xf32>
  %0:2 = call @helper(%c) : (tensor<?xf32>) -> (tensor<?xf32>, index)
  %1 = tensor.extract_slice %0#0[0] [%0#1] [1] : tensor<?xf32> to tensor<?xf32>
  return %1 : tensor<?xf32>
}
""",
    [normal(8)],
    lambda x: 2 * x,
)
raw(
    "data-dependent-size",
    """
func.func @forward(%t: tensor<8xi32>) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %n = tensor.extract %t[%c0] : tensor<8xi32>
  %m = arith.index_cast %n : i32 to index
  %1 = tensor.extract_slice %t[0] [%m] [1] : tensor<8xi32> to tensor<?xi32>
  %2 = arith.addi %1, %1 : tensor<?xi32>
  return %2 : tensor<?xi32>
}
""",
    [np.array([3, 1, 2, 3, 4, 5, 6, 7], np.int32)],
    lambda x: 2 * x[:3],
    0,
)
raw(
    "loop-grows",
    """
func.func @forward(%t: tensor<2xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %u = tensor.cast %t : tensor<2xf32> to tensor<?xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%v = %u) -> tensor<?xf32> {
    %w = tensor.concat dim(0) %v, %v : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    scf.yield %w : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
""",
    [normal(2), 3],
    lambda x, n: np.tile(x, 8),
    0,
)
raw(
    "if-different-size",
    """
func.func @forward(%c: i1, %t: tensor<8xf32>) -> tensor<?xf32> {
  %r = scf.if %c -> tensor<?xf32> {
    %v = tensor.extract_slice %t[0] [3] [1] : tensor<8xf32> to tensor<3xf32>
    %w = tensor.cast %v : tensor<3xf32> to tensor<?xf32>
    scf.yield %w : tensor<?xf32>
  } else {
    %w = tensor.cast %t : tensor<8xf32> to tensor<?xf32>
    scf.yield %w : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
""",
    [True, normal(8)],
    lambda c, x: x[:3],
    0,
)
raw(
    "cf-loop-dynamic",
    """
func.func @forward(%n: index, %t: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^h(%c0, %t : index, tensor<?xf32>)
^h(%i: index, %v: tensor<?xf32>):
  %c = arith.cmpi slt, %i, %n : index
  cf.cond_br %c, ^b, ^e
^b:
  %w = arith.addf %v, %v : tensor<?xf32>
  %j = arith.addi %i, %c1 : index
  cf.br ^h(%j, %w : index, tensor<?xf32>)
^e:
  return %v : tensor<?xf32>
}
""",
    [3, normal(5)],
    lambda n, x: x * 8,
)
raw(
    "math-mix",
    """
func.func @forward(%t: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = math.atan2 %t, %t : tensor<4x8xf32>
  %1 = math.cbrt %t : tensor<4x8xf32>
  %2 = math.expm1 %t : tensor<4x8xf32>
  %3 = math.fma %0, %1, %2 : tensor<4x8xf32>
  %4 = math.copysign %3, %t : tensor<4x8xf32>
  %5 = math.erf %4 : tensor<4x8xf32>
  %6 = math.roundeven %t : tensor<4x8xf32>
  %7 = arith.addf %5, %6 : tensor<4x8xf32>
  return %7 : tensor<4x8xf32>
}
""",
    [X],
    mix,
    1e-4,
)
raw(
    "result-and-view",
    """
func.func @forward(%t: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<32xf32>, tensor<2x8xf32>) {
  %0 = arith.addf %t, %t : tensor<4x8xf32>
  %1 = tensor.collapse_shape %0 [[0, 1]] : tensor<4x8xf32> into tensor<32xf32>
  %2 = tensor.extract_slice %0[2, 0] [2, 8] [1, 1] : tensor<4x8xf32> to tensor<2x8xf32>
  return %0, %1, %2 : tensor<4x8xf32>, tensor<32xf32>, tensor<2x8xf32>
}
""",
    [X],
    lambda x: (2 * x, (2 * x).reshape(-1), 2 * x[2:]),
)
raw(
    "arg-and-views",
    """
func.func @forward(%t: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<32xf32>, tensor<4x8xf32>) {
  %1 = tensor.collapse_shape %t [[0, 1]] : tensor<4x8xf32> into tensor<32xf32>
  return %t, %1, %t : tensor<4x8xf32>, tensor<32xf32>, tensor<4x8xf32>
}
""",
    [X],
    lambda x: (x, x.reshape(-1), x),
)
raw(
    "if-yields-same",
    """
func.func @forward(%c: i1, %t: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %r:2 = scf.if %c -> (tensor<4x8xf32>, tensor<4x8xf32>) {
    %0 = arith.addf %t, %t : tensor<4x8xf32>
    scf.yield %0, %0 : tensor<4x8xf32>, tensor<4x8xf32>
  } else {
    scf.yield %t, %t : tensor<4x8xf32>, tensor<4x8xf32>
  }
  return %r#0, %r#1 : tensor<4x8xf32>, tensor<4x8xf32>
}
""",
    [True, X],
    lambda c, x: (x + x, x + x) if c else (x, x),
)
raw(
    "if-yields-same-b",
    """
func.func @forward(%c: i1, %t: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %r:2 = scf.if %c -> (tensor<4x8xf32>, tensor<4x8xf32>) {
    %0 = arith.addf %t, %t : tensor<4x8xf32>
    scf.yield %0, %0 : tensor<4x8xf32>, tensor<4x8xf32>
  } else {
    scf.yield %t, %t : tensor<4x8xf32>, tensor<4x8xf32>
  }
  return %r#0, %r#1 : tensor<4x8xf32>, tensor<4x8xf32>
}
""",
    [False, X],
    lambda c, x: (x + x, x + x) if c else (x, x),
)
raw(
    "loop-yields-same",
    """
func.func @forward(%n: index, %t: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t, %b = %t) -> (tensor<4xf32>, tensor<4xf32>) {
    %0 = arith.addf %a, %b : tensor<4xf32>
    scf.yield %0, %0 : tensor<4xf32>, tensor<4xf32>
  }
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>
}
""",
    [2, normal(4)],
    lambda n, x: (4 * x, 4 * x),
)
raw(
    "loop-swaps",
    """
func.func @forward(%n: index, %t: tensor<4xf32>, %u: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t, %b = %u) -> (tensor<4xf32>, tensor<4xf32>) {
    scf.yield %b, %a : tensor<4xf32>, tensor<4xf32>
  }
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>
}
""",
    [3, normal(4), normal(4, seed=1)],
    lambda n, x, y: (y, x),
)
raw(
    "call-returns-arg",
    """
func.func private @h(%t: tensor<4xf32>, %u: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  return %u, %u : tensor<4xf32>, tensor<4xf32>
}
func.func @forward(%t: tensor<4xf32>, %u: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0:2 = call @h(%t, %u) : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return %0#1, %0#0, %u : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
""",
    [normal(4), normal(4, seed=1)],
    lambda x, y: (y, y, y),
)
raw(
    "constants-returned",
    """
func.func @forward() -> (tensor<4xf32>, tensor<4xf32>) {
  %c = arith.constant dense<1.5> : tensor<4xf32>
  return %c, %c : tensor<4xf32>, tensor<4xf32>
}
""",
    [],
    lambda: (np.full(4, 1.5, np.float32),) * 2,
)
for chosen in (True, False):
    raw(
        "if-const-%d" % chosen,
        """
func.func @forward(%c: i1, %t: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %k = arith.constant dense<1.5> : tensor<4xf32>
  %x = arith.addf %t, %t : tensor<4xf32>
  %r = scf.if %c -> (tensor<4xf32>) {
    scf.yield %k : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  }
  return %x, %r : tensor<4xf32>, tensor<4xf32>
}
""",
        [chosen, normal(4)],
        lambda c, x: (x + x, np.full(4, 1.5, np.float32) if c else x + x),
    )
    raw(
        "if-val-%d" % chosen,
        """
func.func @forward(%c: i1, %t: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %x = arith.addf %t, %t : tensor<4xf32>
  %r = scf.if %c -> (tensor<4xf32>) {
    scf.yield %t : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  }
  return %x, %r : tensor<4xf32>, tensor<4xf32>
}
""",
        [chosen, normal(4)],
        lambda c, x: (x + x, x if c else x + x),
    )
    raw(
        "if-arg-%d" % chosen,
        """
func.func @forward(%c: i1, %t: tensor<4xf32>, %u: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %r = scf.if %c -> (tensor<4xf32>) {
    scf.yield %t : tensor<4xf32>
  } else {
    scf.yield %u : tensor<4xf32>
  }
  return %t, %r : tensor<4xf32>, tensor<4xf32>
}
""",
        [chosen, normal(4), normal(4, seed=1)],
        lambda c, x, y: (x, x if c else y),
    )
raw(
    "loop-const",
    """
func.func @forward(%n: index, %t: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %k = arith.constant dense<1.5> : tensor<4xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.addf %t, %t : tensor<4xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %k, %b = %x) -> (tensor<4xf32>, tensor<4xf32>) {
    scf.yield %b, %k : tensor<4xf32>, tensor<4xf32>
  }
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>
}
""",
    [1, normal(4)],
    lambda c, x: (x + x, np.full(4, 1.5, np.float32)),
)
raw(
    "loop-const0",
    """
func.func @forward(%n: index, %t: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %k = arith.constant dense<1.5> : tensor<4xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.addf %t, %t : tensor<4xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %k, %b = %x) -> (tensor<4xf32>, tensor<4xf32>) {
    scf.yield %b, %k : tensor<4xf32>, tensor<4xf32>
  }
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>
}
""",
    [0, normal(4)],
    lambda c, x: (np.full(4, 1.5, np.float32), x + x),
)

raw(
    "scalar-results",
    """func.func @forward(%x: tensor<4x8xf32>, %n: i32) -> (tensor<4x8xf32>, f32, i32, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : i32
  %e = tensor.extract %x[%c1, %c0] : tensor<4x8xf32>
  %y = arith.addf %x, %x : tensor<4x8xf32>
  %m = arith.muli %n, %c7 : i32
  %d = tensor.dim %x, %c1 : tensor<4x8xf32>
  return %y, %e, %m, %d : tensor<4x8xf32>, f32, i32, index
}""",
    [X, np.int32(6)],
    lambda x, n: (x + x, x[1, 0], np.int32(42), np.int64(8)),
)
raw(
    "scalar-result",
    """func.func @forward(%x: tensor<4x8xf32>) -> f32 {
  %c1 = arith.constant 1 : index
  %e = tensor.extract %x[%c1, %c1] : tensor<4x8xf32>
  %r = arith.mulf %e, %e : f32
  return %r : f32
}""",
    [X],
    lambda x: x[1, 1] * x[1, 1],
)
raw(
    "reshape-by-constant-shape",
    """func.func @forward(%x: tensor<4x8xf32>) -> (tensor<2x16xf32>, tensor<2x16xf32>) {
  %c = arith.constant dense<[2, 16]> : tensor<2xindex>
  %y = tensor.reshape %x(%c) : (tensor<4x8xf32>, tensor<2xindex>) -> tensor<2x16xf32>
  %z = arith.addf %y, %y : tensor<2x16xf32>
  return %y, %z : tensor<2x16xf32>, tensor<2x16xf32>
}""",
    [X],
    lambda x: (x.reshape(2, 16), 2 * x.reshape(2, 16)),
)
raw(
    "branch-yields-constant",
    """func.func @forward(%b: i1, %x: tensor<4xf32>) -> tensor<4xf32> {
  %c = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %r = scf.if %b -> (tensor<4xf32>) {
    %y = arith.addf %x, %c : tensor<4xf32>
    scf.yield %y : tensor<4xf32>
  } else {
    scf.yield %c : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}""",
    [np.bool_(False), np.ones(4, np.float32)],
    lambda b, x: np.arange(1, 5, dtype=np.float32),
)
