#!/usr/bin/env python3
"""Prints a program for the host whose status is the number of operations whose results differ between f16 vectors and
f16 scalars, except for NaNs. Each f16 value is an operand, together with another one."""

N = 16
# An operation on {a} and {b} of type {h} (f16 or a vector of it), with {f} and {d} for f32 and f64, and {i} for i16.
OPS = {
    "extend": ("f", "arith.extf {a} : {h} to {f}"),
    "extend_far": ("d", "arith.extf {a} : {h} to {d}"),
    "near": (
        "h",
        "%x = arith.extf {a} : {h} to {f}",
        "%c = arith.constant {1.0007} : {f}",
        "%y = arith.mulf %x, %c : {f}",
        "arith.truncf %y : {f} to {h}",
    ),
    "far": ("h", "%x = arith.extf {a} : {h} to {f}", "%y = arith.mulf %x, %x : {f}", "arith.truncf %y : {f} to {h}"),
    "twice": (
        "h",
        "%x = arith.extf {a} : {h} to {d}",
        "%c = arith.constant {1.000488281251} : {d}",
        "%y = arith.mulf %x, %c : {d}",
        "arith.truncf %y : {d} to {h}",
    ),
    "add": ("h", "arith.addf {a}, {b} : {h}"),
    "sub": ("h", "arith.subf {a}, {b} : {h}"),
    "mul": ("h", "arith.mulf {a}, {b} : {h}"),
    "div": ("h", "arith.divf {a}, {b} : {h}"),
    "neg": ("h", "arith.negf {a} : {h}"),
    "abs": ("h", "math.absf {a} : {h}"),
    "max": ("h", "arith.maximumf {a}, {b} : {h}"),
    "min": ("h", "arith.minnumf {a}, {b} : {h}"),
    "muladd": ("h", "%x = arith.mulf {a}, {b} : {h}", "arith.addf %x, {b} : {h}"),
    "less": ("h", "%x = arith.cmpf olt, {a}, {b} : {h}", "arith.select %x, {a}, {b} : {cond}{h}"),
    "unlike": ("h", "%x = arith.cmpf une, {a}, {b} : {h}", "arith.select %x, {a}, {b} : {cond}{h}"),
    "signed": (
        "h",
        "%x = arith.bitcast {a} : {h} to {i}",
        "%y = arith.muli %x, %x : {i}",
        "arith.sitofp %y : {i} to {h}",
    ),
    "unsigned": (
        "h",
        "%x = arith.bitcast {a} : {h} to {i}",
        "%y = arith.muli %x, %x : {i}",
        "arith.uitofp %y : {i} to {h}",
    ),
    "integer": (
        "i",
        "%x = arith.bitcast {a} : {h} to {i}",
        "%c = arith.constant {29} : {i}",
        "%w = arith.remsi %x, %c : {i}",
        "%y = arith.sitofp %w : {i} to {h}",
        "arith.fptosi %y : {h} to {i}",
    ),
    "sum": ("one", None),
    "product": ("one", None),
    "most": ("one", None),
}
REDUCTIONS = {"sum": ("add", "arith.addf"), "product": ("mul", "arith.mulf"), "most": ("maximumf", "arith.maximumf")}
SIZE = {"h": 16, "f": 32, "d": 64, "i": 16, "one": 16}
FLOAT = {"h": "f16", "f": "f32", "d": "f64", "i": "i16", "one": "f16"}


def lines(op, shape):
    """Returns the op on scalars, or on vectors if `shape` has a size."""
    names = {k: f"vector<{shape}x{t}>" if shape else t for k, t in FLOAT.items()}
    names.update(a="%a", b="%b", cond=f"vector<{shape}xi1>, " if shape else "")
    *before, last = op[1:]
    out = []
    for line in [*before, "%r = " + last]:
        if "constant" in line:
            value = line[line.index("{") + 1 : line.index("}")]
            line = line.replace("{" + value + "}", f"dense<{value}>" if shape else value)
        out.append("    " + line.format(**names))
    return out


def main():
    m = f"memref<{N}xf16>"
    out, calls = [], []
    for name, op in OPS.items():
        kind = op[0]
        count = 1 if kind == "one" else N
        t = f"memref<{count}x{FLOAT[kind]}>"
        args = f"%ma: {m}, %mb: {m}, %out: {t}"
        out += [
            f"func.func @vectors_{name}({args}) {{",
            "    %c0 = arith.constant 0 : index",
            f"    %a = vector.load %ma[%c0] : {m}, vector<{N}xf16>",
        ]
        if kind == "one":
            how, scalar = REDUCTIONS[name]
            out += [
                f"    %r = vector.reduction <{how}>, %a : vector<{N}xf16> into f16",
                f"    memref.store %r, %out[%c0] : {t}",
            ]
        else:
            out += (
                [f"    %b = vector.load %mb[%c0] : {m}, vector<{N}xf16>"]
                + lines(op, N)
                + [f"    vector.store %r, %out[%c0] : {t}, vector<{N}x{FLOAT[kind]}>"]
            )
        out += ["    return", "}"]
        first = 1 if kind == "one" else 0
        out += [
            f"func.func @scalars_{name}({args}) {{",
            "    %c0 = arith.constant 0 : index",
            f"    %first = arith.constant {first} : index",
            "    %c1 = arith.constant 1 : index",
            f"    %n = arith.constant {N} : index",
        ]
        if kind == "one":
            out += [f"    %start = memref.load %ma[%c0] : {m}", f"    memref.store %start, %out[%c0] : {t}"]
        out += ["    scf.for %i = %first to %n step %c1 {", f"    %a = memref.load %ma[%i] : {m}"]
        if kind == "one":
            out += [
                f"    %s = memref.load %out[%c0] : {t}",
                f"    %r = {scalar} %s, %a : f16",
                f"    memref.store %r, %out[%c0] : {t}",
            ]
        else:
            out += [f"    %b = memref.load %mb[%i] : {m}"] + lines(op, 0) + [f"    memref.store %r, %out[%i] : {t}"]
        out += ["    }", "    return", "}"]
        # Returns 1 if all blocks agree, otherwise 0.
        same = (
            "    %nan = arith.cmpf uno, %x, %y : {t}\n    %z = arith.bitcast %x : {t} to i{b}\n"
            "    %w = arith.bitcast %y : {t} to i{b}\n    %eq = arith.cmpi eq, %z, %w : i{b}\n"
            "    %xn = arith.cmpf uno, %x, %x : {t}\n    %yn = arith.cmpf uno, %y, %y : {t}\n"
            "    %both = arith.andi %xn, %yn : i1\n    %ok = arith.ori %eq, %both : i1"
        )
        if kind == "i":
            same = "    %ok = arith.cmpi eq, %x, %y : i16"
        out += [
            f"func.func @check_{name}() -> i32 {{",
            "    %c0 = arith.constant 0 : index",
            "    %c1 = arith.constant 1 : index",
            f"    %n = arith.constant {N} : index",
            f"    %blocks = arith.constant {65536 // N} : index",
            f"    %count = arith.constant {count} : index",
            "    %true = arith.constant true",
            f"    %ma = memref.alloca() : {m}",
            f"    %mb = memref.alloca() : {m}",
            f"    %v = memref.alloca() : {t}",
            f"    %s = memref.alloca() : {t}",
            "    %factor = arith.constant 40503 : i32",
            "    %plus = arith.constant 77 : i32",
            "    %all = scf.for %block = %c0 to %blocks step %c1 iter_args(%good = %true) -> (i1) {",
            "    %start = arith.muli %block, %n : index",
            "    scf.for %i = %c0 to %n step %c1 {",
            "    %at = arith.addi %start, %i : index",
            "    %p = arith.index_cast %at : index to i32",
            "    %q = arith.muli %p, %factor : i32",
            "    %o = arith.addi %q, %plus : i32",
            "    %pa = arith.trunci %p : i32 to i16",
            "    %pb = arith.trunci %o : i32 to i16",
            "    %a = arith.bitcast %pa : i16 to f16",
            "    %b = arith.bitcast %pb : i16 to f16",
            f"    memref.store %a, %ma[%i] : {m}",
            f"    memref.store %b, %mb[%i] : {m}",
            "    }",
            f"    func.call @vectors_{name}(%ma, %mb, %v) : ({m}, {m}, {t}) -> ()",
            f"    func.call @scalars_{name}(%ma, %mb, %s) : ({m}, {m}, {t}) -> ()",
            "    %now = scf.for %i = %c0 to %count step %c1 iter_args(%so = %good) -> (i1) {",
            f"    %x = memref.load %v[%i] : {t}",
            f"    %y = memref.load %s[%i] : {t}",
            same.format(t=FLOAT[kind], b=SIZE[kind]),
            "    %and = arith.andi %so, %ok : i1",
            "    scf.yield %and : i1",
            "    }",
            "    scf.yield %now : i1",
            "    }",
            "    %bad = arith.xori %all, %true : i1",
            "    %r = arith.extui %bad : i1 to i32",
            "    return %r : i32",
            "}",
        ]
        calls.append(name)
    out += ["func.func @main() -> i32 {", "    %r0 = arith.constant 0 : i32"]
    for i, name in enumerate(calls):
        out += [f"    %c{i} = call @check_{name}() : () -> i32", f"    %r{i + 1} = arith.addi %r{i}, %c{i} : i32"]
    out += [f"    return %r{len(calls)} : i32", "}"]
    print("\n".join(out))


main()
