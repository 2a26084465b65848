; Lanes that reconverge in a loop with a barrier stay together: where the
; optimizer knows for some of them which way the next branch goes, it must not
; send these around the loop without the others.

; RUN: %aircc opt-llvm %s --target gfx942 --passes=aircc-amdgpu-mark-joins -S | FileCheck %s
; RUN: %aircc opt-llvm %s --target gfx942 --passes='function(jump-threading)' -S | FileCheck %s --check-prefix=DEFECT
; RUN: %aircc opt-llvm %s --target gfx942 --passes='function(aircc-amdgpu-mark-joins,jump-threading,aircc-amdgpu-remove-join-marks)' -S | FileCheck %s --check-prefix=TOGETHER
; RUN: not %aircc opt-llvm --passes=aircc-amdgpu-mark-joins -S < %S/../Inputs/no-triple.ll 2>&1 | FileCheck %s --check-prefix=NONE

; CHECK-LABEL: define amdgpu_kernel void @divergent(
; CHECK:       join:
; CHECK-NEXT:    phi i1
; CHECK-NEXT:    call void @llvm.amdgcn.wave.barrier() #[[MARK:[0-9]+]]

; A block of `then` goes to the head of the loop by itself.
; DEFECT-LABEL: define amdgpu_kernel void @divergent(
; DEFECT:       then:
; DEFECT:         br label %loop
; TOGETHER-LABEL: define amdgpu_kernel void @divergent(
; TOGETHER:     then:
; TOGETHER-NEXT:  br label %join
; TOGETHER-NOT: wave.barrier()
; TOGETHER-LABEL: define amdgpu_kernel void @uniform(
define amdgpu_kernel void @divergent(ptr addrspace(1) %p, i1 %c) {
entry:
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %divergent = icmp eq i32 %id, 0
  br label %loop
loop:
  call void @llvm.amdgcn.s.barrier()
  br i1 %divergent, label %then, label %join
then:
  br label %join
join:
  %again = phi i1 [ true, %then ], [ %c, %loop ]
  br i1 %again, label %loop, label %end
end:
  ret void
}

; Nothing to mark: all lanes take the same branch.
; CHECK-LABEL: define amdgpu_kernel void @uniform(
; CHECK-NOT:     wave.barrier()
; CHECK:         ret void
define amdgpu_kernel void @uniform(ptr addrspace(1) %p, i1 %c, i1 %d) {
entry:
  br label %loop
loop:
  call void @llvm.amdgcn.s.barrier()
  br i1 %d, label %then, label %join
then:
  br label %join
join:
  %again = phi i1 [ true, %then ], [ %c, %loop ]
  br i1 %again, label %loop, label %end
end:
  ret void
}

; Nor in a loop in which lanes do not wait for each other.
; CHECK-LABEL: define amdgpu_kernel void @alone(
; CHECK-NOT:     wave.barrier()
; CHECK:         ret void
define amdgpu_kernel void @alone(i1 %c) {
entry:
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %divergent = icmp eq i32 %id, 0
  br label %loop
loop:
  br i1 %divergent, label %then, label %join
then:
  br label %join
join:
  %again = phi i1 [ true, %then ], [ %c, %loop ]
  br i1 %again, label %loop, label %end
end:
  ret void
}

; CHECK: attributes #[[MARK]] = { memory(inaccessiblemem: readwrite) }

; NONE: error: aircc-amdgpu-mark-joins requires a target
