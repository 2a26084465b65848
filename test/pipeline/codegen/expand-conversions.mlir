// RUN: %aircc opt %s --aircc-expand-conversions | FileCheck %s

// CHECK-LABEL: @unsigned
// CHECK-SAME: (%[[X:.*]]: i64)
func.func @unsigned(%x: i64) -> bf16 {
  // CHECK: %[[ZEROS:.*]] = math.ctlz %[[X]] : i64
  // CHECK: %[[SHIFT:.*]] = arith.select
  // CHECK: %[[KEPT:.*]] = arith.shrui %[[X]], %[[SHIFT]] : i64
  // CHECK: %[[BACK:.*]] = arith.shli %[[KEPT]], %[[SHIFT]] : i64
  // CHECK: arith.cmpi eq, %[[BACK]], %[[X]] : i64
  // CHECK: %[[ROUNDED:.*]] = arith.mulf {{.*}} : f32
  // CHECK: arith.truncf %[[ROUNDED]] : f32 to bf16
  %0 = arith.uitofp %x : i64 to bf16
  return %0 : bf16
}

// The sign is restored; a width that no machine has is extended.
// CHECK-LABEL: @signed
func.func @signed(%x: vector<3xi48>) -> vector<3xbf16> {
  // CHECK: arith.extsi %{{.*}} : vector<3xi48> to vector<3xi64>
  // CHECK: math.ctlz %{{.*}} : vector<3xi64>
  // CHECK: arith.negf
  // CHECK: arith.truncf %{{.*}} : vector<3xf32> to vector<3xbf16>
  // CHECK-NOT: llvm.sitofp
  %0 = llvm.sitofp %x : vector<3xi48> to vector<3xbf16>
  return %0 : vector<3xbf16>
}

// Numbers in the range of f32, and numbers that round to infinity, are rounded once.
// CHECK-LABEL: @exact
func.func @exact(%x: i24, %y: i64) -> (bf16, f16, f32) {
  // CHECK-NEXT: arith.sitofp %{{.*}} : i24 to bf16
  %0 = arith.sitofp %x : i24 to bf16
  // CHECK-NEXT: arith.sitofp %{{.*}} : i64 to f16
  %1 = arith.sitofp %y : i64 to f16
  // CHECK-NEXT: arith.uitofp %{{.*}} : i64 to f32
  %2 = arith.uitofp %y : i64 to f32
  return %0, %1, %2 : bf16, f16, f32
}

// CHECK-LABEL: @boolean
func.func @boolean(%x: f32) -> i1 {
  // CHECK: %[[WIDE:.*]] = arith.fptosi %{{.*}} : f32 to i32
  // CHECK: arith.trunci %[[WIDE]] : i32 to i1
  %0 = arith.fptosi %x : f32 to i1
  return %0 : i1
}

// f64 is not rounded to f32 first: only toward zero, with a bit for the rest.
// CHECK-LABEL: @double
func.func @double(%x: f64) -> bf16 {
  // CHECK: %[[NEAREST:.*]] = arith.truncf %{{.*}} : f64 to f32
  // CHECK: %[[BACK:.*]] = arith.extf %[[NEAREST]] : f32 to f64
  // CHECK: arith.cmpf one, %[[BACK]], %{{.*}} : f64
  // CHECK: %[[ODD:.*]] = arith.bitcast %{{.*}} : i32 to f32
  // CHECK: arith.truncf %[[ODD]] : f32 to bf16
  %0 = arith.truncf %x : f64 to bf16
  return %0 : bf16
}

// CHECK-LABEL: @raised
func.func @raised(%x: f32) -> f32 {
  // CHECK: %[[Y:.*]] = arith.truncf %{{.*}} : f32 to bf16
  // CHECK: arith.extf %[[Y]] : bf16 to f32
  %0 = llvm.fptrunc %x : f32 to bf16
  %1 = llvm.fpext %0 : bf16 to f32
  return %1 : f32
}

// Hardware rounds to nearest even. For other modes, the result is corrected to its
// neighbor if it is on the wrong side.
// CHECK-LABEL: @modes
// CHECK-SAME: (%[[X:.*]]: f64)
func.func @modes(%x: f64) -> (f32, f32) {
  // CHECK: %[[EVEN:.*]] = arith.truncf %[[X]] : f64 to f32
  %0 = arith.truncf %x to_nearest_even : f64 to f32
  // CHECK: %[[NEAREST:.*]] = arith.truncf %[[X]] : f64 to f32
  // CHECK: %[[BITS:.*]] = arith.bitcast %[[NEAREST]] : f32 to i32
  // CHECK: %[[BACK:.*]] = arith.extf %[[NEAREST]] : f32 to f64
  // CHECK: %[[WRONG:.*]] = arith.cmpf olt, %[[BACK]], %[[X]]
  // CHECK: arith.select %[[WRONG]],
  // CHECK: %[[UP:.*]] = arith.bitcast %{{.*}} : i32 to f32
  %1 = arith.truncf %x upward : f64 to f32
  // CHECK: return %[[EVEN]], %[[UP]]
  return %0, %1 : f32, f32
}

// CHECK-LABEL: @matrix
func.func @matrix(%x: vector<4x1xi32>) -> vector<4x1xbf16> {
  // CHECK: %[[FLAT:.*]] = vector.shape_cast %{{.*}} : vector<4x1xi32> to vector<4xi32>
  // CHECK: math.ctlz %[[FLAT]] : vector<4xi32>
  %0 = arith.sitofp %x : vector<4x1xi32> to vector<4x1xbf16>
  return %0 : vector<4x1xbf16>
}
