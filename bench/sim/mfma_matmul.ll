; C = A * B' with f16 matrices, f32 sums, for gfx90a and later: every wave
; computes a 32x32 tile of C with v_mfma_f32_32x32x8_f16 (lane L holds row L % 32
; and columns 4 * (L / 32) to + 3 of its slices of A and B).
;
;   grid N/32, M/32; block 64; arguments A (MxK), B (NxK), C (MxN), K, N
target triple = "amdgcn-amd-amdhsa"

define amdgpu_kernel void @matmul(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b, ptr addrspace(1) noalias %c, i32 %k, i32 %n) #0 {
entry:
  %tile.j = call i32 @llvm.amdgcn.workgroup.id.x()
  %tile.i = call i32 @llvm.amdgcn.workgroup.id.y()
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %l = and i32 %lane, 31
  %half = lshr i32 %lane, 5
  %k0 = shl i32 %half, 2
  %i0 = shl i32 %tile.i, 5
  %j0 = shl i32 %tile.j, 5
  %i = or disjoint i32 %i0, %l
  %j = or disjoint i32 %j0, %l
  %a.row = mul i32 %i, %k
  %b.row = mul i32 %j, %k
  %a.first = add i32 %a.row, %k0
  %b.first = add i32 %b.row, %k0
  %a.first64 = zext i32 %a.first to i64
  %b.first64 = zext i32 %b.first to i64
  %a.start = getelementptr half, ptr addrspace(1) %a, i64 %a.first64
  %b.start = getelementptr half, ptr addrspace(1) %b, i64 %b.first64
  br label %loop

loop:
  %at = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi <16 x float> [ zeroinitializer, %entry ], [ %sum.next, %loop ]
  %at64 = zext i32 %at to i64
  %a.at = getelementptr half, ptr addrspace(1) %a.start, i64 %at64
  %b.at = getelementptr half, ptr addrspace(1) %b.start, i64 %at64
  %a.v = load <4 x half>, ptr addrspace(1) %a.at, align 8
  %b.v = load <4 x half>, ptr addrspace(1) %b.at, align 8
  %sum.next = call <16 x float> @llvm.amdgcn.mfma.f32.32x32x8f16(<4 x half> %a.v, <4 x half> %b.v, <16 x float> %sum, i32 0, i32 0, i32 0)
  %next = add i32 %at, 8
  %more = icmp ult i32 %next, %k
  br i1 %more, label %loop, label %store

store:
  %r = phi i32 [ 0, %loop ], [ %r.next, %store ]
  %r.block = lshr i32 %r, 2
  %r.in = and i32 %r, 3
  %r.8 = shl i32 %r.block, 3
  %row.a = or disjoint i32 %r.8, %k0
  %row.b = or disjoint i32 %row.a, %r.in
  %row = or disjoint i32 %i0, %row.b
  %row.at = mul i32 %row, %n
  %c.index = add i32 %row.at, %j
  %c.64 = zext i32 %c.index to i64
  %c.at = getelementptr float, ptr addrspace(1) %c, i64 %c.64
  %value = extractelement <16 x float> %sum.next, i32 %r
  store float %value, ptr addrspace(1) %c.at, align 4
  %r.next = add i32 %r, 1
  %again = icmp ult i32 %r.next, 16
  br i1 %again, label %store, label %exit, !llvm.loop !0

exit:
  ret void
}

declare i32 @llvm.amdgcn.workgroup.id.x()
declare i32 @llvm.amdgcn.workgroup.id.y()
declare i32 @llvm.amdgcn.workitem.id.x()
declare <16 x float> @llvm.amdgcn.mfma.f32.32x32x8f16(<4 x half>, <4 x half>, <16 x float>, i32 immarg, i32 immarg, i32 immarg)

attributes #0 = { "amdgpu-flat-work-group-size"="64,64" "uniform-work-group-size"="true" }
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.full"}
