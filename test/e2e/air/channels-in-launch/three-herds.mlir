// RUN: python3 %S/Inputs/run_program.py --aircc %aircc %s

// Three herds in a row, the last one before the others in the program.

// ARG a: 128xf32
// ARG b: 128xf32
// MODEL for i in range(128): b[i] = (a[i] * 2 + 1) * 3

air.channel @first [2]
air.channel @second [2]
air.channel @in [2]
air.channel @out [2]
func.func @test(%a: memref<128xf32>, %b: memref<128xf32>) {
  air.launch () in () args(%la = %a, %lb = %b) : memref<128xf32>, memref<128xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c64 = arith.constant 64 : index
    scf.parallel (%i) = (%c0) to (%c2) step (%c1) {
      %o = arith.muli %i, %c64 : index
      air.channel.put @in[%i] (%la[%o] [64] [1]) : (memref<128xf32>)
    }
    scf.parallel (%i) = (%c0) to (%c2) step (%c1) {
      %o = arith.muli %i, %c64 : index
      air.channel.get @out[%i] (%lb[%o] [64] [1]) : (memref<128xf32>)
    }
    air.segment {
      %s2 = arith.constant 2 : index
      air.herd @last tile (%x) in (%n = %s2) {
        %t = memref.alloc() : memref<64xf32, 2>
        air.channel.get @second[%x] (%t[] [] []) : (memref<64xf32, 2>)
        %k_t = arith.constant 3.0 : f32
        linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%t : memref<64xf32, 2>) {
        ^bb0(%v: f32):
          %w = arith.mulf %v, %k_t : f32
          linalg.yield %w : f32
        }
        air.channel.put @out[%x] (%t[] [] []) : (memref<64xf32, 2>)
      }
      air.herd @middle tile (%x) in (%n = %s2) {
        %t = memref.alloc() : memref<64xf32, 2>
        air.channel.get @first[%x] (%t[] [] []) : (memref<64xf32, 2>)
        %k_t = arith.constant 1.0 : f32
        linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%t : memref<64xf32, 2>) {
        ^bb0(%v: f32):
          %w = arith.addf %v, %k_t : f32
          linalg.yield %w : f32
        }
        air.channel.put @second[%x] (%t[] [] []) : (memref<64xf32, 2>)
      }
      air.herd @begin tile (%x) in (%n = %s2) {
        %t = memref.alloc() : memref<64xf32, 2>
        air.channel.get @in[%x] (%t[] [] []) : (memref<64xf32, 2>)
        %k_t = arith.constant 2.0 : f32
        linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%t : memref<64xf32, 2>) {
        ^bb0(%v: f32):
          %w = arith.mulf %v, %k_t : f32
          linalg.yield %w : f32
        }
        air.channel.put @first[%x] (%t[] [] []) : (memref<64xf32, 2>)
      }
    }
  }
  return
}
