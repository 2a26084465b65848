"""The ops of the index dialect."""

from ops import Case

CASES = []
NOWHERE = {}

for op in ["add", "sub", "mul", "and", "or", "xor", "maxs", "maxu", "mins", "minu"]:
    CASES.append(Case(f"index.{op}", "index index", "index", f"%r = index.{op} %a, %b", {"b": "small"}))
for op in ["divs", "divu", "rems", "remu", "ceildivs", "ceildivu", "floordivs"]:
    CASES.append(
        Case(
            f"index.{op}",
            "index index",
            "index",
            f"%r = index.{op} %a, %b",
            {"a": "any" if op[-1] == "u" else "small", "b": "nonzero"},
        )
    )
for op in ["shl", "shrs", "shru"]:
    CASES.append(Case(f"index.{op}", "index index", "index", f"%r = index.{op} %a, %b", {"b": "shift"}))
for p in ["eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"]:
    CASES.append(Case("index.cmp", "index index", "i1", f"%r = index.cmp {p}(%a, %b)", {"b": "small"}))
for op in ["casts", "castu"]:
    for t in ["i32", "i64", "i8"]:
        CASES.append(Case(f"index.{op}", t, "index", f"%r = index.{op} %a : {t} to index"))
        CASES.append(Case(f"index.{op}", "index", t, f"%r = index.{op} %a : index to {t}"))
CASES += [
    Case("index.constant", "i32", "index", "%r = index.constant -77"),
    Case("index.bool.constant", "i32", "i1", "%r = index.bool.constant true"),
    Case("index.sizeof", "i32", "index", "%r = index.sizeof"),
]
