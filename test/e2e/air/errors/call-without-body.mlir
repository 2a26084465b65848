// RUN: rm -f %t.gfx942
// RUN: python3 %S/../Inputs/exits.py 1 %aircc %s --target gfx942 -o %t.gfx942 2>&1 | FileCheck %s
// RUN: test ! -e %t.gfx942

// A kernel calls a function without a definition.

func.func private @elsewhere(f32) -> f32

func.func @test(%out: memref<1024xf32>) {
  %c1 = arith.constant 1 : index
  air.launch (%x) in (%sx = %c1) args(%b = %out) : memref<1024xf32> {
    air.segment @s args(%sb = %b) : memref<1024xf32> {
      %c2 = arith.constant 2 : index
      air.herd @h tile (%tx) in (%ntx = %c2) args(%hb = %sb) : memref<1024xf32> {
        %v = arith.constant 1.0 : f32
        // CHECK: errors/call-without-body.mlir:[[@LINE+1]]:{{[0-9]+}}: error: {{.*elsewhere}}
        %w = func.call @elsewhere(%v) : (f32) -> f32
        memref.store %w, %hb[%tx] : memref<1024xf32>
      }
    }
  }
  return
}
func.func @main() -> i32 {
  %zero = arith.constant 0 : i32
  return %zero : i32
}
