"""Compiles a function on tensors, calls it on the simulated device, and returns the times of its kernels.

    python3 bench/function_timing.py LIBRARY FUNCTION TENSOR...     calls a function with zeros

TENSOR consists of sizes and an element type, such as 4096x4096xf16.
"""

import argparse
import ctypes
import json
import math
import os
import re
import subprocess
import sys
import tempfile

# Metadata of a kernel, in the order of the columns in tables.
METADATA = {
    "vgprs": "vgpr_count",
    "agprs": "agpr_count",
    "sgprs": "sgpr_count",
    "lds": "group_segment_fixed_size",
    "scratch": "private_segment_fixed_size",
    "vgpr_spills": "vgpr_spill_count",
    "sgpr_spills": "sgpr_spill_count",
}


def run(*command, environment=None):
    """Returns the standard output of a command. Exits if it fails."""
    process = subprocess.run(command, capture_output=True, text=True, env=environment)
    if process.returncode:
        sys.exit(f"bench: {' '.join(command)} failed:\n{process.stderr}")
    return process.stdout


def split_tensor(tensor):
    """Returns the sizes and the element type of a tensor."""
    *sizes, element = tensor.split("x")
    return [int(size) for size in sizes], element


def count_bytes(tensor):
    sizes, element = split_tensor(tensor)
    bits = int(re.match(r"(?:bf|f|i)(\d+)", element).group(1))
    return math.prod(sizes) * bits // 8


def read_profile(aircc, target):
    return json.loads(run(aircc, "targets", target))


def read_bandwidth(aircc, target):
    """Returns the memory bandwidth that programs achieve, in bytes per nanosecond."""
    return read_profile(aircc, target)["timing"]["memoryGBps"]["value"]


def read_metadata(assembly):
    """Returns kernel name -> figures, from the metadata in AMDGPU assembly."""
    kernels = {}
    for entry in re.split(r"^  - ", assembly.partition(".amdgpu_metadata")[2], flags=re.M)[1:]:
        name = re.search(r"^ *\.name: +(\S+)\n +\.private_segment", entry, re.M)
        if name:
            kernels[name.group(1)] = {
                figure: int(value.group(1)) if (value := re.search(rf"\.{key}: +(\d+)", entry)) else 0
                for figure, key in METADATA.items()
            }
    return kernels


def measure(aircc, target, text, function, tensors, flags=()):
    """Returns the launches of one call of `function`, in program order.

    `tensors` are its arguments and results. Each launch has the figures of the timing model, those of the kernel report
    ("report"), and those of the metadata ("metadata").
    """
    with tempfile.TemporaryDirectory() as folder:
        source, library, timing, report = (f"{folder}/{name}" for name in ("f.mlir", "f.so", "t.json", "r.json"))
        with open(source, "w") as file:
            file.write(text)
        command = [aircc, source, "--target", target, *flags]
        run(*command, "--emit=shared", "--report", report, "-o", library)
        metadata = read_metadata(run(*command, "--emit=asm", "-o", "-"))
        environment = {**os.environ, "AIRCC_DEVICE": "sim", "AIRCC_SIM_TIMING": f"{timing},sample"}
        run(sys.executable, __file__, library, function, *tensors, environment=environment)
        with open(timing) as file:
            launches = json.load(file)["launches"]
        with open(report) as file:
            kernels = {kernel["name"]: kernel for kernel in json.load(file)["targets"][0]["kernels"]}
    for launch in launches:
        launch["report"] = kernels[launch["kernel"]]
        launch["metadata"] = metadata[launch["kernel"]]
    return launches


def describe(launches):
    """Returns a text with the time of each launch, and what bounds it."""
    return ", ".join(f"{launch['nanoseconds'] / 1000:.1f} us ({launch['bound']})" for launch in launches)


def run_bench(bench):
    """Runs a benchmark that is started as a program."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--aircc", required=True)
    parser.add_argument("--flag", action="append", default=[], help="a flag for the compiler")
    parser.add_argument("patterns", nargs="*")
    options = parser.parse_args()
    bench(os.path.abspath(options.aircc), patterns=options.patterns, flags=options.flag)


def call(library, function, tensors):
    """Calls the function of a library with zeros."""
    descriptors, buffers = [], []
    for tensor in tensors:
        sizes, _ = split_tensor(tensor)
        buffer = ctypes.create_string_buffer(count_bytes(tensor) + 64)
        address = (ctypes.addressof(buffer) + 63) // 64 * 64
        strides = [math.prod(sizes[i + 1 :]) for i in range(len(sizes))]
        descriptor = (ctypes.c_int64 * (3 + 2 * len(sizes)))(address, address, 0, *sizes, *strides)
        buffers.append(buffer)
        descriptors.append(ctypes.byref(descriptor))
    loaded = ctypes.CDLL(library)
    if status := getattr(loaded, f"aircc_{function}")(*descriptors):
        sys.exit(f"the function failed with the status {status}")


if __name__ == "__main__":
    call(sys.argv[1], sys.argv[2], sys.argv[3:])
