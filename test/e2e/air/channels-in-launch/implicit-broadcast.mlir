// RUN: python3 %S/Inputs/run_program.py --aircc %aircc %s

// All four PEs get from the only element of a channel: each gets the whole stream.

// ARG a: 32xi32
// ARG b: 4x32xi32
// MODEL for p in range(4):
// MODEL   for i in range(32): b[p * 32 + i] = a[i] + p

air.channel @in [1, 1]
func.func @test(%a: memref<32xi32>, %b: memref<4x32xi32>) {
  air.launch () in () args(%la = %a, %lb = %b) : memref<32xi32>, memref<4x32xi32> {
    air.segment args(%sa = %la, %sb = %lb) : memref<32xi32>, memref<4x32xi32> {
      %s4 = arith.constant 4 : index
      %l2 = memref.alloc() : memref<32xi32, 1>
      air.dma_memcpy_nd (%l2[] [] [], %sa[] [] []) : (memref<32xi32, 1>, memref<32xi32>)
      air.channel.put @in[] (%l2[] [] []) : (memref<32xi32, 1>)
      air.herd tile (%x) in (%n = %s4) args(%hb = %sb) : memref<4x32xi32> {
        %t = memref.alloc() : memref<32xi32, 2>
        %me = arith.index_cast %x : index to i32
        air.channel.get @in[] (%t[] [] []) : (memref<32xi32, 2>)
        linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%t : memref<32xi32, 2>) {
        ^bb0(%v: i32):
          %w = arith.addi %v, %me : i32
          linalg.yield %w : i32
        }
        air.dma_memcpy_nd (%hb[%x, 0] [1, 32] [32, 1], %t[] [] []) : (memref<4x32xi32>, memref<32xi32, 2>)
      }
    }
  }
  return
}
