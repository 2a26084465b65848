"""Control flow, calls, globals, dynamic shapes and slices."""

import numpy as np

from forms import form, raw
from programs import integers, normal
from texts import dims, empty, generic, mapped, pad

I64 = np.int64
INDICES = "".join(f"%c{n} = arith.constant {n} : index\n" for n in (0, 1, 2, 3, 4, 5))
SUM = "%v = arith.addf %y0, %x0 : f32\nyield %v f32"


def stepped(x, low, high, step):
    x, n = x.copy(), np.int32(0)
    for i in range(low, high, step):
        x[i] += n
        n = x[i]
    return x, np.array([n], np.int32)


def swaps(x, y, z, n):
    for _ in range(n):
        x, y, z = y, z, x + y
    return x, y, z


form(
    "while-grows-and-shrinks",
    [normal(3, 2), 17],
    INDICES
    + """
%d = tensor.cast %a : $a to tensor<?x2xf32>
%x9, %n9 = scf.while (%x = %d, %n = %b) : (tensor<?x2xf32>, index) -> (tensor<?x2xf32>, index) {
  %g = arith.cmpi ugt, %n, %c1 : index
  scf.condition(%g) %x, %n : tensor<?x2xf32>, index
} do {
^bb0(%x: tensor<?x2xf32>, %n: index):
  %m = arith.remui %n, %c2 : index
  %odd = arith.cmpi eq, %m, %c1 : index
  %h = arith.shrui %n, %c1 : index
  %s9 = tensor.dim %x, %c0 : tensor<?x2xf32>
  %y = scf.if %odd -> tensor<?x2xf32> {
    %z = tensor.concat dim(0) %x, %d : (tensor<?x2xf32>, tensor<?x2xf32>) -> tensor<?x2xf32>
    scf.yield %z : tensor<?x2xf32>
  } else {
    %l = arith.subi %s9, %c1 : index
    %z = tensor.extract_slice %x[1, 0] [%l, 2] [1, 1] : tensor<?x2xf32> to tensor<?x2xf32>
    scf.yield %z : tensor<?x2xf32>
  }
  scf.yield %y, %h : tensor<?x2xf32>, index
}
%r = math.absf %x9 : tensor<?x2xf32>""",
    lambda x, n: np.abs(np.concatenate([x, x])[3:]),
    0,
    types={"r": "tensor<?x2xf32>"},
)
form(
    "if-chains",
    [normal(4, 5), 2, True],
    INDICES
    + """
%p = arith.cmpi eq, %b, %c0 : index
%r, %s = scf.if %p -> ($a, $a) {
  scf.yield %a, %a : $a, $a
} else {
  %q = arith.cmpi eq, %b, %c2 : index
  %u:2 = scf.if %q -> ($a, $a) {
    %n = arith.negf %a : $a
    %w = scf.if %c -> $a {
      %x = arith.addf %n, %n : $a
      scf.yield %x : $a
    } else {
      scf.yield %a : $a
    }
    scf.yield %w, %n : $a, $a
  } else {
    %k = arith.constant dense<3.0> : $a
    scf.yield %k, %a : $a, $a
  }
  scf.yield %u#1, %u#0 : $a, $a
}""",
    lambda x, n, c: (-x, -2 * x),
    0,
)
form(
    "switch-on-index",
    [normal(3, 4), 7],
    """
%r = scf.index_switch %b -> $a
case 2 {
  %x = arith.negf %a : $a
  scf.yield %x : $a
}
case 7 {
  %x = arith.mulf %a, %a : $a
  scf.yield %x : $a
}
default {
  scf.yield %a : $a
}""",
    lambda x, n: x * x,
    0,
)
for name, bounds in [("none", (4, 2, 1)), ("stepped", (1, 8, 3)), ("one", (5, 6, 4))]:
    form(
        f"loop-bounds-{name}",
        [integers(8), *bounds],
        """
%zero = arith.constant 0 : i32
%r, %s0 = scf.for %i = %b to %c step %d iter_args(%x = %a, %n = %zero) -> ($a, i32) {
  %v = tensor.extract %x[%i] : $a
  %w = arith.addi %v, %n : i32
  %y = tensor.insert %w into %x[%i] : $a
  scf.yield %y, %w : $a, i32
}
%s = tensor.from_elements %s0 : $s""",
        stepped,
        0,
    )


form(
    "loop-swaps-three",
    [normal(4), normal(4, seed=1), normal(4, seed=2), 4],
    """
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%r, %s, %t = scf.for %i = %c0 to %d step %c1 iter_args(%x = %a, %y = %b, %z = %c) -> ($a, $a, $a) {
  %w = arith.addf %x, %y : $a
  scf.yield %y, %z, %w : $a, $a, $a
}""",
    swaps,
    0,
)


form(
    "nested-loops-over-slices",
    [normal(6, 8)],
    INDICES
    + "%c6 = arith.constant 6 : index\n%c8 = arith.constant 8 : index\n"
    + "%r = scf.for %i = %c0 to %c6 step %c2 iter_args(%x = %a) -> $a {\n"
    "%u = scf.for %j = %c0 to %c8 step %c4 iter_args(%y = %x) -> $a {\n"
    "%t0 = tensor.extract_slice %y[%i, %j] [2, 4] [1, 1] : $a to tensor<2x4xf32>\n"
    "%k = tensor.extract_slice %y[%i, 0] [2, 4] [1, 1] : $a to tensor<2x4xf32>\n"
    "%t1 = arith.addf %t0, %k : tensor<2x4xf32>\n"
    "%z = tensor.insert_slice %t1 into %y[%i, %j] [2, 4] [1, 1] : tensor<2x4xf32> into $a\n"
    "scf.yield %z : $a\n}\nscf.yield %u : $a\n}",
    lambda x: np.concatenate([x[:, :4] * 2, x[:, 4:] + x[:, :4] * 2], 1),
    0,
)
form(
    "forall-two-results",
    [normal(6, 8)],
    empty("%e", "$r")
    + empty("%f", "$s")
    + """%r, %s = scf.forall (%i) in (3) shared_outs(%o = %e, %q = %f) -> ($r, $s) {
  %k = affine.apply affine_map<(i) -> (i * 2)>(%i)
  %t0 = tensor.extract_slice %a[%k, 0] [2, 8] [1, 1] : $a to tensor<2x8xf32>
  %x = arith.mulf %t0, %t0 : tensor<2x8xf32>
  %z = arith.constant dense<0.0> : tensor<2xf32>
"""
    + generic("%n", "ij->i", "%t0 tensor<2x8xf32> f32", "%z tensor<2xf32> f32", SUM, "j")
    + """scf.forall.in_parallel {
    tensor.parallel_insert_slice %x into %o[%k, 0] [2, 8] [1, 1] : tensor<2x8xf32> into $r
    tensor.parallel_insert_slice %n into %q[%k] [2] [1] : tensor<2xf32> into $s
  }
}""",
    lambda x: (x * x, x.sum(1)),
    1e-5,
)
form(
    "affine-loop-with-bounds",
    [normal(9)],
    """%zero = arith.constant 0.0 : f32
%s0 = affine.for %i = 1 to 8 step 2 iter_args(%acc = %zero) -> f32 {
  %k = affine.apply affine_map<(i) -> (i floordiv 2 + 1)>(%i)
  %v = tensor.extract %a[%k] : $a
  %w = arith.addf %acc, %v : f32
  affine.yield %w : f32
}
%m = affine.min affine_map<() -> (7, 4)>()
%u = tensor.extract %a[%m] : $a
%v = arith.mulf %s0, %u : f32
%r = tensor.from_elements %v : $r""",
    lambda x: np.array([(x[1] + x[2] + x[3] + x[4]) * x[4]], np.float32),
    1e-5,
)
form(
    "linear-indices",
    [normal(3, 4, 5), 47],
    """%i:3 = affine.delinearize_index %b into (3, 4, 5) : index, index, index
%v = tensor.extract %a[%i#0, %i#1, %i#2] : $a
%n = affine.linearize_index [%i#2, %i#0, %i#1] by (5, 3, 4) : index
%k = arith.index_cast %n : index to i64
%r = tensor.from_elements %v : $r
%s = tensor.from_elements %k : $s""",
    lambda x, n: (x.reshape(-1)[47:48], np.array([2 * 12 + 2 * 4 + 1], I64)),
    0,
)
CALLEE = """
func.func private @halve(%x: tensor<?xf32>, %n: index) -> (tensor<?xf32>, index) {
  %h = arith.constant 0.5 : f32
  %c1 = arith.constant 1 : index
  %f = tensor.splat %h[%n] : tensor<?xf32>
  %y = arith.mulf %x, %f : tensor<?xf32>
  %m = arith.subi %n, %c1 : index
  %z = tensor.extract_slice %y[1] [%m] [1] : tensor<?xf32> to tensor<?xf32>
  return %z, %m : tensor<?xf32>, index
}
"""
form(
    "calls-shrink",
    [normal(7)],
    INDICES
    + dims("%a", "$a", 0)
    + """%x, %n = scf.for %i = %c0 to %c3 step %c1 iter_args(%y = %a, %m = %a0) -> ($a, index) {
  %z, %k = func.call @halve(%y, %m) : (tensor<?xf32>, index) -> (tensor<?xf32>, index)
  scf.yield %z, %k : $a, index
}
%r = math.absf %x : $a""",
    lambda x: np.abs(x[3:] / 8),
    0,
    dynamic=True,
    helpers=CALLEE,
)
form(
    "call-with-scalars-and-tensors",
    [normal(3, 4), np.float32(1.5), True],
    """%r, %s0 = func.call @pick(%c, %b, %a) : (i1, f32, $a) -> ($a, f32)
%x, %s1 = func.call @pick(%c, %s0, %r) : (i1, f32, $a) -> ($a, f32)
%s = arith.addf %x, %a : $a""",
    lambda x, s, p: (x + np.float32(1.5), x + np.float32(1.5) + np.float32(2.5) + x),
    1e-6,
    types={"b": "f32"},
    helpers="""
func.func private @pick(%p: i1, %s: f32, %x: tensor<3x4xf32>) -> (tensor<3x4xf32>, f32) {
  %one = arith.constant 1.0 : f32
  %t = arith.addf %s, %one : f32
  %y = scf.if %p -> tensor<3x4xf32> {
    %f = tensor.splat %s : tensor<3x4xf32>
    %z = arith.addf %x, %f : tensor<3x4xf32>
    scf.yield %z : tensor<3x4xf32>
  } else {
    scf.yield %x : tensor<3x4xf32>
  }
  return %y, %t : tensor<3x4xf32>, f32
}
""",
)
raw(
    "globals-of-several-types",
    """
ml_program.global private mutable @step(dense<0> : tensor<i64>) : tensor<i64>
ml_program.global private mutable @mean(dense<0.5> : tensor<3xf16>) : tensor<3xf16>
ml_program.global private @mask(dense<[true, false, true]> : tensor<3xi1>) : tensor<3xi1>
func.func @forward(%x: tensor<3xf16>) -> (tensor<3xf16>, tensor<i64>) {
  %one = arith.constant dense<1> : tensor<i64>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  scf.for %i = %c0 to %c3 step %c1 {
    %n = ml_program.global_load @step : tensor<i64>
    %m = arith.addi %n, %one : tensor<i64>
    ml_program.global_store @step = %m : tensor<i64>
    %v = ml_program.global_load @mean : tensor<3xf16>
    %p = ml_program.global_load_const @mask : tensor<3xi1>
    %w = arith.addf %v, %x : tensor<3xf16>
    %u = arith.select %p, %w, %v : tensor<3xi1>, tensor<3xf16>
    ml_program.global_store @mean = %u : tensor<3xf16>
  }
  %r = ml_program.global_load @mean : tensor<3xf16>
  %s = ml_program.global_load @step : tensor<i64>
  %z = arith.constant dense<0> : tensor<i64>
  ml_program.global_store @step = %z : tensor<i64>
  %h = arith.constant dense<0.5> : tensor<3xf16>
  ml_program.global_store @mean = %h : tensor<3xf16>
  return %r, %s : tensor<3xf16>, tensor<i64>
}""",
    [np.array([1, 2, 3], np.float16)],
    lambda x: (np.array([3.5, 0.5, 9.5], np.float16), np.array(3, I64)),
    0,
)
raw(
    "unsigned-types",
    """
func.func @forward(%x: tensor<4xui8>, %y: tensor<4xsi32>) -> (tensor<4xui8>, tensor<4xui32>) {
  %a = builtin.unrealized_conversion_cast %x : tensor<4xui8> to tensor<4xi8>
  %b = builtin.unrealized_conversion_cast %y : tensor<4xsi32> to tensor<4xi32>
  %two = arith.constant dense<2> : tensor<4xi8>
  %c = arith.divui %a, %two : tensor<4xi8>
  %d = arith.extui %a : tensor<4xi8> to tensor<4xi32>
  %e = arith.addi %b, %d : tensor<4xi32>
  %f = builtin.unrealized_conversion_cast %c : tensor<4xi8> to tensor<4xui8>
  %g = builtin.unrealized_conversion_cast %e : tensor<4xi32> to tensor<4xui32>
  return %f, %g : tensor<4xui8>, tensor<4xui32>
}""",
    [np.array([0, 200, 255, 7], np.uint8), np.array([5, 6, 7, 8], np.int32)],
    lambda x, y: (x // 2, (y + x).astype(np.uint32)),
    0,
)
raw(
    "unsigned-counters",
    """
func.func @forward(%key: tensor<ui32>, %x: tensor<?x3xui32>) -> (tensor<?x3xui32>, tensor<?x3xf32>) {
  %c0 = arith.constant 0 : index
  %k = builtin.unrealized_conversion_cast %key : tensor<ui32> to tensor<i32>
  %y = builtin.unrealized_conversion_cast %x : tensor<?x3xui32> to tensor<?x3xi32>
  %n = tensor.dim %y, %c0 : tensor<?x3xi32>
  %e = tensor.empty(%n) : tensor<?x3xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ()>,
      affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%y, %k : tensor<?x3xi32>, tensor<i32>) outs(%e : tensor<?x3xi32>) {
  ^bb0(%a: i32, %b: i32, %o: i32):
    %three = arith.constant 3 : i32
    %p = arith.shrui %a, %three : i32
    %q = arith.xori %p, %b : i32
    %v = arith.divui %q, %three : i32
    linalg.yield %v : i32
  } -> tensor<?x3xi32>
  %s = builtin.unrealized_conversion_cast %r : tensor<?x3xi32> to tensor<?x3xui32>
  %t = tensor.bitcast %s : tensor<?x3xui32> to tensor<?x3xf32>
  %u = arith.negf %t : tensor<?x3xf32>
  return %s, %u : tensor<?x3xui32>, tensor<?x3xf32>
}""",
    [np.array(0xDEADBEEF, np.uint32), integers(5, 3, low=0, high=2**32, dtype=np.uint32)],
    lambda k, x: ((v := ((x >> np.uint32(3)) ^ k) // np.uint32(3)), -v.view(np.float32)),
    0,
)

# Dynamic shapes.
form(
    "dim-of-everything",
    [normal(3, 4), normal(5, 4, seed=1)],
    INDICES
    + dims("%a", "$a", 0, 1)
    + dims("%b", "$b", 0)
    + "%t0 = tensor.concat dim(0) %a, %b : ($a, $b) -> $a\n%n = tensor.dim %t0, %c0 : $a\n"
    "%t1 = tensor.collapse_shape %t0 [[0, 1]] : $a into tensor<?xf32>\n%m = tensor.dim %t1, %c0 : tensor<?xf32>\n"
    + pad("%t2", "%t1", "tensor<?xf32>", ["%b0"], [1], "tensor<?xf32>").replace("low['%b0']", "low[%b0]")
    + "%k = tensor.dim %t2, %c0 : tensor<?xf32>\n%q0 = arith.index_cast %n : index to i64\n"
    "%q1 = arith.index_cast %m : index to i64\n%q2 = arith.index_cast %k : index to i64\n"
    "%r = tensor.from_elements %q0, %q1, %q2 : $r\n%s = math.absf %t2 : $s",
    lambda x, y: (np.array([8, 32, 38], I64), np.abs(np.pad(np.concatenate([x, y]).reshape(-1), (5, 1)))),
    0,
    dynamic="abs",
)
form(
    "reshape-by-sizes",
    [normal(4, 6), np.array([3, -1], I64)],
    INDICES + dims("%a", "$a", 0, 1) + "%total = arith.muli %a0, %a1 : index\n%m0 = tensor.extract %b[%c0] : $b\n"
    "%m = arith.index_cast %m0 : i64 to index\n%n = arith.divsi %total, %m : index\n"
    "%t0 = tensor.from_elements %m, %n : tensor<2xindex>\n%t1 = math.absf %a : $a\n"
    "%r = tensor.reshape %t1(%t0) : ($a, tensor<2xindex>) -> $r",
    lambda x, n: np.abs(x).reshape(3, 8),
    0,
    types={"a": "tensor<?x?xf32>", "r": "tensor<?x?xf32>"},
)
form(
    "heads-dynamic",
    [normal(2, 5, 12)],
    INDICES
    + dims("%a", "$a", 0, 1)
    + "%t0 = tensor.expand_shape %a [[0], [1], [2, 3]] output_shape [%a0, %a1, 3, 4] : $a into tensor<?x?x3x4xf32>\n"
    + empty("%t1", "tensor<?x3x?x4xf32>", "%a0, %a1")
    + "%t2 = linalg.transpose ins(%t0 : tensor<?x?x3x4xf32>) outs(%t1 : tensor<?x3x?x4xf32>)\n"
    "permutation = [0, 2, 1, 3]\n"
    "%r = tensor.collapse_shape %t2 [[0, 1], [2], [3]] : tensor<?x3x?x4xf32> into $r",
    lambda x: x.reshape(2, 5, 3, 4).transpose(0, 2, 1, 3).reshape(6, 5, 4),
    0,
    types={"a": "tensor<?x?x12xf32>", "r": "tensor<?x?x4xf32>"},
)
form(
    "broadcast-by-size",
    [normal(1, 5), normal(4, 1, seed=1)],
    INDICES
    + dims("%a", "$a", 0, 1)
    + dims("%b", "$b", 0, 1)
    + "%p = arith.cmpi eq, %a0, %c1 : index\n%m = arith.select %p, %b0, %a0 : index\n"
    "%q = arith.cmpi eq, %b1, %c1 : index\n%n = arith.select %q, %a1, %b1 : index\n"
    + empty("%t0", "$r", "%m, %n")
    + generic(
        "%r",
        "->ij",
        "",
        "%t0 $r f32",
        "%i = linalg.index 0 : index\n%j = linalg.index 1 : index\n%u = arith.select %p, %c0, %i : index\n"
        "%w = arith.select %q, %c0, %j : index\n%x = tensor.extract %a[%u, %j] : $a\n"
        "%y = tensor.extract %b[%i, %w] : $b\n%v = arith.addf %x, %y : f32\nyield %v f32",
    ),
    lambda x, y: x + y,
    0,
    dynamic=True,
)
form(
    "slices-with-computed-bounds",
    [normal(9, 10), -3, 2],
    INDICES
    + dims("%a", "$a", 0, 1)
    + """%n = arith.cmpi slt, %b, %c0 : index
%w = arith.addi %a0, %b : index
%low = arith.select %n, %w, %b : index
%len = arith.subi %a0, %low : index
%span = arith.subi %a1, %c1 : index
%q = arith.ceildivsi %span, %c : index
%t0 = tensor.extract_slice %a[%low, 1] [%len, %q] [1, %c] : $a to $r
%r = math.absf %t0 : $r""",
    lambda x, n, s: np.abs(x[-3:, 1::2]),
    0,
    dynamic="ar",
)
form(
    "reverse-by-loop",
    [normal(5, 3)],
    INDICES
    + dims("%a", "$a", 0)
    + empty("%e", "$a", "%a0")
    + """%r = scf.for %i = %c0 to %a0 step %c1 iter_args(%o = %e) -> $a {
  %m = arith.subi %a0, %i : index
  %k = arith.subi %m, %c1 : index
  %t0 = tensor.extract_slice %a[%i, 0] [1, 3] [1, 1] : $a to tensor<1x3xf32>
  %q = tensor.insert_slice %t0 into %o[%k, 0] [1, 3] [1, 1] : tensor<1x3xf32> into $a
  scf.yield %q : $a
}""",
    lambda x: x[::-1],
    0,
    types={"a": "tensor<?x3xf32>", "r": "tensor<?x3xf32>"},
)
form(
    "generate-from-sizes",
    [normal(4, 3), 5],
    INDICES
    + dims("%a", "$a", 0, 1)
    + """%r = tensor.generate %b, %a0 {
^bb0(%i: index, %j: index):
  %k = arith.remui %i, %a1 : index
  %v = tensor.extract %a[%j, %k] : $a
  %p = arith.cmpi ult, %i, %a1 : index
  %w = scf.if %p -> f32 {
    scf.yield %v : f32
  } else {
    %n = arith.negf %v : f32
    scf.yield %n : f32
  }
  tensor.yield %w : f32
} : $r""",
    lambda x, n: np.concatenate([x.T, -x.T[:2]]),
    0,
    dynamic=True,
)
form(
    "concat-many",
    [normal(2, 3), normal(1, 3, seed=1), normal(4, 3, seed=2)],
    "%t0 = math.absf %b : $b\n%t1 = arith.negf %a : $a\n"
    "%r = tensor.concat dim(0) %a, %t0, %c, %t1, %b, %a, %c : ($a, $b, $c, $a, $b, $a, $c) -> $r\n"
    "%s = tensor.concat dim(1) %a, %t1, %a, %a, %t1 : ($a, $a, $a, $a, $a) -> $s",
    lambda x, y, z: (np.concatenate([x, np.abs(y), z, -x, y, x, z]), np.concatenate([x, -x, x, x, -x], 1)),
    0,
)
form(
    "interleave",
    [normal(3, 4), normal(3, 4, seed=1)],
    empty("%e", "$r") + "%t0 = tensor.insert_slice %a into %e[0, 0] [3, 4] [1, 2] : $a into $r\n"
    "%r = tensor.insert_slice %b into %t0[0, 1] [3, 4] [1, 2] : $b into $r\n"
    "%t1 = arith.mulf %r, %r : $r\n%s = tensor.extract_slice %t1[0, 1] [3, 4] [1, 2] : $r to $s",
    lambda x, y: (np.stack([x, y], -1).reshape(3, 8), y * y),
    0,
)
form(
    "squeeze-all-forms",
    [normal(1, 4, 1, 5, 1)],
    "%t0 = tensor.collapse_shape %a [[0, 1, 2], [3, 4]] : $a into tensor<4x5xf32>\n"
    "%t1 = tensor.extract_slice %a[0, 0, 0, 0, 0] [1, 4, 1, 5, 1] [1, 1, 1, 1, 1] : $a to tensor<4x5xf32>\n"
    "%t2 = arith.addf %t0, %t1 : tensor<4x5xf32>\n"
    "%r = tensor.expand_shape %t2 [[0], [1, 2, 3]] output_shape [4, 1, 5, 1] : tensor<4x5xf32> into $r\n"
    "%s = tensor.extract_slice %a[0, 2, 0, 3, 0] [1, 1, 1, 1, 1] [1, 1, 1, 1, 1] : $a to $s",
    lambda x: (2 * x.reshape(4, 1, 5, 1), x[0, 2, 0, 3, 0]),
    0,
)
form(
    "pad-then-add-indices",
    [normal(3, 4)],
    pad("%p", "%a", "$a", [1, 2], [1, 2], "tensor<5x8xf32>", "-1.5")
    + empty("%e", "tensor<5x8xf32>")
    + mapped(
        "%r",
        "i j",
        ["i, j", "i, j"],
        "%p tensor<5x8xf32> f32",
        "%e tensor<5x8xf32> f32",
        "%k = linalg.index 0 : index\n%l = linalg.index 1 : index\n%m = arith.addi %k, %l : index\n"
        "%n = arith.index_cast %m : index to i32\n%f = arith.sitofp %n : i32 to f32\n"
        "%v = arith.addf %x0, %f : f32\nyield %v f32",
    ),
    lambda x: np.pad(x, ((1, 1), (2, 2)), constant_values=-1.5) + np.add.outer(range(5), range(8)).astype(np.float32),
    0,
)
form(
    "pad-by-element",
    [normal(3, 4), normal(6, 6, seed=1)],
    """%r = tensor.pad %a low[1, 1] high[2, 1] {
^bb0(%i: index, %j: index):
  %v = tensor.extract %b[%i, %j] : $b
  %w = math.absf %v : f32
  tensor.yield %w : f32
} : $a to $r""",
    lambda x, y: np.where(np.pad(np.ones((3, 4)), ((1, 2), (1, 1))) > 0, np.pad(x, ((1, 2), (1, 1))), np.abs(y)),
    0,
)
form(
    "pad-reflected",
    [normal(4, 5)],
    INDICES
    + empty("%e", "$r")
    + generic(
        "%r",
        "->ij",
        "",
        "%e $r f32",
        "%i = linalg.index 0 : index\n%j = linalg.index 1 : index\n%c8 = arith.constant 8 : index\n"
        "%p = arith.subi %i, %c2 : index\n%q = arith.subi %j, %c3 : index\n%p1 = math.absi %p : index\n"
        "%q1 = math.absi %q : index\n%c6 = arith.constant 6 : index\n%p2 = arith.subi %c6, %p1 : index\n"
        "%q2 = arith.subi %c8, %q1 : index\n%p3 = arith.minsi %p1, %p2 : index\n%q3 = arith.minsi %q1, %q2 : index\n"
        "%v = tensor.extract %a[%p3, %q3] : $a\nyield %v f32",
    ),
    lambda x: np.pad(x, ((2, 2), (3, 3)), mode="reflect"),
    0,
)
form(
    "if-in-body",
    [normal(4, 6), normal(6, seed=1)],
    "%zero = arith.constant 0.0 : f32\n%one = arith.constant 1.0 : f32\n"
    + empty("%e", "$r")
    + generic(
        "%r",
        "ij,j->ij",
        "%a $a f32; %b $b f32",
        "%e $r f32",
        """%p = arith.cmpf olt, %x0, %zero : f32
%v, %w = scf.if %p -> (f32, f32) {
  %m = math.exp %x0 : f32
  %n = arith.subf %m, %one : f32
  scf.yield %n, %x1 : f32, f32
} else {
  %q = arith.cmpf ogt, %x1, %zero : f32
  %u = scf.if %q -> f32 {
    scf.yield %x1 : f32
  } else {
    scf.yield %one : f32
  }
  scf.yield %x0, %u : f32, f32
}
%z = arith.mulf %v, %w : f32
yield %z f32""",
    ),
    lambda x, y: np.where(x < 0, (np.exp(x) - 1) * y, x * np.where(y > 0, y, 1)),
    1e-5,
)
form(
    "newton-in-body",
    [np.abs(normal(3, 7)) + np.float32(0.1)],
    "%half = arith.constant 0.5 : f32\n%eps = arith.constant 1.0e-6 : f32\n%one = arith.constant 1.0 : f32\n"
    + empty("%e", "$r")
    + generic(
        "%r",
        "ij->ij",
        "%a $a f32",
        "%e $r f32",
        """%v = scf.while (%g = %one) : (f32) -> f32 {
  %q = arith.mulf %g, %g : f32
  %d = arith.subf %q, %x0 : f32
  %m = math.absf %d : f32
  %t = arith.mulf %eps, %x0 : f32
  %p = arith.cmpf ogt, %m, %t : f32
  scf.condition(%p) %g : f32
} do {
^bb0(%g: f32):
  %q = arith.divf %x0, %g : f32
  %u = arith.addf %q, %g : f32
  %w = arith.mulf %u, %half : f32
  scf.yield %w : f32
}
yield %v f32""",
    ),
    np.sqrt,
    1e-5,
)
form(
    "same-input-twice-and-init",
    [normal(4, 4)],
    generic(
        "%r",
        "ij,ji->ij",
        "%a $a f32; %a $a f32",
        "%a $a f32",
        "%u = arith.addf %x0, %x1 : f32\n%v = arith.mulf %u, %y0 : f32\nyield %v f32",
    ),
    lambda x: (x + x.T) * x,
    0,
)
form(
    "two-inits-swapped",
    [normal(4, 5), normal(4, 5, seed=1)],
    generic("%q:2", "->ij,ij", "", "%a $a f32; %b $b f32", "yield %y1 f32, %y0 f32")
    + "%r = tensor.cast %q#0 : $r to $r\n%s = tensor.cast %q#1 : $s to $s",
    lambda x, y: (y, x),
    0,
)
form(
    "results-of-one-view",
    [normal(4, 6)],
    "%t0 = arith.negf %a : $a\n%r = tensor.collapse_shape %t0 [[0, 1]] : $a into $r\n"
    "%s = tensor.extract_slice %t0[1, 0] [2, 6] [1, 1] : $a to $s\n%t = tensor.cast %t0 : $a to $t\n"
    "%u = tensor.extract_slice %a[0, 2] [4, 2] [1, 2] : $a to $u",
    lambda x: (-x.reshape(-1), -x[1:3], -x, x[:, 2:6:2]),
    0,
)
for name, axis in [("rows", 0), ("columns", 1)]:
    form(
        f"scan-of-{name}",
        [normal(6, 5)],
        INDICES
        + "%c6 = arith.constant 6 : index\n%n = arith.constant "
        + ("6" if axis == 0 else "5")
        + " : index\n%r = scf.for %i = %c1 to %n step %c1 iter_args(%o = %a) -> $a {\n%h = arith.subi %i, %c1 : index\n"
        + (
            "%x = tensor.extract_slice %o[%h, 0] [1, 5] [1, 1] : $a to tensor<1x5xf32>\n"
            "%y = tensor.extract_slice %o[%i, 0] [1, 5] [1, 1] : $a to tensor<1x5xf32>\n"
            "%z = arith.mulf %x, %y : tensor<1x5xf32>\n"
            "%w = tensor.insert_slice %z into %o[%i, 0] [1, 5] [1, 1] : tensor<1x5xf32> into $a\n"
            if axis == 0
            else "%x = tensor.extract_slice %o[0, %h] [6, 1] [1, 1] : $a to tensor<6xf32>\n"
            "%y = tensor.extract_slice %o[0, %i] [6, 1] [1, 1] : $a to tensor<6xf32>\n"
            "%z = arith.mulf %x, %y : tensor<6xf32>\n"
            "%w = tensor.insert_slice %z into %o[0, %i] [6, 1] [1, 1] : tensor<6xf32> into $a\n"
        )
        + "scf.yield %w : $a\n}",
        lambda x, axis=axis: np.cumprod(x, axis),
        1e-5,
    )
form(
    "shifted-copy-of-itself",
    [integers(9)],
    """%t0 = tensor.extract_slice %a[0] [8] [1] : $a to tensor<8xi32>
%t1 = tensor.insert_slice %t0 into %a[1] [8] [1] : tensor<8xi32> into $a
%t2 = tensor.extract_slice %t1[1] [8] [1] : $a to tensor<8xi32>
%r = tensor.insert_slice %t2 into %t1[0] [8] [1] : tensor<8xi32> into $a""",
    lambda x: np.concatenate([x[:8], x[7:8]]),
    0,
)
form(
    "transposed-in-place",
    [normal(5, 5), 3],
    """%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%r = scf.for %i = %c0 to %b step %c1 iter_args(%x = %a) -> $a {
  %e = tensor.empty() : $a
  %y = linalg.transpose ins(%x : $a) outs(%e : $a) permutation = [1, 0]
  %z = arith.addf %y, %x : $a
  scf.yield %z : $a
}""",
    lambda x, n: (x + x.T) * 4,
    1e-5,
)
