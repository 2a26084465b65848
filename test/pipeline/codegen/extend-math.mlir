// RUN: %aircc opt %s --codegen-extend-math | FileCheck %s --check-prefixes=CHECK,AMD
// RUN: %aircc opt %s --codegen-extend-math=backend=xevm | FileCheck %s --check-prefixes=CHECK,XE

// Functions that the hardware or the device libraries do not have for narrow floats
// are computed in f32.

gpu.module @kernels {
  // CHECK-LABEL: func.func @f(
  // CHECK-SAME:    %[[H:.*]]: f16, %[[B:.*]]: vector<4xbf16>, %[[F:.*]]: f32)
  // CHECK-DAG:     %[[B32:.*]] = arith.extf %[[B]] {{.*}}: vector<4xbf16> to vector<4xf32>
  // CHECK-DAG:     %[[H32:.*]] = arith.extf %[[H]] {{.*}}: f16 to f32
  // CHECK-DAG:     %[[SIN:.*]] = math.sin %[[H32]] : f32
  // XE-DAG:        %[[EXP:.*]] = math.exp %[[B32]] : vector<4xf32>
  // AMD-DAG:       %[[ROOT:.*]] = math.exp2 %{{.*}} fastmath<afn> : vector<4xf32>
  // AMD-DAG:       %[[EXP:.*]] = arith.mulf %[[ROOT]], %[[ROOT]] : vector<4xf32>
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

  // An exponential that is only rounded is approximated.
  // CHECK-LABEL: func.func @rounded(
  // AMD:           %[[SCALED:.*]] = arith.mulf
  // AMD-NEXT:      %[[POWER:.*]] = math.exp2 %[[SCALED]] fastmath<afn> : f32
  // AMD-NEXT:      arith.truncf %[[POWER]] : f32 to f16
  // XE:            math.exp %
  func.func @rounded(%x: f32) -> f16 {
    %0 = math.exp %x : f32
    %1 = arith.truncf %0 : f32 to f16
    return %1 : f16
  }

  // bf16 has the exponents of f32, and needs denormals.
  // CHECK-LABEL: func.func @twice_rounded(
  // AMD:           %[[POWER:.*]] = math.exp2 %{{.*}} fastmath<afn> : f32
  // AMD-NEXT:      %[[SQUARE:.*]] = arith.mulf %[[POWER]], %[[POWER]] : f32
  // AMD:           arith.truncf %[[SQUARE]] : f32 to f16
  func.func @twice_rounded(%x: f32) -> (f16, bf16) {
    %0 = math.exp %x : f32
    %1 = arith.truncf %0 : f32 to f16
    %2 = arith.truncf %0 : f32 to bf16
    return %1, %2 : f16, bf16
  }

  // CHECK-LABEL: func.func @also_used(
  // CHECK-NEXT:    math.exp %{{.*}} : f32
  func.func @also_used(%x: f32) -> (f16, f32) {
    %0 = math.exp %x : f32
    %1 = arith.truncf %0 : f32 to f16
    return %1, %0 : f16, f32
  }
}
