"""A loop that adds products to many accumulators, several to each.

accumulators.py COUNT STEPS
"""

import sys

count, steps = int(sys.argv[1]), int(sys.argv[2])
print(
    """target triple = "amdgcn-amd-amdhsa"

define amdgpu_kernel void @sums(ptr addrspace(3) %p, ptr addrspace(1) %to, i32 %n) #0 {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]"""
)
for sum in range(count):
    print(f"  %s{sum}_0 = phi <4 x float> [ zeroinitializer, %entry ], [ %s{sum}_{steps}, %loop ]")
print("  %row = getelementptr <8 x half>, ptr addrspace(3) %p, i32 %i")
for factor in range(2 * steps):
    print(f"  %p{factor} = getelementptr i8, ptr addrspace(3) %row, i32 {factor * 1024}")
    print(f"  %f{factor} = load <8 x half>, ptr addrspace(3) %p{factor}")
for step in range(steps):
    for sum in range(count):
        a, b = 2 * step + sum % 2, 2 * step + (sum + 1) % 2
        print(
            f"  %s{sum}_{step + 1} = call <4 x float> @llvm.amdgcn.mfma.f32.16x16x32.f16(<8 x half> %f{a}, "
            f"<8 x half> %f{b}, <4 x float> %s{sum}_{step}, i32 0, i32 0, i32 0)"
        )
print(
    """  %next = add i32 %i, 64
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end
end:"""
)
for sum in range(count):
    print(f"  %to{sum} = getelementptr i8, ptr addrspace(1) %to, i32 {sum * 16}")
    print(f"  store <4 x float> %s{sum}_{steps}, ptr addrspace(1) %to{sum}")
print("  ret void\n}")
print('attributes #0 = { "amdgpu-flat-work-group-size"="64,64" }')
