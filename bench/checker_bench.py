"""Measures what the simulator's checker costs: the ratio of checked to plain time for
each kernel, within one run."""

import os
import re
import subprocess
import sys
import tempfile

from sim_bench import HERE, code_object, run

SQUARE = "memref:f32:256x256"
HALVES = "memref:f16:256x64:random"

# Each program of samples/ or bench/, its arguments, and its grid.
PROGRAMS = {
    "vector_add": (["memref:f32:1048576:1"] * 2 + ["memref:f32:1048576"], "1024"),
    "reduction": (["memref:i32:4194304:1", "memref:i32:1:0"], "512"),
    "softmax": (["memref:f32:64x384:random", "memref:f32:64x384"], "16"),
    "attention": (["memref:f16:64x64:random", HALVES, HALVES, "memref:f32:64x64"], "1"),
    "matmul": ([SQUARE + ":1", SQUARE + ":1", SQUARE], "4,4"),
    "matmul_f16": (["memref:f16:4096x4096:1"] * 2 + ["memref:f32:4096x4096"], "1"),
}
CHIPS = ["gfx942", "gfx1100"]
MFMA = ["f16:512x512:1", "f16:512x512:1", "f32:512x512", "i32=512", "i32=512"]


def kernel_seconds(command, check):
    """Returns the seconds of the kernel alone, and how many instructions it executed."""
    env = {name: value for name, value in os.environ.items() if name != "AIRCC_SIM_CHECK"}
    if check:
        env["AIRCC_SIM_CHECK"] = check
    done = subprocess.run(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    found = re.search(r"(\d+) instructions of waves in ([0-9.]+) s", done.stdout)
    if not found:
        sys.exit(f"bench: {' '.join(command)} failed:\n{done.stdout}")
    return float(found[2]), int(found[1])


def show_ratio(name, command, rounds):
    # Alternately, so that other load affects both.
    runs = [(kernel_seconds(command, None), kernel_seconds(command, "all")) for _ in range(rounds)]
    plain, checked = (min(run[which][0] for run in runs) for which in (0, 1))
    count = runs[0][0][1]
    print(
        f"  {name:<20} {plain / count * 1e9:7.0f} ns an instruction,"
        f" checked {checked / count * 1e9:7.0f} ns: {checked / plain:5.2f}x"
    )


def bench_checker(aircc, rounds):
    print("\nThe checker (AIRCC_SIM_CHECK=all) against plain simulation, on one thread")
    with tempfile.TemporaryDirectory() as out:
        for name, (arguments, grid) in PROGRAMS.items():
            folder = HERE if os.path.exists(f"{HERE}/{name}.mlir") else f"{HERE}/../samples"
            for chip in CHIPS:
                hsaco = f"{out}/{name}.{chip}.hsaco"
                run([aircc, f"{folder}/{name}.mlir", "--target", chip, "--emit=hsaco", "-o", hsaco])
                block = re.search(r"workgroups of ([\dx]+) lanes", run([aircc, "sim", hsaco, "--list"]))[1]
                block = block.replace("x", ",")
                command = [aircc, "sim", hsaco, "--grid", grid, "--block", block, "--threads", "1", "--host-time"]
                command += [word for argument in arguments for word in ("--arg", argument)]
                show_ratio(f"{name} {chip}", command, rounds)
        with open(f"{HERE}/sim/mfma_matmul.ll") as file:
            mfma = code_object(out, "mfma", file.read(), "gfx942")
        command = [aircc, "sim", mfma, "--grid", "16,16", "--block", "64", "--threads", "1", "--host-time"]
        command += [word for argument in MFMA for word in ("--arg", argument)]
        show_ratio("mfma_matmul gfx942", command, rounds)
