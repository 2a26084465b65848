; Constructors of the same priority that run one after another become one, and so do
; destructors, which run in the opposite order. Those that something else uses, that
; have several blocks or that belong to a global stay.

; RUN: %aircc opt-llvm --passes=aircc-host-merge-constructors,verify -S -o - %s | FileCheck %s
; RUN: %aircc opt-llvm -O2 -S -o - %s | FileCheck %s --check-prefix=O2

; CHECK: @llvm.global_ctors = appending global [6 x { i32, ptr, ptr }] [
; CHECK-SAME: { i32 123, ptr @load0, ptr null },
; CHECK-SAME: { i32 200, ptr @load2, ptr null },
; CHECK-SAME: { i32 200, ptr @used, ptr null },
; CHECK-SAME: { i32 200, ptr @load3, ptr null },
; CHECK-SAME: { i32 200, ptr @branches, ptr null },
; CHECK-SAME: { i32 200, ptr @associated, ptr @slot }]
; CHECK: @llvm.global_dtors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 123, ptr @unload1, ptr null }]

; CHECK:      define internal void @load0()
; CHECK-NEXT:   call void @f(i32 0)
; CHECK-NEXT:   call void @f(i32 1)
; CHECK-NEXT:   ret void
; CHECK-NOT:  @load1

; CHECK:      define internal void @load3()
; CHECK-NEXT:   call void @f(i32 3)
; CHECK-NEXT:   ret void

; CHECK-NOT:  @unload0
; CHECK:      define internal void @unload1()
; CHECK-NEXT:   call void @f(i32 11)
; CHECK-NEXT:   call void @f(i32 10)
; CHECK-NEXT:   ret void

; The host's pipeline runs it.
; O2-NOT: @load1

target triple = "x86_64-unknown-linux-gnu"

@slot = global ptr null
@llvm.global_ctors = appending global [7 x { i32, ptr, ptr }] [
  { i32, ptr, ptr } { i32 123, ptr @load0, ptr null },
  { i32, ptr, ptr } { i32 123, ptr @load1, ptr null },
  { i32, ptr, ptr } { i32 200, ptr @load2, ptr null },
  { i32, ptr, ptr } { i32 200, ptr @used, ptr null },
  { i32, ptr, ptr } { i32 200, ptr @load3, ptr null },
  { i32, ptr, ptr } { i32 200, ptr @branches, ptr null },
  { i32, ptr, ptr } { i32 200, ptr @associated, ptr @slot }]
@llvm.global_dtors = appending global [2 x { i32, ptr, ptr }] [
  { i32, ptr, ptr } { i32 123, ptr @unload0, ptr null },
  { i32, ptr, ptr } { i32 123, ptr @unload1, ptr null }]

declare void @f(i32)

define internal void @load0() {
  call void @f(i32 0)
  ret void
}

define internal void @load1() {
  call void @f(i32 1)
  ret void
}

define internal void @load2() {
  call void @f(i32 2)
  ret void
}

define internal void @used() {
  call void @f(i32 20)
  ret void
}

define internal void @load3() {
  call void @f(i32 3)
  ret void
}

define internal void @branches() {
entry:
  %p = load volatile ptr, ptr @slot
  %isNull = icmp eq ptr %p, null
  br i1 %isNull, label %then, label %end
then:
  call void @f(i32 4)
  br label %end
end:
  ret void
}

define internal void @associated() {
  call void @f(i32 5)
  ret void
}

define internal void @unload0() {
  call void @f(i32 10)
  ret void
}

define internal void @unload1() {
  call void @f(i32 11)
  ret void
}

define void @again() {
  call void @used()
  ret void
}
