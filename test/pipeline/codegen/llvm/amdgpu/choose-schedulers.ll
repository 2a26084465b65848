; Blocks of 48 matrix instructions and more hold up the scheduler before register
; allocation. In loops that gather tiles from memory element by element and pack
; the elements, all loads are to be issued before the first is waited for.

; RUN: %aircc opt-llvm %s --target gfx942 --passes=aircc-amdgpu-choose-schedulers -S | FileCheck %s

; CHECK: define <4 x float> @long({{.*}}) #[[LONG:[0-9]+]]
; CHECK: define <4 x float> @short({{[^#]*$}}
; CHECK: define <4 x float> @gather({{.*}}) #[[GATHER:[0-9]+]]
; CHECK: define <4 x float> @wide({{[^#]*$}}
; CHECK: define <4 x float> @whole({{[^#]*$}}
; CHECK: define <4 x float> @copy({{[^#]*$}}
; CHECK: attributes #[[LONG]] = { "amdgpu-sched-strategy"="max-memory-clause" }
; CHECK: attributes #[[GATHER]] = { "amdgpu-sched-strategy"="iterative-ilp" }

define <4 x float> @long(<4 x half> %a, <4 x half> %b, <4 x float> %c0) {
  %c1 = call <4 x float> @llvm.amdgcn.mfma.f32.16x16x16f16(<4 x half> %a, <4 x half> %b, <4 x float> %c0, i32 0, i32 0, i32 0)
  %c2 = call <4 x float> @llvm.amdgcn.mfma.f32.16x16x16f16(<4 x half> %a, <4 x half> %b, <4 x float> %c1, i32 0, i32 0, i32 0)
  %c3 = call <4 x float> @llvm.amdgcn.mfma.f32.16x16x16f16(<4 x half> %a, <4 x half> %b, <4 x float> %c2, i32 0, i32 0, i32 0)
  %c4 = call <4 x float> @llvm.amdgcn.mfma.f32.16x16x16f16(<4 x half> %a, <4 x half> %b, <4 x float> %c3, i32 0, i32 0, i32 0)
  %c5 = call <4 x float> @llvm.amdgcn.mfma.f32.16x16x16f16(<4 x half> %a, <4 x half> %b, <4 x float> %c4, i32 0, i32 0, i32 0)
  %c6 = call <4 x float> @llvm.amdgcn.mfma.f32.16x16x16f16(<4 x half> %a, <4 x half> %b, <4 x float> %c5, i32 0, i32 0, i32 0)
  %c7 = call <4 x float> @llvm.amdgcn.mfma.f32.16x16x16f16(<4 x half> %a, <4 x half> %b, <4 x float> %c6, i32 0, i32 0, i32 0)
  %c8 = call <4 x float> @llvm.amdgcn.mfma.f32.16x16x16f16(<4 x half> %a, <4 x half> %b, <4 x float> %c7, i32 0, i32 0, i32 0)
  %c9 = call <4 x float> @llvm.amdgcn.mfma.f32.16x16x16f16(<4 x half> %a, <4 x half> %b, <4 x float> %c8, i32 0, i32 0, i32 0)
  %c10 = call <4 x float> @llvm.amdgcn.mfma.f32.16x16x16f16(<4 x half> %a, <4 x half> %b, <4 x float> %c9, i32 0, i32 0, i32 0)
  %c11 = call <4 x float> @llvm.amdgcn.mfma.f32.16x16x16f16(<4 x half> %a, <4 x half> %b, <4 x float> %c10, i32 0, i32 0, i32 0)
  %c12 = call <4 x float> @llvm.amdgcn.mfma.f32.16x16x16f16(<4 x half> %a, <4 x half> %b, <4 x float> %c11, i32 0, i32 0, i32 0)
  %c13 = call <4 x float> @llvm.amdgcn.mfma.f32.16x16x16f16(<4 x half> %a, <4 x half> %b, <4 x float> %c12, i32 0, i32 0, i32 0)
  %c14 = call <4 x float> @llvm.amdgcn.mfma.f32.16x16x16f16(<4 x half> %a, <4 x half> %b, <4 x float> %c13, i32 0, i32 0, i32 0)
  %c15 = call <4 x float> @llvm.amdgcn.mfma.f32.16x16x16f16(<4 x half> %a, <4 x half> %b, <4 x float> %c14, i32 0, i32 0, i32 0)
  %c16 = call <4 x float> @llvm.amdgcn.mfma.f32.16x16x16f16(<4 x half> %a, <4 x half> %b, <4 x float> %c15, i32 0, i32 0, i32 0)
  %c17 = call <4 x float> @llvm.amdgcn.mfma.f32.16x16x16f16(<4 x half> %a, <4 x half> %b, <4 x float> %c16, i32 0, i32 0, i32 0)
  %c18 = call <4 x float> @llvm.amdgcn.mfma.f32.16x16x16f16(<4 x half> %a, <4 x half> %b, <4 x float> %c17, i32 0, i32 0, i32 0)
  %c19 = call <4 x float> @llvm.amdgcn.mfma.f32.16x16x16f16(<4 x half> %a, <4 x half> %b, <4 x float> %c18, i32 0, i32 0, i32 0)
  %c20 = call <4 x float> @llvm.amdgcn.mfma.f32.16x16x16f16(<4 x half> %a, <4 x half> %b, <4 x float> %c19, i32 0, i32 0, i32 0)
  %c21 = call <4 x float> @llvm.amdgcn.mfma.f32.16x16x16f16(<4 x half> %a, <4 x half> %b, <4 x float> %c20, i32 0, i32 0, i32 0)
  %c22 = call <4 x float> @llvm.amdgcn.mfma.f32.16x16x16f16(<4 x half> %a, <4 x half> %b, <4 x float> %c21, i32 0, i32 0, i32 0)
  %c23 = call <4 x float> @llvm.amdgcn.mfma.f32.16x16x16f16(<4 x half> %a, <4 x half> %b, <4 x float> %c22, i32 0, i32 0, i32 0)
  %c24 = call <4 x float> @llvm.amdgcn.mfma.f32.16x16x16f16(<4 x half> %a, <4 x half> %b, <4 x float> %c23, i32 0, i32 0, i32 0)
  %c25 = call <4 x float> @llvm.amdgcn.mfma.f32.16x16x16f16(<4 x half> %a, <4 x half> %b, <4 x float> %c24, i32 0, i32 0, i32 0)
  %c26 = call <4 x float> @llvm.amdgcn.mfma.f32.16x16x16f16(<4 x half> %a, <4 x half> %b, <4 x float> %c25, i32 0, i32 0, i32 0)
  %c27 = call <4 x float> @llvm.amdgcn.mfma.f32.16x16x16f16(<4 x half> %a, <4 x half> %b, <4 x float> %c26, i32 0, i32 0, i32 0)
  %c28 = call <4 x float> @llvm.amdgcn.mfma.f32.16x16x16f16(<4 x half> %a, <4 x half> %b, <4 x float> %c27, i32 0, i32 0, i32 0)
  %c29 = call <4 x float> @llvm.amdgcn.mfma.f32.16x16x16f16(<4 x half> %a, <4 x half> %b, <4 x float> %c28, i32 0, i32 0, i32 0)
  %c30 = call <4 x float> @llvm.amdgcn.mfma.f32.16x16x16f16(<4 x half> %a, <4 x half> %b, <4 x float> %c29, i32 0, i32 0, i32 0)
  %c31 = call <4 x float> @llvm.amdgcn.mfma.f32.16x16x16f16(<4 x half> %a, <4 x half> %b, <4 x float> %c30, i32 0, i32 0, i32 0)
  %c32 = call <4 x float> @llvm.amdgcn.mfma.f32.16x16x16f16(<4 x half> %a, <4 x half> %b, <4 x float> %c31, i32 0, i32 0, i32 0)
  %c33 = call <4 x float> @llvm.amdgcn.mfma.f32.16x16x16f16(<4 x half> %a, <4 x half> %b, <4 x float> %c32, i32 0, i32 0, i32 0)
  %c34 = call <4 x float> @llvm.amdgcn.mfma.f32.16x16x16f16(<4 x half> %a, <4 x half> %b, <4 x float> %c33, i32 0, i32 0, i32 0)
  %c35 = call <4 x float> @llvm.amdgcn.mfma.f32.16x16x16f16(<4 x half> %a, <4 x half> %b, <4 x float> %c34, i32 0, i32 0, i32 0)
  %c36 = call <4 x float> @llvm.amdgcn.mfma.f32.16x16x16f16(<4 x half> %a, <4 x half> %b, <4 x float> %c35, i32 0, i32 0, i32 0)
  %c37 = call <4 x float> @llvm.amdgcn.mfma.f32.16x16x16f16(<4 x half> %a, <4 x half> %b, <4 x float> %c36, i32 0, i32 0, i32 0)
  %c38 = call <4 x float> @llvm.amdgcn.mfma.f32.16x16x16f16(<4 x half> %a, <4 x half> %b, <4 x float> %c37, i32 0, i32 0, i32 0)
  %c39 = call <4 x float> @llvm.amdgcn.mfma.f32.16x16x16f16(<4 x half> %a, <4 x half> %b, <4 x float> %c38, i32 0, i32 0, i32 0)
  %c40 = call <4 x float> @llvm.amdgcn.mfma.f32.16x16x16f16(<4 x half> %a, <4 x half> %b, <4 x float> %c39, i32 0, i32 0, i32 0)
  %c41 = call <4 x float> @llvm.amdgcn.mfma.f32.16x16x16f16(<4 x half> %a, <4 x half> %b, <4 x float> %c40, i32 0, i32 0, i32 0)
  %c42 = call <4 x float> @llvm.amdgcn.mfma.f32.16x16x16f16(<4 x half> %a, <4 x half> %b, <4 x float> %c41, i32 0, i32 0, i32 0)
  %c43 = call <4 x float> @llvm.amdgcn.mfma.f32.16x16x16f16(<4 x half> %a, <4 x half> %b, <4 x float> %c42, i32 0, i32 0, i32 0)
  %c44 = call <4 x float> @llvm.amdgcn.mfma.f32.16x16x16f16(<4 x half> %a, <4 x half> %b, <4 x float> %c43, i32 0, i32 0, i32 0)
  %c45 = call <4 x float> @llvm.amdgcn.mfma.f32.16x16x16f16(<4 x half> %a, <4 x half> %b, <4 x float> %c44, i32 0, i32 0, i32 0)
  %c46 = call <4 x float> @llvm.amdgcn.mfma.f32.16x16x16f16(<4 x half> %a, <4 x half> %b, <4 x float> %c45, i32 0, i32 0, i32 0)
  %c47 = call <4 x float> @llvm.amdgcn.mfma.f32.16x16x16f16(<4 x half> %a, <4 x half> %b, <4 x float> %c46, i32 0, i32 0, i32 0)
  %c48 = call <4 x float> @llvm.amdgcn.mfma.f32.16x16x16f16(<4 x half> %a, <4 x half> %b, <4 x float> %c47, i32 0, i32 0, i32 0)
  ret <4 x float> %c48
}

define <4 x float> @short(<4 x half> %a, <4 x half> %b, <4 x float> %c0) {
  %c1 = call <4 x float> @llvm.amdgcn.mfma.f32.16x16x16f16(<4 x half> %a, <4 x half> %b, <4 x float> %c0, i32 0, i32 0, i32 0)
  %c2 = call <4 x float> @llvm.amdgcn.mfma.f32.16x16x16f16(<4 x half> %a, <4 x half> %b, <4 x float> %c1, i32 0, i32 0, i32 0)
  %c3 = call <4 x float> @llvm.amdgcn.mfma.f32.16x16x16f16(<4 x half> %a, <4 x half> %b, <4 x float> %c2, i32 0, i32 0, i32 0)
  %c4 = call <4 x float> @llvm.amdgcn.mfma.f32.16x16x16f16(<4 x half> %a, <4 x half> %b, <4 x float> %c3, i32 0, i32 0, i32 0)
  ret <4 x float> %c4
}

; A tile is gathered.
define <4 x float> @gather(ptr addrspace(1) %p, ptr addrspace(3) %lds, <4 x half> %b, <4 x float> %c0) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %c = phi <4 x float> [ %c0, %entry ], [ %sum, %loop ]
  %a = load <4 x half>, ptr addrspace(3) %lds
  %sum = call <4 x float> @llvm.amdgcn.mfma.f32.16x16x16f16(<4 x half> %a, <4 x half> %b, <4 x float> %c, i32 0, i32 0, i32 0)
  %p0 = getelementptr [1000 x half], ptr addrspace(1) %p, i64 %i
  %e0 = load half, ptr addrspace(1) %p0
  %p1 = getelementptr [1001 x half], ptr addrspace(1) %p, i64 %i
  %e1 = load half, ptr addrspace(1) %p1
  %p2 = getelementptr [1002 x half], ptr addrspace(1) %p, i64 %i
  %e2 = load half, ptr addrspace(1) %p2
  %p3 = getelementptr [1003 x half], ptr addrspace(1) %p, i64 %i
  %e3 = load half, ptr addrspace(1) %p3
  %v0 = insertelement <4 x half> poison, half %e0, i32 0
  %v1 = insertelement <4 x half> %v0, half %e1, i32 1
  %v2 = insertelement <4 x half> %v1, half %e2, i32 2
  %v3 = insertelement <4 x half> %v2, half %e3, i32 3
  store <4 x half> %v3, ptr addrspace(3) %lds
  %next = add i64 %i, 1
  %more = icmp ne i64 %next, 8
  br i1 %more, label %loop, label %end

end:
  ret <4 x float> %sum
}

; Elements of 32 bits need no packing.
define <4 x float> @wide(ptr addrspace(1) %p, ptr addrspace(3) %lds, <4 x half> %b, <4 x float> %c0) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %c = phi <4 x float> [ %c0, %entry ], [ %sum, %loop ]
  %a = load <4 x half>, ptr addrspace(3) %lds
  %sum = call <4 x float> @llvm.amdgcn.mfma.f32.16x16x16f16(<4 x half> %a, <4 x half> %b, <4 x float> %c, i32 0, i32 0, i32 0)
  %p0 = getelementptr [1000 x float], ptr addrspace(1) %p, i64 %i
  %e0 = load float, ptr addrspace(1) %p0
  %p1 = getelementptr [1001 x float], ptr addrspace(1) %p, i64 %i
  %e1 = load float, ptr addrspace(1) %p1
  %p2 = getelementptr [1002 x float], ptr addrspace(1) %p, i64 %i
  %e2 = load float, ptr addrspace(1) %p2
  %p3 = getelementptr [1003 x float], ptr addrspace(1) %p, i64 %i
  %e3 = load float, ptr addrspace(1) %p3
  %v0 = insertelement <4 x float> poison, float %e0, i32 0
  %v1 = insertelement <4 x float> %v0, float %e1, i32 1
  %v2 = insertelement <4 x float> %v1, float %e2, i32 2
  %v3 = insertelement <4 x float> %v2, float %e3, i32 3
  store <4 x float> %v3, ptr addrspace(3) %lds
  %next = add i64 %i, 1
  %more = icmp ne i64 %next, 8
  br i1 %more, label %loop, label %end

end:
  ret <4 x float> %sum
}

; One load returns all elements.
define <4 x float> @whole(ptr addrspace(1) %p, ptr addrspace(3) %lds, <4 x half> %b, <4 x float> %c0) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %c = phi <4 x float> [ %c0, %entry ], [ %sum, %loop ]
  %a = load <4 x half>, ptr addrspace(3) %lds
  %sum = call <4 x float> @llvm.amdgcn.mfma.f32.16x16x16f16(<4 x half> %a, <4 x half> %b, <4 x float> %c, i32 0, i32 0, i32 0)
  %q = getelementptr <4 x half>, ptr addrspace(1) %p, i64 %i
  %v = load <4 x half>, ptr addrspace(1) %q
  store <4 x half> %v, ptr addrspace(3) %lds
  %next = add i64 %i, 1
  %more = icmp ne i64 %next, 8
  br i1 %more, label %loop, label %end

end:
  ret <4 x float> %sum
}

; LDS returns the elements.
define <4 x float> @copy(ptr addrspace(1) %p, ptr addrspace(3) %lds, <4 x half> %b, <4 x float> %c0) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %c = phi <4 x float> [ %c0, %entry ], [ %sum, %loop ]
  %a = load <4 x half>, ptr addrspace(3) %lds
  %sum = call <4 x float> @llvm.amdgcn.mfma.f32.16x16x16f16(<4 x half> %a, <4 x half> %b, <4 x float> %c, i32 0, i32 0, i32 0)
  %p0 = getelementptr [1000 x half], ptr addrspace(3) %lds, i64 %i
  %e0 = load half, ptr addrspace(3) %p0
  %p1 = getelementptr [1001 x half], ptr addrspace(3) %lds, i64 %i
  %e1 = load half, ptr addrspace(3) %p1
  %p2 = getelementptr [1002 x half], ptr addrspace(3) %lds, i64 %i
  %e2 = load half, ptr addrspace(3) %p2
  %p3 = getelementptr [1003 x half], ptr addrspace(3) %lds, i64 %i
  %e3 = load half, ptr addrspace(3) %p3
  %v0 = insertelement <4 x half> poison, half %e0, i32 0
  %v1 = insertelement <4 x half> %v0, half %e1, i32 1
  %v2 = insertelement <4 x half> %v1, half %e2, i32 2
  %v3 = insertelement <4 x half> %v2, half %e3, i32 3
  store <4 x half> %v3, ptr addrspace(3) %lds
  %next = add i64 %i, 1
  %more = icmp ne i64 %next, 8
  br i1 %more, label %loop, label %end

end:
  ret <4 x float> %sum
}
