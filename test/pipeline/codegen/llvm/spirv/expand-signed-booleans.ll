; The backend converts true to 1, not -1.

; RUN: %aircc opt-llvm %s --target bmg --passes=aircc-spirv-expand-signed-booleans -S | FileCheck %s
; RUN: %aircc opt-llvm %s --target bmg --passes=aircc-spirv-expand-signed-booleans --asm | FileCheck %s --check-prefix=ASM

; ASM: %[[MINUS:[0-9]+]] = OpConstant %{{[0-9]+}} {{-1|3212836864}}
; ASM: OpSelect {{.*}} %[[MINUS]]
; ASM-NOT: OpConvertSToF

; CHECK-LABEL: define spir_func float @scalar(
; CHECK-NEXT:    select i1 %b, float -1.{{.*}}, float 0.
define spir_func float @scalar(i1 %b) {
  %f = sitofp i1 %b to float
  ret float %f
}

; CHECK-LABEL: define spir_func <2 x float> @vector(
; CHECK-NEXT:    select <2 x i1> %b, <2 x float> splat (float -1.{{.*}}), <2 x float> zeroinitializer
define spir_func <2 x float> @vector(<2 x i1> %b) {
  %f = sitofp <2 x i1> %b to <2 x float>
  ret <2 x float> %f
}

; CHECK-LABEL: define spir_func float @unsigned(
; CHECK-NEXT:    uitofp i1 %b to float
define spir_func float @unsigned(i1 %b) {
  %f = uitofp i1 %b to float
  ret float %f
}
