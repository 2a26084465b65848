// RUN: %aircc opt --dispatch-create-launches %s | FileCheck %s

// CHECK-LABEL: @static(
// CHECK: %[[GRID:.*]] = arith.constant 2 : index
// CHECK: air.launch (%[[X:.*]]) in (%{{.*}}=%[[GRID]])
// CHECK: affine.apply {{.*}}[%[[X]]]
// CHECK: memref.subview
// CHECK: linalg.fill
func.func @static(%m: memref<8x64xf32>, %v: f32) {
  scf.forall (%i) = (0) to (8) step (4) {
    %rows = memref.subview %m[%i, 0] [4, 64] [1, 1]
        : memref<8x64xf32> to memref<4x64xf32, strided<[64, 1], offset: ?>>
    linalg.fill ins(%v : f32) outs(%rows : memref<4x64xf32, strided<[64, 1], offset: ?>>)
  } {mapping = [#gpu.block<x>]}
  return
}

// An empty grid is not launched.
// CHECK-LABEL: @dynamic(
// CHECK: arith.cmpi sgt
// CHECK: scf.if
// CHECK: air.launch
func.func @dynamic(%m: memref<?xf32>, %n: index, %v: f32) {
  scf.forall (%i) in (%n) {
    memref.store %v, %m[%i] : memref<?xf32>
  } {mapping = [#gpu.block<x>]}
  return
}

// CHECK-LABEL: @unmapped(
// CHECK: scf.forall
func.func @unmapped(%m: memref<?xf32>, %n: index, %v: f32) {
  scf.forall (%i) in (%n) {
    memref.store %v, %m[%i] : memref<?xf32>
  }
  return
}
