"""The ops of the vector dialect."""

from ops import Case

F, I = "vector<4xf32>", "vector<4xi32>"
M, N = "vector<2x3xf32>", "vector<2x3xi32>"

CASES = []
NOWHERE = {
    "vector.yield": "a terminator, with vector.mask",
}


def case(op, ins, outs, body, *args, **more):
    CASES.append(Case("vector." + op, ins, outs, body, *args, **more))


for a, b in [
    ("vector<4xf32>", "vector<4xi32>"),
    ("vector<4xf32>", "vector<8xi16>"),
    ("vector<2x4xi16>", "vector<2x2xi32>"),
    ("vector<2xi64>", "vector<16xi8>"),
    ("vector<2x3xf32>", "vector<2x6xf16>"),
]:
    case("bitcast", a, b, f"%r = vector.bitcast %a : {a} to {b}")
for a, b in [
    ("f32", "vector<4xf32>"),
    ("f16", "vector<2x3xf16>"),
    ("i64", "vector<3xi64>"),
    ("vector<3xi32>", "vector<2x3xi32>"),
    ("vector<2x1xf32>", "vector<2x3xf32>"),
    ("vector<1xi8>", "vector<3x2x2xi8>"),
]:
    case("broadcast", a, b, f"%r = vector.broadcast %a : {a} to {b}")
for op, text in [("extract", "%r = vector.extract %a[1] : vector<3xi32> from vector<2x3xi32>")]:
    case(op, N, "vector<3xi32>", text)
case("extract", N, "i32", "%r = vector.extract %a[1, 2] : i32 from vector<2x3xi32>")
case(
    "extract",
    F,
    "f32",
    """
    %c4 = arith.constant 4 : index
    %p = arith.remui %i, %c4 : index
    %r = vector.extract %a[%p] : f32 from vector<4xf32>""",
)
case(
    "extract",
    N,
    "i32",
    """
    %c3 = arith.constant 3 : index
    %p = arith.remui %i, %c3 : index
    %r = vector.extract %a[1, %p] : i32 from vector<2x3xi32>""",
)
case(
    "extract",
    N,
    "vector<3xi32>",
    """
    %c2 = arith.constant 2 : index
    %p = arith.remui %i, %c2 : index
    %r = vector.extract %a[%p] : vector<3xi32> from vector<2x3xi32>""",
)
case("insert", f"vector<3xi32> {N}", N, "%r = vector.insert %a, %b [1] : vector<3xi32> into vector<2x3xi32>")
case("insert", f"f32 {F}", F, "%r = vector.insert %a, %b [2] : f32 into vector<4xf32>")
case(
    "insert",
    f"f32 {F}",
    F,
    """
    %c4 = arith.constant 4 : index
    %p = arith.remui %i, %c4 : index
    %r = vector.insert %a, %b [%p] : f32 into vector<4xf32>""",
)
case(
    "insert",
    f"i32 {N}",
    N,
    """
    %c2 = arith.constant 2 : index
    %p = arith.remui %i, %c2 : index
    %r = vector.insert %a, %b [%p, 1] : i32 into vector<2x3xi32>""",
)
case(
    "extract_strided_slice",
    "vector<8xf32>",
    "vector<3xf32>",
    "%r = vector.extract_strided_slice %a {offsets = [2], sizes = [3], strides = [1]} : vector<8xf32> to vector<3xf32>",
)
case(
    "extract_strided_slice",
    "vector<4x4xi32>",
    "vector<2x3xi32>",
    (
        "%r = vector.extract_strided_slice %a {offsets = [1, 1], sizes = [2, 3], strides = [1, 1]} : vector<4x4xi32>"
        " to vector<2x3xi32>"
    ),
)
case(
    "insert_strided_slice",
    "vector<3xf32> vector<8xf32>",
    "vector<8xf32>",
    "%r = vector.insert_strided_slice %a, %b {offsets = [2], strides = [1]} : vector<3xf32> into vector<8xf32>",
)
case(
    "insert_strided_slice",
    "vector<2x3xi32> vector<4x4xi32>",
    "vector<4x4xi32>",
    (
        "%r = vector.insert_strided_slice %a, %b {offsets = [1, 1], strides = [1, 1]} : vector<2x3xi32>"
        " into vector<4x4xi32>"
    ),
)
for t in ["vector<4xf32>", "vector<2x3xf32>", "vector<3xf16>", "vector<2xf64>"]:
    case("fma", f"{t} {t} {t}", t, f"%r = vector.fma %a, %b, %c : {t}", {"a": "finite", "b": "finite", "c": "nonzero"})
for e in ["f32", "f16", "f64"]:
    # The exact products have more digits than the type; fma must not round them.
    t = f"vector<3x{e}>"
    case(
        "fma",
        f"{t} {t}",
        t,
        f"%three = arith.constant dense<3.0> : {t}\n%x = arith.divf %a, %three : {t}\n%r = vector.fma %x, %x, %b : {t}",
        "nonzero",
        exact=True,
    )
case("from_elements", "f32 f32", "vector<3xf32>", "%r = vector.from_elements %a, %b, %a : vector<3xf32>")
case("from_elements", "i32 i32", "vector<2x2xi32>", "%r = vector.from_elements %a, %b, %b, %a : vector<2x2xi32>")
case(
    "from_elements",
    "i8",
    "i8",
    """
    %v = vector.from_elements %a : vector<i8>
    %r = vector.extract %v[] : i8 from vector<i8>""",
)
case("to_elements", "vector<3xf32>", "f32 f32 f32", "%r, %s, %t = vector.to_elements %a : vector<3xf32>")
case("to_elements", "vector<2x2xi32>", "i32 i32", "%r, %x, %y, %s = vector.to_elements %a : vector<2x2xi32>")
for t in ["f32", "i16"]:
    case(
        "interleave",
        f"vector<4x{t}> vector<4x{t}>",
        f"vector<8x{t}>",
        f"%r = vector.interleave %a, %b : vector<4x{t}> -> vector<8x{t}>",
        {"b": "nonzero"},
    )
    case(
        "interleave",
        f"vector<2x3x{t}> vector<2x3x{t}>",
        f"vector<2x6x{t}>",
        f"%r = vector.interleave %a, %b : vector<2x3x{t}> -> vector<2x6x{t}>",
        {"b": "nonzero"},
    )
    case(
        "deinterleave",
        f"vector<8x{t}>",
        f"vector<4x{t}> vector<4x{t}>",
        f"%r, %s = vector.deinterleave %a : vector<8x{t}> -> vector<4x{t}>",
    )
    case(
        "deinterleave",
        f"vector<2x4x{t}>",
        f"vector<2x2x{t}> vector<2x2x{t}>",
        f"%r, %s = vector.deinterleave %a : vector<2x4x{t}> -> vector<2x2x{t}>",
    )
case(
    "shuffle",
    f"{F} {F}",
    "vector<5xf32>",
    "%r = vector.shuffle %a, %b [0, 5, 2, 7, 3] : vector<4xf32>, vector<4xf32>",
    {"b": "nonzero"},
)
case(
    "shuffle",
    f"{N} {N}",
    "vector<3x3xi32>",
    "%r = vector.shuffle %a, %b [3, 0, 1] : vector<2x3xi32>, vector<2x3xi32>",
    {"b": "nonzero"},
)
for a, b in [
    ("vector<2x3xf32>", "vector<6xf32>"),
    ("vector<6xi32>", "vector<3x2xi32>"),
    ("vector<2x3xi8>", "vector<3x2xi8>"),
    ("vector<4xf16>", "vector<1x4x1xf16>"),
    ("vector<2x4xf64>", "vector<2x2x2xf64>"),
]:
    case("shape_cast", a, b, f"%r = vector.shape_cast %a : {a} to {b}")
case("step", "i32", "vector<4xindex>", "%r = vector.step : vector<4xindex>")
for a, perm, b in [
    ("vector<2x3xf32>", "[1, 0]", "vector<3x2xf32>"),
    ("vector<2x3x4xi16>", "[2, 0, 1]", "vector<4x2x3xi16>"),
    ("vector<4x4xi8>", "[1, 0]", "vector<4x4xi8>"),
    ("vector<2x1x3xf64>", "[1, 0, 2]", "vector<1x2x3xf64>"),
]:
    case("transpose", a, b, f"%r = vector.transpose %a, {perm} : {a} to {b}")
for kind in ["add", "mul", "minui", "minsi", "maxui", "maxsi", "and", "or", "xor"]:
    for t in ["i32", "i8", "i64"]:
        case(
            "reduction",
            f"vector<5x{t}> {t}",
            f"{t} {t}",
            (
                f"%r = vector.reduction <{kind}>, %a : vector<5x{t}> into {t}\n"
                f"%s = vector.reduction <{kind}>, %a, %b : vector<5x{t}> into {t}"
            ),
            {"a": "small"},
        )
    case(
        "multi_reduction",
        "vector<2x3xi32> vector<2xi32>",
        "vector<2xi32>",
        f"%r = vector.multi_reduction <{kind}>, %a, %b [1] : vector<2x3xi32> to vector<2xi32>",
        {"a": "small"},
    )
for kind in ["add", "mul", "minnumf", "maxnumf", "minimumf", "maximumf"]:
    for t in ["f32", "f16", "f64"]:
        case(
            "reduction",
            f"vector<5x{t}> {t}",
            f"{t} {t}",
            (
                f"%r = vector.reduction <{kind}>, %a : vector<5x{t}> into {t}\n"
                f"%s = vector.reduction <{kind}>, %a, %b : vector<5x{t}> into {t}"
            ),
            "nonzero",
            exact=False,
        )
    for dims, s, b in [
        ("[0]", "vector<3xf32>", "vector<3xf32>"),
        ("[1]", "vector<2xf32>", "vector<2xf32>"),
        ("[0, 1]", "f32", "f32"),
    ]:
        case(
            "multi_reduction",
            f"{M} {s}",
            b,
            f"%r = vector.multi_reduction <{kind}>, %a, %b {dims} : {M} to {b}",
            "nonzero",
            exact=False,
        )
for dims, b in [
    ("[0]", "vector<3x4xi32>"),
    ("[1]", "vector<2x4xi32>"),
    ("[0, 2]", "vector<3xi32>"),
    ("[0, 1, 2]", "i32"),
    ("[1, 2]", "vector<2xi32>"),
]:
    case(
        "multi_reduction",
        f"vector<2x3x4xi32> {b}",
        b,
        f"%r = vector.multi_reduction <add>, %a, %b {dims} : vector<2x3x4xi32> to {b}",
        "small",
    )
case(
    "multi_reduction",
    "vector<6xf32> f32",
    "f32",
    "%r = vector.multi_reduction <add>, %a, %b [0] : vector<6xf32> to f32",
    "nonzero",
    exact=False,
)
case(
    "outerproduct",
    "vector<2xf32> vector<3xf32> vector<2x3xf32>",
    M,
    "%r = vector.outerproduct %a, %b, %c : vector<2xf32>, vector<3xf32>",
    "nonzero",
    exact=False,
)
case(
    "outerproduct",
    "vector<2xi32> vector<3xi32>",
    N,
    "%r = vector.outerproduct %a, %b : vector<2xi32>, vector<3xi32>",
    "small",
)
case(
    "outerproduct",
    "vector<4xf32> f32",
    F,
    "%r = vector.outerproduct %a, %b : vector<4xf32>, f32",
    "nonzero",
    exact=False,
)
MAPS = (
    "indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,"
    ' affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]'
)
for t in ["f32", "f16", "f64", "i32"]:
    case(
        "contract",
        f"vector<2x3x{t}> vector<3x4x{t}> vector<2x4x{t}>",
        f"vector<2x4x{t}>",
        f"%r = vector.contract {{{MAPS}}} %a, %b, %c : vector<2x3x{t}>, vector<3x4x{t}> into vector<2x4x{t}>",
        "small" if t == "i32" else "nonzero",
        exact=t == "i32",
    )
case(
    "contract",
    "vector<2x3xi8> vector<3x4xi8> vector<2x4xi32>",
    "vector<2x4xi32>",
    f"%r = vector.contract {{{MAPS}}} %a, %b, %c : vector<2x3xi8>, vector<3x4xi8> into vector<2x4xi32>",
    "small",
)
case(
    "contract",
    "vector<2x3xf16> vector<3x4xf16> vector<2x4xf32>",
    "vector<2x4xf32>",
    f"%r = vector.contract {{{MAPS}}} %a, %b, %c : vector<2x3xf16>, vector<3x4xf16> into vector<2x4xf32>",
    "nonzero",
    exact=False,
)
case(
    "contract",
    "vector<4xf32> vector<4xf32> f32",
    "f32",
    (
        "%r = vector.contract {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> (k)>, affine_map<(k) -> ()>],"
        ' iterator_types = ["reduction"]} %a, %b, %c : vector<4xf32>, vector<4xf32> into f32'
    ),
    "nonzero",
    exact=False,
)
case(
    "contract",
    "vector<2x3xf32> vector<3xf32> vector<2xf32>",
    "vector<2xf32>",
    (
        "%r = vector.contract {indexing_maps = [affine_map<(m, k) -> (m, k)>, affine_map<(m, k) -> (k)>,"
        ' affine_map<(m, k) -> (m)>], iterator_types = ["parallel",'
        ' "reduction"]} %a, %b, %c : vector<2x3xf32>, vector<3xf32> into vector<2xf32>'
    ),
    "nonzero",
    exact=False,
)
ROWS = (
    "indexing_maps = [affine_map<(m, k) -> (m, k)>, affine_map<(m, k) -> (m, k)>, affine_map<(m, k) -> (m)>],"
    ' iterator_types = ["parallel", "reduction"]'
)
for kind, t in [
    ("mul", "i32"),
    ("maxsi", "i32"),
    ("minui", "i16"),
    ("xor", "i8"),
    ("and", "i64"),
    ("maximumf", "f32"),
    ("minnumf", "f16"),
]:
    for maps, a, b, c in [(ROWS, "2x3", "2x3", "2"), (MAPS, "2x3", "3x4", "2x4")]:
        a, b, c = f"vector<{a}x{t}>", f"vector<{b}x{t}>", f"vector<{c}x{t}>"
        case(
            "contract",
            f"{a} {b} {c}",
            c,
            f"%r = vector.contract {{{maps}, kind = #vector.kind<{kind}>}} %a, %b, %c : {a}, {b} into {c}",
            "small" if t[0] == "i" else "nonzero",
        )
case(
    "contract",
    "vector<2x3xi32> vector<2x3xi32> vector<2xi16>",
    "vector<2xi16>",
    f"%r = vector.contract {{{ROWS}}} %a, %b, %c : vector<2x3xi32>, vector<2x3xi32> into vector<2xi16>",
    refused="no lowering",
)
for kind, t in [("add", "i32"), ("mul", "i32"), ("add", "f32"), ("maximumf", "f32"), ("minsi", "i32")]:
    for inclusive in ["true", "false"]:
        case(
            "scan",
            f"vector<2x3x{t}> vector<2x{t}>",
            f"vector<2x3x{t}> vector<2x{t}>",
            (
                f"%r, %s = vector.scan <{kind}>, %a, %b {{inclusive = {inclusive}, reduction_dim = 1 : i64}}"
                f" : vector<2x3x{t}>, vector<2x{t}>"
            ),
            "small" if t == "i32" else "nonzero",
            exact=False,
        )

# Memory.
case(
    "load",
    "vector<8xf32>",
    "vector<4xf32>",
    "%c3 = arith.constant 3 : index\n%r = vector.load %in0[%i, %c3] : memref<64x8xf32>, vector<4xf32>",
)
case(
    "load",
    "vector<4x3xi16>",
    "vector<2x3xi16>",
    "%c1 = arith.constant 1 : index\n%r = vector.load %in0[%i, %c1, %c0] : memref<64x4x3xi16>, vector<2x3xi16>",
)
case(
    "store",
    "vector<3xf32>",
    "vector<4xf32>",
    """
    %z = arith.constant dense<0.0> : vector<4xf32>
    %c1 = arith.constant 1 : index
    vector.store %z, %out0[%i, %c0] : memref<64x4xf32>, vector<4xf32>
    vector.store %a, %out0[%i, %c1] : memref<64x4xf32>, vector<3xf32>
    %r = vector.load %out0[%i, %c0] : memref<64x4xf32>, vector<4xf32>""",
)
MASK = """
    %c5 = arith.constant 5 : index
    %n = arith.remui %i, %c5 : index
    %m = vector.create_mask %n : vector<4xi1>
"""
case("create_mask", "i32", "vector<4xi1>", MASK.replace("%m =", "%r ="))
case(
    "create_mask",
    "i32",
    "vector<2x3xi1>",
    """
    %c4 = arith.constant 4 : index
    %n = arith.remui %i, %c4 : index
    %c1 = arith.constant 1 : index
    %r = vector.create_mask %c1, %n : vector<2x3xi1>""",
)
case("constant_mask", "i32", "vector<4xi1>", "%r = vector.constant_mask [3] : vector<4xi1>")
case("constant_mask", "i32", "vector<2x3xi1>", "%r = vector.constant_mask [2, 1] : vector<2x3xi1>")
case(
    "maskedload",
    f"{F} {F}",
    F,
    MASK
    + "%r = vector.maskedload %in0[%i, %c0], %m, %b : memref<64x4xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>",
    {"b": "nonzero"},
)
case(
    "maskedstore",
    f"{F} {F}",
    F,
    MASK
    + """
    vector.store %b, %out0[%i, %c0] : memref<64x4xf32>, vector<4xf32>
    vector.maskedstore %out0[%i, %c0], %m, %a : memref<64x4xf32>, vector<4xi1>, vector<4xf32>
    %r = vector.load %out0[%i, %c0] : memref<64x4xf32>, vector<4xf32>""",
    {"b": "nonzero"},
)
case(
    "expandload",
    f"{F} {F}",
    F,
    MASK
    + "%r = vector.expandload %in0[%i, %c0], %m, %b : memref<64x4xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>",
    {"b": "nonzero"},
)
case(
    "compressstore",
    f"{I} {I}",
    I,
    """
    %odd = arith.constant dense<1> : vector<4xi32>
    %low = arith.andi %a, %odd : vector<4xi32>
    %m = arith.cmpi eq, %low, %odd : vector<4xi32>
    vector.store %b, %out0[%i, %c0] : memref<64x4xi32>, vector<4xi32>
    vector.compressstore %out0[%i, %c0], %m, %a : memref<64x4xi32>, vector<4xi1>, vector<4xi32>
    %r = vector.load %out0[%i, %c0] : memref<64x4xi32>, vector<4xi32>""",
    {"b": "nonzero"},
)
case(
    "gather",
    f"vector<8xf32> {F}",
    F,
    MASK
    + """
    %x = arith.constant dense<[7, 0, 3, 3]> : vector<4xi32>
    %r = vector.gather %in0[%i, %c0] [%x], %m, %b : memref<64x8xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32>\
 into vector<4xf32>""",
    {"b": "nonzero"},
)
case(
    "gather",
    f"vector<8xf32> {M}",
    M,
    """
    %m = arith.constant dense<[[true, false, true], [true, true, true]]> : vector<2x3xi1>
    %x = arith.constant dense<[[7, 0, 3], [3, 1, 2]]> : vector<2x3xindex>
    %r = vector.gather %in0[%i, %c0] [%x], %m, %b\
 : memref<64x8xf32>, vector<2x3xindex>, vector<2x3xi1>, vector<2x3xf32> into vector<2x3xf32>""",
    {"b": "nonzero"},
)
case(
    "scatter",
    f"{F} vector<8xf32>",
    "vector<8xf32>",
    MASK
    + """
    %x = arith.constant dense<[7, 0, 3, 2]> : vector<4xi32>
    vector.store %b, %out0[%i, %c0] : memref<64x8xf32>, vector<8xf32>
    vector.scatter %out0[%i, %c0] [%x], %m, %a : memref<64x8xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32>
    %r = vector.load %out0[%i, %c0] : memref<64x8xf32>, vector<8xf32>""",
    {"b": "nonzero"},
)
case(
    "mask",
    f"{F} f32",
    "f32",
    MASK + "%r = vector.mask %m { vector.reduction <add>, %a, %b : vector<4xf32> into f32 } : vector<4xi1> -> f32",
    "nonzero",
    exact=False,
)
case(
    "mask",
    f"{F}",
    F,
    MASK
    + """
    %z = arith.constant -1.0 : f32
    %p = arith.constant dense<-1.0> : vector<4xf32>
    %r = vector.mask %m, %p { vector.transfer_read %in0[%i, %c0], %z {in_bounds = [true]}\
 : memref<64x4xf32>, vector<4xf32> } : vector<4xi1> -> vector<4xf32>""",
)
case(
    "mask",
    f"{M} vector<2xf32>",
    "vector<2xf32>",
    """
    %c4 = arith.constant 4 : index
    %n = arith.remui %i, %c4 : index
    %c2 = arith.constant 2 : index
    %m = vector.create_mask %c2, %n : vector<2x3xi1>
    %r = vector.mask %m { vector.multi_reduction <add>, %a, %b [1] : vector<2x3xf32> to vector<2xf32> }\
 : vector<2x3xi1> -> vector<2xf32>""",
    "nonzero",
    exact=False,
)
case(
    "transfer_read",
    "vector<5xf32>",
    "vector<4xf32>",
    """
    %c3 = arith.constant 3 : index
    %z = arith.constant 9.5 : f32
    %r = vector.transfer_read %in0[%i, %c3], %z : memref<64x5xf32>, vector<4xf32>""",
)
case(
    "transfer_read",
    "vector<4x4xf16>",
    "vector<2x3xf16>",
    """
    %c3 = arith.constant 3 : index
    %z = arith.constant 9.5 : f16
    %r = vector.transfer_read %in0[%i, %c3, %c3], %z : memref<64x4x4xf16>, vector<2x3xf16>""",
)
case(
    "transfer_read",
    "vector<3x2xi32>",
    "vector<2x3xi32>",
    """
    %z = arith.constant 9 : i32
    %r = vector.transfer_read %in0[%i, %c0, %c0], %z {in_bounds = [true, true],\
 permutation_map = affine_map<(a, b, c) -> (c, b)>} : memref<64x3x2xi32>, vector<2x3xi32>""",
)
case(
    "transfer_read",
    "vector<3xi32>",
    "vector<2x3xi32>",
    """
    %z = arith.constant 9 : i32
    %r = vector.transfer_read %in0[%i, %c0], %z {in_bounds = [true, true],\
 permutation_map = affine_map<(a, b) -> (0, b)>} : memref<64x3xi32>, vector<2x3xi32>""",
)
case(
    "transfer_write",
    "vector<4xf32> vector<5xf32>",
    "vector<5xf32>",
    """
    %c3 = arith.constant 3 : index
    vector.store %b, %out0[%i, %c0] : memref<64x5xf32>, vector<5xf32>
    vector.transfer_write %a, %out0[%i, %c3] : vector<4xf32>, memref<64x5xf32>
    %r = vector.load %out0[%i, %c0] : memref<64x5xf32>, vector<5xf32>""",
)
case(
    "transfer_write",
    "vector<2x3xi32>",
    "vector<3x2xi32>",
    """
    vector.transfer_write %a, %out0[%i, %c0, %c0] {in_bounds = [true, true],\
 permutation_map = affine_map<(a, b, c) -> (c, b)>} : vector<2x3xi32>, memref<64x3x2xi32>
    %z = arith.constant 9 : i32
    %r = vector.transfer_read %out0[%i, %c0, %c0], %z {in_bounds = [true, true]}\
 : memref<64x3x2xi32>, vector<3x2xi32>""",
)
for columns, more in [(4, {}), (3, {"refused": "are padded in memory"})]:
    case(
        "type_cast",
        f"vector<2x{columns}xf32>",
        f"vector<2x{columns}xf32>",
        f"""
    %n = memref.alloca() : memref<2x{columns}xf32>
    vector.transfer_write %a, %n[%c0, %c0] {{in_bounds = [true, true]}}\
 : vector<2x{columns}xf32>, memref<2x{columns}xf32>
    %v = vector.type_cast %n : memref<2x{columns}xf32> to memref<vector<2x{columns}xf32>>
    %r = memref.load %v[] : memref<vector<2x{columns}xf32>>""",
        **more,
    )

# GPUs have no scalable vectors.
case("vscale", "i32", "index", "%r = vector.vscale", refused="scalable")
case(
    "scalable.extract",
    "f32",
    "vector<4xf32>",
    """
    %v = vector.broadcast %a : f32 to vector<[4]xf32>
    %r = vector.scalable.extract %v[0] : vector<4xf32> from vector<[4]xf32>""",
    refused="scalable",
)
case(
    "scalable.insert",
    "vector<4xf32>",
    "vector<4xf32>",
    """
    %z = arith.constant dense<0.0> : vector<[4]xf32>
    %v = vector.scalable.insert %a, %z[0] : vector<4xf32> into vector<[4]xf32>
    %r = vector.scalable.extract %v[0] : vector<4xf32> from vector<[4]xf32>""",
    refused="scalable",
)
case(
    "print",
    F,
    F,
    """
    vector.print %a : vector<4xf32>
    vector.print str "100%\\0A"
    %r = arith.addf %a, %a : vector<4xf32>""",
)
