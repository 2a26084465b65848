// RUN: python3 %S/Inputs/run_program.py --aircc %aircc %s

// Two herds of different sizes that need messages of each other run together: one gets requests and replies to them,
// and the other one computes its next request from the reply. A third one gets the results.

// On Xe, the checker does not know that atomics order subgroups of a workgroup.
// CHECKS bmg: undefined,barriers

// ARG a: 2x16xi32
// ARG b: 2x16xi32
// MODEL for i in range(32):
// MODEL   v = a[i]
// MODEL   for step in range(4): v = 3 * v + step
// MODEL   b[i] = v

air.channel @request [2, 1]
air.channel @reply [2, 1]
air.channel @result [2, 1]
func.func @test(%a: memref<2x16xi32>, %b: memref<2x16xi32>) {
  air.launch () in () args(%la = %a, %lb = %b) : memref<2x16xi32>, memref<2x16xi32> {
    air.segment args(%sa = %la, %sb = %lb) : memref<2x16xi32>, memref<2x16xi32> {
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      air.herd @client tile (%x, %y) in (%nx = %c2, %ny = %c1) args(%ha = %sa) : memref<2x16xi32> {
        %h0 = arith.constant 0 : index
        %h1 = arith.constant 1 : index
        %h4 = arith.constant 4 : index
        %t = memref.alloc() : memref<16xi32, 2>
        air.dma_memcpy_nd (%t[] [] [], %ha[%x, 0] [1, 16] [16, 1]) : (memref<16xi32, 2>, memref<2x16xi32>)
        scf.for %i = %h0 to %h4 step %h1 {
          air.channel.put @request[%x, %y] (%t[] [] []) : (memref<16xi32, 2>)
          air.channel.get @reply[%x, %y] (%t[] [] []) : (memref<16xi32, 2>)
          %step = arith.index_cast %i : index to i32
          linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
              outs(%t : memref<16xi32, 2>) {
          ^bb0(%v: i32):
            %w = arith.addi %v, %step : i32
            linalg.yield %w : i32
          }
        }
        air.channel.put @result[%x, %y] (%t[] [] []) : (memref<16xi32, 2>)
      }
      air.herd @server tile (%x, %y) in (%nx = %c1, %ny = %c1) {
        %h0 = arith.constant 0 : index
        %h1 = arith.constant 1 : index
        %h2 = arith.constant 2 : index
        %h4 = arith.constant 4 : index
        %three = arith.constant 3 : i32
        %t = memref.alloc() : memref<16xi32, 2>
        scf.for %i = %h0 to %h4 step %h1 {
          scf.for %from = %h0 to %h2 step %h1 {
            air.channel.get @request[%from, %h0] (%t[] [] []) : (memref<16xi32, 2>)
            linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
                outs(%t : memref<16xi32, 2>) {
            ^bb0(%v: i32):
              %w = arith.muli %v, %three : i32
              linalg.yield %w : i32
            }
            air.channel.put @reply[%from, %h0] (%t[] [] []) : (memref<16xi32, 2>)
          }
        }
      }
      air.herd @sink tile (%x, %y) in (%nx = %c2, %ny = %c1) args(%hb = %sb) : memref<2x16xi32> {
        %t = memref.alloc() : memref<16xi32, 2>
        air.channel.get @result[%x, %y] (%t[] [] []) : (memref<16xi32, 2>)
        air.dma_memcpy_nd (%hb[%x, 0] [1, 16] [16, 1], %t[] [] []) : (memref<2x16xi32>, memref<16xi32, 2>)
      }
    }
  }
  return
}
