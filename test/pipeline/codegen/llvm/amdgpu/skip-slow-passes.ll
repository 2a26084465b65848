; LLVM's passes on loops skip nests of 32 loops and more, which they would take cubic time
; for (aircc-llvm-skip-slow-passes). They hoist the product in @nest31 out of all loops, and
; leave that of @nest32 where it is.

; RUN: python3 %S/../Inputs/nest.py nest31 31 > %t.ll
; RUN: python3 %S/../Inputs/nest.py nest32 32 >> %t.ll
; RUN: %aircc opt-llvm %t.ll --passes='function(loop-mssa(licm))' -S -o - | FileCheck %s

; CHECK-LABEL: @nest31(
; CHECK-NEXT:  start:
; CHECK-NEXT:    %invariant = mul
; CHECK-LABEL: @nest32(
; CHECK:       body:
; CHECK-NEXT:    %invariant = mul

; So do passes on functions that visit all loops.
; RUN: %aircc opt-llvm %t.ll --passes='function(loop-unroll<runtime>)' -S -o - | FileCheck %s --check-prefix=UNROLL
; UNROLL-LABEL: @nest31(
; UNROLL:         unroll
; UNROLL-LABEL: @nest32(
; UNROLL-NOT:     unroll
; UNROLL:       ret void
