// RUN: %aircc %s --target bmg --start-at codegen --emit llvm -o - | FileCheck %s

// Fences and barriers of waves, as the stages before codegen write them and as
// a program may name them itself.

module attributes {gpu.container_module} {
  gpu.module @kernels {
    llvm.func @_Z17sub_group_barrierj(i32)
    // CHECK-LABEL: spir_kernel void @fences
    // CHECK: fence syncscope("subgroup") acq_rel
    // CHECK: call spir_func void @_Z22__spirv_ControlBarrieriii(i32 3, i32 3, i32 776)
    // CHECK: call spir_func void @_Z22__spirv_ControlBarrieriii(i32 3, i32 3, i32 776)
    // CHECK: call spir_func void @_Z22__spirv_ControlBarrieriii(i32 3, i32 3, i32 776)
    // CHECK-NOT: sub_group_barrier
    gpu.func @fences(%m: memref<16xf32>) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %one = arith.constant 1.0 : f32
      %flags = arith.constant 1 : i32
      memref.store %one, %m[%c0] : memref<16xf32>
      llvm.fence syncscope("wavefront") acq_rel
      llvm.call_intrinsic "llvm.amdgcn.wave.barrier"() : () -> ()
      memref.store %one, %m[%c1] : memref<16xf32>
      llvm.call @_Z17sub_group_barrierj(%flags) : (i32) -> ()
      memref.store %one, %m[%c0] : memref<16xf32>
      kernel.barrier wave
      gpu.return
    }
  }
}
