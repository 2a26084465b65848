; The backend's AMDGPUPromoteAlloca keeps a deleted load as the value of an array
; where the whole array is loaded and stored again; a frozen value is not a load.

; RUN: %aircc opt-llvm %s --target gfx942 --passes=aircc-amdgpu-freeze-stored-loads -S | FileCheck %s
; RUN: %aircc opt-llvm %s --target gfx942 --passes=aircc-amdgpu-freeze-stored-loads --asm | FileCheck %s --check-prefix=ASM

; CHECK-LABEL: define amdgpu_kernel void @copied(
; CHECK:         %[[ALL:.*]] = load <4 x i32>, ptr addrspace(5)
; CHECK-NEXT:    %[[FROZEN:.*]] = freeze <4 x i32> %[[ALL]]
; CHECK-NEXT:    store <4 x i32> %[[FROZEN]], ptr addrspace(5)
; ASM-LABEL:   {{^}}copied:
; ASM-NOT:       scratch_
; ASM:           global_store_dword
define amdgpu_kernel void @copied(ptr addrspace(1) %out, i32 %i, i1 %c) {
entry:
  %array = alloca <4 x i32>, addrspace(5)
  store <4 x i32> <i32 1, i32 2, i32 3, i32 4>, ptr addrspace(5) %array
  br i1 %c, label %copy, label %end
copy:
  %all = load <4 x i32>, ptr addrspace(5) %array
  store <4 x i32> %all, ptr addrspace(5) %array
  br label %end
end:
  %p = getelementptr i32, ptr addrspace(5) %array, i32 %i
  %x = load i32, ptr addrspace(5) %p
  store i32 %x, ptr addrspace(1) %out
  ret void
}

; A copy between two arrays is unaffected.
; CHECK-LABEL: define amdgpu_kernel void @between(
; CHECK-NOT:     freeze
; CHECK:         ret void
define amdgpu_kernel void @between() {
  %a = alloca <4 x i32>, addrspace(5)
  %b = alloca <4 x i32>, addrspace(5)
  %all = load <4 x i32>, ptr addrspace(5) %a
  store <4 x i32> %all, ptr addrspace(5) %b
  ret void
}
