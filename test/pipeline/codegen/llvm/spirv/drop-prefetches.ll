; The backend cannot select LLVM's prefetches.

; RUN: %aircc opt-llvm %s --target bmg --passes=aircc-spirv-drop-prefetches -S | FileCheck %s
; RUN: %aircc opt-llvm %s --target bmg --passes=aircc-spirv-drop-prefetches --asm | FileCheck %s --check-prefix=ASM

; CHECK-LABEL: define spir_kernel void @kernel(
; CHECK-NEXT:    store i32 1
; CHECK-NEXT:    ret void
; ASM: OpStore
define spir_kernel void @kernel(ptr addrspace(1) %p) {
  call void @llvm.prefetch.p1(ptr addrspace(1) %p, i32 0, i32 3, i32 1)
  store i32 1, ptr addrspace(1) %p
  ret void
}
