// RUN: rm -f %t.gfx942
// RUN: python3 %S/../Inputs/exits.py 1 %aircc %s --target gfx942 --stage-option hierarchy.l2=lds -o %t.gfx942 2>&1 | FileCheck %s
// RUN: test ! -e %t.gfx942
// RUN: %aircc %s --target gfx950 -o %t.gfx950

// L1 buffers of PEs that are together larger than LDS: 16 of 8 KiB.

func.func @test(%out: memref<1024xf32>) {
  %c1 = arith.constant 1 : index
  air.launch (%x) in (%sx = %c1) args(%b = %out) : memref<1024xf32> {
    air.segment @s args(%sb = %b) : memref<1024xf32> {
      %c4 = arith.constant 4 : index
      air.herd @h tile (%tx, %ty) in (%ntx = %c4, %nty = %c4) args(%hb = %sb) : memref<1024xf32> {
        %c0 = arith.constant 0 : index
        %c1024 = arith.constant 1024 : index
        %c1_0 = arith.constant 1 : index
        // CHECK: errors/l1-too-large.mlir:[[@LINE+1]]:{{[0-9]+}}: error: {{.*131072.*65536}}
        %t = memref.alloc() : memref<2048xf32, 2>
        scf.for %i = %c0 to %c1024 step %c1_0 {
          %v = memref.load %hb[%i] : memref<1024xf32>
          memref.store %v, %t[%i] : memref<2048xf32, 2>
        }
        %v = memref.load %t[%tx] : memref<2048xf32, 2>
        memref.store %v, %hb[%ty] : memref<1024xf32>
      }
    }
  }
  return
}
func.func @main() -> i32 {
  %zero = arith.constant 0 : i32
  return %zero : i32
}
