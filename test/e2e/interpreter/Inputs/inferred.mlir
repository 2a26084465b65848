// A buffer in L2 that the host allocates, and the transfer next to the herd.
func.func @l2_next_to_herd(%a: memref<64xi32>, %b: memref<64xi32>) {
  %c1 = arith.constant 1 : index
  %l2 = memref.alloc() : memref<64xi32, 1>
  air.dma_memcpy_nd (%l2[] [] [], %a[] [] []) : (memref<64xi32, 1>, memref<64xi32>)
  air.herd tile (%x, %y) in (%nx = %c1, %ny = %c1) args(%h = %l2, %o = %b) : memref<64xi32, 1>, memref<64xi32> {
    air.dma_memcpy_nd (%o[] [] [], %h[] [] []) : (memref<64xi32>, memref<64xi32, 1>)
  }
  memref.dealloc %l2 : memref<64xi32, 1>
  return
}
// -----
// Several herds one after another share L2 buffers.
func.func @herds_share_l2(%a: memref<4x16xi32>, %b: memref<4x16xi32>) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %x2 = memref.alloc() : memref<4x16xi32, 1 : i32>
  %y2 = memref.alloc() : memref<4x16xi32, 1 : i32>
  air.dma_memcpy_nd (%x2[] [] [], %a[] [] []) : (memref<4x16xi32, 1 : i32>, memref<4x16xi32>)
  air.herd @double tile (%x, %y) in (%nx = %c4, %ny = %c1) args(%s = %x2, %t = %y2) : memref<4x16xi32, 1 : i32>, memref<4x16xi32, 1 : i32> {
    affine.for %i = 0 to 16 {
      %v = memref.load %s[%x, %i] : memref<4x16xi32, 1 : i32>
      %w = arith.addi %v, %v : i32
      memref.store %w, %t[%x, %i] : memref<4x16xi32, 1 : i32>
    }
  }
  air.herd @mirror tile (%x, %y) in (%nx = %c1, %ny = %c4) args(%s = %y2, %t = %x2) : memref<4x16xi32, 1 : i32>, memref<4x16xi32, 1 : i32> {
    %c3 = arith.constant 3 : index
    %m = arith.subi %c3, %y : index
    affine.for %i = 0 to 16 {
      %v = memref.load %s[%m, %i] : memref<4x16xi32, 1 : i32>
      memref.store %v, %t[%y, %i] : memref<4x16xi32, 1 : i32>
    }
  }
  air.dma_memcpy_nd (%b[] [] [], %x2[] [] []) : (memref<4x16xi32>, memref<4x16xi32, 1 : i32>)
  memref.dealloc %x2 : memref<4x16xi32, 1 : i32>
  memref.dealloc %y2 : memref<4x16xi32, 1 : i32>
  return
}
// -----
// A parallel loop over tiles: matmul with L2 staging, as tiling passes write it.
func.func @parallel_matmul(%a: memref<64x32xf32>, %b: memref<32x64xf32>, %c: memref<64x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%c64, %c64) step (%c32, %c32) {
    scf.for %k = %c0 to %c32 step %c16 {
      %ta = memref.alloc() : memref<32x16xf32, 1>
      %tb = memref.alloc() : memref<16x32xf32, 1>
      %tc = memref.alloc() : memref<32x32xf32, 1>
      air.dma_memcpy_nd (%ta[] [] [], %a[%i, %k] [%c32, %c16] [%c32, %c1]) {id = 1 : i32} : (memref<32x16xf32, 1>, memref<64x32xf32>)
      air.dma_memcpy_nd (%tb[] [] [], %b[%k, %j] [%c16, %c32] [%c64, %c1]) {id = 2 : i32} : (memref<16x32xf32, 1>, memref<32x64xf32>)
      air.dma_memcpy_nd (%tc[] [] [], %c[%i, %j] [%c32, %c32] [%c64, %c1]) {id = 3 : i32} : (memref<32x32xf32, 1>, memref<64x64xf32>)
      air.herd @herd_0 tile (%x, %y) in (%nx = %c2, %ny = %c2) args(%ha = %ta, %hb = %tb, %hc = %tc) : memref<32x16xf32, 1>, memref<16x32xf32, 1>, memref<32x32xf32, 1> {
        %d1 = arith.constant 1 : index
        %d16 = arith.constant 16 : index
        %d32 = arith.constant 32 : index
        %d0 = arith.constant 0 : index
        %r = affine.apply affine_map<()[s0] -> (s0 * 16)>()[%x]
        %s = affine.apply affine_map<()[s0] -> (s0 * 16)>()[%y]
        %la = memref.alloc() : memref<16x16xf32, 2>
        %lb = memref.alloc() : memref<16x16xf32, 2>
        %lc = memref.alloc() : memref<16x16xf32, 2>
        air.dma_memcpy_nd (%la[] [] [], %ha[%r, %d0] [%d16, %d16] [%d16, %d1]) : (memref<16x16xf32, 2>, memref<32x16xf32, 1>)
        air.dma_memcpy_nd (%lb[] [] [], %hb[%d0, %s] [%d16, %d16] [%d32, %d1]) : (memref<16x16xf32, 2>, memref<16x32xf32, 1>)
        air.dma_memcpy_nd (%lc[] [] [], %hc[%r, %s] [%d16, %d16] [%d32, %d1]) : (memref<16x16xf32, 2>, memref<32x32xf32, 1>)
        linalg.matmul ins(%la, %lb : memref<16x16xf32, 2>, memref<16x16xf32, 2>) outs(%lc : memref<16x16xf32, 2>)
        air.dma_memcpy_nd (%hc[%r, %s] [%d16, %d16] [%d32, %d1], %lc[] [] []) : (memref<32x32xf32, 1>, memref<16x16xf32, 2>)
        memref.dealloc %la : memref<16x16xf32, 2>
        memref.dealloc %lb : memref<16x16xf32, 2>
        memref.dealloc %lc : memref<16x16xf32, 2>
      }
      air.dma_memcpy_nd (%c[%i, %j] [%c32, %c32] [%c64, %c1], %tc[] [] []) {id = 8 : i32} : (memref<64x64xf32>, memref<32x32xf32, 1>)
      memref.dealloc %ta : memref<32x16xf32, 1>
      memref.dealloc %tb : memref<16x32xf32, 1>
      memref.dealloc %tc : memref<32x32xf32, 1>
    }
    scf.reduce
  }
  return
}
// -----
// affine.parallel with a step becomes a grid.
func.func @affine_parallel(%a: memref<96xi32>, %b: memref<96xi32>) {
  affine.parallel (%i) = (0) to (96) step (32) {
    %l2 = memref.alloc() : memref<32xi32, 1>
    air.dma_memcpy_nd (%l2[] [] [], %a[%i] [32] [1]) : (memref<32xi32, 1>, memref<96xi32>)
    %c2 = arith.constant 2 : index
    air.herd tile (%x) in (%n = %c2) args(%h = %l2) : memref<32xi32, 1> {
      %c16 = arith.constant 16 : index
      %o = arith.muli %x, %c16 : index
      %l1 = memref.alloc() : memref<16xi32, 2>
      air.dma_memcpy_nd (%l1[] [] [], %h[%o] [16] [1]) : (memref<16xi32, 2>, memref<32xi32, 1>)
      linalg.add ins(%l1, %l1 : memref<16xi32, 2>, memref<16xi32, 2>) outs(%l1 : memref<16xi32, 2>)
      air.dma_memcpy_nd (%h[%o] [16] [1], %l1[] [] []) : (memref<32xi32, 1>, memref<16xi32, 2>)
    }
    air.dma_memcpy_nd (%b[%i] [32] [1], %l2[] [] []) : (memref<96xi32>, memref<32xi32, 1>)
    memref.dealloc %l2 : memref<32xi32, 1>
  }
  return
}
// -----
// A buffer outside of the parallel loop that uses it.
func.func @buffer_around_parallel(%a: memref<4x32xi32>, %b: memref<4x32xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %l2 = memref.alloc() : memref<32xi32, 1>
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    air.dma_memcpy_nd (%l2[] [] [], %a[%i, 0] [1, 32] [32, 1]) : (memref<32xi32, 1>, memref<4x32xi32>)
    air.herd tile (%x) in (%n = %c1) args(%h = %l2) : memref<32xi32, 1> {
      linalg.mul ins(%h, %h : memref<32xi32, 1>, memref<32xi32, 1>) outs(%h : memref<32xi32, 1>)
    }
    air.dma_memcpy_nd (%b[%i, 0] [1, 32] [32, 1], %l2[] [] []) : (memref<4x32xi32>, memref<32xi32, 1>)
    scf.reduce
  }
  memref.dealloc %l2 : memref<32xi32, 1>
  return
}
// -----
// A sequential loop of a herd over L3, with the sum of rows kept in L2 around it.
func.func @l2_around_for(%a: memref<6x32xi32>, %b: memref<32xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c6 = arith.constant 6 : index
  %zero = arith.constant 0 : i32
  %sum = memref.alloc() : memref<32xi32, 1>
  linalg.fill ins(%zero : i32) outs(%sum : memref<32xi32, 1>)
  scf.for %i = %c0 to %c6 step %c1 {
    air.herd tile (%x, %y) in (%nx = %c2, %ny = %c1) args(%s = %sum, %m = %a, %row = %i) : memref<32xi32, 1>, memref<6x32xi32>, index {
      %c16 = arith.constant 16 : index
      %o = arith.muli %x, %c16 : index
      %l1 = memref.alloc() : memref<16xi32, 2>
      air.dma_memcpy_nd (%l1[] [] [], %m[%row, %o] [1, 16] [32, 1]) : (memref<16xi32, 2>, memref<6x32xi32>)
      affine.for %k = 0 to 16 {
        %p = arith.addi %o, %k : index
        %v = memref.load %l1[%k] : memref<16xi32, 2>
        %w = memref.load %s[%p] : memref<32xi32, 1>
        %r = arith.addi %v, %w : i32
        memref.store %r, %s[%p] : memref<32xi32, 1>
      }
      memref.dealloc %l1 : memref<16xi32, 2>
    }
  }
  air.dma_memcpy_nd (%b[] [] [], %sum[] [] []) : (memref<32xi32>, memref<32xi32, 1>)
  memref.dealloc %sum : memref<32xi32, 1>
  return
}
// -----
// Everything asynchronous, with allocations in air.execute, and tokens that leave the launch.
func.func @tokens(%a: memref<64xi32>, %b: memref<64xi32>) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %start = air.wait_all async
  %t0, %l2 = air.execute [%start] -> (memref<64xi32, 1>) {
    %m = memref.alloc() : memref<64xi32, 1>
    air.execute_terminator %m : memref<64xi32, 1>
  } {id = 1 : i32}
  %t1 = air.dma_memcpy_nd async [%t0] (%l2[] [] [], %a[] [] []) {id = 1 : i32} : (memref<64xi32, 1>, memref<64xi32>)
  %t2 = air.herd @h async [%t1] tile (%x, %y) in (%nx = %c4, %ny = %c1) args(%h = %l2) : memref<64xi32, 1> attributes {id = 2 : i32} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %d1 = arith.constant 1 : index
    %e0, %o = air.execute -> (index) {
      %p = arith.muli %x, %c16 : index
      air.execute_terminator %p : index
    }
    %e1, %l1 = air.execute -> (memref<16xi32, 2>) {
      %m = memref.alloc() : memref<16xi32, 2>
      air.execute_terminator %m : memref<16xi32, 2>
    }
    %e2 = air.dma_memcpy_nd async [%e0, %e1] (%l1[] [] [], %h[%o] [%c16] [%d1]) : (memref<16xi32, 2>, memref<64xi32, 1>)
    %e3 = scf.for %i = %c0 to %c16 step %d1 iter_args(%it = %e2) -> (!air.async.token) {
      %f = air.execute [%it] {
        %v = memref.load %l1[%i] : memref<16xi32, 2>
        %w = arith.muli %v, %v : i32
        memref.store %w, %l1[%i] : memref<16xi32, 2>
      }
      scf.yield %f : !air.async.token
    }
    %e4 = air.dma_memcpy_nd async [%e3] (%h[%o] [%c16] [%d1], %l1[] [] []) : (memref<64xi32, 1>, memref<16xi32, 2>)
    %e5 = air.execute [%e4] {
      memref.dealloc %l1 : memref<16xi32, 2>
    }
    air.wait_all [%e5]
  }
  %t3 = air.dma_memcpy_nd async [%t2] (%b[] [] [], %l2[] [] []) {id = 3 : i32} : (memref<64xi32>, memref<64xi32, 1>)
  %t4 = air.execute [%t3] {
    memref.dealloc %l2 : memref<64xi32, 1>
  }
  air.wait_all [%t4]
  return
}
// -----
// Tokens through a loop on the host; each iteration is a launch of its own or all are one.
func.func @tokens_in_loop(%a: memref<4x16xi32>, %b: memref<4x16xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %t0 = air.wait_all async
  %t1 = scf.for %i = %c0 to %c4 step %c1 iter_args(%it = %t0) -> (!air.async.token) {
    %t2, %l2 = air.execute [%it] -> (memref<16xi32, 1>) {
      %m = memref.alloc() : memref<16xi32, 1>
      air.execute_terminator %m : memref<16xi32, 1>
    }
    %t3 = air.dma_memcpy_nd async [%t2] (%l2[] [] [], %a[%i, %c0] [1, 16] [16, 1]) : (memref<16xi32, 1>, memref<4x16xi32>)
    %t4 = air.herd async [%t3] tile (%x) in (%n = %c1) args(%h = %l2, %k = %i) : memref<16xi32, 1>, index {
      %v = arith.index_cast %k : index to i32
      affine.for %p = 0 to 16 {
        %e = memref.load %h[%p] : memref<16xi32, 1>
        %s = arith.addi %e, %v : i32
        memref.store %s, %h[%p] : memref<16xi32, 1>
      }
    }
    %t5 = air.dma_memcpy_nd async [%t4] (%b[%i, %c0] [1, 16] [16, 1], %l2[] [] []) : (memref<4x16xi32>, memref<16xi32, 1>)
    %t6 = air.execute [%t5] {
      memref.dealloc %l2 : memref<16xi32, 1>
    }
    scf.yield %t6 : !air.async.token
  }
  air.wait_all [%t1]
  return
}
// -----
// A parallel loop that yields a token.
func.func @parallel_with_token(%a: memref<4x16xi32>, %b: memref<4x16xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %t0 = air.wait_all async
  %t1 = scf.parallel (%i) = (%c0) to (%c4) step (%c2) init (%t0) -> !air.async.token {
    %t2, %l2 = air.execute [%t0] -> (memref<2x16xi32, 1>) {
      %m = memref.alloc() : memref<2x16xi32, 1>
      air.execute_terminator %m : memref<2x16xi32, 1>
    }
    %t3 = air.dma_memcpy_nd async [%t2] (%l2[] [] [], %a[%i, %c0] [2, 16] [16, 1]) : (memref<2x16xi32, 1>, memref<4x16xi32>)
    %t4 = air.herd async [%t3] tile (%x) in (%n = %c2) args(%h = %l2) : memref<2x16xi32, 1> {
      affine.for %p = 0 to 16 {
        %e = memref.load %h[%x, %p] : memref<2x16xi32, 1>
        %s = arith.muli %e, %e : i32
        memref.store %s, %h[%x, %p] : memref<2x16xi32, 1>
      }
    }
    %t5 = air.dma_memcpy_nd async [%t4] (%b[%i, %c0] [2, 16] [16, 1], %l2[] [] []) : (memref<4x16xi32>, memref<2x16xi32, 1>)
    %t6 = air.execute [%t5] {
      memref.dealloc %l2 : memref<2x16xi32, 1>
    }
    scf.reduce(%t6 : !air.async.token) {
    ^bb0(%l: !air.async.token, %r: !air.async.token):
      %j = air.wait_all async [%l, %r]
      scf.reduce.return %j : !air.async.token
    }
  }
  air.wait_all [%t1]
  return
}
// -----
// A host buffer in L3 between, filled and copied by the host.
func.func @l3_of_host(%a: memref<32x32xi32>, %b: memref<32x32xi32>) {
  %c2 = arith.constant 2 : index
  %zero = arith.constant 1 : i32
  %l3 = memref.alloc() {alignment = 128 : i64} : memref<32x32xi32>
  linalg.fill ins(%zero : i32) outs(%l3 : memref<32x32xi32>)
  air.herd @herd_0 tile (%x, %y) in (%nx = %c2, %ny = %c2) args(%s = %a, %t = %l3) : memref<32x32xi32>, memref<32x32xi32> {
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %i = arith.muli %x, %c16 : index
    %j = arith.muli %y, %c16 : index
    %p = memref.alloc() : memref<16x16xi32, 2>
    %q = memref.alloc() : memref<16x16xi32, 2>
    air.dma_memcpy_nd (%p[] [] [], %s[%i, %j] [%c16, %c16] [%c32, %c1]) : (memref<16x16xi32, 2>, memref<32x32xi32>)
    air.dma_memcpy_nd (%q[] [] [], %t[%i, %j] [%c16, %c16] [%c32, %c1]) : (memref<16x16xi32, 2>, memref<32x32xi32>)
    linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%p : memref<16x16xi32, 2>) outs(%q : memref<16x16xi32, 2>) {
    ^bb0(%u: i32, %v: i32):
      %w = arith.addi %u, %v : i32
      linalg.yield %w : i32
    }
    air.dma_memcpy_nd (%t[%i, %j] [%c16, %c16] [%c32, %c1], %q[] [] []) : (memref<32x32xi32>, memref<16x16xi32, 2>)
    memref.dealloc %p : memref<16x16xi32, 2>
    memref.dealloc %q : memref<16x16xi32, 2>
  }
  memref.copy %l3, %b : memref<32x32xi32> to memref<32x32xi32>
  memref.dealloc %l3 : memref<32x32xi32>
  return
}
// -----
// A function that works on an L2 buffer of its caller.
func.func private @load_rows(%l2: memref<2x16xi32, 1>, %m: memref<8x16xi32>, %i: index) {
  air.dma_memcpy_nd (%l2[] [] [], %m[%i, 0] [2, 16] [16, 1]) : (memref<2x16xi32, 1>, memref<8x16xi32>)
  return
}
func.func @calls(%a: memref<8x16xi32>, %b: memref<2x16xi32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  %l2 = memref.alloc() : memref<2x16xi32, 1>
  func.call @load_rows(%l2, %a, %c5) : (memref<2x16xi32, 1>, memref<8x16xi32>, index) -> ()
  air.herd tile (%x, %y) in (%nx = %c2, %ny = %c1) args(%h = %l2, %o = %b) : memref<2x16xi32, 1>, memref<2x16xi32> {
    air.dma_memcpy_nd (%o[%x, 0] [1, 16] [16, 1], %h[%x, 0] [1, 16] [16, 1]) : (memref<2x16xi32>, memref<2x16xi32, 1>)
  }
  memref.dealloc %l2 : memref<2x16xi32, 1>
  return
}
// -----
// A launch of one point absorbs what is next to it.
func.func @launch_with_outer_buffer(%a: memref<32xi32>, %b: memref<32xi32>) {
  %c1 = arith.constant 1 : index
  %l2 = memref.alloc() : memref<32xi32, 1>
  air.dma_memcpy_nd (%l2[] [] [], %a[] [] []) : (memref<32xi32, 1>, memref<32xi32>)
  air.launch (%i) in (%n = %c1) args(%m = %l2, %o = %b) : memref<32xi32, 1>, memref<32xi32> {
    air.segment args(%sm = %m, %so = %o) : memref<32xi32, 1>, memref<32xi32> {
      air.dma_memcpy_nd (%so[] [] [], %sm[] [] []) : (memref<32xi32>, memref<32xi32, 1>)
    }
  }
  memref.dealloc %l2 : memref<32xi32, 1>
  return
}
// -----
// Each point of a launch gets its own copy of a buffer that the host allocates.
func.func @launch_with_own_buffers(%a: memref<4x32xi32>, %b: memref<4x32xi32>) {
  %c4 = arith.constant 4 : index
  %l2 = memref.alloc() : memref<32xi32, 1>
  air.launch (%i) in (%n = %c4) args(%m = %l2, %s = %a, %o = %b) : memref<32xi32, 1>, memref<4x32xi32>, memref<4x32xi32> {
    air.dma_memcpy_nd (%m[] [] [], %s[%i, 0] [1, 32] [32, 1]) : (memref<32xi32, 1>, memref<4x32xi32>)
    air.dma_memcpy_nd (%o[%i, 0] [1, 32] [32, 1], %m[] [] []) : (memref<4x32xi32>, memref<32xi32, 1>)
  }
  memref.dealloc %l2 : memref<32xi32, 1>
  return
}
// -----
// An L1 buffer that the function allocates is one of each PE.
func.func @l1_of_function(%a: memref<4x8xi32>, %b: memref<4x8xi32>) {
  %c4 = arith.constant 4 : index
  %l1 = memref.alloc() : memref<8xi32, 2>
  air.herd @fill tile (%x) in (%n = %c4) args(%t = %l1, %s = %a) : memref<8xi32, 2>, memref<4x8xi32> {
    air.dma_memcpy_nd (%t[] [] [], %s[%x, 0] [1, 8] [8, 1]) : (memref<8xi32, 2>, memref<4x8xi32>)
  }
  air.herd @drain tile (%x) in (%n = %c4) args(%t = %l1, %o = %b) : memref<8xi32, 2>, memref<4x8xi32> {
    air.dma_memcpy_nd (%o[%x, 0] [1, 8] [8, 1], %t[] [] []) : (memref<4x8xi32>, memref<8xi32, 2>)
  }
  memref.dealloc %l1 : memref<8xi32, 2>
  return
}
// -----
// A view of an L2 buffer of the host.
func.func @view_of_l2(%a: memref<16x16xi32>, %b: memref<8x8xi32>) {
  %c2 = arith.constant 2 : index
  %l2 = memref.alloc() : memref<16x16xi32, 1>
  air.dma_memcpy_nd (%l2[] [] [], %a[] [] []) : (memref<16x16xi32, 1>, memref<16x16xi32>)
  %part = memref.subview %l2[4, 2] [8, 8] [1, 1] : memref<16x16xi32, 1> to memref<8x8xi32, strided<[16, 1], offset: 66>, 1>
  air.herd tile (%x, %y) in (%nx = %c2, %ny = %c2) args(%h = %part) : memref<8x8xi32, strided<[16, 1], offset: 66>, 1> {
    %c4 = arith.constant 4 : index
    %i = arith.muli %x, %c4 : index
    %j = arith.muli %y, %c4 : index
    affine.for %p = 0 to 4 {
      affine.for %q = 0 to 4 {
        %r = arith.addi %i, %p : index
        %s = arith.addi %j, %q : index
        %v = memref.load %h[%r, %s] : memref<8x8xi32, strided<[16, 1], offset: 66>, 1>
        %w = arith.muli %v, %v : i32
        memref.store %w, %h[%r, %s] : memref<8x8xi32, strided<[16, 1], offset: 66>, 1>
      }
    }
  }
  air.dma_memcpy_nd (%b[] [] [], %part[] [] []) : (memref<8x8xi32>, memref<8x8xi32, strided<[16, 1], offset: 66>, 1>)
  memref.dealloc %l2 : memref<16x16xi32, 1>
  return
}
// -----
// Index arithmetic and L3 allocations between the parts.
func.func @code_between(%a: memref<8x16xi32>, %b: memref<8x16xi32>) {
  %c1 = arith.constant 1 : index
  %l2 = memref.alloc() : memref<4x16xi32, 1>
  %c2 = arith.constant 2 : index
  %i = arith.addi %c1, %c2 : index
  air.dma_memcpy_nd (%l2[] [] [], %a[%i, 0] [4, 16] [16, 1]) : (memref<4x16xi32, 1>, memref<8x16xi32>)
  %l3 = memref.alloc() : memref<4x16xi32>
  %j = arith.muli %c2, %c2 : index
  air.herd tile (%x) in (%n = %j) args(%h = %l2, %o = %l3) : memref<4x16xi32, 1>, memref<4x16xi32> {
    air.dma_memcpy_nd (%o[%x, 0] [1, 16] [16, 1], %h[%x, 0] [1, 16] [16, 1]) : (memref<4x16xi32>, memref<4x16xi32, 1>)
  }
  memref.dealloc %l2 : memref<4x16xi32, 1>
  air.dma_memcpy_nd (%b[2, 0] [4, 16] [16, 1], %l3[] [] []) : (memref<8x16xi32>, memref<4x16xi32>)
  memref.dealloc %l3 : memref<4x16xi32>
  return
}
// -----
// scf.forall over tiles.
func.func @forall(%a: memref<64xi32>, %b: memref<64xi32>) {
  scf.forall (%i) = (0) to (64) step (16) {
    %l2 = memref.alloc() : memref<16xi32, 1>
    air.dma_memcpy_nd (%l2[] [] [], %a[%i] [16] [1]) : (memref<16xi32, 1>, memref<64xi32>)
    air.segment args(%m = %l2) : memref<16xi32, 1> {
      %c4 = arith.constant 4 : index
      air.herd tile (%x) in (%n = %c4) args(%h = %m) : memref<16xi32, 1> {
        %c4_0 = arith.constant 4 : index
        %o = arith.muli %x, %c4_0 : index
        affine.for %k = 0 to 4 {
          %p = arith.addi %o, %k : index
          %v = memref.load %h[%p] : memref<16xi32, 1>
          %w = arith.addi %v, %v : i32
          memref.store %w, %h[%p] : memref<16xi32, 1>
        }
      }
    }
    air.dma_memcpy_nd (%b[%i] [16] [1], %l2[] [] []) : (memref<64xi32>, memref<16xi32, 1>)
  }
  return
}
// -----
// A branch of the host around a herd and its buffer.
func.func @branch(%a: memref<16xi32>, %b: memref<16xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  scf.for %i = %c0 to %c3 step %c1 {
    %odd = arith.cmpi eq, %i, %c1 : index
    scf.if %odd {
      %l2 = memref.alloc() : memref<16xi32, 1>
      air.dma_memcpy_nd (%l2[] [] [], %a[] [] []) : (memref<16xi32, 1>, memref<16xi32>)
      air.herd tile (%x) in (%n = %c1) args(%h = %l2, %o = %b) : memref<16xi32, 1>, memref<16xi32> {
        linalg.add ins(%h, %h : memref<16xi32, 1>, memref<16xi32, 1>) outs(%o : memref<16xi32>)
      }
      memref.dealloc %l2 : memref<16xi32, 1>
    } else {
      air.herd tile (%x) in (%n = %c1) args(%o = %b) : memref<16xi32> {
        linalg.add ins(%o, %o : memref<16xi32>, memref<16xi32>) outs(%o : memref<16xi32>)
      }
    }
  }
  return
}
