// RUN: rm -f %t.gfx942
// RUN: python3 %S/../Inputs/exits.py 1 %aircc %s --target gfx942 -o %t.gfx942 2>&1 | FileCheck %s
// RUN: test ! -e %t.gfx942

// A herd works on memrefs; a tensor is an error at the op that creates it.

// CHECK: errors/tensor-in-herd.mlir:[[#]]:{{[0-9]+}}: error: {{.*tensor}}
func.func @test(%out: memref<1024xf32>) {
  %c1 = arith.constant 1 : index
  air.launch (%x) in (%sx = %c1) args(%b = %out) : memref<1024xf32> {
    air.segment @s args(%sb = %b) : memref<1024xf32> {
      %c2 = arith.constant 2 : index
      air.herd @h tile (%tx) in (%ntx = %c2) args(%hb = %sb) : memref<1024xf32> {
        %c0 = arith.constant 0 : index
        %v = arith.constant 1.0 : f32
        %t = tensor.empty() : tensor<4xf32>
        %u = tensor.insert %v into %t[%c0] : tensor<4xf32>
        %w = tensor.extract %u[%tx] : tensor<4xf32>
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
