// RUN: %aircc opt --dispatch-record-sizes --dispatch-normalize-tensors --dispatch-create-size-functions %s | FileCheck %s

// Sizes of intermediate results are expressed by those of arguments, and each
// relation is checked once.
// CHECK-LABEL: func.func private @chain__size_checks(
// CHECK-SAME: %[[X:.*]]: memref<?x?xf32>, %[[Y:.*]]: memref<?x?xf32>, %[[SIZES:.*]]: memref<4xindex>)
// CHECK-SAME: [#air.size_check<equal, (1, 0), (0, 0), "'arith.addf' at {{[^"]*}}">,
// CHECK-SAME:  #air.size_check<equal, (1, 1), (0, 1), "'arith.addf' at {{[^"]*}}">]
// CHECK: memref.dim %[[Y]], %c0
// CHECK-NOT: addf
// CHECK: return
// CHECK-LABEL: func.func private @chain__result_sizes(
// CHECK-SAME: memref<2xindex>)
// CHECK-LABEL: func.func @chain(
// CHECK-SAME: sizeChecks = @chain__size_checks>
func.func @chain(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = arith.addf %x, %y : tensor<?x?xf32>
  %1 = arith.mulf %0, %y : tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}

// A constant that is required; a branch that yields one of two sizes.
// CHECK-LABEL: func.func private @select__size_checks(
// CHECK-SAME: #air.size_check<equal, (0, 0), (-1, -1), "'tensor.cast'
// CHECK-LABEL: func.func private @select__result_sizes(
// CHECK: arith.select
func.func @select(%x: tensor<?xf32>, %y: tensor<?xf32>, %c: i1) -> (tensor<8xf32>, tensor<?xf32>) {
  %0 = tensor.cast %x : tensor<?xf32> to tensor<8xf32>
  %1 = scf.if %c -> tensor<?xf32> {
    scf.yield %x : tensor<?xf32>
  } else {
    scf.yield %y : tensor<?xf32>
  }
  return %0, %1 : tensor<8xf32>, tensor<?xf32>
}

// A size that depends on an element is computed as any other tensor.
// CHECK-LABEL: func.func @element__result_sizes(
// CHECK-SAME: -> tensor<1xindex>
// CHECK-LABEL: func.func @element(
// CHECK-SAME: sizesNeedElements = true
func.func @element(%x: tensor<4xindex>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.extract %x[%c0] : tensor<4xindex>
  %e = tensor.empty(%n) : tensor<?xf32>
  return %e : tensor<?xf32>
}
