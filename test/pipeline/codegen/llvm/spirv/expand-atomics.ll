; Atomic operations that Intel GPUs do not have, and atomic loads and stores, which
; the backend takes for plain ones.

; RUN: %aircc opt-llvm %s --target bmg --passes=aircc-spirv-expand-atomics -S | FileCheck %s
; RUN: %aircc opt-llvm %s --target bmg --passes=aircc-spirv-expand-atomics --asm | FileCheck %s --check-prefix=ASM

; CHECK-LABEL: define spir_func i32 @load(
; CHECK-NEXT:    call spir_func i32 @_Z18__spirv_AtomicLoadPU3AS1iii(ptr addrspace(1) %p, i32 1, i32 514)
; ASM: OpAtomicLoad
define spir_func i32 @load(ptr addrspace(1) %p) {
  %v = load atomic i32, ptr addrspace(1) %p syncscope("device") acquire, align 4
  ret i32 %v
}

; CHECK-LABEL: define spir_func void @store(
; CHECK-NEXT:    %[[V:.*]] = bitcast double %x to i64
; CHECK-NEXT:    call spir_func void @_Z19__spirv_AtomicStorePU3AS3liil(ptr addrspace(3) %p, i32 2, i32 260, i64 %[[V]])
; ASM: OpAtomicStore
define spir_func void @store(ptr addrspace(3) %p, double %x) {
  store atomic double %x, ptr addrspace(3) %p syncscope("workgroup") release, align 8
  ret void
}

; A loop around the word in which the byte is.
; CHECK-LABEL: define spir_func i8 @narrow(
; CHECK:         %[[ADDRESS:.*]] = ptrtoint ptr addrspace(1) %p to i64
; CHECK:         and i64 %[[ADDRESS]], -4
; CHECK:         %[[SEEN:.*]] = phi i32
; CHECK:         %[[OLD:.*]] = trunc i32 {{.*}} to i8
; CHECK:         add i8 %[[OLD]], %x
; CHECK:         cmpxchg ptr addrspace(1) {{.*}}, i32 %[[SEEN]],
; CHECK:         ret i8 %[[OLD]]
; ASM: OpAtomicCompareExchange
define spir_func i8 @narrow(ptr addrspace(1) %p, i8 %x) {
  %v = atomicrmw add ptr addrspace(1) %p, i8 %x syncscope("device") monotonic
  ret i8 %v
}

; CHECK-LABEL: define spir_func float @fmax(
; CHECK:         phi i32
; CHECK:         call float @llvm.maxnum.f32(
; CHECK:         cmpxchg ptr addrspace(1) %p, i32
define spir_func float @fmax(ptr addrspace(1) %p, float %x) {
  %v = atomicrmw fmax ptr addrspace(1) %p, float %x syncscope("device") monotonic
  ret float %v
}

; CHECK-LABEL: define spir_func float @native(
; CHECK-NEXT:    atomicrmw fadd ptr addrspace(1) %p, float %x
define spir_func float @native(ptr addrspace(1) %p, float %x) {
  %v = atomicrmw fadd ptr addrspace(1) %p, float %x syncscope("device") monotonic
  ret float %v
}
