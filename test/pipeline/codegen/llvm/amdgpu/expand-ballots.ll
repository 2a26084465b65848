; The backend selects v_cmp_neq, which is true for NaN, for ballots of `fcmp one`.

; RUN: %aircc opt-llvm %s --target gfx942 --passes=aircc-amdgpu-expand-ballots -S | FileCheck %s
; RUN: %aircc opt-llvm %s --target gfx942 --passes=aircc-amdgpu-expand-ballots --asm | FileCheck %s --check-prefix=ASM

; ASM-LABEL:   {{^}}ballot:
; ASM-NOT:       v_cmp_neq
; ASM:           s_setpc_b64
; CHECK-LABEL: define i64 @ballot(
; CHECK:         %[[LT:.*]] = fcmp olt float %x, %y
; CHECK-NEXT:    %[[B0:.*]] = call i64 @llvm.amdgcn.ballot.i64(i1 %[[LT]])
; CHECK-NEXT:    %[[GT:.*]] = fcmp ogt float %x, %y
; CHECK-NEXT:    %[[B1:.*]] = call i64 @llvm.amdgcn.ballot.i64(i1 %[[GT]])
; CHECK-NEXT:    or i64 %[[B0]], %[[B1]]
define i64 @ballot(float %x, float %y) {
  %c = fcmp one float %x, %y
  %b = call i64 @llvm.amdgcn.ballot.i64(i1 %c)
  ret i64 %b
}

; ASM-LABEL:   {{^}}fcmp:
; ASM-NOT:       v_cmp_neq
; ASM:           s_setpc_b64
; CHECK-LABEL: define i64 @fcmp(
; CHECK-NEXT:    %[[B0:.*]] = call i64 @llvm.amdgcn.fcmp.i64.f32(float %x, float %y, i32 4)
; CHECK-NEXT:    %[[B1:.*]] = call i64 @llvm.amdgcn.fcmp.i64.f32(float %x, float %y, i32 2)
; CHECK-NEXT:    or i64 %[[B0]], %[[B1]]
define i64 @fcmp(float %x, float %y) {
  %b = call i64 @llvm.amdgcn.fcmp.i64.f32(float %x, float %y, i32 6)
  ret i64 %b
}

; Instruction selection joins these two comparisons to `one`.
; ASM-LABEL:   {{^}}joined:
; ASM:           v_cmp_lg_f32
; ASM:           v_cndmask
; ASM:           v_cmp_neq_f32_e32 vcc, 0,
; CHECK-LABEL: define i64 @joined(
; CHECK:         %[[C:.*]] = and i1
; CHECK-NEXT:    %[[N:.*]] = select i1 %[[C]], float 1.{{.*}}, float 0.
; CHECK-NEXT:    %[[F:.*]] = call float @llvm.arithmetic.fence.f32(float %[[N]])
; CHECK-NEXT:    %[[U:.*]] = fcmp une float %[[F]], 0.
; CHECK-NEXT:    call i64 @llvm.amdgcn.ballot.i64(i1 %[[U]])
define i64 @joined(float %x, float %y) {
  %a = fcmp une float %x, %y
  %o = fcmp ord float %x, %y
  %c = and i1 %a, %o
  %b = call i64 @llvm.amdgcn.ballot.i64(i1 %c)
  ret i64 %b
}

; Other predicates are selected right.
; CHECK-LABEL: define i64 @other(
; CHECK-NEXT:    %c = fcmp une float %x, %y
; CHECK-NEXT:    %b = call i64 @llvm.amdgcn.ballot.i64(i1 %c)
; CHECK-NEXT:    ret i64 %b
; ASM-LABEL:   {{^}}other:
; ASM:           v_cmp_neq_f32
define i64 @other(float %x, float %y) {
  %c = fcmp une float %x, %y
  %b = call i64 @llvm.amdgcn.ballot.i64(i1 %c)
  ret i64 %b
}
