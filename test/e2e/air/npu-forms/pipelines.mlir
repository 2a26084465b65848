// RUN: python3 %S/../channels-in-launch/Inputs/run_program.py --aircc %aircc %s

// Channels through L2, with loops and buffers of different shapes. Each program has a form of programs for NPUs.

// Two buffers that are allocated before a loop and freed in it.

// ARG a: 256xi32
// ARG b: 64xi32
// MODEL for i in range(64): b[i] = sum(a[64 * k + i] * (k + 1) for k in range(4))
air.channel @feed [1, 1]
air.channel @result [1, 1]
func.func @test(%a: memref<256xi32>, %b: memref<64xi32>) {
  %c1 = arith.constant 1 : index
  %l = air.launch async (%lx) in (%nx=%c1) args(%p=%a, %q=%b) : memref<256xi32>, memref<64xi32> {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c256 = arith.constant 256 : index
    %k1 = arith.constant 1 : index
    %t0 = air.wait_all async
    %f = scf.for %i = %c0 to %c256 step %c64 iter_args(%t = %t0) -> (!air.async.token) {
      %u = air.channel.put async [%t] @feed[] (%p[%i] [%c64] [%k1]) : (memref<256xi32>)
      scf.yield %u : !air.async.token
    }
    %g = air.channel.get async @result[] (%q[] [] []) : (memref<64xi32>)
    %s = air.segment async {
      %s1 = arith.constant 1 : index
      %h = air.herd @pp async tile (%x, %y) in (%sx=%s1, %sy=%s1) {
        %h0 = arith.constant 0 : index
        %h1 = arith.constant 1 : i32
        %h2 = arith.constant 2 : index
        %h4 = arith.constant 4 : index
        %zero = arith.constant 0 : i32
        %ta, %acc = air.execute -> (memref<64xi32, 2>) {
          %al = memref.alloc() : memref<64xi32, 2>
          air.execute_terminator %al : memref<64xi32, 2>
        }
        %tf = air.execute [%ta] { linalg.fill ins(%zero : i32) outs(%acc : memref<64xi32, 2>) }
        %tp, %ping = air.execute [%tf] -> (memref<64xi32, 2>) {
          %al = memref.alloc() : memref<64xi32, 2>
          air.execute_terminator %al : memref<64xi32, 2>
        } {ping_pong = 0 : ui32}
        %tq, %pong = air.execute [%tf] -> (memref<64xi32, 2>) {
          %al = memref.alloc() : memref<64xi32, 2>
          air.execute_terminator %al : memref<64xi32, 2>
        } {ping_pong = 1 : ui32}
        %r:4 = scf.for %k = %h0 to %h4 step %h2 iter_args(%a0 = %tp, %a1 = %tq, %a2 = %tq, %a3 = %tq) -> (!air.async.token, !air.async.token, !air.async.token, !air.async.token) {
          %g0 = air.channel.get async [%a3, %a0] @feed[%x, %y] (%ping[] [] []) {async_front = true, ping_pong = 0 : ui32, producer = 0 : ui32} : (memref<64xi32, 2>)
          %ki = arith.index_cast %k : index to i32
          %k0 = arith.addi %ki, %h1 : i32
          %e0 = air.execute [%a2, %g0] {
            linalg.generic {indexing_maps = [affine_map<(d) -> (d)>, affine_map<(d) -> (d)>], iterator_types = ["parallel"]} ins(%ping : memref<64xi32, 2>) outs(%acc : memref<64xi32, 2>) {
            ^bb0(%v: i32, %o: i32):
              %z = arith.muli %v, %k0 : i32
              %n = arith.addi %o, %z : i32
              linalg.yield %n : i32
            }
          } {async_back = true, consumer = 0 : ui32}
          %d0 = air.execute { memref.dealloc %ping : memref<64xi32, 2> }
          %g1 = air.channel.get async [%g0, %a1] @feed[%x, %y] (%pong[] [] []) {async_front = true, ping_pong = 1 : ui32, producer = 1 : ui32} : (memref<64xi32, 2>)
          %kk = arith.addi %k0, %h1 : i32
          %e1 = air.execute [%e0, %g1] {
            linalg.generic {indexing_maps = [affine_map<(d) -> (d)>, affine_map<(d) -> (d)>], iterator_types = ["parallel"]} ins(%pong : memref<64xi32, 2>) outs(%acc : memref<64xi32, 2>) {
            ^bb0(%v: i32, %o: i32):
              %z = arith.muli %v, %kk : i32
              %n = arith.addi %o, %z : i32
              linalg.yield %n : i32
            }
          }
          %d1 = air.execute { memref.dealloc %pong : memref<64xi32, 2> }
          scf.yield %e0, %e1, %e1, %g1 : !air.async.token, !air.async.token, !air.async.token, !air.async.token
        } {unroll = 2 : i32}
        %u = air.channel.put async [%r#1] @result[%x, %y] (%acc[] [] []) : (memref<64xi32, 2>)
        %d = air.execute [%u] { memref.dealloc %acc : memref<64xi32, 2> }
      }
    }
  }
  return
}

// -----

// Tiles of PEs in blocks, which a segment gathers in rows.

// ARG b: 32x64xi32
// MODEL for x in range(2):
// MODEL   for y in range(4):
// MODEL     for r in range(16):
// MODEL       for c in range(16): b[(x * 16 + r) * 64 + y * 16 + c] = (x * 4 + y) * 1000 + r * 16 + c
air.channel @part [2, 4]
air.channel @row0 [1, 1]
air.channel @row1 [1, 1]
func.func @test(%b: memref<32x64xi32>) {
  %c1 = arith.constant 1 : index
  %l = air.launch async (%lx, %ly) in (%nx=%c1, %ny=%c1) args(%q=%b) : memref<32x64xi32> attributes {id = 1 : i32} {
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %c0 = arith.constant 0 : index
    %k1 = arith.constant 1 : index
    %t, %o = air.execute -> (index) {
      %v = affine.apply affine_map<()[s0] -> (s0 * 64)>()[%ly]
      air.execute_terminator %v : index
    }
    %r0 = affine.apply affine_map<()[s0] -> (s0 * 32)>()[%lx]
    %g0 = air.channel.get async [%t] @row0[] (%q[%r0, %o] [%c16, %c64] [%c64, %k1]) : (memref<32x64xi32>)
    %r1 = affine.apply affine_map<()[s0] -> (s0 * 32 + 16)>()[%lx]
    %g1 = air.channel.get async [%t] @row1[] (%q[%r1, %o] [%c16, %c64] [%c64, %k1]) : (memref<32x64xi32>)
    %w = air.wait_all async [%g0, %g1]
    %s = air.segment @s async attributes {id = 2 : i32} {
      %s0 = arith.constant 0 : index
      %s1 = arith.constant 1 : index
      %s2 = arith.constant 2 : index
      %s3 = arith.constant 3 : index
      %s4 = arith.constant 4 : index
      %s16 = arith.constant 16 : index
      %s32 = arith.constant 32 : index
      %s48 = arith.constant 48 : index
      %s64 = arith.constant 64 : index
      %ta, %ma = air.execute -> (memref<16x64xi32, 1>) {
        %al = memref.alloc() : memref<16x64xi32, 1>
        air.execute_terminator %al : memref<16x64xi32, 1>
      }
      %tb, %mb = air.execute -> (memref<16x64xi32, 1>) {
        %al = memref.alloc() : memref<16x64xi32, 1>
        air.execute_terminator %al : memref<16x64xi32, 1>
      }
      %a0 = air.channel.get async [%ta] @part[%s0, %s0] (%ma[%s0, %s0] [%s16, %s16] [%s64, %s1]) {id = 27 : i32} : (memref<16x64xi32, 1>)
      %a1 = air.channel.get async [%ta] @part[%s0, %s1] (%ma[%s0, %s16] [%s16, %s16] [%s64, %s1]) {id = 27 : i32} : (memref<16x64xi32, 1>)
      %a2 = air.channel.get async [%ta] @part[%s0, %s2] (%ma[%s0, %s32] [%s16, %s16] [%s64, %s1]) {id = 27 : i32} : (memref<16x64xi32, 1>)
      %a3 = air.channel.get async [%ta] @part[%s0, %s3] (%ma[%s0, %s48] [%s16, %s16] [%s64, %s1]) {id = 27 : i32} : (memref<16x64xi32, 1>)
      %b0 = air.channel.get async [%tb] @part[%s1, %s0] (%mb[%s0, %s0] [%s16, %s16] [%s64, %s1]) {id = 27 : i32} : (memref<16x64xi32, 1>)
      %b1 = air.channel.get async [%tb] @part[%s1, %s1] (%mb[%s0, %s16] [%s16, %s16] [%s64, %s1]) {id = 27 : i32} : (memref<16x64xi32, 1>)
      %b2 = air.channel.get async [%tb] @part[%s1, %s2] (%mb[%s0, %s32] [%s16, %s16] [%s64, %s1]) {id = 27 : i32} : (memref<16x64xi32, 1>)
      %b3 = air.channel.get async [%tb] @part[%s1, %s3] (%mb[%s0, %s48] [%s16, %s16] [%s64, %s1]) {id = 27 : i32} : (memref<16x64xi32, 1>)
      %wa = air.wait_all async [%ta, %tb]
      %h = air.herd @h async [%wa] tile (%x, %y) in (%sx=%s2, %sy=%s4) attributes {link_with = "mm.o", x_loc = 0 : i64, y_loc = 2 : i64} {
        %z = arith.constant 0 : index
        %p1 = arith.constant 1 : index
        %p4 = arith.constant 4 : index
        %p16 = arith.constant 16 : index
        %p64 = arith.constant 64 : index
        %c1000 = arith.constant 1000 : index
        // Blocks: m[cb][rb][r][c] holds element (rb * 4 + r, cb * 4 + c).
        %tm, %m = air.execute -> (memref<4x4x4x4xi32, 2>) {
          %al = memref.alloc() : memref<4x4x4x4xi32, 2>
          air.execute_terminator %al : memref<4x4x4x4xi32, 2>
        }
        %base0 = arith.muli %x, %p4 : index
        %base1 = arith.addi %base0, %y : index
        %base = arith.muli %base1, %c1000 : index
        %e = air.execute [%tm] {
          affine.for %cb = 0 to 4 {
            affine.for %rb = 0 to 4 {
              affine.for %r = 0 to 4 {
                affine.for %c = 0 to 4 {
                  %v = affine.apply affine_map<(cb, rb, r, c)[s] -> (s + (rb * 4 + r) * 16 + cb * 4 + c)>(%cb, %rb, %r, %c)[%base]
                  %vi = arith.index_cast %v : index to i32
                  affine.store %vi, %m[%cb, %rb, %r, %c] : memref<4x4x4x4xi32, 2>
                }
              }
            }
          }
        }
        %u = air.channel.put async [%e] @part[%x, %y] (%m[%z, %z, %z] [%p16, %p4, %p4] [%p4, %p64, %p1]) {id = 44 : i32} : (memref<4x4x4x4xi32, 2>)
        %d = air.execute [%u] { memref.dealloc %m : memref<4x4x4x4xi32, 2> }
      }
      %u0 = air.channel.put async [%h] @row0[] (%ma[] [] []) : (memref<16x64xi32, 1>)
      %u1 = air.channel.put async [%h] @row1[] (%mb[] [] []) : (memref<16x64xi32, 1>)
      %wb = air.wait_all async [%u0, %u1]
      %d0 = air.execute [%wb] { memref.dealloc %ma : memref<16x64xi32, 1> }
      %d1 = air.execute [%wb] { memref.dealloc %mb : memref<16x64xi32, 1> }
    }
  }
  return
}

// -----

// Transfers in blocks, the last of which is padding.

// ARG a: 28x8xi32
// ARG b: 2x2x8x4xi32
// MODEL # Two PEs have 8 rows each, in blocks of 4 columns; the last 2 rows are padding.
// MODEL for p in range(2):
// MODEL   for cb in range(2):
// MODEL     for r in range(8):
// MODEL       for c in range(4):
// MODEL         rr = p * 8 + r
// MODEL         b[((p * 2 + cb) * 8 + r) * 4 + c] = a[rr * 8 + cb * 4 + c] if rr < 14 else 0
air.channel @down [1, 1]
air.channel @core [1, 2]
func.func @test(%a: memref<28x8xi32>, %b: memref<2x2x8x4xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%t) in (%n=%c1) args(%p=%a, %q=%b) : memref<28x8xi32>, memref<2x2x8x4xi32> {
    air.channel.put @down[] (%p[] [] []) : (memref<28x8xi32>)
    air.segment @s args(%qq=%q) : memref<2x2x8x4xi32> {
      %s0 = arith.constant 0 : index
      %s1 = arith.constant 1 : index
      %s2 = arith.constant 2 : index
      %l2 = memref.alloc() : memref<28x8xi32, 1>
      air.channel.get @down[] (%l2[] [] []) : (memref<28x8xi32, 1>)
      air.channel.put @core[%s0, %s0] (%l2[0, 0, 0, 0, 0, 0] [1, 1, 2, 4, 2, 4] [64, 64, 4, 16, 8, 1]) : (memref<28x8xi32, 1>)
      air.channel.put @core[%s0, %s1] (%l2[0, 0, 0, 0, 8, 0] [1, 1, 2, 3, 2, 4] [48, 48, 4, 16, 8, 1]) {pad_before = array<i32: 0, 0, 0, 0, 0, 0>, pad_after = array<i32: 0, 0, 0, 1, 0, 0>} : (memref<28x8xi32, 1>)
      air.herd @h tile (%x, %y) in (%sx=%s1, %sy=%s2) args(%out=%qq) : memref<2x2x8x4xi32> {
        %m = memref.alloc() : memref<1x1x2x4x2x4xi32, 2>
        air.channel.get @core[%x, %y] (%m[] [] []) : (memref<1x1x2x4x2x4xi32, 2>)
        air.dma_memcpy_nd (%out[%y, 0, 0, 0] [1, 2, 8, 4] [64, 32, 4, 1], %m[] [] []) : (memref<2x2x8x4xi32>, memref<1x1x2x4x2x4xi32, 2>)
        memref.dealloc %m : memref<1x1x2x4x2x4xi32, 2>
      }
      memref.dealloc %l2 : memref<28x8xi32, 1>
    }
  }
  return
}

// -----

// Messages of different sizes, some of them in loops.

// ARG a: 5xi32
// ARG c: 96xi32
// ARG b: 96xi32
// ARG ub: index = 9
// MODEL for i in range(96): b[i] = c[i] * 8 + sum(a)
air.channel @one [1, 1]
air.channel @two [1, 1]
func.func @test(%a: memref<5xi32>, %c: memref<96xi32>, %b: memref<96xi32>, %ub: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  air.channel.put @one[] (%a[] [] []) {id = 1 : i32} : (memref<5xi32>)
  scf.for %i = %c0 to %c8 step %c1 {
    air.channel.put @one[] (%c[] [] []) {id = 2 : i32} : (memref<96xi32>)
  }
  air.segment @s args (%u=%ub, %bs=%b) : index, memref<96xi32> {
    %s0 = arith.constant 0 : index
    %s1 = arith.constant 1 : index
    %s8 = arith.constant 8 : index
    %m0 = memref.alloc() : memref<5xi32, 1>
    %t0 = air.channel.get async @one[] (%m0[] [] []) : (memref<5xi32, 1>)
    %t1 = air.channel.put async [%t0] @two[] (%m0[] [] []) : (memref<5xi32, 1>)
    %t2 = scf.for %i = %s0 to %s8 step %s1 iter_args(%t = %t1) -> (!air.async.token) {
      %m1 = memref.alloc() : memref<96xi32, 1>
      %t3 = air.channel.get async [%t] @one[] (%m1[] [] []) : (memref<96xi32, 1>)
      %t4 = air.channel.put async [%t3] @two[] (%m1[] [] []) : (memref<96xi32, 1>)
      memref.dealloc %m1 : memref<96xi32, 1>
      scf.yield %t4 : !air.async.token
    }
    memref.dealloc %m0 : memref<5xi32, 1>
    %h = air.herd async tile(%x, %y) in (%nx = %s1, %ny = %s1) args (%uh=%u, %bh=%bs) : index, memref<96xi32> attributes { sym_name="herd4"} {
      %h0 = arith.constant 0 : index
      %h1 = arith.constant 1 : index
      %h8 = arith.constant 8 : index
      %h5 = arith.constant 5 : index
      %h96 = arith.constant 96 : index
      %zero = arith.constant 0 : i32
      %b0 = memref.alloc() : memref<5xi32, 2>
      %acc = memref.alloc() : memref<96xi32, 2>
      %t5 = air.channel.get async @two[] (%b0[] [] []) : (memref<5xi32, 2>)
      air.wait_all [%t5]
      %sum = scf.for %i = %h0 to %h5 step %h1 iter_args(%v = %zero) -> (i32) {
        %w = memref.load %b0[%i] : memref<5xi32, 2>
        %n = arith.addi %v, %w : i32
        scf.yield %n : i32
      }
      linalg.fill ins(%sum : i32) outs(%acc : memref<96xi32, 2>)
      %t6 = scf.for %i = %h0 to %h8 step %h1 iter_args(%t = %t5) -> (!air.async.token) {
        %b1 = memref.alloc() : memref<96xi32, 2>
        %t7 = air.channel.get async [%t] @two[] (%b1[] [] []) : (memref<96xi32, 2>)
        air.wait_all [%t7]
        linalg.add ins(%b1, %acc : memref<96xi32, 2>, memref<96xi32, 2>) outs(%acc : memref<96xi32, 2>)
        memref.dealloc %b1 : memref<96xi32, 2>
        scf.yield %t7 : !air.async.token
      }
      memref.dealloc %b0 : memref<5xi32, 2>
      air.dma_memcpy_nd (%bh[] [] [], %acc[] [] []) : (memref<96xi32>, memref<96xi32, 2>)
    }
  }
  return
}

// -----

// Attributes of programs for NPUs: counts of repeated messages, metadata.

// ARG a: 64xi32
// ARG b: 64xi32
// MODEL for i in range(64): b[i] = a[i]
air.channel @cin [1, 1]
air.channel @to [1, 1] {air.refeed_count = 6 : i32}
air.channel @from [1, 1]
air.channel @cout [1, 1]
func.func @test(%a: memref<64xi32>, %b: memref<64xi32>) {
  air.channel.put @cin[] (%a[] [] []) {id = 1 : i32, metadata = @airMemcpyId2} : (memref<64xi32>)
  air.segment @seg0 {
    %c1 = arith.constant 1 : index
    %l2 = memref.alloc() {air.refeed_count = 4 : i32} : memref<64xi32, 1>
    air.channel.get @cin[] (%l2[] [] []) {id = 2 : i32} : (memref<64xi32, 1>)
    air.channel.put @to[] (%l2[] [] []) {id = 3 : i32} : (memref<64xi32, 1>)
    air.herd tile(%tx, %ty) in (%sx = %c1, %sy = %c1) attributes {sym_name = "herd0"} {
      %m = memref.alloc() : memref<64xi32, 2>
      air.channel.get @to[%tx, %ty] (%m[] [] []) {id = 4 : i32} : (memref<64xi32, 2>)
      air.channel.put @from[%tx, %ty] (%m[] [] []) {id = 5 : i32} : (memref<64xi32, 2>)
      memref.dealloc %m : memref<64xi32, 2>
    }
    %l2o = memref.alloc() : memref<64xi32, 1>
    air.channel.get @from[] (%l2o[] [] []) {id = 6 : i32} : (memref<64xi32, 1>)
    air.channel.put @cout[] (%l2o[] [] []) {id = 7 : i32} : (memref<64xi32, 1>)
    memref.dealloc %l2 : memref<64xi32, 1>
    memref.dealloc %l2o : memref<64xi32, 1>
  }
  air.channel.get @cout[] (%b[] [] []) {id = 8 : i32, metadata = @airMemcpyId7} : (memref<64xi32>)
  return
}

// -----

// Puts and gets in affine.for loops of the host.

// ARG a: 8x16xi32
// ARG b: 8x16xi32
// MODEL for i in range(128): b[i] = a[i] + 2
air.channel @in [1, 1]
air.channel @out [1, 1]
func.func @test(%a: memref<8x16xi32>, %b: memref<8x16xi32>) {
  affine.for %i = 0 to 8 {
    air.channel.put @in[] (%a[%i, 0] [1, 16] [16, 1]) : (memref<8x16xi32>)
  }
  affine.for %i = 0 to 8 step 2 {
    %n = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
    air.channel.get @out[] (%b[%i, 0] [1, 16] [16, 1]) : (memref<8x16xi32>)
    air.channel.get @out[] (%b[%n, 0] [1, 16] [16, 1]) : (memref<8x16xi32>)
  }
  %c1 = arith.constant 1 : index
  air.herd tile (%x, %y) in (%hx=%c1, %hy=%c1) {
    %two = arith.constant 2 : i32
    affine.for %i = 0 to 8 {
      %m = memref.alloc() : memref<16xi32, 2>
      air.channel.get @in[%x, %y] (%m[] [] []) : (memref<16xi32, 2>)
      affine.for %j = 0 to 16 {
        %w = affine.load %m[%j] : memref<16xi32, 2>
        %r = arith.addi %w, %two : i32
        affine.store %r, %m[%j] : memref<16xi32, 2>
      }
      air.channel.put @out[%x, %y] (%m[] [] []) : (memref<16xi32, 2>)
      memref.dealloc %m : memref<16xi32, 2>
    }
  }
  return
}

// -----

// Offsets in elements of the flattened buffer, in a list that is longer than the rank.

// ARG a: 4x4x8xi32
// ARG b: 2x4xi32
// MODEL for r in range(2):
// MODEL   for c in range(4): b[r * 4 + c] = a[40 + r * 8 + c]
air.channel @c [1, 1]
func.func @test(%a: memref<4x4x8xi32>, %b: memref<2x4xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%l) in (%n=%c1) args(%p=%a, %q=%b) : memref<4x4x8xi32>, memref<2x4xi32> {
    %c40 = arith.constant 40 : index
    air.channel.put @c[] (%p[0, 0, 0, %c40] [1, 1, 2, 4] [1, 1, 8, 1]) : (memref<4x4x8xi32>)
    air.segment args(%qq=%q) : memref<2x4xi32> {
      %k1 = arith.constant 1 : index
      air.herd tile (%x, %y) in (%sx=%k1, %sy=%k1) args(%o=%qq) : memref<2x4xi32> {
        %m = memref.alloc() : memref<2x4xi32, 2>
        air.channel.get @c[%x, %y] (%m[] [] []) : (memref<2x4xi32, 2>)
        air.dma_memcpy_nd (%o[] [] [], %m[] [] []) : (memref<2x4xi32>, memref<2x4xi32, 2>)
      }
    }
  }
  return
}

// -----

// Puts in a sequential loop in a parallel one.

// ARG a: 8x16xi32
// ARG b: 8x16xi32
// MODEL for i in range(128): b[i] = a[i]
air.channel @l2 []
air.channel @l1 [2, 1]
func.func @test(%a: memref<8x16xi32>, %b: memref<8x16xi32>) {
  %c1 = arith.constant 1 : index
  %0 = air.launch async (%lx, %ly) in (%nx=%c1, %ny=%c1) args(%p=%a, %q=%b) : memref<8x16xi32>, memref<8x16xi32> {
    %r = affine.apply affine_map<()[s0] -> (s0 * 8)>()[%lx]
    %1 = air.channel.put async @l2[] (%p[%r, 0] [8, 16] [16, 1]) : (memref<8x16xi32>)
    %2 = air.segment @seg async args(%qq=%q) : memref<8x16xi32> {
      %c0 = arith.constant 0 : index
      %k1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c4 = arith.constant 4 : index
      %t, %m = air.execute -> (memref<8x16xi32, 1 : i32>) {
        %al = memref.alloc() : memref<8x16xi32, 1 : i32>
        air.execute_terminator %al : memref<8x16xi32, 1 : i32>
      }
      %3 = air.channel.get async [%t] @l2[] (%m[] [] []) : (memref<8x16xi32, 1 : i32>)
      %4 = scf.parallel (%i) = (%c0) to (%c2) step (%k1) init (%3) -> !air.async.token {
        %5 = scf.for %j = %c0 to %c4 step %c2 iter_args(%u = %3) -> (!air.async.token) {
          %6 = affine.apply affine_map<()[s0, s1] -> (s0 * 4 + s1)>()[%i, %j]
          %7 = air.channel.put async [%u] @l1[%i, %c0] (%m[%6, 0] [2, 16] [16, 1]) : (memref<8x16xi32, 1 : i32>)
          scf.yield %7 : !air.async.token
        }
        scf.reduce(%5 : !air.async.token) {
        ^bb0(%f: !air.async.token, %g: !air.async.token):
          %8 = air.wait_all async [%f, %g]
          scf.reduce.return %8 : !air.async.token
        }
      }
      %9 = air.herd @h async tile (%x, %y) in (%sx=%c2, %sy=%k1) args(%o=%qq) : memref<8x16xi32> {
        %h0 = arith.constant 0 : index
        %h2 = arith.constant 2 : index
        %h4 = arith.constant 4 : index
        %t1, %n = air.execute -> (memref<2x16xi32, 2 : i32>) {
          %al = memref.alloc() : memref<2x16xi32, 2 : i32>
          air.execute_terminator %al : memref<2x16xi32, 2 : i32>
        }
        %10 = scf.for %j = %h0 to %h4 step %h2 iter_args(%u = %t1) -> (!air.async.token) {
          %11 = air.channel.get async [%u] @l1[%x, %y] (%n[] [] []) : (memref<2x16xi32, 2 : i32>)
          %r0 = arith.muli %x, %h4 : index
          %r1 = arith.addi %r0, %j : index
          %12 = air.dma_memcpy_nd async [%11] (%o[%r1, 0] [2, 16] [16, 1], %n[] [] []) : (memref<8x16xi32>, memref<2x16xi32, 2 : i32>)
          scf.yield %12 : !air.async.token
        }
        %13 = air.execute [%10] { memref.dealloc %n : memref<2x16xi32, 2 : i32> }
      }
      %14 = air.execute [%4, %9] { memref.dealloc %m : memref<8x16xi32, 1 : i32> }
    }
  }
  return
}

// -----

// The launch puts and gets the same buffer.

// ARG b: 256xi32
// MODEL for i in range(64): b[64 + i] = b[i]
air.channel @out [1, 1]
air.channel @in [1, 1]
func.func @test(%buf: memref<256xi32>) {
  %c1 = arith.constant 1 : index
  %l = air.launch async (%i, %j) in (%si=%c1, %sj=%c1) args(%b=%buf) : memref<256xi32> {
    %c0 = arith.constant 0 : index
    %k1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %rb = air.channel.put async @in[] (%b[%c0] [%c64] [%k1]) : (memref<256xi32>)
    %d = air.channel.get async @out[] (%b[%c64] [%c64] [%k1]) : (memref<256xi32>)
    %y = air.wait_all async [%d, %rb] {air.launch_end}
    %s = air.segment @seg0 async {
      %s1 = arith.constant 1 : index
      %h = air.herd @h async tile (%hx, %hy) in (%sx=%s1, %sy=%s1) {
        %m = memref.alloc() : memref<64xi32, 2>
        %g = air.channel.get async @in[] (%m[] [] []) : (memref<64xi32, 2>)
        %p = air.channel.put async [%g] @out[] (%m[] [] []) : (memref<64xi32, 2>)
      }
    }
    air.launch_terminator
  }
  return
}
