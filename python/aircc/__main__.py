"""`python3 -m aircc` runs the command aircc."""

import os
import sys

from .compiler import find_compiler

program = find_compiler()
os.execv(program, [program, *sys.argv[1:]])
