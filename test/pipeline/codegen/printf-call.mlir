// OpenCL's printf is a SPIR-V instruction: an error at a call to a function printf says what to use
// instead.
// RUN: not %aircc %s --target bmg --emit spirv -o %t 2>&1 | FileCheck %s
// RUN: not %aircc %s --target gfx942 --emit hsaco -o %t 2>&1 | FileCheck %s
gpu.module @m {
  func.func private @printf(i32) -> i32
  gpu.func @k(%i: i32, %o: memref<4xi32>) kernel {
    %c0 = arith.constant 0 : index
    // CHECK: printf-call.mlir:[[#@LINE+1]]:10: error: 'func.call' op calls 'printf', which GPUs do not have; use gpu.printf
    %r = func.call @printf(%i) : (i32) -> i32
    memref.store %r, %o[%c0] : memref<4xi32>
    gpu.return
  }
}
