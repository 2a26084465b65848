; Instruction selection turns chains of byte multiplications and additions into
; v_dot4 with wrong operands, and crashes on the same of vectors.

; RUN: %aircc opt-llvm %s --target gfx942 --passes=aircc-amdgpu-avoid-dot4-combine -S | FileCheck %s
; RUN: %aircc opt-llvm %s --target gfx90a --passes='default<O2>,aircc-amdgpu-avoid-dot4-combine' --asm | FileCheck %s --check-prefix=ASM
; RUN: %aircc opt-llvm %s --target gfx942 --passes='default<O2>,aircc-amdgpu-avoid-dot4-combine' --asm | FileCheck %s --check-prefix=ASM
; RUN: %aircc opt-llvm %s --target gfx950 --passes='default<O2>,aircc-amdgpu-avoid-dot4-combine' --asm | FileCheck %s --check-prefix=ASM
; RUN: %aircc opt-llvm %s --target gfx1100 --passes='default<O2>,aircc-amdgpu-avoid-dot4-combine' --asm | FileCheck %s --check-prefix=ASM
; RUN: %aircc opt-llvm %s --target gfx1201 --passes='default<O2>,aircc-amdgpu-avoid-dot4-combine' --asm | FileCheck %s --check-prefix=ASM

; CHECK: define amdgpu_kernel void @scalar({{.*}}) #[[NO_DOT:[0-9]+]]
; ASM-LABEL:   {{^}}scalar:
; ASM-NOT:       v_dot4
; ASM:           v_min_i16
define amdgpu_kernel void @scalar(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %g = getelementptr i8, ptr addrspace(1) %p, i32 %id
  %x = load i8, ptr addrspace(1) %g
  %m = mul i8 %x, %x
  %s = call i8 @llvm.smin.i8(i8 %x, i8 %m)
  %a = add i8 %s, %m
  store i8 %a, ptr addrspace(1) %q
  ret void
}

; CHECK: define amdgpu_kernel void @vector({{.*}}) #[[NO_DOT]]
; ASM-LABEL:   {{^}}vector:
; ASM-NOT:       v_dot4
; ASM:           v_min_i16
; ASM-NOT:       v_dot4
; ASM:         {{^}}explicit:
define amdgpu_kernel void @vector(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %g = getelementptr <4 x i8>, ptr addrspace(1) %p, i32 %id
  %x = load <4 x i8>, ptr addrspace(1) %g
  %m = mul <4 x i8> %x, %x
  %s = call <4 x i8> @llvm.smin.v4i8(<4 x i8> %x, <4 x i8> %m)
  %a = add <4 x i8> %s, %m
  store <4 x i8> %a, ptr addrspace(1) %q
  ret void
}

; Code that asks for the instruction gets it, and its products stay products.
; CHECK-LABEL: define amdgpu_kernel void @explicit(
; CHECK-NOT:     #
; CHECK:         %m = mul <4 x i8>
; CHECK-COUNT-4: call i32 asm "", "=v,0"(
; CHECK:         call <4 x i8> @llvm.smin
; CHECK:         call i32 @llvm.amdgcn.udot4(
; ASM:           v_dot4_u32_u8
; ASM-NOT:       v_dot4
; ASM:           s_endpgm
define amdgpu_kernel void @explicit(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %g = getelementptr <4 x i8>, ptr addrspace(1) %p, i32 %id
  %x = load <4 x i8>, ptr addrspace(1) %g
  %m = mul <4 x i8> %x, %x
  %s = call <4 x i8> @llvm.smin.v4i8(<4 x i8> %x, <4 x i8> %m)
  %a = add <4 x i8> %s, %m
  %b = bitcast <4 x i8> %a to i32
  %d = call i32 @llvm.amdgcn.udot4(i32 %b, i32 %b, i32 7, i1 false)
  store i32 %d, ptr addrspace(1) %q
  ret void
}

; Other functions keep their features.
; CHECK-LABEL: define i32 @index(i32 %x) {
define i32 @index(i32 %x) {
  %m = mul i32 %x, 68000
  ret i32 %m
}

; CHECK: define i32 @masked({{.*}}) #[[CUMODE:[0-9]+]]
define i32 @masked(i32 %x, i32 %y) #0 {
  %a = and i32 %x, 255
  %b = lshr i32 %y, 24
  %m = mul i32 %a, %b
  ret i32 %m
}

; CHECK-DAG: attributes #[[NO_DOT]] = { "target-features"="-dot7-insts" }
; CHECK-DAG: attributes #[[CUMODE]] = { "target-features"="+cumode,-dot7-insts" }
attributes #0 = { "target-features"="+cumode" }
