// RUN: rm -f %t.gfx942
// RUN: python3 %S/../Inputs/exits.py 1 %aircc %s --target gfx942 -o %t.gfx942 2>&1 | FileCheck %s
// RUN: test ! -e %t.gfx942

// A DMA that names a rank needs a program of ranks.

func.func @test(%out: memref<1024xf32>) {
  %c1 = arith.constant 1 : index
  air.launch (%x) in (%sx = %c1) args(%b = %out) : memref<1024xf32> {
    air.segment @s args(%sb = %b) : memref<1024xf32> {
      %t = memref.alloc() : memref<64xf32, 1>
      // CHECK: errors/dma-ranks.mlir:[[@LINE+1]]:{{[0-9]+}}: error: {{.*rank}}
      air.dma_memcpy_nd (%t[] [] [], %sb[0] [64] [1]) {src_rank = 1 : i64} : (memref<64xf32, 1>, memref<1024xf32>)
    }
  }
  return
}
func.func @main() -> i32 {
  %zero = arith.constant 0 : i32
  return %zero : i32
}
