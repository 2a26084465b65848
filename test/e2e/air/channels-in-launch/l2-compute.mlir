// RUN: python3 %S/Inputs/run_program.py --aircc %aircc %s

// The segment computes on the tile in L2 between the channels.

// ARG a: 256xi32
// ARG b: 256xi32
// MODEL for i in range(256): b[i] = (a[i] + 1) * 2

air.channel @in []
air.channel @tile [4]
air.channel @out [4]
func.func @test(%a: memref<256xi32>, %b: memref<256xi32>) {
  air.launch () in () args(%la = %a, %lb = %b) : memref<256xi32>, memref<256xi32> {
    air.channel.put @in[] (%la[] [] []) : (memref<256xi32>)
    air.segment args(%sb = %lb) : memref<256xi32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %c64 = arith.constant 64 : index
      %one = arith.constant 1 : i32
      %l2 = memref.alloc() : memref<256xi32, 1>
      air.channel.get @in[] (%l2[] [] []) : (memref<256xi32, 1>)
      linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%l2 : memref<256xi32, 1>) {
      ^bb0(%v: i32):
        %w = arith.addi %v, %one : i32
        linalg.yield %w : i32
      }
      scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
        %o = arith.muli %i, %c64 : index
        air.channel.put @tile[%i] (%l2[%o] [64] [1]) : (memref<256xi32, 1>)
      }
      air.herd tile (%x) in (%n = %c4) {
        %t = memref.alloc() : memref<64xi32, 2>
        air.channel.get @tile[%x] (%t[] [] []) : (memref<64xi32, 2>)
        linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%t : memref<64xi32, 2>) {
        ^bb0(%v: i32):
          %w = arith.addi %v, %v : i32
          linalg.yield %w : i32
        }
        air.channel.put @out[%x] (%t[] [] []) : (memref<64xi32, 2>)
      }
      scf.for %i = %c0 to %c4 step %c1 {
        %o = arith.muli %i, %c64 : index
        air.channel.get @out[%i] (%sb[%o] [64] [1]) : (memref<256xi32>)
      }
    }
  }
  return
}
