; Accumulators in AGPRs stay there: a loop does not copy them to VGPRs and back,
; although the backend divides their phis into phis of elements.

; RUN: python3 %S/Inputs/accumulators.py 64 2 | sed 's/"64,64"/"256,256" "amdgpu-agpr-alloc"="256"/' > %t.ll
; RUN: %aircc opt-llvm %t.ll --target gfx950 --passes=verify --asm -o - | FileCheck %s
; RUN: %aircc opt-llvm %t.ll --target gfx950 --passes=verify --asm -o %t.s --print-after=aircc-amdgpu-keep-phis-in-agprs 2>&1 | FileCheck %s --check-prefix=PASS

; CHECK:       .LBB0_1:
; CHECK-NOT:   {{v_accvgpr|scratch_}}
; CHECK-COUNT-128: v_mfma_f32_16x16x32_f16 [[SUM:a\[[0-9:]+\]]], v{{.*}}, v{{.*}}, [[SUM]]{{$}}
; CHECK-NOT:   {{v_accvgpr|scratch_}}
; CHECK:       s_cbranch
; CHECK:       .vgpr_spill_count: 0

; Zeros and elements of the phis.
; PASS-LABEL: # Machine code for function sums:
; PASS:       :agpr_32 = AV_MOV_B32_IMM_PSEUDO 0
; PASS:       %{{[0-9]+}}:agpr_32 = COPY %{{[0-9]+}}.sub0:areg_128_align2
