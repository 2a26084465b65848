// C = A * B with 4096x4096 f32 matrices, in the form of older AIR programs: the
// points of a herd are lanes (--stage-option hierarchy.pe=lane). A workgroup of
// 256 lanes computes a tile of 128x128, each lane 8x8 of it: DMAs move tiles
// from L3 to L2, and the operands of a lane from there to its own L1.

module {
  func.func @matmul(%A: memref<4096x4096xf32>, %B: memref<4096x4096xf32>, %C: memref<4096x4096xf32>) {
    %c32 = arith.constant 32 : index
    air.launch (%bx, %by) in (%nx = %c32, %ny = %c32) args(%la = %A, %lb = %B, %lc = %C)
        : memref<4096x4096xf32>, memref<4096x4096xf32>, memref<4096x4096xf32> {
      air.segment @tile args(%sx = %bx, %sy = %by, %sa = %la, %sb = %lb, %sc = %lc)
          : index, index, memref<4096x4096xf32>, memref<4096x4096xf32>, memref<4096x4096xf32> {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c8 = arith.constant 8 : index
        %c64 = arith.constant 64 : index
        %c128 = arith.constant 128 : index
        %c256 = arith.constant 256 : index
        %c4096 = arith.constant 4096 : index
        %zero = arith.constant 0.0 : f32
        %row = arith.muli %sy, %c128 : index
        %col = arith.muli %sx, %c128 : index
        %a_tile = memref.alloc() : memref<128x8xf32, 1>
        %b_tile = memref.alloc() : memref<8x128xf32, 1>
        %a_part = memref.alloc() : memref<8x1xf32, 2>
        %b_part = memref.alloc() : memref<1x8xf32, 2>
        %sums = memref.alloc() : memref<8x8xf32, 2>
        scf.for %y = %c0 to %c8 step %c1 {
          scf.for %x = %c0 to %c8 step %c1 {
            memref.store %zero, %sums[%y, %x] : memref<8x8xf32, 2>
          }
        }
        scf.for %k = %c0 to %c4096 step %c8 {
          air.dma_memcpy_nd (%a_tile[] [] [], %sa[%row, %k] [%c128, %c8] [%c4096, %c1])
              : (memref<128x8xf32, 1>, memref<4096x4096xf32>)
          air.dma_memcpy_nd (%b_tile[] [] [], %sb[%k, %col] [%c8, %c128] [%c4096, %c1])
              : (memref<8x128xf32, 1>, memref<4096x4096xf32>)
          air.herd @multiply tile (%lane, %one) in (%lanes = %c256, %ones = %c1)
              args(%ha = %a_tile, %hb = %b_tile, %pa = %a_part, %pb = %b_part, %hs = %sums)
              : memref<128x8xf32, 1>, memref<8x128xf32, 1>, memref<8x1xf32, 2>, memref<1x8xf32, 2>, memref<8x8xf32, 2> {
            %h0 = arith.constant 0 : index
            %h1 = arith.constant 1 : index
            %h8 = arith.constant 8 : index
            %h16 = arith.constant 16 : index
            %h128 = arith.constant 128 : index
            %i = arith.remui %lane, %h16 : index
            %j = arith.divui %lane, %h16 : index
            %first_row = arith.muli %i, %h8 : index
            %first_col = arith.muli %j, %h8 : index
            scf.for %kk = %h0 to %h8 step %h1 {
              air.dma_memcpy_nd (%pa[] [] [], %ha[%first_row, %kk] [%h8, %h1] [%h8, %h1])
                  : (memref<8x1xf32, 2>, memref<128x8xf32, 1>)
              air.dma_memcpy_nd (%pb[] [] [], %hb[%kk, %first_col] [%h1, %h8] [%h128, %h1])
                  : (memref<1x8xf32, 2>, memref<8x128xf32, 1>)
              scf.for %y = %h0 to %h8 step %h1 {
                scf.for %x = %h0 to %h8 step %h1 {
                  %a = memref.load %pa[%y, %h0] : memref<8x1xf32, 2>
                  %b = memref.load %pb[%h0, %x] : memref<1x8xf32, 2>
                  %s = memref.load %hs[%y, %x] : memref<8x8xf32, 2>
                  %p = arith.mulf %a, %b : f32
                  %t = arith.addf %s, %p : f32
                  memref.store %t, %hs[%y, %x] : memref<8x8xf32, 2>
                }
              }
            }
            gpu.barrier
          }
        }
        air.herd @write tile (%lane, %one) in (%lanes = %c256, %ones = %c1)
            args(%hr = %row, %hc = %col, %hs = %sums, %out = %sc)
            : index, index, memref<8x8xf32, 2>, memref<4096x4096xf32> {
          %h1 = arith.constant 1 : index
          %h8 = arith.constant 8 : index
          %h16 = arith.constant 16 : index
          %h4096 = arith.constant 4096 : index
          %i = arith.remui %lane, %h16 : index
          %j = arith.divui %lane, %h16 : index
          %in_row = arith.muli %i, %h8 : index
          %in_col = arith.muli %j, %h8 : index
          %first_row = arith.addi %hr, %in_row : index
          %first_col = arith.addi %hc, %in_col : index
          air.dma_memcpy_nd (%out[%first_row, %first_col] [%h8, %h8] [%h4096, %h1], %hs[] [] [])
              : (memref<4096x4096xf32>, memref<8x8xf32, 2>)
        }
      }
    }
    return
  }

  func.func @main() {
    %A = gpu.alloc () : memref<4096x4096xf32>
    %B = gpu.alloc () : memref<4096x4096xf32>
    %C = gpu.alloc () : memref<4096x4096xf32>
    call @matmul(%A, %B, %C) : (memref<4096x4096xf32>, memref<4096x4096xf32>, memref<4096x4096xf32>) -> ()
    gpu.dealloc %A : memref<4096x4096xf32>
    gpu.dealloc %B : memref<4096x4096xf32>
    gpu.dealloc %C : memref<4096x4096xf32>
    return
  }
}
