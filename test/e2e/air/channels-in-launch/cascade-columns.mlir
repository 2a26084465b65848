// RUN: python3 %S/Inputs/run_program.py --aircc %aircc %s

// A cascade down each column of a 3 x 2 herd; f32, two rounds.

// ARG a: 6x32xf32
// ARG b: 2x32xf32
// MODEL for y in range(2):
// MODEL   for i in range(32): b[y * 32 + i] = 2 * sum(a[(x * 2 + y) * 32 + i] for x in range(3))
// On Xe, the checker does not know that atomics order subgroups of a workgroup.
// CHECKS bmg: undefined,barriers

air.channel @in [3, 2]
air.channel @down [2, 2] {channel_type = "npu_cascade"}
air.channel @out [2]
func.func @test(%a: memref<6x32xf32>, %b: memref<2x32xf32>) {
  air.launch () in () args(%la = %a, %lb = %b) : memref<6x32xf32>, memref<2x32xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    scf.for %i = %c0 to %c3 step %c1 {
      scf.for %j = %c0 to %c2 step %c1 {
        %r0 = arith.muli %i, %c2 : index
        %r = arith.addi %r0, %j : index
        air.channel.put @in[%i, %j] (%la[%r, 0] [1, 32] [32, 1]) : (memref<6x32xf32>)
      }
    }
    scf.for %j = %c0 to %c2 step %c1 {
      air.channel.get @out[%j] (%lb[%j, 0] [1, 32] [32, 1]) : (memref<2x32xf32>)
    }
    air.segment {
      %npx = arith.constant 3 : index
      %npy = arith.constant 2 : index
      air.herd @p tile (%x, %y) in (%nx = %npx, %ny = %npy) {
        %h0 = arith.constant 0 : index
        %h1 = arith.constant 1 : index
        %h2 = arith.constant 2 : index
        %h3 = arith.constant 3 : index
        %h4 = arith.constant 4 : index
        %h8 = arith.constant 8 : index
        %h16 = arith.constant 16 : index
        %h32 = arith.constant 32 : index
        %h64 = arith.constant 64 : index
        %t = memref.alloc() : memref<32xf32, 2>
        %u = memref.alloc() : memref<32xf32, 2>
        %sum = memref.alloc() : memref<32xf32, 2>
        %zero = arith.constant 0.0 : f32
        linalg.fill ins(%zero : f32) outs(%sum : memref<32xf32, 2>)
        air.channel.get @in[%x, %y] (%t[] [] []) : (memref<32xf32, 2>)
        scf.for %i = %h0 to %h2 step %h1 {
          linalg.copy ins(%t : memref<32xf32, 2>) outs(%u : memref<32xf32, 2>)
          %is_first = arith.cmpi eq, %x, %h0 : index
          scf.if %is_first {
          } else {
            %p = memref.alloc() : memref<32xf32, 2>
            %above = arith.subi %x, %h1 : index
            air.channel.get @down[%above, %y] (%p[] [] []) : (memref<32xf32, 2>)
            linalg.add ins(%p, %u : memref<32xf32, 2>, memref<32xf32, 2>) outs(%u : memref<32xf32, 2>)
          }
          %is_last = arith.cmpi eq, %x, %h2 : index
          scf.if %is_last {
            linalg.add ins(%u, %sum : memref<32xf32, 2>, memref<32xf32, 2>) outs(%sum : memref<32xf32, 2>)
          } else {
            air.channel.put @down[%x, %y] (%u[] [] []) : (memref<32xf32, 2>)
          }
        }
        %last = arith.cmpi eq, %x, %h2 : index
        scf.if %last {
          air.channel.put @out[%y] (%sum[] [] []) : (memref<32xf32, 2>)
        }
      }
    }
  }
  return
}
