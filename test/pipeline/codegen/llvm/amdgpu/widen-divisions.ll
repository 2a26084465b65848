; Without optimization, the backend cannot select a quotient and a remainder of
; the same narrow operands.

; RUN: %aircc opt-llvm %s --target gfx942 --passes=aircc-amdgpu-widen-divisions -S | FileCheck %s
; RUN: %aircc opt-llvm %s --target gfx942 -O0 --asm | FileCheck %s --check-prefix=ASM

; ASM: both:

; CHECK-LABEL: define i16 @both(
; CHECK:         %[[A:.*]] = zext i16 %a to i32
; CHECK-NEXT:    %[[B:.*]] = zext i16 %b to i32
; CHECK-NEXT:    %[[Q:.*]] = udiv i32 %[[A]], %[[B]]
; CHECK-NEXT:    trunc i32 %[[Q]] to i16
; CHECK:         urem i32
; CHECK-NOT:     {{udiv|urem}} i16
define i16 @both(i16 %a, i16 %b) {
  %q = udiv i16 %a, %b
  %r = urem i16 %a, %b
  %s = add i16 %q, %r
  ret i16 %s
}

define amdgpu_kernel void @kernel(ptr addrspace(1) %p, i16 %a, i16 %b) {
  %s = call i16 @both(i16 %a, i16 %b)
  store i16 %s, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: define <2 x i8> @signed(
; CHECK:         sext <2 x i8> %a to <2 x i32>
; CHECK-NEXT:    sext <2 x i8> %b to <2 x i32>
; CHECK-NEXT:    srem <2 x i32>
define <2 x i8> @signed(<2 x i8> %a, <2 x i8> %b) {
  %r = srem <2 x i8> %a, %b
  ret <2 x i8> %r
}

; CHECK-LABEL: define i32 @wide(
; CHECK-NEXT:    sdiv i32 %a, %b
define i32 @wide(i32 %a, i32 %b) {
  %q = sdiv i32 %a, %b
  ret i32 %q
}
