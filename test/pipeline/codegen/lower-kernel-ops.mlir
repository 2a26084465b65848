// RUN: %aircc opt --pass-pipeline="builtin.module(gpu.module(codegen-lower-kernel-ops))" %s | FileCheck %s --check-prefix=ROCDL
// RUN: %aircc opt --pass-pipeline="builtin.module(gpu.module(codegen-lower-kernel-ops{backend=xevm}))" %s | FileCheck %s --check-prefix=XEVM

// The only place where synchronization is lowered to ops of a backend.

// ROCDL-DAG: #[[LOCAL:.*]] = #llvm.mmra_tag<"amdgpu-synchronize-as":"local">
// ROCDL-DAG: #[[GLOBAL:.*]] = #llvm.mmra_tag<"amdgpu-synchronize-as":"global">

gpu.module @m {
  // A gpu.barrier, in a program that starts at this stage, is one of scope
  // workgroup.
  // ROCDL-LABEL: gpu.func @workgroup
  // ROCDL-NEXT: rocdl.barrier
  // ROCDL-NEXT: rocdl.barrier
  // ROCDL-NEXT: rocdl.s.barrier
  // ROCDL-NEXT: llvm.fence syncscope("workgroup") release {llvm.mmra = #[[LOCAL]]}
  // ROCDL-NEXT: rocdl.s.barrier
  // ROCDL-NEXT: llvm.fence syncscope("workgroup") acquire {llvm.mmra = #[[LOCAL]]}
  // ROCDL-NEXT: gpu.return
  // XEVM-LABEL: gpu.func @workgroup
  // XEVM-NEXT: %[[C3:.*]] = arith.constant 3 : i32
  // XEVM-NEXT: call spir_funccc @_Z7barrierj(%[[C3]])
  // XEVM-NEXT: %[[D3:.*]] = arith.constant 3 : i32
  // XEVM-NEXT: call spir_funccc @_Z7barrierj(%[[D3]])
  // XEVM-NEXT: %[[C0:.*]] = arith.constant 0 : i32
  // XEVM-NEXT: call spir_funccc @_Z7barrierj(%[[C0]])
  // XEVM-NEXT: %[[C1:.*]] = arith.constant 1 : i32
  // XEVM-NEXT: call spir_funccc @_Z7barrierj(%[[C1]])
  // XEVM-NEXT: gpu.return
  gpu.func @workgroup() kernel {
    gpu.barrier
    kernel.barrier workgroup
    kernel.barrier workgroup memory []
    kernel.barrier workgroup memory [#gpu.address_space<workgroup>]
    gpu.return
  }

  // ROCDL-LABEL: gpu.func @wave
  // ROCDL-NEXT: llvm.fence syncscope("wavefront") acq_rel
  // ROCDL-NEXT: llvm.call_intrinsic "llvm.amdgcn.wave.barrier"()
  // ROCDL-NEXT: llvm.call_intrinsic "llvm.amdgcn.wave.barrier"()
  // ROCDL-NEXT: gpu.return
  // XEVM-LABEL: gpu.func @wave
  // XEVM-NEXT: llvm.fence syncscope("subgroup") acq_rel
  // XEVM-NEXT: %[[SCOPE:.*]] = arith.constant 3 : i32
  // XEVM-NEXT: %[[SEMANTICS:.*]] = arith.constant 776 : i32
  // XEVM-NEXT: call spir_funccc @_Z22__spirv_ControlBarrieriii(%[[SCOPE]], %[[SCOPE]], %[[SEMANTICS]])
  // XEVM-NOT: fence
  // XEVM: call spir_funccc @_Z22__spirv_ControlBarrieriii(
  // XEVM-NEXT: gpu.return
  gpu.func @wave() kernel {
    kernel.barrier wave
    kernel.barrier wave memory []
    gpu.return
  }

  // ROCDL-LABEL: gpu.func @fences
  // ROCDL-NEXT: llvm.fence syncscope("wavefront") acq_rel
  // ROCDL-NEXT: llvm.fence syncscope("workgroup") acquire
  // ROCDL-NEXT: llvm.fence syncscope("agent") release
  // ROCDL-NEXT: llvm.fence release
  // ROCDL-NEXT: llvm.fence syncscope("workgroup") acq_rel {llvm.mmra = #[[GLOBAL]]}
  // ROCDL-NEXT: gpu.return
  // XEVM-LABEL: gpu.func @fences
  // XEVM-NEXT: llvm.fence syncscope("subgroup") acq_rel
  // XEVM-NEXT: llvm.fence syncscope("workgroup") acquire
  // XEVM-NEXT: llvm.fence syncscope("device") release
  // XEVM-NEXT: llvm.fence release
  // XEVM-NEXT: xevm.memfence <{addrspace = #xevm.addr_space<global>, scope = #xevm.mem_scope<workgroup>}>
  // XEVM-NEXT: gpu.return
  gpu.func @fences() kernel {
    kernel.fence wave acq_rel
    kernel.fence workgroup acquire
    kernel.fence device release
    kernel.fence system release
    kernel.fence workgroup acq_rel memory [#gpu.address_space<global>]
    gpu.return
  }
}
