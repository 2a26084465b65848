// RUN: rm -f %t.gfx942
// RUN: python3 %S/../Inputs/exits.py 1 %aircc %s --target gfx942 -o %t.gfx942 2>&1 | FileCheck %s
// RUN: test ! -e %t.gfx942

// An executable needs a main.

// CHECK: error: {{.*main}}
func.func @test(%out: memref<4xf32>) {
  return
}
