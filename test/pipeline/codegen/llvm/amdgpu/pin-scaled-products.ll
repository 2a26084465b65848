; Machine sinking moves an MFMA with scales into the branch that uses its result, together with copies of its operands,
; which lanes that are not active do not have.

; RUN: %aircc opt-llvm %s --target gfx950 --passes=aircc-amdgpu-pin-matrix-products -S | FileCheck %s
; RUN: %aircc opt-llvm %s --target gfx950 -O2 --asm -o - | FileCheck %s --check-prefix=ASM

; CHECK: %d = call <4 x float> @llvm.amdgcn.mfma.scale
; CHECK-NEXT: %[[PIN:.+]] = call <4 x float> asm "", "=v,0"(<4 x float> %d) #[[CONVERGENT:[0-9]+]]
; CHECK: store <4 x float> %[[PIN]]
; CHECK: attributes #[[CONVERGENT]] = { convergent }

; ASM-NOT: s_cbranch_execz
; ASM: v_mfma
; ASM: s_cbranch_execz
define amdgpu_kernel void @branch(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %at = getelementptr <8 x i32>, ptr addrspace(1) %p, i32 %lane
  %a = load <8 x i32>, ptr addrspace(1) %at
  %d = call <4 x float> @llvm.amdgcn.mfma.scale.f32.16x16x128.f8f6f4.v8i32.v8i32(<8 x i32> %a, <8 x i32> %a, <4 x float> zeroinitializer, i32 0, i32 0, i32 0, i32 %lane, i32 0, i32 %lane)
  %few = icmp ult i32 %lane, 8
  br i1 %few, label %store, label %end
store:
  %to = getelementptr <4 x float>, ptr addrspace(1) %q, i32 %lane
  store <4 x float> %d, ptr addrspace(1) %to
  br label %end
end:
  ret void
}
