"""The ops of the memref dialect."""

from ops import Case

NO_HEAP = r"is not supported in kernels, which have no heap; use memref.alloca"

CASES = [
    Case("memref.load", "i32", "i32", "%r = memref.load %in0[%i] : memref<64xi32>"),
    Case("memref.load", "f16", "f16", "%r = memref.load %in0[%i] {nontemporal = true} : memref<64xf16>"),
    Case(
        "memref.store",
        "i32",
        "i32",
        """
        %n = memref.alloca() : memref<2x2xi32>
        memref.store %a, %n[%c0, %c0] : memref<2x2xi32>
        %r = memref.load %n[%c0, %c0] : memref<2x2xi32>""",
    ),
    Case(
        "memref.alloca",
        "f32",
        "f32",
        """
        %n = memref.alloca() {alignment = 64} : memref<4xf32>
        memref.store %a, %n[%c0] : memref<4xf32>
        %r = memref.load %n[%c0] : memref<4xf32>""",
    ),
    Case(
        "memref.alloca_scope",
        "f32",
        "f32",
        """
        %r = memref.alloca_scope -> (f32) {
          %n = memref.alloca() : memref<4xf32>
          memref.store %a, %n[%c0] : memref<4xf32>
          %v = memref.load %n[%c0] : memref<4xf32>
          memref.alloca_scope.return %v : f32
        }""",
    ),
    Case(
        "memref.alloc",
        "i32",
        "i32",
        """
        %n = memref.alloc() : memref<4xi32>
        memref.store %a, %n[%c0] : memref<4xi32>
        %r = memref.load %n[%c0] : memref<4xi32>""",
        refused=NO_HEAP,
    ),
    Case(
        "memref.dealloc",
        "i32",
        "i32",
        """
        memref.dealloc %in0 : memref<64xi32>
        %r = arith.addi %a, %a : i32""",
        refused=NO_HEAP,
    ),
    Case(
        "memref.realloc",
        "i32",
        "i32",
        """
        %n = memref.realloc %in0 : memref<64xi32> to memref<128xi32>
        %r = memref.load %n[%c0] : memref<128xi32>""",
        refused=NO_HEAP,
    ),
    Case(
        "memref.assume_alignment",
        "i32",
        "i32",
        """
        %n = memref.assume_alignment %in0, 4 : memref<64xi32>
        %r = memref.load %n[%i] : memref<64xi32>""",
    ),
    Case(
        "memref.distinct_objects",
        "i32 f32",
        "i32 f32",
        """
        %n, %m = memref.distinct_objects %in0, %in1 : memref<64xi32>, memref<64xf32>
        %r = memref.load %n[%i] : memref<64xi32>
        %s = memref.load %m[%i] : memref<64xf32>""",
    ),
    Case(
        "memref.prefetch",
        "i32",
        "i32",
        """
        memref.prefetch %in0[%i], read, locality<3>, data : memref<64xi32>
        %r = memref.load %in0[%i] : memref<64xi32>""",
    ),
    Case(
        "memref.cast",
        "i32",
        "i32",
        """
        %n = memref.cast %in0 : memref<64xi32> to memref<?xi32, strided<[?], offset: ?>>
        %r = memref.load %n[%i] : memref<?xi32, strided<[?], offset: ?>>""",
    ),
    Case(
        "memref.cast",
        "i32",
        "i32",
        """
        %u = memref.cast %in0 : memref<64xi32> to memref<*xi32>
        %n = memref.cast %u : memref<*xi32> to memref<64xi32>
        %r = memref.load %n[%i] : memref<64xi32>""",
    ),
    Case(
        "memref.copy",
        "vector<4xi32>",
        "i32",
        """
        %n = memref.alloca() : memref<4xi32>
        %row = memref.subview %in0[%i, 0] [1, 4] [1, 1] : memref<64x4xi32> to memref<4xi32, strided<[1], offset: ?>>
        memref.copy %row, %n : memref<4xi32, strided<[1], offset: ?>> to memref<4xi32>
        %c3 = arith.constant 3 : index
        %r = memref.load %n[%c3] : memref<4xi32>""",
    ),
    Case(
        "memref.dim",
        "vector<4xi32>",
        "index index",
        """
        %n = memref.cast %in0 : memref<64x4xi32> to memref<?x?xi32>
        %c1 = arith.constant 1 : index
        %r = memref.dim %n, %c0 : memref<?x?xi32>
        %s = memref.dim %n, %c1 : memref<?x?xi32>""",
    ),
    Case("memref.rank", "vector<2x3xi32>", "index", "%r = memref.rank %in0 : memref<64x2x3xi32>"),
    Case(
        "memref.rank",
        "vector<2x3xi32>",
        "index",
        """
        %n = memref.cast %in0 : memref<64x2x3xi32> to memref<*xi32>
        %r = memref.rank %n : memref<*xi32>""",
    ),
    Case(
        "memref.subview",
        "vector<4xi32>",
        "i32 index",
        """
        %c1 = arith.constant 1 : index
        %n = memref.subview %in0[%i, 1] [1, 2] [1, 2] : memref<64x4xi32> to memref<1x2xi32, strided<[4, 2], offset: ?>>
        %r = memref.load %n[%c0, %c1] : memref<1x2xi32, strided<[4, 2], offset: ?>>
        %s = memref.dim %n, %c1 : memref<1x2xi32, strided<[4, 2], offset: ?>>""",
    ),
    Case(
        "memref.transpose",
        "vector<4xi32>",
        "i32",
        """
        %c2 = arith.constant 2 : index
        %n = memref.transpose %in0 (d0, d1) -> (d1, d0) : memref<64x4xi32> to memref<4x64xi32, strided<[1, 4]>>
        %r = memref.load %n[%c2, %i] : memref<4x64xi32, strided<[1, 4]>>""",
    ),
    Case(
        "memref.expand_shape",
        "vector<4xi32>",
        "i32",
        """
        %c1 = arith.constant 1 : index
        %n = memref.expand_shape %in0 [[0], [1, 2]] output_shape [64, 2, 2] : memref<64x4xi32> into memref<64x2x2xi32>
        %r = memref.load %n[%i, %c1, %c0] : memref<64x2x2xi32>""",
    ),
    Case(
        "memref.collapse_shape",
        "vector<4xi32>",
        "i32",
        """
        %n = memref.collapse_shape %in0 [[0, 1]] : memref<64x4xi32> into memref<256xi32>
        %r = memref.load %n[%i] : memref<256xi32>""",
    ),
    Case(
        "memref.reshape",
        "vector<4xi32>",
        "i32",
        """
        %shape = memref.alloca() : memref<2xindex>
        %c1 = arith.constant 1 : index
        %c8 = arith.constant 8 : index
        %c32 = arith.constant 32 : index
        memref.store %c32, %shape[%c0] : memref<2xindex>
        memref.store %c8, %shape[%c1] : memref<2xindex>
        %n = memref.reshape %in0(%shape) : (memref<64x4xi32>, memref<2xindex>) -> memref<?x?xi32>
        %row = arith.divui %i, %c8 : index
        %column = arith.remui %i, %c8 : index
        %r = memref.load %n[%row, %column] : memref<?x?xi32>""",
    ),
    Case(
        "memref.reinterpret_cast",
        "vector<4xi32>",
        "i32",
        """
        %n = memref.reinterpret_cast %in0 to offset: [%i], sizes: [2, 3], strides: [4, 1] : memref<64x4xi32>\
 to memref<2x3xi32, strided<[4, 1], offset: ?>>
        %c1 = arith.constant 1 : index
        %r = memref.load %n[%c1, %c1] : memref<2x3xi32, strided<[4, 1], offset: ?>>""",
    ),
    Case(
        "memref.view",
        "i32",
        "i32",
        """
        %bytes = memref.alloca() : memref<64xi8>
        %c4 = arith.constant 4 : index
        %n = memref.view %bytes[%c4][] : memref<64xi8> to memref<4xi32>
        memref.store %a, %n[%c0] : memref<4xi32>
        %r = memref.load %n[%c0] : memref<4xi32>""",
    ),
    Case(
        "memref.memory_space_cast",
        "i32",
        "i32",
        """
        %n = memref.memory_space_cast %in0 : memref<64xi32> to memref<64xi32, 1>
        %r = memref.load %n[%i] : memref<64xi32, 1>""",
    ),
    Case(
        "memref.extract_strided_metadata",
        "vector<4xi32>",
        "index index index",
        """
        %n = memref.subview %in0[%i, 1] [1, 2] [1, 2] : memref<64x4xi32> to memref<1x2xi32, strided<[4, 2], offset: ?>>
        %base, %r, %sizes:2, %strides:2 = memref.extract_strided_metadata %n\
 : memref<1x2xi32, strided<[4, 2], offset: ?>> -> memref<i32>, index, index, index, index, index
        %s = arith.addi %sizes#1, %c0 : index
        %t = arith.addi %strides#0, %c0 : index""",
    ),
    Case(
        "memref.extract_aligned_pointer_as_index",
        "i32",
        "index",
        """
        %p = memref.extract_aligned_pointer_as_index %in0 : memref<64xi32> -> index
        %q = memref.extract_aligned_pointer_as_index %in0 : memref<64xi32> -> index
        %r = arith.subi %p, %q : index""",
    ),
    Case(
        "memref.global",
        "i32",
        "f32",
        """
        %g = memref.get_global @constants : memref<4xf32>
        %c2 = arith.constant 2 : index
        %r = memref.load %g[%c2] : memref<4xf32>""",
        outside='memref.global "private" constant @constants : memref<4xf32> = dense<[1.0, 2.0, 3.5, 4.0]>',
    ),
    Case(
        "memref.get_global",
        "i32",
        "i64",
        """
        %g = memref.get_global @numbers : memref<2x2xi64>
        %c1 = arith.constant 1 : index
        %r = memref.load %g[%c1, %c0] : memref<2x2xi64>""",
        outside='memref.global "private" constant @numbers : memref<2x2xi64> = dense<[[1, 2], [3, 4]]>',
    ),
    Case(
        "memref.dma_start",
        "i32",
        "i32",
        """
        %n = memref.alloca() : memref<64xi32, 2>
        %tag = memref.alloca() : memref<1xi32>
        %c64 = arith.constant 64 : index
        memref.dma_start %in0[%c0], %n[%c0], %c64, %tag[%c0] : memref<64xi32>, memref<64xi32, 2>, memref<1xi32>
        %r = memref.load %n[%i] : memref<64xi32, 2>""",
        refused="is not supported in kernels; use memref.copy",
    ),
    Case(
        "memref.dma_wait",
        "i32",
        "i32",
        """
        %tag = memref.alloca() : memref<1xi32>
        %c64 = arith.constant 64 : index
        memref.dma_wait %tag[%c0], %c64 : memref<1xi32>
        %r = arith.addi %a, %a : i32""",
        refused="is not supported in kernels; use memref.copy",
    ),
]
NOWHERE = {
    "memref.alloca_scope.return": "a terminator, with memref.alloca_scope",
    "memref.atomic_yield": "a terminator, with memref.generic_atomic_rmw",
}

for kind, t in [
    ("addi", "i32"),
    ("addi", "i64"),
    ("maxs", "i32"),
    ("mins", "i32"),
    ("maxu", "i32"),
    ("minu", "i32"),
    ("andi", "i32"),
    ("ori", "i32"),
    ("assign", "i32"),
    ("addf", "f32"),
    ("addf", "f64"),
    ("maximumf", "f32"),
    ("minimumf", "f32"),
    ("maxnumf", "f32"),
    ("minnumf", "f32"),
    ("assign", "f32"),
    ("xori", "i32"),
    ("muli", "i32"),
    ("mulf", "f32"),
]:
    CASES.append(
        Case(
            "memref.atomic_rmw",
            f"{t} {t}",
            f"{t} {t}",
            f"""
        memref.store %b, %out1[%i] : memref<64x{t}>
        %r = memref.atomic_rmw {kind} %a, %out1[%i] : ({t}, memref<64x{t}>) -> {t}
        %s = memref.load %out1[%i] : memref<64x{t}>""",
            {"a": "nonzero", "b": "small" if t[0] == "i" else "finite"},
        )
    )
CASES.append(
    Case(
        "memref.generic_atomic_rmw",
        "i32 i32",
        "i32 i32",
        """
        memref.store %b, %out1[%i] : memref<64xi32>
        %r = memref.generic_atomic_rmw %out1[%i] : memref<64xi32> {
        ^bb0(%old: i32):
          %new = arith.muli %old, %a : i32
          memref.atomic_yield %new : i32
        }
        %s = memref.load %out1[%i] : memref<64xi32>""",
        {"b": "small"},
    )
)
for t in ["f32", "f64"]:
    CASES.append(
        Case(
            "memref.generic_atomic_rmw",
            f"{t} {t}",
            f"{t} {t}",
            f"""
        memref.store %b, %out1[%i] : memref<64x{t}>
        %r = memref.generic_atomic_rmw %out1[%i] : memref<64x{t}> {{
        ^bb0(%old: {t}):
          %new = arith.mulf %old, %a : {t}
          memref.atomic_yield %new : {t}
        }}
        %s = memref.load %out1[%i] : memref<64x{t}>""",
            {"a": "finite", "b": "finite"},
        )
    )
