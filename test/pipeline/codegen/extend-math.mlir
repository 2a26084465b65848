// RUN: %aircc opt %s --codegen-extend-math | FileCheck %s

// Functions that the hardware or the device libraries do not have for narrow floats
// are computed in f32.

gpu.module @kernels {
  // CHECK-LABEL: func.func @f(
  // CHECK-SAME:    %[[H:.*]]: f16, %[[B:.*]]: vector<4xbf16>, %[[F:.*]]: f32)
  // CHECK-DAG:     %[[B32:.*]] = arith.extf %[[B]] {{.*}}: vector<4xbf16> to vector<4xf32>
  // CHECK-DAG:     %[[H32:.*]] = arith.extf %[[H]] {{.*}}: f16 to f32
  // CHECK-DAG:     %[[SIN:.*]] = math.sin %[[H32]] : f32
  // CHECK-DAG:     %[[EXP:.*]] = math.exp %[[B32]] : vector<4xf32>
  // CHECK-DAG:     %[[SIN16:.*]] = arith.truncf %[[SIN]] {{.*}}: f32 to f16
  // CHECK-DAG:     %[[EXP16:.*]] = arith.truncf %[[EXP]] {{.*}}: vector<4xf32> to vector<4xbf16>
  // CHECK-DAG:     %[[SIN32:.*]] = math.sin %[[F]] : f32
  // CHECK-DAG:     %[[SQRT:.*]] = math.sqrt %[[H]] : f16
  // CHECK:         return %[[SIN16]], %[[EXP16]], %[[SIN32]], %[[SQRT]]
  func.func @f(%h: f16, %b: vector<4xbf16>, %f: f32) -> (f16, vector<4xbf16>, f32, f16) {
    %0 = math.sin %h : f16
    %1 = math.exp %b : vector<4xbf16>
    %2 = math.sin %f : f32
    %3 = math.sqrt %h : f16
    return %0, %1, %2, %3 : f16, vector<4xbf16>, f32, f16
  }
}
