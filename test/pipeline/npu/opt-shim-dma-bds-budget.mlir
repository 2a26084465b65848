// RUN: %aircc opt %s --air-opt-shim-dma-bds="device=npu1_1col auto-tile-sizes" --verify-diagnostics --split-input-file | FileCheck %s
// RUN: %aircc opt %s --air-opt-shim-dma-bds="device=npu1_1col" --split-input-file 2>&1 | FileCheck %s --check-prefix=REMARK

// Triangles do not fold: each iteration is a transfer. A channel can have four
// in flight.
air.channel @c []
// REMARK: opt-shim-dma-bds-budget.mlir:[[@LINE+16]]:5: remark: is one of 12 transfers of its channel before the next wait; npu1_1col supports at most 4 in flight; use smaller shim-dma-tile-sizes, or auto-tile-sizes
// CHECK-LABEL: func @queue
// CHECK-COUNT-4: air.channel.put
// CHECK-NEXT: air.wait_all {air.launch_end}
// CHECK-COUNT-4: air.channel.put
// CHECK-NEXT: air.wait_all {air.launch_end}
// CHECK-COUNT-4: air.channel.put
// CHECK-NEXT: air.wait_all {air.launch_end}
// CHECK-NEXT: return
func.func @queue(%a: memref<1024xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c12 = arith.constant 12 : index
  scf.for %i = %c0 to %c12 step %c1 {
    %n = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
    // The position of the next op is checked above.
    air.channel.put @c[] (%a[0] [%n] [1]) : (memref<1024xf32>)
  }
  return
}

// -----

// Seven channels of one shim tile share sixteen descriptors.
air.channel @c [7]
// REMARK: remark: is one of 28 transfers of a shim tile before the next wait; a shim tile of npu1_1col has 16 descriptors
// CHECK-LABEL: func @tile
// CHECK-COUNT-14: air.channel.put async
// CHECK: air.wait_all [%{{.*}}] {air.launch_end}
// CHECK-COUNT-14: air.channel.put async
// CHECK: air.wait_all [%{{.*}}] {air.launch_end}
// CHECK-NOT: air.channel.put
func.func @tile(%a: memref<1024xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %n = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
    %t0 = air.channel.put async @c[%c0] (%a[0] [%n] [1]) : (memref<1024xf32>)
    %t1 = air.channel.put async @c[%c1] (%a[0] [%n] [1]) : (memref<1024xf32>)
    %t2 = air.channel.put async @c[%c2] (%a[0] [%n] [1]) : (memref<1024xf32>)
    %t3 = air.channel.put async @c[%c3] (%a[0] [%n] [1]) : (memref<1024xf32>)
    %t4 = air.channel.put async @c[%c4] (%a[0] [%n] [1]) : (memref<1024xf32>)
    %t5 = air.channel.put async @c[%c5] (%a[0] [%n] [1]) : (memref<1024xf32>)
    %t6 = air.channel.put async @c[%c6] (%a[0] [%n] [1]) : (memref<1024xf32>)
  }
  return
}

// -----

// One descriptor for all: no tile is needed.
air.channel @c []
// CHECK-LABEL: func @folds
// CHECK: air.channel.put @c[] (%arg0[0, 0] [64, 8] [16, 1])
// CHECK-NEXT: air.wait_all {air.launch_end}
// CHECK-NEXT: return
func.func @folds(%a: memref<1024xf32>) {
  affine.for %i = 0 to 64 {
    air.channel.put @c[] (%a[%i, 0] [1, 8] [16, 1]) : (memref<1024xf32>)
  }
  return
}

// -----

// More than a channel can have in flight in the smallest tile.
air.channel @c []
func.func @too_many(%a: memref<1024xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %i = %c0 to %c2 step %c1 {
    // expected-remark @+1 {{is one of 5 transfers of its channel before the next wait}}
    air.channel.put @c[] (%a[%i] [8] [1]) : (memref<1024xf32>)
    air.channel.put @c[] (%a[%i] [7] [1]) : (memref<1024xf32>)
    air.channel.put @c[] (%a[%i] [8] [1]) : (memref<1024xf32>)
    air.channel.put @c[] (%a[%i] [7] [1]) : (memref<1024xf32>)
    air.channel.put @c[] (%a[%i] [8] [1]) : (memref<1024xf32>)
  }
  return
}
