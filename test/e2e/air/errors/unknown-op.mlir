// RUN: rm -f %t.gfx942
// RUN: python3 %S/../Inputs/exits.py 1 %aircc %s --target gfx942 -o %t.gfx942 2>&1 | FileCheck %s
// RUN: test ! -e %t.gfx942

// An op of a dialect that does not exist.

func.func @test(%out: memref<1024xf32>) {
  %c1 = arith.constant 1 : index
  air.launch (%x) in (%sx = %c1) args(%b = %out) : memref<1024xf32> {
    air.segment @s args(%sb = %b) : memref<1024xf32> {
      // CHECK: errors/unknown-op.mlir:[[@LINE+1]]:{{[0-9]+}}: error: 'nosuch.operation' is an op of the dialect 'nosuch', which aircc does not support
      "nosuch.operation"(%sb) : (memref<1024xf32>) -> ()
    }
  }
  return
}
func.func @main() -> i32 {
  %zero = arith.constant 0 : i32
  return %zero : i32
}
