// RUN: python3 %S/Inputs/run_program.py --aircc %aircc %s

// Two instances of a segment, each with its element of the channels.

// ARG a: 2x64xi32
// ARG b: 2x64xi32
// MODEL for i in range(128): b[i] = a[i] + 4

air.channel @in [2]
air.channel @out [2]
func.func @test(%a: memref<2x64xi32>, %b: memref<2x64xi32>) {
  air.launch () in () args(%la = %a, %lb = %b) : memref<2x64xi32>, memref<2x64xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    scf.for %i = %c0 to %c2 step %c1 {
      air.channel.put @in[%i] (%la[%i, 0] [1, 64] [64, 1]) : (memref<2x64xi32>)
      air.channel.get @out[%i] (%lb[%i, 0] [1, 64] [64, 1]) : (memref<2x64xi32>)
    }
    air.segment unroll (%u) in (%nu = %c2) {
      %s1 = arith.constant 1 : index
      air.herd tile (%x) in (%n = %s1) args(%hu = %u) : index {
        %t = memref.alloc() : memref<64xi32, 2>
        air.channel.get @in[%hu] (%t[] [] []) : (memref<64xi32, 2>)
        %k_t = arith.constant 4 : i32
        linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%t : memref<64xi32, 2>) {
        ^bb0(%v: i32):
          %w = arith.addi %v, %k_t : i32
          linalg.yield %w : i32
        }
        air.channel.put @out[%hu] (%t[] [] []) : (memref<64xi32, 2>)
      }
    }
  }
  return
}
