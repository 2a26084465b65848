// RUN: python3 %S/Inputs/run_program.py --aircc %aircc %s

// A grid of 2 x 3 workgroups, each with its own tile, in two launches.

// ARG a: 4x48xi32
// ARG b: 4x48xi32
// ARG c: 4x48xi32
// MODEL for i in range(192): b[i] = a[i] + 1
// MODEL for i in range(192): c[i] = b[i] * 2

air.channel @in1 []
air.channel @out1 []
air.channel @in2 []
air.channel @out2 []
func.func @test(%a: memref<4x48xi32>, %b: memref<4x48xi32>, %c: memref<4x48xi32>) {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  air.launch (%p, %q) in (%np = %c2, %nq = %c3) args(%la = %a, %lb = %b) : memref<4x48xi32>, memref<4x48xi32> {
    %two = arith.constant 2 : index
    %sixteen = arith.constant 16 : index
    %r = arith.muli %p, %two : index
    %s = arith.muli %q, %sixteen : index
    air.channel.put @in1[] (%la[%r, %s] [2, 16] [48, 1]) : (memref<4x48xi32>)
    air.channel.get @out1[] (%lb[%r, %s] [2, 16] [48, 1]) : (memref<4x48xi32>)
    air.segment {
      %s1 = arith.constant 1 : index
      air.herd tile (%x, %y) in (%nx = %s1, %ny = %s1) {
        %t = memref.alloc() : memref<2x16xi32, 2>
        air.channel.get @in1[] (%t[] [] []) : (memref<2x16xi32, 2>)
        %k_t = arith.constant 1 : i32
        linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%t : memref<2x16xi32, 2>) {
        ^bb0(%v: i32):
          %w = arith.addi %v, %k_t : i32
          linalg.yield %w : i32
        }
        air.channel.put @out1[] (%t[] [] []) : (memref<2x16xi32, 2>)
      }
    }
  }
  air.launch (%p, %q) in (%np = %c2, %nq = %c3) args(%la = %b, %lb = %c) : memref<4x48xi32>, memref<4x48xi32> {
    %two = arith.constant 2 : index
    %sixteen = arith.constant 16 : index
    %r = arith.muli %p, %two : index
    %s = arith.muli %q, %sixteen : index
    air.channel.put @in2[] (%la[%r, %s] [2, 16] [48, 1]) : (memref<4x48xi32>)
    air.channel.get @out2[] (%lb[%r, %s] [2, 16] [48, 1]) : (memref<4x48xi32>)
    air.segment {
      %s1 = arith.constant 1 : index
      air.herd tile (%x, %y) in (%nx = %s1, %ny = %s1) {
        %t = memref.alloc() : memref<2x16xi32, 2>
        air.channel.get @in2[] (%t[] [] []) : (memref<2x16xi32, 2>)
        %k_t = arith.constant 2 : i32
        linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%t : memref<2x16xi32, 2>) {
        ^bb0(%v: i32):
          %w = arith.muli %v, %k_t : i32
          linalg.yield %w : i32
        }
        air.channel.put @out2[] (%t[] [] []) : (memref<2x16xi32, 2>)
      }
    }
  }
  return
}
