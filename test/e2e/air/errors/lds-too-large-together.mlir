// RUN: rm -f %t.gfx942
// RUN: python3 %S/../Inputs/exits.py 1 %aircc %s --target gfx942 --stage-option hierarchy.l2=lds -o %t.gfx942 2>&1 | FileCheck %s
// RUN: test ! -e %t.gfx942
// RUN: %aircc %s --target gfx950 -o %t.gfx950

// Two L2 buffers that live at the same time and fit only one at a time.

// CHECK: errors/lds-too-large-together.mlir:[[#]]:{{[0-9]+}}: error: {{.*81920.*65536}}
func.func @test(%out: memref<1024xf32>) {
  %c1 = arith.constant 1 : index
  air.launch (%x) in (%sx = %c1) args(%b = %out) : memref<1024xf32> {
    air.segment @s args(%sb = %b) : memref<1024xf32> {
      %t = memref.alloc() : memref<10240xf32, 1>
      %u = memref.alloc() : memref<10240xf32, 1>
      air.dma_memcpy_nd (%t[0] [1024] [1], %sb[] [] []) : (memref<10240xf32, 1>, memref<1024xf32>)
      air.dma_memcpy_nd (%u[] [] [], %t[] [] []) : (memref<10240xf32, 1>, memref<10240xf32, 1>)
      air.dma_memcpy_nd (%sb[] [] [], %u[5] [1024] [1]) : (memref<1024xf32>, memref<10240xf32, 1>)
    }
  }
  return
}
func.func @main() -> i32 {
  %zero = arith.constant 0 : i32
  return %zero : i32
}
