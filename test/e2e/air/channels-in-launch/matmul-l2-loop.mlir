// RUN: python3 %S/Inputs/run_program.py --aircc %aircc %s

// A matmul with a grid of workgroups. For each step along K, the segment gets a
// tile of A and of B in L2 and puts parts of them to its 2x2 PEs.

// ARG a: 64x64xf32
// ARG b: 64x64xf32
// ARG c: 64x64xf32
// MODEL for i in range(64):
// MODEL   for j in range(64):
// MODEL     c[i * 64 + j] = sum(a[i * 64 + k] * b[k * 64 + j] for k in range(64))

air.channel @a_l2 []
air.channel @b_l2 []
air.channel @a_l1 [2, 1] {broadcast_shape = [2, 2]}
air.channel @b_l1 [1, 2] {broadcast_shape = [2, 2]}
air.channel @c_l1 [2, 2]
air.channel @c_l2 []
func.func @test(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  %c2 = arith.constant 2 : index
  air.launch (%p, %q) in (%np = %c2, %nq = %c2) args(%la = %a, %lb = %b, %lc = %c) : memref<64x64xf32>, memref<64x64xf32>, memref<64x64xf32> {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %row = arith.muli %p, %c32 : index
    %column = arith.muli %q, %c32 : index
    scf.for %k = %c0 to %c64 step %c16 {
      air.channel.put @a_l2[] (%la[%row, %k] [32, 16] [64, 1]) : (memref<64x64xf32>)
    }
    scf.for %k = %c0 to %c64 step %c16 {
      air.channel.put @b_l2[] (%lb[%k, %column] [16, 32] [64, 1]) : (memref<64x64xf32>)
    }
    air.channel.get @c_l2[] (%lc[%row, %column] [32, 32] [64, 1]) : (memref<64x64xf32>)
    air.segment {
      %s0 = arith.constant 0 : index
      %s1 = arith.constant 1 : index
      %s2 = arith.constant 2 : index
      %s4 = arith.constant 4 : index
      %s16 = arith.constant 16 : index
      %ca = memref.alloc() : memref<32x32xf32, 1>
      scf.for %k = %s0 to %s4 step %s1 {
        %ta = memref.alloc() : memref<32x16xf32, 1>
        %tb = memref.alloc() : memref<16x32xf32, 1>
        air.channel.get @a_l2[] (%ta[] [] []) : (memref<32x16xf32, 1>)
        air.channel.get @b_l2[] (%tb[] [] []) : (memref<16x32xf32, 1>)
        scf.parallel (%i) = (%s0) to (%s2) step (%s1) {
          %o = arith.muli %i, %s16 : index
          air.channel.put @a_l1[%i, %s0] (%ta[%o, 0] [16, 16] [16, 1]) : (memref<32x16xf32, 1>)
        }
        scf.parallel (%j) = (%s0) to (%s2) step (%s1) {
          %o = arith.muli %j, %s16 : index
          air.channel.put @b_l1[%s0, %j] (%tb[0, %o] [16, 16] [32, 1]) : (memref<16x32xf32, 1>)
        }
        memref.dealloc %ta : memref<32x16xf32, 1>
        memref.dealloc %tb : memref<16x32xf32, 1>
      }
      air.herd tile (%x, %y) in (%nx = %s2, %ny = %s2) {
        %h0 = arith.constant 0 : index
        %h1 = arith.constant 1 : index
        %h4 = arith.constant 4 : index
        %zero = arith.constant 0.0 : f32
        %tc = memref.alloc() : memref<16x16xf32, 2>
        linalg.fill ins(%zero : f32) outs(%tc : memref<16x16xf32, 2>)
        scf.for %k = %h0 to %h4 step %h1 {
          %ta = memref.alloc() : memref<16x16xf32, 2>
          %tb = memref.alloc() : memref<16x16xf32, 2>
          air.channel.get @a_l1[%x, %y] (%ta[] [] []) : (memref<16x16xf32, 2>)
          air.channel.get @b_l1[%x, %y] (%tb[] [] []) : (memref<16x16xf32, 2>)
          linalg.matmul ins(%ta, %tb : memref<16x16xf32, 2>, memref<16x16xf32, 2>) outs(%tc : memref<16x16xf32, 2>)
          memref.dealloc %ta : memref<16x16xf32, 2>
          memref.dealloc %tb : memref<16x16xf32, 2>
        }
        air.channel.put @c_l1[%x, %y] (%tc[] [] []) : (memref<16x16xf32, 2>)
      }
      scf.parallel (%i, %j) = (%s0, %s0) to (%s2, %s2) step (%s1, %s1) {
        %oi = arith.muli %i, %s16 : index
        %oj = arith.muli %j, %s16 : index
        air.channel.get @c_l1[%i, %j] (%ca[%oi, %oj] [16, 16] [32, 1]) : (memref<32x32xf32, 1>)
      }
      air.channel.put @c_l2[] (%ca[] [] []) : (memref<32x32xf32, 1>)
      memref.dealloc %ca : memref<32x32xf32, 1>
    }
  }
  return
}
