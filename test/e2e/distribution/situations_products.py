"""Masks, products of matrices, buffer descriptors and large vectors."""

from situations import nested, situation

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

# A host thread keeps such vectors in memory.
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
// The carried values are exchanged in each iteration.
%x, %y, %iterations = scf.for %k = %zero to %three step %one iter_args(%p = %fused, %q = %w, %m = %zero)\
 -> (vector<32x64xf32>, vector<32x64xf32>, index) {
  %d = arith.subf %p, %q : vector<32x64xf32>
  %next = arith.addi %m, %one : index
  scf.yield %q, %d, %next : vector<32x64xf32>, vector<32x64xf32>, index
}
%times = arith.index_cast %iterations : index to i32
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
