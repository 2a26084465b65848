// A cascade along the columns, with its ends in branches.
#first = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 == 0)>
#last = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 - 3 == 0)>
air.channel @chain [4, 3] {channel_type = "npu_cascade"}
func.func @cascade_three_way(%a: memref<4x64xf32>, %b: memref<4x64xf32>) {
  %c4 = arith.constant 4 : index
  air.launch () in () args(%x = %a, %y = %b) : memref<4x64xf32>, memref<4x64xf32> {
    air.segment args(%xx = %x, %yy = %y) : memref<4x64xf32>, memref<4x64xf32> {
      %c4_0 = arith.constant 4 : index
      air.herd @cascade tile (%tx, %ty) in (%sx = %c4_0, %sy = %c4_0) args(%xs = %xx, %ys = %yy) : memref<4x64xf32>, memref<4x64xf32> {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c64 = arith.constant 64 : index
        %m = memref.alloc() : memref<64xf32, 2>
        %acc = memref.alloc() : memref<64xf32, 2>
        air.dma_memcpy_nd (%m[] [] [], %xs[%tx, %c0] [%c1, %c64] [%c64, %c1]) : (memref<64xf32, 2>, memref<4x64xf32>)
        affine.if #first(%tx, %ty) {
          air.channel.put @chain[%tx, %ty] (%m[] [] []) : (memref<64xf32, 2>)
        } else {
          affine.if #last(%tx, %ty) {
            %p = arith.subi %ty, %c1 : index
            air.channel.get @chain[%tx, %p] (%acc[] [] []) : (memref<64xf32, 2>)
            linalg.add ins(%m, %acc : memref<64xf32, 2>, memref<64xf32, 2>) outs(%m : memref<64xf32, 2>)
            air.dma_memcpy_nd (%ys[%tx, %c0] [%c1, %c64] [%c64, %c1], %m[] [] []) : (memref<4x64xf32>, memref<64xf32, 2>)
          } else {
            %p = arith.subi %ty, %c1 : index
            air.channel.get @chain[%tx, %p] (%acc[] [] []) : (memref<64xf32, 2>)
            linalg.add ins(%m, %acc : memref<64xf32, 2>, memref<64xf32, 2>) outs(%m : memref<64xf32, 2>)
            air.channel.put @chain[%tx, %ty] (%m[] [] []) : (memref<64xf32, 2>)
          }
        }
        memref.dealloc %m : memref<64xf32, 2>
        memref.dealloc %acc : memref<64xf32, 2>
      }
    }
  }
  return
}
// -----
// Two herds that need messages of each other.
air.channel @h2h [1, 1]
air.channel @h2h_back [1, 1]
func.func @worker_to_self(%a: memref<16x8xi32>, %b: memref<16x8xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%l) in (%ls = %c1) args(%x = %a, %y = %b) : memref<16x8xi32>, memref<16x8xi32> {
    air.segment args(%xs = %x, %ys = %y) : memref<16x8xi32>, memref<16x8xi32> {
      %c1_0 = arith.constant 1 : index
      air.herd @first tile (%tx, %ty) in (%sx = %c1_0, %sy = %c1_0) args(%xh = %xs) : memref<16x8xi32> {
        %c0 = arith.constant 0 : index
        %c4 = arith.constant 4 : index
        %c1_1 = arith.constant 1 : index
        scf.for %i = %c0 to %c4 step %c1_1 {
          %m = memref.alloc() : memref<4x8xi32, 2>
          %o = affine.apply affine_map<(d0) -> (d0 * 4)>(%i)
          air.dma_memcpy_nd (%m[] [] [], %xh[%o, 0] [4, 8] [8, 1]) : (memref<4x8xi32, 2>, memref<16x8xi32>)
          air.channel.put @h2h[] (%m[] [] []) : (memref<4x8xi32, 2>)
          %n = memref.alloc() : memref<4x8xi32, 2>
          air.channel.get @h2h_back[] (%n[] [] []) : (memref<4x8xi32, 2>)
          air.dma_memcpy_nd (%xh[%o, 0] [4, 8] [8, 1], %n[] [] []) : (memref<16x8xi32>, memref<4x8xi32, 2>)
          memref.dealloc %m : memref<4x8xi32, 2>
          memref.dealloc %n : memref<4x8xi32, 2>
        }
      }
      air.herd @second tile (%tx, %ty) in (%sx = %c1_0, %sy = %c1_0) args(%yh = %ys) : memref<16x8xi32> {
        %c0 = arith.constant 0 : index
        %c4 = arith.constant 4 : index
        %c1_1 = arith.constant 1 : index
        scf.for %i = %c0 to %c4 step %c1_1 {
          %m = memref.alloc() : memref<4x8xi32, 2>
          air.channel.get @h2h[] (%m[] [] []) : (memref<4x8xi32, 2>)
          %o = affine.apply affine_map<(d0) -> (d0 * 4)>(%i)
          air.dma_memcpy_nd (%yh[%o, 0] [4, 8] [8, 1], %m[] [] []) : (memref<16x8xi32>, memref<4x8xi32, 2>)
          air.channel.put @h2h_back[] (%m[] [] []) : (memref<4x8xi32, 2>)
          memref.dealloc %m : memref<4x8xi32, 2>
        }
      }
    }
  }
  return
}
// -----
// PEs of a cascade add up the products of parts of K.
air.channel @ka [1, 4]
air.channel @kb [1, 4]
air.channel @casc [1, 3] {channel_type = "npu_cascade"}
air.channel @kc [1, 1]
func.func @cascade_over_k(%a: memref<16x64xf32>, %b: memref<64x16xf32>, %c: memref<16x16xf32>) {
  %c1 = arith.constant 1 : index
  air.launch (%l) in (%s = %c1) args(%x = %a, %y = %b, %z = %c) : memref<16x64xf32>, memref<64x16xf32>, memref<16x16xf32> {
    %c0 = arith.constant 0 : index
    %c1_0 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.forall (%i) in (4) {
      %k = affine.apply affine_map<(d0) -> (d0 * 16)>(%i)
      air.channel.put @ka[%c0, %i] (%x[0, %k] [16, 16] [64, 1]) : (memref<16x64xf32>)
      air.channel.put @kb[%c0, %i] (%y[%k, 0] [16, 16] [16, 1]) : (memref<64x16xf32>)
    }
    air.channel.get @kc[] (%z[] [] []) : (memref<16x16xf32>)
    air.segment {
      %c1_1 = arith.constant 1 : index
      %c4_0 = arith.constant 4 : index
      air.herd tile (%tx, %ty) in (%sx = %c1_1, %sy = %c4_0) {
        %zero = arith.constant 0 : index
        %one = arith.constant 1 : index
        %three = arith.constant 3 : index
        %f0 = arith.constant 0.0 : f32
        %ma = memref.alloc() : memref<16x16xf32, 2>
        %mb = memref.alloc() : memref<16x16xf32, 2>
        %mc = memref.alloc() : memref<16x16xf32, 2>
        air.channel.get @ka[%tx, %ty] (%ma[] [] []) : (memref<16x16xf32, 2>)
        air.channel.get @kb[%tx, %ty] (%mb[] [] []) : (memref<16x16xf32, 2>)
        %isFirst = arith.cmpi eq, %ty, %three : index
        scf.if %isFirst {
          linalg.fill ins(%f0 : f32) outs(%mc : memref<16x16xf32, 2>)
        } else {
          air.channel.get @casc[%tx, %ty] (%mc[] [] []) : (memref<16x16xf32, 2>)
        }
        linalg.matmul ins(%ma, %mb : memref<16x16xf32, 2>, memref<16x16xf32, 2>) outs(%mc : memref<16x16xf32, 2>)
        %isLast = arith.cmpi eq, %ty, %zero : index
        scf.if %isLast {
          air.channel.put @kc[%zero, %zero] (%mc[] [] []) : (memref<16x16xf32, 2>)
        } else {
          %to = arith.subi %ty, %one : index
          air.channel.put @casc[%tx, %to] (%mc[] [] []) : (memref<16x16xf32, 2>)
        }
        memref.dealloc %ma : memref<16x16xf32, 2>
        memref.dealloc %mb : memref<16x16xf32, 2>
        memref.dealloc %mc : memref<16x16xf32, 2>
      }
    }
  }
  return
}
