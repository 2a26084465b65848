// RUN: %aircc opt %s --aircc-expand-wide-division | FileCheck %s

// Upstream expands these with a constant -1 of 64 bits.

// CHECK-LABEL: func.func @floor(
// CHECK-SAME:    %[[A:.*]]: i128, %[[B:.*]]: i128)
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant 0 : i128
// CHECK-DAG:     %[[STEP:.*]] = arith.constant -1 : i128
// CHECK:         %[[Q:.*]] = arith.divsi %[[A]], %[[B]]
// CHECK-NEXT:    %[[R:.*]] = arith.remsi %[[A]], %[[B]]
// CHECK-NEXT:    %[[SA:.*]] = arith.cmpi slt, %[[A]], %[[ZERO]]
// CHECK-NEXT:    %[[SB:.*]] = arith.cmpi slt, %[[B]], %[[ZERO]]
// CHECK-NEXT:    %[[DIFFER:.*]] = arith.cmpi ne, %[[SA]], %[[SB]]
// CHECK-NEXT:    %[[REST:.*]] = arith.cmpi ne, %[[R]], %[[ZERO]]
// CHECK-NEXT:    %[[ADJUST:.*]] = arith.andi %[[REST]], %[[DIFFER]]
// CHECK-NEXT:    %[[LESS:.*]] = arith.addi %[[Q]], %[[STEP]]
// CHECK-NEXT:    arith.select %[[ADJUST]], %[[LESS]], %[[Q]]
func.func @floor(%a: i128, %b: i128) -> i128 {
  %0 = arith.floordivsi %a, %b : i128
  return %0 : i128
}
// CHECK-LABEL: func.func @ceil(
// CHECK-DAG:     arith.constant dense<1> : vector<2xi96>
// CHECK:         arith.divsi
// CHECK:         arith.cmpi eq, {{.*}} : vector<2xi1>
// CHECK:         arith.select {{.*}} : vector<2xi1>, vector<2xi96>
func.func @ceil(%a: vector<2xi96>, %b: vector<2xi96>) -> vector<2xi96> {
  %0 = arith.ceildivsi %a, %b : vector<2xi96>
  return %0 : vector<2xi96>
}
// Up to 64 bits, the upstream expansion is right.
// CHECK-LABEL: func.func @narrow(
// CHECK-NEXT:    arith.floordivsi
func.func @narrow(%a: i64, %b: i64) -> i64 {
  %0 = arith.floordivsi %a, %b : i64
  return %0 : i64
}
