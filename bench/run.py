"""Measures the run time of aircc, as ratios within one run.

    ./run bench                all
    ./run bench compile        one of: version hsaco many-kernels cache compile matmul sim checker kernels
                               bandwidth memory estimates conv xe compile-limits
    ./run bench compile-limits --only "DMA pairs"    times and memory of compiles, each next to its limit
    ./run bench sim-compare --baseline FOLDER    another build of the simulator next to this one
    ./run bench kernels --only "gfx942 bf16"     some kernels, by the timing model
    ./run bench kernels --compare FILE.co        main loops of a code object next to ours
    ./run bench --compare COMMIT                 kernels of another commit next to ours

A time is the median of several runs of an entire process, next to its peak memory. The variants run alternately, so
that other load affects all of them. Absolute times are only a rough guide; the ratios can be compared across machines.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

from bandwidth_bench import bench_bandwidth
from checker_bench import bench_checker
from compile_limits import bench_limits
from conv_bench import bench_convolutions
from estimate_bench import bench_estimates
from kernel_bench import bench_kernels, compare_builds, compare_loops
from memory_bench import bench_memory
from sim_bench import bench_sim
from sim_compare import bench_sim_compare
from xe_bench import bench_xe

HERE = os.path.dirname(os.path.abspath(__file__))
LLVM_BIN = "/usr/lib/llvm-22/bin"


class Run:
    """One run of a process: its wall time, its peak memory in MiB, and its output. Exits if it fails."""

    def __init__(self, command, stdin=None):
        start = time.perf_counter()
        with tempfile.TemporaryFile() as source, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            source.write(stdin or b"")
            source.seek(0)
            process = subprocess.Popen(command, stdin=source, stdout=out, stderr=err)
            # Popen.wait has no resource usage.
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            self.seconds = time.perf_counter() - start
            self.peak = usage.ru_maxrss / 1024
            out.seek(0)
            err.seek(0)
            self.output = out.read()
            if process.returncode != 0:
                sys.exit(f"bench: {' '.join(command)} failed:\n{err.read().decode()}")


class Result:
    """The median of the times of several runs, and the largest peak memory."""

    def __init__(self, runs):
        self.seconds = statistics.median(run.seconds for run in runs)
        self.peak = max(run.peak for run in runs)


def medians(variants, rounds):
    """Runs variants alternately. `variants`: name -> function that runs the variant once and returns a Run."""
    runs = {name: [] for name in variants}
    for run in variants.values():
        run()  # not counted: fills the page cache
    for _ in range(rounds):
        for name, run in variants.items():
            runs[name].append(run())
    return {name: Result(values) for name, values in runs.items()}


def show(title, rows):
    """Prints rows, each of which is a name, a Result and a note."""
    print(f"\n{title}")
    width = max(len(name) for name, _, _ in rows)
    for name, result, note in rows:
        print(f"  {name:<{width}}  {result.seconds * 1000:8.1f} ms  {result.peak:5.0f} MiB  {note}")


def bench_version(aircc, rounds):
    result = medians(
        {
            "aircc --version": lambda: Run([aircc, "--version"]),
            "mlir-opt --version": lambda: Run([f"{LLVM_BIN}/mlir-opt", "--version"]),
        },
        rounds,
    )
    ours, theirs = result["aircc --version"], result["mlir-opt --version"]
    show(
        "Start-up",
        [
            ("aircc --version", ours, f"{ours.seconds / theirs.seconds:.2f}x of mlir-opt"),
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
    runs, text = [], None
    for command in commands:
        runs.append(Run(command, stdin=text))
        text = runs[-1].output
    whole = runs[-1]
    whole.seconds = sum(run.seconds for run in runs)
    whole.peak = max(run.peak for run in runs)
    return whole


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
                    "exe": lambda: Run(command + ["-o", f"{out}/matmul"]),
                    "host-obj": lambda: Run(command + ["-c", "-o", f"{out}/matmul.o"]),
                    "chain": lambda: chain(aircc, source, flags, rocm, out),
                },
                rounds,
            )
        whole = result["chain"]

        def ratio(name):
            return f"{result[name].seconds / whole.seconds:.2f}x of the chain"

        show(
            f"Compiling the 4096x4096 matmul, herds of {form}, for gfx942",
            [
                ("aircc, to an executable", result["exe"], ratio("exe")),
                ("aircc -c, to an object", result["host-obj"], ratio("host-obj")),
                ("separate tools, to an executable", whole, ""),
            ],
        )


def empty_mlir_opt():
    return Run([f"{LLVM_BIN}/mlir-opt", "-"], b"module {}")


def show_multiples(title, result):
    """Prints results as multiples of the one named mlir-opt."""
    unit = result["mlir-opt"].seconds
    show(
        title,
        [(name, value, f"{value.seconds / unit:.2f}x of an empty mlir-opt") for name, value in result.items()],
    )


def bench_hsaco(aircc, rounds):
    with tempfile.TemporaryDirectory() as out:

        def compile(name):
            return Run(
                [aircc, f"{HERE}/{name}.mlir", "--target", "gfx942", "--emit=hsaco", "-o", f"{out}/{name}.hsaco"]
            )

        result = medians(
            {
                "trivial kernel": lambda: compile("trivial"),
                "4096x4096 f32 matmul": lambda: compile("matmul4096"),
                "mlir-opt": empty_mlir_opt,
            },
            rounds,
        )
    show_multiples("Fixed costs: to hsaco, without the cache", result)


def bench_many_kernels(aircc, rounds):
    """Compares 1,000 kernels in one gpu.module and in 1,000, and one matmul and 64 identical ones."""
    import compile_families

    matmul = open(f"{HERE}/matmul_f16.mlir").read()
    sources = {
        "1,000 kernels": compile_families.kernels(1000),
        "1,000 gpu.modules": compile_families.modules(1000),
        "1 matmul": matmul,
        "64 identical matmuls": repeat_function(matmul, 64),
    }
    with tempfile.TemporaryDirectory() as out:
        variants = {}
        for name, text in sources.items():
            source = f"{out}/{name.replace(' ', '-')}.mlir"
            with open(source, "w") as file:
                file.write(text)
            command = [aircc, source, "--target", "gfx942", "-c", "-o", f"{out}/kernels.o"]
            variants[name] = lambda command=command: Run(command)
        result = medians(variants, max(1, rounds // 3))
    rows = []
    for one, many in (("1,000 kernels", "1,000 gpu.modules"), ("1 matmul", "64 identical matmuls")):
        rows.append((one, result[one], ""))
        ratio = result[many].seconds / result[one].seconds
        rows.append((many, result[many], f"{ratio:.2f}x of {one}"))
    show("Many kernels: to a host object, without the cache", rows)


def repeat_function(text, count):
    """Returns `count` copies of the only function of a program, under different names."""
    body = text[text.index("func.func") :]
    return "".join(body.replace("func.func @", f"func.func @copy{i}_") for i in range(count))


# Chip, type of A and B, type of C.
MATMUL_TYPES = [
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
    """Prints the compile time of 4096x4096 matmuls whose tiles the compiler chooses."""
    text = open(f"{HERE}/matmul_f16.mlir").read()
    rows = []
    with tempfile.TemporaryDirectory() as out:
        for chip, operand, result in MATMUL_TYPES:
            source = f"{out}/m.mlir"
            with open(source, "w") as f:
                zero = "0" if result == "i32" else "0.0"
                f.write(
                    text.replace("f32", result)
                    .replace("xf16", f"x{operand}")
                    .replace("constant 0.0", f"constant {zero}")
                )
            command = [aircc, source, "--target", chip, "--emit=hsaco", "-o", f"{out}/m.hsaco"]
            rows.append((f"{chip} {operand}", Result([Run(command) for _ in range(max(1, rounds // 3))]), ""))
    show("4096x4096 matmuls: compile time to hsaco", rows)


def bench_cache(aircc, rounds):
    """Prints the time of a compile whose result is in the cache, as a multiple of an empty mlir-opt."""
    with tempfile.TemporaryDirectory() as out:
        os.environ["AIRCC_CACHE_DIR"] = f"{out}/cache"
        command = [aircc, f"{HERE}/matmul4096.mlir", "--target", "gfx942", "--emit=hsaco", "-o", f"{out}/m.hsaco"]
        result = medians(
            {
                "hit": lambda: Run([*command, "--cache=on"]),
                "--cache=off": lambda: Run([*command, "--cache=off"]),
                "mlir-opt": empty_mlir_opt,
            },
            rounds,
        )
    show_multiples("cache: the 4096x4096 f32 matmul to hsaco", result)


BENCHES = {
    "matmul": bench_matmul,
    "cache": bench_cache,
    "version": bench_version,
    "hsaco": bench_hsaco,
    "many-kernels": bench_many_kernels,
    "compile": bench_compile,
    "sim": bench_sim,
    "checker": bench_checker,
    "kernels": lambda aircc, rounds: bench_kernels(aircc),
    "bandwidth": bench_bandwidth,
    "conv": bench_convolutions,
    "compile-limits": bench_limits,
    "xe": lambda aircc, rounds: bench_xe(aircc),
    "memory": bench_memory,
    "estimates": bench_estimates,
}


def build_commit(commit, build):
    """Builds aircc and the simulated device of a commit in a worktree. Returns the path of aircc."""

    def call(*command, **options):
        process = subprocess.run(command, text=True, **options)
        if process.returncode:
            sys.exit(f"bench: {' '.join(command)} failed")
        return process.stdout

    root = os.path.dirname(HERE)
    full = call("git", "-C", root, "rev-parse", "--verify", f"{commit}^{{commit}}", stdout=subprocess.PIPE).strip()
    tree = os.path.abspath(f"{build}/compare/{full[:12]}")
    if not os.path.isdir(tree):
        call("git", "-C", root, "worktree", "prune")
        call("git", "-C", root, "worktree", "add", "--quiet", "--detach", tree, full)
    # Make paths below the worktree relative for ccache, so that they are the same in builds of other commits.
    environment = {**os.environ, "CCACHE_BASEDIR": tree, "CCACHE_NOHASHDIR": "1"}
    if not os.path.exists(f"{tree}/build/build.ninja"):
        call("cmake", "--preset", "default", "-B", "build", cwd=tree, env=environment, stdout=subprocess.DEVNULL)
    targets = ["aircc", "aircc_runtime", "aircc_runtime_shared", "aircc_sim"]
    call("ninja", "-C", f"{tree}/build", "--quiet", *targets, env=environment)
    return f"{tree}/build/bin/aircc"


def parse_arguments():
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
    parser.add_argument("--compare", metavar="WHAT", help="a commit, or with `kernels` a code object")
    parser.add_argument("--kernel", default="", help="with a code object: only kernels whose names contain this")
    parser.add_argument(
        "--only", action="append", default=[], help="kernels, xe, compile-limits: those whose names contain this"
    )
    options = parser.parse_args()
    if options.compare and options.names not in ([], ["kernels"]):
        parser.error("--compare is for kernels")
    return options


def default_names():
    """Returns the benchmarks that run if none is named.

    compile-limits takes a long time and repeats others, and xe needs `ocloc`.
    """
    has_compiler = shutil.which("ocloc") is not None
    return [name for name in BENCHES if name != "compile-limits" and (name != "xe" or has_compiler)]


def main():
    options = parse_arguments()
    # Measure compiles, not the cache.
    os.environ["AIRCC_CACHE"] = "off"
    aircc = os.path.abspath(f"{options.build}/bin/aircc")
    if not shutil.which(aircc):
        sys.exit(f"bench: no {aircc}; build first")
    if options.compare and options.names:
        compare_loops(aircc, options.compare, options.kernel, options.only)
    elif options.compare:
        sys.exit(compare_builds(build_commit(options.compare, options.build), aircc, options.only))
    elif options.names == ["kernels"]:
        bench_kernels(aircc, options.only)
    elif options.names == ["compile-limits"]:
        bench_limits(aircc, options.rounds, options.only)
    elif options.names == ["xe"]:
        bench_xe(aircc, options.only)
    else:
        for name in options.names or default_names():
            if name == "sim-compare":
                bench_sim_compare(aircc, options.rounds, options.baseline)
            else:
                BENCHES[name](aircc, options.rounds)


if __name__ == "__main__":
    main()
