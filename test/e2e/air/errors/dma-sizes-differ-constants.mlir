// RUN: rm -f %t.gfx942
// RUN: python3 %S/../Inputs/exits.py 1 %aircc %s --target gfx942 -o %t.gfx942 2>&1 | FileCheck %s
// RUN: test ! -e %t.gfx942

// The same where the sizes are constants of the program.

func.func @test(%out: memref<1024xf32>) {
  %c1 = arith.constant 1 : index
  air.launch (%x) in (%sx = %c1) args(%b = %out) : memref<1024xf32> {
    air.segment @s args(%sb = %b) : memref<1024xf32> {
      %c8 = arith.constant 8 : index
      %c9 = arith.constant 9 : index
      %c1_0 = arith.constant 1 : index
      %t = memref.alloc() : memref<64xf32, 1>
      // CHECK: errors/dma-sizes-differ-constants.mlir:[[@LINE+1]]:{{[0-9]+}}: error: {{.*(64.*72|72.*64)}}
      air.dma_memcpy_nd (%t[] [] [], %sb[0] [%c8, %c9] [%c9, %c1_0]) : (memref<64xf32, 1>, memref<1024xf32>)
    }
  }
  return
}
func.func @main() -> i32 {
  %zero = arith.constant 0 : i32
  return %zero : i32
}
