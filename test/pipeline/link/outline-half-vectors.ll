; Long vectors of f16 on a host that converts none: one loop for each conversion and
; length, not a call for each element.

; RUN: %aircc opt-llvm %s --passes=aircc-host-outline-half-vectors -S | FileCheck %s

target triple = "x86_64-unknown-linux-gnu"

; CHECK-LABEL: define <16 x half> @sum(
; CHECK:         store <16 x half> %x, ptr %[[IN:.*]], align 16
; CHECK-NEXT:    call void @aircc.half.extend.16(ptr %[[WIDE:.*]], ptr %[[IN]])
; CHECK-NEXT:    load <16 x float>, ptr %[[WIDE]], align 16
; CHECK:         call void @aircc.half.extend.16(
; CHECK:         fadd <16 x float>
; CHECK:         call void @aircc.half.truncate.16(
; CHECK:         ret <16 x half>
define <16 x half> @sum(<16 x half> %x, <16 x half> %y) {
  %s = fadd <16 x half> %x, %y
  ret <16 x half> %s
}

; Short vectors are left to LLVM, and so is code for a processor of its own, which may
; have the instructions.
; CHECK-LABEL: define <4 x half> @short(
; CHECK-NEXT:    fadd <4 x half>
; CHECK-LABEL: define <16 x half> @f16c(
; CHECK-NEXT:    fadd <16 x half>
define <4 x half> @short(<4 x half> %x, <4 x half> %y) {
  %s = fadd <4 x half> %x, %y
  ret <4 x half> %s
}

define <16 x half> @f16c(<16 x half> %x, <16 x half> %y) #0 {
  %s = fadd <16 x half> %x, %y
  ret <16 x half> %s
}

; CHECK:       define internal void @aircc.half.extend.16(
; CHECK:       loop:
; CHECK:         load half
; CHECK-NEXT:    fpext half
; CHECK:         icmp eq i64 %{{.*}}, 16

attributes #0 = { "target-features"="+f16c" }
