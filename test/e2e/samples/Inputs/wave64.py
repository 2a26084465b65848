"""Compiles the samples for waves of 64 lanes, on chips that have waves of 32 by default, and runs them.

wave64.py --aircc BINARY --target NAME [--target NAME]... [--all]

Without --all, only the samples for one rank, with small sizes. The models are compiled with a profile that states the
size, everything else with --wave-size.
"""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

SAMPLES = pathlib.Path(__file__).parents[4] / "samples"
# The arguments that give a sample a smaller size.
SMALL = {"matmul": ["64"], "matmul_tiles": ["64"], "reduction": ["5000"], "vector_add": ["5000"]}
# The number of ranks of programs with several.
RANKS = 2


def run(command, **more):
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=900, **more)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 124, "", "it does not end")


def run_sample(args, path, target, folder):
    program = os.path.join(folder, path.stem)
    compiled = run([args.aircc, path, "--target", target, "--wave-size", "64", "-o", program])
    if compiled.returncode:
        return compiled
    ran = run([program] + ([] if args.all else SMALL.get(path.stem, [])))
    if not ran.returncode and f"{path.stem}: PASS" not in ran.stdout:
        ran.returncode = 1
    return ran


def run_ranks(args, path, target):
    command = [args.aircc, "run", path, "--target", target, "--wave-size", "64", "-n", str(RANKS), "--timeout", "300"]
    ran = run(command)
    if not ran.returncode and f"ALL {RANKS} RANKS PASSED" not in ran.stdout:
        ran.returncode = 1
    return ran


def run_models(args, target, folder):
    profile = os.path.join(folder, "wave64.json")
    with open(profile, "w") as file:
        json.dump({"extends": target, "waveSize": 64}, file)
    environment = {**os.environ, "AIRCC": args.aircc, "PYTHONPATH": str(SAMPLES.parent / "python")}
    return run(["/usr/bin/python3", SAMPLES / "models" / "check.py", "all", profile], env=environment)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--aircc", required=True)
    parser.add_argument("--target", action="append", required=True)
    parser.add_argument("--all", action="store_true")
    args = parser.parse_args()
    passed = failed = 0

    def report(name, target, process):
        nonlocal passed, failed
        if process.returncode:
            failed += 1
            print(f"{name} for {target}: {process.stdout[-1000:]}{process.stderr[-2000:]}", flush=True)
        else:
            passed += 1

    with tempfile.TemporaryDirectory(prefix="aircc-wave64-") as folder:
        for target in args.target:
            for path in sorted(SAMPLES.glob("*.mlir")):
                report(path.stem, target, run_sample(args, path, target, folder))
            if not args.all:
                continue
            for path in sorted((SAMPLES / "multi_gpu").glob("*.mlir")):
                report(path.stem, target, run_ranks(args, path, target))
            models = run_models(args, target, folder)
            report("models", target, models)
            print(re.sub(r"(?m)^", "  ", models.stdout.rstrip()))
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
