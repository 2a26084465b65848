// RUN: %aircc opt %s --aircc-expand-small-floats | FileCheck %s

// CHECK-LABEL: func.func @ext
// CHECK-NOT:     arith.extf
// CHECK:         %[[BITS:.*]] = arith.bitcast %{{.*}} : f8E5M2 to i8
// CHECK:         arith.extui %[[BITS]] : i8 to i32
// CHECK-NOT:     arith.extf
// CHECK:         arith.bitcast %{{.*}} : i32 to f32
func.func @ext(%x: f8E5M2) -> f32 {
  %0 = arith.extf %x : f8E5M2 to f32
  return %0 : f32
}

// Elementwise on vectors.
// CHECK-LABEL: func.func @trunc
// CHECK:         arith.bitcast %{{.*}} : vector<4xf32> to vector<4xi32>
// CHECK-NOT:     arith.truncf
// CHECK:         %[[BYTES:.*]] = arith.trunci %{{.*}} : vector<4xi32> to vector<4xi8>
// CHECK:         arith.bitcast %[[BYTES]] : vector<4xi8> to vector<4xf8E4M3FNUZ>
func.func @trunc(%x: vector<4xf32>) -> vector<4xf8E4M3FNUZ> {
  %0 = arith.truncf %x : vector<4xf32> to vector<4xf8E4M3FNUZ>
  return %0 : vector<4xf8E4M3FNUZ>
}

// f64 is rounded once, without f32 in between.
// CHECK-LABEL: func.func @trunc_f64
// CHECK-NOT:     f32
// CHECK:         arith.trunci %{{.*}} : i64 to i8
func.func @trunc_f64(%x: f64) -> f8E4M3FN {
  %0 = arith.truncf %x : f64 to f8E4M3FN
  return %0 : f8E4M3FN
}

// The pass does not change other types.
// CHECK-LABEL: func.func @others
// CHECK:         arith.extf %{{.*}} : f16 to f32
// CHECK:         arith.truncf %{{.*}} : f32 to bf16
func.func @others(%x: f16) -> bf16 {
  %0 = arith.extf %x : f16 to f32
  %1 = arith.truncf %0 : f32 to bf16
  return %1 : bf16
}
