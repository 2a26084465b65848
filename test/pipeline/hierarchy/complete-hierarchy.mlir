// RUN: %aircc opt %s --air-complete-hierarchy | FileCheck %s

// CHECK-LABEL: func.func @lone_herd
// CHECK: air.launch () in () args(
// CHECK: air.herd
func.func @lone_herd(%n: index, %m: memref<4xi32>) {
  air.herd tile (%x) in (%nx = %n) args(%a = %m) : memref<4xi32> {
    %v = arith.constant 1 : i32
    memref.store %v, %a[%x] : memref<4xi32>
  }
  return
}

// CHECK-LABEL: func.func @lone_segment
// CHECK: air.launch () in ()
// CHECK: air.segment @named
func.func @lone_segment() {
  air.segment @named {
  }
  return
}

// A function of AIR ops goes into the launch that calls it.

// CHECK-LABEL: func.func @calls
// CHECK: air.launch
// CHECK-NOT: call @tile
// CHECK: air.dma_memcpy_nd
// CHECK-NOT: func.func private @tile
func.func @calls(%m: memref<4xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%x) in (%n = %c1) args(%a = %m) : memref<4xi32> {
    func.call @tile(%a) : (memref<4xi32>) -> ()
  }
  return
}
func.func private @tile(%m: memref<4xi32>) {
  %l2 = memref.alloc() : memref<4xi32, 1>
  air.dma_memcpy_nd (%l2[] [] [], %m[] [] []) : (memref<4xi32, 1>, memref<4xi32>)
  return
}
