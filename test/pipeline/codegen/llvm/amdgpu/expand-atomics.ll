; Atomics that the chip has no instruction for are expanded before LDS gets its
; addresses: the shift of what the loop has read must not be folded into what was
; read before the loop.

; RUN: %aircc opt-llvm %s --target gfx942 --passes=aircc-amdgpu-expand-atomics -S | FileCheck %s
; RUN: %aircc opt-llvm %s --target gfx942 --passes=aircc-amdgpu-expand-atomics --asm | FileCheck %s --check-prefix=ASM
; RUN: not %aircc opt-llvm %S/../Inputs/atomic.ll --passes=aircc-amdgpu-expand-atomics -S 2>&1 | FileCheck %s --check-prefix=NONE

@lds = internal addrspace(3) global half poison, align 2

; CHECK-LABEL: define amdgpu_kernel void @half(
; CHECK-NOT:     atomicrmw fadd
; CHECK:       atomicrmw.start:
; CHECK-NEXT:    %[[LOADED:.*]] = phi i32
; CHECK-NEXT:    %[[SHIFTED:.*]] = lshr i32 %[[LOADED]],
; CHECK:         fadd half
; CHECK:         cmpxchg ptr addrspace(3) {{.*}}, i32 %[[LOADED]],
; The sum is in the loop.
; ASM-LABEL:   {{^}}half:
; ASM:         .LBB0_1:
; ASM:           v_add_f16
; ASM:           ds_cmpst_rtn_b32
; ASM:           s_cbranch_execnz .LBB0_1
define amdgpu_kernel void @half(half %x) {
  %old = atomicrmw fadd ptr addrspace(3) @lds, half %x syncscope("agent") monotonic
  ret void
}

; What the chip has stays.
; CHECK-LABEL: define amdgpu_kernel void @word(
; CHECK-NEXT:    atomicrmw add ptr addrspace(3) %p, i32 %x
define amdgpu_kernel void @word(ptr addrspace(3) %p, i32 %x) {
  %old = atomicrmw add ptr addrspace(3) %p, i32 %x syncscope("agent") monotonic
  ret void
}

; NONE: error: aircc-amdgpu-expand-atomics requires a target
