"""Writes loops with 16 and 2 matrix instructions. They load from global memory, and from one of two buffers in LDS."""

# A loop that moves rows from a buffer of 4096 bytes to LDS, at offsets that are known to be within it, or not.
MOVES = """define amdgpu_kernel void @moves(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %unknown, i32 %n) {
entry:
  %thread = call range(i32 0, 256) i32 @llvm.amdgcn.workitem.id.x()
  %lane = and i32 %thread, 63
  %offset = shl i32 %lane, 4
  %waveOfLane = lshr i32 %thread, 6
  %wave = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %waveOfLane)
  %known = shl i32 %wave, 9
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sums = phi <4 x float> [ zeroinitializer, %entry ], [ %last, %loop ]
  %row = getelementptr i8, ptr addrspace(1) %in, i32 %i
  %buffer = call ptr addrspace(7) @llvm.amdgcn.make.buffer.rsrc.p7.p1(ptr addrspace(1) %row, i16 0, i64 4096, i32 0)
  %first = or i32 %offset, 1024
  %from = add i32 %first, %known
  %fromPointer = getelementptr i8, ptr addrspace(7) %buffer, i32 %from
  call void @llvm.amdgcn.load.to.lds.p7(ptr addrspace(7) %fromPointer, ptr addrspace(3) @tile, i32 16, i32 0, i32 0)
  %any = add i32 %offset, %unknown
  %anyPointer = getelementptr i8, ptr addrspace(7) %buffer, i32 %any
  call void @llvm.amdgcn.load.to.lds.p7(ptr addrspace(7) %anyPointer, ptr addrspace(3) @tile, i32 16, i32 0, i32 0)
"""
END = """  %next = add i32 %i, 1
  %done = icmp eq i32 %next, %n
  br i1 %done, label %exit, label %loop
exit:
  store <4 x float> %last, ptr addrspace(1) %out
  ret void
}"""


def products(count, factor):
    lines = []
    for i in range(count):
        sums = f"%s{i - 1}" if i else "%sums"
        result = "%last" if i == count - 1 else f"%s{i}"
        lines.append(
            f"  {result} = call <4 x float> @llvm.amdgcn.mfma.f32.16x16x16f16(<4 x half> {factor(i)},"
            f" <4 x half> {factor(i)}, <4 x float> {sums}, i32 0, i32 0, i32 0)"
        )
    return lines


def write(name, count):
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
        "  store <4 x half> %a, ptr addrspace(1) %out",
        "  %start = shl i32 %buffer, 12",
        "  %first = or disjoint i32 %start, %row",
        "  %firstPointer = getelementptr half, ptr addrspace(3) @tile, i32 %first",
        "  %x0 = load <4 x half>, ptr addrspace(3) %firstPointer",
        "  %second = add i32 %first, 512",
        "  %secondPointer = getelementptr half, ptr addrspace(3) @tile, i32 %second",
        "  %x1 = load <4 x half>, ptr addrspace(3) %secondPointer",
        "  %third = xor i32 %first, 2080",
        "  %thirdPointer = getelementptr half, ptr addrspace(3) @tile, i32 %third",
        "  %x2 = load <4 x half>, ptr addrspace(3) %thirdPointer",
        "  %fourth = xor i32 %first, 4096",
        "  %fourthPointer = getelementptr half, ptr addrspace(3) @tile, i32 %fourth",
        "  %x3 = load <4 x half>, ptr addrspace(3) %fourthPointer",
    ]
    lines += products(count, lambda i: f"%x{i % 4}")
    return "\n".join(lines + ["  %other = xor i32 %buffer, 1", END])


print("@tile = internal addrspace(3) global [8192 x half] poison")
print(write("hoisted", 16))
print(write("few", 2))
print(MOVES + "\n".join(products(16, lambda i: "zeroinitializer") + [END]))
