; LLVM moves v_permlane64 into a branch that uses its result, and its operand with it.

; RUN: echo '{ "extends": "gfx1201", "waveSize": 64 }' > %t.json
; RUN: %aircc opt-llvm %s --target %t.json --passes=aircc-amdgpu-pin-half-swaps -S | FileCheck %s
; RUN: %aircc opt-llvm %s --target %t.json --passes=aircc-amdgpu-pin-half-swaps --asm | FileCheck %s --check-prefix=ASM

; CHECK:      %other = call float @llvm.amdgcn.permlane64.f32(float %sum)
; CHECK-NEXT: call void asm sideeffect "", "v"(float %other)
; ASM:     v_permlane64_b32
; ASM:     {{saveexec|v_cmpx}}
; ASM-NOT: v_permlane64_b32
; ASM:     s_endpgm
define amdgpu_kernel void @swap(ptr addrspace(1) %p, float %x) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %f = uitofp i32 %t to float
  %sum = fadd float %f, %x
  %other = call float @llvm.amdgcn.permlane64.f32(float %sum)
  %first = icmp eq i32 %t, 0
  br i1 %first, label %use, label %end
use:
  store float %other, ptr addrspace(1) %p
  br label %end
end:
  ret void
}
declare i32 @llvm.amdgcn.workitem.id.x()
declare float @llvm.amdgcn.permlane64.f32(float)
