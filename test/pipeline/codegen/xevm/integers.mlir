// Integers and booleans that SPIR-V does not have: what is computed and what is
// in memory. test/e2e/xe checks the values.

// REQUIRES: spirv-val
// RUN: %aircc %s --target bmg --emit=spirv -o %t.spv && spirv-val %t.spv
// RUN: %aircc %s --target bmg -O0 --emit=spirv -o %t.O0.spv && spirv-val %t.O0.spv
// RUN: %aircc %s --target bmg --emit=llvm | FileCheck %s

gpu.module @kernels {
  // Upper bits do not count.
  // CHECK-LABEL: define spir_kernel void @four(
  // CHECK-NOT:     i4{{[ ,]}}
  // CHECK:         ret void
  gpu.func @four(%n: i32, %a: memref<2xi32>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %x = arith.trunci %n : i32 to i4
    %seven = arith.constant 7 : i4
    %y = arith.addi %x, %seven : i4
    %z = arith.divsi %y, %x : i4
    %u = arith.extui %y : i4 to i32
    %s = arith.extsi %z : i4 to i32
    memref.store %u, %a[%c0] : memref<2xi32>
    memref.store %s, %a[%c1] : memref<2xi32>
    gpu.return
  }

  // Six bytes are read, and no more.
  // CHECK-LABEL: define spir_kernel void @sixBytes(
  // CHECK-NOT:     i48
  // CHECK-NOT:     load i64
  // CHECK:         ret void
  gpu.func @sixBytes(%a: memref<16x6xi8>, %b: memref<16xi64>) kernel {
    %c0 = arith.constant 0 : index
    %i = gpu.thread_id x
    %v = vector.load %a[%i, %c0] : memref<16x6xi8>, vector<6xi8>
    %w = vector.bitcast %v : vector<6xi8> to vector<1xi48>
    %x = vector.extract %w[0] : i48 from vector<1xi48>
    %y = arith.extui %x : i48 to i64
    memref.store %y, %b[%i] : memref<16xi64>
    gpu.return
  }

  // CHECK-LABEL: define spir_kernel void @booleans(
  // CHECK:         load i8, ptr addrspace(1)
  // CHECK-NOT:     load i1,
  // CHECK:         ret void
  gpu.func @booleans(%a: memref<16xi1>, %b: memref<16xi1>) kernel {
    %i = gpu.thread_id x
    %v = memref.load %a[%i] : memref<16xi1>
    %true = arith.constant true
    %w = arith.xori %v, %true : i1
    memref.store %w, %b[%i] : memref<16xi1>
    gpu.return
  }
}
