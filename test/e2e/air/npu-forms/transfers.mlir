// RUN: python3 %S/../channels-in-launch/Inputs/run_program.py --aircc %aircc %s

// DMAs. Each program has a form of programs for NPUs.

// Padding for the last PE only.

// ARG a: 2x28xi32
// ARG b: 4x2x8xi32
// MODEL for y in range(4):
// MODEL   for r in range(2):
// MODEL     for c in range(8): b[(y * 2 + r) * 8 + c] = a[r * 28 + y * 8 + c] if y * 8 + c < 28 else 0
func.func @test(%a: memref<2x28xi32>, %b: memref<4x2x8xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%lx) in (%ls=%c1) args(%p=%a, %q=%b) : memref<2x28xi32>, memref<4x2x8xi32> {
    air.segment @seg args(%pp=%p, %qq=%q) : memref<2x28xi32>, memref<4x2x8xi32> {
      %c1_s = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %l2 = memref.alloc() : memref<2x28xi32, 1>
      air.dma_memcpy_nd (%l2[] [] [], %pp[] [] []) : (memref<2x28xi32, 1>, memref<2x28xi32>)
      air.herd @herd_0 tile (%tx, %ty) in (%sx=%c1_s, %sy=%c4) args(%h2=%l2, %out=%qq) : memref<2x28xi32, 1>, memref<4x2x8xi32> {
        %c0 = arith.constant 0 : index
        %c1_h = arith.constant 1 : index
        %c2 = arith.constant 2 : index
        %c3 = arith.constant 3 : index
        %c4_h = arith.constant 4 : index
        %c8 = arith.constant 8 : index
        %c24 = arith.constant 24 : index
        %c28 = arith.constant 28 : index
        %l1 = memref.alloc() : memref<2x8xi32, 2>
        %off = arith.muli %ty, %c8 : index
        %last = arith.cmpi eq, %ty, %c3 : index
        scf.if %last {
          air.dma_memcpy_nd (%l1[] [] [], %h2[%c0, %c24] [%c2, %c4_h] [%c28, %c1_h]) {pad_before = array<i32: 0, 0>, pad_after = array<i32: 0, 4>} : (memref<2x8xi32, 2>, memref<2x28xi32, 1>)
        } else {
          air.dma_memcpy_nd (%l1[] [] [], %h2[%c0, %off] [%c2, %c8] [%c28, %c1_h]) : (memref<2x8xi32, 2>, memref<2x28xi32, 1>)
        }
        air.dma_memcpy_nd (%out[%ty, 0, 0] [1, 2, 8] [16, 8, 1], %l1[] [] []) : (memref<4x2x8xi32>, memref<2x8xi32, 2>)
        memref.dealloc %l1 : memref<2x8xi32, 2>
      }
      memref.dealloc %l2 : memref<2x28xi32, 1>
    }
  }
  return
}

// -----

// A transfer that divides a matrix into blocks.

// ARG a: 8x8xi32
// ARG b: 2x2x4x4xi32
// MODEL for i in range(2):
// MODEL   for j in range(2):
// MODEL     for r in range(4):
// MODEL       for c in range(4): b[((i * 2 + j) * 4 + r) * 4 + c] = a[(i * 4 + r) * 8 + j * 4 + c]
func.func @test(%a: memref<8x8xi32>, %b: memref<2x2x4x4xi32>) {
  %c1 = arith.constant 1 : index
  air.herd @h tile (%x, %y) in (%sx=%c1, %sy=%c1) args(%p=%a, %q=%b) : memref<8x8xi32>, memref<2x2x4x4xi32> {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %m = memref.alloc() : memref<2x2x4x4xi32, 2 : i32>
    air.dma_memcpy_nd (%m[] [] [], %p[%c0, %c0, 0, 0] [%c2, %c2, 4, 4] [32, 4, 8, 1]) : (memref<2x2x4x4xi32, 2 : i32>, memref<8x8xi32>)
    air.dma_memcpy_nd (%q[] [] [], %m[] [] []) : (memref<2x2x4x4xi32>, memref<2x2x4x4xi32, 2 : i32>)
    memref.dealloc %m : memref<2x2x4x4xi32, 2 : i32>
  }
  return
}

// -----

// A DMA with an attribute that names the PEs that share its data.

// ARG a: 4x16xi32
// ARG b: 2x4x16xi32
// MODEL for x in range(2):
// MODEL   for y in range(4):
// MODEL     for c in range(16): b[(x * 4 + y) * 16 + c] = a[y * 16 + c] + x
#col = affine_set<()[s0, s1] : (s0 >= 0, -s0 + 1 >= 0, s1 == 0)>
func.func @test(%a: memref<4x16xi32>, %b: memref<2x4x16xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%lx) in (%ls=%c1) args(%p=%a, %q=%b) : memref<4x16xi32>, memref<2x4x16xi32> {
    air.segment @seg args(%pp=%p, %qq=%q) : memref<4x16xi32>, memref<2x4x16xi32> {
      %c2 = arith.constant 2 : index
      %c4 = arith.constant 4 : index
      air.herd @h tile (%x, %y) in (%sx=%c2, %sy=%c4) args(%in=%pp, %out=%qq) : memref<4x16xi32>, memref<2x4x16xi32> {
        %t, %m = air.execute -> (memref<16xi32, 2>) {
          %al = memref.alloc() : memref<16xi32, 2>
          air.execute_terminator %al : memref<16xi32, 2>
        }
        %d = air.dma_memcpy_nd async [%t] (%m[] [] [], %in[%y, 0] [1, 16] [16, 1]) {broadcast_pattern = #col, id = 2 : i32} : (memref<16xi32, 2>, memref<4x16xi32>)
        %xi = arith.index_cast %x : index to i32
        %e = air.execute [%d] {
          %c0 = arith.constant 0 : index
          %one = arith.constant 1 : index
          %c16 = arith.constant 16 : index
          scf.for %i = %c0 to %c16 step %one {
            %v = memref.load %m[%i] : memref<16xi32, 2>
            %w = arith.addi %v, %xi : i32
            memref.store %w, %m[%i] : memref<16xi32, 2>
          }
        }
        %o = air.dma_memcpy_nd async [%e] (%out[%x, %y, 0] [1, 1, 16] [64, 16, 1], %m[] [] []) {id = 3 : i32} : (memref<2x4x16xi32>, memref<16xi32, 2>)
        %f = air.execute [%o] { memref.dealloc %m : memref<16xi32, 2> }
      }
    }
  }
  return
}

// -----

// The same data for each row of a herd, selected in branches.

// ARG a: 4x16xi32
// ARG b: 4x4x16xi32
// MODEL for x in range(4):
// MODEL   for y in range(4):
// MODEL     for c in range(16): b[(x * 4 + y) * 16 + c] = a[x * 16 + c] * 2
#r0 = affine_set<()[s0, s1] : (s0 == 0, s1 >= 0, -s1 + 3 >= 0)>
#r1 = affine_set<()[s0, s1] : (s0 - 1 == 0, s1 >= 0, -s1 + 3 >= 0)>
#r2 = affine_set<()[s0, s1] : (s0 - 2 == 0, s1 >= 0, -s1 + 3 >= 0)>
func.func @test(%a: memref<4x16xi32>, %b: memref<4x4x16xi32>) {
  %c4 = arith.constant 4 : index
  air.herd @h tile (%x, %y) in (%sx=%c4, %sy=%c4) args(%in=%a, %out=%b) : memref<4x16xi32>, memref<4x4x16xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c16 = arith.constant 16 : index
    %t, %m = air.execute -> (memref<1x16xi32, 2>) {
      %al = memref.alloc() : memref<1x16xi32, 2>
      air.execute_terminator %al : memref<1x16xi32, 2>
    }
    %w = air.wait_all async [%t]
    %r = affine.if #r0()[%x, %y] -> !air.async.token {
      %d = air.dma_memcpy_nd async [%w] (%m[] [] [], %in[%c0, %c0] [%c1, %c16] [%c16, %c1]) {broadcast_set = #r0, id = 1 : i32} : (memref<1x16xi32, 2>, memref<4x16xi32>)
      affine.yield %d : !air.async.token
    } else {
      %r1 = affine.if #r1()[%x, %y] -> !air.async.token {
        %d = air.dma_memcpy_nd async [%w] (%m[] [] [], %in[%c1, %c0] [%c1, %c16] [%c16, %c1]) {broadcast_set = #r1, id = 2 : i32} : (memref<1x16xi32, 2>, memref<4x16xi32>)
        affine.yield %d : !air.async.token
      } else {
        %r2 = affine.if #r2()[%x, %y] -> !air.async.token {
          %d = air.dma_memcpy_nd async [%w] (%m[] [] [], %in[%c2, %c0] [%c1, %c16] [%c16, %c1]) {broadcast_set = #r2, id = 3 : i32} : (memref<1x16xi32, 2>, memref<4x16xi32>)
          affine.yield %d : !air.async.token
        } else {
          %d = air.dma_memcpy_nd async [%w] (%m[] [] [], %in[%c3, %c0] [%c1, %c16] [%c16, %c1]) {id = 4 : i32} : (memref<1x16xi32, 2>, memref<4x16xi32>)
          affine.yield %d : !air.async.token
        }
        affine.yield %r2 : !air.async.token
      }
      affine.yield %r1 : !air.async.token
    }
    %e = air.execute [%r] {
      linalg.add ins(%m, %m : memref<1x16xi32, 2>, memref<1x16xi32, 2>) outs(%m : memref<1x16xi32, 2>)
    }
    %o = air.dma_memcpy_nd async [%e] (%out[%x, %y, 0] [1, 1, 16] [64, 16, 1], %m[] [] []) : (memref<4x4x16xi32>, memref<1x16xi32, 2>)
    %f = air.execute [%o] { memref.dealloc %m : memref<1x16xi32, 2> }
  }
  return
}

// -----

// Transposing transfers within L2 and within L1.

// ARG a: 4x4xi32
// ARG b: 4x4xi32
// MODEL for r in range(4):
// MODEL   for c in range(4): b[r * 4 + c] = a[r * 4 + c]
func.func @test(%a: memref<4x4xi32>, %b: memref<4x4xi32>) {
  air.segment args(%p=%a, %q=%b) : memref<4x4xi32>, memref<4x4xi32> {
    %c1 = arith.constant 1 : index
    %l2a = memref.alloc() : memref<4x4xi32, 1>
    %l2b = memref.alloc() : memref<4x4xi32, 1>
    air.dma_memcpy_nd (%l2a[] [] [], %p[] [] []) : (memref<4x4xi32, 1>, memref<4x4xi32>)
    air.dma_memcpy_nd (%l2b[] [] [], %l2a[0, 0] [4, 4] [1, 4]) : (memref<4x4xi32, 1>, memref<4x4xi32, 1>)
    air.herd tile (%x, %y) in (%sx=%c1, %sy=%c1) args(%m=%l2b, %o=%q) : memref<4x4xi32, 1>, memref<4x4xi32> {
      %u = memref.alloc() : memref<16xi32, 2>
      %v = memref.alloc() : memref<4x4xi32, 2>
      air.dma_memcpy_nd (%u[] [] [], %m[] [] []) : (memref<16xi32, 2>, memref<4x4xi32, 1>)
      air.dma_memcpy_nd (%v[] [] [], %u[0, 0] [4, 4] [1, 4]) : (memref<4x4xi32, 2>, memref<16xi32, 2>)
      air.dma_memcpy_nd (%o[] [] [], %v[] [] []) : (memref<4x4xi32>, memref<4x4xi32, 2>)
    }
  }
  return
}

// -----

// A transfer of a buffer to itself.

// ARG a: 1xi32
// MODEL a[0] = a[0]
func.func @test(%a: memref<1xi32>) {
  %c2 = arith.constant 2 : index
  %t0 = air.wait_all async
  %e = air.herd async [%t0] tile (%x, %y) in (%sx=%c2, %sy=%c2) args (%m=%a) : memref<1xi32> {
    %d0 = air.dma_memcpy_nd async (%m[] [] [], %m[] [] []) : (memref<1xi32>, memref<1xi32>)
  }
  air.wait_all [%e]
  return
}

// -----

// DMAs and buffers around a herd in a function.

// ARG a: 4x4xi32
// ARG b: 4x4xi32
// MODEL for i in range(16): b[i] = a[i] + 1
func.func @test(%a: memref<4x4xi32>, %b: memref<4x4xi32>) {
  %c1 = arith.constant 1 : index
  %l1 = memref.alloc() : memref<4x4xi32, 2>
  %l2 = memref.alloc() : memref<4x4xi32, 1>
  air.dma_memcpy_nd (%l2[] [] [], %a[] [] []) : (memref<4x4xi32, 1>, memref<4x4xi32>)
  air.dma_memcpy_nd (%l1[] [] [], %l2[] [] []) : (memref<4x4xi32, 2>, memref<4x4xi32, 1>)
  air.herd tile (%x, %y) in (%sx=%c1, %sy=%c1) args(%m=%l1) : memref<4x4xi32, 2> {
    %one = arith.constant 1 : i32
    affine.for %i = 0 to 4 {
      affine.for %j = 0 to 4 {
        %v = affine.load %m[%i, %j] : memref<4x4xi32, 2>
        %w = arith.addi %v, %one : i32
        affine.store %w, %m[%i, %j] : memref<4x4xi32, 2>
      }
    }
  }
  air.dma_memcpy_nd (%b[] [] [], %l1[] [] []) : (memref<4x4xi32>, memref<4x4xi32, 2>)
  return
}

// -----

// Buffers of rank 0.

// ARG a: 1xi32
// MODEL a[0] = a[0] + 5
func.func @test(%a: memref<1xi32>) {
  %c1 = arith.constant 1 : index
  %l2 = memref.alloc() : memref<i32, 1>
  air.dma_memcpy_nd (%l2[] [] [], %a[] [] []) : (memref<i32, 1>, memref<1xi32>)
  air.herd tile (%x, %y) in (%sx=%c1, %sy=%c1) args(%m=%l2) : memref<i32, 1> {
    %k = arith.constant 5 : i32
    %n = memref.alloc() : memref<i32, 2>
    air.dma_memcpy_nd (%n[] [] [], %m[] [] []) : (memref<i32, 2>, memref<i32, 1>)
    %v = memref.load %n[] : memref<i32, 2>
    %w = arith.addi %v, %k : i32
    memref.store %w, %n[] : memref<i32, 2>
    air.dma_memcpy_nd (%m[] [] [], %n[] [] []) : (memref<i32, 1>, memref<i32, 2>)
  }
  air.dma_memcpy_nd (%a[] [] [], %l2[] [] []) : (memref<1xi32>, memref<i32, 1>)
  return
}

// -----

// DMAs that name channels.

// ARG a: 8x8xi32
// ARG c: 8x8xi32
// ARG b: 4x4xi32
// MODEL for r in range(4):
// MODEL   for s in range(4): b[r * 4 + s] = a[r * 8 + s] + c[r * 8 + s]
air.channel @f0 []
air.channel @f1 [] {channel_type = "npu_dma_packet"}
func.func @test(%a: memref<8x8xi32>, %c: memref<8x8xi32>, %b: memref<4x4xi32>) {
  %c1 = arith.constant 1 : index
  air.herd tile (%x, %y) in (%sx=%c1, %sy=%c1) args(%p=%a, %q=%c, %r=%b) : memref<8x8xi32>, memref<8x8xi32>, memref<4x4xi32> {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %k1 = arith.constant 1 : index
    %m0 = memref.alloc() {sym_name = "beef"} : memref<4x4xi32, 2>
    %m1 = memref.alloc() : memref<4x4xi32, 2>
    air.dma_memcpy_nd (%m0[] [] [], %p[%c0, %c0] [%c4, %c4] [%c8, %k1]) {id = 1 : i32, channel = @f0} : (memref<4x4xi32, 2>, memref<8x8xi32>)
    air.dma_memcpy_nd (%m1[] [] [], %q[%c0, %c0] [%c4, %c4] [%c8, %k1]) {id = 2 : i32, channel = @f1} : (memref<4x4xi32, 2>, memref<8x8xi32>)
    linalg.add ins(%m0, %m1 : memref<4x4xi32, 2>, memref<4x4xi32, 2>) outs(%m0 : memref<4x4xi32, 2>)
    air.dma_memcpy_nd (%r[] [] [], %m0[] [] []) {id = 3 : i32} : (memref<4x4xi32>, memref<4x4xi32, 2>)
  }
  return
}

// -----

// A buffer with a layout map.

// ARG a: 4x8xi32
// ARG b: 4x8xi32
// MODEL for i in range(32): b[i] = a[i]
#pitch = affine_map<(d0, d1) -> (d0 * 16 + d1)>
func.func @test(%a: memref<4x8xi32>, %b: memref<4x8xi32>) {
  %c1 = arith.constant 1 : index
  air.herd tile (%x, %y) in (%hx=%c1, %hy=%c1) args(%u=%a, %v=%b) : memref<4x8xi32>, memref<4x8xi32> {
    %m = memref.alloc() : memref<4x16xi32, 2>
    %s = memref.subview %m[0, 4] [4, 8] [1, 1] : memref<4x16xi32, 2> to memref<4x8xi32, affine_map<(d0, d1) -> (d0 * 16 + d1 + 4)>, 2>
    air.dma_memcpy_nd (%s[] [] [], %u[] [] []) : (memref<4x8xi32, affine_map<(d0, d1) -> (d0 * 16 + d1 + 4)>, 2>, memref<4x8xi32>)
    air.dma_memcpy_nd (%v[] [] [], %m[0, 4] [4, 8] [16, 1]) : (memref<4x8xi32>, memref<4x16xi32, 2>)
  }
  return
}
