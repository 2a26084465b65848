; On gfx950, 20 wait states are between an MFMA of 16 passes and a use of its
; result, also if 19 other instructions are there. LLVM adds no s_nop then.

; RUN: %aircc opt-llvm %s --target gfx950 --passes=verify --asm | FileCheck %s
; RUN: %aircc opt-llvm %s --target gfx950 --passes=verify --asm -o %t.s --print-after=aircc-amdgpu-fill-matrix-waits 2>&1 | FileCheck %s --check-prefix=PASS

target triple = "amdgcn-amd-amdhsa"

; CHECK-LABEL: use:
; CHECK:       v_mfma_f32_32x32x64_f8f6f4
; CHECK-COUNT-19: s_sleep 0
; CHECK-NEXT:  s_nop 0
; CHECK-NEXT:  global_store_dwordx4 {{.*}}, a[12:15]

; PASS-LABEL: # Machine code for function use:
; PASS:         V_MFMA_
; PASS-COUNT-19: S_SLEEP 0
; PASS-NEXT:    SCHED_BARRIER 0
; PASS-NEXT:    S_NOP 0
; PASS-NEXT:    GLOBAL_STORE
define amdgpu_kernel void @use(ptr addrspace(1) %p, ptr addrspace(1) %to) {
  %a = load <8 x i32>, ptr addrspace(1) %p
  %c = load <16 x float>, ptr addrspace(1) %p
  call void @llvm.amdgcn.sched.barrier(i32 0)
  %r = call <16 x float> @llvm.amdgcn.mfma.scale.f32.32x32x64.f8f6f4.v8i32.v8i32(<8 x i32> %a, <8 x i32> %a, <16 x float> %c, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0)
  call void @llvm.amdgcn.sched.barrier(i32 0)
  call void @llvm.amdgcn.s.sleep(i32 0)
  call void @llvm.amdgcn.s.sleep(i32 0)
  call void @llvm.amdgcn.s.sleep(i32 0)
  call void @llvm.amdgcn.s.sleep(i32 0)
  call void @llvm.amdgcn.s.sleep(i32 0)
  call void @llvm.amdgcn.s.sleep(i32 0)
  call void @llvm.amdgcn.s.sleep(i32 0)
  call void @llvm.amdgcn.s.sleep(i32 0)
  call void @llvm.amdgcn.s.sleep(i32 0)
  call void @llvm.amdgcn.s.sleep(i32 0)
  call void @llvm.amdgcn.s.sleep(i32 0)
  call void @llvm.amdgcn.s.sleep(i32 0)
  call void @llvm.amdgcn.s.sleep(i32 0)
  call void @llvm.amdgcn.s.sleep(i32 0)
  call void @llvm.amdgcn.s.sleep(i32 0)
  call void @llvm.amdgcn.s.sleep(i32 0)
  call void @llvm.amdgcn.s.sleep(i32 0)
  call void @llvm.amdgcn.s.sleep(i32 0)
  call void @llvm.amdgcn.s.sleep(i32 0)
  call void @llvm.amdgcn.sched.barrier(i32 0)
  store <16 x float> %r, ptr addrspace(1) %to
  ret void
}
