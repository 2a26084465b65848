"""Measures the run time of aircc, as ratios within one run.

    ./run bench                all
    ./run bench compile        one of: version hsaco compile matmul sim checker
    ./run bench sim-compare --baseline FOLDER    beside another simulator

Every number is the median of several runs of a whole process. The variants run
alternately, so that other load affects all of them. Absolute times are only for
orientation; the ratios can be compared between machines.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

from checker_bench import bench_checker
from sim_bench import bench_sim
from sim_compare import bench_sim_compare

HERE = os.path.dirname(os.path.abspath(__file__))
LLVM_BIN = "/usr/lib/llvm-22/bin"


def seconds(command, stdin=None):
    """Runs one process and returns its wall time. Exits if it fails."""
    start = time.perf_counter()
    done = subprocess.run(command, input=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    elapsed = time.perf_counter() - start
    if done.returncode != 0:
        sys.exit(f"bench: {' '.join(command)} failed:\n{done.stderr.decode()}")
    return elapsed, done.stdout


def medians(variants, rounds):
    """variants: name -> function that runs the variant once and returns seconds."""
    times = {name: [] for name in variants}
    for run in variants.values():
        run()  # not counted: fills the page cache
    for _ in range(rounds):
        for name, run in variants.items():
            times[name].append(run())
    return {name: statistics.median(values) for name, values in times.items()}


def show(title, rows):
    print(f"\n{title}")
    width = max(len(name) for name, _, _ in rows)
    for name, value, note in rows:
        print(f"  {name:<{width}}  {value * 1000:8.1f} ms  {note}")


def bench_version(aircc, rounds):
    result = medians(
        {
            "aircc --version": lambda: seconds([aircc, "--version"])[0],
            "mlir-opt --version": lambda: seconds([f"{LLVM_BIN}/mlir-opt", "--version"])[0],
        },
        rounds,
    )
    ours, theirs = result["aircc --version"], result["mlir-opt --version"]
    show(
        "Start-up",
        [
            ("aircc --version", ours, f"{ours / theirs:.2f}x of mlir-opt"),
            ("mlir-opt --version", theirs, ""),
        ],
    )


def rocm_folder(root):
    """Creates a folder that gpu-module-to-binary accepts as ROCm."""
    os.makedirs(f"{root}/llvm/bin")
    os.symlink(f"{LLVM_BIN}/ld.lld", f"{root}/llvm/bin/ld.lld")
    os.symlink("/usr/lib/x86_64-linux-gnu/amdgcn", f"{root}/amdgcn")
    return root


# The chain of processes that one aircc process replaces: for the device, AIR
# dialect, outlining, lowering, and GPU code; for the host, translation,
# optimization, object, and the compiler as linker. It has the same output as
# aircc: an executable with embedded GPU code, at -O2.
def chain(aircc, source, flags, rocm, out):
    mlir = [
        "builtin.module(gpu-kernel-outlining)",
        "builtin.module(lower-affine,convert-linalg-to-loops,"
        "gpu.module(expand-strided-metadata,lower-affine),convert-scf-to-cf)",
        "builtin.module(rocdl-attach-target{chip=gfx942 O=2},"
        "gpu.module(convert-gpu-to-rocdl{chipset=gfx942 runtime=HIP},"
        "reconcile-unrealized-casts),"
        f"gpu-module-to-binary{{toolkit={rocm}}},func.func(gpu-async-region),"
        "expand-strided-metadata,lower-affine,gpu-to-llvm,convert-to-llvm,"
        "reconcile-unrealized-casts)",
    ]
    lib = os.path.join(os.path.dirname(os.path.dirname(aircc)), "lib")
    commands = [
        [aircc, source, "--target", "gfx942", *flags, "--emit=distributed", "-o", "-"],
        # mlir-opt does not have the kernel dialect.
        [aircc, "opt", "--pass-pipeline=builtin.module(gpu.module(codegen-lower-kernel-ops{backend=rocdl}))"],
        *([f"{LLVM_BIN}/mlir-opt", f"--pass-pipeline={passes}"] for passes in mlir),
        [f"{LLVM_BIN}/mlir-translate", "--mlir-to-llvmir"],
        [f"{LLVM_BIN}/opt", "-O2", "-mtriple=x86_64-unknown-linux-gnu"],
        [f"{LLVM_BIN}/llc", "-O2", "-filetype=obj", "-relocation-model=pic", "-o", f"{out}/chain.o"],
        [
            "cc",
            "-o",
            f"{out}/chain",
            f"{out}/chain.o",
            f"{lib}/libaircc_runtime.a",
            f"-Wl,-rpath,{lib}",
            "-lstdc++",
            "-ldl",
            "-lpthread",
            "-lm",
        ],
    ]
    total, text = 0, None
    for command in commands:
        elapsed, text = seconds(command, stdin=text)
        total += elapsed
    return total


# Each program, and the flags that it needs.
MATMULS = {
    "waves": ("matmul4096.mlir", []),
    "lanes": ("matmul4096_lanes.mlir", ["--stage-option", "hierarchy.pe=lane"]),
}


def bench_compile(aircc, rounds):
    for form, (name, flags) in MATMULS.items():
        source = f"{HERE}/{name}"
        command = [aircc, source, "--target", "gfx942", *flags]
        with tempfile.TemporaryDirectory() as out:
            rocm = rocm_folder(f"{out}/rocm")
            result = medians(
                {
                    "exe": lambda: seconds(command + ["-o", f"{out}/matmul"])[0],
                    "host-obj": lambda: seconds(command + ["-c", "-o", f"{out}/matmul.o"])[0],
                    "chain": lambda: chain(aircc, source, flags, rocm, out),
                },
                rounds,
            )
        whole = result["chain"]
        show(
            f"Compiling the 4096x4096 matmul, herds of {form}, for gfx942",
            [
                ("aircc, to an executable", result["exe"], f"{result['exe'] / whole:.2f}x of the chain"),
                ("aircc -c, to an object", result["host-obj"], f"{result['host-obj'] / whole:.2f}x of the chain"),
                ("separate tools, to an executable", whole, ""),
            ],
        )


def bench_hsaco(aircc, rounds):
    with tempfile.TemporaryDirectory() as out:
        command = [aircc, f"{HERE}/trivial.mlir", "--target", "gfx942"]
        result = medians(
            {
                "hsaco": lambda: seconds(command + ["--emit=hsaco", "-o", f"{out}/k.hsaco"])[0],
                "version": lambda: seconds([aircc, "--version"])[0],
            },
            rounds,
        )
    hsaco, version = result["hsaco"], result["version"]
    show(
        "A trivial kernel to hsaco",
        [
            ("aircc --emit=hsaco", hsaco, f"{hsaco / version:.2f}x of aircc --version"),
            ("aircc --version", version, ""),
        ],
    )


# Chip, type of A and B, type of C.
INNER_LOOPS = [
    ("gfx90a", "f16", "f32"),
    ("gfx942", "f16", "f32"),
    ("gfx942", "bf16", "f32"),
    ("gfx942", "f8E4M3FNUZ", "f32"),
    ("gfx942", "i8", "i32"),
    ("gfx942", "f32", "f32"),
    ("gfx942", "f64", "f64"),
    ("gfx950", "f16", "f32"),
    ("gfx950", "bf16", "f32"),
    ("gfx950", "f8E4M3FN", "f32"),
    ("gfx950", "i8", "i32"),
]


def bench_matmul(aircc, rounds):
    """Prints, for the inner loops of 4096x4096 matmuls whose tiles the compiler chooses,
    the share of matrix instructions among the issued ones, and the compile time."""
    sys.path.insert(0, HERE)
    import inner_loop

    text = open(f"{HERE}/matmul_f16.mlir").read()
    rows = []
    with tempfile.TemporaryDirectory() as out:
        for chip, operand, result in INNER_LOOPS:
            source, asm = f"{out}/m.mlir", f"{out}/m.s"
            with open(source, "w") as f:
                zero = "0" if result == "i32" else "0.0"
                f.write(
                    text.replace("f32", result)
                    .replace("xf16", f"x{operand}")
                    .replace("constant 0.0", f"constant {zero}")
                )
            elapsed = min(
                seconds([aircc, source, "--target", chip, "--emit=hsaco", "-o", f"{out}/m.hsaco"])[0]
                for _ in range(max(1, rounds // 3))
            )
            seconds([aircc, source, "--target", chip, "--emit=asm", "-o", asm])
            code = open(asm).read()
            share, matrix, other, classes = inner_loop.summary(code, chip)
            spills = "" if ".private_segment_fixed_size: 0" in code else ", scratch"
            rows.append(
                (f"{chip} {operand}", elapsed, f"{share:.1%} matrix instructions of {matrix + other} cycles{spills}")
            )
    show("4096x4096 matmuls: compile time to hsaco, inner loop", rows)


def bench_cache(aircc, rounds):
    """Prints the time of a compile whose result is in the cache, as a multiple of an empty mlir-opt."""
    with tempfile.TemporaryDirectory() as out:
        os.environ["AIRCC_CACHE_DIR"] = f"{out}/cache"
        command = [aircc, f"{HERE}/matmul4096.mlir", "--target", "gfx942", "--emit=hsaco", "-o", f"{out}/m.hsaco"]
        result = medians(
            {
                "hit": lambda: seconds([*command, "--cache=on"])[0],
                "off": lambda: seconds([*command, "--cache=off"])[0],
                "mlir-opt": lambda: seconds([f"{LLVM_BIN}/mlir-opt", "-"], b"module {}")[0],
            },
            rounds,
        )
    show(
        "cache: the 4096x4096 f32 matmul to hsaco",
        [
            ("hit", result["hit"], f"{result['hit'] / result['mlir-opt']:.2f}x of an empty mlir-opt"),
            ("--cache=off", result["off"], f"{result['off'] / result['mlir-opt']:.2f}x of an empty mlir-opt"),
        ],
    )


BENCHES = {
    "matmul": bench_matmul,
    "cache": bench_cache,
    "version": bench_version,
    "hsaco": bench_hsaco,
    "compile": bench_compile,
    "sim": bench_sim,
    "checker": bench_checker,
}


def main():
    parser = argparse.ArgumentParser(prog="./run bench")
    parser.add_argument(
        "names",
        nargs="*",
        choices=[[], *BENCHES, "sim-compare"],
        metavar="NAME",
        help="one of: " + " ".join([*BENCHES, "sim-compare"]),
    )
    parser.add_argument("--build", default="build")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--baseline", help="sim-compare: the folder of another libaircc_sim.so")
    options = parser.parse_args()
    # Compiles are measured, and not the cache.
    os.environ["AIRCC_CACHE"] = "off"
    aircc = os.path.abspath(f"{options.build}/bin/aircc")
    if not shutil.which(aircc):
        sys.exit(f"bench: no {aircc}; build first")
    for name in options.names or BENCHES:
        if name == "sim-compare":
            bench_sim_compare(aircc, options.rounds, options.baseline)
        else:
            BENCHES[name](aircc, options.rounds)


if __name__ == "__main__":
    main()
