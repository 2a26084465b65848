"""Compiles the programs of programs.py for a target, runs them on the simulated device, and compares with numpy.

run_programs.py TARGET [NAME]...
"""

import sys
import time

import numpy as np

import aircc
import more_programs  # Adds its programs to the list.
from programs import PROGRAMS

assert more_programs


def run(program, target):
    """The error of a program, or "" if its results are right."""
    try:
        library = aircc.compile(program.text, target=target)
    except aircc.CompileError as error:
        return f"does not compile: {error}"
    function = library.forward
    given = [np.copy(value) if isinstance(value, np.ndarray) else value for value in program.arguments]
    results = function(*given)
    results = results if isinstance(results, tuple) else (results,)
    expected = program.expected(*program.arguments)
    expected = expected if isinstance(expected, tuple) else (expected,)
    for number, (have, want) in enumerate(zip(results, expected)):
        want = np.asarray(want)
        if have.shape != want.shape:
            return f"result {number} has the shape {have.shape}; {want.shape} is expected"
        if not np.allclose(have, want, rtol=program.tolerance, atol=program.tolerance):
            error = np.abs(have.astype(np.float64) - want.astype(np.float64)).max()
            return f"result {number} is wrong by {error}:\n{have}\nexpected:\n{want}"
    for before, after in zip(program.arguments, given):
        if isinstance(before, np.ndarray) and not np.array_equal(before, after):
            return "an argument was modified"
    return ""


def main():
    target, names = sys.argv[1], sys.argv[2:]
    failures = 0
    for program in PROGRAMS:
        if names and program.name not in names:
            continue
        start = time.time()
        error = run(program, target)
        print(f"{program.name}: {error or 'ok'} ({time.time() - start:.1f} s)", file=sys.stderr, flush=True)
        failures += bool(error)
    print(f"{failures} failures")


if __name__ == "__main__":
    main()
