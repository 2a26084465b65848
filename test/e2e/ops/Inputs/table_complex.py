"""The ops of the complex dialect."""

from ops import Case

TYPES = ["complex<f32>", "complex<f64>"]

CASES = []
NOWHERE = {}

for t in TYPES:
    e = t[8:-1]
    loose = {"tolerance": 1e-4 if e == "f32" else 1e-11}
    for op in ["abs", "angle"]:
        CASES.append(Case(f"complex.{op}", t, e, f"%r = complex.{op} %a : {t}", "finite", **loose))
    for op in ["cos", "exp", "expm1", "log", "log1p", "neg", "conj", "rsqrt", "sign", "sin", "sqrt", "tan", "tanh"]:
        exact = {"exact": True} if op in ("neg", "conj") else loose
        CASES.append(Case(f"complex.{op}", t, t, f"%r = complex.{op} %a : {t}", "nonzero", **exact))
    for op in ["add", "sub", "mul", "div", "pow", "atan2"]:
        exact = {"exact": True} if op in ("add", "sub") else {"tolerance": 1e-3} if op == "atan2" else loose
        CASES.append(
            Case(
                f"complex.{op}",
                f"{t} {t}",
                t,
                f"%r = complex.{op} %a, %b : {t}",
                {"a": "finite", "b": "nonzero"} if op != "pow" else {"a": "nonzero", "b": [0.5, 2.0, -1.0, 1.0]},
                **exact,
            )
        )
    for i in ["i32", "i64", "i8"]:
        CASES.append(
            Case(
                "complex.powi",
                f"{t} {i}",
                t,
                f"%r = complex.powi %a, %b : {t}, {i}",
                {"a": "nonzero", "b": [0, 1, 2, 3, -1, -2]},
                **loose,
            )
        )
    for op in ["eq", "neq"]:
        CASES.append(
            Case(
                f"complex.{op}",
                f"{t} {t}",
                "i1",
                f"%r = complex.{op} %a, %b : {t}",
                {"a": [1.0, 2.0], "b": [2.0, 1.0, 1.0]},
                exact=True,
            )
        )
    CASES += [
        Case("complex.create", f"{e} {e}", t, f"%r = complex.create %a, %b : {t}", {"b": "finite"}, exact=True),
        Case("complex.re", t, e, f"%r = complex.re %a : {t}", exact=True, domain="finite"),
        Case("complex.im", t, e, f"%r = complex.im %a : {t}", exact=True, domain="finite"),
        Case("complex.constant", "i32", t, f"%r = complex.constant [1.5 : {e}, -2.0 : {e}] : {t}", exact=True),
        Case("complex.bitcast", t, t, f"%r = complex.bitcast %a : {t} to {t}", "finite", exact=True),
    ]
CASES += [
    Case("complex.bitcast", "complex<f32>", "i64", "%r = complex.bitcast %a : complex<f32> to i64", "finite"),
    Case(
        "complex.bitcast",
        "i64",
        "complex<f32>",
        "%r = complex.bitcast %a : i64 to complex<f32>",
        [4575657222473777152, 4611686018427387904, 3221225472],
    ),
    Case(
        "complex.exp",
        "f16 f16",
        "f16 f16",
        """
        %c = complex.create %a, %b : complex<f16>
        %e = complex.exp %c : complex<f16>
        %r = complex.re %e : complex<f16>
        %s = complex.im %e : complex<f16>""",
        {"a": "unit", "b": "unit"},
        tolerance=4e-3,
    ),
]
