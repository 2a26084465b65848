; The backend shifts by the whole width where the distance is 0.

; RUN: %aircc opt-llvm %s --passes=aircc-spirv-expand-funnel-shifts -S | FileCheck %s
; RUN: %aircc opt-llvm %s --passes='aircc-spirv-expand-funnel-shifts,function(instsimplify)' -S | FileCheck %s --check-prefix=VALUE

target triple = "spirv64-unknown-unknown"

; CHECK-LABEL: define i32 @left(
; CHECK-NEXT:    %[[D:.*]] = urem i32 %d, 32
; CHECK-NEXT:    %[[R:.*]] = sub i32 31, %[[D]]
; CHECK-DAG:     %[[H:.*]] = shl i32 %x, %[[D]]
; CHECK-DAG:     %[[L1:.*]] = lshr i32 %y, 1
; CHECK-DAG:     %[[L:.*]] = lshr i32 %[[L1]], %[[R]]
; CHECK:         or i32 %[[H]], %[[L]]
define i32 @left(i32 %x, i32 %y, i32 %d) {
  %r = call i32 @llvm.fshl.i32(i32 %x, i32 %y, i32 %d)
  ret i32 %r
}

; CHECK-LABEL: define <2 x i16> @right(
; CHECK:         urem <2 x i16> %d, splat (i16 16)
; CHECK-DAG:     lshr <2 x i16> %y,
; CHECK-DAG:     shl <2 x i16> %x, splat (i16 1)
; CHECK:         or <2 x i16>
define <2 x i16> @right(<2 x i16> %x, <2 x i16> %y, <2 x i16> %d) {
  %r = call <2 x i16> @llvm.fshr.v2i16(<2 x i16> %x, <2 x i16> %y, <2 x i16> %d)
  ret <2 x i16> %r
}

; VALUE-LABEL: define i32 @zero(
; VALUE:         ret i32 305419896
define i32 @zero() {
  %r = call i32 @llvm.fshl.i32(i32 305419896, i32 -1, i32 32)
  ret i32 %r
}
