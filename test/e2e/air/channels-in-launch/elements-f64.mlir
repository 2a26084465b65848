// RUN: python3 %S/Inputs/run_program.py --aircc %aircc %s

// Elements of type f64 through channels that are not declared: two PEs, four tiles each.

// ARG a: 512xf64
// ARG b: 512xf64
// MODEL for i in range(512): b[i] = a[i] * 3

func.func @test(%a: memref<512xf64>, %b: memref<512xf64>) {
  air.launch () in () args(%la = %a, %lb = %b) : memref<512xf64>, memref<512xf64> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c64 = arith.constant 64 : index
    %c256 = arith.constant 256 : index
    scf.for %p = %c0 to %c2 step %c1 {
      scf.for %i = %c0 to %c256 step %c64 {
        %o = arith.muli %p, %c256 : index
        %s = arith.addi %o, %i : index
        air.channel.put @in[%p] (%la[%s] [64] [1]) : (memref<512xf64>)
        air.channel.get @out[%p] (%lb[%s] [64] [1]) : (memref<512xf64>)
      }
    }
    air.segment {
      %s2 = arith.constant 2 : index
      air.herd tile (%x) in (%n = %s2) {
        %h0 = arith.constant 0 : index
        %h1 = arith.constant 1 : index
        %h4 = arith.constant 4 : index
        scf.for %i = %h0 to %h4 step %h1 {
          %t = memref.alloc() : memref<64xf64, 2>
          air.channel.get @in[%x] (%t[] [] []) : (memref<64xf64, 2>)
          %k_t = arith.constant 3.0 : f64
          linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%t : memref<64xf64, 2>) {
          ^bb0(%v: f64):
            %w = arith.mulf %v, %k_t : f64
            linalg.yield %w : f64
          }
          air.channel.put @out[%x] (%t[] [] []) : (memref<64xf64, 2>)
          memref.dealloc %t : memref<64xf64, 2>
        }
      }
    }
  }
  return
}
