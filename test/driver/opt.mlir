// `aircc opt` is mlir-opt with all of MLIR's dialects and passes.

// RUN: %aircc opt %s --canonicalize | FileCheck %s
// RUN: %aircc opt --help | FileCheck %s --check-prefix=HELP

// HELP: The passes of aircc
// HELP: --hierarchy-convert-launches {{.*}} Convert air.launch to gpu.launch
// HELP: OVERVIEW: aircc opt

// RUN: %aircc opt %s --pass-pipeline='builtin.module(func.func(cse))' | FileCheck %s --check-prefix=CSE

// CHECK-LABEL: func.func @fold
// CHECK-NEXT: %[[C:.*]] = arith.constant 5 : index
// CHECK-NEXT: return %[[C]]
func.func @fold() -> index {
  %a = arith.constant 2 : index
  %b = arith.constant 3 : index
  %c = arith.addi %a, %b : index
  return %c : index
}

// CSE-LABEL: func.func @same
// CSE-COUNT-1: arith.addf
// CSE-NOT: arith.addf
func.func @same(%a: f32) -> (f32, f32) {
  %0 = arith.addf %a, %a : f32
  %1 = arith.addf %a, %a : f32
  return %0, %1 : f32, f32
}
