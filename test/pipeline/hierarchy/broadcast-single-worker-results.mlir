// RUN: %aircc opt %s --pass-pipeline='builtin.module(hierarchy-complete-hierarchy,hierarchy-infer-launches,hierarchy-convert-launches,hierarchy-outline-kernels,gpu.module(hierarchy-expose-parallelism,canonicalize,cse,hierarchy-broadcast-single-worker-results))' | FileCheck %s

// Values that one lane computes for all workers pass through L2, or through L1 in a PE.

// CHECK-LABEL: gpu.func @shared_kernel
// CHECK: %[[SLOT:.*]] = memref.alloc() : memref<i32, 1>
// CHECK: %[[R:.*]] = memref.atomic_rmw addi
// CHECK-NEXT: memref.store %[[R]], %[[SLOT]][]
// CHECK-NEXT: %[[V:.*]] = memref.load %[[SLOT]][]
// CHECK-NEXT: arith.index_cast %[[V]]
// CHECK: air.herd
// CHECK: memref.alloc() : memref<i32, 2>
// CHECK: memref.atomic_rmw
func.func @shared(%m: memref<4xi32>) {
  %c1 = arith.constant 1 : index
  air.segment args(%a = %m, %n = %c1) : memref<4xi32>, index {
    %one = arith.constant 1 : i32
    %c0 = arith.constant 0 : index
    %old = memref.atomic_rmw addi %one, %a[%c0] : (i32, memref<4xi32>) -> i32
    %i = arith.index_cast %old : i32 to index
    memref.store %one, %a[%i] : memref<4xi32>
    air.herd tile (%x) in (%nx = %n) args(%h = %a, %v = %one) : memref<4xi32>, i32 {
      %o = memref.atomic_rmw addi %v, %h[%x] : (i32, memref<4xi32>) -> i32
      %j = arith.index_cast %o : i32 to index
      memref.store %v, %h[%j] : memref<4xi32>
    }
  }
  return
}
