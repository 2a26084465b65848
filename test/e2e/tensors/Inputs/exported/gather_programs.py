"""Gathers, scatters, sorts and searches."""

import numpy as np

from forms import form
from programs import integers, normal, softmax
from texts import dims, empty, fill, generic, mapped

I64 = np.int64
LOW = "0xFF800000"
INDICES = "".join(f"%c{n} = arith.constant {n} : index\n" for n in (0, 1, 2))


def iota(name, type, dimension=0, sizes="", element="i64", letters="i"):
    cast = f"%v = arith.index_cast %k : index to {element}\n" if element != "index" else ""
    value = "%v" if cast else "%k"
    return empty(name + "_e", type, sizes) + generic(
        name,
        f"->{letters}",
        "",
        f"{name}_e {type} {element}",
        f"%k = linalg.index {dimension} : index\n{cast}yield {value} {element}",
    )


form(
    "argsort-insertion",
    [integers(11, low=-40, high=40, dtype=I64)],
    INDICES
    + dims("%a", "$a", 0)
    + iota("%id", "$a", sizes="%a0")
    + """
%r, %s = scf.for %i = %c1 to %a0 step %c1 iter_args(%keys = %a, %ids = %id) -> ($a, $a) {
  %key = tensor.extract %keys[%i] : $a
  %place = tensor.extract %ids[%i] : $a
  %w:3 = scf.while (%j = %i, %k = %keys, %n = %ids) : (index, $a, $a) -> (index, $a, $a) {
    %more = arith.cmpi sgt, %j, %c0 : index
    %go = scf.if %more -> i1 {
      %h = arith.subi %j, %c1 : index
      %u = tensor.extract %k[%h] : $a
      %g = arith.cmpi sgt, %u, %key : i64
      scf.yield %g : i1
    } else {
      scf.yield %more : i1
    }
    scf.condition(%go) %j, %k, %n : index, $a, $a
  } do {
  ^bb0(%j: index, %k: $a, %n: $a):
    %h = arith.subi %j, %c1 : index
    %u = tensor.extract %k[%h] : $a
    %v = tensor.extract %n[%h] : $a
    %k2 = tensor.insert %u into %k[%j] : $a
    %n2 = tensor.insert %v into %n[%j] : $a
    scf.yield %h, %k2, %n2 : index, $a, $a
  }
  %k3 = tensor.insert %key into %w#1[%w#0] : $a
  %n3 = tensor.insert %place into %w#2[%w#0] : $a
  scf.yield %k3, %n3 : $a, $a
}""",
    lambda x: (np.sort(x), np.argsort(x, kind="stable")),
    0,
    dynamic=True,
)
form(
    "bitonic-sort",
    [normal(16)],
    INDICES
    + """
%c4 = arith.constant 4 : index
%r = scf.for %p = %c0 to %c4 step %c1 iter_args(%x = %a) -> $a {
  %q0 = arith.addi %p, %c1 : index
  %block = arith.shli %c1, %q0 : index
  %y = scf.for %k = %c0 to %q0 step %c1 iter_args(%z = %x) -> $a {
    %d = arith.subi %p, %k : index
    %distance = arith.shli %c1, %d : index
    %e = tensor.empty() : $a
"""
    + generic(
        "%w",
        "i->i",
        "%z $a f32",
        "%e $a f32",
        "%i = linalg.index 0 : index\n%j = arith.xori %i, %distance : index\n%u = tensor.extract %z[%j] : $a\n"
        "%b = arith.andi %i, %block : index\n%up = arith.cmpi eq, %b, %c0 : index\n"
        "%first = arith.cmpi ult, %i, %j : index\n%low = arith.cmpi eq, %up, %first : i1\n"
        "%m = arith.minimumf %x0, %u : f32\n%n = arith.maximumf %x0, %u : f32\n"
        "%v = arith.select %low, %m, %n : f32\nyield %v f32",
    )
    + "scf.yield %w : $a\n}\nscf.yield %y : $a\n}",
    np.sort,
    0,
)
form(
    "rank-sort",
    [integers(4, 9, low=-5, high=5)],
    fill("%t0", "tensor<4x9xi64>", "0", "i64")
    + "%one = arith.constant 1 : i64\n%zero = arith.constant 0 : i64\n"
    + generic(
        "%t1",
        "bi,bj->bi",
        "%a $a i32; %a $a i32",
        "%t0 tensor<4x9xi64> i64",
        "%i = linalg.index 1 : index\n%j = linalg.index 2 : index\n%l = arith.cmpi slt, %x1, %x0 : i32\n"
        "%e = arith.cmpi eq, %x1, %x0 : i32\n%f = arith.cmpi ult, %j, %i : index\n%g = arith.andi %e, %f : i1\n"
        "%h = arith.ori %l, %g : i1\n%c = arith.extui %h : i1 to i64\n%v = arith.addi %y0, %c : i64\nyield %v i64",
        "j",
    )
    + fill("%t2", "$r", "0", "i32")
    + generic(
        "%r",
        "bi,bi->bj",
        "%a $a i32; %t1 tensor<4x9xi64> i64",
        "%t2 $r i32",
        "%j = linalg.index 2 : index\n%k = arith.index_cast %j : index to i64\n%e = arith.cmpi eq, %x1, %k : i64\n"
        "%v = arith.select %e, %x0, %y0 : i32\nyield %v i32",
        "i",
    ),
    lambda x: np.sort(x, 1),
    0,
)
form(
    "search-sorted",
    [np.sort(normal(17)), normal(3, 8, seed=1)],
    INDICES
    + "%c17 = arith.constant 17 : index\n"
    + empty("%t0", "$r")
    + generic(
        "%r",
        "ij->ij",
        "%b $b f32",
        "%t0 $r i64",
        """%w:2 = scf.while (%l = %c0, %h = %c17) : (index, index) -> (index, index) {
  %g = arith.cmpi ult, %l, %h : index
  scf.condition(%g) %l, %h : index, index
} do {
^bb0(%l: index, %h: index):
  %t = arith.addi %l, %h : index
  %m = arith.shrui %t, %c1 : index
  %u = tensor.extract %a[%m] : $a
  %lt = arith.cmpf olt, %u, %x0 : f32
  %m1 = arith.addi %m, %c1 : index
  %l2 = arith.select %lt, %m1, %l : index
  %h2 = arith.select %lt, %h, %m : index
  scf.yield %l2, %h2 : index, index
}
%v = arith.index_cast %w#0 : index to i64
yield %v i64""",
    ),
    np.searchsorted,
    0,
)
form(
    "embedding-bag",
    [normal(12, 5), integers(9, low=0, high=12, dtype=I64), np.array([0, 2, 2, 6], I64)],
    INDICES
    + "%c3 = arith.constant 3 : index\n%c9 = arith.constant 9 : index\n%zero = arith.constant 0.0 : f32\n"
    + fill("%t0", "$r")
    + mapped(
        "%r",
        "i j k",
        ["j", "i", "i, k"],
        "%b $b i64; %c $c i64",
        "%t0 $r f32",
        "%i = linalg.index 0 : index\n%j = linalg.index 1 : index\n%k = linalg.index 2 : index\n"
        "%row = arith.index_cast %x0 : i64 to index\n%low = arith.index_cast %x1 : i64 to index\n"
        "%last = arith.cmpi eq, %i, %c3 : index\n%i1 = arith.addi %i, %c1 : index\n"
        "%n = arith.select %last, %i, %i1 : index\n%o = tensor.extract %c[%n] : $c\n"
        "%o1 = arith.index_cast %o : i64 to index\n%high = arith.select %last, %c9, %o1 : index\n"
        "%p = arith.cmpi uge, %j, %low : index\n%q = arith.cmpi ult, %j, %high : index\n"
        "%in = arith.andi %p, %q : i1\n%e = tensor.extract %a[%row, %k] : $a\n"
        "%f = arith.select %in, %e, %zero : f32\n%v = arith.addf %y0, %f : f32\nyield %v f32",
        "j",
    ),
    lambda w, i, o: np.stack([w[i[s]].sum(0) for s in (slice(0, 2), slice(2, 2), slice(2, 6), slice(6, 9))]),
    1e-5,
)
form(
    "embedding-bag-loops",
    [normal(12, 5), integers(9, low=0, high=12, dtype=I64), np.array([0, 2, 2, 6, 9], I64)],
    """
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c4 = arith.constant 4 : index
%z = arith.constant dense<0.0> : tensor<5xf32>
%e = tensor.empty() : $r
%r = scf.for %i = %c0 to %c4 step %c1 iter_args(%o = %e) -> $r {
  %i1 = arith.addi %i, %c1 : index
  %l0 = tensor.extract %c[%i] : $c
  %h0 = tensor.extract %c[%i1] : $c
  %l = arith.index_cast %l0 : i64 to index
  %h = arith.index_cast %h0 : i64 to index
  %sum = scf.for %j = %l to %h step %c1 iter_args(%t = %z) -> tensor<5xf32> {
    %k0 = tensor.extract %b[%j] : $b
    %k = arith.index_cast %k0 : i64 to index
    %row = tensor.extract_slice %a[%k, 0] [1, 5] [1, 1] : $a to tensor<5xf32>
    %u = arith.addf %t, %row : tensor<5xf32>
    scf.yield %u : tensor<5xf32>
  }
  %q = tensor.insert_slice %sum into %o[%i, 0] [1, 5] [1, 1] : tensor<5xf32> into $r
  scf.yield %q : $r
}""",
    lambda w, i, o: np.stack([w[i[s]].sum(0) for s in (slice(0, 2), slice(2, 2), slice(2, 6), slice(6, 9))]),
    1e-5,
)


def added(x, i, v):
    y = x.copy()
    np.add.at(y, i, v)
    return y


form(
    "index-put-accumulate",
    [normal(6, 4), integers(9, low=0, high=6, dtype=I64), normal(9, 4, seed=1)],
    INDICES
    + dims("%b", "$b", 0)
    + """
%r = scf.for %i = %c0 to %b0 step %c1 iter_args(%x = %a) -> $a {
  %k0 = tensor.extract %b[%i] : $b
  %k = arith.index_cast %k0 : i64 to index
  %row = tensor.extract_slice %x[%k, 0] [1, 4] [1, 1] : $a to tensor<4xf32>
  %add = tensor.extract_slice %c[%i, 0] [1, 4] [1, 1] : $c to tensor<4xf32>
  %sum = arith.addf %row, %add : tensor<4xf32>
  %y = tensor.insert_slice %sum into %x[%k, 0] [1, 4] [1, 1] : tensor<4xf32> into $a
  scf.yield %y : $a
}""",
    added,
    1e-5,
    types={"a": "tensor<?x4xf32>", "r": "tensor<?x4xf32>", "b": "tensor<?xi64>", "c": "tensor<?x4xf32>"},
)
CLAMP = """
%z32 = arith.constant 0 : i32
%{0}t = tensor.extract %{1}[] : tensor<i32>
%{0}u = arith.maxsi %{0}t, %z32 : i32
%{0}l = arith.constant {2} : i32
%{0}v = arith.minsi %{0}u, %{0}l : i32
%{0} = arith.index_cast %{0}v : i32 to index
"""
form(
    "dynamic-slice-clamped",
    [normal(6, 9), np.array(-3, np.int32), np.array(7, np.int32)],
    CLAMP.format("i", "b", 4)
    + CLAMP.format("j", "c", 5).replace("%z32 = arith.constant 0 : i32\n", "")
    + "%t0 = tensor.extract_slice %a[%i, %j] [2, 4] [1, 1] : $a to $r\n%r = math.absf %t0 : $r",
    lambda x, i, j: np.abs(x[0:2, 5:9]),
    0,
)
form(
    "dynamic-update-slice-clamped",
    [normal(6, 9), normal(2, 4, seed=1), np.array(40, np.int32), np.array(-1, np.int32)],
    CLAMP.format("i", "c", 4)
    + CLAMP.format("j", "d", 5).replace("%z32 = arith.constant 0 : i32\n", "")
    + "%r = tensor.insert_slice %b into %a[%i, %j] [2, 4] [1, 1] : $b into $a",
    lambda x, y, i, j: np.concatenate([x[:4], np.concatenate([y, x[4:, 4:]], 1)]),
    0,
)
form(
    "gather-windows-clamped",
    [normal(5, 8), integers(3, 2, low=-2, high=9)],
    INDICES
    + "%c3 = arith.constant 3 : index\n%c5 = arith.constant 5 : index\n"
    + empty("%t0", "$r")
    + mapped(
        "%r",
        "n i j",
        ["n, i, j"],
        "",
        "%t0 $r f32",
        "%n = linalg.index 0 : index\n%i = linalg.index 1 : index\n%j = linalg.index 2 : index\n"
        "%p = tensor.extract %b[%n, %c0] : $b\n%q = tensor.extract %b[%n, %c1] : $b\n"
        "%p1 = arith.index_cast %p : i32 to index\n%q1 = arith.index_cast %q : i32 to index\n"
        "%p2 = arith.maxsi %p1, %c0 : index\n%q2 = arith.maxsi %q1, %c0 : index\n"
        "%p3 = arith.minsi %p2, %c3 : index\n%q3 = arith.minsi %q2, %c5 : index\n"
        "%y = arith.addi %p3, %i : index\n%x = arith.addi %q3, %j : index\n"
        "%v = tensor.extract %a[%y, %x] : $a\nyield %v f32",
    ),
    lambda x, s: np.stack([x[(y := min(max(i, 0), 3)) : y + 2, (z := min(max(j, 0), 5)) : z + 3] for i, j in s]),
    0,
)
form(
    "nonzero",
    [integers(15, low=-1, high=2)],
    INDICES
    + "%zero = arith.constant 0 : i32\n%c15 = arith.constant 15 : index\n"
    + """
%e = tensor.empty() : tensor<15xi64>
%t, %n = scf.for %i = %c0 to %c15 step %c1 iter_args(%o = %e, %k = %c0) -> (tensor<15xi64>, index) {
  %v = tensor.extract %a[%i] : $a
  %p = arith.cmpi ne, %v, %zero : i32
  %w:2 = scf.if %p -> (tensor<15xi64>, index) {
    %j = arith.index_cast %i : index to i64
    %q = tensor.insert %j into %o[%k] : tensor<15xi64>
    %m = arith.addi %k, %c1 : index
    scf.yield %q, %m : tensor<15xi64>, index
  } else {
    scf.yield %o, %k : tensor<15xi64>, index
  }
  scf.yield %w#0, %w#1 : tensor<15xi64>, index
}
%r = tensor.extract_slice %t[0] [%n] [1] : tensor<15xi64> to $r""",
    lambda x: np.flatnonzero(x),
    0,
    dynamic="r",
)
form(
    "unique-consecutive",
    [np.array([3, 3, 1, 1, 1, 7, 3, 3], I64)],
    INDICES
    + dims("%a", "$a", 0)
    + """
%e = tensor.empty(%a0) : $a
%one = arith.constant 1 : i64
%f = linalg.fill ins(%one : i64) outs(%e : $a) -> $a
%first = tensor.extract %a[%c0] : $a
%v0 = tensor.insert %first into %e[%c0] : $a
%t:3 = scf.for %i = %c1 to %a0 step %c1 iter_args(%o = %v0, %m = %f, %k = %c0) -> ($a, $a, index) {
  %v = tensor.extract %a[%i] : $a
  %u = tensor.extract %o[%k] : $a
  %same = arith.cmpi eq, %u, %v : i64
  %k1 = arith.addi %k, %c1 : index
  %n = arith.select %same, %k, %k1 : index
  %o2 = tensor.insert %v into %o[%n] : $a
  %old = tensor.extract %m[%n] : $a
  %old1 = arith.addi %old, %one : i64
  %new = arith.select %same, %old1, %one : i64
  %m2 = tensor.insert %new into %m[%n] : $a
  scf.yield %o2, %m2, %n : $a, $a, index
}
%n = arith.addi %t#2, %c1 : index
%r = tensor.extract_slice %t#0[0] [%n] [1] : $a to $r
%s = tensor.extract_slice %t#1[0] [%n] [1] : $a to $s""",
    lambda x: (np.array([3, 1, 7, 3], I64), np.array([2, 3, 1, 2], I64)),
    0,
    dynamic=True,
)
form(
    "segment-sum",
    [normal(13, 4), integers(13, low=0, high=5, dtype=np.int32)],
    "%zero = arith.constant 0.0 : f32\n"
    + fill("%t0", "$r")
    + mapped(
        "%r",
        "i j k",
        ["j, k", "j", "i, k"],
        "%a $a f32; %b $b i32",
        "%t0 $r f32",
        "%i = linalg.index 0 : index\n%n = arith.index_cast %i : index to i32\n%e = arith.cmpi eq, %n, %x1 : i32\n"
        "%u = arith.select %e, %x0, %zero : f32\n%v = arith.addf %y0, %u : f32\nyield %v f32",
        "j",
    ),
    lambda x, s: np.stack([x[s == i].sum(0) for i in range(5)]),
    1e-5,
)
form(
    "running-maximum-with-index",
    [normal(5, 8)],
    INDICES
    + "%c8 = arith.constant 8 : index\n"
    + fill("%m", "tensor<5xf32>", LOW)
    + fill("%n", "tensor<5xi64>", "0", "i64")
    + empty("%o", "$r")
    + empty("%q", "$s")
    + "%r, %s, %u, %w = scf.for %i = %c0 to %c8 step %c1 iter_args(%x = %o, %y = %q, %p = %m, %k = %n)\n"
    "-> ($r, $s, tensor<5xf32>, tensor<5xi64>) {\n"
    "%t0 = tensor.extract_slice %a[0, %i] [5, 1] [1, 1] : $a to tensor<5xf32>\n"
    + generic(
        "%t1:2",
        "i,i,i->i,i",
        "%t0 tensor<5xf32> f32; %p tensor<5xf32> f32; %k tensor<5xi64> i64",
        "%m_e tensor<5xf32> f32; %n_e tensor<5xi64> i64",
        "%g = arith.cmpf oge, %x0, %x1 : f32\n%j = arith.index_cast %i : index to i64\n"
        "%v = arith.select %g, %x0, %x1 : f32\n%z = arith.select %g, %j, %x2 : i64\nyield %v f32, %z i64",
    )
    + "%t2 = tensor.insert_slice %t1#0 into %x[0, %i] [5, 1] [1, 1] : tensor<5xf32> into $r\n"
    "%t3 = tensor.insert_slice %t1#1 into %y[0, %i] [5, 1] [1, 1] : tensor<5xi64> into $s\n"
    "scf.yield %t2, %t3, %t1#0, %t1#1 : $r, $s, tensor<5xf32>, tensor<5xi64>\n}",
    lambda x: (
        np.maximum.accumulate(x, 1),
        np.maximum.accumulate(np.where(x == np.maximum.accumulate(x, 1), np.arange(8), 0), 1),
    ),
    0,
)
form(
    "flip-two-dims",
    [normal(4, 3, 5)],
    INDICES
    + dims("%a", "$a", 0, 1, 2)
    + "%m0 = arith.subi %a0, %c1 : index\n%m2 = arith.subi %a2, %c1 : index\n"
    + empty("%t0", "$r", "%a0, %a1, %a2")
    + generic(
        "%r",
        "->ijk",
        "",
        "%t0 $r f32",
        "%i = linalg.index 0 : index\n%j = linalg.index 1 : index\n%k = linalg.index 2 : index\n"
        "%p = arith.subi %m0, %i : index\n%q = arith.subi %m2, %k : index\n"
        "%v = tensor.extract %a[%p, %j, %q] : $a\nyield %v f32",
    ),
    lambda x: x[::-1, :, ::-1],
    0,
    dynamic=True,
)
form(
    "roll-by-tensor",
    [normal(3, 7), np.array(-9, I64)],
    "%n = arith.constant 7 : i64\n%zero = arith.constant 0 : i64\n%t9 = tensor.extract %b[] : $b\n"
    + empty("%t0", "$r")
    + generic(
        "%r",
        "->ij",
        "",
        "%t0 $r f32",
        "%i = linalg.index 0 : index\n%j = linalg.index 1 : index\n%k = arith.index_cast %j : index to i64\n"
        "%p = arith.subi %k, %t9 : i64\n%q = arith.remsi %p, %n : i64\n%l = arith.cmpi slt, %q, %zero : i64\n"
        "%m = arith.addi %q, %n : i64\n%o = arith.select %l, %m, %q : i64\n%h = arith.index_cast %o : i64 to index\n"
        "%v = tensor.extract %a[%i, %h] : $a\nyield %v f32",
    ),
    lambda x, s: np.roll(x, s, 1),
    0,
)
form(
    "roll-by-slices",
    [normal(9), 4],
    INDICES
    + dims("%a", "$a", 0)
    + "%n = arith.subi %a0, %b : index\n%t0 = tensor.extract_slice %a[%n] [%b] [1] : $a to $a\n"
    "%t1 = tensor.extract_slice %a[0] [%n] [1] : $a to $a\n"
    "%t2 = tensor.concat dim(0) %t0, %t1 : ($a, $a) -> $a\n%r = math.absf %t2 : $a",
    lambda x, s: np.abs(np.roll(x, s)),
    0,
    dynamic=True,
)
form(
    "diagonals",
    [normal(5, 5), normal(4, seed=1)],
    fill("%t0", "$s")
    + empty("%e0", "$r")
    + mapped("%r", "i", ["i, i", "i"], "%a $a f32", "%e0 $r f32", "yield %x0 f32")
    + "%zero = arith.constant 0.0 : f32\n"
    + generic(
        "%s",
        "i->ij",
        "%b $b f32",
        "%t0_e $s f32",
        "%i = linalg.index 0 : index\n%j = linalg.index 1 : index\n%e = arith.cmpi eq, %i, %j : index\n"
        "%v = arith.select %e, %x0, %zero : f32\nyield %v f32",
    )
    + fill("%t1", "$t")
    + mapped("%t", "i", ["i, i", ""], "%a $a f32", "%t1 $t f32", "%v = arith.addf %y0, %x0 : f32\nyield %v f32", "i"),
    lambda x, y: (np.diag(x), np.diag(y), np.trace(x)),
    1e-5,
)
form(
    "write-diagonal",
    [normal(5, 5), normal(5, seed=1)],
    mapped("%r", "i", ["i", "i, i"], "%b $b f32", "%a $a f32", "%v = arith.addf %x0, %y0 : f32\nyield %v f32"),
    lambda x, y: x + np.diag(y),
    0,
)
form(
    "write-even-columns",
    [normal(3, 9), normal(3, 5, seed=1)],
    mapped("%r", "i j", ["i, j", "i, j * 2"], "%b $b f32", "%a $a f32", "%v = arith.mulf %x0, %y0 : f32\nyield %v f32"),
    lambda x, y: np.where(np.arange(9) % 2 == 0, x * np.repeat(y, 2, 1)[:, :9], x),
    0,
)
for name, dtype, element in [("bool", bool, "i1"), ("byte", np.int8, "i8"), ("double", np.float64, "f64")]:
    table = (normal(6, 5) * 30).astype(dtype) if dtype != bool else normal(6, 5) > 0
    form(
        f"gather-along-axis-0-{name}",
        [table, integers(3, 5, low=-6, high=6)],
        "%n = arith.constant 6 : i32\n%zero = arith.constant 0 : i32\n"
        + empty("%t0", "$r")
        + generic(
            "%r",
            "ij->ij",
            "%b $b i32",
            f"%t0 $r {element}",
            "%l = arith.cmpi slt, %x0, %zero : i32\n%p = arith.addi %x0, %n : i32\n"
            "%q = arith.select %l, %p, %x0 : i32\n%i = arith.index_cast %q : i32 to index\n"
            f"%j = linalg.index 1 : index\n%v = tensor.extract %a[%i, %j] : $a\nyield %v {element}",
        ),
        lambda x, i: np.take_along_axis(x, i.astype(I64) % 6, 0),
        0,
    )
form(
    "gather-pairs-dynamic",
    [normal(4, 5, 6), np.array([[[3, 5]], [[0, 1]], [[2, 2]]], np.int32)],
    "%r = tensor.gather %a[%b] gather_dims([0, 2]) : ($a, $b) -> $r",
    lambda x, i: np.stack([x[p, :, q] for p, q in i[:, 0]])[:, None],
    0,
    types={"a": "tensor<?x5x?xf32>", "b": "tensor<?x1x2xi32>", "r": "tensor<?x1x5xf32>"},
)
form(
    "embedding-linear",
    [normal(20, 16), integers(2, 5, low=0, high=20, dtype=I64), normal(16, 24, seed=1)],
    empty("%t0", "tensor<2x5x16xf32>")
    + generic(
        "%t1",
        "ij->ijk",
        "%b $b i64",
        "%t0 tensor<2x5x16xf32> f32",
        "%i = arith.index_cast %x0 : i64 to index\n%k = linalg.index 2 : index\n%v = tensor.extract %a[%i, %k] : $a\n"
        "yield %v f32",
    )
    + "%t2 = tensor.collapse_shape %t1 [[0, 1], [2]] : tensor<2x5x16xf32> into tensor<10x16xf32>\n"
    + fill("%t3", "$r")
    + "%r = linalg.matmul ins(%t2, %c : tensor<10x16xf32>, $c) outs(%t3 : $r) -> $r",
    lambda e, i, w: e[i].reshape(10, 16) @ w,
    1e-4,
)


def paged(q, k, v, table):
    keys, values = k[table].reshape(12, 8), v[table].reshape(12, 8)
    return softmax(q @ keys.T) @ values


PAGE = (
    "%p = arith.index_cast %x0 : i64 to index\n%j = linalg.index 1 : index\n%l = linalg.index 2 : index\n"
    "%v = tensor.extract {0}[%p, %j, %l] : $b\nyield %v f32"
)
form(
    "paged-attention",
    [normal(2, 8), normal(7, 4, 8, seed=1), normal(7, 4, 8, seed=2), np.array([5, 0, 3], I64)],
    empty("%e", "tensor<3x4x8xf32>")
    + generic("%k3", "i->ijk", "%d $d i64", "%e tensor<3x4x8xf32> f32", PAGE.format("%b"))
    + generic("%v3", "i->ijk", "%d $d i64", "%e tensor<3x4x8xf32> f32", PAGE.format("%c"))
    + "%k = tensor.collapse_shape %k3 [[0, 1], [2]] : tensor<3x4x8xf32> into tensor<12x8xf32>\n"
    "%v = tensor.collapse_shape %v3 [[0, 1], [2]] : tensor<3x4x8xf32> into tensor<12x8xf32>\n"
    + fill("%t0", "tensor<2x12xf32>")
    + generic(
        "%t1",
        "ik,jk->ij",
        "%a $a f32; %k tensor<12x8xf32> f32",
        "%t0 tensor<2x12xf32> f32",
        "%m = arith.mulf %x0, %x1 : f32\n%n = arith.addf %y0, %m : f32\nyield %n f32",
        "k",
    )
    + "%t2 = linalg.softmax dimension(1) ins(%t1 : tensor<2x12xf32>) outs(%t0_e : tensor<2x12xf32>)\n"
    "-> tensor<2x12xf32>\n"
    + fill("%t3", "$r")
    + "%r = linalg.matmul ins(%t2, %v : tensor<2x12xf32>, tensor<12x8xf32>) outs(%t3 : $r) -> $r",
    paged,
    1e-4,
)


def csr(data, column, start, x):
    y = np.zeros(4, np.float32)
    for i in range(4):
        for j in range(start[i], start[i + 1]):
            y[i] += data[j] * x[column[j]]
    return y


form(
    "sparse-rows-times-vector",
    [normal(9), integers(9, low=0, high=6, dtype=I64, seed=2), np.array([0, 3, 3, 7, 9], I64), normal(6, seed=1)],
    INDICES
    + "%zero = arith.constant 0.0 : f32\n"
    + empty("%t0", "$r")
    + generic(
        "%r",
        "->i",
        "",
        "%t0 $r f32",
        """%i = linalg.index 0 : index
%i1 = arith.addi %i, %c1 : index
%l0 = tensor.extract %c[%i] : $c
%h0 = tensor.extract %c[%i1] : $c
%l = arith.index_cast %l0 : i64 to index
%h = arith.index_cast %h0 : i64 to index
%v = scf.for %j = %l to %h step %c1 iter_args(%acc = %zero) -> f32 {
  %w = tensor.extract %a[%j] : $a
  %k0 = tensor.extract %b[%j] : $b
  %k = arith.index_cast %k0 : i64 to index
  %u = tensor.extract %d[%k] : $d
  %p = arith.mulf %w, %u : f32
  %q = arith.addf %acc, %p : f32
  scf.yield %q : f32
}
yield %v f32""",
    ),
    csr,
    1e-5,
)


def philox(seed):
    counter, key = np.arange(10, dtype=np.uint64), int(seed)
    low, high = (counter & 0xFFFFFFFF).astype(object), np.zeros(10, object)
    for _ in range(6):
        product = low * 0xD256D193
        low, high = ((product >> 32) ^ key ^ high) & 0xFFFFFFFF, product & 0xFFFFFFFF
        key = (key + 0x9E3779B9) & 0xFFFFFFFF
    bits = low.astype(np.uint32)
    return bits.view(np.int32), ((bits >> 9) | 0x3F800000).astype(np.uint32).view(np.float32) - np.float32(1)


form(
    "random-bits",
    [np.array(1234567, np.int32)],
    "%key = tensor.extract %a[] : $a\n%zero = arith.constant 0 : i32\n%mul = arith.constant 0xD256D193 : i32\n"
    "%weyl = arith.constant 0x9E3779B9 : i32\n%n9 = arith.constant 9 : i32\n%bits = arith.constant 0x3F800000 : i32\n"
    "%one = arith.constant 1.0 : f32\n%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n"
    "%c6 = arith.constant 6 : index\n"
    + empty("%t0", "$r")
    + empty("%t1", "$s")
    + generic(
        "%t2:2",
        "->i,i",
        "",
        "%t0 $r i32; %t1 $s f32",
        """%i = linalg.index 0 : index
%c = arith.index_cast %i : index to i32
%l, %h, %k9 = scf.for %n = %c0 to %c6 step %c1 iter_args(%x = %c, %y = %zero, %k = %key) -> (i32, i32, i32) {
  %p, %q = arith.mului_extended %x, %mul : i32
  %u = arith.xori %q, %k : i32
  %v = arith.xori %u, %y : i32
  %k1 = arith.addi %k, %weyl : i32
  scf.yield %v, %p, %k1 : i32, i32, i32
}
%m = arith.shrui %l, %n9 : i32
%o = arith.ori %m, %bits : i32
%f = arith.bitcast %o : i32 to f32
%g = arith.subf %f, %one : f32
yield %l i32, %g f32""",
    )
    + "%r = tensor.cast %t2#0 : $r to $r\n%s = tensor.cast %t2#1 : $s to $s",
    philox,
    0,
)


def suppress(scores, overlap):
    kept, alive, count = np.full(6, -1, I64), np.ones(6, bool), 0
    for _ in range(6):
        best = max((i for i in range(6) if alive[i]), key=lambda i: scores[i], default=None)
        if best is None:
            break
        kept[count] = best
        count += 1
        alive &= overlap[best] <= 0.5
        alive[best] = False
    return kept, np.int64(count)


OVERLAP = np.abs(normal(6, 6, seed=3))
form(
    "suppress-overlaps",
    [normal(6), ((OVERLAP + OVERLAP.T) / 3).astype(np.float32)],
    INDICES
    + "%c6 = arith.constant 6 : index\n%half = arith.constant 0.5 : f32\n%low = arith.constant 0xFF800000 : f32\n"
    "%yes = arith.constant true\n%no = arith.constant false\n"
    + fill("%k", "$r", "-1", "i64")
    + "%r, %n, %last = scf.while (%o = %k, %m = %c0, %x = %a) : ($r, index, $a) -> ($r, index, $a) {\n"
    "%g = scf.for %i = %c0 to %c6 step %c1 iter_args(%any = %no) -> i1 {\n"
    "%v = tensor.extract %x[%i] : $a\n%p = arith.cmpf one, %v, %low : f32\n%q = arith.ori %any, %p : i1\n"
    "scf.yield %q : i1\n}\nscf.condition(%g) %o, %m, %x : $r, index, $a\n} do {\n"
    "^bb0(%o: $r, %m: index, %x: $a):\n"
    "%b0:2 = scf.for %i = %c0 to %c6 step %c1 iter_args(%v = %low, %j = %c0) -> (f32, index) {\n"
    "%u = tensor.extract %x[%i] : $a\n%p = arith.cmpf ogt, %u, %v : f32\n"
    "%w = arith.select %p, %u, %v : f32\n%k0 = arith.select %p, %i, %j : index\nscf.yield %w, %k0 : f32, index\n}\n"
    "%h = arith.index_cast %b0#1 : index to i64\n%o2 = tensor.insert %h into %o[%m] : $r\n"
    "%m2 = arith.addi %m, %c1 : index\n"
    "%row = tensor.extract_slice %b[%b0#1, 0] [1, 6] [1, 1] : $b to tensor<6xf32>\n"
    + generic(
        "%x2",
        "i,i->i",
        "%x $a f32; %row tensor<6xf32> f32",
        "%a $a f32",
        "%i = linalg.index 0 : index\n%e = arith.cmpi eq, %i, %b0#1 : index\n%p = arith.cmpf ogt, %x1, %half : f32\n"
        "%q = arith.ori %e, %p : i1\n%v = arith.select %q, %low, %x0 : f32\nyield %v f32",
    )
    + "scf.yield %o2, %m2, %x2 : $r, index, $a\n}\n%n64 = arith.index_cast %n : index to i64\n"
    "%s = tensor.from_elements %n64 : $s",
    suppress,
    0,
)


def samples(x, g):
    out = np.zeros((1, 2, 3, 4), np.float32)
    for i, j in np.ndindex(3, 4):
        px, py = (g[0, i, j, 0] + 1) * 3 - 0.5, (g[0, i, j, 1] + 1) * 2.5 - 0.5
        for dy, dx in np.ndindex(2, 2):
            cx, cy = int(np.floor(px)) + dx, int(np.floor(py)) + dy
            if 0 <= cx < 6 and 0 <= cy < 5:
                out[0, :, i, j] += x[0, :, cy, cx] * (1 - abs(px - cx)) * (1 - abs(py - cy))
    return out


form(
    "bilinear-samples",
    [normal(1, 2, 5, 6), (np.random.default_rng(5).uniform(-1.2, 1.2, (1, 3, 4, 2))).astype(np.float32)],
    INDICES + "%one = arith.constant 1.0 : f32\n%half = arith.constant 0.5 : f32\n%zero = arith.constant 0.0 : f32\n"
    "%w = arith.constant 6.0 : f32\n%h = arith.constant 5.0 : f32\n%iw = arith.constant 6 : i64\n"
    "%ih = arith.constant 5 : i64\n%z = arith.constant 0 : i64\n"
    + empty("%t0", "$r")
    + mapped(
        "%r",
        "n c i j",
        ["n, c, i, j"],
        "",
        "%t0 $r f32",
        """%n = linalg.index 0 : index
%ch = linalg.index 1 : index
%i = linalg.index 2 : index
%j = linalg.index 3 : index
%gx = tensor.extract %b[%n, %i, %j, %c0] : $b
%gy = tensor.extract %b[%n, %i, %j, %c1] : $b
%sx = arith.addf %gx, %one : f32
%sy = arith.addf %gy, %one : f32
%tx = arith.mulf %sx, %w : f32
%ty = arith.mulf %sy, %h : f32
%ux = arith.mulf %tx, %half : f32
%uy = arith.mulf %ty, %half : f32
%x = arith.subf %ux, %half : f32
%y = arith.subf %uy, %half : f32
%fx = math.floor %x : f32
%fy = math.floor %y : f32
%v = scf.for %p = %c0 to %c2 step %c1 iter_args(%acc = %zero) -> f32 {
  %q = scf.for %o = %c0 to %c2 step %c1 iter_args(%sum = %acc) -> f32 {
    %po = arith.index_cast %p : index to i64
    %oo = arith.index_cast %o : index to i64
    %pf = arith.sitofp %po : i64 to f32
    %of = arith.sitofp %oo : i64 to f32
    %cx = arith.addf %fx, %of : f32
    %cy = arith.addf %fy, %pf : f32
    %dx0 = arith.subf %x, %cx : f32
    %dy0 = arith.subf %y, %cy : f32
    %dx1 = math.absf %dx0 : f32
    %dy1 = math.absf %dy0 : f32
    %dx = arith.subf %one, %dx1 : f32
    %dy = arith.subf %one, %dy1 : f32
    %kx = arith.fptosi %cx : f32 to i64
    %ky = arith.fptosi %cy : f32 to i64
    %ax = arith.cmpi ult, %kx, %iw : i64
    %ay = arith.cmpi ult, %ky, %ih : i64
    %in = arith.andi %ax, %ay : i1
    %mx = arith.select %in, %kx, %z : i64
    %my = arith.select %in, %ky, %z : i64
    %lx = arith.index_cast %mx : i64 to index
    %ly = arith.index_cast %my : i64 to index
    %e = tensor.extract %a[%n, %ch, %ly, %lx] : $a
    %f = arith.select %in, %e, %zero : f32
    %m0 = arith.mulf %f, %dx : f32
    %m1 = arith.mulf %m0, %dy : f32
    %s0 = arith.addf %sum, %m1 : f32
    scf.yield %s0 : f32
  }
  scf.yield %q : f32
}
yield %v f32""",
    ),
    samples,
    1e-4,
)
