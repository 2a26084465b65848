// Branches of a switch on an argument of the herd receive in messages of different sizes.
air.channel @xin [1, 1]
air.channel @xout [1, 1]
func.func @index_switch_on_argument(%a: memref<128xbf16>, %b: memref<128xbf16>) {
  %c1 = arith.constant 1 : index
  %0 = air.launch async (%l0, %l1) in (%s0 = %c1, %s1 = %c1) args(%x = %a, %y = %b) : memref<128xbf16>, memref<128xbf16> {
    %p = air.channel.put async @xin[] (%x[] [] []) {id = 1 : i32} : (memref<128xbf16>)
    %g = air.channel.get async @xout[] (%y[] [] []) {id = 2 : i32} : (memref<128xbf16>)
    %s = air.segment @seg async {
      %c1_0 = arith.constant 1 : index
      %mode = arith.constant 1 : i32
      %h = air.herd @rms async tile (%tx, %ty) in (%sx = %c1_0, %sy = %c1_0) args(%m = %mode) : i32 {
        %mi = arith.index_cast %m : i32 to index
        %c0 = arith.constant 0 : index
        %c4 = arith.constant 4 : index
        %c1_1 = arith.constant 1 : index
        scf.index_switch %mi
        case 0 {
          %t, %buf = air.execute -> (memref<32xbf16, 2>) {
            %al = memref.alloc() : memref<32xbf16, 2>
            air.execute_terminator %al : memref<32xbf16, 2>
          }
          %r = scf.for %i = %c0 to %c4 step %c1_1 iter_args(%u = %t) -> (!air.async.token) {
            %q = air.channel.get async [%u] @xin[%tx, %ty] (%buf[] [] []) : (memref<32xbf16, 2>)
            %w = air.channel.put async [%q] @xout[%tx, %ty] (%buf[] [] []) : (memref<32xbf16, 2>)
            scf.yield %w : !air.async.token
          }
          %d = air.execute [%r] { memref.dealloc %buf : memref<32xbf16, 2> }
          scf.yield
        }
        default {
          %t, %buf = air.execute -> (memref<128xbf16, 2>) {
            %al = memref.alloc() : memref<128xbf16, 2>
            air.execute_terminator %al : memref<128xbf16, 2>
          }
          %q = air.channel.get async [%t] @xin[%tx, %ty] (%buf[] [] []) : (memref<128xbf16, 2>)
          %w = air.channel.put async [%q] @xout[%tx, %ty] (%buf[] [] []) : (memref<128xbf16, 2>)
          %d = air.execute [%w] { memref.dealloc %buf : memref<128xbf16, 2> }
          scf.yield
        }
      }
    }
  }
  return
}
// -----
// Gets from one channel outside and inside of a loop.
air.channel @qk [1, 1]
air.channel @total [1, 1]
func.func @gets_at_different_depths(%a: memref<4x16x16xf32>, %b: memref<16x16xf32>) {
  %c1 = arith.constant 1 : index
  air.launch (%l) in (%s = %c1) args(%x = %a, %y = %b) : memref<4x16x16xf32>, memref<16x16xf32> {
    %t0 = air.wait_all async
    %c0 = arith.constant 0 : index
    %c1_0 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %p = scf.for %i = %c0 to %c4 step %c1_0 iter_args(%u = %t0) -> (!air.async.token) {
      %q = air.channel.put async [%u] @qk[] (%x[%i, 0, 0] [1, 16, 16] [256, 16, 1]) : (memref<4x16x16xf32>)
      scf.yield %q : !air.async.token
    }
    %g = air.channel.get async @total[] (%y[] [] []) : (memref<16x16xf32>)
    air.segment async {
      %c1_1 = arith.constant 1 : index
      %h = air.herd async tile (%tx, %ty) in (%sx = %c1_1, %sy = %c1_1) {
        %z = arith.constant 0 : index
        %one = arith.constant 1 : index
        %three = arith.constant 3 : index
        %ta, %acc = air.execute -> (memref<16x16xf32, 2>) {
          %al = memref.alloc() : memref<16x16xf32, 2>
          air.execute_terminator %al : memref<16x16xf32, 2>
        }
        %tb, %buf = air.execute -> (memref<16x16xf32, 2>) {
          %al = memref.alloc() : memref<16x16xf32, 2>
          air.execute_terminator %al : memref<16x16xf32, 2>
        }
        %g0 = air.channel.get async [%ta] @qk[%tx, %ty] (%acc[] [] []) : (memref<16x16xf32, 2>)
        %r = scf.for %i = %z to %three step %one iter_args(%u = %g0) -> (!air.async.token) {
          %g1 = air.channel.get async [%u, %tb] @qk[%tx, %ty] (%buf[] [] []) : (memref<16x16xf32, 2>)
          %e = air.execute [%g1] {
            linalg.add ins(%acc, %buf : memref<16x16xf32, 2>, memref<16x16xf32, 2>) outs(%acc : memref<16x16xf32, 2>)
          }
          scf.yield %e : !air.async.token
        }
        %p1 = air.channel.put async [%r] @total[%tx, %ty] (%acc[] [] []) : (memref<16x16xf32, 2>)
        %d0 = air.execute [%p1] { memref.dealloc %acc : memref<16x16xf32, 2> }
        %d1 = air.execute [%r] { memref.dealloc %buf : memref<16x16xf32, 2> }
      }
    }
  }
  return
}
// -----
// A matmul of packed tiles, which strided transfers pack and unpack.
#a = affine_map<(m, n, k, m1, n1, k1) -> (k, m, m1, k1)>
#b = affine_map<(m, n, k, m1, n1, k1) -> (n, k, k1, n1)>
#c = affine_map<(m, n, k, m1, n1, k1) -> (n, m, m1, n1)>
air.channel @pa [1, 1]
air.channel @pb [1, 1]
air.channel @pc [1, 1]
func.func @packed_matmul(%a: memref<32x64xbf16>, %b: memref<64x32xbf16>, %c: memref<32x32xf32>) {
  %c1 = arith.constant 1 : index
  air.launch (%l) in (%s = %c1) args(%x = %a, %y = %b, %w = %c) : memref<32x64xbf16>, memref<64x32xbf16>, memref<32x32xf32> {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c32 = arith.constant 32 : index
    scf.for %k = %c0 to %c64 step %c32 {
      air.channel.put @pa[] (%x[0, 0, 0, %k] [4, 8, 4, 8] [8, 256, 64, 1]) : (memref<32x64xbf16>)
      air.channel.put @pb[] (%y[0, 0, %k, 0] [8, 4, 8, 4] [4, 256, 32, 1]) : (memref<64x32xbf16>)
    }
    air.channel.get @pc[] (%w[] [] []) : (memref<32x32xf32>)
    air.segment {
      %c1_0 = arith.constant 1 : index
      air.herd @mm tile (%tx, %ty) in (%sx = %c1_0, %sy = %c1_0) {
        %z = arith.constant 0 : index
        %two = arith.constant 2 : index
        %one = arith.constant 1 : index
        %f0 = arith.constant 0.0 : f32
        %ma = memref.alloc() : memref<4x8x4x8xbf16, 2 : i32>
        %mb = memref.alloc() : memref<8x4x8x4xbf16, 2 : i32>
        %mc = memref.alloc() : memref<8x8x4x4xf32, 2 : i32>
        linalg.fill ins(%f0 : f32) outs(%mc : memref<8x8x4x4xf32, 2 : i32>)
        scf.for %k = %z to %two step %one {
          air.channel.get @pa[%tx, %ty] (%ma[] [] []) : (memref<4x8x4x8xbf16, 2 : i32>)
          air.channel.get @pb[%tx, %ty] (%mb[] [] []) : (memref<8x4x8x4xbf16, 2 : i32>)
          linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction"]}
              ins(%ma, %mb : memref<4x8x4x8xbf16, 2 : i32>, memref<8x4x8x4xbf16, 2 : i32>) outs(%mc : memref<8x8x4x4xf32, 2 : i32>) {
          ^bb0(%p: bf16, %q: bf16, %r: f32):
            %pe = arith.extf %p : bf16 to f32
            %qe = arith.extf %q : bf16 to f32
            %m = arith.mulf %pe, %qe : f32
            %t = arith.addf %r, %m : f32
            linalg.yield %t : f32
          }
        }
        air.channel.put @pc[%tx, %ty] (%mc[0, 0, 0, 0] [8, 4, 8, 4] [16, 4, 128, 1]) : (memref<8x8x4x4xf32, 2 : i32>)
        memref.dealloc %ma : memref<4x8x4x8xbf16, 2 : i32>
        memref.dealloc %mb : memref<8x4x8x4xbf16, 2 : i32>
        memref.dealloc %mc : memref<8x8x4x4xf32, 2 : i32>
      }
    }
  }
  return
}
// -----
// Integer sets select which rows of PEs a transfer feeds.
#row0 = affine_set<()[s0, s1] : (s0 == 0, s1 >= 0, -s1 + 1 >= 0)>
#row1 = affine_set<()[s0, s1] : (s0 - 1 == 0, s1 >= 0, -s1 + 1 >= 0)>
func.func @guarded_dma_broadcast(%a: memref<64x64xbf16>, %b: memref<64x64xbf16>) {
  %c1 = arith.constant 1 : index
  %0 = air.launch async (%l) in (%s = %c1) args(%x = %a, %y = %b) : memref<64x64xbf16>, memref<64x64xbf16> {
    %1 = air.segment async args(%xs = %x, %ys = %y) : memref<64x64xbf16>, memref<64x64xbf16> {
      %c2 = arith.constant 2 : index
      %2 = air.herd async tile (%tx, %ty) in (%sx = %c2, %sy = %c2) args(%xh = %xs, %yh = %ys) : memref<64x64xbf16>, memref<64x64xbf16> {
        %t, %m = air.execute -> (memref<32x64xbf16, 2>) {
          %al = memref.alloc() : memref<32x64xbf16, 2>
          air.execute_terminator %al : memref<32x64xbf16, 2>
        }
        %g = affine.if #row0()[%tx, %ty] -> !air.async.token {
          %d = air.dma_memcpy_nd async [%t] (%m[] [] [], %xh[0, 0] [32, 64] [64, 1]) {id = 1 : i32, broadcast_set = #row0} : (memref<32x64xbf16, 2>, memref<64x64xbf16>)
          affine.yield %d : !air.async.token
        } else {
          %d = air.dma_memcpy_nd async [%t] (%m[] [] [], %xh[32, 0] [32, 64] [64, 1]) {id = 2 : i32, broadcast_set = #row1} : (memref<32x64xbf16, 2>, memref<64x64xbf16>)
          affine.yield %d : !air.async.token
        }
        %r = affine.apply affine_map<()[s0] -> (s0 * 32)>()[%tx]
        %c = affine.apply affine_map<()[s0] -> (s0 * 32)>()[%ty]
        %w = air.dma_memcpy_nd async [%g] (%yh[%r, %c] [32, 32] [64, 1], %m[0, %c] [32, 32] [64, 1]) {id = 3 : i32} : (memref<64x64xbf16>, memref<32x64xbf16, 2>)
        %d = air.execute [%w] { memref.dealloc %m : memref<32x64xbf16, 2> }
      }
    }
  }
  return
}
// -----
// Conditions on the first and the last iteration guard a get and a put.
air.channel @data [1, 1]
air.channel @bias [1, 1]
air.channel @done [1, 1]
func.func @guards_on_first_and_last_iteration(%a: memref<4x32xf32>, %v: memref<32xf32>, %b: memref<32xf32>) {
  %c1 = arith.constant 1 : index
  air.launch (%l) in (%s = %c1) args(%x = %a, %u = %v, %y = %b) : memref<4x32xf32>, memref<32xf32>, memref<32xf32> {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c1_0 = arith.constant 1 : index
    air.channel.put @bias[] (%u[] [] []) : (memref<32xf32>)
    scf.for %i = %c0 to %c4 step %c1_0 {
      air.channel.put @data[] (%x[%i, 0] [1, 32] [32, 1]) : (memref<4x32xf32>)
    }
    air.channel.get @done[] (%y[] [] []) : (memref<32xf32>)
    air.segment {
      %c1_1 = arith.constant 1 : index
      air.herd tile (%tx, %ty) in (%sx = %c1_1, %sy = %c1_1) {
        %z = arith.constant 0 : index
        %one = arith.constant 1 : index
        %three = arith.constant 3 : index
        %four = arith.constant 4 : index
        %acc = memref.alloc() : memref<32xf32, 2>
        %m = memref.alloc() : memref<32xf32, 2>
        scf.for %i = %z to %four step %one {
          %first = arith.cmpi eq, %i, %z : index
          scf.if %first {
            air.channel.get @bias[%tx, %ty] (%acc[] [] []) : (memref<32xf32, 2>)
          }
          air.channel.get @data[%tx, %ty] (%m[] [] []) : (memref<32xf32, 2>)
          linalg.add ins(%acc, %m : memref<32xf32, 2>, memref<32xf32, 2>) outs(%acc : memref<32xf32, 2>)
          %last = arith.cmpi eq, %i, %three : index
          scf.if %last {
            air.channel.put @done[%tx, %ty] (%acc[] [] []) : (memref<32xf32, 2>)
          }
        }
        memref.dealloc %acc : memref<32xf32, 2>
        memref.dealloc %m : memref<32xf32, 2>
      }
    }
  }
  return
}
// -----
// Rows of a softmax in bf16, with loops over elements.
func.func @softmax_rows_bf16(%a: memref<16x256xbf16>, %b: memref<16x256xbf16>) {
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  air.herd @softmax tile (%tx, %ty) in (%sx = %c4, %sy = %c1) args(%x = %a, %y = %b) : memref<16x256xbf16>, memref<16x256xbf16> attributes {x_loc = 2 : i64, y_loc = 3 : i64} {
    %z = arith.constant 0 : index
    %one = arith.constant 1 : index
    %four = arith.constant 4 : index
    %n = arith.constant 256 : index
    %neg = arith.constant 0xFF80 : bf16
    %f0 = arith.constant 0.0 : f32
    scf.for %r = %z to %four step %one {
      %row = affine.apply affine_map<(d0)[s0] -> (d0 + s0 * 4)>(%r)[%tx]
      %m = memref.alloc() : memref<1x256xbf16, 2>
      %o = memref.alloc() : memref<1x256xbf16, 2>
      air.dma_memcpy_nd (%m[] [] [], %x[%row, 0] [1, 256] [256, 1]) : (memref<1x256xbf16, 2>, memref<16x256xbf16>)
      %max = scf.for %i = %z to %n step %one iter_args(%u = %neg) -> (bf16) {
        %e = memref.load %m[%z, %i] : memref<1x256xbf16, 2>
        %w = arith.maximumf %u, %e : bf16
        scf.yield %w : bf16
      }
      %sum = scf.for %i = %z to %n step %one iter_args(%u = %f0) -> (f32) {
        %e = memref.load %m[%z, %i] : memref<1x256xbf16, 2>
        %d = arith.subf %e, %max : bf16
        %p = math.exp %d : bf16
        memref.store %p, %o[%z, %i] : memref<1x256xbf16, 2>
        %q = arith.extf %p : bf16 to f32
        %w = arith.addf %u, %q : f32
        scf.yield %w : f32
      }
      %inv = math.rsqrt %sum : f32
      %inv2 = arith.mulf %inv, %inv : f32
      %k = arith.truncf %inv2 : f32 to bf16
      linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%o : memref<1x256xbf16, 2>) {
      ^bb0(%e: bf16):
        %w = arith.mulf %e, %k : bf16
        linalg.yield %w : bf16
      }
      air.dma_memcpy_nd (%y[%row, 0] [1, 256] [256, 1], %o[] [] []) : (memref<16x256xbf16>, memref<1x256xbf16, 2>)
      memref.dealloc %m : memref<1x256xbf16, 2>
      memref.dealloc %o : memref<1x256xbf16, 2>
    }
  }
  return
}
// -----
// A channel connects the herds of two segments.
air.channel @between [2, 1]
func.func @two_segments_and_a_channel(%a: memref<2x64xf16>, %b: memref<2x64xf16>) {
  %c1 = arith.constant 1 : index
  air.launch (%l) in (%s = %c1) args(%x = %a, %y = %b) : memref<2x64xf16>, memref<2x64xf16> {
    air.segment @first args(%xs = %x) : memref<2x64xf16> {
      %c2 = arith.constant 2 : index
      %c1_0 = arith.constant 1 : index
      air.herd @produce tile (%tx, %ty) in (%sx = %c2, %sy = %c1_0) args(%xh = %xs) : memref<2x64xf16> {
        %m = memref.alloc() : memref<64xf16, 2>
        air.dma_memcpy_nd (%m[] [] [], %xh[%tx, 0] [1, 64] [64, 1]) : (memref<64xf16, 2>, memref<2x64xf16>)
        linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%m : memref<64xf16, 2>) {
        ^bb0(%e: f16):
          %w = arith.addf %e, %e : f16
          linalg.yield %w : f16
        }
        air.channel.put @between[%tx, %ty] (%m[] [] []) : (memref<64xf16, 2>)
        memref.dealloc %m : memref<64xf16, 2>
      }
    }
    air.segment @second args(%ys = %y) : memref<2x64xf16> {
      %c2 = arith.constant 2 : index
      %c1_0 = arith.constant 1 : index
      air.herd @consume tile (%tx, %ty) in (%sx = %c2, %sy = %c1_0) args(%yh = %ys) : memref<2x64xf16> {
        %c1_1 = arith.constant 1 : index
        %other = arith.subi %c1_1, %tx : index
        %m = memref.alloc() : memref<64xf16, 2>
        air.channel.get @between[%other, %ty] (%m[] [] []) : (memref<64xf16, 2>)
        air.dma_memcpy_nd (%yh[%tx, 0] [1, 64] [64, 1], %m[] [] []) : (memref<2x64xf16>, memref<64xf16, 2>)
        memref.dealloc %m : memref<64xf16, 2>
      }
    }
  }
  return
}
// -----
// A loop of the segment swaps two buffers in L2, and feeds two PEs.
air.channel @fill [1, 1]
air.channel @feed [2, 1]
air.channel @drain [2, 1]
air.channel @store [1, 1]
func.func @l2_ping_pong_swapped(%a: memref<8x64xi32>, %b: memref<8x64xi32>) {
  %c1 = arith.constant 1 : index
  %t = air.launch async (%l) in (%s = %c1) args(%x = %a, %y = %b) : memref<8x64xi32>, memref<8x64xi32> {
    %p = air.channel.put async @fill[] (%x[] [] []) : (memref<8x64xi32>)
    %g = air.channel.get async @store[] (%y[] [] []) : (memref<8x64xi32>)
    %sg = air.segment async {
      %c0 = arith.constant 0 : index
      %c1_0 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c8 = arith.constant 8 : index
      %c32 = arith.constant 32 : index
      %b0 = memref.alloc() : memref<1x64xi32, 1>
      %b1 = memref.alloc() : memref<1x64xi32, 1>
      %out = memref.alloc() : memref<8x64xi32, 1>
      %r:2 = scf.for %i = %c0 to %c8 step %c1_0 iter_args(%u = %b0, %v = %b1) -> (memref<1x64xi32, 1>, memref<1x64xi32, 1>) {
        air.channel.get @fill[] (%u[] [] []) : (memref<1x64xi32, 1>)
        air.channel.put @feed[%c0, %c0] (%u[0, 0] [1, 32] [64, 1]) : (memref<1x64xi32, 1>)
        air.channel.put @feed[%c1_0, %c0] (%u[0, %c32] [1, 32] [64, 1]) : (memref<1x64xi32, 1>)
        scf.yield %v, %u : memref<1x64xi32, 1>, memref<1x64xi32, 1>
      }
      %h = air.herd async tile (%tx, %ty) in (%sx = %c2, %sy = %c1_0) {
        %z = arith.constant 0 : index
        %one = arith.constant 1 : index
        %eight = arith.constant 8 : index
        %m = memref.alloc() : memref<32xi32, 2>
        scf.for %i = %z to %eight step %one {
          air.channel.get @feed[%tx, %ty] (%m[] [] []) : (memref<32xi32, 2>)
          linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%m : memref<32xi32, 2>) {
          ^bb0(%e: i32):
            %w = arith.addi %e, %e : i32
            linalg.yield %w : i32
          }
          air.channel.put @drain[%tx, %ty] (%m[] [] []) : (memref<32xi32, 2>)
        }
        memref.dealloc %m : memref<32xi32, 2>
      }
      scf.for %i = %c0 to %c8 step %c1_0 {
        air.channel.get @drain[%c0, %c0] (%out[%i, 0] [1, 32] [64, 1]) : (memref<8x64xi32, 1>)
        air.channel.get @drain[%c1_0, %c0] (%out[%i, 32] [1, 32] [64, 1]) : (memref<8x64xi32, 1>)
      }
      air.channel.put @store[] (%out[] [] []) : (memref<8x64xi32, 1>)
      memref.dealloc %b0 : memref<1x64xi32, 1>
      memref.dealloc %b1 : memref<1x64xi32, 1>
      memref.dealloc %out : memref<8x64xi32, 1>
    }
  }
  return
}
// -----
// Tiles at the borders are smaller.
func.func @boundary_tiles(%a: memref<100x70xf32>, %b: memref<100x70xf32>) {
  %c4 = arith.constant 4 : index
  %c3 = arith.constant 3 : index
  air.launch (%i, %j) in (%ni = %c4, %nj = %c3) args(%x = %a, %y = %b) : memref<100x70xf32>, memref<100x70xf32> {
    air.segment args(%ii = %i, %jj = %j, %xs = %x, %ys = %y) : index, index, memref<100x70xf32>, memref<100x70xf32> {
      %c1 = arith.constant 1 : index
      air.herd tile (%tx, %ty) in (%sx = %c1, %sy = %c1) args(%hi = %ii, %hj = %jj, %xh = %xs, %yh = %ys) : index, index, memref<100x70xf32>, memref<100x70xf32> {
        %r = affine.apply affine_map<(d0) -> (d0 * 32)>(%hi)
        %c = affine.apply affine_map<(d0) -> (d0 * 32)>(%hj)
        %h = affine.min affine_map<(d0) -> (32, -d0 + 100)>(%r)
        %w = affine.min affine_map<(d0) -> (32, -d0 + 70)>(%c)
        %m = memref.alloc() : memref<32x32xf32, 2>
        %one = arith.constant 1 : index
        %c32 = arith.constant 32 : index
        %c70 = arith.constant 70 : index
        air.dma_memcpy_nd (%m[0, 0] [%h, %w] [%c32, %one], %xh[%r, %c] [%h, %w] [%c70, %one]) : (memref<32x32xf32, 2>, memref<100x70xf32>)
        %sv = memref.subview %m[0, 0] [%h, %w] [1, 1] : memref<32x32xf32, 2> to memref<?x?xf32, strided<[32, 1]>, 2>
        linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
            outs(%sv : memref<?x?xf32, strided<[32, 1]>, 2>) {
        ^bb0(%e: f32):
          %q = arith.mulf %e, %e : f32
          linalg.yield %q : f32
        }
        air.dma_memcpy_nd (%yh[%r, %c] [%h, %w] [%c70, %one], %m[0, 0] [%h, %w] [%c32, %one]) : (memref<100x70xf32>, memref<32x32xf32, 2>)
        memref.dealloc %m : memref<32x32xf32, 2>
      }
    }
  }
  return
}
// -----
// A matmul of 8-bit integers, whose sums are rounded to 8 bits again.
func.func @quantized_matmul_and_requantize(%a: memref<64x64xi8>, %b: memref<64x64xi8>, %c: memref<64x64xi8>) {
  %c2 = arith.constant 2 : index
  air.launch (%l) in (%s = %c2) args(%x = %a, %y = %b, %z = %c) : memref<64x64xi8>, memref<64x64xi8>, memref<64x64xi8> {
    air.segment args(%ll = %l, %xs = %x, %ys = %y, %zs = %z) : index, memref<64x64xi8>, memref<64x64xi8>, memref<64x64xi8> {
      %c2_0 = arith.constant 2 : index
      %l2 = memref.alloc() : memref<64x64xi8, 1>
      air.dma_memcpy_nd (%l2[] [] [], %ys[] [] []) : (memref<64x64xi8, 1>, memref<64x64xi8>)
      air.herd tile (%tx, %ty) in (%sx = %c2_0, %sy = %c2_0) args(%hl = %ll, %xh = %xs, %bh = %l2, %zh = %zs) : index, memref<64x64xi8>, memref<64x64xi8, 1>, memref<64x64xi8> {
        %row = affine.apply affine_map<(d0, d1) -> (d0 * 32 + d1 * 16)>(%hl, %tx)
        %col = affine.apply affine_map<(d0) -> (d0 * 32)>(%ty)
        %i0 = arith.constant 0 : i32
        %ma = memref.alloc() : memref<16x64xi8, 2>
        %mb = memref.alloc() : memref<64x32xi8, 2>
        %mc = memref.alloc() : memref<16x32xi32, 2>
        %mo = memref.alloc() : memref<16x32xi8, 2>
        air.dma_memcpy_nd (%ma[] [] [], %xh[%row, 0] [16, 64] [64, 1]) : (memref<16x64xi8, 2>, memref<64x64xi8>)
        air.dma_memcpy_nd (%mb[] [] [], %bh[0, %col] [64, 32] [64, 1]) : (memref<64x32xi8, 2>, memref<64x64xi8, 1>)
        linalg.fill ins(%i0 : i32) outs(%mc : memref<16x32xi32, 2>)
        linalg.matmul ins(%ma, %mb : memref<16x64xi8, 2>, memref<64x32xi8, 2>) outs(%mc : memref<16x32xi32, 2>)
        linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
            ins(%mc : memref<16x32xi32, 2>) outs(%mo : memref<16x32xi8, 2>) {
        ^bb0(%v: i32, %o: i8):
          %sh = arith.constant 6 : i32
          %lo = arith.constant -128 : i32
          %hi = arith.constant 127 : i32
          %q = arith.shrsi %v, %sh : i32
          %q1 = arith.maxsi %q, %lo : i32
          %q2 = arith.minsi %q1, %hi : i32
          %q3 = arith.trunci %q2 : i32 to i8
          linalg.yield %q3 : i8
        }
        air.dma_memcpy_nd (%zh[%row, %col] [16, 32] [64, 1], %mo[] [] []) : (memref<64x64xi8>, memref<16x32xi8, 2>)
        memref.dealloc %ma : memref<16x64xi8, 2>
        memref.dealloc %mb : memref<64x32xi8, 2>
        memref.dealloc %mc : memref<16x32xi32, 2>
        memref.dealloc %mo : memref<16x32xi8, 2>
      }
      memref.dealloc %l2 : memref<64x64xi8, 1>
    }
  }
  return
}
// -----
// Channels of reshaped buffers in L2, and a transpose in L1.
air.channel @rs [1]
air.channel @rt [1]
func.func @reshapes_of_l2(%a: memref<512xf32>, %b: memref<16x32xf32>) {
  %c1 = arith.constant 1 : index
  air.launch (%l) in (%s = %c1) args(%x = %a, %y = %b) : memref<512xf32>, memref<16x32xf32> {
    %e = memref.expand_shape %x [[0, 1]] output_shape [16, 32] : memref<512xf32> into memref<16x32xf32>
    air.segment args(%xs = %e, %ys = %y) : memref<16x32xf32>, memref<16x32xf32> {
      %c0 = arith.constant 0 : index
      %c1_0 = arith.constant 1 : index
      %l2 = memref.alloc() : memref<16x32xf32, 1>
      %l2o = memref.alloc() : memref<32x16xf32, 1>
      memref.copy %xs, %l2 : memref<16x32xf32> to memref<16x32xf32, 1>
      %flat = memref.collapse_shape %l2 [[0, 1]] : memref<16x32xf32, 1> into memref<512xf32, 1>
      air.channel.put @rs[%c0] (%flat[] [] []) : (memref<512xf32, 1>)
      air.channel.get @rt[%c0] (%l2o[] [] []) : (memref<32x16xf32, 1>)
      air.herd tile (%tx, %ty) in (%sx = %c1_0, %sy = %c1_0) {
        %z = arith.constant 0 : index
        %m = memref.alloc() : memref<16x32xf32, 2>
        %mt = memref.alloc() : memref<32x16xf32, 2>
        air.channel.get @rs[%z] (%m[] [] []) : (memref<16x32xf32, 2>)
        linalg.transpose ins(%m : memref<16x32xf32, 2>) outs(%mt : memref<32x16xf32, 2>) permutation = [1, 0]
        air.channel.put @rt[%z] (%mt[] [] []) : (memref<32x16xf32, 2>)
        memref.dealloc %m : memref<16x32xf32, 2>
        memref.dealloc %mt : memref<32x16xf32, 2>
      }
      %back = memref.collapse_shape %l2o [[0, 1]] : memref<32x16xf32, 1> into memref<512xf32, 1>
      air.dma_memcpy_nd (%ys[0, 0] [16, 32] [32, 1], %back[0] [16, 32] [1, 16]) : (memref<16x32xf32>, memref<512xf32, 1>)
      memref.dealloc %l2 : memref<16x32xf32, 1>
      memref.dealloc %l2o : memref<32x16xf32, 1>
    }
  }
  return
}
// -----
// Indices of channels are quotients, remainders and selections.
air.channel @ix [2, 4]
air.channel @iy [2, 4]
func.func @computed_channel_indices(%a: memref<8x16xi32>, %b: memref<8x16xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%l) in (%s = %c1) args(%x = %a, %y = %b) : memref<8x16xi32>, memref<8x16xi32> {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c4 = arith.constant 4 : index
    %c1_0 = arith.constant 1 : index
    scf.for %i = %c0 to %c8 step %c1_0 {
      %r = arith.divui %i, %c4 : index
      %c = arith.remui %i, %c4 : index
      air.channel.put @ix[%r, %c] (%x[%i, 0] [1, 16] [16, 1]) : (memref<8x16xi32>)
    }
    scf.for %i = %c0 to %c8 step %c1_0 {
      %r = affine.apply affine_map<(d0) -> (d0 floordiv 4)>(%i)
      %c = affine.apply affine_map<(d0) -> (d0 mod 4)>(%i)
      air.channel.get @iy[%r, %c] (%y[%i, 0] [1, 16] [16, 1]) : (memref<8x16xi32>)
    }
    air.segment {
      %c4_0 = arith.constant 4 : index
      %c2 = arith.constant 2 : index
      air.herd tile (%tx, %ty) in (%sx = %c2, %sy = %c4_0) {
        %three = arith.constant 3 : index
        %one = arith.constant 1 : index
        %even = arith.constant 2 : index
        %rest = arith.remui %ty, %even : index
        %z = arith.constant 0 : index
        %is = arith.cmpi eq, %rest, %z : index
        %up = arith.addi %ty, %one : index
        %down = arith.subi %ty, %one : index
        %from = arith.select %is, %up, %down : index
        %m = memref.alloc() : memref<16xi32, 2>
        air.channel.get @ix[%tx, %from] (%m[] [] []) : (memref<16xi32, 2>)
        %to = arith.subi %three, %ty : index
        air.channel.put @iy[%tx, %to] (%m[] [] []) : (memref<16xi32, 2>)
        memref.dealloc %m : memref<16xi32, 2>
      }
    }
  }
  return
}
