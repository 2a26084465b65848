; The wrapper of a function for callers in C calls it. Other calls are inlined.

; RUN: %aircc opt-llvm %s --passes=aircc-host-keep-wrapper-calls -S | FileCheck %s

define void @f(ptr %a) {
  store i32 1, ptr %a
  ret void
}

; CHECK-LABEL: define void @_mlir_ciface_f(
; CHECK: call void @f(ptr %data) #[[KEPT:[0-9]+]]
define void @_mlir_ciface_f(ptr %descriptor) {
  %data = load ptr, ptr %descriptor
  call void @f(ptr %data)
  ret void
}

; A wrapper of another function.
; CHECK-LABEL: define void @_mlir_ciface_g(
; CHECK: call void @f(ptr %a){{$}}
define void @_mlir_ciface_g(ptr %a) {
  call void @f(ptr %a)
  ret void
}

; CHECK-LABEL: define void @h(
; CHECK: call void @f(ptr %a){{$}}
define void @h(ptr %a) {
  call void @f(ptr %a)
  ret void
}
; CHECK: attributes #[[KEPT]] = { noinline }
