"""The cases of places.py.

A case is code on two inputs %A and %B and an output %O of f32, written for one thread: linalg, parallel and affine
loops, vectors, control flow. TA, TB and TO stand for the types of the buffers, and view<…> for a memref of that
layout in the buffers' memory space. Values are small integers, or a few steps from them, so that sums are the same in
any order.
"""

CASES = []


def c(name, ins, out, body):
    CASES.append((name, ins, out, body))


c("matmul_odd", ["17x9", "9x23"], "17x23", "linalg.matmul ins(%A, %B : TA, TB) outs(%O : TO)")
c("matvec", ["65x33", "33"], "65", "linalg.matvec ins(%A, %B : TA, TB) outs(%O : TO)")
c("vecmat", ["33", "33x65"], "65", "linalg.vecmat ins(%A, %B : TA, TB) outs(%O : TO)")
c("dot", ["130", "130"], "", "linalg.dot ins(%A, %B : TA, TB) outs(%O : TO)")
c("batch", ["3x5x7", "3x7x4"], "3x5x4", "linalg.batch_matmul ins(%A, %B : TA, TB) outs(%O : TO)")
c("conv", ["12x13", "3x3"], "10x11", "linalg.conv_2d ins(%A, %B : TA, TB) outs(%O : TO)")
c("conv1", ["70", "5"], "66", "linalg.conv_1d ins(%A, %B : TA, TB) outs(%O : TO)")
c("pool", ["1x10x10x3", "3x3"], "1x8x8x3", "linalg.pooling_nhwc_max ins(%A, %B : TA, TB) outs(%O : TO)")
c("transp", ["7x11", "1"], "11x7", "linalg.transpose ins(%A : TA) outs(%O : TO) permutation = [1, 0]")
c("bcast", ["11", "1"], "7x11", "linalg.broadcast ins(%A : TA) outs(%O : TO) dimensions = [0]")
c("reduce", ["7x11", "1"], "7", "linalg.reduce { arith.addf } ins(%A : TA) outs(%O : TO) dimensions = [1]")
c("reduce0", ["7x11", "1"], "11", "linalg.reduce { arith.maximumf } ins(%A : TA) outs(%O : TO) dimensions = [0]")
c("map", ["7x11", "7x11"], "7x11", "linalg.map { arith.mulf } ins(%A, %B : TA, TB) outs(%O : TO)")
c(
    "idx",
    ["7x11", "1"],
    "7x11",
    """linalg.generic {indexing_maps = [affine_map<(i,j)->(i,j)>, affine_map<(i,j)->(i,j)>],\
 iterator_types = ["parallel","parallel"]} ins(%A : TA) outs(%O : TO) {
^bb0(%x: f32, %y: f32):
  %i = linalg.index 0 : index
  %j = linalg.index 1 : index
  %s = arith.muli %i, %j : index
  %t = arith.index_cast %s : index to i32
  %f = arith.sitofp %t : i32 to f32
  %r = arith.addf %f, %x : f32
  linalg.yield %r : f32 }""",
)
c(
    "gath",
    ["64", "64"],
    "64",
    """linalg.generic {indexing_maps = [affine_map<(i)->(i)>, affine_map<(i)->(i)>], iterator_types = ["parallel"]}\
 ins(%A : TA) outs(%O : TO) {
^bb0(%x: f32, %y: f32):
  %i = linalg.index 0 : index
  %c63 = arith.constant 63 : index
  %k = arith.subi %c63, %i : index
  %v = memref.load %B[%k] : TB
  %r = arith.addf %v, %x : f32
  linalg.yield %r : f32 }""",
)
c(
    "diag",
    ["9x9", "1"],
    "9",
    """linalg.generic {indexing_maps = [affine_map<(i)->(i,i)>, affine_map<(i)->(i)>],\
 iterator_types = ["parallel"]} ins(%A : TA) outs(%O : TO) {
^bb0(%x: f32, %y: f32):
  linalg.yield %x : f32 }""",
)
c(
    "softmaxish",
    ["5x70", "1"],
    "5x70",
    """
%z = arith.constant 0.0 : f32
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c5 = arith.constant 5 : index
%c70 = arith.constant 70 : index
scf.for %i = %c0 to %c5 step %c1 {
  %s = scf.parallel (%j) = (%c0) to (%c70) step (%c1) init (%z) -> f32 {
    %v = memref.load %A[%i, %j] : TA
    scf.reduce(%v : f32) {
    ^bb0(%l: f32, %r: f32):
      %q = arith.maximumf %l, %r : f32
      scf.reduce.return %q : f32
    }
  }
  scf.parallel (%j) = (%c0) to (%c70) step (%c1) {
    %v = memref.load %A[%i, %j] : TA
    %w = arith.subf %v, %s : f32
    memref.store %w, %O[%i, %j] : TO
  }
}""",
)
c(
    "carry",
    ["40", "1"],
    "40",
    """
%z = arith.constant 1.0 : f32
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c5 = arith.constant 5 : index
%c40 = arith.constant 40 : index
%e = scf.for %i = %c0 to %c5 step %c1 iter_args(%acc = %z) -> (f32) {
  scf.parallel (%j) = (%c0) to (%c40) step (%c1) {
    %v = memref.load %A[%j] : TA
    %w = arith.mulf %v, %acc : f32
    memref.store %w, %O[%j] : TO
  }
  %v = memref.load %O[%i] : TO
  %n = arith.addf %v, %acc : f32
  scf.yield %n : f32
}
memref.store %e, %O[%c1] : TO""",
)
c(
    "whil",
    ["40", "1"],
    "40",
    """
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c7 = arith.constant 7 : index
%c40 = arith.constant 40 : index
%r = scf.while (%i = %c0) : (index) -> index {
  %v = memref.load %A[%i] : TA
  %big = arith.constant 100.0 : f32
  %small = arith.cmpf olt, %v, %big : f32
  %more = arith.cmpi slt, %i, %c7 : index
  %go = arith.andi %small, %more : i1
  scf.condition(%go) %i : index
} do {
^bb0(%i: index):
  scf.parallel (%j) = (%i) to (%c40) step (%c7) {
    %v = memref.load %A[%j] : TA
    memref.store %v, %O[%j] : TO
  }
  %n = arith.addi %i, %c1 : index
  scf.yield %n : index
}
%x = memref.load %A[%r] : TA
memref.store %x, %O[%c0] : TO""",
)
c(
    "switch",
    ["40", "1"],
    "40",
    """
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c3 = arith.constant 3 : index
%c40 = arith.constant 40 : index
scf.for %i = %c0 to %c3 step %c1 {
  scf.index_switch %i
  case 0 { linalg.fill ins(%F : f32) outs(%O : TO)
    scf.yield }
  case 1 { scf.parallel (%j) = (%c0) to (%c40) step (%c3) {
    %v = memref.load %A[%j] : TA
    memref.store %v, %O[%j] : TO
    }
    scf.yield }
  default { %v = memref.load %O[%c0] : TO
    memref.store %v, %O[%c1] : TO
    scf.yield }
}""",
)
c(
    "forall",
    ["6x14", "1"],
    "6x14",
    """scf.forall (%i, %j) = (1, 2) to (6, 14) step (2, 3) {
  %v = memref.load %A[%i, %j] : TA
  memref.store %v, %O[%i, %j] : TO
}""",
)
c(
    "affine",
    ["20x20", "1"],
    "20x20",
    """affine.for %i = 1 to 19 {
  affine.for %j = 1 to 19 {
    %a = affine.load %A[%i - 1, %j] : TA
    %b = affine.load %A[%i + 1, %j] : TA
    %s = arith.addf %a, %b : f32
    affine.store %s, %O[%i, %j] : TO
  } }""",
)
c(
    "affscan",
    ["70", "1"],
    "70",
    """affine.for %i = 1 to 70 {
    %a = affine.load %O[%i - 1] : TO
    %b = affine.load %A[%i] : TA
    %s = arith.addf %a, %b : f32
    affine.store %s, %O[%i] : TO
  }""",
)
c(
    "affpar",
    ["20x20", "1"],
    "20x20",
    """affine.parallel (%i, %j) = (0, 0) to (20, 20) step (1, 4) {
    %a = affine.load %A[%i, %j] : TA
    affine.store %a, %O[%j, %i] : TO
  }""",
)
# A triangle, whose rows are distributed or not.
for name, rows in [
    ("tri", "scf.parallel (%i) = (%c0) to (%c20) step (%c1)"),
    ("nestp", "scf.for %i = %c0 to %c20 step %c1"),
]:
    c(
        name,
        ["20x20", "1"],
        "20x20",
        """
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c20 = arith.constant 20 : index
"""
        + rows
        + """ {
  scf.parallel (%j) = (%i) to (%c20) step (%c1) {
    %a = memref.load %A[%i, %j] : TA
    memref.store %a, %O[%j, %i] : TO
  } }""",
    )
c(
    "copyrow",
    ["20x20", "1"],
    "20x20",
    """
%c0 = arith.constant 0 : index
%c2 = arith.constant 2 : index
%c20 = arith.constant 20 : index
scf.for %i = %c0 to %c20 step %c2 {
  %a = memref.subview %A[%i, 0] [1, 20] [1, 1] : TA to view<1x20, [20, 1], ?>
  %o = memref.subview %O[0, %i] [20, 1] [1, 1] : TO to view<20x1, [20, 1], ?>
  %t = memref.transpose %o (d0, d1) -> (d1, d0) : view<20x1, [20, 1], ?> to view<1x20, [1, 20], ?>
  memref.copy %a, %t : view<1x20, [20, 1], ?> to view<1x20, [1, 20], ?>
}""",
)
c(
    "vadd",
    ["64", "64"],
    "64",
    """
%c0 = arith.constant 0 : index
%c4 = arith.constant 4 : index
%c64 = arith.constant 64 : index
scf.for %i = %c0 to %c64 step %c4 {
  %a = vector.load %A[%i] : TA, vector<4xf32>
  %b = vector.load %B[%i] : TB, vector<4xf32>
  %s = arith.addf %a, %b : vector<4xf32>
  vector.store %s, %O[%i] : TO, vector<4xf32>
}""",
)
c(
    "vpar",
    ["64", "64"],
    "64",
    """
%c0 = arith.constant 0 : index
%c4 = arith.constant 4 : index
%c64 = arith.constant 64 : index
scf.parallel (%i) = (%c0) to (%c64) step (%c4) {
  %a = vector.load %A[%i] : TA, vector<4xf32>
  %b = vector.load %B[%i] : TB, vector<4xf32>
  %s = arith.addf %a, %b : vector<4xf32>
  vector.store %s, %O[%i] : TO, vector<4xf32>
}""",
)
c(
    "alias",
    ["64", "64"],
    "64",
    """
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c32 = arith.constant 32 : index
%lo = memref.subview %O[0] [32] [1] : TO to view<32, [1], 0>
%hi = memref.subview %O[32] [32] [1] : TO to view<32, [1], 32>
linalg.fill ins(%F : f32) outs(%O : TO)
scf.parallel (%i) = (%c0) to (%c32) step (%c1) {
  %a = memref.load %A[%i] : TA
  memref.store %a, %lo[%i] : view<32, [1], 0>
}
memref.copy %lo, %hi : view<32, [1], 0> to view<32, [1], 32>
scf.parallel (%i) = (%c0) to (%c32) step (%c1) {
  %c31 = arith.constant 31 : index
  %k = arith.subi %c31, %i : index
  %a = memref.load %hi[%k] : view<32, [1], 32>
  %b = arith.addf %a, %F : f32
  memref.store %b, %lo[%i] : view<32, [1], 0>
}""",
)
c(
    "priv",
    ["64", "64"],
    "64",
    """
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c3 = arith.constant 3 : index
%c70 = arith.constant 62 : index
scf.parallel (%i) = (%c0) to (%c70) step (%c1) {
  %l = memref.alloca() : memref<3xf32>
  scf.for %k = %c0 to %c3 step %c1 {
    %p = arith.addi %i, %k : index
    %v = memref.load %A[%p] : TA
    memref.store %v, %l[%k] : memref<3xf32>
  }
  %x = memref.load %l[%c0] : memref<3xf32>
  %y = memref.load %l[%c2] : memref<3xf32>
  %s = arith.addf %x, %y : f32
  memref.store %s, %O[%i] : TO
}""",
)

c(
    "dynbound",
    ["70", "70"],
    "70",
    """
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c3 = arith.constant 3 : index
%c70 = arith.constant 70 : index
%z = arith.constant 0.0 : f32
%big = arith.constant -100.0 : f32
scf.for %q = %c0 to %c70 step %c3 {
  %v = memref.load %A[%q] : TA
  %w = arith.fptosi %v : f32 to i32
  %k7 = arith.constant 7 : i32
  %w2 = arith.muli %w, %k7 : i32
  %ix = arith.index_cast %w2 : i32 to index
  %n0 = arith.maxsi %ix, %c0 : index
  %n = arith.minsi %n0, %c70 : index
  %s:2 = scf.parallel (%j) = (%c0) to (%n) step (%c1) init (%z, %big) -> (f32, f32) {
    %x = memref.load %B[%j] : TB
    %y = memref.load %O[%j] : TO
    scf.reduce(%x, %y : f32, f32) {
    ^bb0(%l: f32, %r: f32):
      %p = arith.addf %l, %r : f32
      scf.reduce.return %p : f32
    }, {
    ^bb0(%l: f32, %r: f32):
      %p = arith.maximumf %l, %r : f32
      scf.reduce.return %p : f32
    }
  }
  %t = arith.cmpf olt, %s#0, %s#1 : f32
  scf.if %t {
    scf.parallel (%j) = (%c0) to (%n) step (%c1) {
      %x = memref.load %O[%j] : TO
      %d = arith.divf %x, %F : f32
      memref.store %d, %O[%j] : TO
    }
    memref.store %s#0, %O[%q] : TO
  } else {
    scf.parallel (%j) = (%n) to (%c70) step (%c3) {
      memref.store %s#1, %O[%j] : TO
    }
  }
}""",
)
c(
    "dynsub",
    ["70", "70"],
    "70",
    """
%c0 = arith.constant 0 : index
%c9 = arith.constant 9 : index
%c70 = arith.constant 70 : index
%c66 = arith.constant 66 : index
scf.for %q = %c0 to %c66 step %c9 {
  %rest = arith.subi %c70, %q : index
  %m0 = arith.minui %rest, %c9 : index
  %o = memref.subview %O[%q] [%m0] [1] : TO to view<?, [1], ?>
  %a = memref.subview %A[%q] [%m0] [1] : TA to view<?, [1], ?>
  %b = memref.subview %B[0] [%m0] [2] : TB to view<?, [2], 0>
  linalg.add ins(%a, %b : view<?, [1], ?>, view<?, [2], 0>) outs(%o : view<?, [1], ?>)
}
%o2 = memref.subview %O[3] [20] [3] : TO to view<20, [3], 3>
%a2 = memref.subview %A[20] [20] [1] : TA to view<20, [1], 20>
memref.copy %a2, %o2 : view<20, [1], 20> to view<20, [3], 3>""",
)
c(
    "twodim",
    ["20x20", "20x20"],
    "20x20",
    """
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c3 = arith.constant 3 : index
%c20 = arith.constant 20 : index
%c17 = arith.constant 17 : index
scf.for %q = %c0 to %c17 step %c3 {
  scf.parallel (%i, %j) = (%q, %c1) to (%c20, %c17) step (%c2, %c3) {
    %x = memref.load %A[%j, %i] : TA
    %y = memref.load %O[%i, %j] : TO
    %d = arith.addf %x, %y : f32
    memref.store %d, %O[%i, %j] : TO
  }
}
scf.parallel (%i, %j, %k) = (%c0, %c0, %c0) to (%c3, %c20, %c1) step (%c1, %c1, %c1) {
  %s = arith.muli %i, %c3 : index
  %x = memref.load %B[%s, %j] : TB
  memref.store %x, %O[%j, %s] : TO
}""",
)
