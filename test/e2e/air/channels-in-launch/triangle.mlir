// RUN: python3 %S/Inputs/run_program.py --aircc %aircc %s

// PE number p gets p + 1 tiles.

// ARG a: 3x32xi32
// ARG b: 3x32xi32
// MODEL for p in range(3):
// MODEL   for i in range(32): b[p * 32 + i] = sum(a[q * 32 + i] for q in range(p + 1))

air.channel @in [3]
air.channel @out [3]
func.func @test(%a: memref<3x32xi32>, %b: memref<3x32xi32>) {
  air.launch () in () args(%la = %a, %lb = %b) : memref<3x32xi32>, memref<3x32xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    scf.for %i = %c0 to %c3 step %c1 {
      %end = arith.addi %i, %c1 : index
      scf.for %j = %c0 to %end step %c1 {
        air.channel.put @in[%i] (%la[%j, 0] [1, 32] [32, 1]) : (memref<3x32xi32>)
      }
      air.channel.get @out[%i] (%lb[%i, 0] [1, 32] [32, 1]) : (memref<3x32xi32>)
    }
    air.segment {
      %npx = arith.constant 3 : index
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
        %t = memref.alloc() : memref<32xi32, 2>
        %sum = memref.alloc() : memref<32xi32, 2>
        %zero = arith.constant 0 : i32
        linalg.fill ins(%zero : i32) outs(%sum : memref<32xi32, 2>)
        %end = arith.addi %x, %h1 : index
        scf.for %i = %h0 to %end step %h1 {
          air.channel.get @in[%x] (%t[] [] []) : (memref<32xi32, 2>)
          linalg.add ins(%t, %sum : memref<32xi32, 2>, memref<32xi32, 2>) outs(%sum : memref<32xi32, 2>)
        }
        air.channel.put @out[%x] (%sum[] [] []) : (memref<32xi32, 2>)
      }
    }
  }
  return
}
