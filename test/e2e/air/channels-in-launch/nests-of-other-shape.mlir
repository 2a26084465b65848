// RUN: python3 %S/Inputs/run_program.py --aircc %aircc %s

// The launch puts in a nest of 2 x 4, the PE gets in one loop of 8.

// ARG a: 16x64xi32
// ARG b: 16x64xi32
// MODEL for i in range(1024): b[i] = a[i] * 2

air.channel @in []
air.channel @out []
func.func @test(%a: memref<16x64xi32>, %b: memref<16x64xi32>) {
  air.launch () in () args(%la = %a, %lb = %b) : memref<16x64xi32>, memref<16x64xi32> {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    scf.for %i = %c0 to %c16 step %c8 {
      scf.for %j = %c0 to %c64 step %c16 {
        air.channel.put @in[] (%la[%i, %j] [8, 16] [64, 1]) : (memref<16x64xi32>)
      }
    }
    scf.for %i = %c0 to %c16 step %c8 {
      scf.for %j = %c0 to %c64 step %c16 {
        air.channel.get @out[] (%lb[%i, %j] [8, 16] [64, 1]) : (memref<16x64xi32>)
      }
    }
    air.segment {
      %s1 = arith.constant 1 : index
      air.herd tile (%x, %y) in (%nx = %s1, %ny = %s1) {
        %h0 = arith.constant 0 : index
        %h1 = arith.constant 1 : index
        %h8 = arith.constant 8 : index
        scf.for %i = %h0 to %h8 step %h1 {
          %t = memref.alloc() : memref<8x16xi32, 2>
          air.channel.get @in[] (%t[] [] []) : (memref<8x16xi32, 2>)
          %k_t = arith.constant 2 : i32
          linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%t : memref<8x16xi32, 2>) {
          ^bb0(%v: i32):
            %w = arith.muli %v, %k_t : i32
            linalg.yield %w : i32
          }
          air.channel.put @out[] (%t[] [] []) : (memref<8x16xi32, 2>)
        }
      }
    }
  }
  return
}
