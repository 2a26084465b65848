// RUN: %aircc opt %s --hierarchy-outline-kernels | FileCheck %s
// RUN: %aircc opt %s --pass-pipeline='builtin.module(hierarchy-outline-kernels,codegen-set-kernel-attributes{max-threads=512})' | FileCheck %s --check-prefixes=CHECK,SIZE

// Constants and called functions are moved with the kernel, and names derive from that of the
// function. A block of unknown size may be as large as the target permits; only the backend has an
// attribute for that.

// CHECK: module attributes {gpu.container_module}
// CHECK-LABEL: func.func @two
// CHECK: gpu.launch_func @two_kernel::@two_kernel blocks in ({{.*}}) threads in ({{.*}}) args(%{{.*}} : memref<8xi32>)
// CHECK: gpu.launch_func @two_kernel_0::@two_kernel
// CHECK: gpu.module @two_kernel {
// CHECK: gpu.func @two_kernel(%{{.*}}: memref<8xi32>) kernel attributes {
// CHECK-SAME: known_block_size = array<i32: 7, 1, 1>
// CHECK: arith.constant 7 : index
// CHECK: func.call @helper
// CHECK: func.func private @helper
// CHECK: gpu.module @two_kernel_0 {
// CHECK: gpu.func @two_kernel
// SIZE-SAME: rocdl.flat_work_group_size = "1,512"
func.func @two(%m: memref<8xi32>, %n: index) {
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c7, %sy = %c1, %sz = %c1) {
    func.call @helper(%m, %c7) : (memref<8xi32>, index) -> ()
    gpu.terminator
  }
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %n, %sy = %c1, %sz = %c1) {
    gpu.terminator
  }
  return
}
func.func private @helper(%m: memref<8xi32>, %i: index) {
  %v = arith.constant 1 : i32
  memref.store %v, %m[%i] : memref<8xi32>
  return
}
