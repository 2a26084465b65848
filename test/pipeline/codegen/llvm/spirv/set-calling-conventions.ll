; RUN: %aircc opt-llvm %s --passes=aircc-spirv-set-calling-conventions -S | FileCheck %s

target triple = "spirv64-unknown-unknown"

; CHECK: define spir_kernel void @kernel() #[[ATTRIBUTES:[0-9]+]]
; CHECK-NEXT: call spir_func void @function()
; CHECK: define spir_func void @function() #[[ATTRIBUTES]]
; CHECK-NEXT: call spir_func void @external()
; CHECK: declare spir_func void @external()
; CHECK: attributes #[[ATTRIBUTES]] = { "no-jump-tables"="true" }

define spir_kernel void @kernel() {
  call void @function()
  ret void
}

define void @function() {
  call void @external()
  ret void
}

declare void @external()
