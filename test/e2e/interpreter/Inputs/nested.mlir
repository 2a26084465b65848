// Loops of the host on L3 before, and L2 tiles after them.
func.func @host_code(%arg0: memref<16x16xi32>, %arg1: memref<16x16xi32>) {
  %c2 = arith.constant 2 : index
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 3 : i32
  %0 = memref.alloc() : memref<16x16xi32>
  affine.for %i = 0 to 16 {
    affine.for %j = 0 to 16 {
      affine.store %z, %0[%i, %j] : memref<16x16xi32>
    }
  }
  %dyn = memref.cast %arg1 : memref<16x16xi32> to memref<?x?xi32>
  %1 = memref.cast %dyn : memref<?x?xi32> to memref<16x16xi32>
  affine.for %i = 0 to 16 {
    affine.for %j = 0 to 16 {
      %5 = affine.load %0[%i, %j] : memref<16x16xi32>
      affine.store %5, %dyn[%i, %j] : memref<?x?xi32>
    }
  }
  %2 = memref.alloc() : memref<16x16xi32, 1>
  %4 = memref.alloc() : memref<16x16xi32, 1>
  air.dma_memcpy_nd (%2[] [] [], %arg0[%c0, %c0] [%c16, %c16] [%c16, %c1]) {id = 1 : i32} : (memref<16x16xi32, 1>, memref<16x16xi32>)
  air.dma_memcpy_nd (%4[] [] [], %1[%c0, %c0] [%c16, %c16] [%c16, %c1]) {id = 3 : i32} : (memref<16x16xi32, 1>, memref<16x16xi32>)
  air.herd tile (%x, %y) in (%nx=%c2, %ny=%c2) args(%a=%2, %b=%4) : memref<16x16xi32, 1>, memref<16x16xi32, 1> {
    %c8 = arith.constant 8 : index
    %c16_0 = arith.constant 16 : index
    %c1_0 = arith.constant 1 : index
    %5 = arith.muli %x, %c8 : index
    %6 = arith.muli %y, %c8 : index
    %7 = memref.alloc() : memref<8x8xi32, 2>
    %8 = memref.alloc() : memref<8x8xi32, 2>
    air.dma_memcpy_nd (%7[] [] [], %a[%5, %6] [%c8, %c8] [%c16_0, %c1_0]) : (memref<8x8xi32, 2>, memref<16x16xi32, 1>)
    air.dma_memcpy_nd (%8[] [] [], %b[%5, %6] [%c8, %c8] [%c16_0, %c1_0]) : (memref<8x8xi32, 2>, memref<16x16xi32, 1>)
    affine.for %i = 0 to 8 {
      affine.for %j = 0 to 8 {
        %10 = affine.load %7[%i, %j] : memref<8x8xi32, 2>
        %11 = affine.load %8[%i, %j] : memref<8x8xi32, 2>
        %12 = arith.addi %10, %11 : i32
        affine.store %12, %8[%i, %j] : memref<8x8xi32, 2>
      }
    }
    air.dma_memcpy_nd (%b[%5, %6] [%c8, %c8] [%c16_0, %c1_0], %8[] [] []) : (memref<16x16xi32, 1>, memref<8x8xi32, 2>)
    memref.dealloc %7 : memref<8x8xi32, 2>
    memref.dealloc %8 : memref<8x8xi32, 2>
  }
  air.dma_memcpy_nd (%1[%c0, %c0] [%c16, %c16] [%c16, %c1], %4[] [] []) {id = 8 : i32} : (memref<16x16xi32>, memref<16x16xi32, 1>)
  memref.dealloc %2 : memref<16x16xi32, 1>
  memref.dealloc %4 : memref<16x16xi32, 1>
  return
}
// -----
// Two segments share a buffer in L2 with herds in a loop between.
func.func @segments_share_l2(%a: memref<16xi32>, %b: memref<16xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %l2 = memref.alloc() : memref<16xi32, 1>
  air.segment @one args(%m = %l2, %s = %a) : memref<16xi32, 1>, memref<16xi32> {
    air.dma_memcpy_nd (%m[] [] [], %s[] [] []) : (memref<16xi32, 1>, memref<16xi32>)
  }
  affine.for %i = 0 to 3 {
    air.herd tile (%x) in (%n=%c4) args(%h=%l2) : memref<16xi32, 1> {
      %c4_0 = arith.constant 4 : index
      %o = arith.muli %x, %c4_0 : index
      affine.for %k = 0 to 4 {
        %e = arith.addi %o, %k : index
        %v = memref.load %h[%e] : memref<16xi32, 1>
        %w = arith.addi %v, %v : i32
        memref.store %w, %h[%e] : memref<16xi32, 1>
      }
    }
  }
  air.segment @two args(%m = %l2, %s = %b) : memref<16xi32, 1>, memref<16xi32> {
    air.dma_memcpy_nd (%s[] [] [], %m[] [] []) : (memref<16xi32>, memref<16xi32, 1>)
  }
  return
}
// -----
// A parallel loop in a parallel loop.
func.func @parallel_in_parallel(%a: memref<4x4xi32>, %b: memref<4x4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    scf.parallel (%j) = (%c0) to (%c4) step (%c1) {
      air.herd tile (%x) in (%n=%c1) args(%s=%a, %t=%b, %p=%i, %q=%j) : memref<4x4xi32>, memref<4x4xi32>, index, index {
        %v = memref.load %s[%p, %q] : memref<4x4xi32>
        memref.store %v, %t[%q, %p] : memref<4x4xi32>
      }
      scf.reduce
    }
    scf.reduce
  }
  return
}
// -----
// A sequential loop around a parallel one: a launch for each iteration.
func.func @parallel_in_for(%a: memref<4x4xi32>, %b: memref<4x4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    scf.parallel (%j) = (%c0) to (%c4) step (%c1) {
      air.herd tile (%x) in (%n=%c1) args(%s=%a, %t=%b, %p=%i, %q=%j) : memref<4x4xi32>, memref<4x4xi32>, index, index {
        %v = memref.load %s[%p, %q] : memref<4x4xi32>
        %w = memref.load %t[%q, %q] : memref<4x4xi32>
        %u = arith.addi %v, %w : i32
        memref.store %u, %t[%q, %q] : memref<4x4xi32>
      }
      scf.reduce
    }
  }
  return
}
// -----
// A launch in a loop, with a buffer outside of the loop.
func.func @launch_in_for(%a: memref<16xi32>, %b: memref<16xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %l2 = memref.alloc() : memref<16xi32, 1>
  scf.for %i = %c0 to %c4 step %c1 {
    air.launch (%w) in (%n = %c1) args(%m = %l2, %s = %a, %t = %b) : memref<16xi32, 1>, memref<16xi32>, memref<16xi32> {
      air.dma_memcpy_nd (%m[] [] [], %s[] [] []) : (memref<16xi32, 1>, memref<16xi32>)
      air.dma_memcpy_nd (%t[] [] [], %m[] [] []) : (memref<16xi32>, memref<16xi32, 1>)
    }
  }
  memref.dealloc %l2 : memref<16xi32, 1>
  return
}
// -----
// A load between the parts decides where the next one reads.
func.func @load_between(%a: memref<16xi32>, %b: memref<16xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %l2 = memref.alloc() : memref<16xi32, 1>
  air.dma_memcpy_nd (%l2[] [] [], %a[] [] []) : (memref<16xi32, 1>, memref<16xi32>)
  %v = memref.load %a[%c2] : memref<16xi32>
  %n = arith.index_cast %v : i32 to index
  air.dma_memcpy_nd (%b[%n] [%c2] [%c1], %l2[%n] [%c2] [%c1]) : (memref<16xi32>, memref<16xi32, 1>)
  memref.dealloc %l2 : memref<16xi32, 1>
  return
}
// -----
// A herd of three dimensions, an empty loop of tokens, memory spaces of 32 bits.
func.func @three_dimensional_herd(%a: memref<2x2x2xi32>, %b: memref<2x2x2xi32>) {
  %c2 = arith.constant 2 : index
  %l2 = memref.alloc() : memref<2x2x2xi32, 1 : i32>
  %t0 = air.dma_memcpy_nd async (%l2[] [] [], %a[] [] []) : (memref<2x2x2xi32, 1 : i32>, memref<2x2x2xi32>)
  %t1 = scf.for %i = %c2 to %c2 step %c2 iter_args(%t = %t0) -> (!air.async.token) {
    %e = air.wait_all async [%t]
    scf.yield %e : !air.async.token
  }
  %t2 = air.herd async [%t1] tile (%x, %y, %z) in (%nx = %c2, %ny = %c2, %nz = %c2) args(%h = %l2, %o = %b) : memref<2x2x2xi32, 1 : i32>, memref<2x2x2xi32> {
    %v = memref.load %h[%x, %y, %z] : memref<2x2x2xi32, 1 : i32>
    memref.store %v, %o[%z, %y, %x] : memref<2x2x2xi32>
  }
  %t3 = air.execute [%t2] {
    memref.dealloc %l2 : memref<2x2x2xi32, 1 : i32>
  }
  air.wait_all [%t3]
  return
}
// -----
// A scf.while around a herd.
func.func @while_loop(%a: memref<8xi32>, %b: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %l2 = memref.alloc() : memref<8xi32, 1>
  air.dma_memcpy_nd (%l2[] [] [], %a[] [] []) : (memref<8xi32, 1>, memref<8xi32>)
  %r = scf.while (%i = %c0) : (index) -> index {
    %go = arith.cmpi slt, %i, %c3 : index
    scf.condition(%go) %i : index
  } do {
  ^bb0(%i: index):
    air.herd tile (%x) in (%n=%c1) args(%h=%l2) : memref<8xi32, 1> {
      linalg.add ins(%h, %h : memref<8xi32, 1>, memref<8xi32, 1>) outs(%h : memref<8xi32, 1>)
    }
    %j = arith.addi %i, %c1 : index
    scf.yield %j : index
  }
  air.dma_memcpy_nd (%b[] [] [], %l2[] [] []) : (memref<8xi32>, memref<8xi32, 1>)
  return
}
// -----
// Segments in a loop add to a buffer outside of it.
func.func @segment_in_for(%a: memref<4x8xi32>, %b: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0 : i32
  %l2 = memref.alloc() : memref<8xi32, 1>
  linalg.fill ins(%zero : i32) outs(%l2 : memref<8xi32, 1>)
  scf.for %i = %c0 to %c4 step %c1 {
    air.segment args(%m = %l2, %s = %a, %k = %i) : memref<8xi32, 1>, memref<4x8xi32>, index {
      %t = memref.alloc() : memref<8xi32, 1>
      air.dma_memcpy_nd (%t[] [] [], %s[%k, 0] [1, 8] [8, 1]) : (memref<8xi32, 1>, memref<4x8xi32>)
      linalg.add ins(%t, %m : memref<8xi32, 1>, memref<8xi32, 1>) outs(%m : memref<8xi32, 1>)
    }
  }
  air.dma_memcpy_nd (%b[] [] [], %l2[] [] []) : (memref<8xi32>, memref<8xi32, 1>)
  return
}
