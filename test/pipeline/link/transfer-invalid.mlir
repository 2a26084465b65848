// Transfers that the runtime cannot execute are an error at the op, and others are not.

// RUN: split-file %s %t
// RUN: not %aircc %t/layout.mlir --target gfx942 -c -o %t.o 2>&1 | FileCheck %s --check-prefix=LAYOUT --implicit-check-not=error:

//--- layout.mlir
func.func @f(%m: memref<8xi32, affine_map<(d0) -> (d0 floordiv 2)>>, %s: memref<8xi32>) {
  // LAYOUT: layout.mlir:{{[0-9]+}}:3: error: 'gpu.memcpy' op has an operand of type
  gpu.memcpy %m, %s : memref<8xi32, affine_map<(d0) -> (d0 floordiv 2)>>, memref<8xi32>
  return
}
