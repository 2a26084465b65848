// RUN: %aircc opt %s --hierarchy-outline-kernels | FileCheck %s

// A mutable global that only one kernel uses is moved to its module.

// CHECK-NOT: memref.global
// CHECK-LABEL: func.func @counts
// CHECK: gpu.module @counts_kernel {
// CHECK: memref.get_global @count
// CHECK: memref.global "private" @count : memref<2xi32> = dense<3>
memref.global "private" @count : memref<2xi32> = dense<3>
func.func @counts() {
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %g = memref.get_global @count : memref<2xi32>
    %o = memref.atomic_rmw addi %one, %g[%bx] : (i32, memref<2xi32>) -> i32
    gpu.terminator
  }
  return
}
