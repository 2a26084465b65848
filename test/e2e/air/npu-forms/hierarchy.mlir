// RUN: python3 %S/../channels-in-launch/Inputs/run_program.py --aircc %aircc %s

// Spaces, tokens and functions. Each program has a form of programs for NPUs.

// A herd without dimensions in two loops that carry a token.

// ARG a: 64xi32
// ARG b: 64xi32
// MODEL for i in range(64): b[i] = a[i] + 4
func.func @test(%a: memref<64xi32>, %b: memref<64xi32>) {
  %s = air.segment @outer async args(%x = %a, %y = %b) : memref<64xi32>, memref<64xi32> {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %ta, %l2 = air.execute -> (memref<64xi32, 1 : i32>) {
      %m = memref.alloc() : memref<64xi32, 1 : i32>
      air.execute_terminator %m : memref<64xi32, 1 : i32>
    }
    %in = air.dma_memcpy_nd async [%ta] (%l2[] [] [], %x[] [] []) : (memref<64xi32, 1 : i32>, memref<64xi32>)
    %r = scf.for %i = %c0 to %c64 step %c32 iter_args(%t = %in) -> (!air.async.token) {
      %q = scf.for %j = %c0 to %c64 step %c32 iter_args(%u = %t) -> (!air.async.token) {
        %h = air.herd @point async [%u] tile () in () args(%m = %l2) : memref<64xi32, 1 : i32> {
          %k = arith.constant 1 : i32
          %l1 = memref.alloc() : memref<64xi32, 2 : i32>
          air.dma_memcpy_nd (%l1[] [] [], %m[] [] []) : (memref<64xi32, 2 : i32>, memref<64xi32, 1 : i32>)
          linalg.generic {indexing_maps = [affine_map<(d) -> (d)>], iterator_types = ["parallel"]} outs(%l1 : memref<64xi32, 2 : i32>) {
          ^bb0(%v: i32):
            %n = arith.addi %v, %k : i32
            linalg.yield %n : i32
          }
          air.dma_memcpy_nd (%m[] [] [], %l1[] [] []) : (memref<64xi32, 1 : i32>, memref<64xi32, 2 : i32>)
          memref.dealloc %l1 : memref<64xi32, 2 : i32>
        }
        scf.yield %h : !air.async.token
      }
      scf.yield %q : !air.async.token
    }
    %out = air.dma_memcpy_nd async [%r] (%y[] [] [], %l2[] [] []) : (memref<64xi32>, memref<64xi32, 1 : i32>)
    %e = air.execute [%out] { memref.dealloc %l2 : memref<64xi32, 1 : i32> }
  }
  air.wait_all [%s]
  return
}

// -----

// A herd that takes scalars and a token, and uses its sizes.

// ARG a: 16xi32
// ARG p: i32 = 5
// ARG q: i32 = 7
// MODEL for x in range(2):
// MODEL   for y in range(2): a[x * 2 + y] = 100 * (5 + 7) + x * 2 + y + 4
func.func @test(%a: memref<16xi32>, %p: i32, %q: i32) {
  %c2 = arith.constant 2 : index
  %e0 = air.wait_all async
  %e1 = air.herd async [%e0] tile (%x, %y) in (%sx=%c2, %sy=%c2) args (%m=%a, %u=%p, %v=%q, %w=%p) : memref<16xi32>, i32, i32, i32 attributes {note = "value"} {
    %area = arith.muli %sx, %sy : index
    %row = arith.muli %x, %sx : index
    %i = arith.addi %row, %y : index
    %sum = arith.addi %u, %v : i32
    %c100 = arith.constant 100 : i32
    %s = arith.muli %sum, %c100 : i32
    %ai = arith.addi %i, %area : index
    %ii = arith.index_cast %ai : index to i32
    %r = arith.addi %s, %ii : i32
    memref.store %r, %m[%i] : memref<16xi32>
  }
  air.wait_all [%e1]
  return
}

// -----

// A herd in a herd: each PE of the outer one runs all those of the inner one.

// ARG a: 8x8xi32
// MODEL for x in range(2):
// MODEL   for u in range(4):
// MODEL     for k in range(8): a[(x * 4 + u) * 8 + k] = (1 if u == 3 else 2 if u >= 1 else 3) + 10 * x
#last = affine_set<()[s0] : (s0 - 3 == 0)>
#mid = affine_set<()[s0] : (s0 - 1 >= 0, -s0 + 2 >= 0)>
func.func @test(%a: memref<8x8xi32>) {
  %c2 = arith.constant 2 : index
  %c1 = arith.constant 1 : index
  air.herd @outer tile (%x, %y) in (%nx=%c2, %ny=%c1) args(%m = %a) : memref<8x8xi32> {
    %c4 = arith.constant 4 : index
    %k1 = arith.constant 1 : index
    air.herd @inner tile (%u, %v) in (%nu=%c4, %nv=%k1) args(%h = %m, %xx = %x) : memref<8x8xi32>, index {
      %l1 = memref.alloc() : memref<8xi32, 2 : i32>
      %c10 = arith.constant 10 : index
      %b = arith.muli %xx, %c10 : index
      %bi = arith.index_cast %b : index to i32
      %i1 = arith.constant 1 : i32
      %i2 = arith.constant 2 : i32
      %i3 = arith.constant 3 : i32
      %v1 = arith.addi %bi, %i1 : i32
      %v2 = arith.addi %bi, %i2 : i32
      %v3 = arith.addi %bi, %i3 : i32
      affine.if #last()[%u] {
        linalg.fill ins(%v1 : i32) outs(%l1 : memref<8xi32, 2 : i32>)
      } else {
        affine.if #mid()[%u] {
          linalg.fill ins(%v2 : i32) outs(%l1 : memref<8xi32, 2 : i32>)
        } else {
          linalg.fill ins(%v3 : i32) outs(%l1 : memref<8xi32, 2 : i32>)
        }
      }
      %four = arith.constant 4 : index
      %r0 = arith.muli %xx, %four : index
      %r = arith.addi %r0, %u : index
      air.dma_memcpy_nd (%h[%r, 0] [1, 8] [8, 1], %l1[] [] []) : (memref<8x8xi32>, memref<8xi32, 2 : i32>)
      memref.dealloc %l1 : memref<8xi32, 2 : i32>
    }
  }
  return
}

// -----

// Two launches, the second of which reads the result of the first.

// ARG a: 64xi32
// ARG b: 64xi32
// MODEL for i in range(64): b[i] = (a[i] * 2 + 1) * 2 + 1
func.func @test(%a: memref<64xi32>, %b: memref<64xi32>) {
  %c2 = arith.constant 2 : index
  %t, %tmp = air.execute -> (memref<64xi32>) {
    %al = memref.alloc() : memref<64xi32>
    air.execute_terminator %al : memref<64xi32>
  } {id = 1 : i32}
  %l0 = air.launch async [%t] (%x) in (%n=%c2) args(%in=%a, %out=%tmp) : memref<64xi32>, memref<64xi32> attributes {id = 1 : i32} {
    %s = air.segment @first async args(%i=%x, %p=%in, %q=%out) : index, memref<64xi32>, memref<64xi32> attributes {id = 2 : i32} {
      %k2 = arith.constant 2 : index
      %h = air.herd @h0 async tile (%tx) in (%nx=%k2) args(%ii=%i, %pp=%p, %qq=%q) : index, memref<64xi32>, memref<64xi32> attributes {id = 3 : i32} {
        %c0_h = arith.constant 0 : index
        %c1_h = arith.constant 1 : index
        %c16_h = arith.constant 16 : index
        %o = affine.apply affine_map<()[s0, s1] -> (s0 * 32 + s1 * 16)>()[%ii, %tx]
        %l1 = memref.alloc() : memref<16xi32, 2>
        %d0 = air.dma_memcpy_nd async (%l1[] [] [], %pp[%o] [16] [1]) {id = 1 : i32} : (memref<16xi32, 2>, memref<64xi32>)
        air.wait_all [%d0]
        %one = arith.constant 1 : i32
        scf.for %k = %c0_h to %c16_h step %c1_h {
          %v = memref.load %l1[%k] : memref<16xi32, 2>
          %w = arith.addi %v, %v : i32
          %z = arith.addi %w, %one : i32
          memref.store %z, %l1[%k] : memref<16xi32, 2>
        }
        %d1 = air.dma_memcpy_nd async (%qq[%o] [16] [1], %l1[] [] []) {id = 2 : i32} : (memref<64xi32>, memref<16xi32, 2>)
        air.wait_all [%d1]
        memref.dealloc %l1 : memref<16xi32, 2>
      }
    }
  }
  %l1 = air.launch async [%l0] (%x) in (%n=%c2) args(%in=%tmp, %out=%b) : memref<64xi32>, memref<64xi32> attributes {id = 4 : i32} {
    %s = air.segment @second async args(%i=%x, %p=%in, %q=%out) : index, memref<64xi32>, memref<64xi32> {
      %k2 = arith.constant 2 : index
      %h = air.herd @h1 async tile (%tx) in (%nx=%k2) args(%ii=%i, %pp=%p, %qq=%q) : index, memref<64xi32>, memref<64xi32> {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c16 = arith.constant 16 : index
        %o = affine.apply affine_map<()[s0, s1] -> (s0 * 32 + s1 * 16)>()[%ii, %tx]
        %l1 = memref.alloc() : memref<16xi32, 2>
        air.dma_memcpy_nd (%l1[] [] [], %pp[%o] [16] [1]) : (memref<16xi32, 2>, memref<64xi32>)
        %one = arith.constant 1 : i32
        scf.for %k = %c0 to %c16 step %c1 {
          %v = memref.load %l1[%k] : memref<16xi32, 2>
          %w = arith.addi %v, %v : i32
          %z = arith.addi %w, %one : i32
          memref.store %z, %l1[%k] : memref<16xi32, 2>
        }
        air.dma_memcpy_nd (%qq[%o] [16] [1], %l1[] [] []) : (memref<64xi32>, memref<16xi32, 2>)
        memref.dealloc %l1 : memref<16xi32, 2>
      }
    }
  }
  %d = air.execute [%l1] { memref.dealloc %tmp : memref<64xi32> }
  air.wait_all [%d]
  return
}

// -----

// A launch in a loop of the host.

// ARG a: 16xi32
// MODEL for i in range(16): a[i] = a[i] + 0 + 1 + 2 + 3
func.func @test(%a: memref<16xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %t0 = air.wait_all async
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %t0) -> (!air.async.token) {
    %iv = arith.index_cast %i : index to i32
    %l = air.launch async [%t] (%x, %y) in (%n=%c1, %m=%c1) args(%p=%a, %k=%iv) : memref<16xi32>, i32 {
      air.herd @scalar tile (%tx, %ty) in (%nx=%n, %ny=%m) args(%q=%p, %kk=%k) : memref<16xi32>, i32 {
        affine.for %j = 0 to 16 {
          %v = affine.load %q[%j] : memref<16xi32>
          %w = arith.addi %v, %kk : i32
          affine.store %w, %q[%j] : memref<16xi32>
        }
      }
    }
    scf.yield %l : !air.async.token
  }
  air.wait_all [%r]
  return
}

// -----

// A herd in a loop of the host, which takes the induction variable.

// ARG a: 4xi32
// MODEL for i in range(4): a[i] += i
func.func @test(%a: memref<4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %iv = %c0 to %c4 step %c1 {
    %ivi = arith.index_cast %iv : index to i32
    air.herd @rtp tile(%tx, %ty) in (%sx = %c1, %sy = %c1) args(%k = %ivi, %i = %iv, %m = %a) : i32, index, memref<4xi32> {
      %buf = memref.alloc() : memref<1xi32, 2>
      %zero = arith.constant 0 : index
      air.dma_memcpy_nd (%buf[] [] [], %m[%i] [1] [1]) : (memref<1xi32, 2>, memref<4xi32>)
      %0 = memref.load %buf[%zero] : memref<1xi32, 2>
      %1 = arith.addi %0, %k : i32
      memref.store %1, %buf[%zero] : memref<1xi32, 2>
      air.dma_memcpy_nd (%m[%i] [1] [1], %buf[] [] []) : (memref<4xi32>, memref<1xi32, 2>)
      air.herd_terminator
    }
  }
  return
}

// -----

// A function that takes and returns a token.

// ARG a: 4x4xi32
// MODEL for x in range(2):
// MODEL   for y in range(2): a[x * 4 + y] = x + y
func.func private @chained(%a: memref<4x4xi32>, %e0: !air.async.token) -> !air.async.token {
  %c2 = arith.constant 2 : index
  %e1 = air.herd async [%e0] tile (%x, %y) in (%sx=%c2, %sy=%c2) args (%m=%a) : memref<4x4xi32> {
    %i = arith.addi %x, %y : index
    %v = arith.index_cast %i : index to i32
    memref.store %v, %m[%x, %y] : memref<4x4xi32>
  }
  return %e1 : !air.async.token
}
func.func @test(%a: memref<4x4xi32>) {
  %t = air.wait_all async
  %u = func.call @chained(%a, %t) : (memref<4x4xi32>, !air.async.token) -> !air.async.token
  air.wait_all [%u]
  return
}

// -----

// air.execute with several results, which are indices or the same buffer twice.

// ARG a: 32xi32
// ARG b: 32xi32
// MODEL for i in range(32): b[i] = a[i ^ 16] + 3
func.func @test(%a: memref<32xi32>, %b: memref<32xi32>) {
  %c2 = arith.constant 2 : index
  %l = air.launch async (%lx, %ly) in (%nx=%c2, %ny=%c2) args(%p=%a, %q=%b) : memref<32xi32>, memref<32xi32> {
    %s = air.segment async args(%i=%lx, %j=%ly, %pp=%p, %qq=%q) : index, index, memref<32xi32>, memref<32xi32> {
      %c1 = arith.constant 1 : index
      %t0, %r:2 = air.execute -> (index, index) {
        %0 = affine.apply affine_map<()[s0, s1] -> (s0 * 16 + s1 * 8)>()[%i, %j]
        %1 = affine.apply affine_map<()[s0, s1] -> ((1 - s0) * 16 + s1 * 8)>()[%i, %j]
        air.execute_terminator %0, %1 : index, index
      } {id = 3 : i32}
      %t1, %m0, %m1 = air.execute -> (memref<8xi32, 1>, memref<8xi32, 1>) {
        %al = memref.alloc() : memref<8xi32, 1>
        air.execute_terminator %al, %al : memref<8xi32, 1>, memref<8xi32, 1>
      }
      %w = air.wait_all async [%t0, %t1]
      %d = air.dma_memcpy_nd async [%w] (%m0[] [] [], %pp[%r#0] [8] [1]) : (memref<8xi32, 1>, memref<32xi32>)
      %h = air.herd async [%d] tile (%x, %y) in (%sx=%c1, %sy=%c1) args(%m = %m1) : memref<8xi32, 1> {
        %t2, %l1 = air.execute -> (memref<8xi32, 2>) {
          %al = memref.alloc() : memref<8xi32, 2>
          air.execute_terminator %al : memref<8xi32, 2>
        }
        %g = air.dma_memcpy_nd async [%t2] (%l1[] [] [], %m[] [] []) : (memref<8xi32, 2>, memref<8xi32, 1>)
        %t3, %k = air.execute [%g] -> (i32) {
          %three = arith.constant 3 : i32
          air.execute_terminator %three : i32
        }
        %t4 = air.execute [%t3, %g] {
          %c0 = arith.constant 0 : index
          %one = arith.constant 1 : index
          %c8 = arith.constant 8 : index
          scf.for %n = %c0 to %c8 step %one {
            %v = memref.load %l1[%n] : memref<8xi32, 2>
            %u = arith.addi %v, %k : i32
            memref.store %u, %l1[%n] : memref<8xi32, 2>
          }
        }
        %o = air.dma_memcpy_nd async [%t4] (%m[] [] [], %l1[] [] []) : (memref<8xi32, 1>, memref<8xi32, 2>)
        %f = air.execute [%o] { memref.dealloc %l1 : memref<8xi32, 2> }
        air.wait_all [%f]
      }
      %o = air.dma_memcpy_nd async [%h] (%qq[%r#1] [8] [1], %m1[] [] []) : (memref<32xi32>, memref<8xi32, 1>)
      %f = air.execute [%o] { memref.dealloc %m0 : memref<8xi32, 1> }
    }
  }
  return
}

// -----

// Sizes of a herd that are arguments of its segment.

// ARG a: 6xi32
// MODEL for x in range(2):
// MODEL   for y in range(3): a[x * 3 + y] = x * 10 + y
func.func @test(%a: memref<6xi32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  air.launch (%l, %m) in (%n=%c1, %k=%c1) args(%p=%a, %w=%c2, %h=%c3) : memref<6xi32>, index, index {
    air.segment @s args(%q=%p, %ww=%w, %hh=%h) : memref<6xi32>, index, index {
      air.herd @h tile(%x,%y) in (%sx=%ww,%sy=%hh) args(%r=%q) : memref<6xi32> {
        %i0 = arith.muli %x, %sy : index
        %i = arith.addi %i0, %y : index
        %c10 = arith.constant 10 : index
        %v0 = arith.muli %x, %c10 : index
        %v1 = arith.addi %v0, %y : index
        %v = arith.index_cast %v1 : index to i32
        memref.store %v, %r[%i] : memref<6xi32>
        air.herd_terminator
      }
    }
  }
  return
}

// -----

// A branch that yields the token of a DMA or only that of a join.

// ARG a: 4x16xi32
// ARG b: 4x16xi32
// MODEL for i in range(64): b[i] = a[i] if (i // 16) % 2 == 0 else 0
func.func @test(%a: memref<4x16xi32>, %b: memref<4x16xi32>) {
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  %h = air.herd async tile (%x, %y) in (%sx=%c4, %sy=%c1) args(%p=%a, %q=%b) : memref<4x16xi32>, memref<4x16xi32> {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %z = arith.constant 0 : i32
    %t, %m = air.execute -> (memref<16xi32, 2>) {
      %al = memref.alloc() : memref<16xi32, 2>
      air.execute_terminator %al : memref<16xi32, 2>
    }
    %f = air.execute [%t] { linalg.fill ins(%z : i32) outs(%m : memref<16xi32, 2>) }
    %r = arith.remui %x, %c2 : index
    %even = arith.cmpi eq, %r, %c0 : index
    %d = scf.if %even -> (!air.async.token) {
      %g = air.dma_memcpy_nd async [%f] (%m[] [] [], %p[%x, %c0] [1, 16] [16, 1]) : (memref<16xi32, 2>, memref<4x16xi32>)
      scf.yield %g : !air.async.token
    } else {
      %w = air.wait_all async [%f]
      scf.yield %w : !air.async.token
    }
    %o = air.dma_memcpy_nd async [%d] (%q[%x, %c0] [1, 16] [16, 1], %m[] [] []) : (memref<4x16xi32>, memref<16xi32, 2>)
    %e = air.execute [%o] { memref.dealloc %m : memref<16xi32, 2> }
  }
  air.wait_all [%h]
  return
}
