; Products and sums with the flag `contract` become one instruction: SPIR-V can
; only permit it for a whole kernel.

; RUN: %aircc opt-llvm %s --target bmg --passes=aircc-spirv-fuse-multiply-adds -S | FileCheck %s
; RUN: %aircc opt-llvm %s --target bmg --passes=aircc-spirv-fuse-multiply-adds --asm | FileCheck %s --check-prefix=ASM

; ASM: OpExtInst %{{.*}} %{{.*}} fma

; CHECK-LABEL: @sum
; CHECK-NEXT:    call contract float @llvm.fma.f32(float %a, float %b, float %c)
; CHECK-NEXT:    ret
define spir_func float @sum(float %a, float %b, float %c) {
  %p = fmul contract float %a, %b
  %s = fadd contract float %c, %p
  ret float %s
}

; CHECK-LABEL: @difference
; CHECK-NEXT:    %[[C:.*]] = fneg contract <2 x half> %c
; CHECK-NEXT:    call contract <2 x half> @llvm.fma.v2f16(<2 x half> %a, <2 x half> %b, <2 x half> %[[C]])
; CHECK-NEXT:    ret
define spir_func <2 x half> @difference(<2 x half> %a, <2 x half> %b, <2 x half> %c) {
  %p = fmul contract <2 x half> %a, %b
  %s = fsub contract <2 x half> %p, %c
  ret <2 x half> %s
}

; CHECK-LABEL: @subtracted_product
; CHECK-NEXT:    %[[A:.*]] = fneg fast double %a
; CHECK-NEXT:    call fast double @llvm.fma.f64(double %[[A]], double %b, double %c)
; CHECK-NEXT:    ret
define spir_func double @subtracted_product(double %a, double %b, double %c) {
  %p = fmul fast double %a, %b
  %s = fsub fast double %c, %p
  ret double %s
}

; Both need the flag, and a product with other uses is computed anyway.
; CHECK-LABEL: @separate
; CHECK-NOT:     fma
; CHECK:         ret
define spir_func float @separate(float %a, float %b, float %c) {
  %p = fmul contract float %a, %b
  %s = fadd float %c, %p
  %q = fmul float %a, %c
  %t = fadd contract float %s, %q
  %r = fmul contract float %t, %b
  %u = fadd contract float %r, %c
  %v = fadd float %u, %r
  ret float %v
}
