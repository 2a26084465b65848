// RUN: %aircc opt %s --hierarchy-run-herds-in-rounds --split-input-file --verify-diagnostics

func.func @branch(%m: memref<32xi32>) {
  air.launch () in () args(%l = %m) : memref<32xi32> {
    %c32 = arith.constant 32 : index
    air.herd tile (%x) in (%nx = %c32) args(%h = %l) : memref<32xi32> {
      %c4 = arith.constant 4 : index
      // expected-note@+1 {{the value is defined here}}
      %few = arith.cmpi ult, %x, %c4 : index
      // expected-error@+1 {{contains a barrier, which all PEs of the herd must reach, but is controlled by a value that may differ between PEs; compute it from values that are passed to the herd, or from L2 or L3}}
      scf.if %few {
        gpu.barrier
      }
    }
  }
  return
}

// -----

func.func @own_bound(%m: memref<32xi32>) {
  air.launch () in () args(%l = %m) : memref<32xi32> {
    %c32 = arith.constant 32 : index
    air.herd tile (%x) in (%nx = %c32) args(%h = %l) : memref<32xi32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %b = memref.alloc() : memref<1xindex, 2>
      memref.store %x, %b[%c0] : memref<1xindex, 2>
      // expected-note@+1 {{the value is defined here}}
      %n = memref.load %b[%c0] : memref<1xindex, 2>
      // expected-error@+1 {{controlled by a value that may differ between PEs}}
      scf.for %i = %c0 to %n step %c1 {
        gpu.barrier
      }
    }
  }
  return
}

// -----

func.func @while(%m: memref<32xi1>) {
  air.launch () in () args(%l = %m) : memref<32xi1> {
    %c32 = arith.constant 32 : index
    air.herd tile (%x) in (%nx = %c32) args(%h = %l) : memref<32xi1> {
      %c0 = arith.constant 0 : index
      // expected-error@+1 {{contains a barrier in a herd that runs in rounds because it has more PEs than a workgroup has waves; around such barriers, use only scf.for and scf.if, or use a smaller herd}}
      scf.while : () -> () {
        %go = memref.load %h[%c0] : memref<32xi1>
        scf.condition(%go)
      } do {
        gpu.barrier
        scf.yield
      }
    }
  }
  return
}

// -----

func.func @reduce(%m: memref<32xi32>) {
  air.launch () in () args(%l = %m) : memref<32xi32> {
    %c32 = arith.constant 32 : index
    air.herd tile (%x) in (%nx = %c32) args(%h = %l) : memref<32xi32> {
      %v = memref.load %h[%x] : memref<32xi32>
      // expected-error@+1 {{must be executed by all PEs of its herd at the same time, but the herd has 32 PEs and runs in rounds on 16 waves; use a smaller herd, or exchange values through L2 and gpu.barrier}}
      %s = gpu.all_reduce add %v uniform {} : (i32) -> (i32)
      memref.store %s, %h[%x] : memref<32xi32>
    }
  }
  return
}

// -----

func.func @swapped(%m: memref<32xi32>) {
  air.launch () in () args(%l = %m) : memref<32xi32> {
    %c32 = arith.constant 32 : index
    air.herd tile (%x) in (%nx = %c32) args(%h = %l) : memref<32xi32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %a = memref.alloc() : memref<4xi32, 2>
      %b = memref.alloc() : memref<4xi32, 2>
      // expected-note@+1 {{the value is defined here}}
      scf.for %i = %c0 to %c4 step %c1 iter_args(%p = %a, %q = %b) -> (memref<4xi32, 2>, memref<4xi32, 2>) {
        // expected-error@+1 {{uses a value of type 'memref<4xi32, 2>' that was computed before a barrier, in a herd that runs in rounds because it has more PEs than a workgroup has waves; compute it after the barrier, or use a smaller herd}}
        %v = memref.load %p[%c0] : memref<4xi32, 2>
        gpu.barrier
        memref.store %v, %q[%c0] : memref<4xi32, 2>
        scf.yield %q, %p : memref<4xi32, 2>, memref<4xi32, 2>
      }
    }
  }
  return
}

// -----

func.func @dynamic_segment_buffer(%m: memref<32xi32>, %k: index) {
  air.launch () in () args(%l = %m, %lk = %k) : memref<32xi32>, index {
    %c32 = arith.constant 32 : index
    // expected-error@+1 {{has a dynamic size and is passed to a herd that runs in rounds because it has more PEs than a workgroup has waves; use a constant size, or allocate the buffer in the herd}}
    %b = memref.alloc(%lk) : memref<?xi32, 2>
    air.herd tile (%x) in (%nx = %c32) args(%h = %l, %t = %b) : memref<32xi32>, memref<?xi32, 2> {
      %v = memref.load %t[%x] : memref<?xi32, 2>
      memref.store %v, %h[%x] : memref<32xi32>
    }
  }
  return
}

// -----

func.func @view_of_segment_buffer(%m: memref<32xi32>) {
  air.launch () in () args(%l = %m) : memref<32xi32> {
    %c32 = arith.constant 32 : index
    %b = memref.alloc() : memref<8xi32, 2>
    %v = memref.subview %b[0] [4] [1] : memref<8xi32, 2> to memref<4xi32, strided<[1]>, 2>
    // expected-error@+1 {{passes a view of an L1 buffer of the segment, of which each PE has its own copy, and which is also used by a herd that runs in rounds because it has more PEs than a workgroup has waves; allocate the buffer in the herd, or use L2}}
    air.herd tile (%x) in (%nx = %c32) args(%h = %l, %t = %v) : memref<32xi32>, memref<4xi32, strided<[1]>, 2> {
      %c0 = arith.constant 0 : index
      %u = memref.load %t[%c0] : memref<4xi32, strided<[1]>, 2>
      memref.store %u, %h[%x] : memref<32xi32>
    }
  }
  return
}

// -----

func.func @read_of_segment_buffer(%m: memref<32xi32>) {
  air.launch () in () args(%l = %m) : memref<32xi32> {
    %c32 = arith.constant 32 : index
    %c0 = arith.constant 0 : index
    %b = memref.alloc() : memref<8xi32, 2>
    air.herd tile (%x) in (%nx = %c32) args(%t = %b) : memref<8xi32, 2> {
      %c1 = arith.constant 1 : index
      %z = arith.constant 0 : i32
      memref.store %z, %t[%c1] : memref<8xi32, 2>
    }
    // expected-error@+1 {{has results that depend on an L1 buffer of the segment}}
    %v = memref.load %b[%c0] : memref<8xi32, 2>
    memref.store %v, %l[%c0] : memref<32xi32>
  }
  return
}

// -----

func.func @unbounded(%m: memref<32xi32>, %k: index) {
  air.launch () in () args(%l = %m, %lk = %k) : memref<32xi32>, index {
    %c32 = arith.constant 32 : index
    air.herd tile (%x) in (%nx = %c32) args(%h = %l, %hk = %lk) : memref<32xi32>, index {
      %c0 = arith.constant 0 : index
      %z = arith.constant 0 : i32
      // expected-error@+1 {{has a size without a known upper bound}}
      %b = memref.alloc(%hk) : memref<?xi32, 2>
      memref.store %z, %b[%c0] : memref<?xi32, 2>
      gpu.barrier
      %v = memref.load %b[%c0] : memref<?xi32, 2>
      memref.store %v, %h[%x] : memref<32xi32>
    }
  }
  return
}
