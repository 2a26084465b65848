// RUN: %aircc opt %s --pass-pipeline='builtin.module(hierarchy-complete-hierarchy,hierarchy-infer-launches,hierarchy-convert-launches,hierarchy-outline-kernels,gpu.module(hierarchy-expose-parallelism,canonicalize,cse,hierarchy-broadcast-single-worker-results,hierarchy-place-buffers,aircc-place-barriers,hierarchy-lower-dma,hierarchy-distribute-parallel-loops,hierarchy-predicate-single-worker-ops))' --split-input-file --verify-diagnostics

// Each lane of a SIMT herd has its own copy of an L1 buffer of the segment, so a copy to L3 that is
// executed once is ambiguous.

func.func @differs(%m: memref<4xf32>) {
  %c1 = arith.constant 1 : index
  air.segment args(%a = %m, %n = %c1) : memref<4xf32>, index {
    %c0 = arith.constant 0 : index
    %own = memref.alloc() : memref<4xf32, 2>
    air.herd tile (%x) in (%nx = %n) args(%h = %own) : memref<4xf32, 2> {
      %lane = gpu.lane_id
      %f = arith.constant 1.0 : f32
      memref.store %f, %h[%lane] : memref<4xf32, 2>
    }
    // expected-note@+1 {{the value is defined here}}
    %v = memref.load %own[%c0] : memref<4xf32, 2>
    // expected-error@+1 {{is executed once for the workgroup, but uses a value that differs between its PEs or lanes}}
    memref.store %v, %a[%c0] : memref<4xf32>
  }
  return
}

// -----

// A loop that the lanes of a wave share, with a bound of each lane.

func.func @lanes_bound(%m: memref<1024xi32>) {
  air.segment args(%a = %m) : memref<1024xi32> {
    %c1 = arith.constant 1 : index
    %lane = gpu.lane_id
    // expected-note@+1 {{the value is defined here}}
    air.herd tile (%x) in (%n = %c1) args(%h = %a, %l = %lane) : memref<1024xi32>, index {
      %h0 = arith.constant 0 : index
      %h1 = arith.constant 1 : index
      %v = arith.constant 1 : i32
      // expected-error@+1 {{is distributed over the wave, but uses a value that differs between its lanes}}
      scf.parallel (%i) = (%h0) to (%l) step (%h1) {
        memref.store %v, %h[%i] : memref<1024xi32>
      }
    }
  }
  return
}
