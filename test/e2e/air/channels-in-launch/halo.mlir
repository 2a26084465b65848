// RUN: python3 %S/Inputs/run_program.py --aircc %aircc %s

// Windows of the input overlap.

// ARG a: 66xi32
// ARG b: 64xi32
// MODEL for i in range(64): b[i] = a[i] + a[i + 1] + a[i + 2]

air.channel @in [4]
air.channel @out [4]
func.func @test(%a: memref<66xi32>, %b: memref<64xi32>) {
  air.launch () in () args(%la = %a, %lb = %b) : memref<66xi32>, memref<64xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %c16 = arith.constant 16 : index
    scf.for %i = %c0 to %c4 step %c1 {
      %o = arith.muli %i, %c16 : index
      air.channel.put @in[%i] (%la[%o] [18] [1]) : (memref<66xi32>)
      air.channel.get @out[%i] (%lb[%o] [16] [1]) : (memref<64xi32>)
    }
    air.segment {
      %npx = arith.constant 4 : index
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
        %t = memref.alloc() : memref<18xi32, 2>
        %u = memref.alloc() : memref<16xi32, 2>
        air.channel.get @in[%x] (%t[] [] []) : (memref<18xi32, 2>)
        scf.for %i = %h0 to %h16 step %h1 {
          %i1 = arith.addi %i, %h1 : index
          %i2 = arith.addi %i, %h2 : index
          %v0 = memref.load %t[%i] : memref<18xi32, 2>
          %v1 = memref.load %t[%i1] : memref<18xi32, 2>
          %v2 = memref.load %t[%i2] : memref<18xi32, 2>
          %s1 = arith.addi %v0, %v1 : i32
          %s2 = arith.addi %s1, %v2 : i32
          memref.store %s2, %u[%i] : memref<16xi32, 2>
        }
        air.channel.put @out[%x] (%u[] [] []) : (memref<16xi32, 2>)
      }
    }
  }
  return
}
