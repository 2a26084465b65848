; No half of a dual-issue instruction of gfx11 reads, as the same operand, a
; register of the other half's parity.

; RUN: %aircc opt-llvm %s --target gfx1100 --passes=verify --asm | FileCheck %s
; RUN: %aircc opt-llvm %s --target gfx1201 --passes=verify --asm | FileCheck %s --check-prefix=GFX12
; RUN: %aircc opt-llvm %s --target gfx1100 --passes=verify --asm -o %t.s --print-after=aircc-amdgpu-split-dual-issue 2>&1 | FileCheck %s --check-prefix=PASS

target triple = "amdgcn-amd-amdhsa"

; CHECK-LABEL: one_parity:
; CHECK-NOT:   v_dual_
; CHECK:       v_mul_f32_e32 v0, v0, v1
; CHECK-NEXT:  v_mul_f32_e32 v1, v2, v3
; GFX12-LABEL: one_parity:
; GFX12:       v_dual_mul_f32

; PASS-LABEL: # Machine code for function one_parity:
; PASS:         V_MUL_F32
; PASS-NEXT:    SCHED_BARRIER 0
; PASS-NEXT:    {{.*}} V_MUL_F32
; PASS-LABEL: # Machine code for function two_parities:
; PASS:         V_MUL_F32
; PASS-NEXT:    {{.*}} V_MUL_F32
define void @one_parity(float %v0, float %v1, float %v2, float %v3, ptr addrspace(3) %to) {
  %a = fmul float %v0, %v1
  %b = fmul float %v2, %v3
  store float %a, ptr addrspace(3) %to
  %next = getelementptr i8, ptr addrspace(3) %to, i32 400
  store float %b, ptr addrspace(3) %next
  ret void
}

; CHECK-LABEL: two_parities:
; CHECK:       v_dual_mul_f32
define void @two_parities(float %v0, float %v1, float %v2, float %v3, ptr addrspace(3) %to) {
  %a = fmul float %v0, %v1
  %b = fmul float %v3, %v2
  store float %a, ptr addrspace(3) %to
  %next = getelementptr i8, ptr addrspace(3) %to, i32 400
  store float %b, ptr addrspace(3) %next
  ret void
}
