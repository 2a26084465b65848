"""The MLIR text of random programs: kernels, host functions with the same code, and a main function that compares."""

import math
import random
import re

from values import is_float, memref

MODULE_START = [
    "module attributes {gpu.container_module} {",
    "llvm.func @printf(!llvm.ptr, ...) -> i32",
    "llvm.func @fflush(!llvm.ptr) -> i32",
    'llvm.mlir.global internal constant @line("%ld %ld\\0A\\00") {addr_space = 0 : i32}',
]
MAIN_END = ["  %zero = arith.constant 0 : i32", "  return %zero : i32", "}", "}"]


def print_and_return(number, wrong):
    """Returns the end of a function that prints the number of a program and how many of its elements are wrong."""
    return [
        "  %text = llvm.mlir.addressof @line : !llvm.ptr",
        f"  llvm.call @printf(%text, {number}, {wrong}) vararg(!llvm.func<i32 (ptr, ...)>)"
        " : (!llvm.ptr, i64, i64) -> i32",
        "  %all = llvm.mlir.zero : !llvm.ptr",
        "  llvm.call @fflush(%all) : (!llvm.ptr) -> i32",
        "  return",
        "}",
    ]


def count_rows(differs):
    """Returns the end of two loops that count elements in %s1 and %s2: those where the operation `differs` is true."""
    return [
        f"      %d = {differs}",
        "      %more = arith.addi %s2, %one : i64",
        "      %next = arith.select %d, %more, %s2 : i64",
        "      scf.yield %next : i64",
        "    }",
        "    scf.yield %s1 : i64",
        "  }",
    ]


def alias(layouts, layout):
    return layouts.setdefault(layout.text(), f"#l{len(layouts)}")


def body(program, host, layouts, propagate=False):
    """Returns the lines of the host function or of the kernel. With `propagate`, only some moves between layouts are
    kept."""
    out = []
    # With `propagate`, aircc must find the layouts, so some of the moves are omitted.
    moves = random.Random(program.seed)
    kept = {name for name in program.alias if propagate and moves.random() < 0.5}
    for text, own, attrs, on_host in program.lines:
        left_out = {False: host, "only": not host, "given": host or propagate, "else": not host and not propagate}
        if left_out.get(on_host, False):
            continue
        if "{L0}" in text:
            if propagate and text.split()[0] not in kept:
                continue
            if propagate:
                text = re.sub(r"(, )?layout.results = \[\{L0\}\]", "", text)
                text = rename(program, text, kept)
            text = text.replace("{L0}", alias(layouts, own[0]))
            out.append(text)
            continue
        if propagate:  # With `propagate`, aircc also chooses the instruction.
            attrs = re.sub(r'(, )?layout\.matrix_instruction = "[^"]*"', "", attrs or "")
        all_attrs = [attrs] if attrs else []
        if not host and not propagate and any(own):
            all_attrs.append("layout.results = [" + ", ".join(alias(layouts, l) if l else "unit" for l in own) + "]")
        dictionary = "{" + ", ".join(all_attrs) + "}" if all_attrs else ""
        text = text.replace("{A}", dictionary).replace("{{", "{").replace("}}", "}")
        if host or propagate:
            text = rename(program, text, kept)
        out.append(text)
    return out


def rename(program, text, kept):
    """`text` with the moved values' names replaced by the original values' names, except for the values in `kept`."""

    def resolve(m):
        name = m.group(0)
        while name in program.alias and name not in kept:
            name = program.alias[name]
        return name

    return re.sub(r"%v\d+(#\d)?", resolve, text)


def fill_function(elem):
    """Fills a flat buffer with numbers from -m/2 to m/2."""
    lines = [
        f"func.func private @fill_{elem}(%m: memref<?x{elem}>, %count: index, %modulus: i64, %seed: i64) {{",
        "  %c0 = arith.constant 0 : index",
        "  %c1 = arith.constant 1 : index",
        "  %two = arith.constant 2 : i64",
        "  %half = arith.divsi %modulus, %two : i64",
        "  %a = arith.constant 2654435761 : i64",
        "  %b = arith.constant 16 : i64",
        "  scf.for %i = %c0 to %count step %c1 {",
        "    %x = arith.index_cast %i : index to i64",
        "    %xs = arith.addi %x, %seed : i64",
        "    %y = arith.muli %xs, %a : i64",
        "    %z = arith.shrui %y, %b : i64",
        "    %r = arith.remui %z, %modulus : i64",
        "    %v = arith.subi %r, %half : i64",
    ]
    if is_float(elem):
        lines.append(f"    %e = arith.sitofp %v : i64 to {elem}")
    elif elem == "index":
        lines.append("    %e = arith.index_cast %v : i64 to index")
    elif elem == "i64":
        lines.append("    %e = arith.addi %v, %x : i64")
    else:
        lines.append(f"    %e = arith.trunci %v : i64 to {elem}")
    return lines + [f"    memref.store %e, %m[%i] : memref<?x{elem}>", "  }", "  return", "}"]


def compare_function(elem):
    """Counts the elements that differ."""
    compare = "arith.cmpf une" if is_float(elem) else "arith.cmpi ne"
    return [
        f"func.func private @differ_{elem}(%m: memref<?x{elem}>, %n: memref<?x{elem}>, %count: index) -> i64 {{",
        "  %c0 = arith.constant 0 : index",
        "  %c1 = arith.constant 1 : index",
        "  %zero = arith.constant 0 : i64",
        "  %one = arith.constant 1 : i64",
        "  %sum = scf.for %i = %c0 to %count step %c1 iter_args(%s = %zero) -> (i64) {",
        f"    %x = memref.load %m[%i] : memref<?x{elem}>",
        f"    %y = memref.load %n[%i] : memref<?x{elem}>",
        f"    %d = {compare}, %x, %y : {elem}",
        "    %t = arith.addi %s, %one : i64",
        "    %u = arith.select %d, %t, %s : i64",
        "    scf.yield %u : i64",
        "  }",
        "  return %sum : i64",
        "}",
    ]


def batch_text(programs, propagate):
    layouts, kernels, host, main, elems = {}, [], [], [], set()
    for p in programs:
        types = [memref(shape, elem) for _, shape, elem, _, _ in p.buffers]
        names = [name for name, *_ in p.buffers]
        args = ", ".join([f"{n}: {t}" for n, t in zip(names, types)] + ["%n: index"])
        block = ", ".join(map(str, p.block))
        shared = ", ".join(f"{name} : memref<{size}xi8, 3>" for name, size in p.shared)
        shared = f" workgroup({shared})" if shared else ""
        kernels.append(
            f"gpu.func @kernel{p.seed}({args}){shared} kernel"
            f" attributes {{known_block_size = array<i32: {block}>, layout.scope = #layout.scope<{p.scope}>}} {{"
        )
        kernels += p.body(False, layouts, propagate) + ["  gpu.return", "}"]
        host.append(f"func.func private @host{p.seed}({args}) {{")
        host += p.body(True, layouts) + ["  return", "}"]
        host += [
            f"func.func private @run{p.seed}() {{",
            "  %c1 = arith.constant 1 : index",
            *(f"  %threads{d} = arith.constant {n} : index" for d, n in zip("xyz", p.block)),
            "  %n = arith.constant 3 : index",
            f"  %seed = arith.constant {p.seed} : i64",
            "  %zero = arith.constant 0 : i64",
        ]
        for k, (name, shape, elem, out, modulus) in enumerate(p.buffers):
            elems.add(elem)
            count = math.prod(shape)
            flat = memref([count], elem)
            expand = f"[[{', '.join(map(str, range(len(shape))))}]] output_shape {shape}" if shape else "[]"
            expand += f" : {flat} into {types[k]}"
            host.append(f"  %count{k} = arith.constant {count} : index")
            host.append(f"  %modulus{k} = arith.constant {modulus} : i64")
            for side in ("h", "b"):
                host.append(f"  %{side}f{k} = memref.alloc() : {flat}")
                host.append(f"  %{side}d{k} = memref.cast %{side}f{k} : {flat} to {memref(['?'], elem)}")
                host.append(
                    f"  func.call @fill_{elem}(%{side}d{k}, %count{k}, %modulus{k}, %seed)"
                    f" : ({memref(['?'], elem)}, index, i64, i64) -> ()"
                )
                host.append(
                    f"  %{side}{k} = memref.{'expand_shape' if shape else 'collapse_shape'} %{side}f{k} {expand}"
                )
            host.append(f"  %g{k} = gpu.alloc () : {types[k]}")
            host.append(f"  gpu.memcpy %g{k}, %h{k} : {types[k]}, {types[k]}")
        call_types = ", ".join(types + ["index"])
        host.append(
            f"  func.call @host{p.seed}({', '.join([f'%h{k}' for k in range(len(types))] + ['%n'])})"
            f" : ({call_types}) -> ()"
        )
        launch = ", ".join([f"%g{k} : {t}" for k, t in enumerate(types)] + ["%n : index"])
        host.append(
            f"  gpu.launch_func @kernels::@kernel{p.seed} blocks in (%c1, %c1, %c1) threads in (%threadsx,"
            f" %threadsy, %threadsz) args({launch})"
        )
        total = "%zero"
        for k, (name, shape, elem, out, modulus) in enumerate(p.buffers):
            host.append(f"  gpu.memcpy %b{k}, %g{k} : {types[k]}, {types[k]}")
            dyn = memref(["?"], elem)
            host.append(f"  %x{k} = func.call @differ_{elem}(%hd{k}, %bd{k}, %count{k}) : ({dyn}, {dyn}, index) -> i64")
            host.append(f"  %t{k} = arith.addi {total}, %x{k} : i64")
            total = f"%t{k}"
            host.append(f"  gpu.dealloc %g{k} : {types[k]}")
        host += print_and_return("%seed", total)
        main.append(f"  call @run{p.seed}() : () -> ()")
    out = [f"{name} = {text}" for text, name in layouts.items()]
    out += MODULE_START + ["gpu.module @kernels {"] + kernels + ["}"] + host
    for elem in sorted(elems):
        out += fill_function(elem) + compare_function(elem)
    out += ["func.func @main() -> i32 {"] + main + MAIN_END
    return "\n".join(out) + "\n"
