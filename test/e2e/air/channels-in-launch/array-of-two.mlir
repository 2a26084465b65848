// RUN: python3 %S/Inputs/run_program.py --aircc %aircc %s

// The launch puts each half of a buffer into its own channel; each PE gets one.

// ARG a: 128xi32
// ARG b: 128xi32
// MODEL for i in range(128): b[i] = 3 * a[i]

air.channel @halves [2]
func.func @test(%a: memref<128xi32>, %b: memref<128xi32>) {
  air.launch () in () args(%la = %a, %lb = %b) : memref<128xi32>, memref<128xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    air.channel.put @halves[%c0] (%la[0] [64] [1]) : (memref<128xi32>)
    air.channel.put @halves[%c1] (%la[64] [64] [1]) : (memref<128xi32>)
    air.segment args(%sb = %lb) : memref<128xi32> {
      %d1 = arith.constant 1 : index
      %d2 = arith.constant 2 : index
      air.herd tile (%x, %y) in (%nx = %d2, %ny = %d1) args(%hb = %sb) : memref<128xi32> {
        %c64 = arith.constant 64 : index
        %three = arith.constant 3 : i32
        %t = memref.alloc() : memref<64xi32, 2>
        air.channel.get @halves[%x] (%t[] [] []) : (memref<64xi32, 2>)
        linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
            outs(%t : memref<64xi32, 2>) {
        ^bb0(%v: i32):
          %w = arith.muli %v, %three : i32
          linalg.yield %w : i32
        }
        %o = arith.muli %x, %c64 : index
        air.dma_memcpy_nd (%hb[%o] [64] [1], %t[] [] []) : (memref<128xi32>, memref<64xi32, 2>)
      }
    }
  }
  return
}
