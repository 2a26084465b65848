// RUN: rm -f %t.gfx942
// RUN: python3 %S/../Inputs/exits.py 1 %aircc %s --target gfx942 -o %t.gfx942 2>&1 | FileCheck %s
// RUN: test ! -e %t.gfx942

// An L1 buffer cannot be private to lanes and shared by the PE at the same time.

func.func @test(%out: memref<1024xf32>) {
  %c1 = arith.constant 1 : index
  air.launch (%x) in (%sx = %c1) args(%b = %out) : memref<1024xf32> {
    air.segment @s args(%sb = %b) : memref<1024xf32> {
      %c2 = arith.constant 2 : index
      // CHECK: errors/l1-of-two-kinds.mlir:[[@LINE+1]]:{{[0-9]+}}: error: {{.*lane}}
      %t = memref.alloc() : memref<4xf32, 2>
      air.herd @pes tile (%tx) in (%ntx = %c2) args(%ht = %t) : memref<4xf32, 2> {
        %v = arith.constant 1.0 : f32
        memref.store %v, %ht[%tx] : memref<4xf32, 2>
      }
      air.herd @lanes tile (%tx) in (%ntx = %c2) args(%ht = %t, %hb = %sb) : memref<4xf32, 2>, memref<1024xf32> {
        %lane = gpu.lane_id
        %v = memref.load %ht[%tx] : memref<4xf32, 2>
        memref.store %v, %hb[%lane] : memref<1024xf32>
      }
    }
  }
  return
}
func.func @main() -> i32 {
  %zero = arith.constant 0 : i32
  return %zero : i32
}
