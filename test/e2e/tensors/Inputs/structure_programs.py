"""Loops, globals, slices and reshapes."""

import numpy as np

from forms import form, raw
from programs import integers, normal
from texts import empty, fill, generic

I64 = np.int64


def nested(x, b):
    x = x.copy()
    for i in range(4):
        if b[i] > 0:
            x[i] = -x[i]
        else:
            x = x + x
    return x


def ins3(x, y, i):
    x = x.copy()
    x[i, :, 1] = y
    return x


def ins2(x, y):
    a = x.copy()
    a[:2, :2] = y
    b = a.copy()
    b[2:, 2:] = y
    return a + b


def put(s, d, i):
    d = d.copy()
    d[i[:, 0]] = s[:, 0]
    return d


# names
raw(
    "name-main",
    (
        "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
        "%r = math.absf %x : tensor<4xf32>\n"
        "return %r : tensor<4xf32>\n"
        "}\n"
        "func.func @forward(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
        "%r = func.call @main(%x) : (tensor<4xf32>) -> tensor<4xf32>\n"
        "return %r : tensor<4xf32>\n"
        "}"
    ),
    [normal(4)],
    np.abs,
)
raw(
    "attrs-unknown",
    (
        'module attributes {torch.debug_module_name = "M"} {\n'
        'func.func @forward(%x: tensor<4xf32> {iree.identifier = "x"}) -> (tensor<4xf32> {foo.bar}) '
        "attributes {torch.onnx_meta.ir_version = 7 : si64, iree.module.export} {\n"
        "%r = math.absf %x {a.b = 1} : tensor<4xf32>\n"
        "return %r : tensor<4xf32>\n"
        "}\n"
        "}"
    ),
    [normal(4)],
    np.abs,
)
raw(
    "ml-program-seed",
    """module {
  ml_program.global private mutable @global_seed(dense<0> : tensor<i64>) : tensor<i64>
  func.func @forward(%arg0: tensor<?x?x4x8xf32>) -> tensor<?x?x32xf32> {
    %c1_i64 = arith.constant 1 : i64
    %c0_i64 = arith.constant 0 : i64
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32_i64 = arith.constant 32 : i64
    %dim = tensor.dim %arg0, %c0 : tensor<?x?x4x8xf32>
    %0 = arith.index_cast %dim : index to i64
    %dim_0 = tensor.dim %arg0, %c1 : tensor<?x?x4x8xf32>
    %1 = arith.index_cast %dim_0 : index to i64
    %2 = arith.cmpi slt, %0, %c0_i64 : i64
    %3 = arith.select %2, %c1_i64, %0 : i64
    %4 = arith.extui %2 : i1 to i64
    %5 = arith.muli %3, %1 : i64
    %6 = arith.addi %4, %c1_i64 : i64
    %7 = arith.cmpi slt, %1, %c0_i64 : i64
    %8 = arith.select %7, %3, %5 : i64
    %9 = arith.select %7, %6, %4 : i64
    %11 = arith.cmpi sle, %9, %c1_i64 : i64
    cf.assert %11, "must have at most one inferred (negative) dimension"
    %12 = arith.muli %0, %1 : i64
    %13 = arith.muli %12, %c32_i64 : i64
    %14 = arith.divsi %13, %8 : i64
    %15 = arith.select %2, %14, %0 : i64
    %16 = arith.select %7, %14, %1 : i64
    %from_elements = tensor.from_elements %15, %16, %c32_i64 : tensor<3xi64>
    %reshape = tensor.reshape %arg0(%from_elements) : (tensor<?x?x4x8xf32>, tensor<3xi64>) -> tensor<?x?x32xf32>
    return %reshape : tensor<?x?x32xf32>
  }
}""",
    [normal(2, 3, 4, 8)],
    lambda x: x.reshape(2, 3, 32),
)
raw(
    "cf-loop-topk",
    """
func.func @forward(%x: tensor<3x9xf32>) -> (tensor<3x2xf32>, tensor<3x2xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %low = arith.constant 0xFF800000 : f32
  %z = arith.constant 0 : i64
  %e0 = tensor.empty() : tensor<3x2xf32>
  %e1 = tensor.empty() : tensor<3x2xi64>
  %v:3 = scf.for %k = %c0 to %c2 step %c1 iter_args(%cur = %x, %vals = %e0, %idx = %e1)
    -> (tensor<3x9xf32>, tensor<3x2xf32>, tensor<3x2xi64>) {
    %f0 = tensor.empty() : tensor<3xf32>
    %f1 = tensor.empty() : tensor<3xi64>
    %i0 = linalg.fill ins(%low : f32) outs(%f0 : tensor<3xf32>) -> tensor<3xf32>
    %i1 = linalg.fill ins(%z : i64) outs(%f1 : tensor<3xi64>) -> tensor<3xi64>
    %m:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>,
    affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%cur : tensor<3x9xf32>)
    outs(%i0, %i1 : tensor<3xf32>, tensor<3xi64>) {
    ^bb0(%a: f32, %b: f32, %c: i64):
      %j = linalg.index 1 : index
      %jj = arith.index_cast %j : index to i64
      %g = arith.cmpf ogt, %a, %b : f32
      %s = arith.select %g, %a, %b : f32
      %t = arith.select %g, %jj, %c : i64
      linalg.yield %s, %t : f32, i64
    } -> (tensor<3xf32>, tensor<3xi64>)
    %vals2 = tensor.insert_slice %m#0 into %vals[0, %k] [3, 1] [1, 1] : tensor<3xf32> into tensor<3x2xf32>
    %idx2 = tensor.insert_slice %m#1 into %idx[0, %k] [3, 1] [1, 1] : tensor<3xi64> into tensor<3x2xi64>
    %next = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j)
    -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%m#1 : tensor<3xi64>) outs(%cur : tensor<3x9xf32>) {
    ^bb0(%a: i64, %b: f32):
      %j = linalg.index 1 : index
      %jj = arith.index_cast %j : index to i64
      %g = arith.cmpi eq, %a, %jj : i64
      %s = arith.select %g, %low, %b : f32
      linalg.yield %s : f32
    } -> tensor<3x9xf32>
    scf.yield %next, %vals2, %idx2 : tensor<3x9xf32>, tensor<3x2xf32>, tensor<3x2xi64>
  }
  return %v#1, %v#2 : tensor<3x2xf32>, tensor<3x2xi64>
}""",
    [normal(3, 9)],
    lambda x: (np.sort(x, 1)[:, ::-1][:, :2], np.argsort(-x, 1)[:, :2]),
)
raw(
    "bubble-sort-extract",
    """
func.func @forward(%x: tensor<?xi32>) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?xi32>
  %m = arith.subi %n, %c1 : index
  %r = scf.for %i = %c0 to %m step %c1 iter_args(%t = %x) -> tensor<?xi32> {
    %q = scf.for %j = %c0 to %m step %c1 iter_args(%u = %t) -> tensor<?xi32> {
      %k = arith.addi %j, %c1 : index
      %a = tensor.extract %u[%j] : tensor<?xi32>
      %b = tensor.extract %u[%k] : tensor<?xi32>
      %g = arith.cmpi sgt, %a, %b : i32
      %w = scf.if %g -> tensor<?xi32> {
        %p = tensor.insert %b into %u[%j] : tensor<?xi32>
        %s = tensor.insert %a into %p[%k] : tensor<?xi32>
        scf.yield %s : tensor<?xi32>
      } else {
        scf.yield %u : tensor<?xi32>
      }
      scf.yield %w : tensor<?xi32>
    }
    scf.yield %q : tensor<?xi32>
  }
  return %r : tensor<?xi32>
}""",
    [integers(12, low=-50, high=50)],
    np.sort,
)
raw(
    "collatz",
    """
func.func @forward(%x: tensor<i32>) -> tensor<i32> {
  %zero = arith.constant dense<0> : tensor<i32>
  %one = arith.constant dense<1> : tensor<i32>
  %two = arith.constant dense<2> : tensor<i32>
  %three = arith.constant dense<3> : tensor<i32>
  cf.br ^head(%zero, %x : tensor<i32>, tensor<i32>)
^head(%n: tensor<i32>, %v: tensor<i32>):
  %c = arith.cmpi sgt, %v, %one : tensor<i32>
  %b = tensor.extract %c[] : tensor<i1>
  cf.cond_br %b, ^body(%n, %v : tensor<i32>, tensor<i32>), ^end(%n : tensor<i32>)
^body(%k: tensor<i32>, %w: tensor<i32>):
  %k1 = arith.addi %k, %one : tensor<i32>
  %m = arith.remsi %w, %two : tensor<i32>
  %e = arith.cmpi eq, %m, %zero : tensor<i32>
  %eb = tensor.extract %e[] : tensor<i1>
  cf.cond_br %eb, ^even, ^odd
^even:
  %h = arith.divsi %w, %two : tensor<i32>
  cf.br ^head(%k1, %h : tensor<i32>, tensor<i32>)
^odd:
  %t = arith.muli %w, %three : tensor<i32>
  %u = arith.addi %t, %one : tensor<i32>
  cf.br ^head(%k1, %u : tensor<i32>, tensor<i32>)
^end(%r: tensor<i32>):
  return %r : tensor<i32>
}""",
    [np.array(27, np.int32)],
    lambda x: np.int32(111),
)
raw(
    "globals-mutable-counter",
    """
ml_program.global private mutable @counter(dense<[1, 2, 3]> : tensor<3xi32>) : tensor<3xi32>
ml_program.global private @scale(dense<2> : tensor<3xi32>) : tensor<3xi32>
func.func private @step(%x: tensor<3xi32>) {
  %v = ml_program.global_load @counter : tensor<3xi32>
  %w = arith.addi %v, %x : tensor<3xi32>
  ml_program.global_store @counter = %w : tensor<3xi32>
  return
}
func.func @forward(%x: tensor<3xi32>) -> tensor<3xi32> {
  func.call @step(%x) : (tensor<3xi32>) -> ()
  func.call @step(%x) : (tensor<3xi32>) -> ()
  %v = ml_program.global_load @counter : tensor<3xi32>
  %s = ml_program.global_load_const @scale : tensor<3xi32>
  %r = arith.muli %v, %s : tensor<3xi32>
  return %r : tensor<3xi32>
}""",
    [np.array([10, 20, 30], np.int32)],
    lambda x: (np.array([1, 2, 3], np.int32) + 2 * x) * 2,
)
raw(
    "global-f32-matmul",
    """
ml_program.global private @w(dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>) : tensor<2x2xf32>
func.func @forward(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %v = ml_program.global_load_const @w : tensor<2x2xf32>
  %c = arith.constant dense<0.0> : tensor<2x2xf32>
  %r = linalg.matmul ins(%x, %v : tensor<2x2xf32>, tensor<2x2xf32>) outs(%c : tensor<2x2xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}""",
    [normal(2, 2)],
    lambda x: x @ np.array([[1, 2], [3, 4]], np.float32),
    1e-5,
)
form(
    "scf-while-tensor-cond",
    [normal(5)],
    """
%lim = arith.constant 100.0 : f32
%zero = arith.constant 0.0 : f32
%r = scf.while (%x = %a) : ($a) -> $a {
  %e = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %s9 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>],
    iterator_types = ["reduction"]} ins(%x : $a) outs(%f : tensor<f32>) {
  ^bb0(%u: f32, %v: f32):
    %p = math.absf %u : f32
    %q = arith.addf %p, %v : f32
    linalg.yield %q : f32
  } -> tensor<f32>
  %n = tensor.extract %s9[] : tensor<f32>
  %c = arith.cmpf olt, %n, %lim : f32
  scf.condition(%c) %x : $a
} do {
^bb0(%x: $a):
  %y = arith.addf %x, %x : $a
  scf.yield %y : $a
}""",
    lambda x: x * np.float32(2) ** next(k for k in range(99) if np.abs(x * 2**k).sum() >= 100),
    1e-5,
)
form(
    "nested-if-for",
    [normal(4, 4), integers(4)],
    """
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c4 = arith.constant 4 : index
%z = arith.constant 0 : i32
%r = scf.for %i = %c0 to %c4 step %c1 iter_args(%x = %a) -> $a {
  %v = tensor.extract %b[%i] : $b
  %p = arith.cmpi sgt, %v, %z : i32
  %y = scf.if %p -> $a {
    %s0 = tensor.extract_slice %x[%i, 0] [1, 4] [1, 1] : $a to tensor<4xf32>
    %n = arith.negf %s0 : tensor<4xf32>
    %q = tensor.insert_slice %n into %x[%i, 0] [1, 4] [1, 1] : tensor<4xf32> into $a
    scf.yield %q : $a
  } else {
    %q = arith.addf %x, %x : $a
    scf.yield %q : $a
  }
  scf.yield %y : $a
}""",
    lambda x, b: nested(x, b),
)
form(
    "loop-carried-scalar-and-tensor",
    [normal(6)],
    """
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c6 = arith.constant 6 : index
%z = arith.constant 0.0 : f32
%e = tensor.empty() : $a
%r, %s = scf.for %i = %c0 to %c6 step %c1 iter_args(%o = %e, %acc = %z) -> ($a, f32) {
  %v = tensor.extract %a[%i] : $a
  %n = arith.addf %acc, %v : f32
  %p = tensor.insert %n into %o[%i] : $a
  scf.yield %p, %n : $a, f32
}""",
    lambda x: (np.cumsum(x), x.cumsum()[-1]),
    1e-5,
    types={"s": "f32"},
)
# dynamic reshape & shapes
form(
    "expand-two-dynamic",
    [normal(6, 8), 2],
    """
%c0 = arith.constant 0 : index
%d = tensor.dim %a, %c0 : $a
%q = arith.divui %d, %b : index
%0 = tensor.expand_shape %a [[0, 1], [2]] output_shape [%q, %b, 8] : $a into tensor<?x?x8xf32>
%1 = arith.addf %0, %0 : tensor<?x?x8xf32>
%r = tensor.cast %1 : tensor<?x?x8xf32> to $r""",
    lambda x, n: x.reshape(3, 2, 8) * 2,
    0,
    types={"a": "tensor<?x8xf32>", "r": "tensor<?x?x8xf32>"},
)
form(
    "collapse-all-dynamic",
    [normal(2, 3, 4)],
    ("%0 = tensor.collapse_shape %a [[0, 1, 2]] : $a into $r\n" "%r = math.absf %0 : $r"),
    lambda x: np.abs(x).reshape(-1),
    0,
    dynamic=True,
)
form("collapse-to-scalar", [normal(1, 1)], "%r = tensor.collapse_shape %a [] : $a into $r", lambda x: x.reshape(()))
form(
    "expand-from-scalar",
    [normal()],
    ("%0 = math.absf %a : $a\n" "%r = tensor.expand_shape %0 [] output_shape [1, 1] : $a into $r"),
    lambda x: np.abs(x).reshape(1, 1),
)
form(
    "reshape-rank0",
    [normal(1, 1)],
    ("%s9 = arith.constant dense<> : tensor<0xindex>\n" "%r = tensor.reshape %a(%s9) : ($a, tensor<0xindex>) -> $r"),
    lambda x: x.reshape(()),
)
form(
    "pad-dynamic-amounts",
    [normal(3, 4), 1, 2],
    (
        "%z = arith.constant 7.0 : f32\n"
        "%r = tensor.pad %a low[%b, 0] high[0, %c] {\n"
        "^bb0(%i: index, %j: index):\n"
        "tensor.yield %z : f32\n"
        "} : $a to $r"
    ),
    lambda x, l, h: np.pad(x, ((l, 0), (0, h)), constant_values=7),
    0,
    dynamic="r",
)
form(
    "pad-index-value",
    [normal(3, 4)],
    (
        "%r = tensor.pad %a low[1, 1] high[1, 1] {\n"
        "^bb0(%i: index, %j: index):\n"
        "%k = arith.addi %i, %j : index\n"
        "%l = arith.index_cast %k : index to i32\n"
        "%m = arith.sitofp %l : i32 to f32\n"
        "tensor.yield %m : f32\n"
        "} : $a to $r"
    ),
    lambda x: np.where(np.pad(np.ones((3, 4)), 1) > 0, np.pad(x, 1), np.add.outer(np.arange(5), np.arange(6))).astype(
        np.float32
    ),
)
form(
    "pad-nofold",
    [normal(3, 4)],
    (
        "%z = arith.constant 0.0 : f32\n"
        "%r = tensor.pad %a nofold low[0, 0] high[0, 0] {\n"
        "^bb0(%i: index, %j: index):\n"
        "tensor.yield %z : f32\n"
        "} : $a to $a"
    ),
    lambda x: x,
)
form(
    "pad-scalar-arg",
    [normal(3, 4), np.float32(2)],
    (
        "%r = tensor.pad %a low[1, 0] high[0, 0] {\n"
        "^bb0(%i: index, %j: index):\n"
        "tensor.yield %b : f32\n"
        "} : $a to $r"
    ),
    lambda x, v: np.pad(x, ((1, 0), (0, 0)), constant_values=v),
    types={"b": "f32"},
)
form(
    "slice-dynamic-stride",
    [normal(10, 4), 1, 3, 2],
    ("%0 = tensor.extract_slice %a[%b, 0] [%c, 4] [%d, 1] : $a to $r\n" "%r = math.absf %0 : $r"),
    lambda x, o, n, s: np.abs(x[o::s][:n]),
    types={"r": "tensor<?x4xf32>"},
)
form(
    "slice-reverse-gather",
    [normal(6)],
    "%c5 = arith.constant 5 : index\n"
    + empty("%t0", "$r")
    + generic(
        "%r",
        "i->i",
        "",
        "%t0 $r f32",
        (
            "%v0 = linalg.index 0 : index\n"
            "%v1 = arith.subi %c5, %v0 : index\n"
            "%v2 = tensor.extract %a[%v1] : $a\n"
            "yield %v2 f32"
        ),
    ),
    lambda x: x[::-1],
)
form(
    "insert-slice-rank-reduced-dyn",
    [normal(3, 4, 5), normal(4), 2],
    "%r = tensor.insert_slice %b into %a[%c, 0, 1] [1, 4, 1] [1, 1, 1] : $b into $a",
    lambda x, y, i: ins3(x, y, i),
)
form(
    "insert-slice-twice-same-source",
    [normal(4, 4), normal(2, 2)],
    (
        "%0 = tensor.insert_slice %b into %a[0, 0] [2, 2] [1, 1] : $b into $a\n"
        "%1 = tensor.insert_slice %b into %0[2, 2] [2, 2] [1, 1] : $b into $a\n"
        "%r = arith.addf %1, %0 : $a"
    ),
    lambda x, y: ins2(x, y),
)
form(
    "insert-slice-multiple-uses",
    [normal(4, 4), normal(2, 4)],
    (
        "%0 = tensor.insert_slice %b into %a[0, 0] [2, 4] [1, 1] : $b into $a\n"
        "%1 = tensor.insert_slice %b into %a[2, 0] [2, 4] [1, 1] : $b into $a\n"
        "%r = arith.subf %0, %1 : $a\n"
        "%s = arith.addf %a, %1 : $a"
    ),
    lambda x, y: (np.concatenate([y - x[:2], x[2:] - y]), np.concatenate([x[:2] + x[:2], x[2:] + y])),
)
form(
    "concat-three-dynamic",
    [normal(2, 3), normal(4, 3), normal(1, 3)],
    "%r = tensor.concat dim(0) %a, %b, %c : ($a, $b, $c) -> $r",
    lambda *x: np.concatenate(x),
    0,
    types={"a": "tensor<?x3xf32>", "b": "tensor<?x3xf32>", "r": "tensor<?x3xf32>"},
)
form(
    "concat-same-twice",
    [normal(2, 3)],
    "%r = tensor.concat dim(1) %a, %a : ($a, $a) -> $r",
    lambda x: np.concatenate([x, x], 1),
)
form(
    "concat-inner-matmul",
    [normal(4, 8), normal(4, 8), normal(16, 5)],
    "%0 = tensor.concat dim(1) %a, %b : ($a, $b) -> tensor<4x16xf32>\n"
    + fill("%t0", "$r")
    + "%r = linalg.matmul ins(%0, %c : tensor<4x16xf32>, $c) outs(%t0 : $r) -> $r",
    lambda x, y, w: np.concatenate([x, y], 1) @ w,
    1e-4,
)
form(
    "gather-two-dims",
    [normal(5, 6, 7), integers(3, 2, low=0, high=5, dtype=I64)],
    "%r = tensor.gather %a[%b] gather_dims([0, 2]) : ($a, $b) -> $r",
    lambda x, i: x[i[:, 0], :, i[:, 1]].reshape(3, 6),
    types={"r": "tensor<3x6xf32>"},
)
form(
    "gather-keep-unit",
    [normal(5, 6), integers(3, 1, low=0, high=5)],
    "%r = tensor.gather %a[%b] gather_dims([0]) unique : ($a, $b) -> $r",
    lambda x, i: x[i[:, 0]].reshape(3, 1, 6),
    types={"r": "tensor<3x1x6xf32>"},
)
form(
    "scatter-rows",
    [normal(3, 1, 6), normal(8, 6), np.array([[6], [1], [3]], np.int32)],
    "%r = tensor.scatter %a into %b[%c] scatter_dims([0]) unique : ($a, $b, $c) -> $b",
    lambda s, d, i: put(s, d, i),
)
form(
    "splat-const-dynamic",
    [4],
    ("%z = arith.constant 3.0 : f32\n" "%0 = tensor.splat %z[%a] : tensor<?x2xf32>\n" "%r = math.sqrt %0 : $r"),
    lambda n: np.sqrt(np.full((n, 2), 3, np.float32)),
    1e-6,
    types={"r": "tensor<?x2xf32>"},
)
form(
    "empty-dynamic-fill-iota",
    [5],
    "%e = tensor.empty(%a) : $r\n"
    + generic(
        "%r",
        "i->i",
        "",
        "%e $r i32",
        ("%v0 = linalg.index 0 : index\n" "%v1 = arith.index_cast %v0 : index to i32\n" "yield %v1 i32"),
    ),
    lambda n: np.arange(n, dtype=np.int32),
    types={"r": "tensor<?xi32>"},
)
form(
    "dim-of-result",
    [normal(3, 4), normal(5, 4)],
    (
        "%0 = tensor.concat dim(0) %a, %b : ($a, $b) -> tensor<?x4xf32>\n"
        "%c0 = arith.constant 0 : index\n"
        "%r = tensor.dim %0, %c0 : tensor<?x4xf32>"
    ),
    lambda x, y: np.int64(8),
    types={"a": "tensor<?x4xf32>", "r": "index"},
)
form(
    "const-hex",
    [normal(4)],
    ('%0 = arith.constant dense<"0x0000803F000000400000404000008040"> : tensor<4xf32>\n' "%r = arith.addf %a, %0 : $a"),
    lambda x: x + np.array([1, 2, 3, 4], np.float32),
)
form(
    "const-sparse",
    [normal(4)],
    ("%0 = arith.constant sparse<[[1]], [2.0]> : tensor<4xf32>\n" "%r = arith.addf %a, %0 : $a"),
    lambda x: x + np.array([0, 2, 0, 0], np.float32),
)
form(
    "const-i4",
    [integers(4, dtype=np.int8)],
    (
        "%0 = arith.constant dense<[-8, 7, 1, 0]> : tensor<4xi4>\n"
        "%1 = arith.extsi %0 : tensor<4xi4> to $a\n"
        "%r = arith.addi %a, %1 : $a"
    ),
    lambda x: x + np.array([-8, 7, 1, 0], np.int8),
)
form(
    "const-bf16-f8",
    [normal(4)],
    (
        "%0 = arith.constant dense<[1.0, 2.0, -0.5, 3.0]> : tensor<4xbf16>\n"
        "%1 = arith.extf %0 : tensor<4xbf16> to $a\n"
        "%2 = arith.constant dense<[1.0, 2.0, -0.5, 3.0]> : tensor<4xf8E4M3FN>\n"
        "%3 = arith.extf %2 : tensor<4xf8E4M3FN> to $a\n"
        "%4 = arith.addf %1, %3 : $a\n"
        "%r = arith.addf %a, %4 : $a"
    ),
    lambda x: x + 2 * np.array([1, 2, -0.5, 3], np.float32),
)
form(
    "generate-captures",
    [normal(5)],
    (
        "%r = tensor.generate {\n"
        "^bb0(%i: index, %j: index):\n"
        "%k = arith.minui %i, %j : index\n"
        "%v = tensor.extract %a[%k] : $a\n"
        "tensor.yield %v : f32\n"
        "} : $r"
    ),
    lambda x: x[np.minimum.outer(np.arange(5), np.arange(5))],
)
form(
    "scalar-result-int",
    [integers(5)],
    ("%c2 = arith.constant 2 : index\n" "%0 = tensor.extract %a[%c2] : $a\n" "%r = arith.addi %0, %0 : i32"),
    lambda x: np.int32(2 * x[2]),
    types={"r": "i32"},
)
form(
    "scalars-only",
    [np.float32(2), np.float32(3)],
    ("%0 = arith.mulf %a, %b : f32\n" "%r = tensor.from_elements %0 : $r"),
    lambda a, b: np.array([a * b]),
    types={"a": "f32", "b": "f32"},
)
form(
    "i64-scalar-tensor",
    [np.array(5, I64), np.array(3, I64)],
    ("%r = arith.muli %a, %b : $a\n" "%s = arith.cmpi sgt, %a, %b : $a"),
    lambda a, b: (a * b, a > b),
)
form(
    "memref-to-tensor",
    [normal(4)],
    (
        "%m = bufferization.to_buffer %a : $a to memref<4xf32>\n"
        "%t9 = bufferization.to_tensor %m restrict : memref<4xf32> to $a\n"
        "%r = math.absf %t9 : $a"
    ),
    np.abs,
)
form(
    "linalg-index-3d",
    [],
    empty("%t0", "$r")
    + generic(
        "%r",
        "ijk->ijk",
        "",
        "%t0 $r i32",
        (
            "%v0 = linalg.index 0 : index\n"
            "%v1 = linalg.index 1 : index\n"
            "%v2 = linalg.index 2 : index\n"
            "%v3 = arith.addi %v0, %v1 : index\n"
            "%v4 = arith.muli %v3, %v2 : index\n"
            "%v5 = arith.index_cast %v4 : index to i32\n"
            "yield %v5 i32"
        ),
    ),
    lambda: ((np.arange(2)[:, None, None] + np.arange(3)[:, None]) * np.arange(4)).astype(np.int32),
)
form(
    "pow-chain-f64",
    [np.abs(normal(5)).astype(np.float64)],
    ("%0 = math.log %a : $a\n" "%1 = arith.addf %0, %0 : $a\n" "%r = math.exp %1 : $a"),
    lambda x: x * x,
    1e-9,
)
for dt in (np.int8, np.int16, I64, np.float64, np.float16):
    form(
        f"transpose-{dt.__name__}",
        [(normal(33, 17) * 50).astype(dt)],
        empty("%t0", "$r") + "%r = linalg.transpose ins(%a : $a) outs(%t0 : $r) permutation = [1, 0]",
        lambda x: x.T,
    )
    form(
        f"strided-{dt.__name__}",
        [(normal(33, 17) * 50).astype(dt)],
        "%r = tensor.extract_slice %a[1, 2] [8, 5] [4, 3] : $a to $r",
        lambda x: x[1::4, 2::3][:8, :5],
    )
