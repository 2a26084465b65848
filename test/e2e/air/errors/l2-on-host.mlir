// RUN: rm -f %t.gfx942
// RUN: python3 %S/../Inputs/exits.py 1 %aircc %s --target gfx942 -o %t.gfx942 2>&1 | FileCheck %s
// RUN: test ! -e %t.gfx942

// LDS is of a workgroup: the host cannot use what a launch computes there.

func.func @main() -> i32 {
  %zero = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  %t = memref.alloc() : memref<64xi32, 1>
  memref.store %zero, %t[%c0] : memref<64xi32, 1>
  // CHECK: errors/l2-on-host.mlir:[[@LINE+1]]:{{[0-9]+}}: error: {{.*host code uses its result}}
  %v = memref.load %t[%c0] : memref<64xi32, 1>
  memref.dealloc %t : memref<64xi32, 1>
  return %v : i32
}
