; Booleans have no size in SPIR-V: in memory they are bytes.

; RUN: %aircc opt-llvm %s --target bmg --passes=aircc-spirv-store-booleans-as-bytes -S | FileCheck %s

; CHECK: @table = internal addrspace(2) constant [3 x i8] c"\01\00\01"
@table = internal addrspace(2) constant [3 x i1] [i1 true, i1 false, i1 true]

; CHECK-LABEL: define spir_func i1 @scalar(
; CHECK-NEXT:    %[[Z:.*]] = zext i1 %b to i8
; CHECK-NEXT:    store i8 %[[Z]], ptr addrspace(1) %p
; CHECK-NEXT:    %[[Q:.*]] = getelementptr i8, ptr addrspace(1) %p, i64 %i
; CHECK-NEXT:    %[[L:.*]] = load i8, ptr addrspace(1) %[[Q]]
; CHECK-NEXT:    trunc i8 %[[L]] to i1
define spir_func i1 @scalar(ptr addrspace(1) %p, i64 %i, i1 %b) {
  store i1 %b, ptr addrspace(1) %p
  %q = getelementptr i1, ptr addrspace(1) %p, i64 %i
  %v = load i1, ptr addrspace(1) %q
  ret i1 %v
}

; The bits of bytes, the first the lowest.
; CHECK-LABEL: define spir_func <2 x i1> @vector(
; CHECK:         load i8, ptr addrspace(1)
; CHECK:         lshr i8 {{.*}}, 1
; CHECK:         ret <2 x i1>
define spir_func <2 x i1> @vector(ptr addrspace(1) %p) {
  %v = load <2 x i1>, ptr addrspace(1) %p
  ret <2 x i1> %v
}

; CHECK-LABEL: define spir_func <8 x i1> @bits(
; CHECK-NOT:     bitcast i8 {{.*}} to <8 x i1>
; CHECK:         lshr i8 %x, 7
; CHECK:         ret <8 x i1>
define spir_func <8 x i1> @bits(i8 %x) {
  %v = bitcast i8 %x to <8 x i1>
  ret <8 x i1> %v
}

; CHECK-LABEL: define spir_func void @stack(
; CHECK-NEXT:    alloca [4 x i8]
; CHECK-NEXT:    alloca [32 x i8], align 32
define spir_func void @stack() {
  %a = alloca [4 x i1]
  %b = alloca <5 x float>
  ret void
}
