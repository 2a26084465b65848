"""Writes loops with 16 and 2 matrix instructions. They load from global memory, and from one of two buffers in LDS."""


def write(name, products):
    lines = [
        f"define amdgpu_kernel void @{name}(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) {{",
        "entry:",
        "  %lane = call range(i32 0, 64) i32 @llvm.amdgcn.workitem.id.x()",
        "  %row = shl i32 %lane, 5",
        "  %wide = zext i32 %row to i64",
        "  br label %loop",
        "loop:",
        "  %i = phi i32 [ 0, %entry ], [ %next, %loop ]",
        "  %buffer = phi i32 [ 0, %entry ], [ %other, %loop ]",
        "  %sums = phi <4 x float> [ zeroinitializer, %entry ], [ %last, %loop ]",
        "  %k = zext i32 %i to i64",
        "  %from = add i64 %wide, %k",
        "  %fromPointer = getelementptr <4 x half>, ptr addrspace(1) %in, i64 %from",
        "  %a = load <4 x half>, ptr addrspace(1) %fromPointer",
        "  %start = shl i32 %buffer, 12",
        "  %first = or disjoint i32 %start, %row",
        "  %firstPointer = getelementptr half, ptr addrspace(3) @tile, i32 %first",
        "  %x0 = load <4 x half>, ptr addrspace(3) %firstPointer",
        "  %second = add i32 %first, 512",
        "  %secondPointer = getelementptr half, ptr addrspace(3) @tile, i32 %second",
        "  %x1 = load <4 x half>, ptr addrspace(3) %secondPointer",
        "  %sum = add i32 %first, 1024",
        "  %third = xor i32 %sum, 16",
        "  %thirdPointer = getelementptr half, ptr addrspace(3) @tile, i32 %third",
        "  %x2 = load <4 x half>, ptr addrspace(3) %thirdPointer",
    ]
    for i in range(products):
        sums = f"%s{i - 1}" if i else "%sums"
        result = "%last" if i == products - 1 else f"%s{i}"
        lines.append(
            f"  {result} = call <4 x float> @llvm.amdgcn.mfma.f32.16x16x16f16(<4 x half> %x{i % 3}, <4 x half> %a,"
            f" <4 x float> {sums}, i32 0, i32 0, i32 0)"
        )
    lines += [
        "  %other = xor i32 %buffer, 1",
        "  %next = add i32 %i, 1",
        "  %done = icmp eq i32 %next, %n",
        "  br i1 %done, label %exit, label %loop",
        "exit:",
        "  store <4 x float> %last, ptr addrspace(1) %out",
        "  ret void",
        "}",
    ]
    return "\n".join(lines)


print("@tile = internal addrspace(3) global [8192 x half] poison")
print(write("hoisted", 16))
print(write("few", 2))
