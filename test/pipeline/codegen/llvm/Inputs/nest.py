"""Prints a function with a nest of DEPTH loops, whose innermost one computes a product that is the same each time.

    nest.py NAME DEPTH"""

import sys

name, depth = sys.argv[1], int(sys.argv[2])
print(f"define void @{name}(ptr %p, i32 %n, i32 %a) {{\nstart:\n  br label %h0")
for i in range(depth):
    before = f"h{i - 1}" if i else "start"
    inner = f"h{i + 1}" if i + 1 < depth else "body"
    print(f"h{i}:\n  %i{i} = phi i32 [ 0, %{before} ], [ %j{i}, %l{i} ]\n  br label %{inner}")
print("body:\n  %invariant = mul i32 %a, %n\n  store volatile i32 %invariant, ptr %p")
print(f"  br label %l{depth - 1}")
for i in reversed(range(depth)):
    outer = f"l{i - 1}" if i else "end"
    print(f"l{i}:\n  %j{i} = add nuw i32 %i{i}, 1\n  %c{i} = icmp slt i32 %j{i}, %n")
    print(f"  br i1 %c{i}, label %h{i}, label %{outer}")
print("end:\n  ret void\n}")
