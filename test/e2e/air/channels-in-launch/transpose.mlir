// RUN: python3 %S/Inputs/run_program.py --aircc %aircc %s

// The strides of the put transpose the tile.

// ARG a: 32x16xi32
// ARG b: 16x32xi32
// MODEL for i in range(16):
// MODEL   for j in range(32): b[i * 32 + j] = a[j * 16 + i]

air.channel @in []
air.channel @out []
func.func @test(%a: memref<32x16xi32>, %b: memref<16x32xi32>) {
  air.launch () in () args(%la = %a, %lb = %b) : memref<32x16xi32>, memref<16x32xi32> {
    air.channel.put @in[] (%la[0, 0] [16, 32] [1, 16]) : (memref<32x16xi32>)
    air.channel.get @out[] (%lb[] [] []) : (memref<16x32xi32>)
    air.segment {
      %c1 = arith.constant 1 : index
      air.herd tile (%x, %y) in (%nx = %c1, %ny = %c1) {
        %t = memref.alloc() : memref<16x32xi32, 2>
        air.channel.get @in[] (%t[] [] []) : (memref<16x32xi32, 2>)
        air.channel.put @out[] (%t[] [] []) : (memref<16x32xi32, 2>)
      }
    }
  }
  return
}
