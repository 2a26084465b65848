// RUN: python3 %S/Inputs/run_program.py --aircc %aircc %s

// Tokens everywhere: a herd with two buffers, whose tokens the loop carries.

// ARG a: 1024xi32
// ARG b: 1024xi32
// MODEL for i in range(1024): b[i] = a[i] + 7

air.channel @in [1, 1]
air.channel @out [1, 1]
func.func @test(%a: memref<1024xi32>, %b: memref<1024xi32>) {
  %one = arith.constant 1 : index
  %done = air.launch async (%p) in (%np = %one) args(%la = %a, %lb = %b) : memref<1024xi32>, memref<1024xi32> {
    %t0 = air.channel.put async @in[] (%la[] [] []) : (memref<1024xi32>)
    %t1 = air.channel.get async @out[] (%lb[] [] []) : (memref<1024xi32>)
    %t2 = air.segment async {
      %c1 = arith.constant 1 : index
      %h = air.herd async tile (%x, %y) in (%nx = %c1, %ny = %c1) {
        %c0 = arith.constant 0 : index
        %c128 = arith.constant 128 : index
        %c1024 = arith.constant 1024 : index
        %a0, %ping = air.execute -> (memref<64xi32, 2>) {
          %m = memref.alloc() : memref<64xi32, 2>
          air.execute_terminator %m : memref<64xi32, 2>
        }
        %a1, %pong = air.execute -> (memref<64xi32, 2>) {
          %m = memref.alloc() : memref<64xi32, 2>
          air.execute_terminator %m : memref<64xi32, 2>
        }
        %e:2 = scf.for %i = %c0 to %c1024 step %c128 iter_args(%u = %a0, %v0 = %a1) -> (!air.async.token, !air.async.token) {
          %g0 = air.channel.get async [%u] @in[] (%ping[] [] []) : (memref<64xi32, 2>)
          %x0 = air.execute [%g0] {
            %k_ping = arith.constant 7 : i32
            linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%ping : memref<64xi32, 2>) {
            ^bb0(%v: i32):
              %w = arith.addi %v, %k_ping : i32
              linalg.yield %w : i32
            }
          }
          %p0 = air.channel.put async [%x0] @out[] (%ping[] [] []) : (memref<64xi32, 2>)
          %g1 = air.channel.get async [%v0, %g0] @in[] (%pong[] [] []) : (memref<64xi32, 2>)
          %x1 = air.execute [%g1] {
            %k_pong = arith.constant 7 : i32
            linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%pong : memref<64xi32, 2>) {
            ^bb0(%v: i32):
              %w = arith.addi %v, %k_pong : i32
              linalg.yield %w : i32
            }
          }
          %p1 = air.channel.put async [%x1, %p0] @out[] (%pong[] [] []) : (memref<64xi32, 2>)
          scf.yield %p0, %p1 : !air.async.token, !air.async.token
        }
        air.wait_all [%e#0, %e#1]
      }
      air.wait_all [%h]
    }
    air.wait_all [%t0, %t1, %t2]
  }
  air.wait_all [%done]
  return
}
