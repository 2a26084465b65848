// Programs in the style of those for NPUs, with types, sizes or ops that the interpreter in e2e/interpreter does not
// have: they compile for all targets.

// RUN: %aircc %s --target gfx942 --emit host-obj -o %t.gfx942.o 2>&1 | FileCheck %s
// RUN: %aircc %s --target gfx1100 --emit host-obj -o %t.gfx1100.o 2>&1 | FileCheck %s
// RUN: %aircc %s --target bmg --emit host-obj -o %t.bmg.o 2>&1 | FileCheck %s

// CHECK: warning: puts into channel @put_only, but no op of the program gets from it; the data is lost
// CHECK-NOT: {{warning|error}}:

func.func @subviews_and_casts(%a: memref<*xf32>, %b: memref<256xf32>) {
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  air.launch (%l) in (%ls = %c4) args(%x = %a, %y = %b) : memref<*xf32>, memref<256xf32> {
    %c64 = arith.constant 64 : index
    %o = arith.muli %l, %c64 : index
    %rc = memref.reinterpret_cast %x to offset: [%o], sizes: [64], strides: [1] : memref<*xf32> to memref<64xf32, strided<[1], offset: ?>>
    %sv = memref.subview %y[%o] [64] [1] : memref<256xf32> to memref<64xf32, strided<[1], offset: ?>>
    air.segment args(%xs = %rc, %ys = %sv) : memref<64xf32, strided<[1], offset: ?>>, memref<64xf32, strided<[1], offset: ?>> {
      %l2 = memref.alloc() : memref<64xf32, 1 : i32>
      memref.copy %xs, %l2 : memref<64xf32, strided<[1], offset: ?>> to memref<64xf32, 1 : i32>
      %c4_0 = arith.constant 4 : index
      %c1_0 = arith.constant 1 : index
      air.herd tile (%tx, %ty) in (%sx = %c4_0, %sy = %c1_0) args(%q = %l2) : memref<64xf32, 1 : i32> {
        %0 = affine.apply affine_map<()[s0] -> (s0 * 16)>()[%tx]
        %v = memref.subview %q[%0] [16] [1] : memref<64xf32, 1 : i32> to memref<16xf32, strided<[1], offset: ?>, 1 : i32>
        %m = memref.alloc() : memref<16xf32, 2 : i32>
        memref.copy %v, %m : memref<16xf32, strided<[1], offset: ?>, 1 : i32> to memref<16xf32, 2 : i32>
        linalg.exp ins(%m : memref<16xf32, 2 : i32>) outs(%m : memref<16xf32, 2 : i32>)
        memref.copy %m, %v : memref<16xf32, 2 : i32> to memref<16xf32, strided<[1], offset: ?>, 1 : i32>
        memref.dealloc %m : memref<16xf32, 2 : i32>
      }
      memref.copy %l2, %ys : memref<64xf32, 1 : i32> to memref<64xf32, strided<[1], offset: ?>>
      memref.dealloc %l2 : memref<64xf32, 1 : i32>
    }
  }
  return
}

air.channel @half_a [1, 1]
air.channel @half_b [1, 1]
func.func @message_of_half_a_buffer(%a: memref<1024xi32>, %b: memref<1024xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c512 = arith.constant 512 : index
  %c1024 = arith.constant 1024 : index
  %0 = air.channel.put async @half_a[] (%a[%c0] [%c1024] [%c1]) {id = 1 : i32} : (memref<1024xi32>)
  %1 = air.channel.put async [%0] @half_b[] (%b[%c0] [%c512] [%c1]) {id = 2 : i32} : (memref<1024xi32>)
  %2 = air.herd async tile (%tx, %ty) in (%sx = %c1, %sy = %c1) args(%x = %a, %y = %b) : memref<1024xi32>, memref<1024xi32> attributes {sym_name = "func5"} {
    %t0, %m0 = air.execute -> (memref<1024xi32, 2>) {
      %al = memref.alloc() : memref<1024xi32, 2>
      air.execute_terminator %al : memref<1024xi32, 2>
    }
    %t1, %m1 = air.execute -> (memref<512xi32, 2>) {
      %al = memref.alloc() : memref<512xi32, 2>
      air.execute_terminator %al : memref<512xi32, 2>
    }
    %g0 = air.channel.get async [%t0, %t1] @half_a[%tx, %ty] (%m0[] [] []) {id = 3 : i32} : (memref<1024xi32, 2>)
    %g1 = air.channel.get async [%g0] @half_b[%tx, %ty] (%m1[] [] []) {id = 4 : i32} : (memref<512xi32, 2>)
    %d0 = air.execute [%g1] { memref.dealloc %m0 : memref<1024xi32, 2> }
    %d1 = air.execute [%g1] { memref.dealloc %m1 : memref<512xi32, 2> }
    air.herd_terminator
  }
  return
}

func.func @vector_ops(%a: memref<64x64xbf16>, %b: memref<64x64xbf16>) {
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  air.launch (%l) in (%ls = %c1) args(%x = %a, %y = %b) : memref<64x64xbf16>, memref<64x64xbf16> {
    air.segment args(%xs = %x, %ys = %y) : memref<64x64xbf16>, memref<64x64xbf16> {
      %c4_0 = arith.constant 4 : index
      air.herd tile (%tx, %ty) in (%sx = %c4_0, %sy = %c4_0) args(%xh = %xs, %yh = %ys) : memref<64x64xbf16>, memref<64x64xbf16> {
        %c0 = arith.constant 0 : index
        %c1_0 = arith.constant 1 : index
        %c16 = arith.constant 16 : index
        %z = arith.constant 0.0 : bf16
        %r = arith.muli %tx, %c16 : index
        %q = arith.muli %ty, %c16 : index
        %m = memref.alloc() : memref<16x16xbf16, 2>
        air.dma_memcpy_nd (%m[] [] [], %xh[%r, %q] [16, 16] [64, 1]) : (memref<16x16xbf16, 2>, memref<64x64xbf16>)
        scf.for %i = %c0 to %c16 step %c1_0 {
          %s = memref.subview %m[%i, 0] [1, 16] [1, 1] : memref<16x16xbf16, 2> to memref<1x16xbf16, strided<[16, 1], offset: ?>, 2>
          %v = vector.transfer_read %s[%c0, %c0], %z {in_bounds = [true, true]} : memref<1x16xbf16, strided<[16, 1], offset: ?>, 2>, vector<1x16xbf16>
          %w = vector.shape_cast %v : vector<1x16xbf16> to vector<16xbf16>
          %mx = vector.reduction <maximumf>, %w : vector<16xbf16> into bf16
          %bb = vector.broadcast %mx : bf16 to vector<16xbf16>
          %d = arith.subf %w, %bb : vector<16xbf16>
          %e = math.exp %d : vector<16xbf16>
          %f = vector.shape_cast %e : vector<16xbf16> to vector<1x16xbf16>
          vector.transfer_write %f, %s[%c0, %c0] {in_bounds = [true, true]} : vector<1x16xbf16>, memref<1x16xbf16, strided<[16, 1], offset: ?>, 2>
        }
        air.dma_memcpy_nd (%yh[%r, %q] [16, 16] [64, 1], %m[] [] []) : (memref<64x64xbf16>, memref<16x16xbf16, 2>)
        memref.dealloc %m : memref<16x16xbf16, 2>
      }
    }
  }
  return
}

func.func @dynamic_shapes(%a: memref<?x?xf32>, %b: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %d0 = memref.dim %a, %c0 : memref<?x?xf32>
  %d1 = memref.dim %a, %c1 : memref<?x?xf32>
  %g0 = arith.ceildivui %d0, %c32 : index
  %g1 = arith.ceildivui %d1, %c32 : index
  air.launch (%lx, %ly) in (%n0 = %g0, %n1 = %g1) args(%x = %a, %y = %b, %s = %d1) : memref<?x?xf32>, memref<?x?xf32>, index {
    air.segment args(%i = %lx, %j = %ly, %xs = %x, %ys = %y, %st = %s) : index, index, memref<?x?xf32>, memref<?x?xf32>, index {
      %c2 = arith.constant 2 : index
      air.herd tile (%tx, %ty) in (%sx = %c2, %sy = %c2) args(%ii = %i, %jj = %j, %xh = %xs, %yh = %ys, %sh = %st) : index, index, memref<?x?xf32>, memref<?x?xf32>, index {
        %c1_0 = arith.constant 1 : index
        %c16 = arith.constant 16 : index
        %r = affine.apply affine_map<()[s0, s1] -> (s0 * 32 + s1 * 16)>()[%ii, %tx]
        %q = affine.apply affine_map<()[s0, s1] -> (s0 * 32 + s1 * 16)>()[%jj, %ty]
        %m = memref.alloc() : memref<16x16xf32, 2>
        air.dma_memcpy_nd (%m[] [] [], %xh[%r, %q] [%c16, %c16] [%sh, %c1_0]) : (memref<16x16xf32, 2>, memref<?x?xf32>)
        linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%m : memref<16x16xf32, 2>) {
        ^bb0(%v: f32):
          %w = arith.mulf %v, %v : f32
          linalg.yield %w : f32
        }
        air.dma_memcpy_nd (%yh[%r, %q] [%c16, %c16] [%sh, %c1_0], %m[] [] []) : (memref<?x?xf32>, memref<16x16xf32, 2>)
        memref.dealloc %m : memref<16x16xf32, 2>
      }
    }
  }
  return
}

air.channel @to_l2 [1, 1]
air.channel @to_l1 [1, 4]
air.channel @up [1, 4]
air.channel @out [1, 1]
func.func @memtile_split_async(%a: memref<4x64xi32>, %b: memref<4x64xi32>) {
  %c1 = arith.constant 1 : index
  %t = air.launch async (%lx) in (%n = %c1) args(%x = %a, %y = %b) : memref<4x64xi32>, memref<4x64xi32> {
    %p = air.channel.put async @to_l2[] (%x[] [] []) {id = 1 : i32} : (memref<4x64xi32>)
    %g = air.channel.get async @out[] (%y[] [] []) {id = 2 : i32} : (memref<4x64xi32>)
    %s = air.segment @s async {
      %c0 = arith.constant 0 : index
      %c1_0 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %c64 = arith.constant 64 : index
      %t0, %l2 = air.execute -> (memref<4x64xi32, 1>) {
        %al = memref.alloc() : memref<4x64xi32, 1>
        air.execute_terminator %al : memref<4x64xi32, 1>
      }
      %t1, %l2o = air.execute -> (memref<4x64xi32, 1>) {
        %al = memref.alloc() : memref<4x64xi32, 1>
        air.execute_terminator %al : memref<4x64xi32, 1>
      }
      %g0 = air.channel.get async [%t0] @to_l2[] (%l2[] [] []) {id = 3 : i32} : (memref<4x64xi32, 1>)
      %p0 = scf.parallel (%i) = (%c0) to (%c4) step (%c1_0) init (%g0) -> !air.async.token {
        %q = air.channel.put async [%g0] @to_l1[%c0, %i] (%l2[%i, %c0] [%c1_0, %c64] [%c64, %c1_0]) {id = 4 : i32} : (memref<4x64xi32, 1>)
        scf.reduce(%q : !air.async.token) {
        ^bb0(%u: !air.async.token, %v: !air.async.token):
          %z = air.wait_all async [%u, %v]
          scf.reduce.return %z : !air.async.token
        }
      }
      %h = air.herd @h async tile (%tx, %ty) in (%sx = %c1_0, %sy = %c4) {
        %t2, %m = air.execute -> (memref<64xi32, 2>) {
          %al = memref.alloc() : memref<64xi32, 2>
          air.execute_terminator %al : memref<64xi32, 2>
        }
        %g1 = air.channel.get async [%t2] @to_l1[%tx, %ty] (%m[] [] []) {id = 5 : i32} : (memref<64xi32, 2>)
        %p1 = air.channel.put async [%g1] @up[%tx, %ty] (%m[] [] []) {id = 6 : i32} : (memref<64xi32, 2>)
        %d = air.execute [%p1] { memref.dealloc %m : memref<64xi32, 2> }
      }
      %g2 = scf.parallel (%i) = (%c0) to (%c4) step (%c1_0) init (%t1) -> !air.async.token {
        %q = air.channel.get async [%t1] @up[%c0, %i] (%l2o[%i, %c0] [%c1_0, %c64] [%c64, %c1_0]) {id = 7 : i32} : (memref<4x64xi32, 1>)
        scf.reduce(%q : !air.async.token) {
        ^bb0(%u: !air.async.token, %v: !air.async.token):
          %z = air.wait_all async [%u, %v]
          scf.reduce.return %z : !air.async.token
        }
      }
      %p2 = air.channel.put async [%g2] @out[] (%l2o[] [] []) {id = 8 : i32} : (memref<4x64xi32, 1>)
      %d0 = air.execute [%p0] { memref.dealloc %l2 : memref<4x64xi32, 1> }
      %d1 = air.execute [%p2] { memref.dealloc %l2o : memref<4x64xi32, 1> }
    }
  }
  return
}

func.func @l1_across_herds_and_rtp(%a: memref<16xi32>, %n: i32) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %l1 = memref.alloc() : memref<16xi32, 2>
  air.herd @fill tile (%tx, %ty) in (%sx = %c1, %sy = %c1) args(%m = %l1, %v = %n) : memref<16xi32, 2>, i32 {
    linalg.fill ins(%v : i32) outs(%m : memref<16xi32, 2>)
  }
  air.herd @store tile (%tx, %ty) in (%sx = %c1, %sy = %c1) args(%m = %l1, %x = %a) : memref<16xi32, 2>, memref<16xi32> {
    air.dma_memcpy_nd (%x[] [] [], %m[] [] []) : (memref<16xi32>, memref<16xi32, 2>)
  }
  memref.dealloc %l1 : memref<16xi32, 2>
  return
}

air.channel @mm [1, 1] {channel_type = "npu_mmio"}
memref.global "private" constant @weights : memref<8xi32> = dense<[1, 2, 3, 4, 5, 6, 7, 8]>
func.func @mmio_constant(%b: memref<8xi32>) {
  %g = memref.get_global @weights : memref<8xi32>
  %c1 = arith.constant 1 : index
  air.launch (%l) in (%n = %c1) args(%x = %g, %y = %b) : memref<8xi32>, memref<8xi32> {
    air.channel.put @mm[] (%x[] [] []) : (memref<8xi32>)
    air.segment args(%ys = %y) : memref<8xi32> {
      %c1_0 = arith.constant 1 : index
      air.herd tile (%tx, %ty) in (%sx = %c1_0, %sy = %c1_0) args(%yh = %ys) : memref<8xi32> {
        %m = memref.alloc() : memref<8xi32, 2>
        air.channel.get @mm[] (%m[] [] []) : (memref<8xi32, 2>)
        air.dma_memcpy_nd (%yh[] [] [], %m[] [] []) : (memref<8xi32>, memref<8xi32, 2>)
        memref.dealloc %m : memref<8xi32, 2>
      }
    }
  }
  return
}

air.channel @put_only [1, 1]
func.func @unpaired(%a: memref<16xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%l) in (%n = %c1) args(%x = %a) : memref<16xi32> {
    %p = air.channel.put async @put_only[] (%x[] [] []) : (memref<16xi32>)
    air.segment {
      %c1_0 = arith.constant 1 : index
      air.herd @named tile (%tx, %ty) in (%sx = %c1_0, %sy = %c1_0)
    }
  }
  return
}

air.channel @lc_in [1]
air.channel @lc_out [1]
func.func @trip_mismatch_many_to_one(%a: memref<64xi32>, %b: memref<64xi32>, %n: index) {
  %c1 = arith.constant 1 : index
  air.launch (%l) in (%s = %c1) args(%x = %a, %y = %b, %k = %n) : memref<64xi32>, memref<64xi32>, index {
    %c0 = arith.constant 0 : index
    %c1_0 = arith.constant 1 : index
    scf.for %i = %c0 to %k step %c1_0 {
      air.channel.put @lc_in[] (%x[] [] []) : (memref<64xi32>)
    }
    scf.for %i = %c0 to %k step %c1_0 {
      air.channel.get @lc_out[] (%y[] [] []) : (memref<64xi32>)
    }
    air.segment args(%ks = %k) : index {
      %c1_1 = arith.constant 1 : index
      air.herd tile (%tx, %ty) in (%sx = %c1_1, %sy = %c1_1) args(%kh = %ks) : index {
        %h0 = arith.constant 0 : index
        %h1 = arith.constant 1 : index
        scf.for %i = %h0 to %kh step %h1 {
          %m = memref.alloc() : memref<64xi32, 2>
          air.channel.get @lc_in[] (%m[] [] []) : (memref<64xi32, 2>)
          air.channel.put @lc_out[] (%m[] [] []) : (memref<64xi32, 2>)
          memref.dealloc %m : memref<64xi32, 2>
        }
      }
    }
  }
  return
}

func.func @sub_byte_and_reshape(%a: memref<16x16xi8>, %b: memref<256xi8>) {
  %c1 = arith.constant 1 : index
  air.herd tile (%tx, %ty) in (%sx = %c1, %sy = %c1) args(%x = %a, %y = %b) : memref<16x16xi8>, memref<256xi8> {
    %m = memref.alloc() : memref<16x16xi8, 2>
    air.dma_memcpy_nd (%m[] [] [], %x[0, 0] [16, 16] [1, 16]) : (memref<16x16xi8, 2>, memref<16x16xi8>)
    %v = memref.collapse_shape %m [[0, 1]] : memref<16x16xi8, 2> into memref<256xi8, 2>
    %w = memref.expand_shape %v [[0, 1, 2]] output_shape [4, 8, 8] : memref<256xi8, 2> into memref<4x8x8xi8, 2>
    %t = memref.transpose %w (i, j, k) -> (i, k, j) : memref<4x8x8xi8, 2> to memref<4x8x8xi8, strided<[64, 1, 8]>, 2>
    %n = memref.alloc() : memref<4x8x8xi8, 2>
    memref.copy %t, %n : memref<4x8x8xi8, strided<[64, 1, 8]>, 2> to memref<4x8x8xi8, 2>
    air.dma_memcpy_nd (%y[0] [256] [1], %n[] [] []) : (memref<256xi8>, memref<4x8x8xi8, 2>)
    memref.dealloc %m : memref<16x16xi8, 2>
    memref.dealloc %n : memref<4x8x8xi8, 2>
  }
  return
}

func.func @custom_npu(%a: memref<16xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%l) in (%s = %c1) args(%x = %a) : memref<16xi32> {
    air.segment {
      %c8 = arith.constant 8 : index
      %c6 = arith.constant 6 : index
      air.herd tile (%tx, %ty) in (%sx = %c8, %sy = %c6) {
        %m = memref.alloc() : memref<4096xi32, 2>
        %c1_i = arith.constant 1 : i32
        linalg.fill ins(%c1_i : i32) outs(%m : memref<4096xi32, 2>)
        memref.dealloc %m : memref<4096xi32, 2>
      }
    }
  }
  return
}

func.func @segment_in_loop_with_tokens(%a: memref<256x64xi32>, %b: memref<256x64xi32>) {
  %c2 = arith.constant 2 : index
  %w0 = air.wait_all async
  %t = air.launch async [%w0] (%l, %k) in (%s = %c2, %r = %c2) args(%x = %a, %y = %b) : memref<256x64xi32>, memref<256x64xi32> attributes {id = 7 : i32} {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %c64 = arith.constant 64 : index
    %base = arith.muli %l, %c128 : index
    %i0 = air.wait_all async
    %f = scf.for %i = %c0 to %c128 step %c64 iter_args(%u = %i0) -> (!air.async.token) {
      %row = arith.addi %base, %i : index
      %g = air.segment @inner async [%u] args(%rr = %row, %kk = %k, %xs = %x, %ys = %y) : index, index, memref<256x64xi32>, memref<256x64xi32> {
        %c4 = arith.constant 4 : index
        %c1 = arith.constant 1 : index
        %ta, %l2 = air.execute -> (memref<64x32xi32, 1>) {
          %al = memref.alloc() : memref<64x32xi32, 1>
          air.execute_terminator %al : memref<64x32xi32, 1>
        }
        %col = affine.apply affine_map<(d0) -> (d0 * 32)>(%kk)
        %d = air.dma_memcpy_nd async [%ta] (%l2[] [] [], %xs[%rr, %col] [64, 32] [64, 1]) : (memref<64x32xi32, 1>, memref<256x64xi32>)
        %h = air.herd async [%d] tile (%tx, %ty) in (%sx = %c4, %sy = %c1) args(%q = %l2) : memref<64x32xi32, 1> {
          %o = affine.apply affine_map<(d0) -> (d0 * 16)>(%tx)
          %tm, %m = air.execute -> (memref<16x32xi32, 2>) {
            %al = memref.alloc() : memref<16x32xi32, 2>
            air.execute_terminator %al : memref<16x32xi32, 2>
          }
          %g0 = air.dma_memcpy_nd async [%tm] (%m[] [] [], %q[%o, 0] [16, 32] [32, 1]) : (memref<16x32xi32, 2>, memref<64x32xi32, 1>)
          %e = air.execute [%g0] {
            affine.for %p = 0 to 16 {
              affine.for %v = 0 to 32 {
                %n = affine.load %m[%p, %v] : memref<16x32xi32, 2>
                %n2 = arith.muli %n, %n : i32
                affine.store %n2, %m[%p, %v] : memref<16x32xi32, 2>
              }
            }
          }
          %g1 = air.dma_memcpy_nd async [%e] (%q[%o, 0] [16, 32] [32, 1], %m[] [] []) : (memref<64x32xi32, 1>, memref<16x32xi32, 2>)
          %fr = air.execute [%g1] { memref.dealloc %m : memref<16x32xi32, 2> }
        }
        %st = air.dma_memcpy_nd async [%h] (%ys[%rr, %col] [64, 32] [64, 1], %l2[] [] []) : (memref<256x64xi32>, memref<64x32xi32, 1>)
        %de = air.execute [%st] { memref.dealloc %l2 : memref<64x32xi32, 1> }
      }
      scf.yield %g : !air.async.token
    }
  }
  air.wait_all [%t]
  return
}

func.func private @scale_tile(%m: memref<16x16xbf16, 2 : i32>, %f: bf16, %n: i32) attributes {link_with = "kernel.o", llvm.emit_c_interface} {
  %z = arith.constant 0 : index
  %one = arith.constant 1 : index
  %e = arith.index_cast %n : i32 to index
  scf.for %i = %z to %e step %one {
    scf.for %j = %z to %e step %one {
      %v = memref.load %m[%i, %j] : memref<16x16xbf16, 2 : i32>
      %w = arith.mulf %v, %f : bf16
      memref.store %w, %m[%i, %j] : memref<16x16xbf16, 2 : i32>
    }
  }
  return
}
air.channel @ein [2, 2]
air.channel @eout [2, 2]
func.func @calls_with_bodies(%a: memref<32x32xbf16>, %b: memref<32x32xbf16>, %n: i32) {
  %c1 = arith.constant 1 : index
  air.launch (%l) in (%s = %c1) args(%x = %a, %y = %b, %k = %n) : memref<32x32xbf16>, memref<32x32xbf16>, i32 {
    %c0 = arith.constant 0 : index
    %c1_0 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    scf.parallel (%i, %j) = (%c0, %c0) to (%c2, %c2) step (%c1_0, %c1_0) {
      %r = affine.apply affine_map<()[s0] -> (s0 * 16)>()[%i]
      %c = affine.apply affine_map<()[s0] -> (s0 * 16)>()[%j]
      air.channel.put @ein[%i, %j] (%x[%r, %c] [16, 16] [32, 1]) : (memref<32x32xbf16>)
      air.channel.get @eout[%i, %j] (%y[%r, %c] [16, 16] [32, 1]) : (memref<32x32xbf16>)
      scf.reduce
    }
    air.segment args(%ks = %k) : i32 {
      %c2_0 = arith.constant 2 : index
      air.herd @call tile (%tx, %ty) in (%sx = %c2_0, %sy = %c2_0) args(%kh = %ks) : i32 attributes {link_with = "kernel.o"} {
        %f = arith.constant 3.0 : bf16
        %m = memref.alloc() : memref<16x16xbf16, 2 : i32>
        air.channel.get @ein[%tx, %ty] (%m[] [] []) : (memref<16x16xbf16, 2 : i32>)
        func.call @scale_tile(%m, %f, %kh) : (memref<16x16xbf16, 2 : i32>, bf16, i32) -> ()
        air.channel.put @eout[%tx, %ty] (%m[] [] []) : (memref<16x16xbf16, 2 : i32>)
        memref.dealloc %m : memref<16x16xbf16, 2 : i32>
      }
    }
  }
  return
}

#m0 = affine_map<(m, n, k) -> (m, k)>
#m1 = affine_map<(m, n, k) -> (k, n)>
#m2 = affine_map<(m, n, k) -> (m, n)>
func.func @vector_contract_tiles(%a: memref<16x32xbf16>, %b: memref<32x16xbf16>, %c: memref<16x16xf32>) {
  %c1 = arith.constant 1 : index
  air.herd @vec tile (%tx, %ty) in (%sx = %c1, %sy = %c1) args(%x = %a, %y = %b, %z = %c) : memref<16x32xbf16>, memref<32x16xbf16>, memref<16x16xf32> {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %p = ub.poison : bf16
    %q = arith.constant 0.0 : f32
    %ma = memref.alloc() : memref<16x32xbf16, 2>
    %mb = memref.alloc() : memref<32x16xbf16, 2>
    %mc = memref.alloc() : memref<16x16xf32, 2>
    air.dma_memcpy_nd (%ma[] [] [], %x[] [] []) : (memref<16x32xbf16, 2>, memref<16x32xbf16>)
    air.dma_memcpy_nd (%mb[] [] [], %y[] [] []) : (memref<32x16xbf16, 2>, memref<32x16xbf16>)
    linalg.fill ins(%q : f32) outs(%mc : memref<16x16xf32, 2>)
    scf.for %i = %c0 to %c16 step %c4 {
      scf.for %j = %c0 to %c16 step %c4 {
        %acc = vector.transfer_read %mc[%i, %j], %q {in_bounds = [true, true]} : memref<16x16xf32, 2>, vector<4x4xf32>
        %r = scf.for %k = %c0 to %c32 step %c8 iter_args(%u = %acc) -> (vector<4x4xf32>) {
          %va = vector.transfer_read %ma[%i, %k], %p {in_bounds = [true, true]} : memref<16x32xbf16, 2>, vector<4x8xbf16>
          %vb = vector.transfer_read %mb[%k, %j], %p {in_bounds = [true, true]} : memref<32x16xbf16, 2>, vector<8x4xbf16>
          %wa = arith.extf %va : vector<4x8xbf16> to vector<4x8xf32>
          %wb = arith.extf %vb : vector<8x4xbf16> to vector<8x4xf32>
          %d = vector.contract {indexing_maps = [#m0, #m1, #m2], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %wa, %wb, %u : vector<4x8xf32>, vector<8x4xf32> into vector<4x4xf32>
          scf.yield %d : vector<4x4xf32>
        }
        vector.transfer_write %r, %mc[%i, %j] {in_bounds = [true, true]} : vector<4x4xf32>, memref<16x16xf32, 2>
      }
    }
    air.dma_memcpy_nd (%z[] [] [], %mc[] [] []) : (memref<16x16xf32>, memref<16x16xf32, 2>)
    memref.dealloc %ma : memref<16x32xbf16, 2>
    memref.dealloc %mb : memref<32x16xbf16, 2>
    memref.dealloc %mc : memref<16x16xf32, 2>
  }
  return
}

air.channel @dyn_in [1, 1]
air.channel @dyn_out [1, 1]
func.func @length_as_argument(%a: memref<1024xi16>, %b: memref<1024xi16>, %n: i32) {
  %c1 = arith.constant 1 : index
  air.launch (%l) in (%s = %c1) args(%x = %a, %y = %b, %k = %n) : memref<1024xi16>, memref<1024xi16>, i32 {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c1_0 = arith.constant 1 : index
    %len = arith.index_cast %k : i32 to index
    scf.for %i = %c0 to %len step %c32 {
      air.channel.put @dyn_in[] (%x[%i] [%c32] [%c1_0]) : (memref<1024xi16>)
    }
    scf.for %i = %c0 to %len step %c32 {
      air.channel.get @dyn_out[] (%y[%i] [%c32] [%c1_0]) : (memref<1024xi16>)
    }
    air.segment args(%ks = %k) : i32 {
      %c1_1 = arith.constant 1 : index
      air.herd tile (%tx, %ty) in (%sx = %c1_1, %sy = %c1_1) args(%kh = %ks) : i32 {
        %z = arith.constant 0 : index
        %st = arith.constant 32 : index
        %e = arith.index_cast %kh : i32 to index
        %m = memref.alloc() : memref<32xi16, 2>
        scf.for %i = %z to %e step %st {
          air.channel.get @dyn_in[%tx, %ty] (%m[] [] []) : (memref<32xi16, 2>)
          air.channel.put @dyn_out[%tx, %ty] (%m[] [] []) : (memref<32xi16, 2>)
        }
        memref.dealloc %m : memref<32xi16, 2>
      }
    }
  }
  return
}
