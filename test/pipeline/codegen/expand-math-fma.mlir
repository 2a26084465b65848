// RUN: %aircc opt %s --aircc-expand-math | FileCheck %s

// The sum of f32 is corrected where it is halfway between two numbers of bf16.
// What f16 computes is left to the hardware, and f8E4M3FN needs no correction.
// CHECK-LABEL: @narrow_fma
func.func @narrow_fma(%x: bf16, %v: vector<2xf8E4M3FN>, %h: f16) -> (bf16, vector<2xf8E4M3FN>, f16) {
  // CHECK: %[[SUM:.*]] = math.fma %{{.*}}, %{{.*}}, %{{.*}} : f32
  // CHECK: %[[MINUS:.*]] = arith.negf %[[SUM]]
  // CHECK: %[[DIFFERENCE:.*]] = math.fma %{{.*}}, %{{.*}}, %[[MINUS]] : f32
  // CHECK: arith.addf %[[DIFFERENCE]],
  // CHECK: %[[MASK:.*]] = arith.constant 65535 : i32
  // CHECK: arith.andi %{{.*}}, %[[MASK]]
  // CHECK: arith.truncf %{{.*}} : f32 to bf16
  %0 = math.fma %x, %x, %x : bf16
  // CHECK: %[[SMALL:.*]] = math.fma %{{.*}} : vector<2xf32>
  // CHECK: arith.truncf %[[SMALL]] : vector<2xf32> to vector<2xf8E4M3FN>
  %1 = vector.fma %v, %v, %v : vector<2xf8E4M3FN>
  // CHECK: math.fma %{{.*}} : f16
  %2 = math.fma %h, %h, %h : f16
  return %0, %1, %2 : bf16, vector<2xf8E4M3FN>, f16
}
