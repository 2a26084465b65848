; The wrapper of a function for callers in C calls it. Other calls are inlined. A wrapper
; that does nothing else is another name of the function.

; RUN: %aircc opt-llvm %s --passes=aircc-host-keep-wrapper-calls -S | FileCheck %s

; CHECK: @_mlir_ciface_scalar = alias i32 (i32, i32), ptr @scalar
; CHECK-NOT: alias

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

define i32 @scalar(i32 %a, i32 %b) {
  %s = sub i32 %a, %b
  ret i32 %s
}

define i32 @_mlir_ciface_scalar(i32 %a, i32 %b) {
  %s = call i32 @scalar(i32 %a, i32 %b)
  ret i32 %s
}

; CHECK-LABEL: define i32 @_mlir_ciface_swapped(
; CHECK: call i32 @swapped(i32 %b, i32 %a) #[[KEPT]]
define i32 @_mlir_ciface_swapped(i32 %a, i32 %b) {
  %s = call i32 @swapped(i32 %b, i32 %a)
  ret i32 %s
}

define i32 @swapped(i32 %a, i32 %b) {
  ret i32 %a
}

; The alias of a declaration would not be valid.
; CHECK-LABEL: define void @_mlir_ciface_declared(
; CHECK: call void @declared(i32 %a) #[[KEPT]]
declare void @declared(i32)

define void @_mlir_ciface_declared(i32 %a) {
  call void @declared(i32 %a)
  ret void
}
; CHECK: attributes #[[KEPT]] = { noinline }
