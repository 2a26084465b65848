; A wait state is between a wide buffer store with a register as its scalar
; offset and a vector instruction that overwrites its data.

; RUN: %aircc opt-llvm %s --target gfx942 --passes=verify --asm | FileCheck %s
; RUN: %aircc opt-llvm %s --target gfx950 --passes=verify --asm | FileCheck %s
; RUN: %aircc opt-llvm %s --target gfx90a --passes=verify --asm | FileCheck %s --check-prefix=GFX90A
; RUN: %aircc opt-llvm %s --target gfx942 --passes=verify --asm -o %t.s --print-after=aircc-amdgpu-fill-store-waits 2>&1 | FileCheck %s --check-prefix=PASS

target triple = "amdgcn-amd-amdhsa"

; CHECK-LABEL: wide:
; CHECK:       buffer_store_dwordx4 v[0:3], v{{[0-9]+}}, s[{{[0-9:]+}}], s{{[0-9]+}} offen
; CHECK-NEXT:  s_nop 0
; CHECK-NEXT:  v_pk_add_f32 v[{{0:1|2:3}}]
; GFX90A-LABEL: wide:
; GFX90A:       buffer_store_dwordx4
; GFX90A-NEXT:  v_

; PASS-LABEL: # Machine code for function wide:
; PASS:         BUFFER_STORE_DWORDX4
; PASS-NEXT:    S_NOP 0
define amdgpu_kernel void @wide(ptr addrspace(8) inreg %buffer, <4 x float> %start, i32 %scalar) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %x = uitofp i32 %id to float
  %s = insertelement <4 x float> poison, float %x, i32 0
  %v = shufflevector <4 x float> %s, <4 x float> poison, <4 x i32> zeroinitializer
  %a = fadd <4 x float> %v, %start
  call void @llvm.amdgcn.raw.ptr.buffer.store.v4f32(<4 x float> %a, ptr addrspace(8) %buffer, i32 %id, i32 %scalar, i32 0)
  call void @llvm.amdgcn.sched.barrier(i32 0)
  %b = fadd <4 x float> %a, splat (float 1.0)
  call void @llvm.amdgcn.raw.ptr.buffer.store.v4f32(<4 x float> %b, ptr addrspace(8) %buffer, i32 %id, i32 %scalar, i32 0)
  ret void
}

; Stores of 64 bits read their data in time.
; CHECK-LABEL: narrow:
; CHECK:       buffer_store_dwordx2
; CHECK-NEXT:  v_
define amdgpu_kernel void @narrow(ptr addrspace(8) inreg %buffer, <2 x float> %start, i32 %scalar) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %x = uitofp i32 %id to float
  %s = insertelement <2 x float> poison, float %x, i32 0
  %v = shufflevector <2 x float> %s, <2 x float> poison, <2 x i32> zeroinitializer
  %a = fadd <2 x float> %v, %start
  call void @llvm.amdgcn.raw.ptr.buffer.store.v2f32(<2 x float> %a, ptr addrspace(8) %buffer, i32 %id, i32 %scalar, i32 0)
  call void @llvm.amdgcn.sched.barrier(i32 0)
  %b = fadd <2 x float> %a, splat (float 1.0)
  call void @llvm.amdgcn.raw.ptr.buffer.store.v2f32(<2 x float> %b, ptr addrspace(8) %buffer, i32 %id, i32 %scalar, i32 0)
  ret void
}
