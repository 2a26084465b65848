// RUN: not %aircc opt %s --pass-pipeline="builtin.module(gpu.module(codegen-check-device-code{backend=xevm}))" 2>&1 | FileCheck %s

// GPUs do not support SPIR-V's extension for arrays of run-time size.

// CHECK-NOT: error
gpu.module @k {
  gpu.func @constant() kernel {
    %c4 = arith.constant 4 : index
    %one = llvm.mlir.constant(1 : i64) : i64
    %a = memref.alloca(%c4) : memref<?xi32>
    %b = llvm.alloca %one x i32 : (i64) -> !llvm.ptr
    gpu.return
  }
  gpu.func @dynamic(%n: index, %m: i64) kernel {
    // CHECK: :[[#@LINE+1]]:10: error: 'memref.alloca' op has a dynamic size, which the stack in SPIR-V does not support; allocate the maximum size, or use a buffer that the host passes in
    %a = memref.alloca(%n) : memref<?xi32>
    // CHECK: :[[#@LINE+1]]:10: error: 'llvm.alloca' op has a dynamic size
    %b = llvm.alloca %m x i32 : (i64) -> !llvm.ptr
    gpu.return
  }
}
// CHECK-NOT: error
