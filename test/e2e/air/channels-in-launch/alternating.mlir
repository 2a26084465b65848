// RUN: python3 %S/Inputs/run_program.py --aircc %aircc %s

// Two buffers take turns on one channel.

// ARG a: 2x64xi32
// ARG b: 64xi32
// MODEL for i in range(64): b[i] = a[i] - a[64 + i]

air.channel @in []
air.channel @out []
func.func @test(%a: memref<2x64xi32>, %b: memref<64xi32>) {
  air.launch () in () args(%la = %a, %lb = %b) : memref<2x64xi32>, memref<64xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    scf.for %i = %c0 to %c64 step %c32 {
      air.channel.put @in[] (%la[0, %i] [1, 32] [64, 1]) : (memref<2x64xi32>)
      air.channel.put @in[] (%la[1, %i] [1, 32] [64, 1]) : (memref<2x64xi32>)
    }
    air.channel.get @out[] (%lb[] [] []) : (memref<64xi32>)
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
        scf.for %i = %h0 to %h2 step %h1 {
          %t = memref.alloc() : memref<32xi32, 2>
          %u = memref.alloc() : memref<32xi32, 2>
          air.channel.get @in[] (%t[] [] []) : (memref<32xi32, 2>)
          air.channel.get @in[] (%u[] [] []) : (memref<32xi32, 2>)
          linalg.sub ins(%t, %u : memref<32xi32, 2>, memref<32xi32, 2>) outs(%t : memref<32xi32, 2>)
          air.channel.put @out[] (%t[] [] []) : (memref<32xi32, 2>)
        }
      }
    }
  }
  return
}
