// RUN: rm -f %t.gfx942
// RUN: python3 %S/../Inputs/exits.py 1 %aircc %s --target gfx942 -o %t.gfx942 2>&1 | FileCheck %s
// RUN: test ! -e %t.gfx942

// A PE that does other work has no herds.

func.func @test(%out: memref<1024xf32>) {
  %c1 = arith.constant 1 : index
  air.launch (%x) in (%sx = %c1) args(%b = %out) : memref<1024xf32> {
    air.segment @s args(%sb = %b) : memref<1024xf32> {
      %c2 = arith.constant 2 : index
      air.herd @h tile (%tx, %ty) in (%ntx = %c2, %nty = %c2) args(%hb = %sb) : memref<1024xf32> {
        %c2_0 = arith.constant 2 : index
        %l1 = memref.alloc() : memref<16xf32, 2>
        air.dma_memcpy_nd (%l1[] [] [], %hb[0] [16] [1]) : (memref<16xf32, 2>, memref<1024xf32>)
        // CHECK: errors/herd-in-herd.mlir:[[@LINE+1]]:{{[0-9]+}}: error: {{.*herd}}
        air.herd @g tile (%ux, %uy) in (%nux = %c2_0, %nuy = %c2_0) args(%gb = %hb) : memref<1024xf32> {
          %v = arith.constant 1.0 : f32
          memref.store %v, %gb[%ux] : memref<1024xf32>
        }
      }
    }
  }
  return
}
func.func @main() -> i32 {
  %zero = arith.constant 0 : i32
  return %zero : i32
}
