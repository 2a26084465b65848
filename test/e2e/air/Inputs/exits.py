"""Runs a command and checks its exit status exactly.

    exits.py STATUS COMMAND ARGUMENT...

What the command prints goes through unchanged. `not` of LLVM only tells failure
from success; aircc's statuses have meanings.
"""

import subprocess
import sys

wanted = int(sys.argv[1])
status = subprocess.run(sys.argv[2:]).returncode
if status != wanted:
    print(f"exits.py: status {status}, expected {wanted}", file=sys.stderr)
    sys.exit(1)
