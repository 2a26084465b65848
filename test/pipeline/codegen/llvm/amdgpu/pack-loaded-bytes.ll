; Bytes that were loaded one by one become a vector of bytes by three instructions for each four of them.

; RUN: %aircc opt-llvm %s --target gfx950 --passes=aircc-amdgpu-pack-loaded-bytes -S | FileCheck %s

; CHECK-LABEL: define amdgpu_kernel void @scales(
; CHECK-COUNT-4: zext i8 %{{.*}} to i32
; CHECK: or disjoint i32
; CHECK: %[[WORD:.+]] = or disjoint i32
; CHECK-NEXT: %[[WORDS:.+]] = insertelement <1 x i32> poison, i32 %[[WORD]], i64 0
; CHECK-NEXT: %[[BYTES:.+]] = bitcast <1 x i32> %[[WORDS]] to <4 x i8>
; CHECK: bitcast <4 x i8> %[[BYTES]] to i32

; The bytes of a vector stay where they are.
; CHECK: extractelement <4 x i8>
; CHECK: insertelement <4 x i8>
; CHECK: ret void
define amdgpu_kernel void @scales(ptr addrspace(3) %p, ptr addrspace(1) %q) {
  %p1 = getelementptr i8, ptr addrspace(3) %p, i32 4
  %p2 = getelementptr i8, ptr addrspace(3) %p, i32 8
  %p3 = getelementptr i8, ptr addrspace(3) %p, i32 12
  %b0 = load i8, ptr addrspace(3) %p
  %b1 = load i8, ptr addrspace(3) %p1
  %b2 = load i8, ptr addrspace(3) %p2
  %b3 = load i8, ptr addrspace(3) %p3
  %v0 = insertelement <4 x i8> poison, i8 %b0, i64 0
  %v1 = insertelement <4 x i8> %v0, i8 %b1, i64 1
  %v2 = insertelement <4 x i8> %v1, i8 %b2, i64 2
  %v3 = insertelement <4 x i8> %v2, i8 %b3, i64 3
  %scale = bitcast <4 x i8> %v3 to i32
  %w = load <4 x i8>, ptr addrspace(3) %p1
  %e = extractelement <4 x i8> %w, i64 0
  %w1 = insertelement <4 x i8> %w, i8 %e, i64 3
  %other = bitcast <4 x i8> %w1 to i32
  %a = load <8 x i32>, ptr addrspace(1) %q
  %d0 = call <4 x float> @llvm.amdgcn.mfma.scale.f32.16x16x128.f8f6f4.v8i32.v8i32(<8 x i32> %a, <8 x i32> %a, <4 x float> zeroinitializer, i32 0, i32 0, i32 0, i32 %scale, i32 0, i32 %other)
  %d1 = call <4 x float> @llvm.amdgcn.mfma.scale.f32.16x16x128.f8f6f4.v8i32.v8i32(<8 x i32> %a, <8 x i32> %a, <4 x float> %d0, i32 0, i32 0, i32 0, i32 %scale, i32 0, i32 %other)
  %d2 = call <4 x float> @llvm.amdgcn.mfma.scale.f32.16x16x128.f8f6f4.v8i32.v8i32(<8 x i32> %a, <8 x i32> %a, <4 x float> %d1, i32 0, i32 0, i32 0, i32 %scale, i32 0, i32 %other)
  %d3 = call <4 x float> @llvm.amdgcn.mfma.scale.f32.16x16x128.f8f6f4.v8i32.v8i32(<8 x i32> %a, <8 x i32> %a, <4 x float> %d2, i32 0, i32 0, i32 0, i32 %scale, i32 0, i32 %other)
  %d4 = call <4 x float> @llvm.amdgcn.mfma.scale.f32.16x16x128.f8f6f4.v8i32.v8i32(<8 x i32> %a, <8 x i32> %a, <4 x float> %d3, i32 0, i32 0, i32 0, i32 %scale, i32 0, i32 %other)
  %d5 = call <4 x float> @llvm.amdgcn.mfma.scale.f32.16x16x128.f8f6f4.v8i32.v8i32(<8 x i32> %a, <8 x i32> %a, <4 x float> %d4, i32 0, i32 0, i32 0, i32 %scale, i32 0, i32 %other)
  %d6 = call <4 x float> @llvm.amdgcn.mfma.scale.f32.16x16x128.f8f6f4.v8i32.v8i32(<8 x i32> %a, <8 x i32> %a, <4 x float> %d5, i32 0, i32 0, i32 0, i32 %scale, i32 0, i32 %other)
  %d7 = call <4 x float> @llvm.amdgcn.mfma.scale.f32.16x16x128.f8f6f4.v8i32.v8i32(<8 x i32> %a, <8 x i32> %a, <4 x float> %d6, i32 0, i32 0, i32 0, i32 %scale, i32 0, i32 %other)
  %d8 = call <4 x float> @llvm.amdgcn.mfma.scale.f32.16x16x128.f8f6f4.v8i32.v8i32(<8 x i32> %a, <8 x i32> %a, <4 x float> %d7, i32 0, i32 0, i32 0, i32 %scale, i32 0, i32 %other)
  %d9 = call <4 x float> @llvm.amdgcn.mfma.scale.f32.16x16x128.f8f6f4.v8i32.v8i32(<8 x i32> %a, <8 x i32> %a, <4 x float> %d8, i32 0, i32 0, i32 0, i32 %scale, i32 0, i32 %other)
  %d10 = call <4 x float> @llvm.amdgcn.mfma.scale.f32.16x16x128.f8f6f4.v8i32.v8i32(<8 x i32> %a, <8 x i32> %a, <4 x float> %d9, i32 0, i32 0, i32 0, i32 %scale, i32 0, i32 %other)
  %d11 = call <4 x float> @llvm.amdgcn.mfma.scale.f32.16x16x128.f8f6f4.v8i32.v8i32(<8 x i32> %a, <8 x i32> %a, <4 x float> %d10, i32 0, i32 0, i32 0, i32 %scale, i32 0, i32 %other)
  %d12 = call <4 x float> @llvm.amdgcn.mfma.scale.f32.16x16x128.f8f6f4.v8i32.v8i32(<8 x i32> %a, <8 x i32> %a, <4 x float> %d11, i32 0, i32 0, i32 0, i32 %scale, i32 0, i32 %other)
  %d13 = call <4 x float> @llvm.amdgcn.mfma.scale.f32.16x16x128.f8f6f4.v8i32.v8i32(<8 x i32> %a, <8 x i32> %a, <4 x float> %d12, i32 0, i32 0, i32 0, i32 %scale, i32 0, i32 %other)
  %d14 = call <4 x float> @llvm.amdgcn.mfma.scale.f32.16x16x128.f8f6f4.v8i32.v8i32(<8 x i32> %a, <8 x i32> %a, <4 x float> %d13, i32 0, i32 0, i32 0, i32 %scale, i32 0, i32 %other)
  %d15 = call <4 x float> @llvm.amdgcn.mfma.scale.f32.16x16x128.f8f6f4.v8i32.v8i32(<8 x i32> %a, <8 x i32> %a, <4 x float> %d14, i32 0, i32 0, i32 0, i32 %scale, i32 0, i32 %other)
  store <4 x float> %d15, ptr addrspace(1) %q
  ret void
}

; Without many matrix instructions, nothing changes.

; CHECK-LABEL: define amdgpu_kernel void @few(
; CHECK-NOT: zext
; CHECK: ret void
define amdgpu_kernel void @few(ptr addrspace(3) %p, ptr addrspace(1) %q) {
  %b0 = load i8, ptr addrspace(3) %p
  %v0 = insertelement <4 x i8> poison, i8 %b0, i64 0
  %v1 = insertelement <4 x i8> %v0, i8 %b0, i64 1
  %v2 = insertelement <4 x i8> %v1, i8 %b0, i64 2
  %v3 = insertelement <4 x i8> %v2, i8 %b0, i64 3
  store <4 x i8> %v3, ptr addrspace(1) %q
  ret void
}
