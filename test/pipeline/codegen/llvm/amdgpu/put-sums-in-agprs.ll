; Functions whose loops only accumulate, in many registers, reserve AGPRs for
; the accumulators.

; RUN: python3 %S/Inputs/accumulators.py 64 2 > %t.64.ll
; RUN: %aircc opt-llvm %t.64.ll --target gfx950 --passes=aircc-amdgpu-put-sums-in-agprs,verify -S | FileCheck %s --check-prefix=MANY
; RUN: python3 %S/Inputs/accumulators.py 33 2 > %t.33.ll
; RUN: %aircc opt-llvm %t.33.ll --target gfx942 --passes=aircc-amdgpu-put-sums-in-agprs,verify -S | FileCheck %s --check-prefix=FEW
; RUN: python3 %S/Inputs/accumulators.py 32 2 > %t.32.ll
; RUN: %aircc opt-llvm %t.32.ll --target gfx950 --passes=aircc-amdgpu-put-sums-in-agprs,verify -S | FileCheck %s --check-prefix=NONE
; RUN: python3 %S/Inputs/accumulators.py 65 2 > %t.65.ll
; RUN: %aircc opt-llvm %t.65.ll --target gfx950 --passes=aircc-amdgpu-put-sums-in-agprs,verify -S | FileCheck %s --check-prefix=NONE

; Other uses in the loop, of a result and of what it starts with.
; RUN: sed 's/  %%next = add/  %%changed = fmul <4 x float> %%s7_2, %%s7_2\n&/' %t.64.ll > %t.result.ll
; RUN: %aircc opt-llvm %t.result.ll --target gfx950 --passes=aircc-amdgpu-put-sums-in-agprs,verify -S | FileCheck %s --check-prefix=NONE
; RUN: sed 's/  %%next = add/  %%changed = fmul <4 x float> %%s7_0, %%s7_0\n&/' %t.64.ll > %t.start.ll
; RUN: %aircc opt-llvm %t.start.ll --target gfx950 --passes=aircc-amdgpu-put-sums-in-agprs,verify -S | FileCheck %s --check-prefix=NONE

; MANY: attributes #0 = { "amdgpu-agpr-alloc"="256"
; FEW: attributes #0 = { "amdgpu-agpr-alloc"="132"
; NONE: define amdgpu_kernel void @sums
; NONE-NOT: amdgpu-agpr-alloc
