; Sums of vectors with their carries.

; RUN: %aircc opt-llvm %s --passes=aircc-spirv-expand-overflow-checks -S | FileCheck %s

target triple = "spirv64-unknown-unknown"

; CHECK-LABEL: define <2 x i32> @sum(
; CHECK-NEXT:    %[[S:.*]] = add <2 x i32> %x, %y
; CHECK-NEXT:    %[[C:.*]] = icmp ult <2 x i32> %[[S]], %x
; CHECK-NEXT:    select <2 x i1> %[[C]], <2 x i32> %x, <2 x i32> %[[S]]
define <2 x i32> @sum(<2 x i32> %x, <2 x i32> %y) {
  %r = call {<2 x i32>, <2 x i1>} @llvm.uadd.with.overflow.v2i32(<2 x i32> %x, <2 x i32> %y)
  %s = extractvalue {<2 x i32>, <2 x i1>} %r, 0
  %c = extractvalue {<2 x i32>, <2 x i1>} %r, 1
  %t = select <2 x i1> %c, <2 x i32> %x, <2 x i32> %s
  ret <2 x i32> %t
}

; CHECK-LABEL: define <2 x i1> @difference(
; CHECK:         icmp ult <2 x i32> %x, %y
; CHECK-NEXT:    ret <2 x i1>
define <2 x i1> @difference(<2 x i32> %x, <2 x i32> %y) {
  %r = call {<2 x i32>, <2 x i1>} @llvm.usub.with.overflow.v2i32(<2 x i32> %x, <2 x i32> %y)
  %c = extractvalue {<2 x i32>, <2 x i1>} %r, 1
  ret <2 x i1> %c
}

; The backend can do this for scalars.
; CHECK-LABEL: define i1 @scalar(
; CHECK-NEXT:    call { i32, i1 } @llvm.uadd.with.overflow.i32(
define i1 @scalar(i32 %x, i32 %y) {
  %r = call {i32, i1} @llvm.uadd.with.overflow.i32(i32 %x, i32 %y)
  %c = extractvalue {i32, i1} %r, 1
  ret i1 %c
}
