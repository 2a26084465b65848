// RUN: python3 %S/Inputs/run_program.py --aircc %aircc %s

// The number of tiles is known only at run time, and the same at both ends.

// ARG a: ?320xi32
// ARG b: ?320xi32
// ARG n: index = 5
// MODEL for i in range(320): b[i] = a[i] * 3

air.channel @in []
air.channel @out []
func.func @test(%a: memref<?xi32>, %b: memref<?xi32>, %n: index) {
  air.launch () in () args(%la = %a, %lb = %b, %ln = %n) : memref<?xi32>, memref<?xi32>, index {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    scf.for %i = %c0 to %ln step %c1 {
      %o = arith.muli %i, %c64 : index
      air.channel.put @in[] (%la[%o] [64] [1]) : (memref<?xi32>)
    }
    scf.for %i = %c0 to %ln step %c1 {
      %o = arith.muli %i, %c64 : index
      air.channel.get @out[] (%lb[%o] [64] [1]) : (memref<?xi32>)
    }
    air.segment args(%sn = %ln) : index {
      %s1 = arith.constant 1 : index
      air.herd tile (%x, %y) in (%nx = %s1, %ny = %s1) args(%hn = %sn) : index {
        %h0 = arith.constant 0 : index
        %h1 = arith.constant 1 : index
        scf.for %i = %h0 to %hn step %h1 {
          %t = memref.alloc() : memref<64xi32, 2>
          air.channel.get @in[] (%t[] [] []) : (memref<64xi32, 2>)
          %k_t = arith.constant 3 : i32
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
