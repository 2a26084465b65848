"""Implements `python3 -m aircc`, which runs the aircc command."""

import os
import sys

from .compiler import find_compiler

program = find_compiler()
os.execv(program, [program, *sys.argv[1:]])
