"""Compares the speed of two builds of the simulated device.

    ./run bench sim-compare --baseline FOLDER

FOLDER contains the other libaircc_sim.so. The two plug-ins alternately run the same
code objects. A figure is the median CPU time, minus that of a launch of one workgroup
(start-up, filling the buffers).
"""

import os
import resource
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))


def build(aircc, source, chip, path):
    done = subprocess.run(
        [aircc, source, "--target", chip, "--emit=hsaco", "-o", path],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    if done.returncode != 0:
        sys.exit(f"bench: {source} for {chip} does not compile:\n{done.stderr}")


def cpu(command, plugin):
    """Returns the CPU seconds that a run takes with the plug-in in a folder."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=dict(os.environ, AIRCC_RUNTIME_PATH=plugin),
    )
    if done.returncode != 0:
        sys.exit(f"bench: {' '.join(command)} failed:\n{done.stderr}")
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def kernels(aircc, out):
    """Yields name, code object, block, grid and arguments."""
    with open(f"{HERE}/matmul_f16.mlir") as file:
        text = file.read().replace("4096", "1024")
    gemm = f"{out}/gemm.mlir"
    with open(gemm, "w") as file:
        file.write(text)
    samples = f"{HERE}/../samples"

    def gemm_args(contents):
        return [f"memref:f16:1024x1024:{contents}"] * 2 + ["memref:f32:1024x1024"]

    lds = ["memref:f32:512x512:random"] * 2 + ["memref:f32:512x512"]
    rows = ["memref:f32:4096x384:random", "memref:f32:4096x384"]
    attention = ["memref:f16:64x64:random", "memref:f16:256x64:random", "memref:f16:256x64:random", "memref:f32:64x64"]
    for chip in ("gfx942", "gfx950", "gfx1100"):
        wide = chip.startswith("gfx9")
        for name, source, block, grid, args in (
            ("f16 matmul, random", gemm, 256 if wide else 128, "16,16", gemm_args("random")),
            ("f16 matmul, ones", gemm, 256 if wide else 128, "16,16", gemm_args("1")),
            ("f32 matmul through LDS", f"{samples}/matmul.mlir", 256 if wide else 128, "8,8", lds),
            ("softmax", f"{samples}/softmax.mlir", 256 if wide else 128, "1024", rows),
            ("attention", f"{samples}/attention.mlir", 256, "64", attention),
        ):
            path = f"{out}/{os.path.basename(source)}-{chip}.hsaco"
            if not os.path.exists(path):
                build(aircc, source, chip, path)
            yield f"{chip} {name}", path, block, grid, args


def bench_sim_compare(aircc, rounds, baseline):
    if not baseline:
        sys.exit("bench: sim-compare requires --baseline FOLDER, which contains another libaircc_sim.so")
    plugins = [os.path.abspath(baseline), os.path.join(os.path.dirname(os.path.dirname(aircc)), "lib")]
    print(f"\nThe simulated device: CPU time on one thread, compared with {plugins[0]}")
    with tempfile.TemporaryDirectory() as out:
        for name, path, block, grid, args in kernels(aircc, out):
            sim = [aircc, "sim", path, "--block", str(block), "--threads", "1"]
            for arg in args:
                sim += ["--arg", arg]
            whole, empty = [[], []], [[], []]
            for _ in range(rounds):
                for side in (0, 1):
                    whole[side].append(cpu(sim + ["--grid", grid], plugins[side]))
                    empty[side].append(cpu(sim + ["--grid", "1"], plugins[side]))
            old, new = (max(statistics.median(whole[s]) - statistics.median(empty[s]), 1e-4) for s in (0, 1))
            print(f"  {name:<34} {old:7.3f} s -> {new:7.3f} s  {old / new:5.2f}x as fast", flush=True)
