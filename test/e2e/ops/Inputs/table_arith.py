"""The ops of the arith dialect."""

from ops import Case

FLOATS = ["f16", "bf16", "f32", "f64", "vector<4xf32>", "vector<3xf16>", "vector<2x3xf32>", "vector<2xf64>"]
INTS = ["i8", "i16", "i32", "i64", "index", "vector<4xi32>", "vector<3xi16>", "vector<2x3xi8>", "vector<2xi64>"]


def mask(t):
    """Returns the type of a comparison's result."""
    from ops import Type

    e = Type(t).element
    return t[: t.rindex(e)] + "i1" + t[t.rindex(e) + len(e) :]


CASES = []
NOWHERE = {}

for op in ["addf", "subf", "mulf", "maximumf", "minimumf", "maxnumf", "minnumf"]:
    CASES += [Case(f"arith.{op}", f"{t} {t}", t, f"%r = arith.{op} %a, %b : {t}", {"b": "finite"}) for t in FLOATS]
for op in ["divf", "remf"]:
    CASES += [
        Case(
            f"arith.{op}", f"{t} {t}", t, f"%r = arith.{op} %a, %b : {t}", {"a": "finite", "b": "nonzero"}, exact=False
        )
        for t in FLOATS
    ]
CASES += [Case("arith.negf", t, t, f"%r = arith.negf %a : {t}") for t in FLOATS]
for op in ["addi", "subi", "muli", "andi", "ori", "xori", "maxsi", "minsi", "maxui", "minui"]:
    CASES += [Case(f"arith.{op}", f"{t} {t}", t, f"%r = arith.{op} %a, %b : {t}", {"b": "small"}) for t in INTS]
CASES += [Case("arith.andi", "i1 i1", "i1", "%r = arith.andi %a, %b : i1", {"b": "small"})]
for op in ["divsi", "divui", "remsi", "remui", "ceildivsi", "ceildivui", "floordivsi"]:
    CASES += [
        Case(
            f"arith.{op}",
            f"{t} {t}",
            t,
            f"%r = arith.{op} %a, %b : {t}",
            {"a": "any" if "u" in op else "small", "b": "nonzero"},
        )
        for t in INTS
    ]
for op in ["shli", "shrsi", "shrui"]:
    for t in INTS:
        CASES += [Case(f"arith.{op}", f"{t} {t}", t, f"%r = arith.{op} %a, %b : {t}", {"b": [0, 1, 2, 5, 7]})]
for op in ["addui_extended"]:
    CASES += [
        Case(
            f"arith.{op}",
            f"{t} {t}",
            f"{t} {mask(t)}",
            f"%r, %s = arith.{op} %a, %b : {t}, {mask(t)}",
            {"b": [-1, 1, 77, -5]},
        )
        for t in INTS
    ]
for op in ["mulsi_extended", "mului_extended"]:
    CASES += [
        Case(f"arith.{op}", f"{t} {t}", f"{t} {t}", f"%r, %s = arith.{op} %a, %b : {t}", {"b": [-1, 1, 77, -5]})
        for t in INTS
    ]
for p in ["oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult", "ule", "une", "uno"]:
    CASES += [
        Case("arith.cmpf", f"{t} {t}", mask(t), f"%r = arith.cmpf {p}, %a, %b : {t}", {"b": [0.0, 1.0, -0.5]})
        for t in ["f16", "f32", "vector<2x3xf32>"]
    ]
for p in ["eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"]:
    CASES += [
        Case("arith.cmpi", f"{t} {t}", mask(t), f"%r = arith.cmpi {p}, %a, %b : {t}", {"b": "small"})
        for t in ["i8", "i32", "index", "vector<2x3xi16>"]
    ]
CASES += [
    Case(
        "arith.select",
        f"i1 {t} {t}",
        t,
        f"%r = arith.select %a, %b, %c : {t}",
        {"a": "small", "b": "small", "c": "nonzero"},
    )
    for t in INTS
]
CASES += [
    Case(
        "arith.select",
        f"{mask(t)} {t} {t}",
        t,
        f"%r = arith.select %a, %b, %c : {mask(t)}, {t}",
        {"a": "small", "b": "finite", "c": "any"},
    )
    for t in ["vector<4xf32>", "vector<2x3xf16>"]
]
CASES += [
    Case(
        "arith.constant",
        "i32",
        "vector<2x3xf32>",
        "%r = arith.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : vector<2x3xf32>",
    ),
    Case("arith.constant", "i32", "f16", "%r = arith.constant 1.5 : f16"),
    Case("arith.constant", "i32", "i64", "%r = arith.constant -5000000000 : i64"),
    Case(
        "arith.constant",
        "i32",
        "i8 f32",
        "%t = arith.constant true\n%r = arith.extui %t : i1 to i8\n%s = arith.constant 0x7F800000 : f32",
    ),
]
for a, b in [
    ("f32", "i32"),
    ("f16", "i16"),
    ("f64", "i64"),
    ("i32", "f32"),
    ("vector<4xf32>", "vector<4xi32>"),
    ("vector<2x3xi32>", "vector<2x3xf32>"),
    ("bf16", "f16"),
]:
    CASES.append(Case("arith.bitcast", a, b, f"%r = arith.bitcast %a : {a} to {b}"))
for a, b in [
    ("f16", "f32"),
    ("bf16", "f32"),
    ("f16", "f64"),
    ("f32", "f64"),
    ("vector<4xf16>", "vector<4xf32>"),
    ("vector<2x3xbf16>", "vector<2x3xf32>"),
]:
    CASES.append(Case("arith.extf", a, b, f"%r = arith.extf %a : {a} to {b}"))
    CASES.append(Case("arith.truncf", b, a, f"%r = arith.truncf %a : {b} to {a}"))
for a, b in [
    ("i1", "i32"),
    ("i8", "i16"),
    ("i8", "i64"),
    ("i16", "i32"),
    ("i32", "i64"),
    ("vector<4xi8>", "vector<4xi32>"),
    ("vector<2x3xi16>", "vector<2x3xi64>"),
]:
    for op in ["extsi", "extui"]:
        CASES.append(Case(f"arith.{op}", a, b, f"%r = arith.{op} %a : {a} to {b}"))
    CASES.append(Case("arith.trunci", b, a, f"%r = arith.trunci %a : {b} to {a}"))
for f, i in [
    ("f32", "i32"),
    ("f16", "i16"),
    ("f64", "i64"),
    ("bf16", "i32"),
    ("f32", "i64"),
    ("f64", "i8"),
    ("vector<4xf32>", "vector<4xi32>"),
    ("vector<2x3xf32>", "vector<2x3xi16>"),
]:
    CASES.append(Case("arith.fptosi", f, i, f"%r = arith.fptosi %a : {f} to {i}", "finite"))
    CASES.append(Case("arith.fptoui", f, i, f"%r = arith.fptoui %a : {f} to {i}", "positive"))
    CASES.append(Case("arith.sitofp", i, f, f"%r = arith.sitofp %a : {i} to {f}", "small"))
    CASES.append(Case("arith.uitofp", i, f, f"%r = arith.uitofp %a : {i} to {f}", "positive"))
for i, x in [
    ("i32", "index"),
    ("i8", "index"),
    ("index", "i16"),
    ("i64", "index"),
    ("vector<4xi32>", "vector<4xindex>"),
    ("vector<2x3xindex>", "vector<2x3xi32>"),
]:
    for op in ["index_cast", "index_castui"]:
        CASES.append(Case(f"arith.{op}", i, x, f"%r = arith.{op} %a : {i} to {x}"))
CASES += [
    Case(
        "arith.scaling_extf",
        "f32 f32",
        "f32",
        """
        %v = arith.truncf %a : f32 to f4E2M1FN
        %x = arith.truncf %b : f32 to f8E8M0FNU
        %r = arith.scaling_extf %v, %x : f4E2M1FN, f8E8M0FNU to f32""",
        {"a": [0.5, 1.0, 1.5, -2.0, 3.0, -6.0], "b": [1.0, 2.0, 0.5]},
    ),
    Case(
        "arith.scaling_truncf",
        "f32 f32",
        "f32",
        """
        %x = arith.truncf %b : f32 to f8E8M0FNU
        %v = arith.scaling_truncf %a, %x : f32, f8E8M0FNU to f4E2M1FN
        %r = arith.extf %v : f4E2M1FN to f32""",
        {"a": [0.5, 1.0, 1.5, -2.0, 3.0, -6.0], "b": [1.0, 2.0, 0.5]},
    ),
]
