// RUN: %aircc opt %s --pass-pipeline='builtin.module(gpu.module(codegen-call-math-functions))' | FileCheck %s

// The device libraries have powers of a float with an i32 exponent; others become calls of
// functions that this pass generates.

gpu.module @kernels {
  // CHECK-LABEL: func.func @f(
  // CHECK-SAME:    %[[A:.*]]: f32, %[[B:.*]]: i64, %[[C:.*]]: i32, %[[V:.*]]: vector<2xf32>, %[[E:.*]]: vector<2xi32>)
  // CHECK-NEXT:    call @[[WIDE:.*]](%[[A]], %[[B]]) : (f32, i64) -> f32
  // CHECK-NEXT:    math.fpowi %[[A]], %[[C]] : f32, i32
  // CHECK-NEXT:    call @[[VECTOR:.*]](%[[V]], %[[E]])
  // CHECK:         func.func private @[[WIDE]](
  // CHECK-NEXT:      call @[[SCALAR:.*]](%{{.*}}) : (f32, i64) -> f32
  // CHECK:         func.func private @[[VECTOR]](
  // CHECK-COUNT-2:   call @{{.*}} : (f32, i32) -> f32
  // CHECK:         func.func private @[[SCALAR]](%{{.*}}: f32, %{{.*}}: i64) -> f32
  // CHECK-NOT:     math.fpowi
  func.func @f(%a: f32, %b: i64, %c: i32, %v: vector<2xf32>, %e: vector<2xi32>) -> (f32, f32, vector<2xf32>) {
    %0 = math.fpowi %a, %b : f32, i64
    %1 = math.fpowi %a, %c : f32, i32
    %2 = math.fpowi %v, %e : vector<2xf32>, vector<2xi32>
    return %0, %1, %2 : f32, f32, vector<2xf32>
  }
}
