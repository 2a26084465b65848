"""Runs functions of an AIR module on the interpreter and on the simulated device, and compares their results.

A function takes memrefs of static shape in L3 and has no results. Each memref is filled with small numbers that depend
on the position; after the call, the program prints the elements of each (or a checksum), which must be those of the
interpreter.
"""

import os
import random
import struct
import subprocess

from generic_text import parse
from interpreter import Machine
from memory import MemRef, wrap

FILLS = [(7, 3, 23, 11), (5, 1, 17, 8), (3, 2, 29, 14), (11, 5, 19, 9)]


def fill_value(argument, i):
    a, b, modulus, shift = FILLS[argument % len(FILLS)]
    return (i * a + b) % modulus - shift


class Function:
    """A function that can be called: its name and the types of its arguments."""

    def __init__(self, op):
        self.name = op.attributes["sym_name"]
        self.types = op.attributes["function_type"].shape


def find_functions(text):
    """The public functions with a body."""
    functions = []
    for op in parse(text).regions[0][0].ops:
        if op.name == "func.func" and op.regions[0] and op.attributes.get("sym_visibility") != "private":
            functions.append(Function(op))
    return functions


def interpret(text, function, seed=None, machine=None):
    """The elements of all arguments after a call."""
    machine = machine or Machine(text)
    machine.rng = random.Random(seed) if seed is not None else None
    arguments = []
    for k, type in enumerate(function.types):
        memref = MemRef.allocate(type.shape, 0, 0)
        convert = float if type.element.kind == "float" else lambda v, bits=type.element.bits: wrap(v, bits)
        memref.data = [convert(fill_value(k, i)) for i in range(len(memref.data))]
        arguments.append(memref)
    machine.call(function.name, arguments)
    return [memref.data for memref in arguments]


def bits_of(value, type):
    """An element as the program prints it: its bits as a signed integer of 64 bits."""
    if type.kind != "float":
        return value
    return struct.unpack("<q", struct.pack("<d", value))[0]


def checksum(elements, type):
    total = 0
    for v in elements:
        total = (total * 1000003 + bits_of(v, type)) & ((1 << 64) - 1)
    return total


def name_of(type):
    return type.name if type.kind == "float" else f"i{type.bits}" if type.kind == "int" else "index"


def memref_text(type):
    return f"memref<{''.join(f'{n}x' for n in type.shape)}{name_of(type.element)}>"


class MainWriter:
    """Writes a `main` that calls the given functions."""

    def __init__(self):
        self.lines, self.count = [], 0

    def name(self):
        self.count += 1
        return f"%m{self.count}"

    def line(self, text):
        self.lines.append("    " + text)

    def op(self, text):
        name = self.name()
        self.line(f"{name} = {text}")
        return name

    def const(self, value, type="index"):
        return self.op(f"arith.constant {value} : {type}")

    def loops(self, shape):
        """Opens a loop for each dimension; returns the variables and the row-major position."""
        ids = []
        for n in shape:
            i = self.name()
            self.line(f"scf.for {i} = %zero to {self.const(n)} step %one {{")
            ids.append(i)
        position = "%zero"
        for i, n in zip(ids, shape):
            position = self.op(f"arith.addi {self.op(f'arith.muli {position}, {self.const(n)} : index')}, {i} : index")
        return ids, position

    def fill(self, argument, k, type):
        a, b, modulus, shift = FILLS[k % len(FILLS)]
        ids, position = self.loops(type.shape)
        v = self.op(f"arith.muli {position}, {self.const(a)} : index")
        v = self.op(f"arith.addi {v}, {self.const(b)} : index")
        v = self.op(f"arith.remui {v}, {self.const(modulus)} : index")
        v = self.op(f"arith.subi {v}, {self.const(shift)} : index")
        element = name_of(type.element)
        if type.element.kind == "float":
            v = self.op(f"arith.index_cast {v} : index to i32")
            v = self.op(f"arith.sitofp {v} : i32 to {element}")
        elif element != "index":
            v = self.op(f"arith.index_cast {v} : index to {element}")
        self.line(f"memref.store {v}, {argument}[{', '.join(ids)}] : {memref_text(type)}")
        self.lines.append("    " + "}" * len(type.shape))

    def widen(self, v, type):
        element = name_of(type)
        if type.kind == "float":
            v = v if element == "f64" else self.op(f"arith.extf {v} : {element} to f64")
            return self.op(f"arith.bitcast {v} : f64 to i64")
        if element == "index":
            return self.op(f"arith.index_cast {v} : index to i64")
        return v if element == "i64" else self.op(f"arith.extsi {v} : {element} to i64")

    def dump(self, argument, type):
        """Prints each element."""
        ids, _ = self.loops(type.shape)
        v = self.op(f"memref.load {argument}[{', '.join(ids)}] : {memref_text(type)}")
        self.print("element", self.widen(v, type.element))
        self.lines.append("    " + "}" * len(type.shape))

    def checksum(self, argument, type):
        total, factor = self.name(), self.const(1000003, "i64")
        flat = f"memref<{self.numel(type)}x{name_of(type.element)}>"
        if len(type.shape) != 1:
            groups = ", ".join(str(d) for d in range(len(type.shape)))
            collapse = f"memref.collapse_shape {argument} [[{groups}]] : {memref_text(type)} into {flat}"
            argument = self.op(collapse) if type.shape else argument
        i, acc, start = self.name(), self.name(), self.const(0, "i64")
        count = self.const(self.numel(type))
        self.line(f"{total} = scf.for {i} = %zero to {count} step %one iter_args({acc} = {start}) -> (i64) {{")
        v = self.widen(self.op(f"memref.load {argument}[{i}] : {flat}"), type.element)
        v = self.op(f"arith.addi {self.op(f'arith.muli {acc}, {factor} : i64')}, {v} : i64")
        self.line(f"scf.yield {v} : i64")
        self.lines.append("    }")
        self.print("sum", total)

    def numel(self, type):
        count = 1
        for n in type.shape:
            count *= n
        return count

    def print(self, format, value):
        text = self.op(f"llvm.mlir.addressof @{format} : !llvm.ptr")
        self.op(f"llvm.call @printf({text}, {value}) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64) -> i32")

    def write(self, functions, whole):
        """`main`: calls each function on filled memrefs, and prints their elements or checksums."""
        self.lines = [
            "  llvm.func @printf(!llvm.ptr, ...) -> i32",
            '  llvm.mlir.global internal constant @element("%ld\\0A\\00") {addr_space = 0 : i32}',
            '  llvm.mlir.global internal constant @sum("sum %lu\\0A\\00") {addr_space = 0 : i32}',
            "  func.func @main() -> i32 {",
            "    %zero = arith.constant 0 : index",
            "    %one = arith.constant 1 : index",
        ]
        for function in functions:
            names = []
            for k, type in enumerate(function.types):
                argument = self.op(f"memref.alloc() : {memref_text(type)}")
                self.fill(argument, k, type)
                names.append(argument)
            types = ", ".join(memref_text(t) for t in function.types)
            self.line(f"func.call @{function.name}({', '.join(names)}) : ({types}) -> ()")
            for argument, type in zip(names, function.types):
                self.dump(argument, type) if whole else self.checksum(argument, type)
            for argument, type in zip(names, function.types):
                self.line(f"memref.dealloc {argument} : {memref_text(type)}")
        self.line("%status = arith.constant 0 : i32")
        self.line("return %status : i32")
        self.lines.append("  }")
        return "\n".join(self.lines) + "\n"


class Failure(Exception):
    pass


def generic_form(aircc, path):
    """The text of a file in MLIR's generic form."""
    command = [aircc, "opt", path, "--mlir-print-op-generic", "--allow-unregistered-dialect"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise Failure(f"aircc opt ends with {done.returncode}: {done.stderr[:1000]}")
    return done.stdout


def with_main(text, main):
    """The text of a module with `main` added, with or without `module {`."""
    if "module {" in text or "module attributes" in text:
        end = text.rstrip().rindex("}")
        return text[:end] + main + "}\n"
    return text + main


def compile_program(aircc, path, target, exe, options=()):
    command = [aircc, path, "--target", target, "-o", exe, *options]
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=300)
    except subprocess.TimeoutExpired:
        raise Failure(f"compiling for {target} does not end")


def run_program(exe, order, check=None, limit=120):
    """The lines that the program prints. `check`: whether a race is a failure; None: the environment decides."""
    environment = dict(os.environ, AIRCC_SIM_SEED=str(order))
    if check is not None:
        environment["AIRCC_SIM_CHECK"] = "races=error" if check else "0"
    try:
        done = subprocess.run([exe], capture_output=True, text=True, timeout=limit, env=environment)
    except subprocess.TimeoutExpired:
        raise Failure("the program does not end")
    if done.returncode:
        raise Failure(f"the program ends with {done.returncode}: {done.stderr.strip()[:1500]}")
    return done.stdout.split("\n")[:-1]


def decode(bits, type):
    if type.kind != "float":
        return bits
    return struct.unpack("<d", struct.pack("<q", bits))[0]


def same(got, want, type, tolerance):
    if type.kind != "float" or tolerance == 0:
        return got == want or (got != got and want != want)
    return abs(got - want) <= tolerance * max(1.0, abs(want))


def compare(lines, functions, results, tolerance=0):
    """Compares printed elements with the interpreter's; returns messages."""
    problems, at = [], 0
    for function, elements in zip(functions, results):
        for k, (type, wanted) in enumerate(zip(function.types, elements)):
            for i, want in enumerate(wanted):
                got = decode(int(lines[at]), type.element)
                at += 1
                if not same(got, want, type.element, tolerance):
                    problems.append(f"@{function.name}: element {i} of argument {k} is {got}, expected {want}")
                    at += len(wanted) - i - 1
                    break
    return problems
