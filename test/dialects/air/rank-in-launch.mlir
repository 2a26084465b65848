// A rank in a launch is read and printed, but not compiled.

// RUN: %aircc opt %s | FileCheck %s
// RUN: %aircc opt %s | %aircc opt | FileCheck %s
// RUN: not %aircc %s --target gfx942 -o %t 2>&1 | FileCheck %s --check-prefix=ERROR
// CHECK: air.launch
// CHECK: air.rank (%{{.*}}) in (
// ERROR: rank-in-launch.mlir:[[@LINE+6]]:5: error: 'air.rank' op is inside 'air.launch', which runs on the device; put it inside the 'air.rank' instead
// ERROR: rank-in-launch.mlir:[[@LINE+4]]:3: note: the enclosing op is here
func.func @f() {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  air.launch (%l) in (%ls = %c1) args(%s = %c4) : index {
    air.rank (%r) in (%rs = %s) {
    }
  }
  return
}
