// A launch without a space, with attributes of the placement on an NPU.
air.channel @in_a [1, 1]
air.channel @out_a [1, 1]
func.func @empty_space(%a: memref<64xbf16>, %b: memref<64xbf16>) {
  %t = air.launch async () in () args(%x = %a, %y = %b) : memref<64xbf16>, memref<64xbf16> {
    %1 = air.channel.put async @in_a[] (%x[] [] []) {metadata = @airMemcpyId1} : (memref<64xbf16>)
    %2 = air.channel.get async [%1] @out_a[] (%y[] [] []) {metadata = @airMemcpyId2} : (memref<64xbf16>)
    %3 = air.segment @seg async attributes {id = 2 : i32, x_loc = 0 : i64, x_size = 1 : i64} {
      %c1 = arith.constant 1 : index
      %4 = air.herd @h async tile (%tx, %ty) in (%sx = %c1, %sy = %c1) attributes {id = 3 : i32, x_loc = 0 : i64, y_loc = 2 : i64, link_with = "kernel.o"} {
        %t0, %m = air.execute -> (memref<64xbf16, 2>) {
          %alloc = memref.alloc() : memref<64xbf16, 2>
          air.execute_terminator %alloc : memref<64xbf16, 2>
        }
        %5 = air.channel.get async [%t0] @in_a[%tx, %ty] (%m[] [] []) : (memref<64xbf16, 2>)
        %6 = air.channel.put async [%5] @out_a[%tx, %ty] (%m[] [] []) : (memref<64xbf16, 2>)
        %7 = air.execute [%6] {
          memref.dealloc %m : memref<64xbf16, 2>
        }
      }
    }
    %8 = air.wait_all async [%1, %2]
  }
  return
}
// -----
// Two buffers in L1 take turns; tokens order them.
air.channel @pong [1, 1]
air.channel @back [1, 1]
func.func @ping_pong_tokens(%a: memref<512xi32>, %b: memref<512xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%lx) in (%ls = %c1) args(%x = %a, %y = %b) : memref<512xi32>, memref<512xi32> {
    %c0 = arith.constant 0 : index
    %c512 = arith.constant 512 : index
    %c128 = arith.constant 128 : index
    %c1_0 = arith.constant 1 : index
    %w = air.wait_all async
    %p = scf.for %i = %c0 to %c512 step %c128 iter_args(%t = %w) -> (!air.async.token) {
      %q = air.channel.put async [%t] @pong[] (%x[%i] [%c128] [%c1_0]) : (memref<512xi32>)
      scf.yield %q : !air.async.token
    }
    %g = scf.for %i = %c0 to %c512 step %c128 iter_args(%t = %w) -> (!air.async.token) {
      %q = air.channel.get async [%t] @back[] (%y[%i] [%c128] [%c1_0]) : (memref<512xi32>)
      scf.yield %q : !air.async.token
    }
    %s = air.segment async {
      %c1_1 = arith.constant 1 : index
      %h = air.herd async tile (%tx, %ty) in (%sx = %c1_1, %sy = %c1_1) {
        %c0_2 = arith.constant 0 : index
        %c512_2 = arith.constant 512 : index
        %c256_2 = arith.constant 256 : index
        %t0, %m0 = air.execute -> (memref<128xi32, 2>) {
          %alloc = memref.alloc() : memref<128xi32, 2>
          air.execute_terminator %alloc : memref<128xi32, 2>
        } {unroll = 0 : i32}
        %t1, %m1 = air.execute -> (memref<128xi32, 2>) {
          %alloc = memref.alloc() : memref<128xi32, 2>
          air.execute_terminator %alloc : memref<128xi32, 2>
        } {unroll = 1 : i32}
        %r:4 = scf.for %i = %c0_2 to %c512_2 step %c256_2 iter_args(%u0 = %t0, %u1 = %t1, %u2 = %t1, %u3 = %t1) -> (!air.async.token, !air.async.token, !air.async.token, !air.async.token) {
          %g0 = air.channel.get async [%u0, %u3] @pong[%tx, %ty] (%m0[] [] []) : (memref<128xi32, 2>)
          %w0 = air.wait_all async [%g0, %u2]
          %e0 = air.execute [%w0] {
            linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%m0 : memref<128xi32, 2>) {
            ^bb0(%v: i32):
              %c7 = arith.constant 7 : i32
              %s0 = arith.addi %v, %c7 : i32
              linalg.yield %s0 : i32
            }
          }
          %p0 = air.channel.put async [%e0] @back[%tx, %ty] (%m0[] [] []) : (memref<128xi32, 2>)
          %g1 = air.channel.get async [%g0, %u1] @pong[%tx, %ty] (%m1[] [] []) : (memref<128xi32, 2>)
          %p1 = air.channel.put async [%g1, %p0] @back[%tx, %ty] (%m1[] [] []) : (memref<128xi32, 2>)
          scf.yield %p0, %p1, %e0, %g1 : !air.async.token, !air.async.token, !air.async.token, !air.async.token
        }
        %d0 = air.execute [%r#0] { memref.dealloc %m0 : memref<128xi32, 2> }
        %d1 = air.execute [%r#1] { memref.dealloc %m1 : memref<128xi32, 2> }
      }
    }
  }
  return
}
// -----
// A put reaches a column of PEs.
air.channel @bc [1, 2] {broadcast_shape = [2, 2]}
func.func @broadcast_columns(%a: memref<2x32xi32>, %b: memref<4x32xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%l0, %l1) in (%s0 = %c1, %s1 = %c1) args(%x = %a, %y = %b) : memref<2x32xi32>, memref<4x32xi32> {
    %c0 = arith.constant 0 : index
    %c1_0 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c32 = arith.constant 32 : index
    scf.parallel (%i) = (%c0) to (%c2) step (%c1_0) {
      air.channel.put @bc[%c0, %i] (%x[%i, %c0] [%c1_0, %c32] [%c32, %c1_0]) : (memref<2x32xi32>)
      scf.reduce
    }
    air.segment args(%ys = %y) : memref<4x32xi32> {
      %c2_0 = arith.constant 2 : index
      air.herd tile (%tx, %ty) in (%sx = %c2_0, %sy = %c2_0) args(%yh = %ys) : memref<4x32xi32> {
        %m = memref.alloc() : memref<32xi32, 2>
        %r = affine.apply affine_map<(d0, d1) -> (d0 * 2 + d1)>(%tx, %ty)
        air.channel.get @bc[%tx, %ty] (%m[] [] []) : (memref<32xi32, 2>)
        air.dma_memcpy_nd (%yh[%r, 0] [1, 32] [32, 1], %m[] [] []) : (memref<4x32xi32>, memref<32xi32, 2>)
        memref.dealloc %m : memref<32xi32, 2>
      }
    }
  }
  return
}
// -----
// A parallel loop of herds, reduced to a token.
func.func @async_parallel_herd_dma(%a: memref<64x64xf32>, %b: memref<64x64xf32>) {
  %c2 = arith.constant 2 : index
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c32 = arith.constant 32 : index
  %t0, %r = air.execute -> (memref<64x64xf32>) {
    %al = memref.alloc() {alignment = 128 : i64} : memref<64x64xf32>
    air.execute_terminator %al : memref<64x64xf32>
  }
  %e = air.execute [%t0] {
    memref.copy %a, %r : memref<64x64xf32> to memref<64x64xf32>
  }
  %p = scf.parallel (%i, %j) = (%c0, %c0) to (%c64, %c64) step (%c32, %c32) init (%e) -> !air.async.token {
    %h = air.herd async [%e] tile (%tx, %ty) in (%sx = %c2, %sy = %c2) args(%ii = %i, %jj = %j, %x = %r, %y = %b) : index, index, memref<64x64xf32>, memref<64x64xf32> {
      %c1 = arith.constant 1 : index
      %c16 = arith.constant 16 : index
      %c64_0 = arith.constant 64 : index
      %0 = affine.apply affine_map<()[s0, s1] -> (s0 * 16 + s1)>()[%tx, %ii]
      %1 = affine.apply affine_map<()[s0, s1] -> (s0 * 16 + s1)>()[%ty, %jj]
      %ta, %m = air.execute -> (memref<16x16xf32, 2>) {
        %al = memref.alloc() : memref<16x16xf32, 2>
        air.execute_terminator %al : memref<16x16xf32, 2>
      }
      %d = air.dma_memcpy_nd async [%ta] (%m[] [] [], %x[%0, %1] [%c16, %c16] [%c64_0, %c1]) : (memref<16x16xf32, 2>, memref<64x64xf32>)
      %f = air.dma_memcpy_nd async [%d] (%y[%0, %1] [%c16, %c16] [%c64_0, %c1], %m[] [] []) : (memref<64x64xf32>, memref<16x16xf32, 2>)
      %g = air.execute [%f] { memref.dealloc %m : memref<16x16xf32, 2> }
      air.herd_terminator
    }
    scf.reduce(%h : !air.async.token) {
    ^bb0(%l: !air.async.token, %q: !air.async.token):
      %w = air.wait_all async [%l, %q]
      scf.reduce.return %w : !air.async.token
    }
  }
  %z = air.execute [%p] { memref.dealloc %r : memref<64x64xf32> }
  return
}
// -----
// Gets in both branches of a condition.
air.channel @sw_in [2, 1]
air.channel @sw_out [2, 1]
func.func @scf_if_puts(%a: memref<2x64xf32>, %b: memref<2x64xf32>) {
  %c1 = arith.constant 1 : index
  air.launch (%l) in (%ls = %c1) args(%x = %a, %y = %b) : memref<2x64xf32>, memref<2x64xf32> {
    %c0 = arith.constant 0 : index
    %c1_0 = arith.constant 1 : index
    %0 = air.channel.put async @sw_in[%c0, %c0] (%x[0, 0] [1, 64] [64, 1]) : (memref<2x64xf32>)
    %1 = air.channel.put async @sw_in[%c1_0, %c0] (%x[1, 0] [1, 64] [64, 1]) : (memref<2x64xf32>)
    %2 = air.channel.get async @sw_out[%c0, %c0] (%y[0, 0] [1, 64] [64, 1]) : (memref<2x64xf32>)
    %3 = air.channel.get async @sw_out[%c1_0, %c0] (%y[1, 0] [1, 64] [64, 1]) : (memref<2x64xf32>)
    air.segment {
      %c2 = arith.constant 2 : index
      %c1_1 = arith.constant 1 : index
      air.herd tile (%tx, %ty) in (%sx = %c2, %sy = %c1_1) {
        %z = arith.constant 0 : index
        %m = memref.alloc() : memref<64xf32, 2>
        %cond = arith.cmpi eq, %tx, %z : index
        %t = scf.if %cond -> (!air.async.token) {
          %g = air.channel.get async @sw_in[%tx, %ty] (%m[] [] []) : (memref<64xf32, 2>)
          scf.yield %g : !air.async.token
        } else {
          %g = air.channel.get async @sw_in[%tx, %ty] (%m[] [] []) : (memref<64xf32, 2>)
          scf.yield %g : !air.async.token
        }
        %p = air.channel.put async [%t] @sw_out[%tx, %ty] (%m[] [] []) : (memref<64xf32, 2>)
        air.wait_all [%p]
        memref.dealloc %m : memref<64xf32, 2>
      }
    }
  }
  return
}
// -----
// A herd of more PEs than a workgroup has waves.
func.func @herd_8x8(%a: memref<64x64xi32>) {
  %c8 = arith.constant 8 : index
  air.herd @big tile (%tx, %ty) in (%sx = %c8, %sy = %c8) args(%x = %a) : memref<64x64xi32> {
    %m = memref.alloc() : memref<8x8xi32, 2>
    %0 = affine.apply affine_map<(d0) -> (d0 * 8)>(%tx)
    %1 = affine.apply affine_map<(d0) -> (d0 * 8)>(%ty)
    air.dma_memcpy_nd (%m[] [] [], %x[%0, %1] [8, 8] [64, 1]) : (memref<8x8xi32, 2>, memref<64x64xi32>)
    affine.for %i = 0 to 8 {
      affine.for %j = 0 to 8 {
        %v = affine.load %m[%i, %j] : memref<8x8xi32, 2>
        %w = arith.addi %v, %v : i32
        affine.store %w, %m[%i, %j] : memref<8x8xi32, 2>
      }
    }
    air.dma_memcpy_nd (%x[%0, %1] [8, 8] [64, 1], %m[] [] []) : (memref<64x64xi32>, memref<8x8xi32, 2>)
    memref.dealloc %m : memref<8x8xi32, 2>
  }
  return
}
// -----
// Each instance of a segment has its own elements of the channels.
func.func @seg_unroll_channels(%a: memref<4x64xi32>, %b: memref<4x64xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%l) in (%ls = %c1) args(%x = %a, %y = %b) : memref<4x64xi32>, memref<4x64xi32> {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c1_0 = arith.constant 1 : index
    scf.forall (%i) in (4) {
      air.channel.put @su_in[%i] (%x[%i, 0] [1, 64] [64, 1]) : (memref<4x64xi32>)
    }
    scf.for %i = %c0 to %c4 step %c1_0 {
      air.channel.get @su_out[%i] (%y[%i, 0] [1, 64] [64, 1]) : (memref<4x64xi32>)
    }
    air.segment @seg unroll (%u) in (%us = %c4) {
      %c1_1 = arith.constant 1 : index
      air.herd tile (%tx, %ty) in (%sx = %c1_1, %sy = %c1_1) args(%id = %u) : index {
        %m = memref.alloc() : memref<64xi32, 2>
        air.channel.get @su_in[%id] (%m[] [] []) : (memref<64xi32, 2>)
        air.channel.put @su_out[%id] (%m[] [] []) : (memref<64xi32, 2>)
        memref.dealloc %m : memref<64xi32, 2>
      }
    }
  }
  return
}
air.channel @su_in [4]
air.channel @su_out [4]
// -----
// A loop carries buffers in L2.
func.func @l2_iter_args(%a: memref<256xi32>, %b: memref<256xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%l) in (%ls = %c1) args(%x = %a, %y = %b) : memref<256xi32>, memref<256xi32> {
    air.segment args(%xs = %x, %ys = %y) : memref<256xi32>, memref<256xi32> {
      %c0 = arith.constant 0 : index
      %c1_0 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %p = memref.alloc() : memref<64xi32, 1>
      %q = memref.alloc() : memref<64xi32, 1>
      %r:2 = scf.for %i = %c0 to %c4 step %c1_0 iter_args(%u = %p, %v = %q) -> (memref<64xi32, 1>, memref<64xi32, 1>) {
        %o = affine.apply affine_map<(d0) -> (d0 * 64)>(%i)
        air.dma_memcpy_nd (%u[] [] [], %xs[%o] [64] [1]) : (memref<64xi32, 1>, memref<256xi32>)
        air.herd tile (%tx, %ty) in (%sx = %c1_0, %sy = %c4) args(%w = %u) : memref<64xi32, 1> {
          %m = memref.alloc() : memref<16xi32, 2>
          %o2 = affine.apply affine_map<(d0) -> (d0 * 16)>(%ty)
          air.dma_memcpy_nd (%m[] [] [], %w[%o2] [16] [1]) : (memref<16xi32, 2>, memref<64xi32, 1>)
          linalg.add ins(%m, %m : memref<16xi32, 2>, memref<16xi32, 2>) outs(%m : memref<16xi32, 2>)
          air.dma_memcpy_nd (%w[%o2] [16] [1], %m[] [] []) : (memref<64xi32, 1>, memref<16xi32, 2>)
          memref.dealloc %m : memref<16xi32, 2>
        }
        air.dma_memcpy_nd (%ys[%o] [64] [1], %u[] [] []) : (memref<256xi32>, memref<64xi32, 1>)
        scf.yield %v, %u : memref<64xi32, 1>, memref<64xi32, 1>
      }
      memref.dealloc %p : memref<64xi32, 1>
      memref.dealloc %q : memref<64xi32, 1>
    }
  }
  return
}
// -----
// A channel of packets between a function and a herd.
air.channel @pk [1] {channel_type = "npu_dma_packet", packet_ids = [3], depth = 2 : i64}
func.func @packet_function(%a: memref<32xi8>, %b: memref<32xi8>) {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %t = air.channel.put async @pk[%c0] (%a[] [] []) {id = 1 : i32} : (memref<32xi8>)
  %h = air.herd async tile (%tx, %ty) in (%sx = %c1, %sy = %c1) args(%y = %b) : memref<32xi8> {
    %c0_0 = arith.constant 0 : index
    %m = memref.alloc() : memref<32xi8, 2>
    air.channel.get @pk[%c0_0] (%m[] [] []) : (memref<32xi8, 2>)
    air.dma_memcpy_nd (%y[] [] [], %m[] [] []) : (memref<32xi8>, memref<32xi8, 2>)
    memref.dealloc %m : memref<32xi8, 2>
  }
  air.wait_all [%t, %h]
  return
}
// -----
// A matmul with tiles in L2 and L1 and an accumulator that herds share.
func.func @matmul_l1_l2(%a: memref<128x128xbf16>, %b: memref<128x128xbf16>, %c: memref<128x128xf32>) {
  %c2 = arith.constant 2 : index
  air.launch (%lx, %ly) in (%l0 = %c2, %l1 = %c2) args(%A = %a, %B = %b, %C = %c) : memref<128x128xbf16>, memref<128x128xbf16>, memref<128x128xf32> attributes {id = 7 : i32} {
    air.segment @mm args(%x = %lx, %y = %ly, %As = %A, %Bs = %B, %Cs = %C) : index, index, memref<128x128xbf16>, memref<128x128xbf16>, memref<128x128xf32> {
      %c0 = arith.constant 0 : index
      %c2_0 = arith.constant 2 : index
      %c32 = arith.constant 32 : index
      %c128 = arith.constant 128 : index
      %c1 = arith.constant 1 : index
      %c64 = arith.constant 64 : index
      %r = affine.apply affine_map<()[s0] -> (s0 * 64)>()[%x]
      %q = affine.apply affine_map<()[s0] -> (s0 * 64)>()[%y]
      %acc = memref.alloc() : memref<2x2x32x32xf32, 2 : i32>
      air.herd @init tile (%tx, %ty) in (%sx = %c2_0, %sy = %c2_0) args(%ac = %acc) : memref<2x2x32x32xf32, 2 : i32> {
        %z = arith.constant 0.0 : f32
        %v = memref.subview %ac[%tx, %ty, 0, 0] [1, 1, 32, 32] [1, 1, 1, 1] : memref<2x2x32x32xf32, 2 : i32> to memref<1x1x32x32xf32, strided<[2048, 1024, 32, 1], offset: ?>, 2 : i32>
        linalg.fill ins(%z : f32) outs(%v : memref<1x1x32x32xf32, strided<[2048, 1024, 32, 1], offset: ?>, 2 : i32>)
      }
      scf.for %k = %c0 to %c128 step %c32 {
        %la = memref.alloc() : memref<64x32xbf16, 1 : i32>
        %lb = memref.alloc() : memref<32x64xbf16, 1 : i32>
        air.dma_memcpy_nd (%la[] [] [], %As[%r, %k] [%c64, %c32] [%c128, %c1]) : (memref<64x32xbf16, 1 : i32>, memref<128x128xbf16>)
        air.dma_memcpy_nd (%lb[] [] [], %Bs[%k, %q] [%c32, %c64] [%c128, %c1]) : (memref<32x64xbf16, 1 : i32>, memref<128x128xbf16>)
        air.herd @compute tile (%tx, %ty) in (%sx = %c2_0, %sy = %c2_0) args(%ac = %acc, %pa = %la, %pb = %lb) : memref<2x2x32x32xf32, 2 : i32>, memref<64x32xbf16, 1 : i32>, memref<32x64xbf16, 1 : i32> {
          %ra = affine.apply affine_map<()[s0] -> (s0 * 32)>()[%tx]
          %rb = affine.apply affine_map<()[s0] -> (s0 * 32)>()[%ty]
          %ma = memref.alloc() : memref<32x32xbf16, 2 : i32>
          %mb = memref.alloc() : memref<32x32xbf16, 2 : i32>
          air.dma_memcpy_nd (%ma[] [] [], %pa[%ra, 0] [32, 32] [32, 1]) : (memref<32x32xbf16, 2 : i32>, memref<64x32xbf16, 1 : i32>)
          air.dma_memcpy_nd (%mb[] [] [], %pb[0, %rb] [32, 32] [64, 1]) : (memref<32x32xbf16, 2 : i32>, memref<32x64xbf16, 1 : i32>)
          %v = memref.subview %ac[%tx, %ty, 0, 0] [1, 1, 32, 32] [1, 1, 1, 1] : memref<2x2x32x32xf32, 2 : i32> to memref<32x32xf32, strided<[32, 1], offset: ?>, 2 : i32>
          linalg.matmul ins(%ma, %mb : memref<32x32xbf16, 2 : i32>, memref<32x32xbf16, 2 : i32>) outs(%v : memref<32x32xf32, strided<[32, 1], offset: ?>, 2 : i32>)
          memref.dealloc %ma : memref<32x32xbf16, 2 : i32>
          memref.dealloc %mb : memref<32x32xbf16, 2 : i32>
        }
        memref.dealloc %la : memref<64x32xbf16, 1 : i32>
        memref.dealloc %lb : memref<32x64xbf16, 1 : i32>
      }
      air.herd @drain tile (%tx, %ty) in (%sx = %c2_0, %sy = %c2_0) args(%ac = %acc, %o = %Cs, %rr = %r, %qq = %q) : memref<2x2x32x32xf32, 2 : i32>, memref<128x128xf32>, index, index {
        %0 = affine.apply affine_map<()[s0, s1] -> (s0 * 32 + s1)>()[%tx, %rr]
        %1 = affine.apply affine_map<()[s0, s1] -> (s0 * 32 + s1)>()[%ty, %qq]
        air.dma_memcpy_nd (%o[%0, %1] [32, 32] [128, 1], %ac[%tx, %ty, 0, 0] [1, 1, 32, 32] [2048, 1024, 32, 1]) : (memref<128x128xf32>, memref<2x2x32x32xf32, 2 : i32>)
      }
      memref.dealloc %acc : memref<2x2x32x32xf32, 2 : i32>
    }
  }
  return
}
// -----
// Launches in order of their tokens; waits at the ends of their bodies.
func.func @two_launches_and_deps(%a: memref<64xi32>) {
  %c1 = arith.constant 1 : index
  %0 = air.launch async (%l) in (%ls = %c1) args(%x = %a) : memref<64xi32> {
    %s = air.segment async args(%xs = %x) : memref<64xi32> {
      %c4 = arith.constant 4 : index
      %c1_0 = arith.constant 1 : index
      %h = air.herd @one async tile (%tx, %ty) in (%sx = %c4, %sy = %c1_0) args(%xh = %xs) : memref<64xi32> {
        %c16 = arith.constant 16 : index
        %o = arith.muli %tx, %c16 : index
        %t, %m = air.execute -> (memref<16xi32, 2>) {
          %al = memref.alloc() : memref<16xi32, 2>
          air.execute_terminator %al : memref<16xi32, 2>
        }
        %d = air.dma_memcpy_nd async [%t] (%m[] [] [], %xh[%o] [16] [1]) : (memref<16xi32, 2>, memref<64xi32>)
        %e, %v = air.execute [%d] -> (i32) {
          %z = arith.constant 0 : index
          %q = memref.load %m[%z] : memref<16xi32, 2>
          air.execute_terminator %q : i32
        }
        %f = air.execute [%e] {
          linalg.fill ins(%v : i32) outs(%m : memref<16xi32, 2>)
        }
        %g = air.dma_memcpy_nd async [%f] (%xh[%o] [16] [1], %m[] [] []) : (memref<64xi32>, memref<16xi32, 2>)
        air.wait_all [%g] {air.herd_end}
      }
      air.wait_all [%h] {air.segment_end}
    }
    air.wait_all [%s] {air.launch_end}
  }
  %1 = air.launch async [%0] (%l) in (%ls = %c1) args(%x = %a) : memref<64xi32> {
    air.herd tile (%tx, %ty) in (%sx = %ls, %sy = %ls) args(%xh = %x) : memref<64xi32> {
      %m = memref.alloc() : memref<64xi32, 2>
      air.dma_memcpy_nd (%m[] [] [], %xh[] [] []) : (memref<64xi32, 2>, memref<64xi32>)
      air.dma_memcpy_nd (%xh[] [] [], %m[] [] []) : (memref<64xi32>, memref<64xi32, 2>)
      memref.dealloc %m : memref<64xi32, 2>
    }
  }
  air.wait_all [%1]
  return
}
// -----
// A matmul whose tiles are broadcast through channels.
air.channel @A [2, 1] {broadcast_shape = [2, 2]}
air.channel @B [1, 2] {broadcast_shape = [2, 2]}
air.channel @C [2, 2]
func.func @matmul_channels(%a: memref<64x64xbf16>, %b: memref<64x64xbf16>, %c: memref<64x64xf32>) {
  %c1 = arith.constant 1 : index
  %t = air.launch async (%lx, %ly) in (%n0 = %c1, %n1 = %c1) args(%la = %a, %lb = %b, %lc = %c) : memref<64x64xbf16>, memref<64x64xbf16>, memref<64x64xf32> attributes {id = 1 : i32} {
    %c0 = arith.constant 0 : index
    %c1_0 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %w = air.wait_all async
    %pa = scf.parallel (%i) = (%c0) to (%c2) step (%c1_0) init (%w) -> !air.async.token {
      %o, %off = air.execute -> (index) {
        %q = affine.apply affine_map<()[s0] -> (s0 * 32)>()[%i]
        air.execute_terminator %q : index
      }
      %r = scf.for %k = %c0 to %c64 step %c32 iter_args(%u = %o) -> (!air.async.token) {
        %p = air.channel.put async [%u] @A[%i, %c0] (%la[%off, %k] [%c32, %c32] [%c64, %c1_0]) {id = 1 : i32} : (memref<64x64xbf16>)
        scf.yield %p : !air.async.token
      }
      scf.reduce(%r : !air.async.token) {
      ^bb0(%x: !air.async.token, %y: !air.async.token):
        %z = air.wait_all async [%x, %y]
        scf.reduce.return %z : !air.async.token
      }
    }
    %pb = scf.parallel (%i) = (%c0) to (%c2) step (%c1_0) init (%w) -> !air.async.token {
      %q = affine.apply affine_map<()[s0] -> (s0 * 32)>()[%i]
      %r = scf.for %k = %c0 to %c64 step %c32 iter_args(%u = %w) -> (!air.async.token) {
        %p = air.channel.put async [%u] @B[%c0, %i] (%lb[%k, %q] [%c32, %c32] [%c64, %c1_0]) {id = 2 : i32} : (memref<64x64xbf16>)
        scf.yield %p : !air.async.token
      }
      scf.reduce(%r : !air.async.token) {
      ^bb0(%x: !air.async.token, %y: !air.async.token):
        %z = air.wait_all async [%x, %y]
        scf.reduce.return %z : !air.async.token
      }
    }
    %gc = scf.parallel (%i, %j) = (%c0, %c0) to (%c2, %c2) step (%c1_0, %c1_0) init (%w) -> !air.async.token {
      %q = affine.apply affine_map<()[s0] -> (s0 * 32)>()[%i]
      %s = affine.apply affine_map<()[s0] -> (s0 * 32)>()[%j]
      %p = air.channel.get async [%w] @C[%i, %j] (%lc[%q, %s] [%c32, %c32] [%c64, %c1_0]) {id = 3 : i32} : (memref<64x64xf32>)
      scf.reduce(%p : !air.async.token) {
      ^bb0(%x: !air.async.token, %y: !air.async.token):
        %z = air.wait_all async [%x, %y]
        scf.reduce.return %z : !air.async.token
      }
    }
    %sg = air.segment @seg async attributes {x_loc = 0 : i64, x_size = 2 : i64, y_loc = 2 : i64, y_size = 2 : i64} {
      %s2 = arith.constant 2 : index
      %h = air.herd @herd_0 async tile (%tx, %ty) in (%sx = %s2, %sy = %s2) attributes {x_loc = 0 : i64, y_loc = 2 : i64} {
        %zero = arith.constant 0.0 : f32
        %h0 = arith.constant 0 : index
        %h32 = arith.constant 32 : index
        %h64 = arith.constant 64 : index
        %t0, %acc = air.execute -> (memref<32x32xf32, 2>) {
          %al = memref.alloc() : memref<32x32xf32, 2>
          air.execute_terminator %al : memref<32x32xf32, 2>
        }
        %t1 = air.execute [%t0] { linalg.fill ins(%zero : f32) outs(%acc : memref<32x32xf32, 2>) }
        %f = scf.for %k = %h0 to %h64 step %h32 iter_args(%u = %t1) -> (!air.async.token) {
          %t2, %ma = air.execute -> (memref<32x32xbf16, 2>) {
            %al = memref.alloc() : memref<32x32xbf16, 2>
            air.execute_terminator %al : memref<32x32xbf16, 2>
          }
          %t3, %mb = air.execute -> (memref<32x32xbf16, 2>) {
            %al = memref.alloc() : memref<32x32xbf16, 2>
            air.execute_terminator %al : memref<32x32xbf16, 2>
          }
          %g0 = air.channel.get async [%t2, %u] @A[%tx, %ty] (%ma[] [] []) {id = 4 : i32} : (memref<32x32xbf16, 2>)
          %g1 = air.channel.get async [%t3, %u] @B[%tx, %ty] (%mb[] [] []) {id = 5 : i32} : (memref<32x32xbf16, 2>)
          %m = air.execute [%g0, %g1] {
            linalg.matmul ins(%ma, %mb : memref<32x32xbf16, 2>, memref<32x32xbf16, 2>) outs(%acc : memref<32x32xf32, 2>)
          }
          %d0 = air.execute [%m] { memref.dealloc %ma : memref<32x32xbf16, 2> }
          %d1 = air.execute [%m] { memref.dealloc %mb : memref<32x32xbf16, 2> }
          scf.yield %m : !air.async.token
        }
        %pc = air.channel.put async [%f] @C[%tx, %ty] (%acc[] [] []) {id = 6 : i32} : (memref<32x32xf32, 2>)
        %dc = air.execute [%pc] { memref.dealloc %acc : memref<32x32xf32, 2> }
      }
    }
  }
  return
}
// -----
// PEs choose values by their ids.
air.channel @sw [1, 1]
func.func @index_switch_herd(%a: memref<4x16xi32>) {
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  air.herd tile (%tx, %ty) in (%sx = %c4, %sy = %c1) args(%x = %a) : memref<4x16xi32> {
    %m = memref.alloc() : memref<16xi32, 2>
    %v = scf.index_switch %tx -> i32
    case 0 {
      %q = arith.constant 7 : i32
      scf.yield %q : i32
    }
    case 1 {
      %q = arith.constant 8 : i32
      scf.yield %q : i32
    }
    default {
      %q = arith.index_cast %tx : index to i32
      scf.yield %q : i32
    }
    linalg.fill ins(%v : i32) outs(%m : memref<16xi32, 2>)
    air.dma_memcpy_nd (%x[%tx, 0] [1, 16] [16, 1], %m[] [] []) : (memref<4x16xi32>, memref<16xi32, 2>)
    memref.dealloc %m : memref<16xi32, 2>
  }
  return
}
// -----
// A parallel loop around a herd.
func.func @affine_parallel_around(%a: memref<32x32xi32>, %b: memref<32x32xi32>) {
  affine.parallel (%i, %j) = (0, 0) to (2, 2) {
    %c2 = arith.constant 2 : index
    air.herd tile (%tx, %ty) in (%sx = %c2, %sy = %c2) args(%ii = %i, %jj = %j, %x = %a, %y = %b) : index, index, memref<32x32xi32>, memref<32x32xi32> {
      %r = affine.apply affine_map<(d0, d1) -> (d0 * 16 + d1 * 8)>(%ii, %tx)
      %q = affine.apply affine_map<(d0, d1) -> (d0 * 16 + d1 * 8)>(%jj, %ty)
      affine.for %u = 0 to 8 {
        affine.for %v = 0 to 8 {
          %ru = arith.addi %r, %u : index
          %qv = arith.addi %q, %v : index
          %l = memref.load %x[%ru, %qv] : memref<32x32xi32>
          memref.store %l, %y[%ru, %qv] : memref<32x32xi32>
        }
      }
      air.herd_terminator
    }
  }
  return
}
// -----
// A transfer with padding.
func.func @pad_dma(%a: memref<30x30xf32>, %b: memref<32x32xf32>) {
  %c1 = arith.constant 1 : index
  air.launch (%l) in (%n = %c1) args(%x = %a, %y = %b) : memref<30x30xf32>, memref<32x32xf32> {
    air.segment args(%xs = %x, %ys = %y) : memref<30x30xf32>, memref<32x32xf32> {
      %l2 = memref.alloc() : memref<32x32xf32, 1>
      air.dma_memcpy_nd (%l2[] [] [], %xs[0, 0] [30, 30] [30, 1]) {pad_before = array<i32: 0, 0>, pad_after = array<i32: 2, 2>} : (memref<32x32xf32, 1>, memref<30x30xf32>)
      air.dma_memcpy_nd (%ys[] [] [], %l2[] [] []) : (memref<32x32xf32>, memref<32x32xf32, 1>)
      memref.dealloc %l2 : memref<32x32xf32, 1>
    }
  }
  return
}
// -----
// A transfer in a while loop.
func.func @while_in_herd(%a: memref<1xi32>) {
  %c1 = arith.constant 1 : index
  air.herd tile (%tx, %ty) in (%sx = %c1, %sy = %c1) args(%x = %a) : memref<1xi32> {
    %c0 = arith.constant 0 : index
    %z = arith.constant 0 : i32
    %ten = arith.constant 10 : i32
    %one = arith.constant 1 : i32
    %m = memref.alloc() : memref<1xi32, 2>
    %r = scf.while (%i = %z) : (i32) -> i32 {
      %c = arith.cmpi slt, %i, %ten : i32
      scf.condition(%c) %i : i32
    } do {
    ^bb0(%i: i32):
      air.dma_memcpy_nd (%m[] [] [], %x[] [] []) : (memref<1xi32, 2>, memref<1xi32>)
      %n = arith.addi %i, %one : i32
      scf.yield %n : i32
    }
    memref.store %r, %m[%c0] : memref<1xi32, 2>
    air.dma_memcpy_nd (%x[] [] [], %m[] [] []) : (memref<1xi32>, memref<1xi32, 2>)
    memref.dealloc %m : memref<1xi32, 2>
  }
  return
}
// -----
// A product of blocked tiles.
func.func @pack_matmul(%a: memref<2x4x8x8xbf16>, %b: memref<4x2x8x8xbf16>, %c: memref<2x2x8x8xf32>) {
  %c1 = arith.constant 1 : index
  air.herd tile (%tx, %ty) in (%sx = %c1, %sy = %c1) args(%x = %a, %y = %b, %z = %c) : memref<2x4x8x8xbf16>, memref<4x2x8x8xbf16>, memref<2x2x8x8xf32> {
    %ma = memref.alloc() : memref<2x4x8x8xbf16, 2>
    %mb = memref.alloc() : memref<4x2x8x8xbf16, 2>
    %mc = memref.alloc() : memref<2x2x8x8xf32, 2>
    %zero = arith.constant 0.0 : f32
    air.dma_memcpy_nd (%ma[] [] [], %x[] [] []) : (memref<2x4x8x8xbf16, 2>, memref<2x4x8x8xbf16>)
    air.dma_memcpy_nd (%mb[] [] [], %y[] [] []) : (memref<4x2x8x8xbf16, 2>, memref<4x2x8x8xbf16>)
    linalg.fill ins(%zero : f32) outs(%mc : memref<2x2x8x8xf32, 2>)
    linalg.generic {indexing_maps = [affine_map<(m, n, k, i, j, l) -> (m, k, i, l)>, affine_map<(m, n, k, i, j, l) -> (k, n, l, j)>, affine_map<(m, n, k, i, j, l) -> (m, n, i, j)>], iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction"]} ins(%ma, %mb : memref<2x4x8x8xbf16, 2>, memref<4x2x8x8xbf16, 2>) outs(%mc : memref<2x2x8x8xf32, 2>) attrs = {library_call = "matmul_bf16"} {
    ^bb0(%p: bf16, %q: bf16, %r: f32):
      %u = arith.extf %p : bf16 to f32
      %v = arith.extf %q : bf16 to f32
      %w = arith.mulf %u, %v : f32
      %s = arith.addf %r, %w : f32
      linalg.yield %s : f32
    }
    air.dma_memcpy_nd (%z[] [] [], %mc[] [] []) : (memref<2x2x8x8xf32>, memref<2x2x8x8xf32, 2>)
    memref.dealloc %ma : memref<2x4x8x8xbf16, 2>
    memref.dealloc %mb : memref<4x2x8x8xbf16, 2>
    memref.dealloc %mc : memref<2x2x8x8xf32, 2>
  }
  return
}
