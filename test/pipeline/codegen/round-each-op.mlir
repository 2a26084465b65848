// RUN: %aircc opt %s --pass-pipeline="builtin.module(arith-emulate-unsupported-floats{source-types=bf16 target-type=f32},aircc-round-each-op,canonicalize)" | FileCheck %s

// The product is rounded before the addition.
// CHECK-LABEL: func.func @two
// CHECK:         %[[P:.*]] = arith.mulf
// CHECK:         %[[R:.*]] = arith.truncf %[[P]] : f32 to bf16
// CHECK:         %[[E:.*]] = arith.extf %[[R]] : bf16 to f32
// CHECK:         arith.addf %[[E]]
func.func @two(%a: bf16, %b: bf16) -> bf16 {
  %p = arith.mulf %a, %b : bf16
  %s = arith.addf %p, %b : bf16
  return %s : bf16
}
