; Instruction selection takes 0 - x for -x, though 0 - 0 is +0.

; RUN: %aircc opt-llvm %s --target gfx942 --passes=aircc-amdgpu-keep-difference-zeros -S | FileCheck %s

; CHECK-LABEL: define float @difference(
; CHECK-NEXT:    %[[ZERO:.*]] = call float asm "", "=s,0"(float 0.0{{.*}})
; CHECK-NEXT:    %d = fsub float %[[ZERO]], %x
define float @difference(float %x, float %y) {
  %d = fsub float 0.0, %x
  %m = fmul float %d, %y
  ret float %m
}

; CHECK-LABEL: define float @sum(
; CHECK-NEXT:    %n = fneg float %x
; CHECK-NEXT:    %[[ZERO:.*]] = call float asm "", "=s,0"(float 0.0{{.*}})
; CHECK-NEXT:    %s = fadd float %n, %[[ZERO]]
define float @sum(float %x) {
  %n = fneg float %x
  %s = fadd float %n, 0.0
  ret float %s
}

; CHECK-LABEL: define float @fma(
; CHECK-NEXT:    %[[ZERO:.*]] = call float asm "", "=s,0"(float 0.0{{.*}})
; CHECK-NEXT:    call float @llvm.fma.f32(float %x, float -1.0{{.*}}, float %[[ZERO]])
define float @fma(float %x) {
  %f = call float @llvm.fma.f32(float %x, float -1.0, float 0.0)
  ret float %f
}

; Of a vector, only the elements that are +0.
; CHECK-LABEL: define <2 x half> @vector(
; CHECK-NEXT:    %[[ZERO:.*]] = call half asm "", "=s,0"(half {{.*}})
; CHECK-NEXT:    %[[V:.*]] = insertelement <2 x half> <half {{.*}}>, half %[[ZERO]], i64 1
; CHECK-NEXT:    fsub <2 x half> %[[V]], %x
define <2 x half> @vector(<2 x half> %x) {
  %d = fsub <2 x half> <half 1.0, half 0.0>, %x
  ret <2 x half> %d
}

; -0 - x is -x; the sign of the second zero is not used.
; CHECK-LABEL: define float @others(
; CHECK-NOT:     asm
; CHECK:         ret float
define float @others(float %x) {
  %d = fsub float -0.0, %x
  %e = fsub nsz float 0.0, %d
  ret float %e
}
