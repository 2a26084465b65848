// RUN: rm -f %t.gfx942
// RUN: python3 %S/../Inputs/exits.py 1 %aircc %s --target gfx942 --emit=hsaco -o %t.gfx942 2>&1 | FileCheck %s
// RUN: test ! -e %t.gfx942
// RUN: %aircc %s --emit=air | FileCheck %s --check-prefix=VALID

// Several elements go to one. In the dialect, that is valid.

func.func @copy(%a: memref<16xi32>, %b: memref<16xi32>) {
  air.launch () in () args(%la = %a, %lb = %b) : memref<16xi32>, memref<16xi32> {
    air.segment args(%sa = %la, %sb = %lb) : memref<16xi32>, memref<16xi32> {
      %c1 = arith.constant 1 : index
      air.herd tile (%x, %y) in (%nx = %c1, %ny = %c1) args(%ha = %sa, %hb = %sb) : memref<16xi32>, memref<16xi32> {
        %t = memref.alloc() : memref<16xi32, 2>
        air.dma_memcpy_nd (%t[] [] [], %ha[] [] []) : (memref<16xi32, 2>, memref<16xi32>)
        // VALID: [0] [16] [0]
        // CHECK: errors/dma-target-stride-0.mlir:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}has stride 0 in dimension 0 of its target, which has size 16
        air.dma_memcpy_nd (%hb[0] [16] [0], %t[] [] []) : (memref<16xi32>, memref<16xi32, 2>)
      }
    }
  }
  return
}
