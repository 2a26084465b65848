// RUN: rm -f %t.gfx942
// RUN: python3 %S/../Inputs/exits.py 1 %aircc %s --target gfx942 -o %t.gfx942 2>&1 | FileCheck %s
// RUN: test ! -e %t.gfx942

// A herd is a fixed number of waves; a size that only the run time knows
// cannot be one.

func.func @test(%out: memref<1024xf32>) {
  %c1 = arith.constant 1 : index
  air.launch (%x) in (%sx = %c1) args(%b = %out) : memref<1024xf32> {
    air.segment @s args(%sb = %b) : memref<1024xf32> {
      %c0 = arith.constant 0 : index
      %f = memref.load %sb[%c0] : memref<1024xf32>
      %i = arith.fptosi %f : f32 to i32
      %n = arith.index_cast %i : i32 to index
      // CHECK: errors/herd-dynamic.mlir:[[@LINE+1]]:{{[0-9]+}}: error: {{.*constant}}
      air.herd @h tile (%tx) in (%ntx = %n) args(%hb = %sb) : memref<1024xf32> {
        %v = arith.constant 1.0 : f32
        memref.store %v, %hb[%tx] : memref<1024xf32>
      }
    }
  }
  return
}
func.func @main() -> i32 {
  %zero = arith.constant 0 : i32
  return %zero : i32
}
