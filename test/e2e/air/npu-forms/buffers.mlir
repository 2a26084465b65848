// RUN: python3 %S/../channels-in-launch/Inputs/run_program.py --aircc %aircc %s

// Buffers, and which code they belong to. Each program has a form of programs for NPUs.

// Two PEs of a herd fill an L1 buffer that the PE of another herd reads.

// ARG b: 2x16xi32
// MODEL for i in range(32): b[i] = 7 + i // 16
func.func @test(%b: memref<2x16xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%lx, %ly) in (%nx=%c1, %ny=%c1) args(%q=%b) : memref<2x16xi32> {
    air.segment @s args(%qq=%q) : memref<2x16xi32> {
      %shared = memref.alloc() : memref<4x16xi32, 2>
      %s1 = arith.constant 1 : index
      %s2 = arith.constant 2 : index
      air.herd @producer tile (%x, %y) in (%sx=%s2, %sy=%s1) args(%m=%shared) : memref<4x16xi32, 2> attributes {x_loc=0, y_loc=2} {
        %c0 = arith.constant 0 : index
        %seven = arith.constant 7 : index
        %v = arith.addi %x, %seven : index
        %vi = arith.index_cast %v : index to i32
        %vv = vector.broadcast %vi : i32 to vector<16xi32>
        vector.transfer_write %vv, %m[%x, %c0] {in_bounds = [true]} : vector<16xi32>, memref<4x16xi32, 2>
        air.herd_terminator
      }
      air.herd @consumer tile (%x, %y) in (%sx=%s1, %sy=%s1) args(%m=%shared, %o=%qq) : memref<4x16xi32, 2>, memref<2x16xi32> attributes {x_loc=0, y_loc=3} {
        air.dma_memcpy_nd (%o[] [] [], %m[0, 0] [2, 16] [16, 1]) : (memref<2x16xi32>, memref<4x16xi32, 2>)
        air.herd_terminator
      }
      memref.dealloc %shared : memref<4x16xi32, 2>
      air.segment_terminator
    }
    air.launch_terminator
  }
  return
}

// -----

// A herd fills an L1 buffer through a view, and another one reads it.

// ARG b: 16xi32
// MODEL for i in range(16): b[i] = 42
func.func @test(%b: memref<16xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%lx, %ly) in (%nx=%c1, %ny=%c1) args(%q=%b) : memref<16xi32> {
    air.segment @s args(%qq=%q) : memref<16xi32> {
      %shared = memref.alloc() : memref<64x16xi32, 2>
      %s1 = arith.constant 1 : index
      air.herd @producer tile (%x, %y) in (%sx=%s1, %sy=%s1) args(%m=%shared) : memref<64x16xi32, 2> {
        %c0 = arith.constant 0 : index
        %sv = memref.subview %m[0, 0] [16, 16] [1, 1] : memref<64x16xi32, 2> to memref<16x16xi32, strided<[16, 1]>, 2>
        %v = arith.constant dense<42> : vector<16xi32>
        vector.transfer_write %v, %sv[%c0, %c0] {in_bounds = [true]} : vector<16xi32>, memref<16x16xi32, strided<[16, 1]>, 2>
      }
      air.herd @consumer tile (%x, %y) in (%sx=%s1, %sy=%s1) args(%m=%shared, %o=%qq) : memref<64x16xi32, 2>, memref<16xi32> {
        %c0 = arith.constant 0 : index
        %z = arith.constant 0 : i32
        %v = vector.transfer_read %m[%c0, %c0], %z {in_bounds = [true]} : memref<64x16xi32, 2>, vector<16xi32>
        vector.transfer_write %v, %o[%c0] {in_bounds = [true]} : vector<16xi32>, memref<16xi32>
      }
      memref.dealloc %shared : memref<64x16xi32, 2>
    }
  }
  return
}

// -----

// A PE fills an L1 buffer that four PEs of another herd read.

// ARG b: 4x16xi32
// MODEL for i in range(64): b[i] = 9
func.func @test(%b: memref<4x16xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%lx, %ly) in (%nx=%c1, %ny=%c1) args(%q=%b) : memref<4x16xi32> {
    air.segment @s args(%qq=%q) : memref<4x16xi32> {
      %shared = memref.alloc() : memref<16xi32, 2>
      %s1 = arith.constant 1 : index
      %s4 = arith.constant 4 : index
      air.herd @producer tile (%x, %y) in (%sx=%s1, %sy=%s1) args(%m=%shared) : memref<16xi32, 2> {
        %n = arith.constant 9 : i32
        linalg.fill ins(%n : i32) outs(%m : memref<16xi32, 2>)
      }
      air.herd @consumer tile (%x, %y) in (%sx=%s4, %sy=%s1) args(%m=%shared, %o=%qq) : memref<16xi32, 2>, memref<4x16xi32> {
        air.dma_memcpy_nd (%o[%x, 0] [1, 16] [16, 1], %m[] [] []) : (memref<4x16xi32>, memref<16xi32, 2>)
      }
      memref.dealloc %shared : memref<16xi32, 2>
    }
  }
  return
}

// -----

// An L2 buffer that a herd allocates belongs to a PE.

// ARG a: 2x32xi32
// ARG b: 2x32xi32
// MODEL for i in range(64): b[i] = a[i]
func.func @test(%a: memref<2x32xi32>, %b: memref<2x32xi32>) {
  %c2 = arith.constant 2 : index
  %c1 = arith.constant 1 : index
  air.herd tile (%x, %y) in (%hx=%c2, %hy=%c1) args(%p=%a, %q=%b) : memref<2x32xi32>, memref<2x32xi32> {
    %m = memref.alloc() : memref<32xi32, 1>
    air.dma_memcpy_nd (%m[] [] [], %p[%x, 0] [1, 32] [32, 1]) : (memref<32xi32, 1>, memref<2x32xi32>)
    air.dma_memcpy_nd (%q[%x, 0] [1, 32] [32, 1], %m[] [] []) : (memref<2x32xi32>, memref<32xi32, 1>)
    memref.dealloc %m : memref<32xi32, 1>
  }
  return
}

// -----

// An L3 buffer that a herd allocates belongs to a PE.

// ARG a: 2x32xi32
// ARG b: 2x32xi32
// MODEL for i in range(64): b[i] = a[i]
func.func @test(%a: memref<2x32xi32>, %b: memref<2x32xi32>) {
  %c2 = arith.constant 2 : index
  %c1 = arith.constant 1 : index
  air.herd tile (%x, %y) in (%hx=%c2, %hy=%c1) args(%p=%a, %q=%b) : memref<2x32xi32>, memref<2x32xi32> {
    %m = memref.alloc() : memref<32xi32>
    %n = memref.alloc() : memref<32xi32, 2>
    air.dma_memcpy_nd (%n[] [] [], %p[%x, 0] [1, 32] [32, 1]) : (memref<32xi32, 2>, memref<2x32xi32>)
    air.dma_memcpy_nd (%m[] [] [], %n[] [] []) : (memref<32xi32>, memref<32xi32, 2>)
    air.dma_memcpy_nd (%n[] [] [], %m[] [] []) : (memref<32xi32, 2>, memref<32xi32>)
    air.dma_memcpy_nd (%q[%x, 0] [1, 32] [32, 1], %n[] [] []) : (memref<2x32xi32>, memref<32xi32, 2>)
  }
  return
}

// -----

// An L2 buffer and a herd in a loop of a segment.

// ARG a: 4x32xi32
// ARG b: 4x32xi32
// MODEL for i in range(128): b[i] = a[i] * 2
func.func @test(%a: memref<4x32xi32>, %b: memref<4x32xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%l) in (%n=%c1) args(%p=%a, %q=%b) : memref<4x32xi32>, memref<4x32xi32> {
    air.segment args(%pp=%p, %qq=%q) : memref<4x32xi32>, memref<4x32xi32> {
      %c0 = arith.constant 0 : index
      %k1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      affine.for %i = 0 to 4 {
        %m = memref.alloc() : memref<32xi32, 1>
        air.dma_memcpy_nd (%m[] [] [], %pp[%i, 0] [1, 32] [32, 1]) : (memref<32xi32, 1>, memref<4x32xi32>)
        air.herd tile (%x, %y) in (%hx=%k1, %hy=%k1) args(%u=%m) : memref<32xi32, 1> {
          %n1 = memref.alloc() : memref<32xi32, 2>
          memref.copy %u, %n1 : memref<32xi32, 1> to memref<32xi32, 2>
          linalg.add ins(%n1, %n1 : memref<32xi32, 2>, memref<32xi32, 2>) outs(%n1 : memref<32xi32, 2>)
          memref.copy %n1, %u : memref<32xi32, 2> to memref<32xi32, 1>
          memref.dealloc %n1 : memref<32xi32, 2>
        }
        air.dma_memcpy_nd (%qq[%i, 0] [1, 32] [32, 1], %m[] [] []) : (memref<4x32xi32>, memref<32xi32, 1>)
        memref.dealloc %m : memref<32xi32, 1>
      }
    }
  }
  return
}

// -----

// Each PE has a part of an L1 buffer, which several herds use.

// ARG b: 8x8xi32
// MODEL for r in range(8):
// MODEL   for c in range(8): b[r * 8 + c] = (r // 4) * 20 + (c // 4) * 10 + 3
air.channel @out [2, 2]
func.func @test(%b: memref<8x8xi32>) {
  %c1 = arith.constant 1 : index
  %0 = air.launch async (%lx, %ly) in (%nx=%c1, %ny=%c1) args(%q=%b) : memref<8x8xi32> {
    %1 = air.segment @s async args(%qq=%q) : memref<8x8xi32> {
      %c0 = arith.constant 0 : index
      %k1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c4 = arith.constant 4 : index
      %t, %m = air.execute -> (memref<8x8xi32, 2 : i32>) {
        %al = memref.alloc() : memref<8x8xi32, 2 : i32>
        air.execute_terminator %al : memref<8x8xi32, 2 : i32>
      }
      %h0 = air.herd @h async [%t] tile (%x, %y) in (%sx=%c2, %sy=%c2) args(%p=%m) : memref<8x8xi32, 2 : i32> {
        %c4_h = arith.constant 4 : index
        %i = arith.muli %x, %c4_h : index
        %j = arith.muli %y, %c4_h : index
        %c20 = arith.constant 20 : index
        %c10 = arith.constant 10 : index
        %v0 = arith.muli %x, %c20 : index
        %v1 = arith.muli %y, %c10 : index
        %v2 = arith.addi %v0, %v1 : index
        %v = arith.index_cast %v2 : index to i32
        %sv = memref.subview %p[%i, %j] [4, 4] [1, 1] : memref<8x8xi32, 2 : i32> to memref<4x4xi32, strided<[8, 1], offset: ?>, 2 : i32>
        linalg.fill ins(%v : i32) outs(%sv : memref<4x4xi32, strided<[8, 1], offset: ?>, 2 : i32>)
      }
      %h1 = scf.for %k = %c0 to %c2 step %k1 iter_args(%u = %h0) -> (!air.async.token) {
        %h = air.herd @h async [%u] tile (%x, %y) in (%sx=%c2, %sy=%c2) args(%p=%m, %kk=%k) : memref<8x8xi32, 2 : i32>, index {
          %c4_h = arith.constant 4 : index
          %one = arith.constant 1 : index
          %i = arith.muli %x, %c4_h : index
          %j = arith.muli %y, %c4_h : index
          %a0 = arith.addi %kk, %one : index
          %add = arith.index_cast %a0 : index to i32
          %sv = memref.subview %p[%i, %j] [4, 4] [1, 1] : memref<8x8xi32, 2 : i32> to memref<4x4xi32, strided<[8, 1], offset: ?>, 2 : i32>
          linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%sv : memref<4x4xi32, strided<[8, 1], offset: ?>, 2 : i32>) {
          ^bb0(%w: i32):
            %s = arith.addi %w, %add : i32
            linalg.yield %s : i32
          }
        }
        scf.yield %h : !air.async.token
      }
      %h2 = air.herd @h async [%h1] tile (%x, %y) in (%sx=%c2, %sy=%c2) args(%p=%m) : memref<8x8xi32, 2 : i32> {
        %c4_h = arith.constant 4 : index
        %i = arith.muli %x, %c4_h : index
        %j = arith.muli %y, %c4_h : index
        %g = air.channel.put async @out[%x, %y] (%p[%i, %j] [4, 4] [8, 1]) : (memref<8x8xi32, 2 : i32>)
      }
      %g = scf.parallel (%i, %j) = (%c0, %c0) to (%c2, %c2) step (%k1, %k1) init (%t) -> !air.async.token {
        %i4 = arith.muli %i, %c4 : index
        %j4 = arith.muli %j, %c4 : index
        %gg = air.channel.get async [%t] @out[%i, %j] (%qq[%i4, %j4] [4, 4] [8, 1]) : (memref<8x8xi32>)
        scf.reduce(%gg : !air.async.token) {
        ^bb0(%f: !air.async.token, %e: !air.async.token):
          %w = air.wait_all async [%f, %e]
          scf.reduce.return %w : !air.async.token
        }
      }
      %d = air.execute [%h2] { memref.dealloc %m : memref<8x8xi32, 2 : i32> }
    }
  }
  return
}

// -----

// An L2 buffer that is larger than LDS.

// ARG a: 2x256x64xi32
// ARG b: 2x256x64xi32
// MODEL for i in range(32768): b[i] = a[i]
air.channel @big [1, 1]
air.channel @back [1, 1]
func.func @test(%a: memref<2x256x64xi32>, %b: memref<2x256x64xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%l) in (%n=%c1) args(%p=%a, %q=%b) : memref<2x256x64xi32>, memref<2x256x64xi32> {
    air.channel.put @big[] (%p[] [] []) : (memref<2x256x64xi32>)
    air.segment {
      %c0 = arith.constant 0 : index
      %k1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %l2 = memref.alloc() : memref<2x256x64xi32, 1>
      air.channel.get @big[] (%l2[] [] []) : (memref<2x256x64xi32, 1>)
      air.herd tile (%x, %y) in (%sx=%c2, %sy=%k1) args(%m=%l2) : memref<2x256x64xi32, 1> {
        %h0 = arith.constant 0 : index
        %h256 = arith.constant 256 : index
        %h64 = arith.constant 64 : index
        scf.for %i = %h0 to %h256 step %h64 {
          %n1 = memref.alloc() : memref<64x64xi32, 2>
          air.dma_memcpy_nd (%n1[] [] [], %m[%x, %i, 0] [1, 64, 64] [16384, 64, 1]) : (memref<64x64xi32, 2>, memref<2x256x64xi32, 1>)
          air.dma_memcpy_nd (%m[%x, %i, 0] [1, 64, 64] [16384, 64, 1], %n1[] [] []) : (memref<2x256x64xi32, 1>, memref<64x64xi32, 2>)
          memref.dealloc %n1 : memref<64x64xi32, 2>
        }
      }
      air.channel.put @back[] (%l2[] [] []) : (memref<2x256x64xi32, 1>)
    }
    air.channel.get @back[] (%q[] [] []) : (memref<2x256x64xi32>)
  }
  return
}

// -----

// A private function that allocates and returns its result.

// ARG a: 128xf32
// ARG b: 128xf32
// MODEL for i in range(128): b[i] = a[i]
func.func private @copy(%a: memref<128xf32>) -> memref<128xf32> {
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  %al = memref.alloc() : memref<128xf32>
  air.herd @h tile (%x, %y) in (%sx=%c4, %sy=%c1) args(%p=%a, %q=%al) : memref<128xf32>, memref<128xf32> {
    %c32 = arith.constant 32 : index
    %k1 = arith.constant 1 : index
    %i = arith.muli %x, %c32 : index
    %m = memref.alloc() : memref<32xf32, 2>
    air.dma_memcpy_nd (%m[] [] [], %p[%i] [%c32] [%k1]) : (memref<32xf32, 2>, memref<128xf32>)
    air.dma_memcpy_nd (%q[%i] [%c32] [%k1], %m[] [] []) : (memref<128xf32>, memref<32xf32, 2>)
    memref.dealloc %m : memref<32xf32, 2>
  }
  return %al : memref<128xf32>
}
func.func @test(%a: memref<128xf32>, %b: memref<128xf32>) {
  %r = func.call @copy(%a) : (memref<128xf32>) -> memref<128xf32>
  %c1 = arith.constant 1 : index
  air.herd @h tile (%x, %y) in (%sx=%c1, %sy=%c1) args(%p=%r, %q=%b) : memref<128xf32>, memref<128xf32> {
    air.dma_memcpy_nd (%q[] [] [], %p[] [] []) : (memref<128xf32>, memref<128xf32>)
  }
  memref.dealloc %r : memref<128xf32>
  return
}
