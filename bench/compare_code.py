#!/usr/bin/env python3
"""Compares the code that two builds of aircc generate.

    bench/compare_code.py --old OTHER/bin/aircc        samples, bench kernels, end-to-end programs
    bench/compare_code.py --old A --new B --target gfx942 FILE.mlir

Prints a line for each program and target whose kernels differ, with the metrics
of each kernel that changed. The exit status is 1 if a kernel got worse (more
registers, LDS, scratch, spills, barriers or instructions), or if the new build
rejects a program that the old build accepts. --time also compares compile times.
"""

import argparse
import concurrent.futures
import os
import re
import statistics
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TARGETS = ["gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201", "bmg", "pvc"]

# Metrics in the metadata of the code object; smaller is better for all.
METADATA = {
    "vgpr_count": "VGPRs",
    "agpr_count": "AGPRs",
    "sgpr_count": "SGPRs",
    "group_segment_fixed_size": "LDS bytes",
    "private_segment_fixed_size": "scratch bytes",
    "vgpr_spill_count": "VGPR spills",
    "sgpr_spill_count": "SGPR spills",
}
# These are printed, but more of them are not worse: separate waits may wait less than one for all.
NEUTRAL = {"waits"}


def amdgpu_figures(assembly):
    """Returns kernel name -> metrics, from AMDGPU assembly."""
    kernels = {}
    for match in re.finditer(r"^([A-Za-z_][\w.$]*):[^\n]*\n(.*?)^\.Lfunc_end", assembly, re.M | re.S):
        name, body = match.groups()
        opcodes = re.findall(r"^\t([a-z]\w*)", body, re.M)
        kernels[name] = {
            "instructions": len(opcodes),
            "barriers": sum(bool(re.match(r"s_barrier(_signal)?$|s_barrier_signal_imm", op)) for op in opcodes),
            "waits": sum(op.startswith("s_wait") for op in opcodes),
        }
    for entry in re.split(r"^  - ", assembly.partition(".amdgpu_metadata")[2], flags=re.M)[1:]:
        name = re.search(r"\.name:\s+(\S+)\n\s+\.private_segment", entry)
        figures = kernels.get(name.group(1)) if name else None
        if figures is None:
            continue
        for key, title in METADATA.items():
            value = re.search(rf"\.{key}:\s+(\d+)", entry)
            figures[title] = int(value.group(1)) if value else 0
    return kernels


def spirv_figures(assembly):
    """Returns function name -> metrics, from textual SPIR-V."""
    names = dict(re.findall(r'OpName (%\S+) "([^"]*)"', assembly))
    kernels = {}
    for match in re.finditer(r"^\t(%\S+) = OpFunction .*?^\tOpFunctionEnd", assembly, re.M | re.S):
        opcodes = re.findall(r"\b(Op\w+)", match.group(0))
        if "OpLabel" not in opcodes:
            continue
        kernels[names.get(match.group(1), match.group(1))] = {
            "instructions": len(opcodes),
            "barriers": opcodes.count("OpControlBarrier"),
        }
    return kernels


def figures(assembly):
    return spirv_figures(assembly) if "OpMemoryModel" in assembly else amdgpu_figures(assembly)


def compile_once(aircc, source, target, emit):
    start = time.perf_counter()
    done = subprocess.run(
        [aircc, source, "--target", target, f"--emit={emit}", "-o", "-"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
    )
    return done.returncode, done.stdout.decode(errors="replace"), time.perf_counter() - start


def compare(old, new, source, target, emit, rounds):
    """Returns the lines to print, whether the code got worse, and the ratio of compile times."""
    times = ([], [])
    for _ in range(rounds):
        old_status, old_text, old_seconds = compile_once(old, source, target, emit)
        new_status, new_text, new_seconds = compile_once(new, source, target, emit)
        times[0].append(old_seconds)
        times[1].append(new_seconds)
    ratio = statistics.median(times[1]) / statistics.median(times[0])
    title = f"{os.path.relpath(source, ROOT)} {target}"
    if old_status != new_status:
        return [f"{title}: status {old_status} before, {new_status} now"], new_status != 0, None
    if old_text == new_text:
        return [], False, ratio if old_status == 0 else None
    if emit != "asm":
        return [f"{title}: {emit} differs"], False, ratio
    lines, worse = [], False
    before, after = figures(old_text), figures(new_text)
    for kernel in sorted(set(before) | set(after)):
        if kernel not in before or kernel not in after:
            lines.append(f"  {kernel}: {'new' if kernel in after else 'removed'}")
            continue
        changes = []
        for key, value in after[kernel].items():
            if value != before[kernel].get(key, 0):
                changes.append(f"{key} {before[kernel].get(key, 0)} -> {value}")
                worse |= key not in NEUTRAL and value > before[kernel].get(key, 0)
        if changes:
            lines.append(f"  {kernel}: " + ", ".join(changes))
    return [f"{title}: code differs"] + lines, worse, ratio


def default_sources():
    sources = []
    for folder in ("samples", "bench", "test/e2e"):
        for path, folders, names in os.walk(os.path.join(ROOT, folder)):
            folders.sort()
            sources += [os.path.join(path, name) for name in sorted(names) if name.endswith(".mlir")]
    return sources


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--old", required=True, help="the aircc to compare with")
    parser.add_argument("--new", default=os.path.join(ROOT, "build/bin/aircc"))
    parser.add_argument("--target", action="append", help="default: " + " ".join(TARGETS))
    parser.add_argument(
        "--emit", default="asm", help="asm (default); for others (host-llvm, hsaco, ...), only bytes are compared"
    )
    parser.add_argument("--time", action="store_true", help="compare compile times too")
    parser.add_argument("-j", type=int, default=os.cpu_count())
    parser.add_argument("sources", nargs="*", help="default: samples, bench and test/e2e")
    arguments = parser.parse_args()
    os.environ["AIRCC_CACHE"] = "off"

    sources = [os.path.abspath(source) for source in arguments.sources] or default_sources()
    pairs = [(source, target) for source in sources for target in arguments.target or TARGETS]
    rounds, workers = (5, 1) if arguments.time else (1, arguments.j)
    differing, worse, ratios = 0, 0, []
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        jobs = [
            pool.submit(compare, arguments.old, arguments.new, source, target, arguments.emit, rounds)
            for source, target in pairs
        ]
        for job in jobs:
            lines, is_worse, ratio = job.result()
            differing += bool(lines)
            worse += is_worse
            if ratio:
                ratios.append(ratio)
            for line in lines:
                print(line + (" [WORSE]" if is_worse and line is lines[0] else ""), flush=True)
    print(f"{len(pairs)} compiles, {len(ratios)} of them accepted by both; {differing} differ, {worse} are worse")
    if arguments.time and ratios:
        print(f"compile time: {statistics.geometric_mean(ratios):.3f}x (geometric mean), {max(ratios):.2f}x at most")
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
