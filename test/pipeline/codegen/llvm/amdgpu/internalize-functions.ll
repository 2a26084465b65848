; RUN: %aircc opt-llvm %s --passes=aircc-amdgpu-internalize-functions -S | FileCheck %s

; Variables stay: other code may refer to them by name.
; CHECK: @variable = addrspace(1) global i32 0
; CHECK: define amdgpu_kernel void @kernel()
; CHECK: define internal void @function()
; CHECK: declare void @external()

target triple = "amdgcn-amd-amdhsa"

@variable = addrspace(1) global i32 0

define amdgpu_kernel void @kernel() {
  call void @function()
  ret void
}

define void @function() {
  call void @external()
  ret void
}

declare void @external()
