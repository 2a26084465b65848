; A function of 768 blocks and more is divided into functions. A value that is
; defined in one part and used in another one is passed, and arguments of kernels
; stay in scalar registers. Shorter functions stay as they are, and so do regions
; with several exits. What a part has in vector registers is moved to scalar ones
; for the part that it calls.

; RUN: python3 %S/Inputs/large_function.py > %t.ll
; RUN: %aircc opt-llvm %t.ll --target gfx942 --passes=aircc-amdgpu-split-large-functions,verify -S 2> %t.remarks | FileCheck %s
; RUN: %aircc opt-llvm %t.ll --target gfx1100 --passes=aircc-amdgpu-split-large-functions --asm -o %t.s
; RUN: FileCheck %s --check-prefix=REMARK < %t.remarks

; REMARK-NOT: short
; REMARK: remark: {{.*}}'long' has {{[0-9]+}} basic blocks, which would take very long to compile as one function: {{[0-9]+}} parts of it become functions, which it calls. Each call costs some forty instructions
; REMARK: remark: {{.*}}'nested' has {{[0-9]+}} basic blocks
; REMARK-NOT: exits

; CHECK-LABEL: define amdgpu_kernel void @short
; CHECK-NOT:   call
; CHECK-LABEL: define amdgpu_kernel void @long
; CHECK:         call void @long.part(ptr addrspace(1) inreg %p
; CHECK:         call void @long.part.1(ptr addrspace(1) inreg %p
; CHECK-LABEL: define amdgpu_kernel void @nested
; CHECK:         call void @nested.part
; CHECK-LABEL: define amdgpu_kernel void @wide
; CHECK:         call void @wide.part
; CHECK-LABEL: define amdgpu_kernel void @exits
; CHECK-NOT:   call
; CHECK:       define internal void @long.part(ptr addrspace(1) inreg
; CHECK-SAME:    #[[PART:[0-9]+]]
; CHECK:       define internal void @wide.part
; CHECK:         %[[SCALAR:.*]] = call ptr addrspace(1) @llvm.amdgcn.readfirstlane.p1(ptr addrspace(1) %
; CHECK:         call void @wide.part{{.*}}ptr addrspace(1) inreg %[[SCALAR]]
; CHECK:       attributes #[[PART]] = { noinline
