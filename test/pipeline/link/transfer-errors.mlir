// What the runtime cannot transfer is said at the op, and nothing else is.

// RUN: split-file %s %t
// RUN: not %aircc %t/bytes.mlir --target gfx942 -c -o %t.o 2>&1 | FileCheck %s --check-prefix=BYTES --implicit-check-not=error:
// RUN: not %aircc %t/layout.mlir --target gfx942 -c -o %t.o 2>&1 | FileCheck %s --check-prefix=LAYOUT --implicit-check-not=error:

//--- bytes.mlir
func.func @f(%m: memref<8xi8>, %v: i8) {
  // BYTES: bytes.mlir:{{[0-9]+}}:3: error: 'gpu.memset' op fills elements of 16 or 32 bits only, and these are 'i8'
  gpu.memset %m, %v : memref<8xi8>, i8
  return
}

//--- layout.mlir
func.func @f(%m: memref<8xi32, affine_map<(d0) -> (d0 floordiv 2)>>, %s: memref<8xi32>) {
  // LAYOUT: layout.mlir:{{[0-9]+}}:3: error: 'gpu.memcpy' op has an operand of type
  gpu.memcpy %m, %s : memref<8xi32, affine_map<(d0) -> (d0 floordiv 2)>>, memref<8xi32>
  return
}
