// RUN: python3 %S/Inputs/run_program.py --aircc %aircc %s

// The results replace the input in L3.

// ARG a: 512xi32
// MODEL for i in range(512): a[i] = a[i] * 4

air.channel @in []
air.channel @out []
func.func @test(%a: memref<512xi32>) {
  air.launch () in () args(%la = %a) : memref<512xi32> {
    air.channel.put @in[] (%la[] [] []) : (memref<512xi32>)
    air.channel.get @out[] (%la[] [] []) : (memref<512xi32>)
    air.segment {
      %s1 = arith.constant 1 : index
      air.herd tile (%x, %y) in (%nx = %s1, %ny = %s1) {
        %h0 = arith.constant 0 : index
        %h1 = arith.constant 1 : index
        %h8 = arith.constant 8 : index
        scf.for %i = %h0 to %h8 step %h1 {
          %t = memref.alloc() : memref<64xi32, 2>
          air.channel.get @in[] (%t[] [] []) : (memref<64xi32, 2>)
          %k_t = arith.constant 4 : i32
          linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%t : memref<64xi32, 2>) {
          ^bb0(%v: i32):
            %w = arith.muli %v, %k_t : i32
            linalg.yield %w : i32
          }
          air.channel.put @out[] (%t[] [] []) : (memref<64xi32, 2>)
        }
      }
    }
  }
  return
}
