"""Kernels in XeGPU other than GEMMs: python3 programs.py NAME [SUBGROUPS]. Each is checked element by element."""
import sys
from program import Program, sum_over

name = sys.argv[1]
arguments = sys.argv[2:]


def number(position, default):
    return int(arguments[position]) if len(arguments) > position else default


def header(*constants):
    return "".join(f"      %c{c} = arith.constant {c} : index\n" for c in constants)


def tdesc(name, memref, type, shape, element, extra=""):
    return f"      {name} = xegpu.create_nd_tdesc {memref} : {type} -> !xegpu.tensor_desc<{shape}x{element}{extra}>\n"


# Along each dimension, `sg` x 1 or 1 x `sg` subgroups: the sums are over values of a lane, over lanes, or over
# subgroups.
def reduction():
    axis, sg, kind = number(0, 1), number(1, 4), (arguments[2:] or ["add"])[0]
    across = "across" in arguments
    p = Program()
    p.buffer("A", [64, 64], "f32")
    split = (sg, 1) if (axis == 1) != across else (1, sg)
    p.aliases = (
        f"#l = #xegpu.layout<sg_layout = [{split[0]}, {split[1]}], sg_data = [{64 // split[0]}, {64 // split[1]}]>\n"
    )
    start = {"add": "0.0", "maximumf": "0xFF800000"}[kind]
    shape = "64x1" if axis == 1 else "1x64"
    body = (
        header(0)
        + tdesc("%a", "%A", "memref<64x64xf32>", "64x64", "f32")
        + f"""      %v = xegpu.load_nd %a[%c0, %c0] {{layout = #l}} : !xegpu.tensor_desc<64x64xf32> -> vector<64x64xf32>
      %start = arith.constant dense<{start}> : vector<64xf32>
      %r = vector.multi_reduction <{kind}>, %v, %start [{axis}] : vector<64x64xf32> to vector<64xf32>
      %k = vector.shape_cast %r : vector<64xf32> to vector<{shape}xf32>
      %b = vector.broadcast %k : vector<{shape}xf32> to vector<64x64xf32>
      %s = arith.addf %v, %b : vector<64x64xf32>
"""
        + tdesc("%c", "%C", "memref<64x64xf32>", "64x64", "f32")
        + """      xegpu.store_nd %s, %c[%c0, %c0] : vector<64x64xf32>, !xegpu.tensor_desc<64x64xf32>
"""
    )
    index = "%i0, %k" if axis == 1 else "%k, %i1"
    term = f"%x = memref.load %A[{index}] : memref<64x64xf32>\n%term = arith.extf %x : f32 to f64\n"
    want = sum_over(64, term, "%sum64")
    if kind == "maximumf":
        want = want.replace("arith.addf %sum, %term", "arith.maximumf %sum, %term").replace("= %zero_f64)", "= %low)")
        want = "%low = arith.constant 0xFFF0000000000000 : f64\n" + want
    want += (
        "\n%y = memref.load %A[%i0, %i1] : memref<64x64xf32>\n%yw = arith.extf %y : f32 to f64\n"
        "%want = arith.addf %yw, %sum64 : f64"
    )
    p.result("C", [64, 64], "f32", want)
    p.kernel(body, sg * 16)
    return p


# One value for all elements.
def scalar():
    sg = number(0, 4)
    p = Program()
    p.buffer("A", [64, 32], "f32")
    p.aliases = f"#l = #xegpu.layout<sg_layout = [{sg}, 1], sg_data = [{64 // sg}, 32]>\n"
    body = (
        header(0)
        + tdesc("%a", "%A", "memref<64x32xf32>", "64x32", "f32")
        + """      %v = xegpu.load_nd %a[%c0, %c0] {layout = #l} : !xegpu.tensor_desc<64x32xf32> -> vector<64x32xf32>
      %start = arith.constant 0.5 : f32
      %r = vector.multi_reduction <add>, %v, %start [0, 1] : vector<64x32xf32> to f32
      %b = vector.broadcast %r : f32 to vector<64x32xf32>
"""
        + tdesc("%c", "%C", "memref<64x32xf32>", "64x32", "f32")
        + """      xegpu.store_nd %b, %c[%c0, %c0] {layout = #l} : vector<64x32xf32>, !xegpu.tensor_desc<64x32xf32>
"""
    )
    want = sum_over(
        2048,
        """%h32 = arith.constant 32 : index
%r = arith.divui %k, %h32 : index
%c = arith.remui %k, %h32 : index
%x = memref.load %A[%r, %c] : memref<64x32xf32>
%term = arith.extf %x : f32 to f64
""",
        "%all",
    )
    p.result("C", [64, 32], "f32", want + "\n%half = arith.constant 0.5 : f64\n%want = arith.addf %all, %half : f64")
    p.kernel(body, sg * 16)
    return p


def softmax():
    sg = number(0, 4)
    p = Program()
    p.buffer("A", [64, 128], "f32")
    p.aliases = f"#l = #xegpu.layout<sg_layout = [{sg}, 1], sg_data = [{64 // sg}, 128]>\n"
    t, w, wide = (
        "!xegpu.tensor_desc<64x128xf32>",
        "vector<64x128xf32>",
        lambda x, n: (
            f"      %{n}_t = vector.broadcast {x} : vector<64xf32> to vector<128x64xf32>\n"
            f"      %{n} = vector.transpose %{n}_t, [1, 0] : vector<128x64xf32> to vector<64x128xf32>\n"
        ),
    )
    body = (
        header(0)
        + tdesc("%a", "%A", "memref<64x128xf32>", "64x128", "f32")
        + f"""      %v = xegpu.load_nd %a[%c0, %c0] {{layout = #l}} : {t} -> {w}
      %low = arith.constant dense<0xFF800000> : vector<64xf32>
      %none = arith.constant dense<0.0> : vector<64xf32>
      %max = vector.multi_reduction <maximumf>, %v, %low [1] : {w} to vector<64xf32>
{wide('%max', 'mb')}      %d = arith.subf %v, %mb : {w}
      %e = math.exp %d : {w}
      %sum = vector.multi_reduction <add>, %e, %none [1] : {w} to vector<64xf32>
{wide('%sum', 'sb')}      %q = arith.divf %e, %sb : {w}
"""
        + tdesc("%c", "%C", "memref<64x128xf32>", "64x128", "f32")
        + f"      xegpu.store_nd %q, %c[%c0, %c0] {{layout = #l}} : {w}, {t}\n"
    )
    want = (
        sum_over(
            128,
            """%x = memref.load %A[%i0, %k] : memref<64x128xf32>
%xw = arith.extf %x : f32 to f64
%term = math.exp %xw : f64
""",
            "%all",
        )
        + """
%y = memref.load %A[%i0, %i1] : memref<64x128xf32>
%yw = arith.extf %y : f32 to f64
%ye = math.exp %yw : f64
%want = arith.divf %ye, %all : f64"""
    )
    p.result("C", [64, 128], "f32", want)
    p.kernel(body, sg * 16)
    return p


# Softmax(Q K^T) V for 64 queries and 256 keys of size 64, keys 64 at a time.
def attention():
    sg = number(0, 8)
    p = Program()
    p.buffer("Q", [64, 64], "f16")
    p.buffer("K", [256, 64], "f16")
    p.buffer("V", [256, 64], "f16")
    rows = 64 // sg
    p.aliases = (
        f"#q = #xegpu.layout<sg_layout = [{sg}, 1], sg_data = [{rows}, 64]>\n"
        "#kv = #xegpu.layout<sg_layout = [1, 1], sg_data = [64, 64]>\n"
    )
    h, f, r = "vector<64x64xf16>", "vector<64x64xf32>", "vector<64xf32>"
    t = "!xegpu.tensor_desc<64x64xf16>"
    wide = lambda x, n: (
        f"        %{n}_t = vector.broadcast {x} : {r} to {f}\n"
        f"        %{n} = vector.transpose %{n}_t, [1, 0] : {f} to {f}\n"
    )
    at = "{layout_a = #q, layout_b = #kv, layout_cd = #q}"
    body = (
        header(0, 64, 256)
        + tdesc("%q", "%Q", "memref<64x64xf16>", "64x64", "f16")
        + tdesc("%k", "%K", "memref<256x64xf16>", "64x64", "f16")
        + tdesc("%v", "%V", "memref<256x64xf16>", "64x64", "f16")
        + f"""      %qv = xegpu.load_nd %q[%c0, %c0] {{layout = #q}} : {t} -> {h}
      %zero = arith.constant dense<0.0> : {f}
      %low = arith.constant dense<0xFF800000> : {r}
      %none = arith.constant dense<0.0> : {r}
      %scale = arith.constant dense<0.125> : {f}
      %r:3 = scf.for %i = %c0 to %c256 step %c64 iter_args(%acc = %zero, %m = %low, %l = %none) -> ({f}, {r}, {r}) {{
        %kv = xegpu.load_nd %k[%i, %c0] : {t} -> {h}
        %kt = vector.transpose %kv, [1, 0] : {h} to {h}
        %s0 = xegpu.dpas %qv, %kt, %zero {at} : {h}, {h}, {f} -> {f}
        %s = arith.mulf %s0, %scale : {f}
        %max = vector.multi_reduction <maximumf>, %s, %m [1] : {f} to {r}
{wide('%max', 'mb')}        %d = arith.subf %s, %mb : {f}
        %e = math.exp %d : {f}
        %dm = arith.subf %m, %max : {r}
        %alpha = math.exp %dm : {r}
        %ls = arith.mulf %l, %alpha : {r}
        %ln = vector.multi_reduction <add>, %e, %ls [1] : {f} to {r}
{wide('%alpha', 'ab')}        %scaled = arith.mulf %acc, %ab : {f}
        %eh = arith.truncf %e : {f} to {h}
        %vv = xegpu.load_nd %v[%i, %c0] : {t} -> {h}
        %next = xegpu.dpas %eh, %vv, %scaled {at} : {h}, {h}, {f} -> {f}
        scf.yield %next, %max, %ln : {f}, {r}, {r}
      }}
{wide('%r#2', 'lb')}      %o = arith.divf %r#0, %lb : {f}
"""
        + tdesc("%c", "%C", "memref<64x64xf32>", "64x64", "f32")
        + f"      xegpu.store_nd %o, %c[%c0, %c0] {{layout = #q}} : {f}, !xegpu.tensor_desc<64x64xf32>\n"
    )
    score = """%e64 = arith.constant 64 : index
%dot = scf.for %d = %c0 to %e64 step %c1 iter_args(%a = %zero_f64) -> (f64) {
%x = memref.load %Q[%i0, %d] : memref<64x64xf16>
%y = memref.load %K[%k, %d] : memref<256x64xf16>
%xw = arith.extf %x : f16 to f64
%yw = arith.extf %y : f16 to f64
%xy = arith.mulf %xw, %yw : f64
%b = arith.addf %a, %xy : f64
scf.yield %b : f64
}
%eighth = arith.constant 0.125 : f64
%score = arith.mulf %dot, %eighth : f64
%p = math.exp %score : f64
"""
    want = sum_over(256, score + "%term = arith.addf %p, %zero_f64 : f64\n", "%all").replace("%extent", "%extent0")
    want += (
        "\n"
        + sum_over(
            256,
            score
            + """%v = memref.load %V[%k, %i1] : memref<256x64xf16>
%vw = arith.extf %v : f16 to f64
%term = arith.mulf %p, %vw : f64
""",
            "%dotv",
        )
        + "\n%want = arith.divf %dotv, %all : f64"
    )
    p.result("C", [64, 64], "f32", want, bound="2.0e-3")
    p.kernel(body, sg * 16)
    return p


def transpose():
    sg, type = number(0, 4), (arguments[1:] or ["f32"])[0]
    p = Program()
    p.buffer("A", [64, 32], type)
    p.aliases = f"#l = #xegpu.layout<sg_layout = [{sg}, 1], sg_data = [{64 // sg}, 32]>\n"
    body = (
        header(0)
        + tdesc("%a", "%A", f"memref<64x32x{type}>", "64x32", type)
        + f"""      %v = xegpu.load_nd %a[%c0, %c0] {{layout = #l}} : !xegpu.tensor_desc<64x32x{type}>\
 -> vector<64x32x{type}>
      %t = vector.transpose %v, [1, 0] : vector<64x32x{type}> to vector<32x64x{type}>
"""
        + tdesc("%c", "%C", f"memref<32x64x{type}>", "32x64", type)
        + f"      xegpu.store_nd %t, %c[%c0, %c0] : vector<32x64x{type}>, !xegpu.tensor_desc<32x64x{type}>\n"
    )
    p.result(
        "C",
        [32, 64],
        type,
        (
            f"%x = memref.load %A[%i1, %i0] : memref<64x32x{type}>\n"
            f"%want = arith.{'extf' if 'f' in type else 'sitofp'} %x : {type} to f64"
        ),
    )
    p.kernel(body, sg * 16)
    return p


# Subgroups exchange tiles through SLM: each writes rows and reads columns.
def slm():
    sg, type = number(0, 4), (arguments[1:] or ["f32"])[0]
    bits = int(type[-2:])
    p = Program()
    p.buffer("A", [64, 64], type)
    p.aliases = (
        f"#rows = #xegpu.layout<sg_layout = [{sg}, 1], sg_data = [{64 // sg}, 64]>\n"
        f"#columns = #xegpu.layout<sg_layout = [1, {sg}], sg_data = [64, {64 // sg}]>\n"
    )
    m = f"!xegpu.mem_desc<64x64x{type}>"
    body = (
        header(0)
        + tdesc("%a", "%A", f"memref<64x64x{type}>", "64x64", type)
        + f"""      %v = xegpu.load_nd %a[%c0, %c0] {{layout = #rows}} : !xegpu.tensor_desc<64x64x{type}>\
 -> vector<64x64x{type}>
      %m = xegpu.create_mem_desc %slm : memref<{64 * 64 * bits // 8}xi8, 3> -> {m}
      xegpu.store_matrix %v, %m[%c0, %c0] <{{layout = #rows}}> : vector<64x64x{type}>, {m}, index, index
      gpu.barrier
      %w = xegpu.load_matrix %m[%c0, %c0] <{{layout = #columns}}> : {m}, index, index -> vector<64x64x{type}>
      %s = arith.addf %w, %w : vector<64x64x{type}>
"""
        + tdesc("%c", "%C", f"memref<64x64x{type}>", "64x64", type)
        + (
            f"      xegpu.store_nd %s, %c[%c0, %c0] {{layout = #columns}}"
            f" : vector<64x64x{type}>, !xegpu.tensor_desc<64x64x{type}>\n"
        )
    )
    p.result(
        "C",
        [64, 64],
        type,
        (
            f"%x = memref.load %A[%i0, %i1] : memref<64x64x{type}>\n%xw = arith.extf %x : {type} to f64\n"
            "%want = arith.addf %xw, %xw : f64"
        ),
    )
    p.kernel(body, sg * 16, decls=f"workgroup(%slm : memref<{64 * 64 * bits // 8}xi8, 3>)")
    return p


# C[i] = A[(3 i + 5) mod n] unless i is a multiple of 5; these elements of C are unchanged.
def gather():
    sg, type = number(0, 4), (arguments[1:] or ["f32"])[0]
    n = sg * 64
    p = Program()
    p.buffer("A", [n], type)
    p.aliases = f"#l = #xegpu.layout<sg_layout = [{sg}], sg_data = [64]>\n"
    v = lambda t: f"vector<{n}x{t}>"
    pointer = lambda m: (
        f"      %p{m} = memref.extract_aligned_pointer_as_index %{m} : memref<{n}x{type}> -> index\n"
        f"      %i{m} = arith.index_cast %p{m} : index to i64\n"
    )
    body = f"""      %i = vector.step : {v('index')}
      %three = arith.constant dense<3> : {v('index')}
      %five = arith.constant dense<5> : {v('index')}
      %zero = arith.constant dense<0> : {v('index')}
      %n = arith.constant dense<{n}> : {v('index')}
      %a = arith.muli %i, %three : {v('index')}
      %b = arith.addi %a, %five : {v('index')}
      %from = arith.remui %b, %n : {v('index')}
      %rest = arith.remui %i, %five : {v('index')}
      %mask = arith.cmpi ne, %rest, %zero : {v('index')}
{pointer('A')}{pointer('C')}      %x = xegpu.load %iA[%from], %mask {{layout = #l}} : i64, {v('index')}, {v('i1')}\
 -> {v(type)}
      xegpu.store %x, %iC[%i], %mask {{layout = #l}} : {v(type)}, i64, {v('index')}, {v('i1')}
"""
    want = f"""%i3 = arith.constant 3 : index
%i5 = arith.constant 5 : index
%n = arith.constant {n} : index
%a = arith.muli %i0, %i3 : index
%b = arith.addi %a, %i5 : index
%from = arith.remui %b, %n : index
%rest = arith.remui %i0, %i5 : index
%is = arith.cmpi ne, %rest, %c0 : index
%x = memref.load %A[%from] : memref<{n}x{type}>
%y = memref.load %C[%i0] : memref<{n}x{type}>
%z = arith.select %is, %x, %y : {type}
%want = arith.{'extf' if 'f' in type else 'sitofp'} %z : {type} to f64
"""
    p.result("C", [n], type, want, "pattern")
    p.kernel(body, sg * 16)
    return p


# Each element adds its value to one of 16 counters.
def atomics():
    sg, type = number(0, 2), (arguments[1:] or ["i32"])[0]
    n = sg * 16
    p = Program()
    d = f"!xegpu.tensor_desc<{n}x{type}, #xegpu.scatter_tdesc_attr<chunk_size = 1>>"
    kind = "addi" if type[0] == "i" else "addf"
    one = "1" if type[0] == "i" else "1.0"
    body = f"""      %i = vector.step : vector<{n}xindex>
      %w = arith.constant dense<16> : vector<{n}xindex>
      %o = arith.remui %i, %w : vector<{n}xindex>
      %d = xegpu.create_tdesc %C, %o : memref<16x{type}>, vector<{n}xindex> -> {d}
      %mask = arith.constant dense<true> : vector<{n}xi1>
      %one = arith.constant dense<{one}> : vector<{n}x{type}>
      %r = xegpu.atomic_rmw {kind} %d, %mask, %one : {d}, vector<{n}xi1>, vector<{n}x{type}> -> vector<{n}x{type}>
"""
    p.result("C", [16], type, f"%want = arith.constant {sg * 3}.0 : f64")
    p.kernel(body, n, grid=(3, 1, 1))
    return p


# One-dimensional blocks.
def line():
    sg, type = number(0, 2), (arguments[1:] or ["f32"])[0]
    n = sg * 64
    p = Program()
    p.buffer("A", [2 * n], type)
    p.aliases = f"#l = #xegpu.layout<sg_layout = [{sg}], sg_data = [64]>\n"
    d = f"!xegpu.tensor_desc<{n}x{type}>"
    body = (
        header(n)
        + f"""      %b = gpu.block_id x
      %at = arith.muli %b, %c{n} : index
      %a = xegpu.create_nd_tdesc %A : memref<{2*n}x{type}> -> {d}
      xegpu.prefetch_nd %a[%at] : {d}
      %v = xegpu.load_nd %a[%at] {{layout = #l}} : {d} -> vector<{n}x{type}>
      %s = arith.{'addf' if 'f' in type else 'addi'} %v, %v : vector<{n}x{type}>
      %c = xegpu.create_nd_tdesc %C : memref<{2*n}x{type}> -> {d}
      xegpu.store_nd %s, %c[%at] {{layout = #l}} : vector<{n}x{type}>, {d}
"""
    )
    ext = "extf" if "f" in type else "sitofp"
    p.result(
        "C",
        [2 * n],
        type,
        (
            f"%x = memref.load %A[%i0] : memref<{2*n}x{type}>\n%xw = arith.{ext} %x : {type} to f64\n"
            "%want = arith.addf %xw, %xw : f64"
        ),
    )
    p.kernel(body, sg * 16, grid=(2, 1, 1))
    return p


# Loops and branches that carry tiles: Euclid's algorithm by subtraction, with additional steps in every other
# workgroup.
def control():
    sg = number(0, 4)
    p = Program()
    p.buffer("A", [32, 32], "f32")
    p.aliases = f"#l = #xegpu.layout<sg_layout = [{sg}, 1], sg_data = [{32 // sg}, 32]>\n"
    t, w = "!xegpu.tensor_desc<32x32xf32>", "vector<32x32xf32>"
    body = (
        header(0, 1, 2, 5, 32)
        + tdesc("%a", "%A", "memref<32x32xf32>", "32x32", "f32")
        + tdesc("%c", "%C", "memref<64x32xf32>", "32x32", "f32")
        + f"""      %b = gpu.block_id x
      %v = xegpu.load_nd %a[%c0, %c0] {{layout = #l}} : {t} -> {w}
      %r:2 = scf.while (%n = %c0, %x = %v, %y = %v) : (index, {w}, {w}) -> ({w}, {w}) {{
        %more = arith.cmpi ult, %n, %c5 : index
        scf.condition(%more) %x, %y : {w}, {w}
      }} do {{
      ^bb0(%x: {w}, %y: {w}):
        %sum = arith.addf %x, %y : {w}
        %k = arith.addi %b, %c5 : index
        scf.yield %k, %y, %sum : index, {w}, {w}
      }}
      %odd = arith.cmpi eq, %b, %c1 : index
      %z = scf.if %odd -> {w} {{
        %f = scf.for %i = %c0 to %c2 step %c1 iter_args(%x = %r#0) -> ({w}) {{
          %d = arith.addf %x, %r#1 : {w}
          scf.yield %d : {w}
        }}
        scf.yield %f : {w}
      }} else {{
        scf.yield %r#1 : {w}
      }}
      %row = arith.muli %b, %c32 : index
      xegpu.store_nd %z, %c[%row, %c0] {{layout = #l}} : {w}, {t}
"""
    )
    # After one iteration: (v, 2v); the first workgroup stores 2v, the second v + 2 * 2v.
    want = """%h = arith.constant 32 : index
%r = arith.remui %i0, %h : index
%x = memref.load %A[%r, %i1] : memref<32x32xf32>
%xw = arith.extf %x : f32 to f64
%two = arith.constant 2.0 : f64
%five = arith.constant 5.0 : f64
%first = arith.cmpi ult, %i0, %h : index
%f = arith.select %first, %two, %five : f64
%want = arith.mulf %xw, %f : f64"""
    p.result("C", [64, 32], "f32", want)
    p.kernel(body, sg * 16, grid=(2, 1, 1))
    return p


# Tiles that extend beyond the matrix: reads give zeros, and writes are dropped.
def edges():
    sg = number(0, 2)
    p = Program()
    p.buffer("A", [40, 48], "f32")
    p.aliases = f"#l = #xegpu.layout<sg_layout = [{sg}, 1], sg_data = [{32 // sg}, 32]>\n"
    t, w = "!xegpu.tensor_desc<32x32xf32>", "vector<32x32xf32>"
    body = (
        header(0, 32)
        + tdesc("%a", "%A", "memref<40x48xf32>", "32x32", "f32")
        + tdesc("%c", "%C", "memref<40x48xf32>", "32x32", "f32")
        + f"""      %bx = gpu.block_id x
      %by = gpu.block_id y
      %row = arith.muli %by, %c32 : index
      %column = arith.muli %bx, %c32 : index
      %v = xegpu.load_nd %a[%row, %column] {{layout = #l}} : {t} -> {w}
      %none = arith.constant dense<0.0> : vector<32xf32>
      %s = vector.multi_reduction <add>, %v, %none [0] : {w} to vector<32xf32>
      %b = vector.broadcast %s : vector<32xf32> to {w}
      xegpu.store_nd %b, %c[%row, %column] {{layout = #l}} : {w}, {t}
"""
    )
    want = """%h = arith.constant 32 : index
%e = arith.constant 40 : index
%q = arith.divui %i0, %h : index
%lo = arith.muli %q, %h : index
%hi0 = arith.addi %lo, %h : index
%hi = arith.minui %hi0, %e : index
%want = scf.for %k = %lo to %hi step %c1 iter_args(%a = %zero_f64) -> (f64) {
%x = memref.load %A[%k, %i1] : memref<40x48xf32>
%xw = arith.extf %x : f32 to f64
%b = arith.addf %a, %xw : f64
scf.yield %b : f64
}"""
    p.result("C", [40, 48], "f32", want)
    p.kernel(body, sg * 16, grid=(2, 2, 1))
    return p


print(globals()[name]().text())
