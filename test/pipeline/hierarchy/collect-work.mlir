// RUN: %aircc opt --hierarchy-collect-work %s | FileCheck %s
// RUN: %aircc opt --hierarchy-collect-work --hierarchy-outline-kernels %s | FileCheck %s --check-prefix=OUTLINED

#id = affine_map<(i) -> (i)>
#fill = #air.work<kind = "fill", ops = [], types = [f32, f32], sizes = [8], operations = 0, place = loc("m.mlir":1:1)>
#add = #air.work<kind = "elementwise", ops = ["arith.addf"], types = [f32, f32], sizes = [8], operations = 8, place = loc("m.mlir":2:1)>

// The launch reads x and writes y, of 32 bytes each. The fill is not mentioned.
// CHECK-LABEL: @known
// CHECK: linalg.fill ins
// CHECK-NOT: air.work
// CHECK: air.kernel_work = #air.kernel_work<grid = [2, 1, 1], lanes = 64, readBytes = 32, writtenBytes = 32, works = [#air.work<kind = "elementwise"

// The attribute is on the launch, not on the kernel.
// OUTLINED: gpu.launch_func {{.*}} {air.kernel_work = #air.kernel_work<grid = [2, 1, 1]
// OUTLINED-NOT: gpu.func {{.*}}air.kernel_work
func.func @known(%x: memref<8xf32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %y = memref.alloc() : memref<8xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c2, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
    linalg.fill {air.work = #fill} ins(%zero : f32) outs(%y : memref<8xf32>)
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
        ins(%x : memref<8xf32>) outs(%y : memref<8xf32>) attrs = {air.work = #add} {
    ^bb0(%v: f32, %out: f32):
      %s = arith.addf %v, %v : f32
      linalg.yield %s : f32
    }
    gpu.terminator
  }
  memref.dealloc %y : memref<8xf32>
  return
}

// Two views of one buffer have at most its bytes; what is not known is -1. The work may be on the launch.
// CHECK-LABEL: @views
// CHECK: air.kernel_work = #air.kernel_work<grid = [-1, 1, 1], lanes = 1, readBytes = 64, writtenBytes = -1, works = [#air.work<kind = "elementwise"
func.func @views(%x: memref<16xf32>, %z: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.subview %x[0] [12] [1] : memref<16xf32> to memref<12xf32, strided<[1]>>
  %b = memref.subview %x[4] [12] [1] : memref<16xf32> to memref<12xf32, strided<[1], offset: 4>>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %u = memref.load %a[%c0] : memref<12xf32, strided<[1]>>
    %v = memref.load %b[%c0] : memref<12xf32, strided<[1], offset: 4>>
    %w = arith.addf %u, %v : f32
    memref.store %w, %z[%c0] : memref<?xf32>
    gpu.terminator
  } {air.work = [#add]}
  return
}

// Launches of programs that are not functions on tensors have no description.
// CHECK-LABEL: @none
// CHECK-NOT: air.kernel_work
func.func @none(%x: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %u = memref.load %x[%c0] : memref<16xf32>
    gpu.terminator
  }
  return
}
