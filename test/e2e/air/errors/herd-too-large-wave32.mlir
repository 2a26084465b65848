// RUN: rm -f %t.gfx1100
// RUN: python3 %S/../Inputs/exits.py 1 %aircc %s --target gfx1100 --stage-option hierarchy.pe=wave -o %t.gfx1100 2>&1 | FileCheck %s
// RUN: test ! -e %t.gfx1100
// RUN: rm -f %t.gfx1201
// RUN: python3 %S/../Inputs/exits.py 1 %aircc %s --target gfx1201 --stage-option hierarchy.pe=wave -o %t.gfx1201 2>&1 | FileCheck %s
// RUN: test ! -e %t.gfx1201

// A herd of 33 PEs is 1056 lanes of a workgroup that has at most 1024, also
// with waves of 32.

func.func @test(%out: memref<1024xf32>) {
  %c1 = arith.constant 1 : index
  air.launch (%x) in (%sx = %c1) args(%b = %out) : memref<1024xf32> {
    air.segment @s args(%sb = %b) : memref<1024xf32> {
      %c33 = arith.constant 33 : index
      // CHECK: errors/herd-too-large-wave32.mlir:[[@LINE+1]]:{{[0-9]+}}: error: {{.*1056.*1024}}
      air.herd @h tile (%tx) in (%ntx = %c33) args(%hb = %sb) : memref<1024xf32> {
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
