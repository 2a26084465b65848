"""Reductions, contractions, scans and steps."""

from situations import nested, situation

# --- Reductions and contractions --------------------------------------------------------

QUARTERS = nested(b=[1, 2], t=[16, 4], e=[1, 2], ts=[1, 16])
HALVES = nested(b=[1, 2], t=[16, 2], e=[1, 4], ts=[1, 16])
for name, layout, wave in (("quarters", QUARTERS, 64), ("halves", HALVES, 32)):
    row = nested(b=[2], t=[layout.dims[1].t], e=[layout.dims[1].e], ts=[16])
    column = nested(t=[16], ts=[1])
    for elem in ("f32", "f64", "i64", "i128", "bf16"):
        kind = "add" if elem[0] == "i" else "maximumf"
        if elem == "i128":
            # i128 values cannot be in memory, so they are computed here.
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

# A lane scans a part of the dimension; the preceding parts are in other lanes, of its wave and of other waves.
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
