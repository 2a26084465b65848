// RUN: python3 %S/Inputs/run_program.py --aircc %aircc %s

// Puts in an scf.parallel that reduces tokens.

// ARG a: 4x32xi32
// ARG b: 4x32xi32
// MODEL for i in range(128): b[i] = a[i] + 3

air.channel @in [4]
air.channel @out [4]
func.func @test(%a: memref<4x32xi32>, %b: memref<4x32xi32>) {
  air.launch () in () args(%la = %a, %lb = %b) : memref<4x32xi32>, memref<4x32xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %t0 = air.wait_all async
    %all = scf.parallel (%i) = (%c0) to (%c4) step (%c1) init (%t0) -> !air.async.token {
      %p = air.channel.put async [%t0] @in[%i] (%la[%i, 0] [1, 32] [32, 1]) : (memref<4x32xi32>)
      scf.reduce(%p : !air.async.token) {
      ^bb0(%l: !air.async.token, %r: !air.async.token):
        %j = air.wait_all async [%l, %r]
        scf.reduce.return %j : !air.async.token
      }
    }
    %s = air.segment async [%all] args(%sb = %lb) : memref<4x32xi32> {
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
        %g = air.channel.get async @in[%x] (%t[] [] []) : (memref<32xi32, 2>)
        air.wait_all [%g]
        %k_t = arith.constant 3 : i32
        linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%t : memref<32xi32, 2>) {
        ^bb0(%v: i32):
          %w = arith.addi %v, %k_t : i32
          linalg.yield %w : i32
        }
        air.channel.put @out[%x] (%t[] [] []) : (memref<32xi32, 2>)
      }
      %k0 = arith.constant 0 : index
      %k1 = arith.constant 1 : index
      %k4 = arith.constant 4 : index
      scf.for %i = %k0 to %k4 step %k1 {
        air.channel.get @out[%i] (%sb[%i, 0] [1, 32] [32, 1]) : (memref<4x32xi32>)
      }
    }
    air.wait_all [%s]
  }
  return
}
