"""The ops of the ub dialect."""

from ops import Case

CASES = [
    # A poison value without a use that matters.
    Case(
        "ub.poison",
        "i32 i1",
        "i32",
        """
        %p = ub.poison : i32
        %q = arith.select %b, %p, %a : i32
        %r = arith.select %b, %a, %q : i32""",
        {"b": "small"},
    ),
    Case(
        "ub.poison",
        "vector<4xf32>",
        "f32",
        """
        %p = ub.poison : vector<4xf32>
        %x = vector.extract %a[1] : f32 from vector<4xf32>
        %q = vector.insert %x, %p [2] : f32 into vector<4xf32>
        %r = vector.extract %q[2] : f32 from vector<4xf32>""",
    ),
    Case(
        "ub.unreachable",
        "i32",
        "i32",
        """
        %r = func.call @ub_select(%a) : (i32) -> i32""",
        outside="""
func.func private @ub_select(%x: i32) -> i32 { %zero = arith.constant 0 : i32
%never = arith.cmpi ne, %x, %x : i32
cf.cond_br %never, ^bad, ^good
^bad:
ub.unreachable
^good:
return %x : i32 }""",
    ),
]
NOWHERE = {}
