"""The MLIR text of a random program: its launch, its steps, and a main function that prints a checksum."""

import random

from emission import Context, Emitter, at, emit, index_to
from model import INT_BITS


def write_program(program):
    """The text of the module."""
    e = Emitter(random.Random(program.seed + 1))
    rng = e.rng
    tin, tout, elem = program.input.type, program.output.type, program.elem
    e.line(f"// Seed {program.seed}.")
    e.open("module {")
    e.line("llvm.func @printf(!llvm.ptr, ...) -> i32")
    e.line('llvm.mlir.global internal constant @format("checksum %lu\\0A\\00") {addr_space = 0 : i32}')
    e.line('llvm.mlir.global internal constant @element("%ld\\0A\\00") {addr_space = 0 : i32}')
    launched = len(program.grid) - program.unroll
    sizes = [f"%n{i}" for i in range(launched)]
    program.input.dynamic = program.dynamic_input
    tview, static = program.input.type, tin
    program.input.dynamic = False
    e.open(f"func.func @test(%in: {tin}, %out: {tout}, %one: index) {{")
    for s, n in zip(sizes, program.grid):
        e.line(f"{s}_static = arith.constant {n} : index")
        if program.dynamic_grid:
            e.line(f"{s} = arith.muli {s}_static, %one : index")
    if program.dynamic_input:
        e.line(f"%flexible = memref.cast %in : {tin} to {tview}")
    source = "%flexible" if program.dynamic_input else "%in"
    program.input.dynamic = program.dynamic_input
    tin = tview
    given = [s if program.dynamic_grid else f"{s}_static" for s in sizes]
    ids = [f"%{i}" for i in program.ids[:launched]]
    counts = [f"%count{i}" for i in range(len(ids))]
    spaces = ", ".join(f"{c} = {g}" for c, g in zip(counts, given))
    head = "air.launch async" if program.use_tokens else "air.launch"
    result = "%launched = " if program.use_tokens else ""
    e.open(
        f"{result}{head} ({', '.join(ids)}) in ({spaces}) args(%lin = {source}, %lout = %out, %lone = %one)"
        f" : {tin}, {tout}, index {{"
    )
    names = {"in": "%lin", "out": "%lout", "one": "%lone"}
    for i, name in zip(ids, program.ids):
        names[name] = i
    if program.segment:
        wanted = [("in", tin), ("out", tout), ("one", "index")] + [(i, "index") for i in program.ids[:launched]]
        rng.shuffle(wanted)
        inner = {k: f"%s_{k}" for k, _ in wanted}
        pairs = ", ".join(f"{inner[k]} = {names[k]}" for k, _ in wanted)
        head = "air.segment @segment" + (" async" if program.use_tokens else "")
        if program.unroll:
            spaces = []
            for i, n in list(zip(program.ids, program.grid))[launched:]:
                inner[i] = f"%u_{i}"
                spaces.append(f"%n_{i} = {e.const(n)}")
            head += f" unroll ({', '.join(inner[i] for i in program.ids[launched:])}) in ({', '.join(spaces)})"
        result = "%segmented = " if program.use_tokens else ""
        e.open(f"{result}{head} args({pairs}) : {', '.join(t for _, t in wanted)} {{")
        names = inner
    # The number of the workgroup, row-major in the grid.
    w = names[program.ids[0]]
    for i, n in list(zip(program.ids, program.grid))[1:]:
        w = e.op(f"arith.addi {e.op(f'arith.muli {w}, {e.const(n)} : index')}, {names[i]} : index")
    names["w"] = w
    for b in program.l2:
        names[b.name] = e.op(f"memref.alloc() : {b.type}", "l2_")
    ctx = Context(program.use_tokens)
    for step in program.steps:
        emit(step, e, names, ctx)
    if ctx.last:
        e.line(f"air.wait_all [{ctx.last}]")
    if rng.random() < 0.5:
        for b in program.l2:
            e.line(f"memref.dealloc {names[b.name]} : {b.type}")
    if program.segment:
        e.close()
    e.close()
    if program.use_tokens:
        e.line("air.wait_all [%launched]")
    e.line("return")
    e.close()
    program.input.dynamic = False
    emit_main(program, e)
    e.lines += e.functions
    e.close()
    return "\n".join(e.lines) + "\n"


def emit_main(program, e):
    tin, tout, elem = program.input.type, program.output.type, program.elem
    a, b, m, c = program.fill
    e.open("func.func @main(%argc: i32, %argv: !llvm.ptr) -> i32 {")
    zero, one = e.const(0), e.const(1)
    e.line(f"%in = memref.alloc() : {tin}")
    e.line(f"%out = memref.alloc() : {tout}")
    e.open(f"scf.for %i = {zero} to {e.const(program.input.numel)} step {one} {{")
    v = e.op(f"arith.muli %i, {e.const(a)} : index")
    v = e.op(f"arith.addi {v}, {e.const(b)} : index")
    v = e.op(f"arith.remui {v}, {e.const(m)} : index")
    v = e.op(f"arith.subi {v}, {e.const(c)} : index")
    v = index_to(e, v, elem)
    e.line(f"memref.store {v}, %in[{at(e, program.input, None, '%i')}] : {tin}")
    e.close()
    e.open(f"scf.for %i = {zero} to {e.const(program.output.numel)} step {one} {{")
    e.line(f"memref.store {e.const(1, elem)}, %out[{at(e, program.output, None, '%i')}] : {tout}")
    e.close()
    e.line(f"%din = gpu.alloc () : {tin}")
    e.line(f"%dout = gpu.alloc () : {tout}")
    e.line(f"gpu.memcpy %din, %in : {tin}, {tin}")
    e.line(f"gpu.memcpy %dout, %out : {tout}, {tout}")
    # The value is one, but known only at run time.
    args = e.op("arith.index_cast %argc : i32 to index")
    unknown = e.op(f"arith.minui {args}, {one} : index")
    e.line(f"call @test(%din, %dout, {unknown}) : ({tin}, {tout}, index) -> ()")
    e.line(f"gpu.memcpy %out, %dout : {tout}, {tout}")
    e.line(f"gpu.dealloc %din : {tin}")
    e.line(f"gpu.dealloc %dout : {tout}")
    start = e.const(0, "i64")
    factor = e.const(1000003, "i64")
    e.line("%two = arith.constant 2 : i32")
    e.line("%dump = arith.cmpi sge, %argc, %two : i32")
    e.open(
        f"%sum = scf.for %i = {zero} to {e.const(program.output.numel)} step {one} iter_args(%acc = {start})"
        f" -> (i64) {{"
    )
    v = e.op(f"memref.load %out[{at(e, program.output, None, '%i')}] : {tout}")
    if elem not in INT_BITS:
        v = e.op(f"arith.fptosi {v} : {elem} to i64")
    elif elem != "i64":
        v = e.op(f"arith.extsi {v} : {elem} to i64")
    scaled = e.op(f"arith.muli %acc, {factor} : i64")
    e.open("scf.if %dump {")
    e.line("%p = llvm.mlir.addressof @element : !llvm.ptr")
    e.line(f"llvm.call @printf(%p, {v}) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64) -> i32")
    e.close()
    e.line(f"scf.yield {e.op(f'arith.addi {scaled}, {v} : i64')} : i64")
    e.close()
    e.line(f"memref.dealloc %in : {tin}")
    e.line(f"memref.dealloc %out : {tout}")
    e.line("%text = llvm.mlir.addressof @format : !llvm.ptr")
    e.line("llvm.call @printf(%text, %sum) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64) -> i32")
    e.line(f"%status = arith.constant 0 : i32")
    e.line("return %status : i32")
    e.close()
