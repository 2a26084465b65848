// RUN: python3 %S/Inputs/run_program.py --aircc %aircc %s

// In each iteration the segment gets a tile of results from both PEs and puts it
// to the launch.

// ARG a: 8x64xi32
// ARG b: 8x64xi32
// MODEL for i in range(512): b[i] = a[i] + 2

air.channel @in [2]
air.channel @part [2]
air.channel @result []
func.func @test(%a: memref<8x64xi32>, %b: memref<8x64xi32>) {
  air.launch () in () args(%la = %a, %lb = %b) : memref<8x64xi32>, memref<8x64xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c8 = arith.constant 8 : index
    %c32 = arith.constant 32 : index
    scf.for %i = %c0 to %c8 step %c1 {
      scf.for %p = %c0 to %c2 step %c1 {
        %o = arith.muli %p, %c32 : index
        air.channel.put @in[%p] (%la[%i, %o] [1, 32] [64, 1]) : (memref<8x64xi32>)
      }
    }
    scf.for %i = %c0 to %c8 step %c1 {
      air.channel.get @result[] (%lb[%i, 0] [1, 64] [64, 1]) : (memref<8x64xi32>)
    }
    air.segment {
      %s0 = arith.constant 0 : index
      %s1 = arith.constant 1 : index
      %s2 = arith.constant 2 : index
      %s8 = arith.constant 8 : index
      %s32 = arith.constant 32 : index
      air.herd tile (%x) in (%n = %s2) {
        %h0 = arith.constant 0 : index
        %h1 = arith.constant 1 : index
        %h8 = arith.constant 8 : index
        scf.for %i = %h0 to %h8 step %h1 {
          %t = memref.alloc() : memref<32xi32, 2>
          air.channel.get @in[%x] (%t[] [] []) : (memref<32xi32, 2>)
          %k_t = arith.constant 2 : i32
          linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%t : memref<32xi32, 2>) {
          ^bb0(%v: i32):
            %w = arith.addi %v, %k_t : i32
            linalg.yield %w : i32
          }
          air.channel.put @part[%x] (%t[] [] []) : (memref<32xi32, 2>)
        }
      }
      scf.for %i = %s0 to %s8 step %s1 {
        %l2 = memref.alloc() : memref<64xi32, 1>
        scf.for %p = %s0 to %s2 step %s1 {
          %o = arith.muli %p, %s32 : index
          air.channel.get @part[%p] (%l2[%o] [32] [1]) : (memref<64xi32, 1>)
        }
        air.channel.put @result[] (%l2[] [] []) : (memref<64xi32, 1>)
        memref.dealloc %l2 : memref<64xi32, 1>
      }
    }
  }
  return
}
