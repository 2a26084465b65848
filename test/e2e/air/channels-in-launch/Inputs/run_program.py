#!/usr/bin/env python3
"""Runs programs on simulated devices and compares them with models.

    run_program.py --aircc BINARY PROGRAMS.mlir [--target NAME]... [--option OPTION]... [--work DIR]

Lines `// -----` separate the programs of a file. Each has a function @test. Comments
specify its arguments, in order, and a model in Python of what it computes:

    // ARG a: 128xi32          a buffer with numbers that depend on the position
    // ARG n: index = 4        a scalar
    // MODEL for i in range(128): b[i] = a[i] + 1

In the model, buffers are lists of numbers in row-major order. All buffers are
compared after the call. Values are small integers, which all types represent
exactly. The checker of the simulated device is on, and each of its reports is a failure.
`// CHECKS TARGET: KINDS` selects the kinds of checks on a target.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile


class Argument:
    def __init__(self, name, text):
        self.name = name
        kind, _, value = (part.strip() for part in text.partition("="))
        self.scalar = int(value) if value else None
        self.dynamic = kind.startswith("?")
        *shape, self.element = [kind] if value else kind.lstrip("?").split("x")
        self.shape = [int(extent) for extent in shape]

    @property
    def count(self):
        total = 1
        for extent in self.shape:
            total *= extent
        return total

    @property
    def flat(self):
        return f"memref<{self.count}x{self.element}>"

    def type(self):
        if self.scalar is not None:
            return self.element
        shape = ["?" if self.dynamic else str(extent) for extent in self.shape]
        return f"memref<{'x'.join(shape + [self.element])}>"

    def values(self):
        """What the buffer contains before the call."""
        seed = sum(map(ord, self.name)) % 11
        return [(i * 7 + i // 5 + seed) % 13 - 4 for i in range(self.count)]


def read_program(path):
    text = open(path).read()
    arguments = [Argument(*match) for match in re.findall(r"^// ARG (\w+): (.*)$", text, re.M)]
    model = "\n".join(re.findall(r"^// MODEL ?(.*)$", text, re.M))
    return text, arguments, model


def expected(arguments, model):
    buffers = {}
    for argument in arguments:
        buffers[argument.name] = argument.values() if argument.scalar is None else argument.scalar
    exec(model, buffers)
    return {argument.name: buffers[argument.name] for argument in arguments if argument.scalar is None}


def fill(argument):
    """Host code that allocates and fills a buffer."""
    name, flat, element = argument.name, argument.flat, argument.element
    strides, step = [], 1
    for extent in reversed(argument.shape):
        strides.insert(0, step)
        step *= extent
    static = f"memref<{'x'.join([str(extent) for extent in argument.shape] + [element])}>"
    cast = f"%{name} = memref.cast %{name}_s : {static} to {argument.type()}" if argument.dynamic else ""
    last = f"%{name}" if argument.dynamic else f"%{name}_s"
    seed = sum(map(ord, argument.name)) % 11
    convert = {"f": "arith.sitofp %{0}_6 : i64 to {1}", "b": "arith.sitofp %{0}_6 : i64 to {1}"}.get(
        element[0], "arith.trunci %{0}_6 : i64 to {1}"
    )
    if element == "i64":
        convert = "arith.addi %{0}_6, %zero_i64 : {1}"
    return (
        last,
        f"""
  %{name}_h = memref.alloc() : {flat}
  %{name}_n = arith.constant {argument.count} : index
  scf.for %i = %c0 to %{name}_n step %c1 {{
    %{name}_1 = arith.muli %i, %c7 : index
    %{name}_2 = arith.divui %i, %c5 : index
    %{name}_3 = arith.addi %{name}_1, %{name}_2 : index
    %seed = arith.constant {seed} : index
    %{name}_4 = arith.addi %{name}_3, %seed : index
    %{name}_m = arith.remui %{name}_4, %c13 : index
    %{name}_5 = arith.subi %{name}_m, %c4 : index
    %{name}_6 = arith.index_cast %{name}_5 : index to i64
    %v = {convert.format(name, element)}
    memref.store %v, %{name}_h[%i] : {flat}
  }}
  %{name}_d = gpu.alloc () : {flat}
  gpu.memcpy %{name}_d, %{name}_h : {flat}, {flat}
  %{name}_s = memref.reinterpret_cast %{name}_d to offset: [0], sizes: {argument.shape}, strides: {strides}
    : {flat} to {static}
  {cast}
""",
    )


def show(argument):
    """Host code that prints a buffer."""
    name, flat, element = argument.name, argument.flat, argument.element
    if element[0] in "fb":
        convert = f"arith.fptosi %v : {element} to i64"
    elif element == "i64":
        convert = "arith.addi %v, %zero_i64 : i64"
    else:
        convert = f"arith.extsi %v : {element} to i64"
    return f"""
  gpu.memcpy %{name}_h, %{name}_d : {flat}, {flat}
  scf.for %i = %c0 to %{name}_n step %c1 {{
    %v = memref.load %{name}_h[%i] : {flat}
    %w = {convert}
    %text = llvm.mlir.addressof @number : !llvm.ptr
    llvm.call @printf(%text, %w) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64) -> i32
  }}
"""


def make_main(arguments):
    body, operands, types = "", [], []
    for argument in arguments:
        types.append(argument.type())
        if argument.scalar is not None:
            body += f"  %{argument.name} = arith.constant {argument.scalar} : {argument.element}\n"
            operands.append(f"%{argument.name}")
            continue
        operand, code = fill(argument)
        operands.append(operand)
        body += code
    body += f"  func.call @test({', '.join(operands)}) : ({', '.join(types)}) -> ()\n"
    for argument in arguments:
        if argument.scalar is None:
            body += show(argument)
    constants = "".join(f"  %c{n} = arith.constant {n} : index\n" for n in (0, 1, 4, 5, 7, 13))
    return f"""
llvm.func @printf(!llvm.ptr, ...) -> i32
llvm.mlir.global internal constant @number("%ld\\0A\\00") {{addr_space = 0 : i32}}
func.func @main() -> i32 {{
{constants}  %zero_i64 = arith.constant 0 : i64
{body}
  %status = arith.constant 0 : i32
  return %status : i32
}}
"""


def check_output(arguments, wanted, output):
    numbers = [int(line) for line in output.split()]
    for argument in arguments:
        if argument.scalar is not None:
            continue
        got, numbers = numbers[: argument.count], numbers[argument.count :]
        if got == wanted[argument.name]:
            continue
        wrong = [i for i in range(argument.count) if i >= len(got) or got[i] != wanted[argument.name][i]]
        i = wrong[0]
        value = got[i] if i < len(got) else "missing"
        return f"{argument.name}[{i}] is {value}, not {wanted[argument.name][i]}; {len(wrong)} differ"
    return None


def run(aircc, program, target, options, work):
    text, arguments, model = read_program(program)
    source = os.path.join(work, os.path.basename(program))
    with open(source, "w") as file:
        file.write(text + make_main(arguments))
    binary = os.path.join(work, f"program.{target}")
    built = subprocess.run(
        [aircc, source, "--target", target, "-o", binary, *options], capture_output=True, text=True, timeout=300
    )
    if built.returncode:
        return "does not compile:\n" + built.stderr
    kinds = re.search(rf"^// CHECKS {target}: (\S+)$", text, re.M)
    env = dict(os.environ, AIRCC_SIM_CHECK=kinds[1] if kinds else "1", AIRCC_DEVICE="sim")
    done = subprocess.run([binary], capture_output=True, text=True, timeout=300, env=env)
    if done.returncode:
        return f"ends with {done.returncode}:\n" + done.stderr
    if done.stderr.strip():
        return "has reports of the checker:\n" + done.stderr
    return check_output(arguments, expected(arguments, model), done.stdout)


def split(path, work):
    """The programs of a file, each in a file."""
    with open(path) as file:
        parts = re.split(r"^// -----$", file.read(), flags=re.M)
    if len(parts) == 1:
        return [path]
    name = os.path.splitext(os.path.basename(path))[0]
    folder = os.path.join(work, "parts")
    os.makedirs(folder, exist_ok=True)
    programs = []
    line = 1
    for part in parts:
        programs.append(os.path.join(folder, f"{name}-line-{line}.mlir"))
        with open(programs[-1], "w") as file:
            file.write(part)
        line += part.count("\n")
    return programs


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--aircc", required=True)
    parser.add_argument("--target", action="append", default=[])
    parser.add_argument("--option", action="append", default=[])
    parser.add_argument("--work")
    parser.add_argument("program")
    arguments = parser.parse_args()
    failures = 0
    with tempfile.TemporaryDirectory() as temporary:
        work = arguments.work or temporary
        for program in split(arguments.program, work):
            for target in arguments.target or ["gfx942", "gfx1100", "bmg"]:
                problem = run(arguments.aircc, program, target, arguments.option, work)
                print(f"{os.path.basename(program)}: {target}: {problem or 'PASS'}")
                failures += problem is not None
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
