; RUN: %aircc opt-llvm %s --passes=aircc-spirv-internalize-functions -S | FileCheck %s

target triple = "spirv64-unknown-unknown"

; CHECK: @external = addrspace(1) global i32 0
; CHECK: @linkonce = internal addrspace(1) global i32 0
; CHECK: define spir_kernel void @kernel()
; CHECK: define internal spir_func void @function()

@external = addrspace(1) global i32 0
@linkonce = linkonce_odr addrspace(1) global i32 0

define spir_kernel void @kernel() {
  call spir_func void @function()
  store i32 1, ptr addrspace(1) @linkonce
  ret void
}

define spir_func void @function() {
  ret void
}
