; The backend keeps the alignment of a local variable in 8 bits.

; RUN: %aircc opt-llvm %s --target bmg --passes=aircc-spirv-limit-alignments -S | FileCheck %s
; RUN: %aircc opt-llvm %s --target bmg --passes=aircc-spirv-limit-alignments --asm | FileCheck %s --check-prefix=ASM

; CHECK-LABEL: define spir_kernel void @kernel(
; CHECK-NEXT:    alloca [64 x i32], align 64
; CHECK-NEXT:    alloca [64 x i32], align 64
; CHECK-NEXT:    alloca i32, align 4
; CHECK:         call void @llvm.memcpy.p0.p0.i64(ptr align 64 %a, ptr align 64 %b
; CHECK:         store i32 1, ptr %a, align 64
; CHECK-NEXT:    load i32, ptr addrspace(1) %p, align 64
; CHECK-NEXT:    store i32 %v, ptr %c, align 4
; ASM-COUNT-2: OpDecorate {{.*}} Alignment 64{{$}}
; ASM: OpDecorate {{.*}} Alignment 4{{$}}
define spir_kernel void @kernel(ptr addrspace(1) %p) {
  %a = alloca [64 x i32], align 128
  %b = alloca [64 x i32], align 256
  %c = alloca i32, align 4
  call void @llvm.memcpy.p0.p0.i64(ptr align 128 %a, ptr align 256 %b, i64 256, i1 false)
  store i32 1, ptr %a, align 128
  %v = load i32, ptr addrspace(1) %p, align 256
  store i32 %v, ptr %c, align 4
  ret void
}
