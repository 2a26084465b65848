// RUN: rm -f %t.gfx942
// RUN: python3 %S/../Inputs/exits.py 1 %aircc %s --target gfx942 --stage-option hierarchy.pe=lane -o %t.gfx942 2>&1 | FileCheck %s
// RUN: test ! -e %t.gfx942
// RUN: rm -f %t.gfx90a
// RUN: python3 %S/../Inputs/exits.py 1 %aircc %s --target gfx90a --stage-option hierarchy.pe=lane -o %t.gfx90a 2>&1 | FileCheck %s
// RUN: test ! -e %t.gfx90a
// RUN: rm -f %t.gfx950
// RUN: python3 %S/../Inputs/exits.py 1 %aircc %s --target gfx950 --stage-option hierarchy.pe=lane -o %t.gfx950 2>&1 | FileCheck %s
// RUN: test ! -e %t.gfx950
// RUN: %aircc %s --target gfx1100 -o %t.gfx1100
// RUN: %aircc %s --target gfx1201 -o %t.gfx1201

// A workgroup has at most 1024 lanes. If PEs are waves, the herd runs in rounds.

func.func @test(%out: memref<1024xf32>) {
  %c1 = arith.constant 1 : index
  air.launch (%x) in (%sx = %c1) args(%b = %out) : memref<1024xf32> {
    air.segment @s args(%sb = %b) : memref<1024xf32> {
      %c30 = arith.constant 30 : index
      %c40 = arith.constant 40 : index
      // CHECK: errors/herd-too-large.mlir:[[@LINE+1]]:{{[0-9]+}}: error: {{.*1200.*1024}}
      air.herd @h tile (%tx, %ty) in (%ntx = %c40, %nty = %c30) args(%hb = %sb) : memref<1024xf32> {
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
