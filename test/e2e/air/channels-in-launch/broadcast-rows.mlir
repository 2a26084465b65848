// RUN: python3 %S/Inputs/run_program.py --aircc %aircc %s

// Rows of A go to all PEs of a row and columns of B to all PEs of a column, by
// broadcast_shape; the results come back through an array of channels.

// ARG a: 16x32xf32
// ARG b: 32x16xf32
// ARG c: 16x16xf32
// MODEL for i in range(16):
// MODEL   for j in range(16):
// MODEL     c[i * 16 + j] = sum(a[i * 32 + k] * b[k * 16 + j] for k in range(32))

air.channel @a_in [2, 1] {broadcast_shape = [2, 2]}
air.channel @b_in [1, 2] {broadcast_shape = [2, 2]}
air.channel @c_out [2, 2]
func.func @test(%a: memref<16x32xf32>, %b: memref<32x16xf32>, %c: memref<16x16xf32>) {
  air.launch () in () args(%la = %a, %lb = %b, %lc = %c) : memref<16x32xf32>, memref<32x16xf32>, memref<16x16xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c8 = arith.constant 8 : index
    scf.for %i = %c0 to %c2 step %c1 {
      %row = arith.muli %i, %c8 : index
      air.channel.put @a_in[%i, %c0] (%la[%row, 0] [8, 32] [32, 1]) : (memref<16x32xf32>)
    }
    scf.for %j = %c0 to %c2 step %c1 {
      %column = arith.muli %j, %c8 : index
      air.channel.put @b_in[%c0, %j] (%lb[0, %column] [32, 8] [16, 1]) : (memref<32x16xf32>)
    }
    scf.parallel (%i, %j) = (%c0, %c0) to (%c2, %c2) step (%c1, %c1) {
      %row = arith.muli %i, %c8 : index
      %column = arith.muli %j, %c8 : index
      air.channel.get @c_out[%i, %j] (%lc[%row, %column] [8, 8] [16, 1]) : (memref<16x16xf32>)
    }
    air.segment {
      %d2 = arith.constant 2 : index
      air.herd tile (%x, %y) in (%nx = %d2, %ny = %d2) {
        %zero = arith.constant 0.0 : f32
        %ta = memref.alloc() : memref<8x32xf32, 2>
        %tb = memref.alloc() : memref<32x8xf32, 2>
        %tc = memref.alloc() : memref<8x8xf32, 2>
        linalg.fill ins(%zero : f32) outs(%tc : memref<8x8xf32, 2>)
        air.channel.get @a_in[%x, %y] (%ta[] [] []) : (memref<8x32xf32, 2>)
        air.channel.get @b_in[%x, %y] (%tb[] [] []) : (memref<32x8xf32, 2>)
        linalg.matmul ins(%ta, %tb : memref<8x32xf32, 2>, memref<32x8xf32, 2>) outs(%tc : memref<8x8xf32, 2>)
        air.channel.put @c_out[%x, %y] (%tc[] [] []) : (memref<8x8xf32, 2>)
      }
    }
  }
  return
}
