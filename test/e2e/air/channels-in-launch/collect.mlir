// RUN: python3 %S/Inputs/run_program.py --aircc %aircc %s

// One PE of the second herd collects tiles of all PEs of the first.

// ARG a: 4x32xi32
// ARG b: 32xi32
// MODEL for i in range(32): b[i] = sum(a[p * 32 + i] + p for p in range(4))

air.channel @in [4]
air.channel @part [4]
air.channel @out []
func.func @test(%a: memref<4x32xi32>, %b: memref<32xi32>) {
  air.launch () in () args(%la = %a, %lb = %b) : memref<4x32xi32>, memref<32xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    scf.for %i = %c0 to %c4 step %c1 {
      air.channel.put @in[%i] (%la[%i, 0] [1, 32] [32, 1]) : (memref<4x32xi32>)
    }
    air.channel.get @out[] (%lb[] [] []) : (memref<32xi32>)
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
        %t = memref.alloc() : memref<32xi32, 2>
        %me = arith.index_cast %x : index to i32
        air.channel.get @in[%x] (%t[] [] []) : (memref<32xi32, 2>)
        linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%t : memref<32xi32, 2>) {
        ^bb0(%v: i32):
          %w = arith.addi %v, %me : i32
          linalg.yield %w : i32
        }
        air.channel.put @part[%x] (%t[] [] []) : (memref<32xi32, 2>)
      }
      %nqx = arith.constant 1 : index
      air.herd @q tile (%x) in (%nx = %nqx) {
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
        scf.for %i = %h0 to %h4 step %h1 {
          air.channel.get @part[%i] (%t[] [] []) : (memref<32xi32, 2>)
          linalg.add ins(%t, %sum : memref<32xi32, 2>, memref<32xi32, 2>) outs(%sum : memref<32xi32, 2>)
        }
        air.channel.put @out[] (%sum[] [] []) : (memref<32xi32, 2>)
      }
    }
  }
  return
}
