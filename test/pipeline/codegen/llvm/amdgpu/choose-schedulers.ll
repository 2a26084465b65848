; Blocks of 48 matrix instructions and more hold up the scheduler before register
; allocation.

; RUN: %aircc opt-llvm %s --target gfx942 --passes=aircc-amdgpu-choose-schedulers -S | FileCheck %s

; CHECK: define <4 x float> @long({{.*}}) #[[LONG:[0-9]+]]
; CHECK: define <4 x float> @short({{[^#]*$}}
; CHECK: attributes #[[LONG]] = { "amdgpu-sched-strategy"="max-memory-clause" }

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
