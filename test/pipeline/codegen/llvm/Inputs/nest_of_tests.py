"""Prints a kernel with a nest of DEPTH loops of 3 blocks each, with the tests at their starts.

    nest_of_tests.py NAME DEPTH"""

import sys

name, depth = sys.argv[1], int(sys.argv[2])
print(f"define amdgpu_kernel void @{name}(ptr addrspace(1) %p, i32 %n) {{\nstart:\n  br label %h0")
for i in range(depth):
    before = f"b{i - 1}" if i else "start"
    inner = f"h{i + 1}" if i + 1 < depth else "body"
    outer = f"l{i - 1}" if i else "end"
    print(f"h{i}:\n  %i{i} = phi i32 [ 0, %{before} ], [ %j{i}, %l{i} ]\n  %c{i} = icmp slt i32 %i{i}, %n")
    print(f"  br i1 %c{i}, label %b{i}, label %{outer}\nb{i}:\n  br label %{inner}")
print(f"body:\n  store volatile i32 %i0, ptr addrspace(1) %p\n  br label %l{depth - 1}")
for i in reversed(range(depth)):
    print(f"l{i}:\n  %j{i} = add nuw i32 %i{i}, 1\n  br label %h{i}")
print("end:\n  ret void\n}")
