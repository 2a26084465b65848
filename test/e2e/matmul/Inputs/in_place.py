"""Counts the MFMA of assembly that write other registers than those of their accumulator.

    in_place.py FILE.s
"""

import re
import sys

total = moved = 0
for line in open(sys.argv[1]):
    match = re.match(r"\s+v_mfma_\S+ (\S+), \S+, \S+, (\S+)", line)
    if match and match.group(2) != "0":
        total += 1
        moved += match.group(1) != match.group(2)
print(f"{moved} of {total} move")
