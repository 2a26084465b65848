; Integers of other than 8, 16, 32 and 64 bits: the backend forgets that their upper
; bits do not count.

; RUN: %aircc opt-llvm %s --passes=aircc-spirv-widen-integers -S | FileCheck %s
; RUN: not %aircc opt-llvm %S/../Inputs/wide-integer.ll --passes=aircc-spirv-widen-integers -S 2>&1 | FileCheck %s --check-prefix=ERROR

target triple = "spirv64-unknown-unknown"

; CHECK-LABEL: define spir_func i1 @sign(
; CHECK-NEXT:    %[[T:.*]] = and i8 %x, 15
; CHECK-NEXT:    %[[U:.*]] = shl i8 %[[T]], 4
; CHECK-NEXT:    %[[S:.*]] = ashr i8 %[[U]], 4
; CHECK-NEXT:    icmp slt i8 %[[S]], 0
define spir_func i1 @sign(i8 %x) {
  %n = trunc i8 %x to i4
  %c = icmp slt i4 %n, 0
  ret i1 %c
}

; CHECK-LABEL: define spir_func i32 @sum(
; CHECK:         %[[S:.*]] = add i32 %{{.*}}, %{{.*}}
; CHECK-NEXT:    %[[M:.*]] = and i32 %[[S]], 16777215
; CHECK-NEXT:    ret i32 %[[M]]
define spir_func i32 @sum(i32 %x, i32 %y) {
  %a = trunc i32 %x to i24
  %b = trunc i32 %y to i24
  %s = add i24 %a, %b
  %z = zext i24 %s to i32
  ret i32 %z
}

; 3 bytes of memory and no more.
; CHECK-LABEL: define spir_func i32 @load(
; CHECK-NEXT:    load i16, ptr addrspace(1) %p, align 4
; CHECK:         getelementptr inbounds i8, ptr addrspace(1) %p, i64 2
; CHECK-NEXT:    load i8, ptr addrspace(1)
; CHECK-NOT:     load
; CHECK:         ret i32
define spir_func i32 @load(ptr addrspace(1) %p) {
  %x = load i24, ptr addrspace(1) %p
  %z = zext i24 %x to i32
  ret i32 %z
}

; CHECK-LABEL: define spir_func i32 @zeros(
; CHECK:         %[[C:.*]] = call i32 @llvm.ctlz.i32(i32 %{{.*}}, i1 false)
; CHECK-NEXT:    sub i32 %[[C]], 8
define spir_func i32 @zeros(i32 %x) {
  %a = trunc i32 %x to i24
  %c = call i24 @llvm.ctlz.i24(i24 %a, i1 false)
  %z = zext i24 %c to i32
  ret i32 %z
}

; CHECK-LABEL: define spir_func i32 @branch(
; CHECK:         switch i8 %{{.*}}, label %other [
; CHECK-NEXT:      i8 3, label %three
; CHECK-NEXT:      i8 2, label %two
define spir_func i32 @branch(i8 %x) {
entry:
  %a = trunc i8 %x to i2
  switch i2 %a, label %other [ i2 3, label %three
                                  i2 2, label %two ]
two:
  ret i32 2
three:
  ret i32 3
other:
  ret i32 0
}

; ERROR: wide-integer.ll:3:1: error: {{.*}}operations on integers of this size cannot be translated to SPIR-V:{{.*}}add i128
