; SPIR-V for OpenCL has reversals of bits in an extension only.

; RUN: %aircc opt-llvm %s --target bmg --passes=aircc-spirv-expand-bit-reversals -S | FileCheck %s
; RUN: %aircc opt-llvm %s --target bmg --passes='aircc-spirv-expand-bit-reversals,function(instsimplify)' -S | FileCheck %s --check-prefix=VALUE

; CHECK-LABEL: define i8 @byte(
; CHECK-NEXT:    %[[L1:.*]] = and i8 %x, 85
; CHECK-NEXT:    %[[U1:.*]] = shl i8 %[[L1]], 1
; CHECK-NEXT:    %[[R1:.*]] = lshr i8 %x, 1
; CHECK-NEXT:    %[[D1:.*]] = and i8 %[[R1]], 85
; CHECK-NEXT:    %[[S1:.*]] = or i8 %[[U1]], %[[D1]]
; CHECK-NEXT:    and i8 %[[S1]], 51
; CHECK:         and i8 {{.*}}, 15
; CHECK-NOT:     bitreverse
; CHECK:         ret i8
define i8 @byte(i8 %x) {
  %r = call i8 @llvm.bitreverse.i8(i8 %x)
  ret i8 %r
}

; A narrow value is reversed in the upper bits of a wider one.
; CHECK-LABEL: define i5 @narrow(
; CHECK-NEXT:    zext i5 %x to i8
; CHECK:         %[[R:.*]] = lshr i8 {{.*}}, 3
; CHECK-NEXT:    trunc i8 %[[R]] to i5
define i5 @narrow(i5 %x) {
  %r = call i5 @llvm.bitreverse.i5(i5 %x)
  ret i5 %r
}

; 0b00000000000000000000000000010110 and 0b00011
; VALUE-LABEL: define i32 @constant(
; VALUE:         ret i32 1744830464
; VALUE-LABEL: define i5 @constant5(
; VALUE:         ret i5 -8
define i32 @constant() {
  %r = call i32 @llvm.bitreverse.i32(i32 22)
  ret i32 %r
}

define i5 @constant5() {
  %r = call i5 @llvm.bitreverse.i5(i5 3)
  ret i5 %r
}
