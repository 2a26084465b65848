// RUN: python3 %S/Inputs/run_program.py --aircc %aircc %s

// Partial sums flow along a row of PEs over a cascade.

// On Xe, the checker does not know that atomics order subgroups of a workgroup.
// CHECKS bmg: undefined,barriers

// ARG a: 4x32xi32
// ARG b: 32xi32
// MODEL for i in range(32): b[i] = sum(a[r * 32 + i] for r in range(4))

air.channel @rows [4]
air.channel @cascade [3] {channel_type = "npu_cascade"}
air.channel @sum []
func.func @test(%a: memref<4x32xi32>, %b: memref<32xi32>) {
  air.launch () in () args(%la = %a, %lb = %b) : memref<4x32xi32>, memref<32xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.for %i = %c0 to %c4 step %c1 {
      air.channel.put @rows[%i] (%la[%i, 0] [32] [1]) : (memref<4x32xi32>)
    }
    air.channel.get @sum[] (%lb[] [] []) : (memref<32xi32>)
    air.segment {
      %s4 = arith.constant 4 : index
      air.herd tile (%x) in (%n = %s4) {
        %h0 = arith.constant 0 : index
        %h1 = arith.constant 1 : index
        %h3 = arith.constant 3 : index
        %t = memref.alloc() : memref<32xi32, 2>
        %p = memref.alloc() : memref<32xi32, 2>
        air.channel.get @rows[%x] (%t[] [] []) : (memref<32xi32, 2>)
        %is_first = arith.cmpi eq, %x, %h0 : index
        scf.if %is_first {
          air.channel.put @cascade[%x] (%t[] [] []) : (memref<32xi32, 2>)
        } else {
          %left = arith.subi %x, %h1 : index
          air.channel.get @cascade[%left] (%p[] [] []) : (memref<32xi32, 2>)
          linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
              ins(%p : memref<32xi32, 2>) outs(%t : memref<32xi32, 2>) {
          ^bb0(%v: i32, %w: i32):
            %s = arith.addi %v, %w : i32
            linalg.yield %s : i32
          }
          %is_last = arith.cmpi eq, %x, %h3 : index
          scf.if %is_last {
            air.channel.put @sum[] (%t[] [] []) : (memref<32xi32, 2>)
          } else {
            air.channel.put @cascade[%x] (%t[] [] []) : (memref<32xi32, 2>)
          }
        }
      }
    }
  }
  return
}
