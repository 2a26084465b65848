"""GEMMs in XeGPU on workgroups: python3 gemm.py TYPE ACC M N K [options]

TYPE  f16, bf16, i8, tf32 (f32 in memory)      ACC  f32, i32, f16, bf16
M, N, K: the matrices. Options:
  tile=MxNxK     of a workgroup (default 64x64x32)
  sg=MxN         subgroups (default 2x2)
  inst=MxK,KxN   inst_data of A and B, others from dpas
  ta, tb         A or B transposed in memory
  accumulate     C is read and added to
  prefetch       the next tiles
  anchors=all|dpas|store|none|load
  spelling=old   anchor_layout and anchor_layout_a, b, cd
  epilogue=relu,scale,bias1,bias2,row,trunc      in this order
  dynamic        the kernel does not know the sizes
"""
import sys
from program import Program, sum_over, widen

type, acc = sys.argv[1:3]
m, n, k = map(int, sys.argv[3:6])
options = dict((o.split("=", 1) + [""])[:2] for o in sys.argv[6:])
tm, tn, tk = map(int, options.get("tile", "64x64x32").split("x"))
sm, sn = map(int, options.get("sg", "2x2").split("x"))
epilogue = options.get("epilogue", "").split(",") if "epilogue" in options else []
anchors = options.get("anchors", "all")
old = options.get("spelling") == "old"
ta, tb, dynamic = "ta" in options, "tb" in options, "dynamic" in options
element = "f32" if type == "tf32" else type
integer = acc == "i32"
out = "f16" if "trunc" in epilogue else acc
kk = {"i8": 32, "tf32": 8}.get(type, 16)
inst_a, inst_b = options.get("inst", f"8x{kk},{kk}x16").split(",")

p = Program(dynamic)
p.buffer("A", [k, m] if ta else [m, k], element, "small" if acc in ("f16", "bf16") else "pattern")
p.buffer("B", [n, k] if tb else [k, n], element, "small" if acc in ("f16", "bf16") else "pattern")
if "bias1" in epilogue or "bias2" in epilogue:
    p.buffer("D", [1, n], out if acc == out else acc)
if "row" in epilogue:
    p.buffer("R", [m, 1], acc)


def layout(sg, data, inst, order=""):
    parts = [f"sg_layout = [{sg[0]}, {sg[1]}]", f"sg_data = [{data[0]}, {data[1]}]"]
    if inst:
        parts.append(f"inst_data = [{inst.replace('x', ', ')}]")
    return f"#xegpu.layout<{', '.join(parts)}{order}>"


p.aliases = f"""#a = {layout((sm, sn), (tm // sm, tk), inst_a)}
#b = {layout((sm, sn), (tk, tn // sn), inst_b)}
#c = {layout((sm, sn), (tm // sm, tn // sn), "8x16")}
#at = {layout((sn, sm), (tk, tm // sm), "16x16", ", order = [0, 1]")}
#bt = {layout((sn, sm), (tn // sn, tk), "16x16", ", order = [0, 1]")}
"""


def attribute(kind, name, users):
    if anchors != "all" and anchors not in users:
        return ""
    word = {"layout": "anchor_layout" if old else "layout"}.get(kind, kind)
    return f" {{{word} = {name}}}"


def dpas_attributes():
    if anchors not in ("all", "dpas"):
        return ""
    word = "anchor_layout" if old else "layout"
    return f" {{{word}_a = #a, {word}_b = #b, {word}_cd = #c}}"


at, bt, ct = p.buffers[0].kernel, p.buffers[1].kernel, None
C = f"memref<{'?x?x' if dynamic else f'{m}x{n}x'}{out}>"
a_tile, b_tile = (f"{tk}x{tm}" if ta else f"{tm}x{tk}"), (f"{tn}x{tk}" if tb else f"{tk}x{tn}")
A, B, CV = f"vector<{tm}x{tk}x{element}>", f"vector<{tk}x{tn}x{element}>", f"vector<{tm}x{tn}x{acc}>"
da, db, dc = (f"!xegpu.tensor_desc<{s}x{t}>" for s, t in ((a_tile, element), (b_tile, element), (f"{tm}x{tn}", out)))
body = f"""      %bx = gpu.block_id x
      %by = gpu.block_id y
      %tm = arith.constant {tm} : index
      %tn = arith.constant {tn} : index
      %tk = arith.constant {tk} : index
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %row = arith.muli %by, %tm : index
      %column = arith.muli %bx, %tn : index
      %depth = memref.dim %A, {'%c0' if ta else '%c1'} : {at}
"""


def describe(name, memref, memref_type, desc_type, rank=2):
    if not dynamic:
        return f"      {name} = xegpu.create_nd_tdesc {memref} : {memref_type} -> {desc_type}\n"
    dims = f"""      {name}_h = memref.dim {memref}, %c0 : {memref_type}
      {name}_w = memref.dim {memref}, %c1 : {memref_type}
"""
    return dims + (
        f"      {name} = xegpu.create_nd_tdesc {memref}, shape: [{name}_h, {name}_w], strides: [{name}_w, %c1]"
        f" : {memref_type} -> {desc_type}\n"
    )


body += describe("%da", "%A", at, da) + describe("%db", "%B", bt, db) + describe("%dc", "%C", C, dc)
if "accumulate" in options:
    body += f"      %start = xegpu.load_nd %dc[%row, %column]{attribute('layout', '#c', ('load',))} : {dc} -> {CV}\n"
else:
    body += f"      %start = arith.constant dense<0{'' if integer else '.0'}> : {CV}\n"
ia = "%k, %row" if ta else "%row, %k"
ib = "%column, %k" if tb else "%k, %column"
body += f"      %sums = scf.for %k = %c0 to %depth step %tk iter_args(%acc = %start) -> ({CV}) {{\n"
body += (
    f"        %a0 = xegpu.load_nd %da[{ia}]{attribute('layout', '#at' if ta else '#a', ('load',))} : {da}"
    f" -> vector<{a_tile}x{element}>\n"
)
body += (
    f"        %b0 = xegpu.load_nd %db[{ib}]{attribute('layout', '#bt' if tb else '#b', ('load',))} : {db}"
    f" -> vector<{b_tile}x{element}>\n"
)
if "prefetch" in options:
    body += f"""        %next = arith.addi %k, %tk : index
        xegpu.prefetch_nd %da[{ia.replace('%k', '%next')}] : {da}
        xegpu.prefetch_nd %db[{ib.replace('%k', '%next')}] : {db}
"""
a, b = "%a0", "%b0"
if ta:
    body += f"        %a = vector.transpose %a0, [1, 0] : vector<{a_tile}x{element}> to {A}\n"
    a = "%a"
if tb:
    body += f"        %b = vector.transpose %b0, [1, 0] : vector<{b_tile}x{element}> to {B}\n"
    b = "%b"
if type == "tf32":
    # The instruction takes f32 values and uses 19 bits of each.
    body += (
        f"        %at = arith.truncf {a} : {A} to {A.replace('f32', 'tf32')}\n"
        f"        %bt = arith.truncf {b} : {B} to {B.replace('f32', 'tf32')}\n"
    )
    a, b, A, B = "%at", "%bt", A.replace("f32", "tf32"), B.replace("f32", "tf32")
body += f"""        %d = xegpu.dpas {a}, {b}, %acc{dpas_attributes()} : {A}, {B}, {CV} -> {CV}
        scf.yield %d : {CV}
      }}
"""
value, vtype = "%sums", CV
add, mul = ("arith.addi", "arith.muli") if integer else ("arith.addf", "arith.mulf")
for step, kind in enumerate(epilogue):
    name = f"%v{step}"
    if kind == "relu":
        body += (
            f"      %z{step} = arith.constant dense<0{'' if integer else '.0'}> : {CV}\n"
            f"      {name} = arith.{'maxsi' if integer else 'maximumf'} {value}, %z{step} : {CV}\n"
        )
    elif kind == "scale":
        body += (
            f"      %z{step} = arith.constant dense<{'3' if integer else '0.5'}> : {CV}\n"
            f"      {name} = {mul} {value}, %z{step} : {CV}\n"
        )
    elif kind in ("bias1", "bias2"):
        db1 = f"!xegpu.tensor_desc<1x{tn}x{acc}>"
        body += describe("%dd", "%D", f"memref<{'?x?' if dynamic else f'1x{n}'}x{acc}>", db1)
        body += f"      %bias = xegpu.load_nd %dd[%c0, %column] : {db1} -> vector<1x{tn}x{acc}>\n"
        if kind == "bias1":
            body += (
                f"      %flat = vector.shape_cast %bias : vector<1x{tn}x{acc}> to vector<{tn}x{acc}>\n"
                f"      %wide = vector.broadcast %flat : vector<{tn}x{acc}> to {CV}\n"
            )
        else:
            body += f"      %wide = vector.broadcast %bias : vector<1x{tn}x{acc}> to {CV}\n"
        body += f"      {name} = {add} {value}, %wide : {CV}\n"
    elif kind == "trunc":
        vtype = CV.replace(acc, "f16")
        body += f"      {name} = arith.truncf {value} : {CV} to {vtype}\n"
    value = name
body += f"      xegpu.store_nd {value}, %dc[%row, %column]{attribute('layout', '#c', ('store',))} : {vtype}, {dc}\n"

loads = f"""%x = memref.load %A[{'%k, %i0' if ta else '%i0, %k'}] : {p.buffers[0].host}
%y = memref.load %B[{'%i1, %k' if tb else '%k, %i1'}] : {p.buffers[1].host}
{widen('%x', '%xw', element)}
{widen('%y', '%yw', element)}
%term = arith.mulf %xw, %yw : f64
"""
want, last = sum_over(k, loads, "%dot"), "%dot"
if "accumulate" in options:
    want += (
        f"\n%before = memref.load %C[%i0, %i1] : memref<{m}x{n}x{out}>\n{widen('%before', '%bw', out)}\n"
        "%dot1 = arith.addf %dot, %bw : f64"
    )
    last = "%dot1"
for step, kind in enumerate(epilogue):
    if kind == "relu":
        want += f"\n%w{step} = arith.maximumf {last}, %zero_f64 : f64"
    elif kind == "scale":
        want += (
            f"\n%s{step} = arith.constant {'3.0' if integer else '0.5'} : f64\n"
            f"%w{step} = arith.mulf {last}, %s{step} : f64"
        )
    elif kind in ("bias1", "bias2"):
        want += (
            f"\n%d = memref.load %D[%c0, %i1] : memref<1x{n}x{acc}>\n{widen('%d', '%dw', acc)}\n"
            f"%w{step} = arith.addf {last}, %dw : f64"
        )
    else:
        continue
    last = f"%w{step}"
want += f"\n%want = arith.addf {last}, %zero_f64 : f64"
bound = "2.0e-3" if out in ("f16", "bf16") else "1.0e-5"
p.result("C", [m, n], out, want, "pattern", bound)
grid = (-(-n // tn), -(-m // tm), 1)
p.kernel(body, sm * sn * 16, grid)
print(p.text())
