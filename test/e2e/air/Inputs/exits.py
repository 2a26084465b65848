"""Runs a command and checks its exit status exactly.

    exits.py STATUS COMMAND ARGUMENT...

The output of the command is passed on unchanged. LLVM's `not` only distinguishes failure from success, but aircc has
a status for each kind of failure.
"""

import subprocess
import sys

wanted = int(sys.argv[1])
status = subprocess.run(sys.argv[2:]).returncode
if status != wanted:
    print(f"exits.py: status {status}, expected {wanted}", file=sys.stderr)
    sys.exit(1)
