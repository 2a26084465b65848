; The outer loop of a nest that would be unrolled to more than 4,096 memory accesses
; and float ops is not unrolled. Smaller nests may be, and nests over private memory,
; which has to become registers.

; RUN: %aircc opt-llvm %s --target gfx1100 --passes=aircc-amdgpu-limit-unrolling -S | FileCheck %s

; CHECK-LABEL: define amdgpu_kernel void @large
; CHECK:       br i1 %next.j, label %inner, label %latch{{$}}
; CHECK:       br i1 %next.i, label %outer, label %end, !llvm.loop ![[LARGE:[0-9]+]]
; CHECK-LABEL: define amdgpu_kernel void @small
; CHECK-NOT:   !llvm.loop
; CHECK-LABEL: define amdgpu_kernel void @private
; CHECK-NOT:   !llvm.loop
; CHECK:       ![[LARGE]] = distinct !{![[LARGE]], ![[DISABLE:[0-9]+]]}
; CHECK:       ![[DISABLE]] = !{!"llvm.loop.unroll.disable", i32 1}

define amdgpu_kernel void @large(ptr addrspace(1) %p) {
entry:
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %i1, %latch ]
  br label %inner
inner:
  %j = phi i32 [ 0, %outer ], [ %j1, %inner ]
  %k = add i32 %i, %j
  %at = getelementptr float, ptr addrspace(1) %p, i32 %k
  %v = load float, ptr addrspace(1) %at
  %w = fadd float %v, 1.0
  store float %w, ptr addrspace(1) %at
  %j1 = add nuw nsw i32 %j, 1
  %next.j = icmp ult i32 %j1, 65
  br i1 %next.j, label %inner, label %latch
latch:
  %i1 = add nuw nsw i32 %i, 1
  %next.i = icmp ult i32 %i1, 65
  br i1 %next.i, label %outer, label %end
end:
  ret void
}

define amdgpu_kernel void @small(ptr addrspace(1) %p) {
entry:
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %i1, %latch ]
  br label %inner
inner:
  %j = phi i32 [ 0, %outer ], [ %j1, %inner ]
  %k = add i32 %i, %j
  %at = getelementptr float, ptr addrspace(1) %p, i32 %k
  %v = load float, ptr addrspace(1) %at
  %w = fadd float %v, 1.0
  store float %w, ptr addrspace(1) %at
  %j1 = add nuw nsw i32 %j, 1
  %next.j = icmp ult i32 %j1, 17
  br i1 %next.j, label %inner, label %latch
latch:
  %i1 = add nuw nsw i32 %i, 1
  %next.i = icmp ult i32 %i1, 17
  br i1 %next.i, label %outer, label %end
end:
  ret void
}

define amdgpu_kernel void @private(ptr addrspace(1) %p) {
entry:
  %buffer = alloca [128 x float], addrspace(5)
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %i1, %latch ]
  br label %inner
inner:
  %j = phi i32 [ 0, %outer ], [ %j1, %inner ]
  %k = add i32 %i, %j
  %at = getelementptr float, ptr addrspace(5) %buffer, i32 %k
  %v = load float, ptr addrspace(5) %at
  %w = fadd float %v, 1.0
  store float %w, ptr addrspace(5) %at
  %j1 = add nuw nsw i32 %j, 1
  %next.j = icmp ult i32 %j1, 65
  br i1 %next.j, label %inner, label %latch
latch:
  %i1 = add nuw nsw i32 %i, 1
  %next.i = icmp ult i32 %i1, 65
  br i1 %next.i, label %outer, label %end
end:
  ret void
}
