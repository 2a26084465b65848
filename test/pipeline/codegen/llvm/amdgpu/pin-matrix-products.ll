; Machine sinking moves a WMMA into the branch that uses its result, in which some lanes have no
; operands.

; RUN: %aircc opt-llvm %s --target gfx1100 --passes=aircc-amdgpu-pin-matrix-products -S | FileCheck %s
; RUN: %aircc opt-llvm %s --target gfx1100 -O2 --asm -o - | FileCheck %s --check-prefix=ASM

; CHECK-LABEL: define amdgpu_kernel void @branch(
; CHECK: %d = call <8 x float> @llvm.amdgcn.wmma
; CHECK-NEXT: %[[PIN:.+]] = call <8 x float> asm "", "=v,0"(<8 x float> %d) #[[CONVERGENT:[0-9]+]]
; CHECK: store <8 x float> %[[PIN]]

; ASM-LABEL: branch:
; ASM-NOT: s_cbranch_execz
; ASM: v_wmma
; ASM: s_cbranch_execz
define amdgpu_kernel void @branch(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %at = getelementptr <16 x half>, ptr addrspace(1) %p, i32 %lane
  %a = load <16 x half>, ptr addrspace(1) %at
  %d = call <8 x float> @llvm.amdgcn.wmma.f32.16x16x16.f16.v8f32.v16f16(<16 x half> %a, <16 x half> %a, <8 x float> zeroinitializer)
  %few = icmp ult i32 %lane, 8
  br i1 %few, label %store, label %end
store:
  %to = getelementptr <8 x float>, ptr addrspace(1) %q, i32 %lane
  store <8 x float> %d, ptr addrspace(1) %to
  br label %end
end:
  ret void
}

; A use in the block is enough.

; CHECK-LABEL: define amdgpu_kernel void @chain(
; CHECK-NOT: asm
; CHECK: ret void
define amdgpu_kernel void @chain(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %a = load <16 x half>, ptr addrspace(1) %p
  %d = call <8 x float> @llvm.amdgcn.wmma.f32.16x16x16.f16.v8f32.v16f16(<16 x half> %a, <16 x half> %a, <8 x float> zeroinitializer)
  store <8 x float> %d, ptr addrspace(1) %q
  ret void
}

; CHECK: attributes #[[CONVERGENT]] = { convergent }
