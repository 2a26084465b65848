// RUN: %aircc opt %s --hierarchy-convert-launches="max-waves=32 max-threads=1024" --split-input-file --verify-diagnostics

func.func @too_many() {
  %c1 = arith.constant 1 : index
  air.launch (%x) in (%nx = %c1) {
    %c256 = arith.constant 256 : index
    %c1_0 = arith.constant 1 : index
    air.herd tile (%i) in (%ni = %c1_0) {
    }
    // expected-error@+1 {{needs a workgroup of 256 x 1 x 1 PEs, each a wavefront of 64 lanes: 16384 threads in 256 waves, but the target allows at most 1024 threads in a workgroup and 32 waves on a compute unit; use a smaller herd, or, if a PE is meant to be one lane, compile with --stage-option hierarchy.pe=lane}}
    air.herd tile (%i, %j) in (%ni = %c256, %nj = %c1_0) {
    }
  }
  return
}

// -----

func.func @unknown_size(%m: memref<4xindex>) {
  %c1 = arith.constant 1 : index
  air.launch (%x) in (%nx = %c1) args(%a = %m) : memref<4xindex> {
    %n = memref.load %a[%x] : memref<4xindex>
    // expected-error@+1 {{has a size that is only known in the kernel and has no known upper bound}}
    air.herd tile (%i) in (%ni = %n) {
    }
  }
  return
}

// -----

func.func @granularity() {
  air.launch () in () {
    %c2 = arith.constant 2 : index
    // expected-error@+1 {{has the unknown backend-granularity "CU"; the known one is "XCD"}}
    air.segment unroll (%i) in (%n = %c2) attributes {"backend-granularity" = "CU"} {
    }
  }
  return
}

// -----

func.func @outside(%a: memref<4xi32>, %b: memref<4xi32>) {
  // expected-error@+1 {{must be in a kernel; put it into an air.launch}}
  air.dma_memcpy_nd (%a[] [] [], %b[] [] []) : (memref<4xi32>, memref<4xi32>)
  return
}

// -----

func.func @dimensions() {
  air.launch () in () {
    %c2 = arith.constant 2 : index
    // expected-error@+1 {{has 4 dimensions, but a workgroup has at most three; linearize some of them}}
    air.herd tile (%i, %j, %k, %l) in (%a = %c2, %b = %c2, %c = %c2, %d = %c2) {
    }
  }
  return
}

// -----

func.func @negative() {
  air.launch () in () {
    %c = arith.constant -2 : index
    // expected-error@+1 {{has the negative size -2}}
    air.herd tile (%i) in (%a = %c) {
    }
  }
  return
}

// -----

func.func @two_levels_over_xcds() {
  air.launch () in () {
    %c2 = arith.constant 2 : index
    air.segment unroll (%i) in (%n = %c2) attributes {"backend-granularity" = "XCD"} {
      %c4 = arith.constant 4 : index
      // expected-error@+1 {{has the backend-granularity "XCD", but so does an enclosing segment; only one level can be distributed over XCDs}}
      air.segment unroll (%j) in (%m = %c4) attributes {"backend-granularity" = "XCD"} {
      }
    }
  }
  return
}

// -----

// The number of PEs does not fit in 64 bits.
func.func @more_pes_than_numbers() {
  air.launch () in () {
    %big = arith.constant 4294967296 : index
    // expected-error@+1 {{needs a workgroup of 4294967296 x 4294967296 x 1 PEs}}
    air.herd tile (%i, %j) in (%ni = %big, %nj = %big) {
      %lane = gpu.lane_id
      %buffer = memref.alloca() : memref<1xindex>
      %c0 = arith.constant 0 : index
      memref.store %lane, %buffer[%c0] : memref<1xindex>
    }
  }
  return
}

// RUN: not %aircc opt %s --hierarchy-convert-launches=pe=thread 2>&1 | FileCheck %s --check-prefix=PE
// PE: error: option 'pe' of hierarchy-convert-launches must be 'wave' or 'lane', but got 'thread'
