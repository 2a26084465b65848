"""Prints a function that adds and subtracts its arguments N times."""

import sys

name, count = sys.argv[1], int(sys.argv[2])
print(f"define i32 @{name}(i32 %x, i32 %y) {{")
print("  %s0 = add i32 %y, %y")
for i in range(1, count):
    # Differences become sums.
    print(f"  %s{i} = {'sub' if i == 1 else 'add'} i32 %s{i - 1}, %x")
print(f"  ret i32 %s{count - 1}\n}}")
