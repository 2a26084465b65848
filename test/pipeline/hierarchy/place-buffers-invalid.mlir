// RUN: %aircc opt %s --pass-pipeline='builtin.module(hierarchy-complete-hierarchy,hierarchy-infer-launches,hierarchy-convert-launches,hierarchy-outline-kernels,gpu.module(hierarchy-expose-parallelism,canonicalize,cse,hierarchy-broadcast-single-worker-results,hierarchy-place-buffers))' --split-input-file --verify-diagnostics

func.func @too_much(%m: memref<128x128xf32>) {
  air.segment args(%sm = %m) : memref<128x128xf32> {
    // expected-note@+1 {{65536 bytes for this buffer}}
    %a = memref.alloc() : memref<128x128xf32, 1>
    // expected-error@+2 {{does not fit: the buffers that are live at the same time need 66048 bytes of LDS, but a workgroup may use only 65536}}
    // expected-note@+1 {{512 bytes for this buffer}}
    %b = memref.alloc() : memref<128xf32, 1>
    air.dma_memcpy_nd (%a[] [] [], %sm[] [] []) : (memref<128x128xf32, 1>, memref<128x128xf32>)
    air.dma_memcpy_nd (%b[] [] [], %sm[] [128] [1]) : (memref<128xf32, 1>, memref<128x128xf32>)
    air.dma_memcpy_nd (%sm[] [] [], %a[] [] []) : (memref<128x128xf32>, memref<128x128xf32, 1>)
  }
  return
}

// -----

func.func @pes(%o: memref<5000xf32>) {
  %c4 = arith.constant 4 : index
  air.herd tile (%x) in (%n = %c4) args(%h = %o) : memref<5000xf32> {
    %c0 = arith.constant 0 : index
    %f = arith.constant 1.0 : f32
    // expected-error@+2 {{need 80000 bytes of LDS}}
    // expected-note@+1 {{80000 bytes for this buffer: 20000 for each of 4 waves}}
    %a = memref.alloc() : memref<5000xf32, 2>
    memref.store %f, %a[%c0] : memref<5000xf32, 2>
    memref.copy %a, %h : memref<5000xf32, 2> to memref<5000xf32>
  }
  return
}

// -----

func.func @unbounded(%n: index, %o: memref<4xf32>) {
  air.segment args(%sn = %n, %so = %o) : index, memref<4xf32> {
    %c0 = arith.constant 0 : index
    %f = arith.constant 1.0 : f32
    // expected-error@+1 {{has a size without a known upper bound}}
    %a = memref.alloc(%sn) : memref<?xf32, 1>
    memref.store %f, %a[%c0] : memref<?xf32, 1>
    air.dma_memcpy_nd (%so[] [] [], %a[0] [4] [1]) : (memref<4xf32>, memref<?xf32, 1>)
  }
  return
}

// -----

func.func @l3(%o: memref<4xf32>) {
  air.segment args(%so = %o) : memref<4xf32> {
    %c0 = arith.constant 0 : index
    %f = arith.constant 1.0 : f32
    // expected-error@+1 {{allocates an L3 buffer in a kernel; allocate it before air.launch}}
    %a = memref.alloc() : memref<4xf32>
    memref.store %f, %a[%c0] : memref<4xf32>
    memref.copy %a, %so : memref<4xf32> to memref<4xf32>
  }
  return
}

// -----

func.func @mixed(%o: memref<4xf32>) {
  air.segment args(%so = %o) : memref<4xf32> {
    %c1 = arith.constant 1 : index
    // expected-error@+1 {{is passed to a herd with per-lane code, where each lane has its own copy, and to a herd where each PE has its own copy}}
    %a = memref.alloc() : memref<4xf32, 2>
    air.herd @simt tile (%x) in (%n = %c1) args(%h = %a) : memref<4xf32, 2> {
      %lane = gpu.lane_id
      %f = arith.constant 1.0 : f32
      memref.store %f, %h[%lane] : memref<4xf32, 2>
    }
    air.herd @pe tile (%x) in (%n = %c1) args(%h = %a, %ho = %so)
        : memref<4xf32, 2>, memref<4xf32> {
      memref.copy %h, %ho : memref<4xf32, 2> to memref<4xf32>
    }
  }
  return
}

// -----

func.func @two_places(%c: i1, %o: memref<4xf32>) {
  air.segment args(%sc = %c, %so = %o) : i1, memref<4xf32> {
    %c1 = arith.constant 1 : index
    %a = memref.alloc() : memref<4xf32, 2>
    %b = memref.alloc() : memref<4xf32, 2>
    air.herd @pe tile (%x) in (%n = %c1) args(%ha = %a, %hb = %b, %hc = %sc, %ho = %so)
        : memref<4xf32, 2>, memref<4xf32, 2>, i1, memref<4xf32> {
      %f = arith.constant 1.0 : f32
      %h0 = arith.constant 0 : index
      %h1 = arith.constant 1 : index
      %h4 = arith.constant 4 : index
      memref.store %f, %ha[%x] : memref<4xf32, 2>
      memref.store %f, %hb[%x] : memref<4xf32, 2>
      scf.parallel (%i) = (%h0) to (%h4) step (%h1) {
        %own = memref.alloc() : memref<4xf32, 2>
        memref.store %f, %own[%i] : memref<4xf32, 2>
        // expected-error@+1 {{combines buffers in different memory spaces}}
        %s = arith.select %hc, %ha, %own : memref<4xf32, 2>
        %v = memref.load %s[%i] : memref<4xf32, 2>
        memref.store %v, %ho[%i] : memref<4xf32>
      }
    }
  }
  return
}

// -----

func.func @carried(%m: memref<4xf32>) {
  air.segment args(%sm = %m) : memref<4xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %f = arith.constant 1.0 : f32
    %a = memref.alloc() : memref<4xf32, 1>
    %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%x = %a) -> (memref<4xf32, 1>) {
      // expected-error@+1 {{is carried into the next iteration of the loop}}
      %b = memref.alloc() : memref<4xf32, 1>
      air.dma_memcpy_nd (%b[] [] [], %x[] [] []) : (memref<4xf32, 1>, memref<4xf32, 1>)
      scf.yield %b : memref<4xf32, 1>
    }
    air.dma_memcpy_nd (%sm[] [] [], %r[] [] []) : (memref<4xf32>, memref<4xf32, 1>)
  }
  return
}

// -----

// An L2 buffer belongs to the workgroup, but each PE would allocate its own.

func.func @l2_of_a_pe(%o: memref<64xf32>) {
  %c4 = arith.constant 4 : index
  air.herd tile (%x) in (%n = %c4) args(%h = %o) : memref<64xf32> {
    %f = arith.constant 1.0 : f32
    // expected-error@+1 {{allocates an L2 buffer, which the whole workgroup shares, in a herd}}
    %a = memref.alloc() : memref<64xf32, 1>
    linalg.fill ins(%f : f32) outs(%a : memref<64xf32, 1>)
    memref.copy %a, %h : memref<64xf32, 1> to memref<64xf32>
  }
  return
}

// -----

// A function that cannot be inlined is called by a single worker.

func.func private @fill(%m: memref<64xf32, 2>) {
  %c0 = arith.constant 0 : index
  %f = arith.constant 1.0 : f32
  cf.br ^bb1
^bb1:
  memref.store %f, %m[%c0] : memref<64xf32, 2>
  return
}

func.func @call_for_pes(%o: memref<64xf32>) {
  air.segment args(%so = %o) : memref<64xf32> {
    %c4 = arith.constant 4 : index
    %a = memref.alloc() : memref<64xf32, 2>
    // expected-error@+1 {{is executed by one worker for all, but accesses an L1 buffer, of which each PE has its own copy; move it into a herd, or expand it in the segment}}
    func.call @fill(%a) : (memref<64xf32, 2>) -> ()
    air.herd tile (%x) in (%n = %c4) args(%h = %so, %ha = %a) : memref<64xf32>, memref<64xf32, 2> {
      memref.copy %ha, %h : memref<64xf32, 2> to memref<64xf32>
    }
  }
  return
}

// -----

// Elements that have no size on the device.

func.func @nested(%m: memref<8xmemref<4xf32>>) {
  air.segment args(%sm = %m) : memref<8xmemref<4xf32>> {
    // expected-error@+1 {{has elements of unknown size on the device; use numbers or vectors of numbers}}
    %a = memref.alloc() : memref<8xmemref<4xf32>, 1>
    air.dma_memcpy_nd (%a[] [] [], %sm[] [] []) : (memref<8xmemref<4xf32>, 1>, memref<8xmemref<4xf32>>)
  }
  return
}

// -----

func.func private @same(%a: memref<64xf32, 2>) -> memref<64xf32, 2> {
  cf.br ^next
^next:
  // expected-error@+1 {{returns an L1 or L2 buffer from a function; pass it as an argument instead}}
  return %a : memref<64xf32, 2>
}
func.func @returned(%m: memref<64xf32>) {
  air.segment args(%sm = %m) : memref<64xf32> {
    %c4 = arith.constant 4 : index
    air.herd tile (%x) in (%n = %c4) args(%h = %sm) : memref<64xf32> {
      %a = memref.alloc() : memref<64xf32, 2>
      %lane = gpu.lane_id
      %b = func.call @same(%a) : (memref<64xf32, 2>) -> memref<64xf32, 2>
      %v = memref.load %b[%lane] : memref<64xf32, 2>
      memref.store %v, %h[%lane] : memref<64xf32>
    }
  }
  return
}
