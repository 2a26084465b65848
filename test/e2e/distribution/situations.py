"""The programs that named.py runs.

An argument is `name vector 16x16xf16` (filled with small numbers), `name memory
32x32xf16` (a memref, which is compared as well) or `name scalar index 3`.
A line of the text that begins with `kernel: ` or `host: ` is only for that side.
A result is a vector's or a scalar's name and type, `<f32>` a vector of rank 0.
"""

from values import Dim, Layout


class Situation:
    """`wave`: the size that the layouts want waves to have, None where any will do."""

    def __init__(self, name, waves, layouts, args, text, results, wave=None):
        self.name, self.waves, self.layouts, self.args = name, waves, layouts, args
        self.text, self.results, self.wave = text, results, wave


def nested(**lists):
    """A layout from lists of tiles and strides; what is not given is 1 or 0."""
    rank = max(len(v) for v in lists.values()) if lists else 0
    rows = [{key: values[i] for key, values in lists.items()} for i in range(rank)]
    return Layout(Dim(**row) for row in rows)


SITUATIONS = []


def situation(name, text, results=(), waves=1, args=(), wave=None, **layouts):
    SITUATIONS.append(Situation(name, waves, layouts, args, text, results, wave))


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

# --- Reductions and contractions --------------------------------------------------------

QUARTERS = nested(b=[1, 2], t=[16, 4], e=[1, 2], ts=[1, 16])
HALVES = nested(b=[1, 2], t=[16, 2], e=[1, 4], ts=[1, 16])
for name, layout, wave in (("quarters", QUARTERS, 64), ("halves", HALVES, 32)):
    row = nested(b=[2], t=[layout.dims[1].t], e=[layout.dims[1].e], ts=[16])
    column = nested(t=[16], ts=[1])
    for elem in ("f32", "f64", "i64", "i128", "bf16"):
        kind = "add" if elem[0] == "i" else "maximumf"
        if elem == "i128":
            # Memory has none of these: they are made here.
            situation(
                f"reduce_rows_{elem}_{name}",
                f"""
%s = layout.to_layout %v to layout(#l) : vector<16x16xi64>
%w = arith.extsi %s : vector<16x16xi64> to vector<16x16xi128>
%b = arith.extsi %acc : vector<16xi64> to vector<16xi128>
%r = vector.multi_reduction <add>, %w, %b [1] : vector<16x16xi128> to vector<16xi128>
%t = arith.trunci %r : vector<16xi128> to vector<16xi64>
""",
                [("t", "16xi64")],
                wave=wave,
                args=["v vector 16x16xi64", "acc vector 16xi64"],
                l=layout,
            )
            continue
        situation(
            f"reduce_rows_{elem}_{name}",
            f"""
%s = layout.to_layout %v to layout(#l) : vector<16x16x{elem}>
%r = vector.multi_reduction <{kind}>, %s, %acc [1] : vector<16x16x{elem}> to vector<16x{elem}>
""",
            [("r", f"16x{elem}")],
            wave=wave,
            args=[f"v vector 16x16x{elem}", f"acc vector 16x{elem}"],
            l=layout,
        )
    situation(
        f"reduce_all_{name}",
        """
%s = layout.to_layout %v to layout(#l) : vector<16x16xf16>
%r = vector.multi_reduction <maximumf>, %s, %acc [0, 1] : vector<16x16xf16> to f16
""",
        [("r", "f16")],
        wave=wave,
        args=["v vector 16x16xf16", "acc scalar f16 1.0"],
        l=layout,
    )
    situation(
        f"reduce_rank_0_in_loop_{name}",
        """
%zero = arith.constant 0 : index
%one = arith.constant 1 : index
%eight = arith.constant 8 : index
%start = arith.constant dense<0.0> : vector<f32>
%pad = arith.constant 0.0 : f16
%r = scf.for %i = %zero to %eight step %one iter_args(%x = %start) -> (vector<f32>) {
  %s = vector.transfer_read %m[%zero, %zero], %pad {in_bounds = [true, true]} : memref<16x16xf16>, vector<16x16xf16>
  %t = layout.to_layout %s to layout(#l) : vector<16x16xf16>
  %b = arith.addf %t, %a : vector<16x16xf16>
  %c = arith.extf %b : vector<16x16xf16> to vector<16x16xf32>
  %old = vector.extract %x[] : f32 from vector<f32>
  %new = vector.multi_reduction <add>, %c, %old [0, 1] : vector<16x16xf32> to f32
  %y = vector.broadcast %new : f32 to vector<f32>
  scf.yield %y : vector<f32>
}
""",
        [("r", "<f32>")],
        wave=wave,
        args=["m memory 16x16xf16", "a vector 16x16xf16"],
        l=layout,
    )
    ALL = """{indexing_maps = [affine_map<(m, k) -> (m, k)>, affine_map<(m, k) -> (m, k)>, affine_map<(m, k) -> ()>],
    iterator_types = ["reduction", "reduction"], kind = #vector.kind<KIND>}"""
    for kind in ("maxnumf", "add"):
        situation(
            f"contract_all_{kind}_{name}",
            f"""
%s = layout.to_layout %v to layout(#l) : vector<16x16xf32>
%r = vector.contract {ALL.replace("KIND", kind)} %s, %s, %acc : vector<16x16xf32>, vector<16x16xf32> into f32
""",
            [("r", "f32")],
            wave=wave,
            args=["v vector 16x16xf32", "acc scalar f32 2.0"],
            l=layout,
        )
    situation(
        f"contract_rank_0_in_loop_{name}",
        f"""
%zero = arith.constant 0 : index
%one = arith.constant 1 : index
%eight = arith.constant 8 : index
%start = arith.constant dense<0.0> : vector<f32>
%r = scf.for %i = %zero to %eight step %one iter_args(%x = %start) -> (vector<f32>) {{
  %t = layout.to_layout %v to layout(#l) : vector<16x16xf16>
  %c = arith.extf %t : vector<16x16xf16> to vector<16x16xf32>
  %old = vector.extract %x[] : f32 from vector<f32>
  %new = vector.contract {ALL.replace("KIND", "maxnumf")} %c, %c, %old : vector<16x16xf32>, vector<16x16xf32> into f32
  %y = vector.broadcast %new : f32 to vector<f32>
  scf.yield %y : vector<f32>
}}
""",
        [("r", "<f32>")],
        wave=wave,
        args=["v vector 16x16xf16"],
        l=layout,
    )
    situation(
        f"contract_with_vector_{name}",
        """
%a = layout.to_layout %v to layout(#l) : vector<16x16xf32>
%b = layout.to_layout %w to layout(#row) : vector<16xf32>
%c = vector.contract {indexing_maps = [affine_map<(m, k) -> (m, k)>, affine_map<(m, k) -> (k)>,\
 affine_map<(m, k) -> (m)>],
    iterator_types = ["parallel", "reduction"], kind = #vector.kind<maxnumf>} %a, %b, %acc\
 : vector<16x16xf32>, vector<16xf32> into vector<16xf32>
%r = layout.to_layout %c to layout(#column) : vector<16xf32>
""",
        [("r", "16xf32")],
        wave=wave,
        args=["v vector 16x16xf32", "w vector 16xf32", "acc vector 16xf32"],
        l=layout,
        row=row,
        column=column,
    )
    situation(
        f"reduce_transposed_in_loop_{name}",
        """
%zero = arith.constant 0 : index
%one = arith.constant 1 : index
%three = arith.constant 3 : index
%pad = arith.constant 0.0 : f32
%start = arith.constant dense<0.0> : vector<16xf32>
%r = scf.for %i = %zero to %three step %one iter_args(%x = %start) -> (vector<16xf32>) {
  %v = vector.transfer_read %m[%zero, %zero], %pad {in_bounds = [true, true]} : memref<16x16xf32>, vector<16x16xf32>
  %s = layout.to_layout %v to layout(#l) : vector<16x16xf32>
  %other = vector.transfer_read %o[%zero], %pad {in_bounds = [true]} : memref<16xf32>, vector<16xf32>
  %t = vector.transpose %s, [1, 0] : vector<16x16xf32> to vector<16x16xf32>
  %q = vector.multi_reduction <add>, %t, %x [0] : vector<16x16xf32> to vector<16xf32>
  %d = arith.addf %q, %a : vector<16xf32>
  %e = arith.subf %d, %other : vector<16xf32>
  scf.yield %e : vector<16xf32>
}
""",
        [("r", "16xf32")],
        wave=wave,
        args=["m memory 16x16xf32", "o memory 16xf32", "a vector 16xf32"],
        l=layout,
    )

for name, waves, columns, layout in (
    ("two_waves", 2, 16, nested(sg=[1, 2], b=[2, 1], t=[16, 2], e=[1, 4], ss=[0, 1], ts=[1, 16])),
    ("three_waves", 3, 24, nested(sg=[1, 3], b=[2, 1], t=[16, 2], e=[1, 4], ss=[0, 1], ts=[1, 16])),
    ("waves_without_lanes", 2, 8, nested(sg=[1, 2], b=[2, 1], t=[16, 1], e=[1, 4], ss=[0, 1], ts=[1, 0])),
):
    situation(
        f"reduce_over_{name}",
        f"""
%s = layout.to_layout %v to layout(#l) : vector<32x{columns}xf16>
%r = vector.multi_reduction <maximumf>, %s, %acc [1] : vector<32x{columns}xf16> to vector<32xf16>
""",
        [("r", "32xf16")],
        waves=waves,
        args=[f"v vector 32x{columns}xf16", "acc vector 32xf16"],
        l=layout,
    )

situation(
    "reduce_onto_rank_0",
    """
%s = layout.to_layout %v to layout(#l) : vector<64xf32>
%start = vector.extract %acc[] : f32 from vector<f32>
%r = vector.multi_reduction <add>, %s, %start [0] : vector<64xf32> to f32
""",
    [("r", "f32")],
    args=["v vector 64xf32", "acc vector f32"],
    l=nested(t=[32], e=[2], ts=[1]),
)

# --- Scans and steps ---------------------------------------------------------------------

for elem in ("f32", "f64", "i8"):
    for inclusive in ("true", "false"):
        for batch in (1, 2):
            n = 16 * batch
            situation(
                f"scan_{elem}_{'inclusive' if inclusive == 'true' else 'exclusive'}_{n}",
                f"""
%s = layout.to_layout %v to layout(#l) : vector<{n}x{elem}>
%r:2 = vector.scan <add>, %s, %start {{inclusive = {inclusive}, reduction_dim = 0 : i64}}\
 : vector<{n}x{elem}>, vector<{elem}>
""",
                [("r#0", f"{n}x{elem}"), ("r#1", f"<{elem}>")],
                args=[f"v vector {n}x{elem}", f"start vector {elem}"],
                l=nested(b=[batch], t=[4], e=[4], ts=[1]),
            )

# What a lane scans is a part of the dimension: others, in its wave and in other waves, have what comes before.
for name, elem, kind, shape, dim, waves, layout in (
    ("waves", "i32", "add", [96], 0, 2, nested(sg=[2], b=[2], t=[8], e=[3], ss=[1], ts=[2])),
    ("three_lanes", "i16", "xor", [4, 18], 1, 3, nested(sg=[1, 3], b=[2, 1], t=[2, 3], e=[1, 2], ss=[0, 1], ts=[3, 1])),
    ("columns", "f16", "maximumf", [24, 5], 0, 1, nested(b=[3, 5], t=[8, 1], ts=[2, 0])),
    (
        "many_floats",
        "f32",
        "add",
        [2, 256],
        1,
        4,
        nested(sg=[1, 2], b=[2, 2], t=[1, 16], e=[1, 4], ss=[0, 2], ts=[0, 2]),
    ),
):
    for inclusive in ("true", "false"):
        others = "x".join([str(n) for i, n in enumerate(shape) if i != dim] + [elem])
        whole, rest = "x".join([*map(str, shape), elem]), others if "x" in others else f"<{elem}>"
        situation(
            f"scan_{name}_{'inclusive' if inclusive == 'true' else 'exclusive'}",
            f"""
%s = layout.to_layout %v to layout(#l) : vector<{whole}>
%r:2 = vector.scan <{kind}>, %s, %start {{inclusive = {inclusive}, reduction_dim = {dim} : i64}}\
 : vector<{whole}>, vector<{others}>
""",
            [("r#0", whole), ("r#1", rest)],
            waves=waves,
            args=[f"v vector {whole}", f"start vector {others}"],
            l=layout,
        )

for name, waves, n, layout in (
    ("batches", 1, 16, nested(b=[4], t=[4], ts=[8])),
    ("outer", 1, 24, nested(o=[3], t=[4], e=[2], ts=[2])),
    ("waves", 24, 48, None),
    ("elements", 1, 128, nested(t=[16], e=[8], ts=[1])),
):
    if layout is None:
        waves, layout = 6, nested(sg=[3], o=[2], t=[4], e=[2], ss=[2], ts=[2])
    situation(
        f"step_{name}",
        f"""
%s = vector.step : vector<{n}xindex>
%r = layout.to_layout %s to layout(#l) : vector<{n}xindex>
""",
        [("r", f"{n}xindex")],
        waves=waves,
        l=layout,
    )

situation(
    "step_in_two_layouts",
    """
%al = layout.to_layout %a to layout(#a) : vector<64xindex>
%bl = layout.to_layout %b to layout(#b) : vector<64xindex>
%s = vector.step : vector<64xindex>
%r = arith.muli %s, %al : vector<64xindex>
%q = arith.muli %s, %bl : vector<64xindex>
""",
    [("r", "64xindex"), ("q", "64xindex")],
    args=["a vector 64xindex", "b vector 64xindex"],
    a=nested(e=[64]),
    b=nested(b=[4], t=[8], e=[2], ts=[4]),
)

# --- Masks ---------------------------------------------------------------------------------

TALL = nested(sg=[2, 1], b=[2, 1], o=[2, 1], t=[8, 4], e=[2, 2], ss=[1, 0], ts=[4, 1])
MASKED = """
%zero = arith.constant 0 : index
%one = arith.constant 1 : index
%eight = arith.constant 8 : index
%sixteen = arith.constant 16 : index
%pad = arith.constant 0.0 : f16
%md = memref.cast %m : memref<MEMORY> to memref<DYNAMIC>
%od = memref.cast %o : memref<MEMORY> to memref<DYNAMIC>
"""
PLAIN = MASKED.replace("MEMORY", "37x8xf16").replace("DYNAMIC", "?x8xf16")
PERMUTED = MASKED.replace("MEMORY", "8x37x1xf16").replace("DYNAMIC", "8x?x1xf16")

situation(
    "mask_dynamic_rows",
    PLAIN
    + """
%n0 = memref.dim %md, %zero : memref<?x8xf16>
%mask = vector.create_mask %n0, %eight : vector<128x8xi1>
%v = vector.transfer_read %md[%zero, %zero], %pad, %mask {in_bounds = [true, true]} : memref<?x8xf16>, vector<128x8xf16>
%w = layout.to_layout %v to layout(#l) : vector<128x8xf16>
vector.transfer_write %w, %od[%zero, %zero], %mask {in_bounds = [true, true]} : vector<128x8xf16>, memref<?x8xf16>
""",
    waves=2,
    args=["m memory 37x8xf16", "o memory 37x8xf16"],
    l=TALL,
)
situation(
    "mask_permuted",
    PERMUTED
    + """
%n0 = memref.dim %md, %one : memref<8x?x1xf16>
%mask = vector.create_mask %eight, %n0, %one : vector<8x128x1xi1>
%v = vector.transfer_read %md[%zero, %zero, %zero], %pad, %mask
    {in_bounds = [true, true, true], permutation_map = affine_map<(d0, d1, d2) -> (d2, d1, d0)>}\
 : memref<8x?x1xf16>, vector<1x128x8xf16>
%w = layout.to_layout %v to layout(#l) : vector<1x128x8xf16>
vector.transfer_write %w, %od[%zero, %zero, %zero], %mask
    {in_bounds = [true, true, true], permutation_map = affine_map<(d0, d1, d2) -> (d2, d1, d0)>}\
 : vector<1x128x8xf16>, memref<8x?x1xf16>
""",
    waves=2,
    args=["m memory 8x37x1xf16", "o memory 8x37x1xf16"],
    l=nested(sg=[1, 2, 1], b=[1, 2, 1], o=[1, 2, 1], t=[1, 8, 4], e=[1, 2, 2], ss=[0, 1, 0], ts=[0, 4, 1]),
)
situation(
    "mask_minor_dimensions_permuted",
    PERMUTED
    + """
%n0 = memref.dim %md, %one : memref<8x?x1xf16>
%t = memref.collapse_shape %md [[0], [1, 2]] : memref<8x?x1xf16> into memref<8x?xf16>
%u = memref.collapse_shape %od [[0], [1, 2]] : memref<8x?x1xf16> into memref<8x?xf16>
%mask = vector.create_mask %eight, %n0 : vector<8x128xi1>
%v = vector.transfer_read %t[%zero, %zero], %pad, %mask
    {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : memref<8x?xf16>, vector<128x8xf16>
%w = layout.to_layout %v to layout(#l) : vector<128x8xf16>
vector.transfer_write %w, %u[%zero, %zero], %mask
    {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : vector<128x8xf16>, memref<8x?xf16>
""",
    waves=2,
    args=["m memory 8x37x1xf16", "o memory 8x37x1xf16"],
    l=TALL,
)
situation(
    "mask_broadcast",
    PLAIN
    + """
%n0 = memref.dim %md, %zero : memref<?x8xf16>
%column = vector.create_mask %n0 : vector<128xi1>
%v = vector.transfer_read %md[%zero, %one], %pad, %column
    {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d0, 0)>} : memref<?x8xf16>, vector<128x8xf16>
%w = layout.to_layout %v to layout(#l) : vector<128x8xf16>
%mask = vector.create_mask %n0, %eight : vector<128x8xi1>
vector.transfer_write %w, %od[%zero, %zero], %mask {in_bounds = [true, true]} : vector<128x8xf16>, memref<?x8xf16>
""",
    waves=2,
    args=["m memory 37x8xf16", "o memory 37x8xf16"],
    l=TALL,
)
situation(
    "mask_constant",
    """
%zero = arith.constant 0 : index
%pad = arith.constant 0.0 : f16
%mask = vector.constant_mask [17, 8] : vector<128x8xi1>
%v = vector.transfer_read %m[%zero, %zero], %pad, %mask {in_bounds = [true, true]} : memref<17x8xf16>, vector<128x8xf16>
%w = layout.to_layout %v to layout(#l) : vector<128x8xf16>
vector.transfer_write %w, %o[%zero, %zero], %mask {in_bounds = [true, true]} : vector<128x8xf16>, memref<17x8xf16>
""",
    waves=2,
    args=["m memory 17x8xf16", "o memory 17x8xf16"],
    l=TALL,
)
situation(
    "mask_of_reduction",
    PLAIN
    + """
%start = arith.constant dense<1.0> : vector<8xf16>
%n0 = memref.dim %md, %zero : memref<?x8xf16>
%mask = vector.create_mask %n0, %eight : vector<128x8xi1>
%v = vector.transfer_read %md[%zero, %zero], %pad, %mask {in_bounds = [true, true]} : memref<?x8xf16>, vector<128x8xf16>
%w = layout.to_layout %v to layout(#l) : vector<128x8xf16>
%r = vector.mask %mask { vector.multi_reduction <add>, %w, %start [0] : vector<128x8xf16> to vector<8xf16> }\
 : vector<128x8xi1> -> vector<8xf16>
""",
    [("r", "8xf16")],
    waves=2,
    args=["m memory 37x8xf16", "o memory 37x8xf16"],
    l=TALL,
)
situation(
    "mask_of_contraction",
    """
%zero = arith.constant 0 : index
%pad = arith.constant 0.0 : f16
%start = arith.constant dense<0.0> : vector<16xf16>
%md = memref.cast %m : memref<21xf16> to memref<?xf16>
%od = memref.cast %o : memref<11x21xf16> to memref<?x?xf16>
%depth = memref.dim %md, %zero : memref<?xf16>
%rows = memref.dim %od, %zero : memref<?x?xf16>
%maska = vector.create_mask %depth : vector<32xi1>
%maskb = vector.create_mask %rows, %depth : vector<16x32xi1>
%masks = vector.create_mask %depth, %rows : vector<32x16xi1>
%a = vector.transfer_read %md[%zero], %pad, %maska {in_bounds = [true]} : memref<?xf16>, vector<32xf16>
%al = layout.to_layout %a to layout(#a) : vector<32xf16>
%b = vector.transfer_read %od[%zero, %zero], %pad, %maskb {in_bounds = [true, true]}\
 : memref<?x?xf16>, vector<16x32xf16>
%bl = layout.to_layout %b to layout(#b) : vector<16x32xf16>
%c = vector.mask %masks { vector.contract {indexing_maps = [affine_map<(k, n) -> (k)>,\
 affine_map<(k, n) -> (n, k)>, affine_map<(k, n) -> (n)>],
    iterator_types = ["reduction", "parallel"], kind = #vector.kind<add>} %al, %bl, %start
    : vector<32xf16>, vector<16x32xf16> into vector<16xf16> } : vector<32x16xi1> -> vector<16xf16>
%r = layout.to_layout %c to layout(#c) : vector<16xf16>
""",
    [("r", "16xf16")],
    waves=4,
    args=["m memory 21xf16", "o memory 11x21xf16"],
    a=nested(sg=[2], t=[8], e=[2], ss=[2], ts=[4]),
    b=nested(sg=[2, 2], t=[4, 8], e=[2, 2], ss=[1, 2], ts=[1, 4]),
    c=nested(sg=[2], t=[4], e=[2], ss=[1], ts=[1]),
)

situation(
    "mask_permuted_write_of_4d",
    """
%zero = arith.constant 0 : index
%one = arith.constant 1 : index
%five = arith.constant 5 : index
%mask = vector.create_mask %i, %five, %i : vector<4x8x2xi1>
%w = layout.to_layout %v to layout(#l) : vector<8x4x2xf16>
vector.transfer_write %w, %m[%one, %zero, %one, %zero], %mask
    {in_bounds = [true, true, true], permutation_map = affine_map<(d0, d1, d2, d3) -> (d1, d0, d3)>}\
 : vector<8x4x2xf16>, memref<6x9x3x4xf16>
""",
    args=["v vector 8x4x2xf16", "m memory 6x9x3x4xf16", "i scalar index 3"],
    l=nested(b=[2, 1, 1], t=[4, 2, 2], e=[1, 2, 1], ts=[4, 2, 1]),
)
situation(
    "mask_of_step_in_two_layouts",
    """
%zero = arith.constant dense<0.0> : vector<8x32xf16>
%sixteen = arith.constant 16 : index
%end = arith.addi %n, %sixteen : index
%step = vector.step : vector<32xindex>
%limit = vector.broadcast %end : index to vector<32xindex>
%row = arith.cmpi slt, %step, %limit : vector<32xindex>
%mask = vector.broadcast %row : vector<32xi1> to vector<8x32xi1>
%al = layout.to_layout %a to layout(#a) : vector<8x32xf16>
%bl = layout.to_layout %b to layout(#b) : vector<8x32xf16>
%r = arith.select %mask, %al, %zero : vector<8x32xi1>, vector<8x32xf16>
%s = arith.select %mask, %bl, %zero : vector<8x32xi1>, vector<8x32xf16>
""",
    [("r", "8x32xf16"), ("s", "8x32xf16")],
    args=["a vector 8x32xf16", "b vector 8x32xf16"],
    a=nested(b=[2, 1], t=[4, 8], e=[1, 4], ts=[8, 1]),
    b=nested(b=[2, 2], t=[1, 16], e=[4, 1], ts=[0, 2]),
)

# --- Products of matrices -------------------------------------------------------------------

MM = (
    "indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,"
    " affine_map<(m, n, k) -> (m, n)>]"
)
MMT = MM.replace("(k, n)", "(n, k)")
ITERATORS = 'iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>'


def product(name, m, n, k, a, b, c, maps=MM, wave=64, waves=1):
    shape = f"{n}x{k}" if maps is MMT else f"{k}x{n}"
    situation(
        name,
        f"""
%al = layout.to_layout %a to layout(#a) : vector<{m}x{k}xf16>
%bl = layout.to_layout %b to layout(#b) : vector<{shape}xf16>
%cl = layout.to_layout %c to layout(#c) : vector<{m}x{n}xf32>
%d = vector.contract {{{maps}, {ITERATORS}}} %al, %bl, %cl : vector<{m}x{k}xf16>, vector<{shape}xf16>\
 into vector<{m}x{n}xf32>
%r = layout.to_layout %d to layout(#c) : vector<{m}x{n}xf32>
""",
        [("r", f"{m}x{n}xf32")],
        wave=wave,
        waves=waves,
        args=[f"a vector {m}x{k}xf16", f"b vector {shape}xf16", f"c vector {m}x{n}xf32"],
        a=a,
        b=b,
        c=c,
    )


A32, B32 = dict(t=[32, 2], e=[1, 4], ts=[1, 32]), dict(t=[2, 32], e=[4, 1], ts=[32, 1])
C32 = dict(o=[4, 1], t=[2, 32], e=[4, 1], ts=[32, 1])
A16, B16 = dict(t=[16, 4], e=[1, 4], ts=[1, 16]), dict(t=[4, 16], e=[4, 1], ts=[16, 1])
product("product_32x32x8", 32, 32, 8, nested(**A32), nested(**B32), nested(**C32))
product("product_16x16x16", 16, 16, 16, nested(**A16), nested(**B16), nested(**B16))
product("product_more_rows", 64, 32, 8, nested(b=[2, 1], **A32), nested(**B32), nested(b=[2, 1], **C32))
product("product_more_columns", 16, 32, 16, nested(**A16), nested(b=[1, 2], **B16), nested(b=[1, 2], **B16))
product("product_more_depth", 32, 32, 16, nested(b=[1, 2], **A32), nested(b=[2, 1], **B32), nested(**C32))
product("product_transposed", 16, 16, 32, nested(b=[1, 2], **A16), nested(b=[1, 2], **A16), nested(**B16), maps=MMT)
product(
    "product_four_waves",
    32,
    32,
    16,
    nested(sg=[2, 1], ss=[2, 0], **A16),
    nested(sg=[1, 2], ss=[0, 1], **B16),
    nested(sg=[2, 2], ss=[2, 1], **B16),
    waves=4,
)
product(
    "product_depth_side_by_side",
    16,
    16,
    32,
    nested(t=[16, 4], e=[1, 8], ts=[1, 16]),
    nested(t=[4, 16], e=[8, 1], ts=[16, 1]),
    nested(**B16),
)
product(
    "product_16x16x16_copies",
    16,
    16,
    16,
    nested(t=[16, 1], e=[1, 16], ts=[1, 0]),
    nested(t=[1, 16], e=[16, 1], ts=[0, 1]),
    nested(o=[8, 1], t=[2, 16], ts=[16, 1]),
    wave=32,
)

situation(
    "product_of_blocks",
    f"""
%al = layout.to_layout %a to layout(#a) : vector<1x2x16x16xf16>
%bl = layout.to_layout %b to layout(#b) : vector<2x1x16x16xf16>
%cl = layout.to_layout %c to layout(#c) : vector<1x1x16x16xf32>
kernel: %d = vector.contract {{indexing_maps = [affine_map<(i, j, k, m, n, l) -> (i, k, m, l)>,\
 affine_map<(i, j, k, m, n, l) -> (k, j, l, n)>,\
 affine_map<(i, j, k, m, n, l) -> (i, j, m, n)>], iterator_types = ["parallel", "parallel", "reduction",\
 "parallel", "parallel", "reduction"], kind = #vector.kind<add>}} %al, %bl, %cl : vector<1x2x16x16xf16>,\
 vector<2x1x16x16xf16> into vector<1x1x16x16xf32>
host: %at = vector.transpose %al, [0, 2, 1, 3] : vector<1x2x16x16xf16> to vector<1x16x2x16xf16>
host: %as = vector.shape_cast %at : vector<1x16x2x16xf16> to vector<16x32xf16>
host: %bt = vector.transpose %bl, [0, 2, 1, 3] : vector<2x1x16x16xf16> to vector<2x16x1x16xf16>
host: %bs = vector.shape_cast %bt : vector<2x16x1x16xf16> to vector<32x16xf16>
host: %cs = vector.shape_cast %cl : vector<1x1x16x16xf32> to vector<16x16xf32>
host: %ds = vector.contract {{{MM}, {ITERATORS}}} %as, %bs, %cs : vector<16x32xf16>, vector<32x16xf16>\
 into vector<16x16xf32>
host: %d = vector.shape_cast %ds : vector<16x16xf32> to vector<1x1x16x16xf32>
%r = layout.to_layout %d to layout(#c) : vector<1x1x16x16xf32>
""",
    [("r", "1x1x16x16xf32")],
    wave=64,
    args=["a vector 1x2x16x16xf16", "b vector 2x1x16x16xf16", "c vector 1x1x16x16xf32"],
    a=nested(b=[1, 2, 1, 1], t=[1, 1, 16, 4], e=[1, 1, 1, 4], ts=[0, 0, 1, 16]),
    b=nested(b=[2, 1, 1, 1], t=[1, 1, 4, 16], e=[1, 1, 4, 1], ts=[0, 0, 16, 1]),
    c=nested(t=[1, 1, 4, 16], e=[1, 1, 4, 1], ts=[0, 0, 16, 1]),
)

for name, second in (("left", False), ("right", True)):
    factors = "%w, %q" if second else "%q, %w"
    situation(
        f"product_of_product_{name}",
        f"""
%none = arith.constant dense<0.0> : vector<16x16xf32>
%p = vector.contract {{{MMT}, {ITERATORS}}} %a, %b, %none : vector<16x16xf16>, vector<16x16xf16> into vector<16x16xf32>
%s = math.absf %p : vector<16x16xf32>
%limit = arith.constant dense<4.0> : vector<16x16xf32>
%t = arith.minimumf %s, %limit : vector<16x16xf32>
%q = arith.truncf %t : vector<16x16xf32> to vector<16x16xf16>
%r = vector.contract {{{MM}, {ITERATORS}}} {factors}, %none : vector<16x16xf16>, vector<16x16xf16>\
 into vector<16x16xf32>
""",
        [("r", "16x16xf32")],
        args=["a vector 16x16xf16", "b vector 16x16xf16", "w vector 16x16xf16"],
    )

# --- Buffers that the hardware checks ---------------------------------------------------------

situation(
    "fat_raw_buffer",
    """
%zero = arith.constant 0 : index
%pad = arith.constant 0.0 : f32
kernel: %from = amdgpu.fat_raw_buffer_cast %m : memref<40x40xf32>\
 to memref<40x40xf32, #amdgpu.address_space<fat_raw_buffer>>
kernel: %to = amdgpu.fat_raw_buffer_cast %o : memref<40x40xf32>\
 to memref<40x40xf32, #amdgpu.address_space<fat_raw_buffer>>
kernel: %v = vector.transfer_read %from[%zero, %zero], %pad {in_bounds = [true, true]}\
 : memref<40x40xf32, #amdgpu.address_space<fat_raw_buffer>>, vector<8x16xf32>
host: %v = vector.transfer_read %m[%zero, %zero], %pad {in_bounds = [true, true]} : memref<40x40xf32>, vector<8x16xf32>
%w = layout.to_layout %v to layout(#l) : vector<8x16xf32>
kernel: vector.transfer_write %w, %to[%zero, %zero] {in_bounds = [true, true]}\
 : vector<8x16xf32>, memref<40x40xf32, #amdgpu.address_space<fat_raw_buffer>>
host: vector.transfer_write %w, %o[%zero, %zero] {in_bounds = [true, true]} : vector<8x16xf32>, memref<40x40xf32>
""",
    waves=4,
    args=["m memory 40x40xf32", "o memory 40x40xf32"],
    l=nested(sg=[4, 1], t=[2, 8], e=[1, 2], ss=[1, 0], ts=[16, 1]),
)

# --- Vectors too large for the LDS, and for a thread's registers --------------------

# A thread of the host has them in memory.
LARGE = dict(waves=16, args=["v vector 256x192xf32"])
LANES_IN_BOTH = nested(sg=[16, 1], b=[2, 3], t=[4, 8], e=[2, 8], ss=[1, 0], ts=[8, 1])
for name, attributes, to in (
    ("exchange_in_pieces", "", nested(sg=[2, 8], b=[8, 1], t=[16, 2], e=[1, 12], ss=[8, 1], ts=[2, 1])),
    (
        "exchange_in_pieces_of_wave",
        " {shared_memory_conversion}",
        nested(sg=[16, 1], b=[1, 12], t=[16, 2], e=[1, 8], ss=[1, 0], ts=[2, 1]),
    ),
    (
        "exchange_in_pieces_of_rows",
        " {shared_memory_conversion}",
        nested(sg=[16, 1], t=[16, 2], e=[1, 96], ss=[1, 0], ts=[2, 1]),
    ),
):
    for back in (False, True):
        first, second = ("to", "lanes") if back else ("lanes", "to")
        situation(
            name + ("_back" if back else ""),
            f"""
%a = layout.to_layout %v to layout(#{first}) : vector<256x192xf32>
%b = layout.to_layout %a to layout(#{second}){attributes} : vector<256x192xf32>
""",
            [("b", "256x192xf32")],
            lanes=LANES_IN_BOTH,
            to=to,
            **LARGE,
        )

situation(
    "large_of_many_ops",
    """
%zero = arith.constant 0 : index
%three = arith.constant 3 : index
%one = arith.constant 1 : index
%w = layout.to_layout %v to layout(#l) : vector<32x64xf32>
%ones = arith.constant dense<1.0> : vector<32x64xf32>
%turned = vector.transpose %u, [1, 0] : vector<64x32xf32> to vector<32x64xf32>
%rows = vector.broadcast %r : vector<64xf32> to vector<32x64xf32>
%c27 = arith.constant 27 : index
%c50 = arith.constant 50 : index
%mask = vector.create_mask %c27, %c50 : vector<32x64xi1>
%few = vector.constant_mask [30, 40] : vector<32x64xi1>
%both = arith.xori %mask, %few : vector<32x64xi1>
%sum = arith.addf %turned, %rows : vector<32x64xf32>
%chosen = arith.select %both, %sum, %w : vector<32x64xi1>, vector<32x64xf32>
%fused = vector.fma %chosen, %w, %ones : vector<32x64xf32>
// What the loop carries is exchanged in each turn.
%x, %y, %turns = scf.for %k = %zero to %three step %one iter_args(%p = %fused, %q = %w, %m = %zero)\
 -> (vector<32x64xf32>, vector<32x64xf32>, index) {
  %d = arith.subf %p, %q : vector<32x64xf32>
  %next = arith.addi %m, %one : index
  scf.yield %q, %d, %next : vector<32x64xf32>, vector<32x64xf32>, index
}
%times = arith.index_cast %turns : index to i32
%factor = arith.sitofp %times : i32 to f32
%factors = vector.broadcast %factor : f32 to vector<32x64xf32>
%z = arith.mulf %y, %factors : vector<32x64xf32>
%init = arith.constant dense<2.0> : vector<32xf32>
%sums = vector.multi_reduction <add>, %z, %init [1] : vector<32x64xf32> to vector<32xf32>
%most = vector.mask %mask { vector.multi_reduction <maxnumf>, %z, %init [1] : vector<32x64xf32> to vector<32xf32> }\
 : vector<32x64xi1> -> vector<32xf32>
%flat = vector.shape_cast %x : vector<32x64xf32> to vector<4x8x64xf32>
""",
    [("z", "32x64xf32"), ("sums", "32xf32"), ("most", "32xf32"), ("flat", "4x8x64xf32")],
    args=["v vector 32x64xf32", "u vector 64x32xf32", "r vector 64xf32"],
    l=nested(b=[2, 2], t=[4, 8], e=[4, 4], ts=[8, 1]),
)

situation(
    "large_to_and_from_memory",
    """
%c3 = arith.constant 3 : index
%c60 = arith.constant 60 : index
%pad = arith.constant 5.0 : f32
%mask = vector.create_mask %c60, %c3 : vector<64x32xi1>
%a = vector.transfer_read %m[%i, %c3], %pad, %mask {in_bounds = [false, false],\
 permutation_map = affine_map<(d0, d1) -> (d1, d0)>}
    : memref<60x30xf32>, vector<32x64xf32>
%w = layout.to_layout %a to layout(#l) : vector<32x64xf32>
vector.transfer_write %w, %o[%c3, %i] {in_bounds = [true, false], permutation_map = affine_map<(d0, d1) -> (d1, d0)>}
    : vector<32x64xf32>, memref<48x40xf32>
""",
    args=["m memory 60x30xf32", "o memory 48x40xf32", "i scalar index 2"],
    l=nested(b=[2, 2], t=[4, 8], e=[4, 4], ts=[8, 1]),
)
