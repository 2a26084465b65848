// RUN: rm -f %t.gfx942
// RUN: python3 %S/../Inputs/exits.py 1 %aircc %s --target gfx942 -o %t.gfx942 2>&1 | FileCheck %s
// RUN: test ! -e %t.gfx942

// A dependency must be a token.

func.func @test(%out: memref<1024xf32>) {
  %c1 = arith.constant 1 : index
  air.launch (%x) in (%sx = %c1) args(%b = %out) : memref<1024xf32> {
    air.segment @s args(%sb = %b) : memref<1024xf32> {
      %c2 = arith.constant 2 : index
      // CHECK: errors/not-a-token.mlir:[[@LINE+1]]:{{[0-9]+}}: error: {{.*token}}
      air.wait_all [%c2]
    }
  }
  return
}
func.func @main() -> i32 {
  %zero = arith.constant 0 : i32
  return %zero : i32
}
