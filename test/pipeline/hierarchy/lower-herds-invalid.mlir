// RUN: %aircc opt %s --pass-pipeline='builtin.module(hierarchy-complete-hierarchy,hierarchy-infer-launches,hierarchy-convert-launches,hierarchy-outline-kernels,gpu.module(hierarchy-expose-parallelism,canonicalize,cse,hierarchy-broadcast-single-worker-results,hierarchy-place-buffers,aircc-place-barriers,hierarchy-lower-dma,hierarchy-distribute-parallel-loops,hierarchy-predicate-single-worker-ops,hierarchy-lower-herds))' --split-input-file --verify-diagnostics

// A loop with a barrier whose number of iterations differs between waves, in a
// herd that does not fill the workgroup.

func.func @uneven(%m: memref<64xi32>) {
  air.segment args(%a = %m) : memref<64xi32> {
    %c4 = arith.constant 4 : index
    %c2 = arith.constant 2 : index
    air.herd tile (%x) in (%n = %c2) args(%h = %a) : memref<64xi32> {
      %h0 = arith.constant 0 : index
      %h1 = arith.constant 1 : index
      %lane = gpu.lane_id
      // expected-error@+1 {{contains a barrier, which all waves of the workgroup must reach}}
      scf.for %i = %h0 to %x step %h1 {
        %v = memref.load %h[%lane] : memref<64xi32>
        kernel.barrier workgroup
        memref.store %v, %h[%x] : memref<64xi32>
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

// -----

// A bound that only the waves of the smaller herd compute.

func.func @steered(%m: memref<64xi32>) {
  air.segment args(%a = %m) : memref<64xi32> {
    %c4 = arith.constant 4 : index
    %c2 = arith.constant 2 : index
    air.herd tile (%x) in (%n = %c2) args(%h = %a) : memref<64xi32> {
      %h0 = arith.constant 0 : index
      %h1 = arith.constant 1 : index
      %h4 = arith.constant 4 : index
      %lane = gpu.lane_id
      %first = memref.load %h[%h0] : memref<64xi32>
      %sum = scf.for %i = %h0 to %h4 step %h1 iter_args(%s = %first) -> i32 {
        %w = memref.load %h[%i] : memref<64xi32>
        %t = arith.addi %s, %w : i32
        scf.yield %t : i32
      }
      %bound = arith.index_cast %sum : i32 to index
      // expected-error@+1 {{is controlled by a value that only the waves of its herd compute}}
      scf.for %i = %h0 to %bound step %h1 {
        %v = memref.load %h[%lane] : memref<64xi32>
        kernel.barrier workgroup
        memref.store %v, %h[%x] : memref<64xi32>
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

// -----

// A reduction over a workgroup of which the herd is only a part.

func.func @reduction(%m: memref<64xi32>) {
  air.segment args(%a = %m) : memref<64xi32> {
    %c4 = arith.constant 4 : index
    %c2 = arith.constant 2 : index
    air.herd tile (%x) in (%n = %c2) args(%h = %a) : memref<64xi32> {
      %one = arith.constant 1 : i32
      // expected-error@+1 {{must be executed by all waves of the workgroup, but its herd has fewer}}
      %s = gpu.all_reduce add %one uniform {} : (i32) -> (i32)
      memref.store %s, %h[%x] : memref<64xi32>
    }
    air.herd tile (%x) in (%n = %c4) args(%h = %a) : memref<64xi32> {
      %lane = gpu.lane_id
      %v = arith.index_cast %x : index to i32
      memref.store %v, %h[%lane] : memref<64xi32>
    }
  }
  return
}
