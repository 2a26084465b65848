; When loaded, a program that calls the runtime tells it which version it expects.

; RUN: split-file %s %t
; RUN: %aircc opt-llvm %t/calls.ll --passes=aircc-host-check-runtime-interface -S | FileCheck %s
; RUN: %aircc opt-llvm %t/none.ll --passes=aircc-host-check-runtime-interface -S | FileCheck %s --check-prefix=NONE

; The number is the runtime's.
; RUN: grep -x '#define AIRCC_RUNTIME_INTERFACE 1' %source-dir/runtime-stubs/include/aircc/runtime.h

; CHECK: @llvm.global_ctors = appending global {{.*}} { i32 101, ptr @aircc.check_runtime_interface, ptr null }
; CHECK: define internal void @aircc.check_runtime_interface()
; CHECK-NEXT: notail call void @airccCheckInterface(i32 1)
; CHECK-NEXT: ret void

; NONE-NOT: airccCheckInterface

;--- calls.ll
declare ptr @mgpuStreamCreate()
define ptr @f() {
  %stream = call ptr @mgpuStreamCreate()
  ret ptr %stream
}

;--- none.ll
declare void @printf()
define void @mgpuLike() {
  call void @printf()
  ret void
}
