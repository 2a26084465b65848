#!/usr/bin/env python3
"""Every op of an upstream dialect that a kernel can contain, against the host.

    ops.py --aircc BINARY --dialect NAME [--target NAME]... [--only OP] [--work DIR]

The tables (table_NAME.py) hold cases. A case is code around one op, with the types of its inputs (%a, %b, …) and
results (%r, %s, …). Each becomes a function that is compiled twice, into a kernel and for the host, and run on the
same values. The results must be equal bit for bit, or within the tolerance of the case where kernel and host use
different libraries. Both must print the same lines.

An op that is rejected has a case, too, with the message; the error must be at the op. An op that makes no sense in a
kernel is listed with the reason. The ops of a dialect come from its TableGen files; an op that is missing in the
table is an error.
"""

import argparse
import importlib
import math
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile

LANES = 64
FILES = {
    "arith": "Arith/IR/ArithOps.td",
    "complex": "Complex/IR/ComplexOps.td",
    "index": "Index/IR/IndexOps.td",
    "math": "Math/IR/MathOps.td",
    "memref": "MemRef/IR/MemRefOps.td",
    "ub": "UB/IR/UBOps.td",
    "vector": "Vector/IR/VectorOps.td",
}
FLOAT_BITS = {"f16": 16, "bf16": 16, "f32": 32, "f64": 64}
TOLERANCE = {"f16": 2e-3, "bf16": 2e-2, "f32": 5e-6, "f64": 1e-12}


class Type:
    """Parses the text of a scalar or vector type."""

    def __init__(self, text):
        self.text = text
        m = re.fullmatch(r"vector<((?:\d+x)+)(.*)>", text)
        self.shape = [int(n) for n in m.group(1).split("x")[:-1]] if m else []
        self.is_vector = bool(m) or bool(re.fullmatch(r"vector<[^\d].*>", text))
        self.element = m.group(2) if m else re.sub(r"^vector<(.*)>$", r"\1", text)
        # Memory holds booleans and integers of odd widths as larger types.
        self.stored = {"i1": "i8", "i4": "i8"}.get(self.element, self.element)

    @property
    def count(self):
        return math.prod(self.shape)

    @property
    def buffer(self):
        return "memref<" + "x".join(map(str, [LANES] + self.shape)) + f"x{self.stored}>"

    def stored_type(self):
        return self.text if self.stored == self.element else self.text.replace(self.element, self.stored)


class Case:
    def __init__(
        self, op, ins, outs, body, domain="any", exact=None, tolerance=None, refused=None, outside="", targets=None
    ):
        self.op, self.body, self.domain = op, body, domain
        self.ins, self.outs = [Type(t) for t in ins.split()], [Type(t) for t in outs.split()]
        # Functions from libraries may differ in the last bits.
        library = op.startswith(("math.", "complex."))
        self.exact = exact if exact is not None else tolerance is None and not library
        self.tolerance, self.refused, self.outside, self.targets = tolerance, refused, outside, targets

    def function(self, name):
        """Returns the text of the case's function."""
        args = [f"%in{k}: {t.buffer}" for k, t in enumerate(self.ins)]
        args += [f"%out{k}: {t.buffer}" for k, t in enumerate(self.outs)]
        lines = [f"func.func private @{name}(%i: index, {', '.join(args)}) {{", "  %c0 = arith.constant 0 : index"]
        for k, t in enumerate(self.ins):
            v, zeros = f"%{'abcdef'[k]}", ", %c0" * len(t.shape)
            loaded = v if t.stored == t.element else f"{v}_stored"
            if t.is_vector:
                lines.append(f"  %pad{k} = arith.constant {zero(t.stored)} : {t.stored}")
                bounds = ", ".join(["true"] * len(t.shape))
                lines.append(
                    f"  {loaded} = vector.transfer_read %in{k}[%i{zeros}], %pad{k} {{in_bounds = [{bounds}]}}"
                    f" : {t.buffer}, {t.stored_type()}"
                )
            else:
                lines.append(f"  {loaded} = memref.load %in{k}[%i] : {t.buffer}")
            if loaded != v:
                lines.append(f"  {v} = arith.trunci {loaded} : {t.stored_type()} to {t.text}")
        lines += ["  " + line.strip() for line in self.body.strip().split("\n")]
        for k, t in enumerate(self.outs):
            v, zeros = f"%{'rstuv'[k]}", ", %c0" * len(t.shape)
            if t.stored != t.element:
                lines.append(f"  {v}_stored = arith.extui {v} : {t.text} to {t.stored_type()}")
                v += "_stored"
            if t.is_vector:
                bounds = ", ".join(["true"] * len(t.shape))
                lines.append(
                    f"  vector.transfer_write {v}, %out{k}[%i{zeros}] {{in_bounds = [{bounds}]}}"
                    f" : {t.stored_type()}, {t.buffer}"
                )
            else:
                lines.append(f"  memref.store {v}, %out{k}[%i] : {t.buffer}")
        return lines + ["  return", "}"]


def zero(element):
    return "0.0" if element in FLOAT_BITS or element.startswith("f8") else "0"


# --- Values ------------------------------------------------------------------


def float_values(domain, count):
    """Floats that f16 represents exactly, so that they are the same in all types."""
    if isinstance(domain, (list, tuple)):
        return [float(domain[k % len(domain)]) for k in range(count)]
    specials = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -2.0, math.inf, -math.inf, math.nan, 65504.0, -1024.0, 0.125]
    out = []
    for k in range(count):
        step = (k * 37 % 61 - 30) / 8  # -3.75 … 3.75
        if domain == "any":
            step = specials[k] if k < len(specials) else step
        elif domain == "positive":
            step = abs(step) + 0.125
        elif domain == "unit":
            step = step / 4
        elif domain == "ge1":
            step = abs(step) + 1
        elif domain == "nonzero":
            step = step or 1.5
        elif domain != "finite":
            raise SystemExit(f"no floats of the domain '{domain}'")
        out.append(step)
    return out


def int_values(domain, bits, count):
    if isinstance(domain, (list, tuple)):
        return [domain[k % len(domain)] for k in range(count)]
    top = 1 << (bits - 1)
    specials = [0, 1, -1, 2, -2, 7, -7, 100, -100, top - 1, -top, -top + 1, 3, -128, 127, 64]
    out = []
    for k in range(count):
        # The values cover the width of the type.
        v = specials[k] if k < len(specials) else (k * 2654435761 * 40503 + k) % (1 << bits)
        if domain == "nonzero":
            v = k % 9 - 4 or 5
        elif domain == "positive":
            v = k % 11 + 1
        elif domain == "shift":
            v = k % bits
        elif domain == "small":
            v = k % 13 - 6
        v %= 1 << bits
        out.append(v - (1 << bits) if v >> (bits - 1) else v)
    return out


def values(type, domain):
    """The elements of an input, as texts for a dense attribute."""
    count, element = LANES * type.count, type.stored
    m = re.fullmatch(r"complex<(.*)>", element)
    if m:
        floats = float_values(domain, 2 * count)
        # Real and imaginary parts step through their values at different rates.
        return [f"({number(floats[k])}, {number(floats[(k * 5 + 3) % len(floats)])})" for k in range(count)]
    if element in FLOAT_BITS:
        return [number(v, FLOAT_BITS[element], element) for v in float_values(domain, count)]
    bits = 64 if element == "index" else int(element[1:])
    return [str(v) for v in int_values(domain, bits, count)]


def number(v, bits=32, element="f32"):
    if math.isfinite(v) and not (v == 0 and math.copysign(1, v) < 0):
        text = repr(float(v))
        return text if "." in text else text.replace("e", ".0e")
    patterns = {
        "f16": ("0x7C00", "0xFC00", "0x7E00", "0x8000"),
        "bf16": ("0x7F80", "0xFF80", "0x7FC0", "0x8000"),
        "f32": ("0x7F800000", "0xFF800000", "0x7FC00000", "0x80000000"),
        "f64": ("0x7FF0000000000000", "0xFFF0000000000000", "0x7FF8000000000000", "0x8000000000000000"),
    }[element]
    return patterns[3 if v == 0 else 2 if math.isnan(v) else 0 if v > 0 else 1]


def decode(element, bits):
    """Returns the number that a bit pattern represents, for a float type; otherwise the pattern."""
    if element == "bf16":
        return struct.unpack("<f", struct.pack("<I", bits << 16))[0]
    letter = {"f16": "e", "f32": "f", "f64": "d"}.get(element)
    if not letter:
        return bits
    return struct.unpack("<" + letter, bits.to_bytes(FLOAT_BITS[element] // 8, "little"))[0]


# --- The program -------------------------------------------------------------


def parts(element):
    """Returns the element types that a value is printed as."""
    m = re.fullmatch(r"complex<(.*)>", element)
    return [m.group(1)] * 2 if m else [element]


def dump_function(element):
    """Prints the elements of a host and a device buffer as bit patterns."""
    lines = [
        (
            f"func.func private @dump_{re.sub('[<>]', '_', element)}(%case: i64, %n: index, %x: memref<?x{element}>,"
            f" %y: memref<?x{element}>) {{"
        ),
        "  %c0 = arith.constant 0 : index",
        "  %c1 = arith.constant 1 : index",
        "  %text = llvm.mlir.addressof @line : !llvm.ptr",
        "  scf.for %i = %c0 to %n step %c1 {",
        "    %i64 = arith.index_cast %i : index to i64",
    ]
    pieces = parts(element)
    for part, name in enumerate(pieces):
        for b in "xy":
            v = f"%{b}{part}"
            lines.append(f"    {v}_e = memref.load %{b}[%i] : memref<?x{element}>")
            if len(pieces) == 2:
                lines.append(f"    {v}_p = complex.{['re', 'im'][part]} {v}_e : {element}")
                old = f"{v}_p"
            else:
                old = f"{v}_e"
            bits = 64 if name == "index" else FLOAT_BITS.get(name) or int(name[1:])
            if name == "index":
                lines.append(f"    {v} = arith.index_cast {old} : index to i64")
                continue
            if name in FLOAT_BITS:
                lines.append(f"    {v}_b = arith.bitcast {old} : {name} to i{bits}")
                old = f"{v}_b"
            if bits < 64:
                lines.append(f"    {v} = arith.extui {old} : i{bits} to i64")
            else:
                lines.append(f"    {v} = arith.bitcast {old} : i64 to i64")
        lines.append(
            f"    llvm.call @printf(%text, %case, %i64, %x{part}, %y{part}) vararg(!llvm.func<i32 (ptr, ...)>)"
            " : (!llvm.ptr, i64, i64, i64, i64) -> i32"
        )
    return lines + ["  }", "  return", "}"]


def program(cases, on_host=True):
    """Returns the text of a program that runs the cases, or only has them in kernels."""
    out = [
        "module attributes {gpu.container_module} {",
        "llvm.func @printf(!llvm.ptr, ...) -> i32",
        'llvm.mlir.global internal constant @line("= %ld %ld %lx %lx\\0A\\00") {addr_space = 0 : i32}',
    ]
    tables = {}
    device, host, main = [], [], []
    elements = []
    declarations = []
    for n, case in enumerate(cases):
        for line in case.outside.strip().split("\n") if case.outside else []:
            if line not in declarations:
                declarations.append(line)
        function = case.function(f"case{n}")
        device += function
        types = [t.buffer for t in case.ins + case.outs]
        names = [f"%p{k}" for k in range(len(types))]
        device.append(f"gpu.func @kernel{n}({', '.join(f'{a}: {t}' for a, t in zip(names, types))}) kernel {{")
        device.append("  %i = gpu.thread_id x")
        device.append(f"  func.call @case{n}(%i, {', '.join(names)}) : (index, {', '.join(types)}) -> ()")
        device += ["  gpu.return", "}"]
        if not on_host:
            continue
        host += function
        host.append(f"func.func private @run{n}() {{")
        host += [
            "  %c0 = arith.constant 0 : index",
            "  %c1 = arith.constant 1 : index",
            f"  %lanes = arith.constant {LANES} : index",
        ]
        host_args, device_args = [], []
        domains = case.domain if isinstance(case.domain, dict) else {}
        for k, t in enumerate(case.ins):
            domain = domains.get("abcdef"[k], "any") if domains else case.domain
            key = (t.buffer, str(domain))
            table = tables.setdefault(key, (f"table{len(tables)}", t, domain))[0]
            host.append(f"  %h{k} = memref.get_global @{table} : {t.buffer}")
            host.append(f"  %d{k} = gpu.alloc () : {t.buffer}")
            host.append(f"  gpu.memcpy %d{k}, %h{k} : {t.buffer}, {t.buffer}")
            host_args.append(f"%h{k}")
            device_args.append(f"%d{k}")
        for k, t in enumerate(case.outs, len(case.ins)):
            host.append(f"  %h{k} = memref.alloc() : {t.buffer}")
            host.append(f"  %back{k} = memref.alloc() : {t.buffer}")
            host.append(f"  %d{k} = gpu.alloc () : {t.buffer}")
            host_args.append(f"%h{k}")
            device_args.append(f"%d{k}")
        host.append("  scf.for %i = %c0 to %lanes step %c1 {")
        host.append(f"    func.call @case{n}(%i, {', '.join(host_args)}) : (index, {', '.join(types)}) -> ()")
        host.append("  }")
        args = ", ".join(f"{a} : {t}" for a, t in zip(device_args, types))
        host.append(
            f"  gpu.launch_func @kernels::@kernel{n} blocks in (%c1, %c1, %c1) threads in (%lanes, %c1, %c1)"
            f" args({args})"
        )
        for k, t in enumerate(case.outs, len(case.ins)):
            host.append(f"  gpu.memcpy %back{k}, %d{k} : {t.buffer}, {t.buffer}")
            element = t.stored
            if element not in elements:
                elements.append(element)
            size = LANES * t.count
            for b in ("h", "back"):
                host.append(
                    f"  %{b}{k}_row = memref.reinterpret_cast %{b}{k} to offset: [0], sizes: [{size}], strides: [1]"
                    f" : {t.buffer} to memref<{size}x{element}, strided<[1]>>"
                )
                host.append(
                    f"  %{b}{k}_flat = memref.cast %{b}{k}_row : memref<{size}x{element}, strided<[1]>>"
                    f" to memref<?x{element}>"
                )
            host.append(f"  %n{k} = arith.constant {size} : index")
            host.append(f"  %case{k} = arith.constant {n * 10 + k - len(case.ins)} : i64")
            host.append(
                f"  func.call @dump_{re.sub('[<>]', '_', element)}(%case{k}, %n{k}, %h{k}_flat, %back{k}_flat)"
                f" : (i64, index, memref<?x{element}>, memref<?x{element}>) -> ()"
            )
        host += ["  return", "}"]
        main.append(f"  call @run{n}() : () -> ()")
    for table, t, domain in tables.values():
        shape = [LANES] + t.shape
        tensor = "tensor<" + "x".join(map(str, shape)) + f"x{t.stored}>"
        out.append(f'memref.global "private" constant @{table} : {t.buffer} = dense<{nest(values(t, domain), shape)}>')
    out += declarations + ["gpu.module @kernels {"] + declarations + device + ["}"] + host
    for element in elements:
        out += dump_function(element)
    out += (
        ["func.func @main() -> i32 {"] + main + ["  %zero = arith.constant 0 : i32", "  return %zero : i32", "}", "}"]
    )
    return "\n".join(out) + "\n"


def nest(texts, shape):
    if len(shape) == 1:
        return "[" + ", ".join(texts) + "]"
    inner = len(texts) // shape[0]
    return "[" + ", ".join(nest(texts[k * inner : (k + 1) * inner], shape[1:]) for k in range(shape[0])) + "]"


# --- Checking ----------------------------------------------------------------


def agree(case, element, want, got):
    if want == got:
        return True
    w, g = decode(element, want), decode(element, got)
    if element not in FLOAT_BITS:
        return False
    if math.isnan(w) or math.isnan(g):
        return math.isnan(w) and math.isnan(g)
    if case.exact:
        return False
    if math.isinf(w) or math.isinf(g):
        return w == g
    return abs(w - g) <= (case.tolerance or TOLERANCE[element]) * max(abs(w), 1e-3)


def run(command, **more):
    return subprocess.run(command, capture_output=True, text=True, timeout=300, **more)


def check_results(cases, target, args, folder):
    """Compiles and runs the cases together; returns a list of errors."""
    path = os.path.join(folder, f"{args.dialect}.mlir")
    with open(path, "w") as f:
        f.write(program(cases))
    exe = os.path.join(folder, f"{args.dialect}.{target}")
    done = run([args.aircc, path, "--target", target, "-o", exe] + args.option)
    if done.returncode:
        if len(cases) == 1:
            return [f"{cases[0].op}: compiling for {target}: {done.stderr.strip()[:1500]}\n{cases[0].body}"]
        # Report which cases failed.
        half = len(cases) // 2
        return check_results(cases[:half], target, args, folder) + check_results(cases[half:], target, args, folder)
    if not args.run:
        return []
    done = run([exe])
    if done.returncode:
        if len(cases) == 1:
            return [f"{cases[0].op}: running for {target}: {done.stderr.strip()[:1500]}\n{cases[0].body}"]
        half = len(cases) // 2
        return check_results(cases[:half], target, args, folder) + check_results(cases[half:], target, args, folder)
    wrong, seen, texts, problems = {}, set(), [], []
    for line in done.stdout.splitlines():
        # The host prints a case's own output first, then the device.
        if not line.startswith("= "):
            texts.append(line)
            continue
        number, index, want, got = line.split()[1:]
        half = len(texts) // 2
        if sorted(texts[:half]) != sorted(texts[half:]):
            problems.append(
                f"{cases[int(number) // 10].op} on {target}: prints {texts[half:]}, on the host {texts[:half]}"
            )
        texts = []
        case, out = cases[int(number) // 10], int(number) % 10
        seen.add(int(number))
        element = parts(case.outs[out].stored)[0]
        want, got = int(want, 16), int(got, 16)
        if not agree(case, element, want, got):
            wrong.setdefault(int(number), []).append((int(index), want, got))
    for number, differences in wrong.items():
        case, out = cases[number // 10], number % 10
        element = parts(case.outs[out].stored)[0]
        index, want, got = differences[0]
        problems.append(
            f"{case.op} on {target}: {len(differences)} elements differ, the first is {index}: host "
            f"{decode(element, want)} ({want:x}), device {decode(element, got)} ({got:x})\n{case.body}"
        )
    for n, case in enumerate(cases):
        for out in range(len(case.outs)):
            if n * 10 + out not in seen:
                problems.append(f"{case.op} on {target}: no results were printed")
    return problems


def check_refused(case, args, folder):
    """The case's op must be rejected, with an error at the op that has the expected reason."""
    path = os.path.join(folder, f"{args.dialect}.refused.mlir")
    text = program([case], on_host=False)
    with open(path, "w") as f:
        f.write(text)
    done = run([args.aircc, path, "--target", "gfx942", "--emit=hsaco", "-o", os.path.join(folder, "refused")])
    if done.returncode != 1:
        return [f"{case.op} should be refused, but the compiler ends with {done.returncode}: {done.stderr[:500]}"]
    errors = re.findall(r":(\d+):\d+: error: (.*)", done.stderr)
    for line, message in errors:
        if re.search(case.refused, message) and case.op in text.split("\n")[int(line) - 1]:
            return []
    return [f"{case.op} should be refused at the op with '{case.refused}', but the errors are {errors}"]


def list_ops(dialect):
    tblgen = os.path.realpath(shutil.which("mlir-tblgen"))
    include = os.path.join(os.path.dirname(os.path.dirname(tblgen)), "include")
    done = run(
        [tblgen, "-gen-dialect-doc", f"-dialect={dialect}", "-I", include, f"{include}/mlir/Dialect/{FILES[dialect]}"]
    )
    if done.returncode:
        raise SystemExit(done.stderr)
    return re.findall(r"^### `(\S+)`", done.stdout, re.M)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--aircc", required=True)
    parser.add_argument("--dialect", required=True)
    parser.add_argument("--target", action="append")
    parser.add_argument("--option", action="append", default=[], help="handed on to the compiler")
    parser.add_argument("--compile-only", dest="run", action="store_false")
    parser.add_argument("--only", help="the cases of one op")
    parser.add_argument("--work", help="where the programs go, and stay")
    args = parser.parse_args()
    table = importlib.import_module(f"table_{args.dialect}")
    cases, nowhere = table.CASES, table.NOWHERE
    problems = []
    known = {case.op for case in cases} | set(nowhere)
    ops = list_ops(args.dialect)
    problems += [f"{op} is in no table" for op in ops if op not in known]
    problems += [f"{op} is not an op of the dialect" for op in sorted(known) if op not in ops]
    if args.only:
        cases = [case for case in cases if case.op == args.only]
    with tempfile.TemporaryDirectory(prefix="aircc-ops-") as temporary:
        folder = args.work or temporary
        os.makedirs(folder, exist_ok=True)
        for target in args.target or ["gfx942"]:
            running = [c for c in cases if not c.refused and (not c.targets or target in c.targets)]
            problems += check_results(running, target, args, folder)
        refused = [c for c in cases if c.refused and args.run]
        for case in refused:
            problems += check_refused(case, args, folder)
    for problem in problems:
        print(problem)
    what = "agree with the host" if args.run else "compile"
    print(
        f"{len({c.op for c in cases if not c.refused})} ops {what}, {len(refused)} cases are refused, "
        f"{len(nowhere)} ops cannot be in a kernel: {len(problems)} problems"
    )
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
