; AMDGPUPromoteAlloca keeps a deleted load as the value of an array where the
; whole array is loaded and stored again. The filter
; aircc-amdgpu-skip-alloca-promotion skips the pass there, and only there.

; RUN: %aircc opt-llvm %s --target gfx942 --passes=amdgpu-promote-alloca-to-vector -S | FileCheck %s

; CHECK-LABEL: define amdgpu_kernel void @copied(
; CHECK:         alloca <4 x i32>
; CHECK:         store <4 x i32>
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

; CHECK-LABEL: define amdgpu_kernel void @simple(
; CHECK-NOT:     alloca
; CHECK:         extractelement <4 x i32>
define amdgpu_kernel void @simple(ptr addrspace(1) %out, i32 %i) {
  %array = alloca <4 x i32>, addrspace(5)
  store <4 x i32> <i32 1, i32 2, i32 3, i32 4>, ptr addrspace(5) %array
  %p = getelementptr i32, ptr addrspace(5) %array, i32 %i
  %x = load i32, ptr addrspace(5) %p
  store i32 %x, ptr addrspace(1) %out
  ret void
}
