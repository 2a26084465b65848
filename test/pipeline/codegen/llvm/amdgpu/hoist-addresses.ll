; In a loop with many matrix instructions, addresses are divided into a part that
; does not change, which is computed before the loop, one that does, which
; accesses share, and a constant. An xor with a constant stays behind the sum.
; Addresses of global memory get a uniform base.

; RUN: python3 %S/Inputs/addresses.py > %t.ll
; RUN: %aircc opt-llvm %t.ll --target gfx942 --passes=aircc-amdgpu-hoist-addresses,verify -S | FileCheck %s

; CHECK-LABEL: define amdgpu_kernel void @hoisted
; CHECK:       entry:
; CHECK:         %[[LANE64:.*]] = shl {{.*}}i64 %{{.*}}, 8
; CHECK:         %[[LANE32:.*]] = shl {{.*}}i32 %lane, 6
; CHECK:       loop:
; CHECK:         %[[BASE:.*]] = getelementptr i8, ptr addrspace(1) %in, i64 %{{.*}}
; CHECK-NEXT:    %[[FROM:.*]] = getelementptr i8, ptr addrspace(1) %[[BASE]], i64 %[[LANE64]]
; CHECK-NEXT:    load <4 x half>, ptr addrspace(1) %[[FROM]]
; CHECK:         %[[SUM:lds.*]] = add i32 %[[LANE32]],
; CHECK:         %[[P0:.*]] = getelementptr i8, ptr addrspace(3) @tile, i32 %[[SUM]]
; CHECK-NEXT:    %[[P1:.*]] = getelementptr i8, ptr addrspace(3) %[[P0]], i32 0
; CHECK-NEXT:    load <4 x half>, ptr addrspace(3) %[[P1]]
; CHECK:         %[[P2:.*]] = getelementptr i8, ptr addrspace(3) @tile, i32 %[[SUM]]
; CHECK-NEXT:    %[[P3:.*]] = getelementptr i8, ptr addrspace(3) %[[P2]], i32 1024
; CHECK-NEXT:    load <4 x half>, ptr addrspace(3) %[[P3]]
; CHECK:         %[[FLIPPED:.*]] = xor i32 %[[SUM]], 32
; CHECK-NEXT:    %[[P4:.*]] = getelementptr i8, ptr addrspace(3) @tile, i32 %[[FLIPPED]]
; CHECK-NEXT:    %[[P5:.*]] = getelementptr i8, ptr addrspace(3) %[[P4]], i32 2048
; CHECK-NEXT:    load <4 x half>, ptr addrspace(3) %[[P5]]

; A loop with few matrix instructions stays as it is.
; CHECK-LABEL: define amdgpu_kernel void @few
; CHECK-NOT:     lds
; CHECK:         ret void
