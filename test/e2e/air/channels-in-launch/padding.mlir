// RUN: python3 %S/Inputs/run_program.py --aircc %aircc %s

// The put adds a border of zeros.

// ARG a: 6x6xi32
// ARG b: 8x8xi32
// MODEL for i in range(64): b[i] = 0
// MODEL for i in range(6):
// MODEL   for j in range(6): b[(i + 1) * 8 + j + 1] = a[i * 6 + j]

air.channel @in []
func.func @test(%a: memref<6x6xi32>, %b: memref<8x8xi32>) {
  air.launch () in () args(%la = %a, %lb = %b) : memref<6x6xi32>, memref<8x8xi32> {
    air.channel.put @in[] (%la[0, 0] [6, 6] [6, 1]) {pad_before = array<i32: 1, 1>, pad_after = array<i32: 1, 1>} : (memref<6x6xi32>)
    air.segment args(%sb = %lb) : memref<8x8xi32> {
      %c1 = arith.constant 1 : index
      air.herd tile (%x, %y) in (%nx = %c1, %ny = %c1) args(%hb = %sb) : memref<8x8xi32> {
        %t = memref.alloc() : memref<8x8xi32, 2>
        air.channel.get @in[] (%t[] [] []) : (memref<8x8xi32, 2>)
        air.dma_memcpy_nd (%hb[] [] [], %t[] [] []) : (memref<8x8xi32>, memref<8x8xi32, 2>)
      }
    }
  }
  return
}
