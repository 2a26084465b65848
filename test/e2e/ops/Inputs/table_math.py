"""The ops of the math dialect."""

from ops import Case
from table_arith import mask

FLOATS = ["f16", "bf16", "f32", "f64", "vector<4xf32>", "vector<3xf16>", "vector<2x3xf32>", "vector<2xf64>"]
INTS = ["i8", "i16", "i32", "i64", "index", "vector<4xi32>", "vector<3xi16>", "vector<2x3xi32>", "vector<2xi64>"]
EXACT = ["absf", "ceil", "floor", "trunc", "round", "roundeven"]
DOMAINS = {
    "acos": "unit",
    "asin": "unit",
    "atanh": "unit",
    "acosh": "ge1",
    "log": "positive",
    "log10": "positive",
    "log2": "positive",
    "log1p": "positive",
    "sqrt": "positive",
    "rsqrt": "positive",
}

CASES = []
NOWHERE = {}

for op in EXACT:
    CASES += [Case(f"math.{op}", t, t, f"%r = math.{op} %a : {t}", exact=True) for t in FLOATS]
for op in [
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atanh",
    "cbrt",
    "cos",
    "cosh",
    "erf",
    "erfc",
    "exp",
    "exp2",
    "expm1",
    "log",
    "log10",
    "log1p",
    "log2",
    "rsqrt",
    "sin",
    "sinh",
    "sqrt",
    "tan",
    "tanh",
]:
    for t in FLOATS:
        # Near poles and zeros, the rounding of the argument dominates the error.
        loose = {"tolerance": 2e-3} if op in ("erfc", "tan") and "f16" in t and "b" not in t else {}
        CASES.append(Case(f"math.{op}", t, t, f"%r = math.{op} %a : {t}", DOMAINS.get(op, "finite"), **loose))
for t in FLOATS:
    CASES.append(Case("math.atan2", f"{t} {t}", t, f"%r = math.atan2 %a, %b : {t}", {"a": "finite", "b": "nonzero"}))
    CASES.append(
        Case(
            "math.copysign",
            f"{t} {t}",
            t,
            f"%r = math.copysign %a, %b : {t}",
            {"b": [1.0, -1.0, -0.0, 0.0]},
            exact=True,
        )
    )
    CASES.append(
        Case(
            "math.powf",
            f"{t} {t}",
            t,
            f"%r = math.powf %a, %b : {t}",
            {"a": "positive", "b": [0.5, 2.0, -1.0, 1.75, 0.0]},
        )
    )
    CASES.append(
        Case(
            "math.fma",
            f"{t} {t} {t}",
            t,
            f"%r = math.fma %a, %b, %c : {t}",
            {"b": "finite", "c": "nonzero"},
            exact="bf16" not in t,
        )
    )
    CASES.append(
        Case(
            "math.clampf",
            f"{t} {t} {t}",
            t,
            f"%r = math.clampf %a to [%b, %c] : {t}",
            {"a": "finite", "b": [-1.0, -2.5], "c": [1.0, 0.5]},
            exact=True,
        )
    )
    CASES.append(Case("math.sincos", t, f"{t} {t}", f"%r, %s = math.sincos %a : {t}", "finite"))
    for op in ["isfinite", "isinf", "isnan", "isnormal"]:
        CASES.append(Case(f"math.{op}", t, mask(t), f"%r = math.{op} %a : {t}", exact=True))
# Denormal numbers.
for t in ["f16", "f32"]:
    CASES.append(
        Case(
            "math.isnormal",
            t,
            "i1",
            f"%r = math.isnormal %a : {t}",
            [0.0, 6e-8, -6e-8, 3e-5, 1.0, 6.2e-5] if t == "f16" else [0.0, 1e-40, -1e-40, 1.2e-38, 1.0, 1.1e-38],
        )
    )
for op in ["absi", "ctlz", "ctpop", "cttz"]:
    CASES += [Case(f"math.{op}", t, t, f"%r = math.{op} %a : {t}", exact=True) for t in INTS]
for t in INTS:
    CASES.append(
        Case(
            "math.ipowi",
            f"{t} {t}",
            t,
            f"%r = math.ipowi %a, %b : {t}",
            {"a": "nonzero", "b": [0, 1, 2, 3, 4, 9, -1, -2, -3]},
            exact=True,
        )
    )
for f, i in [
    ("f32", "i32"),
    ("f64", "i32"),
    ("f16", "i32"),
    ("f32", "i64"),
    ("f32", "i8"),
    ("bf16", "i16"),
    ("vector<4xf32>", "vector<4xi32>"),
    ("vector<2x3xf32>", "vector<2x3xi32>"),
]:
    CASES.append(
        Case(
            "math.fpowi",
            f"{f} {i}",
            f,
            f"%r = math.fpowi %a, %b : {f}, {i}",
            {"a": "nonzero", "b": [0, 1, 2, 3, -1, -2]},
        )
    )
