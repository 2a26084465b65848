// RUN: python3 %S/Inputs/run_program.py --aircc %aircc %s

// In each iteration the segment gets a tile, adds to it in L2 and puts it to both PEs.

// ARG a: 4x64xi32
// ARG b: 2x4x64xi32
// MODEL for p in range(2):
// MODEL   for i in range(256): b[p * 256 + i] = a[i] + 9 + p

air.channel @in []
air.channel @tile [1] {broadcast_shape = [2]}
func.func @test(%a: memref<4x64xi32>, %b: memref<2x4x64xi32>) {
  air.launch () in () args(%la = %a, %lb = %b) : memref<4x64xi32>, memref<2x4x64xi32> {
    air.channel.put @in[] (%la[] [] []) : (memref<4x64xi32>)
    air.segment args(%sb = %lb) : memref<2x4x64xi32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c4 = arith.constant 4 : index
      %nine = arith.constant 9 : i32
      scf.for %i = %c0 to %c4 step %c1 {
        %l2 = memref.alloc() : memref<64xi32, 1>
        air.channel.get @in[] (%l2[] [] []) : (memref<64xi32, 1>)
        linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%l2 : memref<64xi32, 1>) {
        ^bb0(%v: i32):
          %w = arith.addi %v, %nine : i32
          linalg.yield %w : i32
        }
        air.channel.put @tile[%c0] (%l2[] [] []) : (memref<64xi32, 1>)
        memref.dealloc %l2 : memref<64xi32, 1>
      }
      air.herd tile (%x) in (%n = %c2) args(%hb = %sb) : memref<2x4x64xi32> {
        %h0 = arith.constant 0 : index
        %h1 = arith.constant 1 : index
        %h4 = arith.constant 4 : index
        %me = arith.index_cast %x : index to i32
        %t = memref.alloc() : memref<64xi32, 2>
        scf.for %i = %h0 to %h4 step %h1 {
          air.channel.get @tile[%x] (%t[] [] []) : (memref<64xi32, 2>)
          linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%t : memref<64xi32, 2>) {
          ^bb0(%v: i32):
            %w = arith.addi %v, %me : i32
            linalg.yield %w : i32
          }
          air.dma_memcpy_nd (%hb[%x, %i, 0] [64] [1], %t[] [] []) : (memref<2x4x64xi32>, memref<64xi32, 2>)
        }
      }
    }
  }
  return
}
