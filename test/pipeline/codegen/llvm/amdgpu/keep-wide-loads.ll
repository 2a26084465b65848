; In functions with many matrix instructions, loads of vectors of bytes become loads
; of dwords, whose bytes are selected from registers; VectorCombine would divide
; them into loads of single bytes.

; RUN: python3 %S/Inputs/addresses.py | sed 's/^  %a = load.*/  %bytes = load <16 x i8>, ptr addrspace(1) %fromPointer, align 1\n  store <16 x i8> %bytes, ptr addrspace(1) %out\n&/' > %t.ll
; RUN: %aircc opt-llvm %t.ll --target gfx942 --passes=aircc-amdgpu-keep-wide-loads,verify -S | FileCheck %s

; CHECK-LABEL: define amdgpu_kernel void @hoisted
; CHECK:         %[[DWORDS:.*]] = load <4 x i32>, ptr addrspace(1) %fromPointer, align 1
; CHECK-NEXT:    %[[FROZEN:.*]] = freeze <4 x i32> %[[DWORDS]]
; CHECK-NEXT:    %[[BYTES:.*]] = bitcast <4 x i32> %[[FROZEN]] to <16 x i8>
; CHECK-NEXT:    store <16 x i8> %[[BYTES]]
; CHECK:         load <4 x half>

; CHECK-LABEL: define amdgpu_kernel void @few
; CHECK:         load <16 x i8>
