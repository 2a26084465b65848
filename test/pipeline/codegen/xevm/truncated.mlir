// LLVM's SPIR-V backend makes an OpBitwiseAnd with operands of two types of an
// extension of a truncated value.

// REQUIRES: spirv-val
// RUN: %aircc %s --target bmg --emit=spirv -o %t.spv && spirv-val %t.spv
// RUN: %aircc %s --target bmg -O0 --emit=spirv -o %t.O0.spv && spirv-val %t.O0.spv
// RUN: %aircc %s --target bmg -O0 --emit=llvm | FileCheck %s

gpu.module @kernels {
  // CHECK-LABEL: define spir_kernel void @resize(
  // CHECK-NOT:     zext i8
  // CHECK:         and i32 %{{.*}}, 255
  // CHECK-NOT:     zext i16
  // CHECK:         and i32 %{{.*}}, 65535
  gpu.func @resize(%v: i64, %w: i32, %a: memref<2xi32>, %b: memref<2xi64>) kernel {
    %c0 = arith.constant 0 : index
    %n = arith.trunci %v : i64 to i8
    %x = arith.extui %n : i8 to i32
    memref.store %x, %a[%c0] : memref<2xi32>
    %m = arith.trunci %w : i32 to i16
    %y = arith.extui %m : i16 to i64
    memref.store %y, %b[%c0] : memref<2xi64>
    gpu.return
  }
}
