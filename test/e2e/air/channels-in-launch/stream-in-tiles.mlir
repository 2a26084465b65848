// RUN: python3 %S/Inputs/run_program.py --aircc %aircc %s

// One put of the whole input and one get of the whole output in the launch; a PE
// moves both in 16 tiles. The get precedes the segment in the program.

// ARG a: 1024xi32
// ARG b: 1024xi32
// MODEL for i in range(1024): b[i] = a[i] + 1

air.channel @in [1]
air.channel @out [1]
func.func @test(%a: memref<1024xi32>, %b: memref<1024xi32>) {
  air.launch () in () args(%la = %a, %lb = %b) : memref<1024xi32>, memref<1024xi32> {
    %z = arith.constant 0 : index
    air.channel.put @in[%z] (%la[] [] []) : (memref<1024xi32>)
    air.channel.get @out[%z] (%lb[] [] []) : (memref<1024xi32>)
    air.segment @seg {
      %d1 = arith.constant 1 : index
      air.herd @h tile (%x, %y) in (%nx = %d1, %ny = %d1) {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c16 = arith.constant 16 : index
        %one = arith.constant 1 : i32
        scf.for %i = %c0 to %c16 step %c1 {
          %t = memref.alloc() : memref<64xi32, 2>
          %u = memref.alloc() : memref<64xi32, 2>
          air.channel.get @in[%x] (%t[] [] []) : (memref<64xi32, 2>)
          linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
              ins(%t : memref<64xi32, 2>) outs(%u : memref<64xi32, 2>) {
          ^bb0(%v: i32, %w: i32):
            %s = arith.addi %v, %one : i32
            linalg.yield %s : i32
          }
          air.channel.put @out[%x] (%u[] [] []) : (memref<64xi32, 2>)
          memref.dealloc %t : memref<64xi32, 2>
          memref.dealloc %u : memref<64xi32, 2>
        }
      }
    }
  }
  return
}
