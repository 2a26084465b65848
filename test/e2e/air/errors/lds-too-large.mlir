// RUN: rm -f %t.gfx942
// RUN: python3 %S/../Inputs/exits.py 1 %aircc %s --target gfx942 --stage-option hierarchy.l2=lds -o %t.gfx942 2>&1 | FileCheck %s
// RUN: test ! -e %t.gfx942
// RUN: rm -f %t.gfx90a
// RUN: python3 %S/../Inputs/exits.py 1 %aircc %s --target gfx90a --stage-option hierarchy.l2=lds -o %t.gfx90a 2>&1 | FileCheck %s
// RUN: test ! -e %t.gfx90a
// RUN: rm -f %t.gfx1100
// RUN: python3 %S/../Inputs/exits.py 1 %aircc %s --target gfx1100 --stage-option hierarchy.l2=lds -o %t.gfx1100 2>&1 | FileCheck %s
// RUN: test ! -e %t.gfx1100
// RUN: %aircc %s --target gfx950 -o %t.gfx950

// An L2 buffer larger than the LDS of a workgroup: the error contains both sizes.
// gfx950 has 160 KiB.

func.func @test(%out: memref<1024xf32>) {
  %c1 = arith.constant 1 : index
  air.launch (%x) in (%sx = %c1) args(%b = %out) : memref<1024xf32> {
    air.segment @s args(%sb = %b) : memref<1024xf32> {
      // CHECK: errors/lds-too-large.mlir:[[@LINE+1]]:{{[0-9]+}}: error: {{.*80000.*65536}}
      %t = memref.alloc() : memref<20000xf32, 1>
      air.dma_memcpy_nd (%t[0] [1024] [1], %sb[] [] []) : (memref<20000xf32, 1>, memref<1024xf32>)
      air.dma_memcpy_nd (%sb[] [] [], %t[5] [1024] [1]) : (memref<1024xf32>, memref<20000xf32, 1>)
    }
  }
  return
}
func.func @main() -> i32 {
  %zero = arith.constant 0 : i32
  return %zero : i32
}
