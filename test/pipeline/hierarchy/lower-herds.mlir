// RUN: %aircc opt %s --pass-pipeline='builtin.module(hierarchy-complete-hierarchy,hierarchy-infer-launches,hierarchy-convert-launches,hierarchy-outline-kernels,gpu.module(hierarchy-expose-parallelism,canonicalize,cse,hierarchy-broadcast-single-worker-results,hierarchy-place-buffers,aircc-place-barriers,hierarchy-lower-dma,hierarchy-distribute-parallel-loops,hierarchy-predicate-single-worker-ops,hierarchy-lower-herds,canonicalize,cse))' | FileCheck %s

// Ids are the wave's, and stay in scalar registers; the smaller herd is guarded
// by a condition that is the same in a wave.

// CHECK-LABEL: gpu.func @ids_kernel
// CHECK: %[[TID:.*]] = gpu.thread_id x
// CHECK: %[[W:.*]] = arith.divui %[[TID]], %c64
// CHECK: %[[PE:.*]] = gpu.subgroup_broadcast %[[W]], first_active_lane : index
// CHECK: memref.store %{{.*}}, %{{.*}}[%[[PE]]]
// CHECK: %[[IN:.*]] = arith.cmpi slt, %[[PE]], %c2
// CHECK: scf.if %[[IN]] {
// CHECK:   memref.store
// CHECK-NOT: air.
// CHECK: gpu.return
func.func @ids(%m: memref<4xi32>) {
  air.segment args(%a = %m) : memref<4xi32> {
    %c4 = arith.constant 4 : index
    %c2 = arith.constant 2 : index
    air.herd tile (%x) in (%n = %c4) args(%h = %a) : memref<4xi32> {
      %lane = gpu.lane_id
      %v = arith.index_cast %lane : index to i32
      memref.store %v, %h[%x] : memref<4xi32>
    }
    air.herd tile (%x) in (%n = %c2) args(%h = %a) : memref<4xi32> {
      %lane = gpu.lane_id
      %v = arith.index_cast %x : index to i32
      memref.store %v, %h[%lane] : memref<4xi32>
    }
  }
  return
}

// Barriers of a smaller herd stay where all waves reach them, also in loops.

// CHECK-LABEL: gpu.func @barriers_kernel
// CHECK: %[[IN:.*]] = arith.cmpi slt
// CHECK: scf.for
// CHECK:   %[[V:.*]] = scf.if %[[IN]] -> (i32)
// CHECK:     memref.load
// CHECK:   }
// CHECK:   kernel.barrier workgroup
// CHECK:   scf.if %[[IN]] {
// CHECK:     memref.store
// CHECK:   }
// CHECK:   kernel.barrier workgroup
func.func @barriers(%m: memref<64xi32>) {
  air.segment args(%a = %m) : memref<64xi32> {
    %c4 = arith.constant 4 : index
    %c1 = arith.constant 1 : index
    air.herd tile (%x) in (%n = %c1) args(%h = %a) : memref<64xi32> {
      %h0 = arith.constant 0 : index
      %h1 = arith.constant 1 : index
      %h9 = arith.constant 9 : index
      %h63 = arith.constant 63 : index
      %lane = gpu.lane_id
      scf.for %i = %h0 to %h9 step %h1 {
        %mirror = arith.subi %h63, %lane : index
        %v = memref.load %h[%mirror] : memref<64xi32>
        kernel.barrier workgroup
        memref.store %v, %h[%lane] : memref<64xi32>
        kernel.barrier workgroup
      }
    }
    air.herd tile (%x) in (%n = %c4) {
    }
  }
  return
}

// Barriers of the target's dialects also apply to the whole workgroup. Conditions that are computed
// from values common to all waves may control a barrier, also with a division.

// CHECK-LABEL: gpu.func @target_barriers_kernel
// CHECK: scf.if
// CHECK: }
// CHECK-NEXT: amdgpu.lds_barrier
// CHECK: scf.if
// CHECK: }
// CHECK-NEXT: rocdl.s.barrier
// CHECK: %[[N:.*]] = arith.divui
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[N]]
// CHECK: scf.if
// CHECK: }
// CHECK-NEXT: rocdl.barrier
// CHECK: gpu.return
func.func @target_barriers(%m: memref<64xi32>, %k: index, %d: index) {
  air.segment args(%a = %m, %sk = %k, %sd = %d) : memref<64xi32>, index, index {
    %c4 = arith.constant 4 : index
    %c2 = arith.constant 2 : index
    air.herd tile (%x) in (%n = %c2) args(%h = %a, %hk = %sk, %hd = %sd) : memref<64xi32>, index, index {
      %h0 = arith.constant 0 : index
      %h1 = arith.constant 1 : index
      %lane = gpu.lane_id
      %v = arith.index_cast %lane : index to i32
      memref.store %v, %h[%x] : memref<64xi32>
      amdgpu.lds_barrier
      memref.store %v, %h[%lane] : memref<64xi32>
      rocdl.s.barrier
      %q = arith.divui %hk, %hd : index
      scf.for %i = %h0 to %q step %h1 {
        memref.store %v, %h[%i] : memref<64xi32>
        rocdl.barrier
      }
    }
    air.herd tile (%x) in (%n = %c4) args(%h = %a) : memref<64xi32> {
      %lane = gpu.lane_id
      %v = arith.index_cast %x : index to i32
      memref.store %v, %h[%lane] : memref<64xi32>
    }
  }
  return
}
