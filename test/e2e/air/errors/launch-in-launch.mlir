// RUN: rm -f %t.gfx942
// RUN: python3 %S/../Inputs/exits.py 1 %aircc %s --target gfx942 -o %t.gfx942 2>&1 | FileCheck %s
// RUN: test ! -e %t.gfx942

// A kernel does not start kernels.

func.func @test(%out: memref<1024xf32>) {
  %c1 = arith.constant 1 : index
  air.launch (%x) in (%sx = %c1) args(%b = %out) : memref<1024xf32> {
    %c2 = arith.constant 2 : index
    // CHECK: errors/launch-in-launch.mlir:[[@LINE+1]]:{{[0-9]+}}: error: {{.*launch}}
    air.launch (%y) in (%sy = %c2) args(%bb = %b) : memref<1024xf32> {
      %v = arith.constant 1.0 : f32
      memref.store %v, %bb[%y] : memref<1024xf32>
    }
  }
  return
}
func.func @main() -> i32 {
  %zero = arith.constant 0 : i32
  return %zero : i32
}
