; Matrix instructions whose accumulator no other instruction uses replace it by
; their result.

; RUN: python3 %S/Inputs/accumulators.py 8 4 > %t.ll
; RUN: %aircc opt-llvm %t.ll --target gfx950 --passes=verify --asm -o - | FileCheck %s
; RUN: %aircc opt-llvm %t.ll --target gfx950 --passes=verify --asm -o %t.s --print-after=aircc-amdgpu-keep-accumulators 2>&1 | FileCheck %s --check-prefix=PASS

; The last of the four products of each of eight sums may move.
; CHECK:       .LBB0_1:
; CHECK:       v_mfma_f32_16x16x32_f16 [[SUM:[av]\[[0-9:]+\]]], {{.*}}, [[SUM]]{{$}}
; CHECK-COUNT-23: v_mfma_f32_16x16x32_f16 [[SUM:[av]\[[0-9:]+\]]], {{.*}}, [[SUM]]{{$}}

; PASS-LABEL: # Machine code for function sums:
; PASS-COUNT-32: V_MFMA_F32_16X16X32_F16
