"""Counts the instructions that the inner loop of a matmul kernel issues, from its assembly.

The inner loop is the loop (a label and the branch back to it, without another
such pair between) with the most matrix instructions. A matrix instruction counts
with its passes of four cycles each; every other instruction counts with one issue
slot of four cycles, as if nothing ran in parallel; s_nop with as many as it specifies.
The share of the matrix instructions is therefore a lower bound for this
instruction mix; waits are ignored.
"""

import re

# Passes of dense matrix instructions, from LLVM's scheduling models: the number of
# multiply-adds in one pass of a chip. (m, n, k and blocks give the multiply-adds.)
# f32 and f64 have the same rate on all chips.
RATES = {
    "gfx90a": {"f16": 512, "bf16": 512, "bf16_1k": 512, "i8": 512, "f32": 128, "f64": 128},
    "gfx942": {"f16": 1024, "bf16": 1024, "i8": 2048, "fp8": 2048, "bf8": 2048, "f32": 128, "xf32": 512, "f64": 128},
    "gfx950": {"f16": 2048, "bf16": 2048, "i8": 4096, "fp8": 2048, "bf8": 2048, "f32": 128, "f64": 128},
}

MFMA = re.compile(r"v_mfma_[a-z]*\d+_(\d+)x(\d+)x(\d+)(?:_(\d+)b)?_?((?:[a-z]+[0-9]*)(?:_1k)?)")


def matrix_cycles(opcode, chip):
    match = MFMA.match(opcode)
    m, n, k, blocks = (int(x or 1) for x in match.groups()[:4])
    rate = RATES[chip][match.group(5)]
    # The instructions of gfx942 keep their rate on gfx950.
    if chip == "gfx950" and m * n * k * (1 if blocks == 1 else blocks) * 1 < 8192 and match.group(5) in ("f16", "bf16"):
        rate = RATES["gfx942"][match.group(5)]
    return max(1, m * n * k * blocks // rate) * 4


def instructions(text):
    """Returns the labels ("name:") and instructions of the kernel, in order."""
    result = []
    for line in text.splitlines():
        line = line.split(";")[0].strip()
        if re.fullmatch(r"[.\w$]+:", line):
            result.append(line)
        elif line and not line.startswith("."):
            result.append(line)
    return result


def inner_loop(text):
    code = instructions(text)
    place = {line[:-1]: i for i, line in enumerate(code) if line.endswith(":")}
    best = []
    for i, line in enumerate(code):
        match = re.match(r"s_c?branch\w*\s+([.\w$]+)", line)
        if not match or place.get(match.group(1), i + 1) > i:
            continue
        body = [x for x in code[place[match.group(1)] : i + 1] if not x.endswith(":")]
        count = sum("mfma" in x for x in body)
        if count > sum("mfma" in x for x in best) or (
            count and count == sum("mfma" in x for x in best) and len(body) < len(best)
        ):
            best = body
    return best


def summary(text, chip):
    """Returns (share of matrix cycles, matrix cycles, other cycles, instructions by class)."""
    matrix = other = 0
    classes = {}
    for line in inner_loop(text):
        opcode = line.split()[0]
        if "mfma" in opcode:
            matrix += matrix_cycles(opcode, chip)
        elif opcode == "s_nop":
            other += 4 * (int(line.split()[1], 0) + 1)
        else:
            other += 4
        kind = (
            "matrix"
            if "mfma" in opcode
            else "LDS"
            if opcode.startswith("ds_")
            else "memory"
            if opcode.startswith(("global_", "buffer_", "flat_"))
            else "scratch"
            if opcode.startswith("scratch_")
            else "vector"
            if opcode.startswith("v_")
            else "wait"
            if opcode.startswith(("s_waitcnt", "s_nop", "s_barrier"))
            else "scalar"
        )
        classes[kind] = classes.get(kind, 0) + 1
    total = matrix + other
    return (matrix / total if total else 0.0, matrix, other, classes)


if __name__ == "__main__":
    import sys

    share, matrix, other, classes = summary(open(sys.argv[1]).read(), sys.argv[2])
    print(f"{share:.1%} of {matrix + other} cycles", classes)
