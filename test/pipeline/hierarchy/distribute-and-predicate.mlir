// RUN: %aircc opt %s --pass-pipeline='builtin.module(hierarchy-complete-hierarchy,hierarchy-infer-launches,hierarchy-convert-launches,hierarchy-outline-kernels,gpu.module(hierarchy-expose-parallelism,canonicalize,cse,hierarchy-broadcast-single-worker-results,hierarchy-place-buffers,aircc-place-barriers,hierarchy-lower-dma,hierarchy-distribute-parallel-loops,hierarchy-predicate-single-worker-ops))' | FileCheck %s

// The iterations of a parallel loop are distributed over lanes, adjacent iterations to adjacent
// lanes; its values are private to lanes. The cyclic loop is the same for all lanes, and all lanes
// are active.

// CHECK-LABEL: gpu.func @spread_kernel
// CHECK: air.herd
// CHECK-DAG: %[[C64:.*]] = arith.constant 64 : index
// CHECK-DAG: %[[LANE:.*]] = gpu.lane_id
// CHECK: scf.for %[[BASE:.*]] = %{{.*}} to %{{.*}} step %[[C64]] {
// CHECK: %[[I:.*]] = arith.addi %[[BASE]], %[[LANE]]
// CHECK-NOT: scf.if
// CHECK: memref.store %{{.*}}, %{{.*}}[%[[I]]]
// CHECK: } {kernel.every_lane}
// CHECK-NOT: scf.if
func.func @spread(%m: memref<256xi32>) {
  %c1 = arith.constant 1 : index
  air.herd tile (%x) in (%n = %c1) args(%a = %m) : memref<256xi32> {
    %c0 = arith.constant 0 : index
    %s = arith.constant 1 : index
    %c256 = arith.constant 256 : index
    scf.parallel (%i) = (%c0) to (%c256) step (%s) {
      %v = arith.index_cast %i : index to i32
      memref.store %v, %a[%i] : memref<256xi32>
    }
  }
  return
}

// If the extent is not a multiple of the wave size, some lanes are inactive in the last iteration.

// CHECK-LABEL: gpu.func @rest_kernel
// CHECK-DAG: %[[LANE:.*]] = gpu.lane_id
// CHECK: scf.for
// CHECK-NOT: scf.if
// CHECK: } {kernel.every_lane}
// CHECK: %[[IN:.*]] = arith.cmpi ult, %[[LANE]], %
// CHECK: scf.if %[[IN]] {
// CHECK: memref.store
// CHECK: } {kernel.every_lane}
func.func @rest(%m: memref<72xi32>) {
  %c1 = arith.constant 1 : index
  air.herd tile (%x) in (%n = %c1) args(%a = %m) : memref<72xi32> {
    %c0 = arith.constant 0 : index
    %s = arith.constant 1 : index
    %c72 = arith.constant 72 : index
    scf.parallel (%i) = (%c0) to (%c72) step (%s) {
      %v = arith.index_cast %i : index to i32
      memref.store %v, %a[%i] : memref<72xi32>
    }
  }
  return
}

// In a box, coordinates that are equal for all lanes are computed from the cyclic loop alone: here
// an iteration covers half a row.

// CHECK-LABEL: gpu.func @rows_kernel
// CHECK: %[[LANE:.*]] = gpu.lane_id
// CHECK: scf.for %[[BASE:.*]] = %{{.*}} to
// CHECK: %[[HALF:.*]] = arith.remui %[[BASE]],
// CHECK: %[[COLUMN:.*]] = arith.addi %[[HALF]], %[[LANE]]
// CHECK: %[[ROW:.*]] = arith.divui %[[BASE]],
// CHECK: memref.store %{{.*}}, %{{.*}}[%[[ROW]], %[[COLUMN]]]
func.func @rows(%m: memref<3x128xi32>) {
  %c1 = arith.constant 1 : index
  air.herd tile (%x) in (%n = %c1) args(%a = %m) : memref<3x128xi32> {
    %zero = arith.constant 0 : i32
    linalg.fill ins(%zero : i32) outs(%a : memref<3x128xi32>)
  }
  return
}

// Stores of a segment execute once, adjacent ones under one condition; all lanes execute loads and
// arithmetic.

// CHECK-LABEL: gpu.func @once_kernel
// CHECK: %[[V:.*]] = memref.load
// CHECK: %[[W:.*]] = arith.addi %[[V]]
// CHECK: %[[TID:.*]] = gpu.thread_id x
// CHECK: %[[FIRST:.*]] = arith.cmpi eq, %[[TID]]
// CHECK: scf.if %[[FIRST]] {
// CHECK-NEXT: memref.store %[[W]]
// CHECK-NEXT: memref.store %[[V]]
// CHECK-NEXT: }
func.func @once(%m: memref<4xi32>, %o: memref<4xi32>) {
  air.segment args(%a = %m, %b = %o) : memref<4xi32>, memref<4xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %v = memref.load %a[%c0] : memref<4xi32>
    %w = arith.addi %v, %v : i32
    memref.store %w, %b[%c0] : memref<4xi32>
    %i = arith.index_cast %v : i32 to index
    memref.store %v, %b[%i] : memref<4xi32>
  }
  return
}

// Code that names lanes is left as it is.

// CHECK-LABEL: gpu.func @lanes_kernel
// CHECK-NOT: scf.if
// CHECK: memref.store
// CHECK: gpu.return
func.func @lanes(%m: memref<64xi32>) {
  air.segment args(%a = %m) : memref<64xi32> {
    %t = gpu.thread_id x
    %v = arith.index_cast %t : index to i32
    memref.store %v, %a[%t] : memref<64xi32>
  }
  return
}

// Two segments in a launch, of which one uses lane ids: each is handled separately.

// CHECK-LABEL: gpu.func @both_kernel
// CHECK: memref.atomic_rmw addi %{{.*}}, %{{.*}}[%{{.*}}]
// CHECK: scf.if
// CHECK: memref.atomic_rmw andi
func.func @both(%m: memref<64xi32>) {
  air.launch () in () args(%a = %m) : memref<64xi32> {
    air.segment args(%b = %a) : memref<64xi32> {
      %t = gpu.thread_id x
      %one = arith.constant 1 : i32
      %r = memref.atomic_rmw addi %one, %b[%t] : (i32, memref<64xi32>) -> i32
    }
    air.segment args(%b = %a) : memref<64xi32> {
      %c0 = arith.constant 0 : index
      %one = arith.constant 1 : i32
      %r = memref.atomic_rmw andi %one, %b[%c0] : (i32, memref<64xi32>) -> i32
    }
  }
  return
}
