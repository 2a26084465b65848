"""Algorithms on tensors."""

import numpy as np

from forms import form
from programs import integers, normal
from texts import empty, fill, generic, pad

I64 = np.int64


def jac(x):
    for _ in range(5):
        y = x.copy()
        y[1:-1, 1:-1] = (x[:-2, 1:-1] + x[2:, 1:-1] + (x[1:-1, :-2] + x[1:-1, 2:])) * np.float32(0.25)
        x = y
    return x


def gol(x):
    p = np.pad(x, 1)
    s = sum(p[i : i + 6, j : j + 6] for i in range(3) for j in range(3))
    return ((s == 3) | ((s == 4) & (x == 1))).astype(np.int32)


def mandel():
    out = np.zeros((12, 12), np.int32)
    for i, j in np.ndindex(12, 12):
        z = 0j
        c = complex(j * 0.25 - 2, i * 0.25 - 2)
        n = 0
        for _ in range(20):
            if abs(z) ** 2 > 4:
                break
            z = z * z + c
            n += 1
        out[i, j] = n
    return out


def ed(a, b):
    t = np.add.outer(np.arange(7), np.arange(6)).astype(np.int32)
    for i in range(6):
        for j in range(5):
            t[i + 1, j + 1] = min(t[i, j] + (a[i] != b[j]), t[i, j + 1] + 1, t[i + 1, j] + 1)
    return t


def pi(a, v):
    for _ in range(4):
        v = a @ v
        v = v / np.sqrt(v @ v)
    return v


form(
    "histogram",
    [integers(40, low=0, high=8, dtype=I64)],
    """
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c40 = arith.constant 40 : index
%one = arith.constant 1 : i32
%z = arith.constant dense<0> : $r
%r = scf.for %i = %c0 to %c40 step %c1 iter_args(%h = %z) -> $r {
  %v = tensor.extract %a[%i] : $a
  %k = arith.index_cast %v : i64 to index
  %o = tensor.extract %h[%k] : $r
  %n = arith.addi %o, %one : i32
  %q = tensor.insert %n into %h[%k] : $r
  scf.yield %q : $r
}""",
    lambda x: np.bincount(x, minlength=8).astype(np.int32),
    0,
)
form(
    "k-means-assign",
    [normal(20, 3), normal(4, 3, seed=1)],
    fill("%t0", "tensor<20x4xf32>")
    + generic(
        "%t1",
        "id,kd->ik",
        "%a $a f32; %b $b f32",
        "%t0 tensor<20x4xf32> f32",
        (
            "%v0 = arith.subf %x0, %x1 : f32\n"
            "%v1 = arith.mulf %v0, %v0 : f32\n"
            "%v2 = arith.addf %y0, %v1 : f32\n"
            "yield %v2 f32"
        ),
        "d",
    )
    + fill("%t2", "tensor<20xf32>", "0x7F800000")
    + fill("%t3", "$r", "0", "i32")
    + generic(
        "%q:2",
        "ik->i,i",
        "%t1 tensor<20x4xf32> f32",
        "%t2 tensor<20xf32> f32; %t3 $r i32",
        (
            "%j0 = linalg.index 1 : index\n"
            "%v0 = arith.index_cast %j0 : index to i32\n"
            "%v1 = arith.cmpf olt, %x0, %y0 : f32\n"
            "%v2 = arith.select %v1, %x0, %y0 : f32\n"
            "%v3 = arith.select %v1, %v0, %y1 : i32\n"
            "yield %v2 f32, %v3 i32"
        ),
        "k",
    )
    + "%r = tensor.cast %q#1 : $r to $r",
    lambda x, c: ((x[:, None] - c) ** 2).sum(2).argmin(1).astype(np.int32),
    0,
)
form(
    "jacobi",
    [normal(8, 8)],
    """
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c5 = arith.constant 5 : index
%q = arith.constant 0.25 : f32
%r = scf.for %t = %c0 to %c5 step %c1 iter_args(%g = %a) -> $a {
  %n = tensor.extract_slice %g[0, 1] [6, 6] [1, 1] : $a to tensor<6x6xf32>
  %s = tensor.extract_slice %g[2, 1] [6, 6] [1, 1] : $a to tensor<6x6xf32>
  %w = tensor.extract_slice %g[1, 0] [6, 6] [1, 1] : $a to tensor<6x6xf32>
  %e = tensor.extract_slice %g[1, 2] [6, 6] [1, 1] : $a to tensor<6x6xf32>
"""
    + empty("%t0", "tensor<6x6xf32>")
    + generic(
        "%m",
        "ij,ij,ij,ij->ij",
        "; ".join(f"{x} tensor<6x6xf32> f32" for x in ("%n", "%s", "%w", "%e")),
        "%t0 tensor<6x6xf32> f32",
        (
            "%v0 = arith.addf %x0, %x1 : f32\n"
            "%v1 = arith.addf %x2, %x3 : f32\n"
            "%v2 = arith.addf %v0, %v1 : f32\n"
            "%v3 = arith.mulf %v2, %q : f32\n"
            "yield %v3 f32"
        ),
    )
    + ("%o = tensor.insert_slice %m into %g[1, 1] [6, 6] [1, 1] : tensor<6x6xf32> into $a\n" "scf.yield %o : $a\n" "}"),
    lambda x: jac(x),
)
form(
    "game-of-life",
    [(integers(6, 6) > 0).astype(np.int32)],
    pad("%t0", "%a", "$a", [1, 1], [1, 1], "tensor<8x8xi32>", "0", "i32")
    + fill("%t1", "$r", "0", "i32")
    + "%t2 = tensor.empty() : tensor<3x3xi32>\n"
    + (
        "%t3 = linalg.generic {indexing_maps = [affine_map<(h, w, i, j) -> (h + i, w + j)>, "
        "affine_map<(h, w, i, j) -> (i, j)>, affine_map<(h, w, i, j) -> (h, w)>], iterator_types = "
        '["parallel", "parallel", "reduction", "reduction"]} ins(%t0, %t2 : tensor<8x8xi32>, '
        "tensor<3x3xi32>) outs(%t1 : $r) {\n"
        "^bb0(%x: i32, %k: i32, %y: i32):\n"
        "%v = arith.addi %x, %y : i32\n"
        "linalg.yield %v : i32\n"
        "} -> $r\n"
        "%c3 = arith.constant 3 : i32\n"
        "%c4 = arith.constant 4 : i32\n"
    )
    + generic(
        "%r",
        "ij,ij->ij",
        "%t3 $r i32; %a $a i32",
        "%t1_e $r i32",
        (
            "%v0 = arith.cmpi eq, %x0, %c3 : i32\n"
            "%v1 = arith.cmpi eq, %x0, %c4 : i32\n"
            "%v2 = arith.extui %v1 : i1 to i32\n"
            "%v3 = arith.andi %v2, %x1 : i32\n"
            "%v4 = arith.extui %v0 : i1 to i32\n"
            "%v5 = arith.ori %v3, %v4 : i32\n"
            "yield %v5 i32"
        ),
    ),
    lambda x: gol(x),
    0,
)
form(
    "mandelbrot",
    [],
    empty("%t0", "$r")
    + (
        "%c0 = arith.constant 0 : index\n"
        "%c1 = arith.constant 1 : index\n"
        "%c20 = arith.constant 20 : index\n"
        "%z = arith.constant 0.0 : f32\n"
        "%zi = arith.constant 0 : i32\n"
        "%oi = arith.constant 1 : i32\n"
        "%four = arith.constant 4.0 : f32\n"
        "%two = arith.constant 2.0 : f32\n"
        "%st = arith.constant 0.25 : f32\n"
    )
    + generic(
        "%r",
        "ij->ij",
        "",
        "%t0 $r i32",
        """%i0 = linalg.index 0 : index
%j0 = linalg.index 1 : index
%i1 = arith.index_cast %i0 : index to i32
%j1 = arith.index_cast %j0 : index to i32
%i2 = arith.sitofp %i1 : i32 to f32
%j2 = arith.sitofp %j1 : i32 to f32
%i3 = arith.mulf %i2, %st : f32
%j3 = arith.mulf %j2, %st : f32
%ci = arith.subf %i3, %two : f32
%cr = arith.subf %j3, %two : f32
%q:3 = scf.for %k = %c0 to %c20 step %c1 iter_args(%zr = %z, %zz = %z, %n = %zi) -> (f32, f32, i32) {
  %a0 = arith.mulf %zr, %zr : f32
  %b0 = arith.mulf %zz, %zz : f32
  %m = arith.addf %a0, %b0 : f32
  %in = arith.cmpf ole, %m, %four : f32
  %w:3 = scf.if %in -> (f32, f32, i32) {
    %d0 = arith.subf %a0, %b0 : f32
    %d1 = arith.addf %d0, %cr : f32
    %e0 = arith.mulf %zr, %zz : f32
    %e1 = arith.mulf %e0, %two : f32
    %e2 = arith.addf %e1, %ci : f32
    %n1 = arith.addi %n, %oi : i32
    scf.yield %d1, %e2, %n1 : f32, f32, i32
  } else {
    scf.yield %zr, %zz, %n : f32, f32, i32
  }
  scf.yield %w#0, %w#1, %w#2 : f32, f32, i32
}
yield %q#2 i32""",
    ),
    lambda: mandel(),
    0,
)
form(
    "edit-distance",
    [integers(6, low=0, high=3), integers(5, low=0, high=3, seed=1)],
    """
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c6 = arith.constant 6 : index
%c5 = arith.constant 5 : index
%one = arith.constant 1 : i32
%zero = arith.constant 0 : i32
%t0 = tensor.generate {
^bb0(%i: index, %j: index):
  %s = arith.addi %i, %j : index
  %v = arith.index_cast %s : index to i32
  tensor.yield %v : i32
} : tensor<7x6xi32>
%d0 = scf.for %i = %c0 to %c6 step %c1 iter_args(%p = %t0) -> tensor<7x6xi32> {
  %d1 = scf.for %j = %c0 to %c5 step %c1 iter_args(%q = %p) -> tensor<7x6xi32> {
    %i1 = arith.addi %i, %c1 : index
    %j1 = arith.addi %j, %c1 : index
    %x = tensor.extract %a[%i] : $a
    %y = tensor.extract %b[%j] : $b
    %ne = arith.cmpi ne, %x, %y : i32
    %k = arith.extui %ne : i1 to i32
    %u = tensor.extract %q[%i, %j] : tensor<7x6xi32>
    %v = tensor.extract %q[%i, %j1] : tensor<7x6xi32>
    %w = tensor.extract %q[%i1, %j] : tensor<7x6xi32>
    %u1 = arith.addi %u, %k : i32
    %v1 = arith.addi %v, %one : i32
    %w1 = arith.addi %w, %one : i32
    %m = arith.minsi %u1, %v1 : i32
    %n = arith.minsi %m, %w1 : i32
    %o = tensor.insert %n into %q[%i1, %j1] : tensor<7x6xi32>
    scf.yield %o : tensor<7x6xi32>
  }
  scf.yield %d1 : tensor<7x6xi32>
}
%r = tensor.extract_slice %d0[0, 0] [7, 6] [1, 1] : tensor<7x6xi32> to $r""",
    lambda a, b: ed(a, b),
    0,
)
form(
    "power-iteration",
    [normal(6, 6), normal(6, seed=1)],
    """
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c4 = arith.constant 4 : index
%z = arith.constant 0.0 : f32
%r = scf.for %i = %c0 to %c4 step %c1 iter_args(%v = %b) -> $b {
  %e = tensor.empty() : $b
  %f = linalg.fill ins(%z : f32) outs(%e : $b) -> $b
  %w = linalg.matvec ins(%a, %v : $a, $b) outs(%f : $b) -> $b
  %s = tensor.empty() : tensor<f32>
  %g = linalg.fill ins(%z : f32) outs(%s : tensor<f32>) -> tensor<f32>
  %d = linalg.dot ins(%w, %w : $b, $b) outs(%g : tensor<f32>) -> tensor<f32>
  %n = math.sqrt %d : tensor<f32>
"""
    + generic(
        "%u",
        "i,->i",
        "%w $b f32; %n tensor<f32> f32",
        "%e $b f32",
        ("%v0 = arith.divf %x0, %x1 : f32\n" "yield %v0 f32"),
    )
    + ("scf.yield %u : $b\n" "}"),
    lambda a, v: pi(a, v),
    1e-4,
)
form(
    "prefix-scan-doubling",
    [normal(16)],
    """
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%z = arith.constant 0.0 : f32
%c16 = arith.constant 16 : index
%q:2 = scf.while (%s = %c1, %x = %a) : (index, $a) -> (index, $a) {
  %g = arith.cmpi ult, %s, %c16 : index
  scf.condition(%g) %s, %x : index, $a
} do {
^bb0(%s: index, %x: $a):
  %e = tensor.empty() : $a
"""
    + generic(
        "%y",
        "i->i",
        "%x $a f32",
        "%e $a f32",
        (
            "%i0 = linalg.index 0 : index\n"
            "%v0 = arith.cmpi uge, %i0, %s : index\n"
            "%v1 = arith.subi %i0, %s : index\n"
            "%v2 = arith.select %v0, %v1, %c0 : index\n"
            "%v3 = tensor.extract %x[%v2] : $a\n"
            "%v4 = arith.select %v0, %v3, %z : f32\n"
            "%v5 = arith.addf %x0, %v4 : f32\n"
            "yield %v5 f32"
        ),
    )
    + ("%n = arith.muli %s, %c2 : index\n" "scf.yield %n, %y : index, $a\n" "}\n" "%r = tensor.cast %q#1 : $a to $a"),
    lambda x: np.cumsum(x),
    1e-4,
)
