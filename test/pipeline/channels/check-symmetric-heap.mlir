// RUN: %aircc opt %s --channels-check-symmetric-heap --split-input-file --verify-diagnostics

func.func private @mgpuBarrier()
func.func @moved() {
  %c2 = arith.constant 2 : index
  air.rank (%r) in (%n = %c2) {
    %c0 = arith.constant 0 : index
    %is0 = arith.cmpi eq, %r, %c0 : index
    scf.if %is0 {
      // expected-error@+1 {{allocates 4096 bytes in the symmetric heap on rank 0, where rank 1 allocates 256 bytes, so the same offset would hold different data on the two ranks; make all ranks allocate and free the same buffers in the same order, or use other memory}}
      %x = memref.alloc() : memref<1024xi32, #air.symmetric_heap>
    }
    // expected-note@+1 {{rank 1 continues here}}
    %m = memref.alloc() : memref<64xi32, #air.symmetric_heap>
  }
  return
}

// -----

// The last one moves nothing, but is there at a barrier.

func.func private @mgpuBarrier()
func.func @at_barrier() {
  %c2 = arith.constant 2 : index
  air.rank (%x, %y) in (%sx = %c2, %sy = %c2) {
    %c1 = arith.constant 1 : index
    %m = memref.alloc() : memref<64xi32, #air.symmetric_heap>
    %is1 = arith.cmpi eq, %x, %c1 : index
    scf.if %is1 {
      // expected-error@+1 {{allocates 8 bytes in the symmetric heap on rank 1, where rank 0 does not}}
      %e = memref.alloc() : memref<2xi32, #air.symmetric_heap>
    }
    // expected-note@+1 {{rank 0 continues here}}
    func.call @mgpuBarrier() : () -> ()
  }
  return
}

// -----

// Sizes and numbers of iterations that depend on the rank.

func.func @sizes(%u: index) {
  %c3 = arith.constant 3 : index
  air.rank (%r) in (%n = %c3) {
    %c1 = arith.constant 1 : index
    %more = arith.addi %r, %c1 : index
    // expected-error@+1 {{allocates 4 bytes in the symmetric heap on rank 0, where rank 1 allocates 8 bytes}}
    %x = memref.alloc(%more) : memref<?xi32, #air.symmetric_heap>
    %big = memref.alloc(%more) : memref<?x64xi32, #air.symmetric_heap>
    %after = memref.alloc() : memref<4xi32, #air.symmetric_heap>
  }
  return
}

// -----

// Permitted: allocations in loops, frees in another order, an allocation of one rank that is freed
// before the next barrier and shifts no other allocation, branches with equal allocations.

func.func private @mgpuBarrier()
func.func @alike() {
  %c2 = arith.constant 2 : index
  air.rank (%r) in (%n = %c2) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c5 = arith.constant 5 : index
    %is0 = arith.cmpi eq, %r, %c0 : index
    scf.for %i = %c0 to %c5 step %c1 {
      %x = memref.alloc() : memref<64xi32, #air.symmetric_heap>
      func.call @mgpuBarrier() : () -> ()
      memref.dealloc %x : memref<64xi32, #air.symmetric_heap>
    }
    scf.if %is0 {
      %own = memref.alloc() : memref<64xi32, #air.symmetric_heap>
      memref.dealloc %own : memref<64xi32, #air.symmetric_heap>
    }
    %a = memref.alloc() : memref<64xi32, #air.symmetric_heap>
    %b = memref.alloc() : memref<32xi32, #air.symmetric_heap>
    func.call @mgpuBarrier() : () -> ()
    scf.if %is0 {
      memref.dealloc %a : memref<64xi32, #air.symmetric_heap>
      memref.dealloc %b : memref<32xi32, #air.symmetric_heap>
    } else {
      memref.dealloc %b : memref<32xi32, #air.symmetric_heap>
      memref.dealloc %a : memref<64xi32, #air.symmetric_heap>
    }
    scf.if %is0 {
      %c = memref.alloc() : memref<16xi32, #air.symmetric_heap>
    } else {
      %d = memref.alloc() : memref<16xi32, #air.symmetric_heap>
    }
    func.call @mgpuBarrier() : () -> ()
  }
  return
}

// -----

// The runtime checks what is unknown at compile time.

func.func private @mgpuBarrier()
func.func private @somewhere() -> i1
func.func @unknown() {
  %c2 = arith.constant 2 : index
  air.rank (%r) in (%n = %c2) {
    %flag = func.call @somewhere() : () -> i1
    scf.if %flag {
      %x = memref.alloc() : memref<1024xi32, #air.symmetric_heap>
    }
    %m = memref.alloc() : memref<64xi32, #air.symmetric_heap>
    func.call @mgpuBarrier() : () -> ()
  }
  return
}

// -----

// A free on a single rank.

func.func private @mgpuBarrier()
func.func @freed() {
  %c2 = arith.constant 2 : index
  air.rank (%r) in (%n = %c2) {
    %c0 = arith.constant 0 : index
    %is0 = arith.cmpi eq, %r, %c0 : index
    %a = memref.alloc() : memref<64xi32, #air.symmetric_heap>
    scf.if %is0 {
      // expected-error@+1 {{frees memory of the symmetric heap on rank 0, where rank 1 does not, so the same offset would hold different data on the two ranks}}
      memref.dealloc %a : memref<64xi32, #air.symmetric_heap>
    }
    // expected-note@+1 {{rank 1 continues here}}
    func.call @mgpuBarrier() : () -> ()
  }
  return
}
