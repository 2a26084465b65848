; The closed form of a sum of 64 bits needs 65 bits, which SPIR-V does not have: the
; filter aircc-spirv-skip-closed-forms-of-sums skips IndVarSimplify for such loops.

; RUN: %aircc opt-llvm %s --passes='function(loop(indvars))' -S | FileCheck %s
; RUN: sed 's/spirv64-unknown-unknown/x86_64-unknown-linux-gnu/' %s > %t.ll
; RUN: %aircc opt-llvm %t.ll --passes='function(loop(indvars))' -S | FileCheck %s --check-prefix=HOST

target triple = "spirv64-unknown-unknown"

; CHECK-LABEL: define i64 @sum(
; CHECK-NOT:     i65
; CHECK:         ret i64 %next
; HOST-LABEL:  define i64 @sum(
; HOST:          i65
define i64 @sum(i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %sum = phi i64 [ 0, %entry ], [ %next, %loop ]
  %next = add i64 %sum, %i
  %j = add nuw i64 %i, 1
  %again = icmp ult i64 %j, %n
  br i1 %again, label %loop, label %end
end:
  ret i64 %next
}

; Other loops are simplified: here, the counter is known at the end.
; CHECK-LABEL: define i64 @counter(
; CHECK:         ret i64 100
define i64 @counter() {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %j = add nuw i64 %i, 1
  %again = icmp ult i64 %j, 100
  br i1 %again, label %loop, label %end
end:
  ret i64 %j
}
