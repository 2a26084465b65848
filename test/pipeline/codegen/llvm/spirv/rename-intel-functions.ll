; Functions of Intel's compiler that upstream's lowering calls by names, or with
; types, that it does not have.

; RUN: %aircc opt-llvm %s --passes=aircc-spirv-rename-intel-functions -S | FileCheck %s

target triple = "spirv64-unknown-unknown"

; CHECK-LABEL: define spir_func <8 x i32> @product(
; CHECK-NEXT:    call spir_func <8 x i32> @_Z36intel_sub_group_i8_i8_matrix_mad_k32Dv8_sDv8_iS0_(
define spir_func <8 x i32> @product(<8 x i16> %a, <8 x i32> %b, <8 x i32> %c) {
  %d = call spir_func <8 x i32> @_Z36intel_sub_group_s8_s8_matrix_mad_k32Dv8_sDv8_iS0_(<8 x i16> %a, <8 x i32> %b, <8 x i32> %c)
  ret <8 x i32> %d
}

declare spir_func <8 x i32> @_Z36intel_sub_group_s8_s8_matrix_mad_k32Dv8_sDv8_iS0_(<8 x i16>, <8 x i32>, <8 x i32>)

; A vector of one element is a scalar there.
; CHECK-LABEL: define spir_func <1 x float> @one(
; CHECK-NEXT:    %[[A:.*]] = extractelement <1 x i16> %a, i64 0
; CHECK-NEXT:    %[[C:.*]] = extractelement <1 x float> %c, i64 0
; CHECK-NEXT:    %[[D:.*]] = call spir_func float @_Z38intel_sub_group_f16_f16_matrix_mad_k16sDv8_if(i16 %[[A]], <8 x i32> %b, float %[[C]])
; CHECK-NEXT:    insertelement <1 x float> poison, float %[[D]], i64 0
define spir_func <1 x float> @one(<1 x i16> %a, <8 x i32> %b, <1 x float> %c) {
  %d = call spir_func <1 x float> @_Z38intel_sub_group_f16_f16_matrix_mad_k16Dv1_sDv8_iDv1_f(<1 x i16> %a, <8 x i32> %b, <1 x float> %c)
  ret <1 x float> %d
}

declare spir_func <1 x float> @_Z38intel_sub_group_f16_f16_matrix_mad_k16Dv1_sDv8_iDv1_f(<1 x i16>, <8 x i32>, <1 x float>)
