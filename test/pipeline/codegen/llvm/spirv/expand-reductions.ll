; SPIR-V has no reductions.

; RUN: %aircc opt-llvm %s --passes=aircc-spirv-expand-reductions -S | FileCheck %s

target triple = "spirv64-unknown-unknown"

; CHECK-LABEL: define i32 @add(
; CHECK-NEXT:    %[[E0:.*]] = extractelement <3 x i32> %v, i64 0
; CHECK-NEXT:    %[[E1:.*]] = extractelement <3 x i32> %v, i64 1
; CHECK-NEXT:    %[[S1:.*]] = add i32 %[[E0]], %[[E1]]
; CHECK-NEXT:    %[[E2:.*]] = extractelement <3 x i32> %v, i64 2
; CHECK-NEXT:    %[[S2:.*]] = add i32 %[[S1]], %[[E2]]
; CHECK-NEXT:    ret i32 %[[S2]]
define i32 @add(<3 x i32> %v) {
  %s = call i32 @llvm.vector.reduce.add.v3i32(<3 x i32> %v)
  ret i32 %s
}

; In the order of the elements, from the start value on.
; CHECK-LABEL: define float @fadd(
; CHECK-NEXT:    %[[E0:.*]] = extractelement <2 x float> %v, i64 0
; CHECK-NEXT:    %[[S0:.*]] = fadd nnan float %start, %[[E0]]
; CHECK-NEXT:    %[[E1:.*]] = extractelement <2 x float> %v, i64 1
; CHECK-NEXT:    fadd nnan float %[[S0]], %[[E1]]
define float @fadd(float %start, <2 x float> %v) {
  %s = call nnan float @llvm.vector.reduce.fadd.v2f32(float %start, <2 x float> %v)
  ret float %s
}

; CHECK-LABEL: define i1 @booleans(
; CHECK:         or i1
; CHECK-LABEL: define i16 @smax(
; CHECK:         call i16 @llvm.smax.i16(
; CHECK-LABEL: define float @fmax(
; CHECK:         call float @llvm.maximum.f32(
define i1 @booleans(<2 x i1> %v) {
  %s = call i1 @llvm.vector.reduce.or.v2i1(<2 x i1> %v)
  ret i1 %s
}

define i16 @smax(<2 x i16> %v) {
  %s = call i16 @llvm.vector.reduce.smax.v2i16(<2 x i16> %v)
  ret i16 %s
}

define float @fmax(<2 x float> %v) {
  %s = call float @llvm.vector.reduce.fmaximum.v2f32(<2 x float> %v)
  ret float %s
}
