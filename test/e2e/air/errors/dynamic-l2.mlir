// RUN: rm -f %t.gfx942
// RUN: python3 %S/../Inputs/exits.py 1 %aircc %s --target gfx942 -o %t.gfx942 2>&1 | FileCheck %s
// RUN: test ! -e %t.gfx942

// LDS is laid out when the program is compiled: a size without a bound cannot
// be.

func.func @test(%out: memref<1024xf32>) {
  %c1 = arith.constant 1 : index
  air.launch (%x) in (%sx = %c1) args(%b = %out) : memref<1024xf32> {
    air.segment @s args(%sb = %b) : memref<1024xf32> {
      %c0 = arith.constant 0 : index
      %f = memref.load %sb[%c0] : memref<1024xf32>
      %i = arith.fptosi %f : f32 to i32
      %n = arith.index_cast %i : i32 to index
      // CHECK: errors/dynamic-l2.mlir:[[@LINE+1]]:{{[0-9]+}}: error: {{.*constant}}
      %t = memref.alloc(%n) : memref<?xf32, 1>
      air.dma_memcpy_nd (%t[0] [%n] [1], %sb[0] [%n] [1]) : (memref<?xf32, 1>, memref<1024xf32>)
      air.dma_memcpy_nd (%sb[0] [%n] [1], %t[0] [%n] [1]) : (memref<1024xf32>, memref<?xf32, 1>)
    }
  }
  return
}
func.func @main() -> i32 {
  %zero = arith.constant 0 : i32
  return %zero : i32
}
