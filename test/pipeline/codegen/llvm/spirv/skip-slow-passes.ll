; In SPIR-V, the pass that orders the operands of sums skips functions with a sum of 1,024 and more ops, which it would
; take quadratic time for.

; RUN: echo 'target triple = "spirv64-unknown-unknown"' > %t.ll
; RUN: python3 %S/../Inputs/sum.py short 1023 >> %t.ll
; RUN: python3 %S/../Inputs/sum.py long 1024 >> %t.ll
; RUN: %aircc opt-llvm %t.ll --passes='function(reassociate)' -S -o - | FileCheck %s --check-prefix=SUM
; SUM-LABEL: @short(
; SUM:         mul i32 %x, 1021
; SUM:         ret i32
; SUM-LABEL: @long(
; SUM-COUNT-1023: = {{add|sub}}
; SUM-NOT:   mul
; SUM:       ret i32
