// RUN: python3 %S/Inputs/run_program.py --aircc %aircc %s

// Each PE puts to its neighbor, then gets from the other one, three times.

// On Xe, the checker does not know that atomics order subgroups of a workgroup.
// CHECKS bmg: undefined,barriers

// ARG a: 4x32xi32
// ARG b: 4x32xi32
// MODEL for p in range(4):
// MODEL   for i in range(32): b[p * 32 + i] = a[(p + 1) % 4 * 32 + i]

air.channel @ring [4]
func.func @test(%a: memref<4x32xi32>, %b: memref<4x32xi32>) {
  air.launch () in () args(%la = %a, %lb = %b) : memref<4x32xi32>, memref<4x32xi32> {
    air.segment args(%sa = %la, %sb = %lb) : memref<4x32xi32>, memref<4x32xi32> {
      %s4 = arith.constant 4 : index
      air.herd tile (%x) in (%n = %s4) args(%ha = %sa, %hb = %sb) : memref<4x32xi32>, memref<4x32xi32> {
        %h0 = arith.constant 0 : index
        %h1 = arith.constant 1 : index
        %h3 = arith.constant 3 : index
        %h4 = arith.constant 4 : index
        %t = memref.alloc() : memref<32xi32, 2>
        air.dma_memcpy_nd (%t[] [] [], %ha[%x, 0] [1, 32] [32, 1]) : (memref<32xi32, 2>, memref<4x32xi32>)
        %next = arith.addi %x, %h1 : index
        %to = arith.remui %next, %h4 : index
        scf.for %i = %h0 to %h3 step %h1 {
          air.channel.put @ring[%to] (%t[] [] []) : (memref<32xi32, 2>)
          air.channel.get @ring[%x] (%t[] [] []) : (memref<32xi32, 2>)
        }
        air.dma_memcpy_nd (%hb[%x, 0] [1, 32] [32, 1], %t[] [] []) : (memref<4x32xi32>, memref<32xi32, 2>)
      }
    }
  }
  return
}
