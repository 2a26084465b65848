"""Compiles the programs of programs.py for a target, runs them on the simulated device, and compares with numpy.

run_programs.py TARGET [NAME]...
"""

import sys
import time

import aircc
import more_programs  # Adds its programs to the list.
from check_program import find_error
from programs import PROGRAMS

assert more_programs


def run(program, target):
    """The error of a program, or "" if its results are right."""
    try:
        library = aircc.compile(program.text, target=target)
    except aircc.CompileError as error:
        return f"does not compile: {error}"
    return find_error(program, library.forward)


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
