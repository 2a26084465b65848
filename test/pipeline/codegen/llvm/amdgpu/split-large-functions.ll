; A function of 768 blocks and more is divided into functions. A value that is
; defined in one part and used in another one is passed, and arguments of kernels
; are known to be the same in all lanes. Shorter functions stay as they are, and so do regions
; with several exits or with many values from outside.

; RUN: python3 %S/Inputs/large_function.py > %t.ll
; RUN: %aircc opt-llvm %t.ll --target gfx942 --passes=aircc-llvm-split-large-functions,verify -S 2> %t.remarks | FileCheck %s
; RUN: %aircc opt-llvm %t.ll --target gfx1100 --passes=aircc-llvm-split-large-functions --asm -o %t.s
; RUN: %aircc opt-llvm %t.ll --target gfx90a --passes=aircc-llvm-split-large-functions --asm -o %t.s
; RUN: FileCheck %s --check-prefix=STACK < %t.s

; Functions with nests of 64 loops are divided from 256 blocks on.
; RUN: python3 %S/../Inputs/nest_of_tests.py nest84 84 > %t.nests.ll
; RUN: python3 %S/../Inputs/nest_of_tests.py nest85 85 >> %t.nests.ll
; RUN: %aircc opt-llvm %t.nests.ll --target gfx942 --passes=aircc-llvm-split-large-functions,verify -S 2> %t.nests.remarks | FileCheck %s --check-prefix=NEST
; NEST-LABEL: define amdgpu_kernel void @nest84(
; NEST-NOT:   call
; NEST-LABEL: define amdgpu_kernel void @nest85(
; NEST:         call void @nest85.part

; The registers that address the stack are the kernel's in all parts.
; STACK-LABEL: wide:
; STACK: s_add_u32 s0, s0, s
; STACK-NOT: s_mov_b32 s{{[0-3]}},
; STACK: s_swappc_b64
; RUN: FileCheck %s --check-prefix=REMARK < %t.remarks

; REMARK-NOT: short
; REMARK: remark: {{.*}}'long' has {{[0-9]+}} basic blocks and would take very long to compile as one function, so {{[0-9]+}} parts of it are outlined into separate functions; each call costs about forty instructions
; REMARK: remark: {{.*}}'nested' has {{[0-9]+}} basic blocks
; REMARK-NOT: {{many|exits}}

; CHECK-LABEL: define amdgpu_kernel void @short
; CHECK-NOT:   call
; CHECK-LABEL: define amdgpu_kernel void @long
; CHECK:         call void @long.part(ptr addrspace(1) %p
; CHECK:         call void @long.part.1(ptr addrspace(1) %p
; CHECK-LABEL: define amdgpu_kernel void @nested
; CHECK:         call void @nested.part
; CHECK-LABEL: define amdgpu_kernel void @wide
; CHECK:         call void @wide.part
; CHECK-LABEL: define amdgpu_kernel void @many
; CHECK-NOT:   call
; CHECK-LABEL: define amdgpu_kernel void @exits
; CHECK-NOT:   call
; CHECK:       define internal void @long.part(ptr addrspace(1) %[[P:[^ ,)]+]]
; CHECK-SAME:    #[[PART:[0-9]+]]
; CHECK:         %[[SAME:.*]] = call ptr addrspace(1) @llvm.amdgcn.readfirstlane.p1(ptr addrspace(1) %[[P]])
; CHECK:         load volatile i32, ptr addrspace(1) %[[SAME]]
; CHECK:       define internal void @wide.part
; CHECK:         call void @wide.part
; CHECK:       attributes #[[PART]] = { noinline
