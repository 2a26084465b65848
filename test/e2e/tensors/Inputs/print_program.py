"""print_program.py NAME: prints the MLIR text of a program of programs.py or more_programs.py."""

import sys

import more_programs  # Adds its programs to the list.
from programs import PROGRAMS

assert more_programs
print(next(program.text for program in PROGRAMS if program.name == sys.argv[1]))
