"""Writes loops with 16 matrix instructions, loads before them, and a store after them. In @interleaved the barrier is
between the matrix instructions, in @after before them. In @moves, reads from LDS and moves to LDS follow it. In
@barriers, there are two barriers, and reads from LDS right after the first one and in the middle between them."""


def write(name, barriers, moves=0, reads=()):
    """`barriers` and `reads` are numbers of matrix instructions before a barrier and before four reads. `moves` is the
    number of reads and moves at the end."""
    lines = [
        f"define amdgpu_kernel void @{name}(ptr addrspace(3) %p, ptr addrspace(1) %out, i32 %n) {{",
        "entry:",
        "  br label %loop",
        "loop:",
        "  %i = phi i32 [ 0, %entry ], [ %next, %loop ]",
        "  %first = phi <4 x half> [ zeroinitializer, %entry ], [ %x7, %loop ]",
        "  %sums = phi <4 x float> [ zeroinitializer, %entry ], [ %s15, %loop ]",
    ]
    for i in range(8):
        lines.append(f"  %p{i} = getelementptr <4 x half>, ptr addrspace(3) %p, i32 {i}")
        lines.append(f"  %x{i} = load <4 x half>, ptr addrspace(3) %p{i}")
    for i in range(16):
        if i in barriers:
            lines.append("  call void @llvm.amdgcn.s.barrier()")
        if i in reads:
            lines += [f"  %r{i}_{j} = load volatile <4 x half>, ptr addrspace(3) %p{j}" for j in range(4)]
        sums = f"%s{i - 1}" if i else "%sums"
        lines.append(
            f"  %s{i} = call <4 x float> @llvm.amdgcn.mfma.f32.16x16x16f16(<4 x half> %first, <4 x half> %first,"
            f" <4 x float> {sums}, i32 0, i32 0, i32 0)"
        )
    for i in range(moves):
        lines.append(f"  %y{i} = load <4 x half>, ptr addrspace(3) %p{i}, !noalias !0")
    for i in range(moves):
        lines.append(
            f"  call void @llvm.amdgcn.load.to.lds.p1(ptr addrspace(1) %out, ptr addrspace(3) %p{i},"
            " i32 16, i32 0, i32 0), !alias.scope !0"
        )
    lines += [
        "" if moves else "  store <4 x half> %first, ptr addrspace(3) %p",
        "  %next = add i32 %i, 1",
        "  %done = icmp eq i32 %next, %n",
        "  br i1 %done, label %exit, label %loop",
        "exit:",
        "  store <4 x float> %s15, ptr addrspace(1) %out",
        "  ret void",
        "}",
    ]
    return "\n".join(lines)


print(write("interleaved", [8]))
print(write("after", [0]))
print(write("moves", [8], moves=4))
print(write("barriers", [4, 12], reads=[4, 8]))
print('!0 = !{!1}\n!1 = distinct !{!1, !2, !"lds"}\n!2 = distinct !{!2, !"moves"}')
