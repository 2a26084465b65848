"""Prints the main loops of products and attention on Intel GPUs, in the native code of Intel's offline compiler.

    ./run bench xe [--only PATTERN]...                 all, or those whose names contain a pattern
    bench/xe_bench.py --aircc FILE [PATTERN...]        the same with another aircc

Requires `ocloc` on PATH (package intel-ocloc). Names are those of kernel_bench.py, such as "bmg bf16 nt". The main loop
is the innermost loop with the most dpas. The first column is the share of dpas among its instructions; the next columns
count its instructions by kind.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import code_object
import function_timing
import kernel_bench

TARGETS = ("bmg", "pvc")
TYPES = (("bf16", "f32"), ("f16", "f32"), ("i8", "i32"))
FORMS = ("nn", "nt", "tn", "tt")
# An instruction: its predicate, its opcode, and the rest of the line.
INSTRUCTION = re.compile(r"(?P<predicate>\([^)]*\))?\s+(?P<opcode>[a-z]\w*(?:\.[\w.]+)?)\s*(?P<rest>.*)")
JUMPS = {"jmpi", "while", "goto"}


@dataclass
class Kernel:
    name: str
    registers: int
    spills: int  # Bytes per thread.
    scratch: int  # Bytes per thread, including spills.
    code: list = field(default_factory=list)  # (label or None, opcode, rest of the line)

    def find_loop(self):
        """Returns the opcodes of the innermost loop with the most dpas, or an empty list if there is no loop."""
        places = {label: i for i, (label, _, _) in enumerate(self.code) if label}
        loops = []
        for end, (_, opcode, rest) in enumerate(self.code):
            target = rest.split()[-1] if opcode in JUMPS and rest else None
            if target in places and places[target] <= end:
                loops.append((places[target], end))
        bodies = [
            [opcode for _, opcode, _ in self.code[begin : end + 1]] for begin, end in code_object.innermost(loops)
        ]
        return max(bodies, key=lambda body: sum(map(is_matrix, body)), default=[])


def is_matrix(opcode):
    return opcode.startswith("dpas")


def run(*command):
    process = subprocess.run(command, capture_output=True, text=True)
    if process.returncode:
        sys.exit(f"bench: {' '.join(command)} failed:\n{process.stdout}{process.stderr}")


def read_code(path):
    """Returns the instructions of a disassembled kernel, up to the end of its thread."""
    code, label = [], None
    with open(path) as file:
        for line in file:
            line = line.split("//")[0].rstrip()
            if re.fullmatch(r"L\d+:", line):
                label = line[:-1]
                continue
            match = INSTRUCTION.match(line)
            if not match or match["opcode"] == "illegal":
                continue
            rest = re.sub(r"\{[^}]*\}$", "", match["rest"]).strip()
            code.append((label, match["opcode"], rest))
            label = None
            if "EOT" in line:
                break
    return code


def read_kernels(path, chip, folder):
    """Returns the kernels of a native binary, in order."""
    run("ocloc", "disasm", "-file", path, "-device", chip, "-dump", folder)
    kernels = []
    with open(f"{folder}/.ze_info") as file:
        text = file.read().partition("kernels:")[2].partition("kernels_misc_info:")[0]
    for part in re.split(r"^  - name: +", text, flags=re.MULTILINE)[1:]:
        number = lambda key: int((re.search(rf"^ +{key}: +(\d+)", part, re.MULTILINE) or [0, 0])[1])
        name = part.splitlines()[0].strip()
        scratch = sum(int(size) for size in re.findall(r"type: +scratch\b.*?size: +(\d+)", part, re.DOTALL))
        kernels.append(
            Kernel(
                name,
                number("grf_count"),
                number("spill_size"),
                scratch or number("private_size"),
                read_code(f"{folder}/.text.{name}.asm"),
            )
        )
    return kernels


def cases(patterns):
    """Returns the name, target and text of each function."""
    result = []
    for target in TARGETS:
        for operand, accumulator in TYPES:
            for form in FORMS:
                text = kernel_bench.program(operand, accumulator, form)
                result.append((f"{target} {operand} {form}", target, text))
        for name, causal in (("attention", False), ("causal", True)):
            result.append((f"{target} bf16 {name}", target, kernel_bench.attention("bf16", causal)))
    return [case for case in result if not patterns or any(pattern in case[0] for pattern in patterns)]


def compile_case(aircc, case, flags):
    name, target, text = case
    chip = function_timing.read_profile(aircc, target)["chip"]
    with tempfile.TemporaryDirectory() as folder:
        source, image = f"{folder}/f.mlir", f"{folder}/f.zebin"
        with open(source, "w") as file:
            file.write(text)
        function_timing.run(aircc, source, "--target", target, *flags, "--emit=zebin", "-o", image)
        return name, read_kernels(image, chip, f"{folder}/dump")


def format_kernel(name, kernel):
    loop = kernel.find_loop()
    matrix = sum(map(is_matrix, loop))
    count = Counter(opcode.split(".")[0] for opcode in loop)
    sends = sum(number for opcode, number in count.items() if opcode.startswith("send"))
    moves = count["mov"]
    share = f"{matrix / len(loop):.1%}" if loop else "-"
    rest = len(loop) - matrix - sends - moves
    return (
        f"  {name:<28} {share:>7} {matrix:6} {sends:6} {moves:6} {rest:6}"
        f" {kernel.registers:9} {kernel.spills:7} {kernel.scratch:8}"
    )


def bench_xe(aircc, patterns=(), flags=()):
    if not shutil.which("ocloc"):
        sys.exit("bench: 'ocloc' is not on PATH (package intel-ocloc)")
    print("\nMain loops in native code for Intel GPUs: share of dpas, and numbers of instructions")
    print(
        f"  {'kernel':<28} {'share':>7} {'dpas':>6} {'sends':>6} {'moves':>6} {'other':>6} registers  spills  scratch"
    )
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for name, kernels in pool.map(lambda case: compile_case(aircc, case, flags), cases(patterns)):
            for index, kernel in enumerate(kernels):
                label = name if len(kernels) == 1 else f"{name} [{index}]"
                print(format_kernel(label, kernel), flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--aircc", required=True)
    parser.add_argument("--flag", action="append", default=[], help="a flag for the compiler")
    parser.add_argument("patterns", nargs="*")
    options = parser.parse_args()
    bench_xe(options.aircc, options.patterns, options.flag)
