// What kernels of Intel GPUs cannot be.

// RUN: split-file %s %t
// RUN: not %aircc opt %t/size.mlir --codegen-set-kernel-attributes="backend=xevm wave-size=16" 2>&1 | FileCheck %t/size.mlir
// RUN: not %aircc opt %t/dynamic.mlir --pass-pipeline="builtin.module(gpu.module(codegen-convert-to-xevm))" 2>&1 | FileCheck %t/dynamic.mlir

//--- size.mlir

gpu.module @m {
  // CHECK: size.mlir:[[#@LINE+1]]:3: error: 'gpu.func' op requires subgroups of 32 lanes, but the target's subgroups have 16; use a profile with waveSize 32
  gpu.func @k() kernel attributes {intel_reqd_sub_group_size = 32 : i32} {
    gpu.return
  }
}

//--- dynamic.mlir

gpu.module @m {
  gpu.func @helper(%i: index, %x: i8) {
    // CHECK: dynamic.mlir:[[#@LINE+1]]:10: error: 'gpu.dynamic_shared_memory' op must be in a kernel, because callers of a function cannot set its size; pass the memory to the function from the kernel
    %m = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    memref.store %x, %m[%i] : memref<?xi8, #gpu.address_space<workgroup>>
    gpu.return
  }
}
