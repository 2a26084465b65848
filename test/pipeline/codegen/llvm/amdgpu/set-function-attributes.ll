; RUN: %aircc opt-llvm %s --target gfx942 --passes=aircc-amdgpu-set-function-attributes -S | FileCheck %s
; RUN: %aircc opt-llvm %s --target gfx1100 --passes=aircc-amdgpu-set-function-attributes -S | FileCheck %s --check-prefix=GFX11
; RUN: not %aircc opt-llvm %s --passes=aircc-amdgpu-set-function-attributes -S 2>&1 | FileCheck %s --check-prefix=NONE

; CHECK: define amdgpu_kernel void @kernel() #[[KERNEL:[0-9]+]]
; CHECK: define void @function() #[[FUNCTION:[0-9]+]]
; CHECK: attributes #[[KERNEL]] = { "target-cpu"="gfx942"{{.*}} "uniform-work-group-size"="true" }
; CHECK: attributes #[[FUNCTION]] = { "target-cpu"="gfx942"{{[^u]*}} }
; GFX11: attributes {{.*}} "target-cpu"="gfx1100"

; NONE: error: aircc-amdgpu-set-function-attributes requires a target

define amdgpu_kernel void @kernel() {
  ret void
}

define void @function() {
  ret void
}
