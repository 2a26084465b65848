; On gfx12, v_mad_co_u64_u32 cannot read its operand by DPP, but GCNDPPCombine
; makes it.

; RUN: %aircc opt-llvm %s --target gfx1201 --passes=aircc-amdgpu-keep-products-from-dpp -S | FileCheck %s
; RUN: %aircc opt-llvm %s --target gfx1201 --passes=aircc-amdgpu-keep-products-from-dpp --asm | FileCheck %s --check-prefix=ASM

; CHECK-LABEL: define i64 @product(
; CHECK:         %n = call i32 @llvm.amdgcn.update.dpp.i32(
; CHECK-NEXT:    %[[HIDDEN:.*]] = call i32 asm "", "=v,0"(i32 %n)
; CHECK-NEXT:    %w = zext i32 %[[HIDDEN]] to i64
; ASM-LABEL:   {{^}}product:
; ASM-NOT:       v_mad_co_u64_u32_e64_dpp
; ASM:           v_mov_b32_dpp
; ASM:           v_mad_co_u64_u32
; ASM:           s_setpc_b64
define i64 @product(i32 %x, i64 %s, i32 %f) {
  %n = call i32 @llvm.amdgcn.update.dpp.i32(i32 0, i32 %x, i32 273, i32 15, i32 15, i1 true)
  %w = zext i32 %n to i64
  %v = zext i32 %f to i64
  %p = mul i64 %w, %v
  %q = add i64 %p, %s
  ret i64 %q
}

; Addresses are products.
; CHECK-LABEL: define ptr addrspace(1) @address(
; CHECK:         %[[HIDDEN:.*]] = call i32 asm "", "=v,0"(i32 %n)
; CHECK-NEXT:    getelementptr i32, ptr addrspace(1) %p, i32 %[[HIDDEN]]
define ptr addrspace(1) @address(ptr addrspace(1) %p, i32 %x) {
  %n = call i32 @llvm.amdgcn.mov.dpp.i32(i32 %x, i32 273, i32 15, i32 15, i1 true)
  %q = getelementptr i32, ptr addrspace(1) %p, i32 %n
  ret ptr addrspace(1) %q
}

; Sums may read their operands by DPP.
; CHECK-LABEL: define i32 @sum(
; CHECK-NOT:     asm
; CHECK:         ret i32
; ASM-LABEL:   {{^}}sum:
; ASM:           v_add_nc_u32_dpp
define i32 @sum(i32 %x, i32 %y) {
  %n = call i32 @llvm.amdgcn.mov.dpp.i32(i32 %x, i32 273, i32 15, i32 15, i1 true)
  %s = add i32 %n, %y
  ret i32 %s
}
