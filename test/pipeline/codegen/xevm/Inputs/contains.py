#!/usr/bin/env python3
"""contains.py FILE PART: fails unless the bytes of PART are in FILE."""
import sys
from pathlib import Path

sys.exit(Path(sys.argv[2]).read_bytes() not in Path(sys.argv[1]).read_bytes())
