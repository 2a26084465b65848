// Excess types cause a warning, and are not printed.

// RUN: %aircc opt %s 2>%t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=WARNING --input-file %t.err
// WARNING: too-many-types.mlir:[[@LINE+8]]:{{[0-9]+}}: warning: expected one type for each of the 1 arguments, but got 3; ignoring the last 2
// WARNING-NOT: warning

// CHECK-LABEL: func.func @herd
// CHECK: air.herd tile (%{{.*}}, %{{.*}}) in ({{.*}}) args(%{{[a-z0-9]+}}=%{{[a-z0-9]+}}) : memref<4xf32> {
func.func @herd(%a: memref<4xf32>) {
  %c1 = arith.constant 1 : index
  // The line of the types.
  air.herd tile (%x, %y) in (%sx=%c1, %sy=%c1) args(%m=%a) : memref<4xf32>, memref<4xf32>, index {
  }
  return
}
