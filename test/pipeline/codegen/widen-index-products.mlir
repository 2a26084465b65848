// RUN: %aircc opt %s --aircc-widen-index-products | FileCheck %s

// The canonicalizer turns such a product by one into an extension of index to index, which is
// invalid.

// CHECK-LABEL: func.func @index(
// CHECK-SAME:    %[[I:.*]]: index, %[[J:.*]]: index)
// CHECK-NEXT:    %[[A:.*]] = arith.index_cast %[[I]] : index to i64
// CHECK-NEXT:    %[[B:.*]] = arith.index_cast %[[J]] : index to i64
// CHECK-NEXT:    %[[L:.*]], %[[H:.*]] = arith.mulsi_extended %[[A]], %[[B]] : i64
// CHECK-NEXT:    %[[LOW:.*]] = arith.index_cast %[[L]] : i64 to index
// CHECK-NEXT:    %[[HIGH:.*]] = arith.index_cast %[[H]] : i64 to index
// CHECK-NEXT:    return %[[LOW]], %[[HIGH]]
func.func @index(%i: index, %j: index) -> (index, index) {
  %low, %high = arith.mulsi_extended %i, %j : index
  return %low, %high : index, index
}
// CHECK-LABEL: func.func @vector(
// CHECK:         arith.mulsi_extended {{.*}} : vector<4xi64>
func.func @vector(%i: vector<4xindex>) -> vector<4xindex> {
  %low, %high = arith.mulsi_extended %i, %i : vector<4xindex>
  return %high : vector<4xindex>
}
// CHECK-LABEL: func.func @other(
// CHECK-NEXT:    arith.mulsi_extended %{{.*}} : i32
func.func @other(%i: i32) -> i32 {
  %low, %high = arith.mulsi_extended %i, %i : i32
  return %high : i32
}
