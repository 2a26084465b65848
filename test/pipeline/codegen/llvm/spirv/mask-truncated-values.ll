; The backend joins a truncation and an extension to another width to an
; OpBitwiseAnd of values of two widths.

; RUN: %aircc opt-llvm %s --target bmg --passes=aircc-spirv-mask-truncated-values -S | FileCheck %s

; CHECK-LABEL: define spir_func i32 @narrower(
; CHECK:         %[[R:.*]] = trunc i64 %x to i32
; CHECK-NEXT:    %[[M:.*]] = and i32 %[[R]], 255
; CHECK-NEXT:    ret i32 %[[M]]
define spir_func i32 @narrower(i64 %x) {
  %t = trunc i64 %x to i8
  %z = zext i8 %t to i32
  ret i32 %z
}

; CHECK-LABEL: define spir_func <2 x i64> @wider(
; CHECK:         %[[R:.*]] = zext <2 x i32> %x to <2 x i64>
; CHECK-NEXT:    and <2 x i64> %[[R]], splat (i64 65535)
define spir_func <2 x i64> @wider(<2 x i32> %x) {
  %t = trunc <2 x i32> %x to <2 x i16>
  %z = zext <2 x i16> %t to <2 x i64>
  ret <2 x i64> %z
}

; Signs are not masked.
; CHECK-LABEL: define spir_func i32 @signed(
; CHECK-NEXT:    trunc i64 %x to i8
; CHECK-NEXT:    sext i8
define spir_func i32 @signed(i64 %x) {
  %t = trunc i64 %x to i8
  %z = sext i8 %t to i32
  ret i32 %z
}
