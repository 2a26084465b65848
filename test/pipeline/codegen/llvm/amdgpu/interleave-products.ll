; Loads, stores and what computes with them are put between the matrix
; instructions of a loop. Accesses keep their order, and a barrier stays between
; the same matrix instructions. A loop without a matrix instruction before the
; barrier stays as it is. Moves to LDS start before reads from other LDS buffers are
; done, which the metadata tells apart. Reads between two barriers stay in the
; half in which they are.

; RUN: python3 %S/Inputs/products.py > %t.ll
; RUN: %aircc opt-llvm %t.ll --target gfx950 --passes=aircc-amdgpu-interleave-products,verify -S | FileCheck %s

; CHECK-LABEL: define amdgpu_kernel void @interleaved
; CHECK:       loop:
; CHECK:         call <4 x float> @llvm.amdgcn.mfma
; CHECK-NEXT:    getelementptr
; CHECK-NEXT:    load <4 x half>, ptr addrspace(3)
; CHECK:         call <4 x float> @llvm.amdgcn.mfma
; CHECK-NEXT:    getelementptr
; CHECK-NEXT:    load <4 x half>, ptr addrspace(3)
; CHECK:         %s7 = call <4 x float> @llvm.amdgcn.mfma
; CHECK-NEXT:    call void @llvm.amdgcn.s.barrier()
; CHECK-NEXT:    call void @llvm.amdgcn.sched.barrier(i32 0)
; CHECK-NEXT:    %s8 = call <4 x float> @llvm.amdgcn.mfma
; CHECK:         store <4 x half>
; CHECK:         call <4 x float> @llvm.amdgcn.mfma
; CHECK:         br i1

; CHECK-LABEL: define amdgpu_kernel void @after
; CHECK-NOT:     call void @llvm.amdgcn.sched.barrier
; CHECK:         ret void

; CHECK-LABEL: define amdgpu_kernel void @moves
; CHECK:         call void @llvm.amdgcn.s.barrier()
; CHECK:         %y0 = load
; CHECK:         call void @llvm.amdgcn.load.to.lds.p1(ptr addrspace(1) %out, ptr addrspace(3) %p0
; CHECK:         call void @llvm.amdgcn.load.to.lds.p1(ptr addrspace(1) %out, ptr addrspace(3) %p1
; CHECK:         call void @llvm.amdgcn.load.to.lds.p1(ptr addrspace(1) %out, ptr addrspace(3) %p2
; CHECK:         %y3 = load

; CHECK-LABEL: define amdgpu_kernel void @barriers
; CHECK:         %s3 = call <4 x float> @llvm.amdgcn.mfma
; CHECK-NEXT:    call void @llvm.amdgcn.s.barrier()
; CHECK:         %s4 = call <4 x float> @llvm.amdgcn.mfma
; CHECK-NEXT:    %r4_0 = load
; CHECK:         %s7 = call <4 x float> @llvm.amdgcn.mfma
; CHECK-NEXT:    %r4_3 = load
; CHECK:         %s8 = call <4 x float> @llvm.amdgcn.mfma
; CHECK-NEXT:    %r8_0 = load
; CHECK:         %s11 = call <4 x float> @llvm.amdgcn.mfma
; CHECK-NOT:     load
; CHECK:         call void @llvm.amdgcn.s.barrier()
; CHECK:         %s12 = call <4 x float> @llvm.amdgcn.mfma
