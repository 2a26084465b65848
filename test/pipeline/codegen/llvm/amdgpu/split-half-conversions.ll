; The backend cannot select conversions of vectors of 5 to 7 f16.

; RUN: %aircc opt-llvm %s --target gfx942 --passes=aircc-amdgpu-split-half-conversions -S | FileCheck %s
; RUN: %aircc opt-llvm %s --target gfx942 -O2 --asm -o - | FileCheck %s --check-prefix=ASM
; RUN: %aircc opt-llvm %s --target gfx1201 -O0 --asm -o - | FileCheck %s --check-prefix=ASM

; ASM: extend:
; ASM: {{[vs]}}_cvt_f32_f16
; ASM: truncate:
; ASM: {{[vs]}}_cvt_f16_f32

; CHECK-LABEL: define amdgpu_kernel void @extend(
; CHECK-COUNT-5: fpext half %{{.*}} to float
; CHECK-NOT: fpext <5
define amdgpu_kernel void @extend(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %x = load <5 x half>, ptr addrspace(1) %p
  %y = fpext <5 x half> %x to <5 x float>
  store <5 x float> %y, ptr addrspace(1) %q
  ret void
}

; CHECK-LABEL: define amdgpu_kernel void @truncate(
; CHECK-COUNT-7: fptrunc float %{{.*}} to half
; CHECK-NOT: fptrunc <7
define amdgpu_kernel void @truncate(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %x = load <7 x float>, ptr addrspace(1) %p
  %y = fptrunc <7 x float> %x to <7 x half>
  store <7 x half> %y, ptr addrspace(1) %q
  ret void
}

; CHECK-LABEL: define amdgpu_kernel void @whole(
; CHECK: fpext <8 x half>
define amdgpu_kernel void @whole(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %x = load <8 x half>, ptr addrspace(1) %p
  %y = fpext <8 x half> %x to <8 x float>
  store <8 x float> %y, ptr addrspace(1) %q
  ret void
}
