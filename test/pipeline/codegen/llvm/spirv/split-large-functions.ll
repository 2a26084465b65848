; In SPIR-V, too, a function of 768 blocks and more, or of 256 and more with a nest of 64 loops, is divided into
; functions. The parts get the calling convention of SPIR-V's functions, and no call to read lanes' registers.

; RUN: echo 'target triple = "spirv64-unknown-unknown"' > %t.ll
; RUN: python3 %S/../Inputs/nest_of_tests.py nest84 84 | sed 's/amdgpu_kernel/spir_kernel/' >> %t.ll
; RUN: python3 %S/../Inputs/nest_of_tests.py nest85 85 | sed 's/amdgpu_kernel/spir_kernel/' >> %t.ll
; RUN: %aircc opt-llvm %t.ll --passes=aircc-llvm-split-large-functions,aircc-spirv-set-calling-conventions,verify -S -o %t.split.ll 2> %t.remarks
; RUN: FileCheck %s < %t.split.ll
; RUN: FileCheck %s --check-prefix=REMARK < %t.remarks
; RUN: %aircc opt-llvm %t.ll --target bmg --passes=aircc-llvm-split-large-functions,aircc-spirv-set-calling-conventions --asm -o - 2> %t.remarks | FileCheck %s --check-prefix=ASM

; CHECK-LABEL: define spir_kernel void @nest84(
; CHECK-NOT:     call
; CHECK-LABEL: define spir_kernel void @nest85(
; CHECK:         call spir_func void @nest85.part(
; CHECK:       define internal spir_func void @nest85.part(
; CHECK-NOT:     readfirstlane

; REMARK: remark: {{.*}}'nest85' has {{[0-9]+}} basic blocks and would take very long to compile as one function, so 1 parts of it are outlined into separate functions, which smaller kernels, or loops instead of repeated code, would avoid

; ASM: OpFunctionCall
