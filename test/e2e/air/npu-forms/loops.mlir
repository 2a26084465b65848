// RUN: python3 %S/../channels-in-launch/Inputs/run_program.py --aircc %aircc %s

// Parallel loops and large herds. Each program has a form of programs for NPUs.

// Parallel copies in a PE.

// ARG a: 128xf32
// ARG b: 128xf32
// MODEL for i in range(128): b[i] = a[i]
func.func @test(%a: memref<128xf32>, %b: memref<128xf32>) {
  %c1 = arith.constant 1 : index
  air.herd @h tile (%x, %y) in (%sx=%c1, %sy=%c1) args(%p=%a, %q=%b) : memref<128xf32>, memref<128xf32> {
    %k1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %c32 = arith.constant 32 : index
    scf.parallel (%i) = (%c0) to (%c128) step (%c32) {
      %m = memref.alloc() : memref<32xf32, 2>
      air.dma_memcpy_nd (%m[] [] [], %p[%i] [%c32] [%k1]) : (memref<32xf32, 2>, memref<128xf32>)
      air.dma_memcpy_nd (%q[%i] [%c32] [%k1], %m[] [] []) : (memref<128xf32>, memref<32xf32, 2>)
      memref.dealloc %m : memref<32xf32, 2>
      scf.reduce
    }
    air.herd_terminator
  }
  return
}

// -----

// Herds in a parallel loop that joins their tokens.

// ARG a: 4x32xi32
// ARG b: 4x32xi32
// MODEL for i in range(128): b[i] = a[i] + i // 32
func.func @test(%a: memref<4x32xi32>, %b: memref<4x32xi32>) {
  %c1 = arith.constant 1 : index
  %l = air.launch async (%lx) in (%n=%c1) args(%p=%a, %q=%b) : memref<4x32xi32>, memref<4x32xi32> {
    %s = air.segment async args(%pp=%p, %qq=%q) : memref<4x32xi32>, memref<4x32xi32> {
      %c0 = arith.constant 0 : index
      %k1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %t = air.wait_all async
      %r = scf.parallel (%i) = (%c0) to (%c4) step (%k1) init (%t) -> !air.async.token {
        %h = air.herd async [%t] tile (%x, %y) in (%hx=%k1, %hy=%k1) args(%u=%pp, %v=%qq, %ii=%i) : memref<4x32xi32>, memref<4x32xi32>, index {
          %m = memref.alloc() : memref<32xi32, 2>
          %d = air.dma_memcpy_nd async (%m[] [] [], %u[%ii, 0] [1, 32] [32, 1]) : (memref<32xi32, 2>, memref<4x32xi32>)
          %k = arith.index_cast %ii : index to i32
          %e = air.execute [%d] {
            affine.for %j = 0 to 32 {
              %w = affine.load %m[%j] : memref<32xi32, 2>
              %z = arith.addi %w, %k : i32
              affine.store %z, %m[%j] : memref<32xi32, 2>
            }
          }
          %o = air.dma_memcpy_nd async [%e] (%v[%ii, 0] [1, 32] [32, 1], %m[] [] []) : (memref<4x32xi32>, memref<32xi32, 2>)
          air.wait_all [%o]
          memref.dealloc %m : memref<32xi32, 2>
        }
        scf.reduce(%h : !air.async.token) {
        ^bb0(%f: !air.async.token, %g: !air.async.token):
          %j = air.wait_all async [%f, %g]
          scf.reduce.return %j : !air.async.token
        }
      }
    }
  }
  return
}

// -----

// Herds in parallel loops of a function.

// ARG a: 64xi32
// ARG b: 64xi32
// MODEL for i in range(64): b[i] = a[i] * 3
func.func @test(%a: memref<64xi32>, %b: memref<64xi32>) {
  %tmp = memref.alloc() : memref<64xi32>
  scf.forall (%i) in (2) {
    %c2 = arith.constant 2 : index
    %c1 = arith.constant 1 : index
    air.herd tile (%x, %y) in (%hx=%c2, %hy=%c1) args(%u=%a, %v=%tmp, %ii=%i) : memref<64xi32>, memref<64xi32>, index {
      %o = affine.apply affine_map<()[s0, s1] -> (s0 * 32 + s1 * 16)>()[%ii, %x]
      %m = memref.alloc() : memref<16xi32, 2>
      air.dma_memcpy_nd (%m[] [] [], %u[%o] [16] [1]) : (memref<16xi32, 2>, memref<64xi32>)
      linalg.add ins(%m, %m : memref<16xi32, 2>, memref<16xi32, 2>) outs(%m : memref<16xi32, 2>)
      air.dma_memcpy_nd (%v[%o] [16] [1], %m[] [] []) : (memref<64xi32>, memref<16xi32, 2>)
    }
  }
  affine.parallel (%i) = (0) to (64) step (32) {
    %c2 = arith.constant 2 : index
    %c1 = arith.constant 1 : index
    air.herd tile (%x, %y) in (%hx=%c2, %hy=%c1) args(%w=%a, %u=%tmp, %v=%b, %ii=%i) : memref<64xi32>, memref<64xi32>, memref<64xi32>, index {
      %o = affine.apply affine_map<()[s0, s1] -> (s0 + s1 * 16)>()[%ii, %x]
      %m = memref.alloc() : memref<16xi32, 2>
      %n = memref.alloc() : memref<16xi32, 2>
      air.dma_memcpy_nd (%m[] [] [], %u[%o] [16] [1]) : (memref<16xi32, 2>, memref<64xi32>)
      air.dma_memcpy_nd (%n[] [] [], %w[%o] [16] [1]) : (memref<16xi32, 2>, memref<64xi32>)
      linalg.add ins(%m, %n : memref<16xi32, 2>, memref<16xi32, 2>) outs(%m : memref<16xi32, 2>)
      air.dma_memcpy_nd (%v[%o] [16] [1], %m[] [] []) : (memref<64xi32>, memref<16xi32, 2>)
    }
  }
  memref.dealloc %tmp : memref<64xi32>
  return
}

// -----

// A herd with more PEs than waves.

// ARG a: 64x32xi32
// ARG b: 64x32xi32
// MODEL for i in range(2048): b[i] = a[i] + i // 32
air.channel @in [8, 8]
air.channel @out [8, 8]
func.func @test(%a: memref<64x32xi32>, %b: memref<64x32xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%l) in (%n=%c1) args(%p=%a, %q=%b) : memref<64x32xi32>, memref<64x32xi32> {
    %c0 = arith.constant 0 : index
    %k1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    scf.parallel (%i, %j) = (%c0, %c0) to (%c8, %c8) step (%k1, %k1) {
      %r = affine.apply affine_map<()[s0, s1] -> (s0 * 8 + s1)>()[%i, %j]
      air.channel.put @in[%i, %j] (%p[%r, 0] [1, 32] [32, 1]) : (memref<64x32xi32>)
      scf.reduce
    }
    scf.parallel (%i, %j) = (%c0, %c0) to (%c8, %c8) step (%k1, %k1) {
      %r = affine.apply affine_map<()[s0, s1] -> (s0 * 8 + s1)>()[%i, %j]
      air.channel.get @out[%i, %j] (%q[%r, 0] [1, 32] [32, 1]) : (memref<64x32xi32>)
      scf.reduce
    }
    air.segment {
      %s8 = arith.constant 8 : index
      air.herd tile (%x, %y) in (%sx=%s8, %sy=%s8) {
        %m = memref.alloc() : memref<32xi32, 2>
        air.channel.get @in[%x, %y] (%m[] [] []) : (memref<32xi32, 2>)
        %i0 = arith.muli %x, %sy : index
        %i = arith.addi %i0, %y : index
        %k = arith.index_cast %i : index to i32
        affine.for %j = 0 to 32 {
          %w = affine.load %m[%j] : memref<32xi32, 2>
          %r = arith.addi %w, %k : i32
          affine.store %r, %m[%j] : memref<32xi32, 2>
        }
        air.channel.put @out[%x, %y] (%m[] [] []) : (memref<32xi32, 2>)
        memref.dealloc %m : memref<32xi32, 2>
      }
    }
  }
  return
}

// -----

// Two herds with more PEs than waves, and messages between them.

// ARG a: 32x16xi32
// ARG b: 32x16xi32
// MODEL for i in range(512): b[i] = a[i] * 2
air.channel @mid [8, 4]
func.func @test(%a: memref<32x16xi32>, %b: memref<32x16xi32>) {
  air.segment args(%p=%a, %q=%b) : memref<32x16xi32>, memref<32x16xi32> {
    %c8 = arith.constant 8 : index
    %c4 = arith.constant 4 : index
    air.herd @first tile (%x, %y) in (%sx=%c8, %sy=%c4) args(%in=%p) : memref<32x16xi32> {
      %r = affine.apply affine_map<()[s0, s1] -> (s0 * 4 + s1)>()[%x, %y]
      %m = memref.alloc() : memref<16xi32, 2>
      air.dma_memcpy_nd (%m[] [] [], %in[%r, 0] [1, 16] [16, 1]) : (memref<16xi32, 2>, memref<32x16xi32>)
      air.channel.put @mid[%x, %y] (%m[] [] []) : (memref<16xi32, 2>)
    }
    air.herd @second tile (%x, %y) in (%sx=%c8, %sy=%c4) args(%out=%q) : memref<32x16xi32> {
      %r = affine.apply affine_map<()[s0, s1] -> (s0 * 4 + s1)>()[%x, %y]
      %m = memref.alloc() : memref<16xi32, 2>
      air.channel.get @mid[%x, %y] (%m[] [] []) : (memref<16xi32, 2>)
      linalg.add ins(%m, %m : memref<16xi32, 2>, memref<16xi32, 2>) outs(%m : memref<16xi32, 2>)
      air.dma_memcpy_nd (%out[%r, 0] [1, 16] [16, 1], %m[] [] []) : (memref<32x16xi32>, memref<16xi32, 2>)
    }
  }
  return
}
