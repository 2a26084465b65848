// Copies through LDS, in a program that can be run: a tile for each of four workgroups.
func.func @copy(%x: memref<256xf32>, %y: memref<256xf32>) {
  %c4 = arith.constant 4 : index
  air.launch (%b) in (%nb = %c4) args(%lx = %x, %ly = %y) : memref<256xf32>, memref<256xf32> {
    air.segment args(%sb = %b, %sx = %lx, %sy = %ly) : index, memref<256xf32>, memref<256xf32> {
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c64 = arith.constant 64 : index
      %first = arith.muli %sb, %c64 : index
      %tile = memref.alloc() : memref<64xf32, 1>
      air.dma_memcpy_nd (%tile[] [] [], %sx[%first] [64] [1]) : (memref<64xf32, 1>, memref<256xf32>)
      air.herd tile (%i, %j) in (%ni = %c2, %nj = %c1) args(%ht = %tile) : memref<64xf32, 1> {
        %c32 = arith.constant 32 : index
        %start = arith.muli %i, %c32 : index
        %part = memref.subview %ht[%start] [32] [1] : memref<64xf32, 1> to memref<32xf32, strided<[1], offset: ?>, 1>
        linalg.generic {indexing_maps = [affine_map<(d) -> (d)>], iterator_types = ["parallel"]}
            outs(%part : memref<32xf32, strided<[1], offset: ?>, 1>) {
        ^bb0(%v: f32):
          %w = arith.addf %v, %v : f32
          linalg.yield %w : f32
        }
      }
      air.dma_memcpy_nd (%sy[%first] [64] [1], %tile[] [] []) : (memref<256xf32>, memref<64xf32, 1>)
    }
  }
  return
}

func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %ok = arith.constant 0 : i32
  %x = gpu.alloc host_shared () : memref<256xf32>
  %y = gpu.alloc host_shared () : memref<256xf32>
  linalg.fill ins(%one : f32) outs(%x : memref<256xf32>)
  call @copy(%x, %y) : (memref<256xf32>, memref<256xf32>) -> ()
  %v = memref.load %y[%c0] : memref<256xf32>
  vector.print %v : f32
  return %ok : i32
}
