; In a loop with many matrix instructions, addresses are divided into a part that
; does not change, which is computed before the loop, one that does, which
; accesses share, and a constant. Bits are inverted before the loop if what changes
; does not reach them. Addresses of global memory get a uniform base.

; RUN: python3 %S/Inputs/addresses.py > %t.ll
; RUN: %aircc opt-llvm %t.ll --target gfx950 --passes=aircc-amdgpu-hoist-addresses,verify -S | FileCheck %s

; CHECK-LABEL: define amdgpu_kernel void @hoisted
; CHECK:       entry:
; CHECK:         %[[LANE64:.*]] = shl {{.*}}i64 %{{.*}}, 8
; CHECK:         %[[LANE32:.*]] = shl {{.*}}i32 %lane, 6
; CHECK:         %[[HOISTED:.*]] = getelementptr i8, ptr addrspace(3) @tile, i32 %[[LANE32]]
; CHECK:         %[[FLIPPED:.*]] = xor i32 %[[LANE32]], 64
; CHECK-NEXT:    %[[HOISTED2:.*]] = getelementptr i8, ptr addrspace(3) @tile, i32 %[[FLIPPED]]
; CHECK:       loop:
; CHECK:         %[[BASE:.*]] = getelementptr i8, ptr addrspace(1) %in, i64 %{{.*}}
; CHECK-NEXT:    %[[FROM:.*]] = getelementptr i8, ptr addrspace(1) %[[BASE]], i64 %[[LANE64]]
; CHECK-NEXT:    load <4 x half>, ptr addrspace(1) %[[FROM]]
; CHECK:         %[[SUM:lds.*]] = getelementptr i8, ptr addrspace(3) %[[HOISTED]], i32
; CHECK:         %[[P1:.*]] = getelementptr i8, ptr addrspace(3) %[[SUM]], i32 0
; CHECK-NEXT:    load <4 x half>, ptr addrspace(3) %[[P1]]
; CHECK:         %[[P2:.*]] = getelementptr i8, ptr addrspace(3) %[[SUM]], i32 1024
; CHECK-NEXT:    load <4 x half>, ptr addrspace(3) %[[P2]]
; CHECK:         %[[SUM2:lds.*]] = getelementptr i8, ptr addrspace(3) %[[HOISTED2]], i32
; CHECK:         %[[P3:.*]] = getelementptr i8, ptr addrspace(3) %[[SUM2]], i32 4096
; CHECK-NEXT:    load <4 x half>, ptr addrspace(3) %[[P3]]
; CHECK:         %[[SUM3:lds.*]] = add i32 %[[LANE32]],
; CHECK:         %[[FLIPPED3:.*]] = xor i32 %[[SUM3]], 8192
; CHECK-NEXT:    %[[P4:.*]] = getelementptr i8, ptr addrspace(3) @tile, i32 %[[FLIPPED3]]
; CHECK-NEXT:    %[[P5:.*]] = getelementptr i8, ptr addrspace(3) %[[P4]], i32 0
; CHECK-NEXT:    load <4 x half>, ptr addrspace(3) %[[P5]]

; A loop with few matrix instructions stays as it is.
; CHECK-LABEL: define amdgpu_kernel void @few
; CHECK-NOT:     lds
; CHECK:         ret void

; The hardware does not compare offsets in scalar registers with the size of the
; buffer. Offsets that are known to be within it are divided.
; CHECK-LABEL: define amdgpu_kernel void @moves
; CHECK:         %[[WAVE:.*]] = call range(i32 0, 4) i32 @llvm.amdgcn.readfirstlane.i32
; CHECK:         %[[UNIFORM:.*]] = add {{.*}}i32 %known, 1024
; CHECK:       loop:
; CHECK:         %[[RESOURCE:.*]] = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %row
; CHECK:         call void @llvm.amdgcn.raw.ptr.buffer.load.lds(ptr addrspace(8) %[[RESOURCE]], ptr addrspace(3) @tile, i32 16, i32 %offset, i32 %[[UNIFORM]], i32 0, i32 0)
; CHECK:         call void @llvm.amdgcn.load.to.lds.p7(ptr addrspace(7) %anyPointer,
