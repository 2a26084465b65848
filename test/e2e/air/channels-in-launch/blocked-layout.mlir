// RUN: python3 %S/Inputs/run_program.py --aircc %aircc %s

// A put with four dimensions brings blocks of 4 x 8 into order, and a get restores the rows.

// ARG a: 16x32xi32
// ARG b: 16x32xi32
// MODEL for i in range(512): b[i] = a[i] + 1

air.channel @in []
air.channel @out []
func.func @test(%a: memref<16x32xi32>, %b: memref<16x32xi32>) {
  air.launch () in () args(%la = %a, %lb = %b) : memref<16x32xi32>, memref<16x32xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    air.channel.put @in[] (%la[0, 0] [4, 4, 4, 8] [128, 8, 32, 1]) : (memref<16x32xi32>)
    air.channel.get @out[] (%lb[0, 0] [4, 4, 4, 8] [128, 8, 32, 1]) : (memref<16x32xi32>)
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
        %t = memref.alloc() : memref<16x4x8xi32, 2>
        air.channel.get @in[] (%t[] [] []) : (memref<16x4x8xi32, 2>)
        %k_t = arith.constant 1 : i32
        linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} outs(%t : memref<16x4x8xi32, 2>) {
        ^bb0(%v: i32):
          %w = arith.addi %v, %k_t : i32
          linalg.yield %w : i32
        }
        air.channel.put @out[] (%t[] [] []) : (memref<16x4x8xi32, 2>)
      }
    }
  }
  return
}
