; A product of f32 that is truncated to f16 becomes v_fma_mixlo_f16, with an
; addend of +0: the product's -0 would become +0.

; RUN: %aircc opt-llvm %s --target gfx942 --passes=aircc-amdgpu-keep-product-signs -S | FileCheck %s

; CHECK-LABEL: define half @product(
; CHECK:         %[[P:.*]] = call float @llvm.fma.f32(float %x, float %y, float -0.0
; CHECK-NEXT:    fptrunc float %[[P]] to half
define half @product(float %x, float %y) {
  %p = fmul float %x, %y
  %h = fptrunc float %p to half
  ret half %h
}

; CHECK-LABEL: define <2 x half> @negated(
; CHECK:         %[[N:.*]] = fneg <2 x float> %x
; CHECK-NEXT:    %[[P:.*]] = call <2 x float> @llvm.fma.v2f32(<2 x float> %[[N]], <2 x float> %y, <2 x float> splat (float -0.0
; CHECK-NEXT:    fptrunc <2 x float> %[[P]] to <2 x half>
define <2 x half> @negated(<2 x float> %x, <2 x float> %y) {
  %p = fmul <2 x float> %x, %y
  %n = fneg <2 x float> %p
  %h = fptrunc <2 x float> %n to <2 x half>
  ret <2 x half> %h
}

; Nobody asks for the sign of this zero.
; CHECK-LABEL: define half @nsz(
; CHECK-NEXT:    fmul nsz float
; CHECK-NEXT:    fptrunc
define half @nsz(float %x, float %y) {
  %p = fmul nsz float %x, %y
  %h = fptrunc float %p to half
  ret half %h
}

; f32 stays f32: no such instruction.
; CHECK-LABEL: define bfloat @bfloat(
; CHECK-NEXT:    fmul float
define bfloat @bfloat(float %x, float %y) {
  %p = fmul float %x, %y
  %h = fptrunc float %p to bfloat
  ret bfloat %h
}
