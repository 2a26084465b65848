#!/usr/bin/env python3
"""Measures compile times and memory against their limits: one row for each limit.

    ./run bench compile-limits [--only TEXT]... [--rounds N]

Times are CPU times, which other processes affect less than wall times; only the row for two cores uses wall times. The
shortest of several compiles counts. "x" means a multiple of the time of an mlir-opt that reads an empty module in the
same run. The exponent of a family of programs is measured at its largest size: 1.0 means that a program of twice the
size takes twice the time."""

import functools
import math
import os
import pathlib
import tempfile
import time

import compile_families
import compile_tiles
from compile_families import FAMILIES, MLIR_OPT, get_formats, kernels, measure, modules

HERE = pathlib.Path(__file__).resolve().parent
SECONDS = 200


class Limits:
    """The rows, and the compiles that several rows need, which are measured only once."""

    def __init__(self, aircc, rounds, folder):
        self.aircc, self.rounds, self.folder = aircc, rounds, folder

    @functools.cached_property
    def empty(self):
        return compile_families.measure_empty(self.folder, 3 * self.rounds)

    @functools.lru_cache(maxsize=None)
    def compile(self, source, *options):
        """Returns the least CPU seconds and peak memory."""
        command = [self.aircc, source, *options, "-o", self.folder / "out"]
        results = [measure(command, SECONDS) for _ in range(self.rounds)]
        if any(seconds is None for seconds, _ in results):
            return math.inf, math.inf
        return tuple(map(min, zip(*results)))

    def write(self, name, text):
        path = self.folder / f"{name}.mlir"
        path.write_text(text)
        return path

    def multiple(self, source, *options):
        return self.compile(source, *options)[0] / self.empty

    def version(self):
        ours = min(measure([self.aircc, "--version"], 10)[0] for _ in range(3 * self.rounds))
        return ours / self.empty

    def hsaco(self, name):
        return self.multiple(HERE / f"{name}.mlir", "--target", "gfx942", "--emit=hsaco", "--cache=off")

    def cache_hit(self):
        os.environ["AIRCC_CACHE_DIR"] = str(self.folder / "cache")
        options = ("--target", "gfx942", "--emit=hsaco", "--cache=on")
        measure([self.aircc, HERE / "matmul4096.mlir", *options, "-o", self.folder / "out"], SECONDS)
        return self.multiple(HERE / "matmul4096.mlir", *options)

    def member(self, family, size):
        seconds, _ = compile_families.measure_member(
            self.aircc, family, size, "gfx942", "hsaco", self.folder, SECONDS, self.rounds
        )
        return math.inf if seconds is None else seconds / self.empty

    def exponent(self, family, target, emit):
        largest = FAMILIES[family][2]
        arguments = (self.folder, SECONDS, self.rounds)
        results = [
            compile_families.measure_member(self.aircc, family, size, target, emit, *arguments)
            for size in (largest // 2, largest)
        ]
        times = [seconds for seconds, _ in results]
        return math.inf if None in times else math.log2(times[1] / times[0])

    def identical(self):
        from run import repeat_function

        text = (HERE / "matmul_f16.mlir").read_text()
        options = ("--target", "gfx942", "-c", "--cache=off")
        one = self.compile(self.write("one", text), *options)[0]
        return self.compile(self.write("identical", repeat_function(text, 64)), *options)[0] / one

    def separate_modules(self, target, what):
        """Returns the ratio of 1,000 modules with one kernel each to one module with 1,000 kernels."""
        one, many = (
            self.compile(self.write(make.__name__, make(1000)), "--target", target, "-c", "--cache=off")
            for make in (kernels, modules)
        )
        return many[what] / one[what]

    def tiles(self, target):
        times = compile_tiles.measure_programs(self.aircc, target, range(54))
        return times[-1] / times[len(times) // 2]

    def cores(self):
        """Returns the speedup of two threads over one, in wall time."""
        source = self.write("hundred", modules(100))

        def run(threads):
            start = time.perf_counter()
            measure(
                [self.aircc, source, "--target", "gfx942", "-c", "--cache=off", "-j", threads, "-o", self.folder / "o"],
                SECONDS,
            )
            return time.perf_counter() - start

        return min(run("1") for _ in range(self.rounds)) / min(run("2") for _ in range(self.rounds))

    def get_rows(self):
        """Returns the name, the function that measures, and the limit of each row."""
        rows = [
            ("--version, x", self.version, 0.3),
            ("trivial kernel to hsaco, x", lambda: self.hsaco("trivial"), 1.1),
            ("4096x4096 matmul to hsaco, x", lambda: self.hsaco("matmul4096"), 3),
            ("cached 4096x4096 matmul, x", self.cache_hit, 1.3),
            ("100 DMA pairs, x", lambda: self.member("dma-pairs", 100), 15),
            ("10,000 i32 ops, x", lambda: self.member("i32-ops", 10000), 60),
            ("1,000 nested scf.if, x", lambda: self.member("nested-if", 1000), 30),
            ("64 identical matmuls, of one", self.identical, 3),
        ]
        for target in ("gfx942", "bmg"):
            for what, name in enumerate(("time", "memory")):
                title = f"1,000 gpu.modules {target}, {name} of 1,000 kernels"
                rows.append((title, functools.partial(self.separate_modules, target, what), 1.5))
        for target in compile_tiles.TARGETS:
            rows.append((f"slowest of 54 tile programs {target}, of median", functools.partial(self.tiles, target), 10))
        for family, (_, _, largest, kind) in FAMILIES.items():
            for target, emit in get_formats(kind, ["gfx942", "bmg"]):
                title = f"{family} {largest} {target}, exponent"
                rows.append((title, functools.partial(self.exponent, family, target, emit), 1.1))
        rows.append(("100 modules on 2 cores, speedup", self.cores, -1.8))
        return rows


def bench_limits(aircc, rounds, only=()):
    """Prints the rows whose names contain one of `only`, or all."""
    with tempfile.TemporaryDirectory() as folder:
        limits = Limits(aircc, max(1, rounds // 3), pathlib.Path(folder))
        print(f"\nLimits of compiles (an empty {os.path.basename(MLIR_OPT)} takes {1000 * limits.empty:.0f} ms)")
        for name, get, limit in limits.get_rows():
            if only and not any(text in name for text in only):
                continue
            value = get()
            # A negative limit is a minimum.
            met = value >= -limit if limit < 0 else value <= limit
            bound = "at least" if limit < 0 else "at most"
            print(f"  {name:<52}{value:7.2f}  {bound} {abs(limit):<5} {'' if met else 'EXCEEDED'}", flush=True)
