; Without optimization, LLVM mistakes unsigned i32 dividends whose upper bits are
; copies of the sign for 24-bit numbers, and divides them as floats.

; RUN: %aircc opt-llvm %s --target gfx942 --passes=aircc-amdgpu-keep-unsigned-quotients -S | FileCheck %s

; CHECK-LABEL: define i32 @extended(
; CHECK-NEXT:    %a = sext i16 %x to i32
; CHECK-NEXT:    %b = sext i16 %y to i32
; CHECK-NEXT:    %[[HIDDEN:.*]] = call i32 asm "", "=v,0"(i32 %a)
; CHECK-NEXT:    udiv i32 %[[HIDDEN]], %b
define i32 @extended(i16 %x, i16 %y) {
  %a = sext i16 %x to i32
  %b = sext i16 %y to i32
  %q = udiv i32 %a, %b
  ret i32 %q
}

; CHECK-LABEL: define <2 x i32> @vector(
; CHECK-COUNT-2: call i32 asm "", "=v,0"(
; CHECK-NOT:     asm
; CHECK:         urem <2 x i32>
define <2 x i32> @vector(<2 x i8> %x, <2 x i32> %y) {
  %a = sext <2 x i8> %x to <2 x i32>
  %q = urem <2 x i32> %a, %y
  ret <2 x i32> %q
}

; Numbers of 24 bits that are known to be such, and signed ones, stay.
; CHECK-LABEL: define i32 @others(
; CHECK-NOT:     asm
; CHECK:         ret i32
define i32 @others(i16 %x, i16 %y, i32 %z) {
  %a = zext i16 %x to i32
  %b = sext i16 %y to i32
  %p = udiv i32 %a, %z
  %q = sdiv i32 %b, %z
  %r = udiv i32 %z, %a
  %s = add i32 %p, %q
  %t = add i32 %s, %r
  ret i32 %t
}
