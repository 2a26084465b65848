"""Prints a kernel with COLD values, each used once, of which the first HOT are used many times more."""

COLD, HOT = 1000, 64

print('target triple = "amdgcn-amd-amdhsa"')
print("define amdgpu_kernel void @crowded(ptr addrspace(1) %p) #0 {")
for i in range(COLD):
    print(f"  %x{i} = load volatile i32, ptr addrspace(1) %p")
for i in range(COLD):
    print(f"  %a{i} = xor i32 %x{i}, %x{i % HOT}")
    print(f"  %b{i} = add i32 %a{i}, %x{i * 7 % COLD}")
    print(f"  store volatile i32 %b{i}, ptr addrspace(1) %p")
print("  ret void\n}")
print('attributes #0 = { "amdgpu-flat-work-group-size"="1024,1024" }')
