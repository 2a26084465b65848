"""Prints a function with N loads in one block."""

import sys

name, count = sys.argv[1], int(sys.argv[2])
print(f"define void @{name}(ptr addrspace(1) align 16 %p, ptr addrspace(1) %q, i32 %s0) {{\nstart:")
for i in range(count):
    print(f"  %p{i} = getelementptr i32, ptr addrspace(1) %p, i64 {i}")
    print(f"  %v{i} = load i32, ptr addrspace(1) %p{i}")
    print(f"  %s{i + 1} = xor i32 %s{i}, %v{i}")
print(f"  store i32 %s{count}, ptr addrspace(1) %q\n  ret void\n}}")
