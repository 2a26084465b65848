"""Transfers, changes of shape, single elements and elementwise ops."""

from situations import nested, situation

COLUMNS = nested(b=[1, 2], t=[4, 8], e=[4, 1], ts=[8, 1])
ROWS = nested(b=[2, 2], t=[8, 1], e=[1, 8], ts=[1, 0])

# --- Transfers -------------------------------------------------------------------

READ = """
%zero = arith.constant 0 : index
%pad = arith.constant 0.0 : f16
%v = vector.transfer_read %m[INDICES], %pad {in_bounds = [true, true]MAP} : memref<TYPE>, vector<16x16xf16>
%w = layout.to_layout %v to layout(#l) : vector<16x16xf16>
"""


def read(name, layout, type="12x9x24x24xf16", indices="%zero, %zero, %i, %j", map=""):
    text = READ.replace("INDICES", indices).replace("TYPE", type)
    text = text.replace("MAP", f", permutation_map = affine_map<(d0, d1, d2, d3) -> ({map})>" if map else "")
    situation(
        name, text, [("w", "16x16xf16")], args=[f"m memory {type}", "i scalar index 3", "j scalar index 5"], l=layout
    )


read("read_columns", COLUMNS, "24x24xf16", "%zero, %zero")
read("read_rows_of_4d", ROWS, map="d2, d3")
read("read_one_element_everywhere", COLUMNS, map="0, 0")
read("read_rows_transposed", ROWS, map="d3, d2")
read("read_columns_transposed", COLUMNS, map="d3, d2")
read("read_one_row_everywhere", ROWS, map="0, d3")

situation(
    "read_fifteen_waves",
    """
%zero = arith.constant 0 : index
%pad = arith.constant 0.0 : f16
%v = vector.transfer_read %m[%zero, %zero, %i, %zero], %pad
    {in_bounds = [true, true, true, true], permutation_map = affine_map<(d0, d1, d2, d3) -> (d0, d3, 0, d1)>}
    : memref<5x4x5x6xf16>, vector<5x6x4x4xf16>
%w = layout.to_layout %v to layout(#l) : vector<5x6x4x4xf16>
""",
    [("w", "5x6x4x4xf16")],
    waves=15,
    args=["m memory 5x4x5x6xf16", "i scalar index 2"],
    l=nested(
        sg=[5, 3, 1, 1],
        b=[1, 2, 1, 1],
        o=[1, 1, 2, 1],
        t=[1, 1, 2, 2],
        e=[1, 1, 1, 2],
        ss=[3, 1, 0, 0],
        ts=[0, 0, 1, 2],
    ),
)

for name, waves, size, layout in (
    ("read_spread_lanes", 1, 16, nested(t=[4], e=[4], ts=[8])),
    ("read_part_of_wave", 2, 128, nested(sg=[2], t=[16], e=[4], ss=[1], ts=[1])),
    ("read_idle_waves", 4, 128, nested(sg=[2], t=[16], e=[4], ss=[2], ts=[2])),
):
    situation(
        name,
        f"""
%zero = arith.constant 0 : index
%pad = arith.constant 0.0 : f16
%v = vector.transfer_read %m[%zero, %zero], %pad {{in_bounds = [true]}} : memref<4x{size}xf16>, vector<{size}xf16>
%w = layout.to_layout %v to layout(#l) : vector<{size}xf16>
""",
        [("w", f"{size}xf16")],
        waves=waves,
        args=[f"m memory 4x{size}xf16"],
        l=layout,
    )

situation(
    "read_rank_0",
    """
%two = arith.constant 2 : index
%pad = arith.constant 0.0 : f16
%v = vector.transfer_read %m[%two], %pad {in_bounds = []} : memref<16xf16>, vector<f16>
%w = layout.to_layout %v to layout(#l) : vector<f16>
""",
    [("w", "<f16>")],
    args=["m memory 16xf16"],
    l=nested(),
)

for name, layout, attrs, type in (
    ("write_rows", ROWS, "", "24x24xf16"),
    ("write_columns", COLUMNS, "", "24x24xf16"),
    ("write_rows_transposed", ROWS, ", permutation_map = affine_map<(d0, d1) -> (d1, d0)>", "24x24xf16"),
    ("write_columns_transposed", COLUMNS, ", permutation_map = affine_map<(d0, d1) -> (d1, d0)>", "24x24xf16"),
):
    situation(
        name,
        f"""
%w = layout.to_layout %v to layout(#l) : vector<16x16xf16>
vector.transfer_write %w, %m[%i, %j] {{in_bounds = [true, true]{attrs}}} : vector<16x16xf16>, memref<{type}>
""",
        args=["v vector 16x16xf16", f"m memory {type}", "i scalar index 1", "j scalar index 6"],
        l=layout,
    )

situation(
    "copy_tile",
    """
%zero = arith.constant 0 : index
%pad = arith.constant 0.0 : f16
%v = vector.transfer_read %m[%zero, %i, %j], %pad {in_bounds = [true, true],\
 permutation_map = affine_map<(d0, d1, d2) -> (d1, d2)>}
    : memref<2x20x24xf16>, vector<16x16xf16>
%w = layout.to_layout %v to layout(#l) : vector<16x16xf16>
vector.transfer_write %w, %o[%i, %zero, %j] {in_bounds = [true, true],\
 permutation_map = affine_map<(d0, d1, d2) -> (d1, d2)>}
    : vector<16x16xf16>, memref<5x20x24xf16>
""",
    args=["m memory 2x20x24xf16", "o memory 5x20x24xf16", "i scalar index 4", "j scalar index 7"],
    l=ROWS,
)

situation(
    "read_factors_of_matrix_instruction",
    """
%zero = arith.constant 0 : index
%pad = arith.constant 0.0 : f16
%a = vector.transfer_read %m[%zero, %zero], %pad {in_bounds = [true, true]} : memref<64x8xf16>, vector<64x8xf16>
%b = vector.transfer_read %o[%zero, %zero], %pad {in_bounds = [true, true]} : memref<8x32xf16>, vector<8x32xf16>
%c = vector.transfer_read %p[%zero, %zero], %pad {in_bounds = [true, true]} : memref<64x32xf16>, vector<64x32xf16>
%A = layout.to_layout %a to layout(#a) : vector<64x8xf16>
%B = layout.to_layout %b to layout(#b) : vector<8x32xf16>
%C = layout.to_layout %c to layout(#c) : vector<64x32xf16>
""",
    [("A", "64x8xf16"), ("B", "8x32xf16"), ("C", "64x32xf16")],
    waves=4,
    wave=64,
    args=["m memory 64x8xf16", "o memory 8x32xf16", "p memory 64x32xf16"],
    a=nested(sg=[2, 1], t=[32, 2], e=[1, 4], ss=[2, 0], ts=[1, 32]),
    b=nested(sg=[1, 1], t=[2, 32], e=[4, 1], ss=[0, 0], ts=[32, 1]),
    c=nested(sg=[2, 1], o=[4, 1], t=[2, 32], e=[4, 1], ss=[2, 0], ts=[32, 1]),
)

situation(
    "read_transposed_half_of_the_waves",
    """
%zero = arith.constant 0 : index
%pad = arith.constant 0.0 : f16
%v = vector.transfer_read %m[%zero, %zero], %pad {in_bounds = [true, true],\
 permutation_map = affine_map<(d0, d1) -> (d1, d0)>}
    : memref<8x64xf16>, vector<64x8xf16>
%w = layout.to_layout %v to layout(#l) : vector<64x8xf16>
""",
    [("w", "64x8xf16")],
    waves=4,
    wave=64,
    args=["m memory 8x64xf16"],
    l=nested(sg=[2, 1], t=[32, 2], e=[1, 4], ss=[2, 0], ts=[1, 32]),
)

situation(
    "write_rank_0",
    """
vector.transfer_write %v, %m[] : vector<f32>, memref<f32>
""",
    waves=2,
    args=["v vector f32", "m memory f32"],
)

for name, waves, rows, layout in (
    ("write_copies_in_lanes_and_waves", 4, "8x16", nested(sg=[4, 1], t=[2, 8], e=[1, 2], ss=[1, 0], ts=[16, 1])),
    ("write_copies_in_waves", 4, "32x32", nested(t=[1, 32], e=[32, 1], ts=[0, 1])),
    ("write_no_copies", 1, "32x32", nested(t=[1, 32], e=[32, 1], ts=[0, 1])),
):
    situation(
        name,
        f"""
%w = layout.to_layout %v to layout(#l) : vector<{rows}xf32>
%zero = arith.constant 0 : index
vector.transfer_write %w, %m[%zero, %zero] {{in_bounds = [true, true]}} : vector<{rows}xf32>, memref<40x40xf32>
""",
        waves=waves,
        args=[f"v vector {rows}xf32", "m memory 40x40xf32"],
        l=layout,
    )

# --- Broadcasts, gathers, transposes, casts of shape --------------------------------

situation(
    "broadcast_rows",
    """
%w = vector.broadcast %v : vector<32xf16> to vector<16x32xf16>
%x = layout.to_layout %w to layout(#l) : vector<16x32xf16>
""",
    [("x", "16x32xf16")],
    waves=4,
    args=["v vector 32xf16"],
    l=nested(sg=[2, 2], b=[2, 2], t=[2, 8], e=[2, 1], ss=[2, 1], ts=[8, 1]),
)

CUBE = nested(sg=[1, 2, 2], b=[2, 1, 1], o=[2, 1, 1], t=[1, 2, 4], e=[1, 2, 2], ss=[0, 2, 1], ts=[0, 4, 1])
for name, arg, type in (
    ("broadcast_to_cube", "v vector 16xf16", "vector<16xf16>"),
    ("broadcast_scalar_to_cube", "v scalar f16 3.0", "f16"),
    ("broadcast_rank_0_to_cube", "v vector f16", "vector<f16>"),
):
    situation(
        name,
        f"""
%w = vector.broadcast %v : {type} to vector<4x8x16xf16>
%x = layout.to_layout %w to layout(#l) : vector<4x8x16xf16>
""",
        [("x", "4x8x16xf16")],
        waves=4,
        args=[arg],
        l=CUBE,
    )

situation(
    "gather_cube",
    """
%zero = arith.constant 0 : index
%mask = arith.constant dense<true> : vector<4x8x16xi1>
%other = arith.constant dense<0.0> : vector<4x8x16xf16>
%hundred = arith.constant dense<100> : vector<4x8x16xindex>
%places = arith.addi %index, %hundred : vector<4x8x16xindex>
%w = vector.gather %m[%zero, %zero] [%places], %mask, %other
    : memref<8x32xf16>, vector<4x8x16xindex>, vector<4x8x16xi1>, vector<4x8x16xf16> into vector<4x8x16xf16>
%x = layout.to_layout %w to layout(#l) : vector<4x8x16xf16>
""",
    [("x", "4x8x16xf16")],
    waves=4,
    args=["m memory 8x32xf16", "index vector 4x8x16xindex"],
    l=CUBE,
)

PLANE = nested(sg=[2, 2], b=[1, 2], o=[2, 1], t=[2, 8], e=[2, 2], ss=[2, 1], ts=[8, 1])
situation(
    "transpose_to_layout",
    """
%w = vector.transpose %v, [1, 0] : vector<64x16xf32> to vector<16x64xf32>
%x = layout.to_layout %w to layout(#l) : vector<16x64xf32>
%y = math.absf %x : vector<16x64xf32>
""",
    [("y", "16x64xf32")],
    waves=4,
    args=["v vector 64x16xf32"],
    l=PLANE,
)
situation(
    "transpose_of_layout",
    """
%w = layout.to_layout %v to layout(#l) : vector<16x64xf32>
%x = vector.transpose %w, [1, 0] : vector<16x64xf32> to vector<64x16xf32>
%y = math.absf %x : vector<64x16xf32>
""",
    [("y", "64x16xf32")],
    waves=4,
    args=["v vector 16x64xf32"],
    l=PLANE,
)
situation(
    "transpose_cube_in_place",
    """
%zero = arith.constant 0 : index
%pad = arith.constant 0.0 : f16
%v = vector.transfer_read %m[%zero, %zero, %zero], %pad {in_bounds = [true, true, true]}\
 : memref<16x16x16xf16>, vector<16x8x8xf16>
%w = layout.to_layout %v to layout(#l) : vector<16x8x8xf16>
%t = vector.transpose %w, [1, 2, 0] : vector<16x8x8xf16> to vector<8x8x16xf16>
vector.transfer_write %t, %m[%zero, %zero, %zero] {in_bounds = [true, true, true]}\
 : vector<8x8x16xf16>, memref<16x16x16xf16>
""",
    waves=2,
    args=["m memory 16x16x16xf16"],
    l=nested(sg=[2, 1, 1], b=[1, 2, 2], t=[2, 4, 2], e=[4, 1, 2], ss=[1, 0, 0], ts=[8, 2, 1]),
)

situation(
    "shape_cast_expand_2d",
    """
%w = layout.to_layout %v to layout(#l) : vector<32x32xf16>
%x = vector.shape_cast %w : vector<32x32xf16> to vector<8x4x8x4xf16>
%y = layout.to_layout %x to layout(#k) : vector<8x4x8x4xf16>
%z = vector.shape_cast %y : vector<8x4x8x4xf16> to vector<32x32xf16>
%u = layout.to_layout %z to layout(#l) : vector<32x32xf16>
""",
    [("y", "8x4x8x4xf16"), ("u", "32x32xf16")],
    args=["v vector 32x32xf16"],
    l=nested(b=[4, 2], t=[8, 4], e=[1, 4], ts=[4, 1]),
    k=nested(b=[4, 1, 2, 1], t=[2, 4, 4, 1], e=[1, 1, 1, 4], ts=[16, 4, 1, 0]),
)
situation(
    "shape_cast_expand_1d",
    """
%w = layout.to_layout %v to layout(#l) : vector<128xf16>
%x = vector.shape_cast %w : vector<128xf16> to vector<4x32xf16>
%y = layout.to_layout %x to layout(#k) : vector<4x32xf16>
%z = vector.shape_cast %y : vector<4x32xf16> to vector<128xf16>
%u = layout.to_layout %z to layout(#l) : vector<128xf16>
""",
    [("y", "4x32xf16"), ("u", "128xf16")],
    waves=2,
    args=["v vector 128xf16"],
    l=nested(sg=[2], b=[4], t=[4], e=[4], ss=[1], ts=[1]),
    k=nested(sg=[2, 1], b=[2, 2], t=[1, 4], e=[1, 4], ss=[1, 0], ts=[0, 1]),
)

# --- Single elements ----------------------------------------------------------------

situation(
    "to_elements_and_back",
    f"""
%w = layout.to_layout %v to layout(#l) : vector<4x8xf16>
%e:32 = vector.to_elements %w : vector<4x8xf16>
%r = vector.from_elements {", ".join(f"%e#{i}" for i in reversed(range(32)))} : vector<4x8xf16>
%x = layout.to_layout %r to layout(#k) : vector<4x8xf16>
%s = arith.subf %e#3, %e#17 : f16
""",
    [("x", "4x8xf16"), ("s", "f16")],
    waves=2,
    args=["v vector 4x8xf16"],
    l=nested(sg=[2, 1], t=[2, 8], ss=[1, 0], ts=[8, 1]),
    k=nested(t=[4, 4], e=[1, 2], ts=[4, 1]),
)
situation(
    "to_elements_of_each_wave",
    """
%w = layout.to_layout %v to layout(#l) : vector<8xi32>
%e:8 = vector.to_elements %w : vector<8xi32>
%s = arith.addi %e#0, %e#7 : i32
%r = vector.from_elements %e#1, %s, %five, %e#1 : vector<4xi32>
""",
    [("r", "4xi32"), ("s", "i32")],
    args=["v vector 8xi32", "five scalar i32 5"],
    l=nested(t=[4], e=[2], ts=[1]),
)
situation(
    "to_elements_of_rank_0",
    """
%w = layout.to_layout %v to layout(#l) : vector<f16>
%e = vector.to_elements %w : vector<f16>
%r = vector.from_elements %e, %e : vector<2xf16>
""",
    [("r", "2xf16")],
    args=["v vector f16"],
    l=nested(),
)

# --- Elementwise ops ------------------------------------------------------------------

situation(
    "elementwise_floats",
    """
%two = arith.constant dense<2.0> : vector<16x16xf16>
%c = arith.mulf %two, %b : vector<16x16xf16>
%d = arith.addf %c, %a fastmath<reassoc,nnan> : vector<16x16xf16>
%e = layout.to_layout %d to layout(#l) : vector<16x16xf16>
""",
    [("e", "16x16xf16")],
    args=["a vector 16x16xf16", "b vector 16x16xf16"],
    l=COLUMNS,
)
situation(
    "elementwise_large",
    """
%one = arith.constant dense<1.0> : vector<16x8x8xf16>
%o = layout.to_layout %one to layout(#l) : vector<16x8x8xf16>
%c = arith.mulf %o, %b : vector<16x8x8xf16>
%d = arith.addf %c, %a : vector<16x8x8xf16>
""",
    [("d", "16x8x8xf16")],
    waves=2,
    args=["a vector 16x8x8xf16", "b vector 16x8x8xf16"],
    l=nested(sg=[2, 1, 1], b=[1, 1, 2], o=[1, 2, 1], t=[8, 2, 2], e=[1, 2, 2], ss=[1, 0, 0], ts=[4, 2, 1]),
)
situation(
    "select_by_scalar",
    """
%first = arith.constant dense<2.0> : vector<32x32xf16>
%second = arith.constant dense<4.0> : vector<32x32xf16>
%three = arith.constant 3 : index
%which = arith.cmpi eq, %n, %three : index
%x = layout.to_layout %a to layout(#l) : vector<32x32xf16>
%y = layout.to_layout %b to layout(#k) : vector<32x32xf16>
%s = arith.select %which, %first, %second : vector<32x32xf16>
%t = arith.addf %x, %s : vector<32x32xf16>
%u = layout.to_layout %t to layout(#k) : vector<32x32xf16>
%r = arith.addf %u, %y : vector<32x32xf16>
""",
    [("r", "32x32xf16")],
    args=["a vector 32x32xf16", "b vector 32x32xf16"],
    l=nested(b=[2, 4], t=[16, 2], e=[1, 4], ts=[1, 16]),
    k=nested(b=[2, 2], t=[16, 2], e=[1, 8], ts=[1, 16]),
)
situation(
    "loop_of_elementwise",
    """
%zero = arith.constant 0 : index
%one = arith.constant 1 : index
%ten = arith.constant 10 : index
%start = arith.constant dense<0> : vector<16x16xi32>
%s = layout.to_layout %start to layout(#l) : vector<16x16xi32>
%r = scf.for %i = %zero to %ten step %one iter_args(%x = %s) -> (vector<16x16xi32>) {
  %c = arith.muli %x, %b : vector<16x16xi32>
  %d = arith.addi %c, %a : vector<16x16xi32>
  scf.yield %d : vector<16x16xi32>
}
""",
    [("r", "16x16xi32")],
    args=["a vector 16x16xi32", "b vector 16x16xi32"],
    l=COLUMNS,
)
situation(
    "scale_packed_integers",
    """
%zero = arith.constant 0 : index
%pad = arith.constant 0.0 : f16
%q = layout.to_layout %v to layout(#l) : vector<32x32xi8>
%s = vector.transfer_read %scale[%zero], %pad {in_bounds = [true]} : memref<32xf16>, vector<32xf16>
%t = vector.broadcast %s : vector<32xf16> to vector<32x32xf16>
%u = vector.transpose %t, [1, 0] : vector<32x32xf16> to vector<32x32xf16>
%n4 = arith.trunci %q : vector<32x32xi8> to vector<32x32xi4>
%x = arith.extui %n4 : vector<32x32xi4> to vector<32x32xi32>
%y = arith.uitofp %x : vector<32x32xi32> to vector<32x32xf16>
%r = arith.mulf %y, %u : vector<32x32xf16>
""",
    [("r", "32x32xf16")],
    waves=2,
    args=["v vector 32x32xi8", "scale memory 32xf16"],
    l=nested(b=[2, 1], t=[16, 2], e=[1, 16], ts=[1, 16]),
)
