// RUN: %aircc opt %s --dispatch-widen-integers | FileCheck %s

// Arguments are truncated and results sign-extended. Sizes need no elements. Numbers that are arguments do not change.

// CHECK-LABEL: func.func @add(
// CHECK-SAME: %[[X:.+]]: tensor<?xi8>, %[[Y:.+]]: tensor<?xi64>, %[[M:.+]]: tensor<4xi1>, %[[S:.+]]: i12)
// CHECK-SAME: -> (tensor<?xi8>, tensor<?xi64>, index, tensor<4xi1>, i16)
// CHECK-DAG: %[[A:.+]] = arith.trunci %[[X]] : tensor<?xi8> to tensor<?xi4>
// CHECK-DAG: %[[B:.+]] = arith.trunci %[[Y]] : tensor<?xi64> to tensor<?xi48>
// CHECK: %[[SUM:.+]] = arith.addi %[[A]], %[[A]] : tensor<?xi4>
// CHECK: %[[SIZE:.+]] = tensor.dim %[[X]], %{{.*}} : tensor<?xi8>
// CHECK-DAG: %[[R:.+]] = arith.extsi %[[SUM]] : tensor<?xi4> to tensor<?xi8>
// CHECK-DAG: %[[T:.+]] = arith.extsi %[[B]] : tensor<?xi48> to tensor<?xi64>
// CHECK-DAG: %[[U:.+]] = arith.extsi %[[S]] : i12 to i16
// CHECK: return %[[R]], %[[T]], %[[SIZE]], %[[M]], %[[U]]
func.func @add(%x: tensor<?xi4>, %y: tensor<?xi48>, %m: tensor<4xi1>, %s: i12)
    -> (tensor<?xi4>, tensor<?xi48>, index, tensor<4xi1>, i12) {
  %c0 = arith.constant 0 : index
  %r = arith.addi %x, %x : tensor<?xi4>
  %n = tensor.dim %x, %c0 : tensor<?xi4>
  return %r, %y, %n, %m, %s : tensor<?xi4>, tensor<?xi48>, index, tensor<4xi1>, i12
}

// Calls pass the wider type, but not those of functions that are defined elsewhere.

// CHECK-LABEL: func.func @call(
// CHECK: %[[A:.+]] = arith.extsi %{{.*}} : tensor<4xi4> to tensor<4xi8>
// CHECK: %[[B:.+]] = call @callee(%[[A]]) : (tensor<4xi8>) -> tensor<4xi8>
// CHECK: %[[C:.+]] = arith.trunci %[[B]] : tensor<4xi8> to tensor<4xi4>
// CHECK: call @external(%[[C]]) : (tensor<4xi4>) -> tensor<4xi4>
func.func @call(%x: tensor<4xi32>) -> tensor<4xi32> {
  %a = arith.trunci %x : tensor<4xi32> to tensor<4xi4>
  %b = call @callee(%a) : (tensor<4xi4>) -> tensor<4xi4>
  %c = call @external(%b) : (tensor<4xi4>) -> tensor<4xi4>
  %d = arith.extsi %c : tensor<4xi4> to tensor<4xi32>
  return %d : tensor<4xi32>
}

// CHECK-LABEL: func.func private @callee(
// CHECK-SAME: tensor<4xi8>) -> tensor<4xi8>
func.func private @callee(%x: tensor<4xi4>) -> tensor<4xi4> {
  return %x : tensor<4xi4>
}

// CHECK-LABEL: func.func private @external(tensor<4xi4>) -> tensor<4xi4>
func.func private @external(tensor<4xi4>) -> tensor<4xi4>

// Types with signs are those of numpy.

// CHECK-LABEL: func.func @signs(
// CHECK-SAME: tensor<4xui8>
// CHECK-NOT: arith
// CHECK: return
func.func @signs(%x: tensor<4xui8>, %y: tensor<4xindex>, %z: tensor<4xf16>) -> tensor<4xui8> {
  return %x : tensor<4xui8>
}
