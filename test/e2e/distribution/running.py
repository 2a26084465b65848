"""Running commands, with options that most tests of this folder share."""

import os
import subprocess


WAVE = {"gfx1100": 32, "gfx1201": 32, "pvc": 16, "bmg": 16, "lnl": 16, "ptl": 16}


def wave_size(target):
    """The lanes of a wave. A target is a profile's name, or NAME@LANES with another wave size."""
    name, _, lanes = target.partition("@")
    return int(lanes) if lanes else WAVE.get(name, 64)


def chip(target):
    return target.partition("@")[0]


def target_options(targets):
    """Options that compile for targets of one wave size."""
    options = [word for target in targets for word in ("--target", chip(target))]
    if any("@" in target for target in targets):
        options += ["--wave-size", str(wave_size(targets[0]))]
    return options


def device_level(level):
    """Options that optimize only device code: LLVM is slow for the undistributed vectors of the host functions."""
    return ["-O0", "--stage-option", f"codegen.opt-level={level}"]


def run(command, **more):
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=900, **more)
    except subprocess.TimeoutExpired as expired:
        return subprocess.CompletedProcess(command, 124, "", f"no end after {expired.timeout} seconds")


def run_products(binary, names):
    """Runs a program that prints, for each product in `names`, its number and the number of its wrong elements. Prints
    the names of products that are not right. Returns the finished process and the number of these products."""
    ran = run([binary], env=dict(os.environ, AIRCC_DEVICE="sim"))
    found = dict(tuple(map(int, line.split())) for line in ran.stdout.splitlines())
    wrong = [number for number in names if found.get(number) != 0]
    for number in wrong:
        elements = found.get(number)
        problem = f"no result: {ran.stderr.strip()[:500]}" if elements is None else f"{elements} elements are wrong"
        print(f"{names[number]}: {problem}")
    return ran, len(wrong)
