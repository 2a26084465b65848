; The backend emits a phi of a structure without its incoming values.

; RUN: %aircc opt-llvm %s --target bmg --passes=aircc-spirv-split-aggregate-phis -S | FileCheck %s
; RUN: %aircc opt-llvm %s --target bmg --passes=aircc-spirv-split-aggregate-phis --asm | FileCheck %s --check-prefix=ASM

; CHECK-LABEL: define spir_kernel void @kernel(
; CHECK: join:
; CHECK-NEXT: phi ptr addrspace(1) [ %p, %then ], [ %q, %else ]
; CHECK-NEXT: phi i64 [ 1, %then ], [ %n, %else ]
; CHECK-NOT: insertvalue
; CHECK: ret void
; ASM-COUNT-2: OpPhi %{{.*}} %{{.*}} %{{.*}} %{{.*}} %{{.*}}
define spir_kernel void @kernel(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n) {
entry:
  %c = icmp eq i64 %n, 0
  br i1 %c, label %then, label %else

then:
  %a0 = insertvalue { ptr addrspace(1), [1 x i64] } poison, ptr addrspace(1) %p, 0
  %a1 = insertvalue { ptr addrspace(1), [1 x i64] } %a0, i64 1, 1, 0
  store i64 3, ptr addrspace(1) %q
  br label %join

else:
  %b0 = insertvalue { ptr addrspace(1), [1 x i64] } poison, ptr addrspace(1) %q, 0
  %b1 = insertvalue { ptr addrspace(1), [1 x i64] } %b0, i64 %n, 1, 0
  store i64 4, ptr addrspace(1) %p
  br label %join

join:
  %d = phi { ptr addrspace(1), [1 x i64] } [ %a1, %then ], [ %b1, %else ]
  %r = extractvalue { ptr addrspace(1), [1 x i64] } %d, 0
  %i = extractvalue { ptr addrspace(1), [1 x i64] } %d, 1, 0
  store i64 %i, ptr addrspace(1) %r
  ret void
}
