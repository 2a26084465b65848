// RUN: python3 %S/Inputs/run_program.py --aircc %aircc %s

// One PE of the first herd puts a tile to each PE of the second.

// ARG a: 128xi32
// ARG b: 4x32xi32
// MODEL for i in range(128): b[i] = a[i] * 2 + 1

air.channel @in []
air.channel @part [4]
air.channel @out [4]
func.func @test(%a: memref<128xi32>, %b: memref<4x32xi32>) {
  air.launch () in () args(%la = %a, %lb = %b) : memref<128xi32>, memref<4x32xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    air.channel.put @in[] (%la[] [] []) : (memref<128xi32>)
    scf.for %i = %c0 to %c4 step %c1 {
      air.channel.get @out[%i] (%lb[%i, 0] [1, 32] [32, 1]) : (memref<4x32xi32>)
    }
    air.segment {
      %npx = arith.constant 1 : index
      air.herd @p tile (%x) in (%nx = %npx) {
        %h0 = arith.constant 0 : index
        %h1 = arith.constant 1 : index
        %h2 = arith.constant 2 : index
        %h3 = arith.constant 3 : index
        %h4 = arith.constant 4 : index
        %h8 = arith.constant 8 : index
        %h16 = arith.constant 16 : index
        %h32 = arith.constant 32 : index
        %h64 = arith.constant 64 : index
        %t = memref.alloc() : memref<32xi32, 2>
        scf.for %i = %h0 to %h4 step %h1 {
          air.channel.get @in[] (%t[] [] []) : (memref<32xi32, 2>)
          %k_t = arith.constant 2 : i32
          linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%t : memref<32xi32, 2>) {
          ^bb0(%v: i32):
            %w = arith.muli %v, %k_t : i32
            linalg.yield %w : i32
          }
          air.channel.put @part[%i] (%t[] [] []) : (memref<32xi32, 2>)
        }
      }
      %nqx = arith.constant 4 : index
      air.herd @q tile (%x) in (%nx = %nqx) {
        %h0 = arith.constant 0 : index
        %h1 = arith.constant 1 : index
        %h2 = arith.constant 2 : index
        %h3 = arith.constant 3 : index
        %h4 = arith.constant 4 : index
        %h8 = arith.constant 8 : index
        %h16 = arith.constant 16 : index
        %h32 = arith.constant 32 : index
        %h64 = arith.constant 64 : index
        %t = memref.alloc() : memref<32xi32, 2>
        air.channel.get @part[%x] (%t[] [] []) : (memref<32xi32, 2>)
        %k_t = arith.constant 1 : i32
        linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%t : memref<32xi32, 2>) {
        ^bb0(%v: i32):
          %w = arith.addi %v, %k_t : i32
          linalg.yield %w : i32
        }
        air.channel.put @out[%x] (%t[] [] []) : (memref<32xi32, 2>)
      }
    }
  }
  return
}
