// RUN: %aircc opt %s --pass-pipeline='builtin.module(hierarchy-complete-hierarchy,hierarchy-infer-launches,hierarchy-convert-launches,hierarchy-outline-kernels,gpu.module(hierarchy-expose-parallelism,canonicalize,cse,hierarchy-broadcast-single-worker-results,hierarchy-place-buffers,aircc-place-barriers))' --split-input-file --verify-diagnostics

// A herd under a condition of lanes.

func.func @divergent(%m: memref<64xi32>) {
  %c1 = arith.constant 1 : index
  air.segment args(%a = %m, %n = %c1) : memref<64xi32>, index {
    %t = gpu.thread_id x
    %c = arith.cmpi eq, %t, %n : index
    scf.if %c {
      // expected-error@+1 {{must be executed by all threads together, but is under a condition that depends on values that differ}}
      air.herd tile (%x) in (%nx = %n) args(%h = %a) : memref<64xi32> {
        %lane = gpu.lane_id
        %v = arith.index_cast %lane : index to i32
        memref.store %v, %h[%lane] : memref<64xi32>
      }
    }
  }
  return
}
