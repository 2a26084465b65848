; The backend takes out waits of fences that only accesses of the previous
; iteration, or of a loop before, have to be waited for at.

; RUN: %aircc opt-llvm %s --target gfx942 --asm -o - | FileCheck %s
; RUN: %aircc opt-llvm %s --target gfx1201 --asm -o - | FileCheck %s --check-prefix=GFX12
; RUN: %aircc opt-llvm %s --target gfx942 --asm -o %t.s --print-after=aircc-amdgpu-keep-loop-waits 2>&1 | FileCheck %s --check-prefix=PASS

; The store of the previous iteration.
; CHECK-LABEL: {{^}}head:
; CHECK:       .LBB0_1:
; CHECK:         s_waitcnt lgkmcnt(0)
; CHECK-NOT:     ds_
; CHECK:         s_barrier
; CHECK:         ds_write_b32
; CHECK:         s_cbranch_{{.*}} .LBB0_1
; GFX12-LABEL: {{^}}head:
; GFX12:       .LBB0_1:
; GFX12:         s_wait_dscnt 0x0
; GFX12-NOT:     ds_
; GFX12:         s_barrier_signal -1
; GFX12:         ds_store_b32

; PASS-LABEL: # Machine code for function head:
; PASS:         S_WAITCNT {{[0-9]+}}
; PASS-NEXT:    S_WAITCNT_lds_direct
; PASS-NEXT:    S_BARRIER
; PASS-LABEL: # Machine code for function straight:
; PASS:         S_WAITCNT_soft
define amdgpu_kernel void @head(ptr addrspace(3) %p, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  %q = getelementptr i32, ptr addrspace(3) %p, i32 %i
  store i32 %i, ptr addrspace(3) %q
  %next = add i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end
end:
  ret void
}

; Without a loop there are no more waits than needed.
; CHECK-LABEL: {{^}}straight:
; CHECK-NOT:     s_waitcnt lgkmcnt(0)
; CHECK:         s_barrier
; CHECK:         s_endpgm
define amdgpu_kernel void @straight() #0 {
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  ret void
}

attributes #0 = { "amdgpu-flat-work-group-size"="128,256" }
