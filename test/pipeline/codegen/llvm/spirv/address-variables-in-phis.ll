; Variables whose addresses only phis or selects use keep their types.

; RUN: %aircc opt-llvm %s --target bmg --passes=aircc-spirv-address-variables-in-phis -S | FileCheck %s
; RUN: %aircc opt-llvm %s --target bmg --passes=aircc-spirv-address-variables-in-phis --asm | FileCheck %s --check-prefix=ASM

target triple = "spirv64-unknown-unknown"

@first = internal addrspace(3) global [256 x i8] undef
@second = internal addrspace(3) global [256 x i8] undef
@third = internal addrspace(3) global [256 x i8] undef
@fourth = internal addrspace(3) global [256 x i8] undef

; ASM: %[[#ARRAY:]] = OpTypeArray %{{.*}}
; ASM: %[[#POINTER:]] = OpTypePointer Workgroup %[[#ARRAY]]
; ASM-COUNT-4: = OpVariable %[[#POINTER]] Workgroup

; CHECK-LABEL: define spir_kernel void @swap
; CHECK-DAG: %[[FIRST:.*]] = getelementptr inbounds [256 x i8], ptr addrspace(3) @first, i64 0
; CHECK-DAG: %[[SECOND:.*]] = getelementptr inbounds [256 x i8], ptr addrspace(3) @second, i64 0
; CHECK: phi ptr addrspace(3) [ %[[FIRST]], %entry ], [ %q, %loop ]
; CHECK: phi ptr addrspace(3) [ %[[SECOND]], %entry ], [ %p, %loop ]
define spir_kernel void @swap(i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = phi ptr addrspace(3) [ @first, %entry ], [ %q, %loop ]
  %q = phi ptr addrspace(3) [ @second, %entry ], [ %p, %loop ]
  %element = getelementptr i32, ptr addrspace(3) %p, i64 %i
  store i32 1, ptr addrspace(3) %element, align 4
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; CHECK-LABEL: define spir_kernel void @choose
; CHECK-DAG: %[[THIRD:.*]] = getelementptr inbounds [256 x i8], ptr addrspace(3) @third, i64 0
; CHECK-DAG: %[[FOURTH:.*]] = getelementptr inbounds [256 x i8], ptr addrspace(3) @fourth, i64 0
; CHECK: select i1 %{{.*}}, ptr addrspace(3) %[[THIRD]], ptr addrspace(3) %[[FOURTH]]
define spir_kernel void @choose(i64 %n) {
  %even = icmp eq i64 %n, 0
  %p = select i1 %even, ptr addrspace(3) @third, ptr addrspace(3) @fourth
  %element = getelementptr i32, ptr addrspace(3) %p, i64 %n
  store i32 1, ptr addrspace(3) %element, align 4
  ret void
}
