// RUN: python3 %S/Inputs/run_program.py --aircc %aircc %s

// PEs of the first row get from one channel, the others from another; affine.if
// and affine.apply around puts and gets.

// ARG a: 4x32xi32
// ARG b: 4x32xi32
// MODEL for r in range(4):
// MODEL   for i in range(32): b[r * 32 + i] = a[r * 32 + i] + 5

#first = affine_set<()[s0] : (s0 == 0)>
#double = affine_map<()[s0] -> (s0 * 2)>
air.channel @top [1, 2]
air.channel @bottom [2, 2]
air.channel @out [2, 2]
func.func @test(%a: memref<4x32xi32>, %b: memref<4x32xi32>) {
  air.launch () in () args(%la = %a, %lb = %b) : memref<4x32xi32>, memref<4x32xi32> {
    affine.for %i = 0 to 2 {
      affine.for %j = 0 to 2 {
        %r = affine.apply affine_map<(d0, d1) -> (d0 * 2 + d1)>(%i, %j)
        affine.if affine_set<(d0) : (d0 == 0)>(%i) {
          air.channel.put @top[%i, %j] (%la[%r, 0] [1, 32] [32, 1]) : (memref<4x32xi32>)
        } else {
          air.channel.put @bottom[%i, %j] (%la[%r, 0] [1, 32] [32, 1]) : (memref<4x32xi32>)
        }
        air.channel.get @out[%i, %j] (%lb[%r, 0] [1, 32] [32, 1]) : (memref<4x32xi32>)
      }
    }
    air.segment {
      %s2 = arith.constant 2 : index
      air.herd tile (%x, %y) in (%nx = %s2, %ny = %s2) {
        %t = memref.alloc() : memref<1x32xi32, 2>
        affine.if #first()[%x] {
          air.channel.get @top[%x, %y] (%t[] [] []) : (memref<1x32xi32, 2>)
        } else {
          air.channel.get @bottom[%x, %y] (%t[] [] []) : (memref<1x32xi32, 2>)
        }
        %k_t = arith.constant 5 : i32
        linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%t : memref<1x32xi32, 2>) {
        ^bb0(%v: i32):
          %w = arith.addi %v, %k_t : i32
          linalg.yield %w : i32
        }
        air.channel.put @out[%x, %y] (%t[] [] []) : (memref<1x32xi32, 2>)
      }
    }
  }
  return
}
