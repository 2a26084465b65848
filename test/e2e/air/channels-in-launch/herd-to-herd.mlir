// RUN: python3 %S/Inputs/run_program.py --aircc %aircc %s

// A herd produces tiles, another one consumes them.

// ARG a: 256xi32
// ARG b: 256xi32
// MODEL for i in range(256): b[i] = 5 * a[i] + 1

air.channel @in [2]
air.channel @between [2] {depth = 2 : i64}
air.channel @out [2]
func.func @test(%a: memref<256xi32>, %b: memref<256xi32>) {
  air.launch () in () args(%la = %a, %lb = %b) : memref<256xi32>, memref<256xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c128 = arith.constant 128 : index
    scf.for %i = %c0 to %c2 step %c1 {
      %o = arith.muli %i, %c128 : index
      air.channel.put @in[%i] (%la[%o] [128] [1]) : (memref<256xi32>)
      air.channel.get @out[%i] (%lb[%o] [128] [1]) : (memref<256xi32>)
    }
    air.segment {
      %s2 = arith.constant 2 : index
      air.herd @producer tile (%x) in (%n = %s2) {
        %h0 = arith.constant 0 : index
        %h1 = arith.constant 1 : index
        %h4 = arith.constant 4 : index
        %five = arith.constant 5 : i32
        scf.for %i = %h0 to %h4 step %h1 {
          %t = memref.alloc() : memref<32xi32, 2>
          air.channel.get @in[%x] (%t[] [] []) : (memref<32xi32, 2>)
          linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
              outs(%t : memref<32xi32, 2>) {
          ^bb0(%v: i32):
            %w = arith.muli %v, %five : i32
            linalg.yield %w : i32
          }
          air.channel.put @between[%x] (%t[] [] []) : (memref<32xi32, 2>)
        }
      }
      air.herd @consumer tile (%x) in (%n = %s2) {
        %h0 = arith.constant 0 : index
        %h1 = arith.constant 1 : index
        %h4 = arith.constant 4 : index
        %one = arith.constant 1 : i32
        scf.for %i = %h0 to %h4 step %h1 {
          %t = memref.alloc() : memref<32xi32, 2>
          air.channel.get @between[%x] (%t[] [] []) : (memref<32xi32, 2>)
          linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
              outs(%t : memref<32xi32, 2>) {
          ^bb0(%v: i32):
            %w = arith.addi %v, %one : i32
            linalg.yield %w : i32
          }
          air.channel.put @out[%x] (%t[] [] []) : (memref<32xi32, 2>)
        }
      }
    }
  }
  return
}
