// RUN: %aircc opt %s --dispatch-add-unit-rows=target=%targets/gfx942.json | FileCheck %s
// RUN: %aircc opt %s --dispatch-add-unit-rows=target=%targets/bmg.json | FileCheck %s --check-prefix=XE

// CHECK-LABEL: func.func @vecmat(
// CHECK-SAME: %[[X:.+]]: tensor<64xf16>, %[[W:.+]]: tensor<64x32xf16>, %[[C:.+]]: tensor<32xf32>
// CHECK-DAG: %[[ROW:.+]] = tensor.expand_shape %[[X]] {{\[\[}}0, 1]] output_shape [1, 64] : tensor<64xf16> into tensor<1x64xf16>
// CHECK-DAG: %[[INIT:.+]] = tensor.expand_shape %[[C]] {{\[\[}}0, 1]] output_shape [1, 32] : tensor<32xf32> into tensor<1x32xf32>
// CHECK: %[[Y:.+]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]} ins(%[[ROW]], %[[W]] : {{.*}}) outs(%[[INIT]] : tensor<1x32xf32>)
// CHECK: %[[R:.+]] = tensor.collapse_shape %[[Y]] {{\[\[}}0, 1]] : tensor<1x32xf32> into tensor<32xf32>
// CHECK: return %[[R]]
// XE-LABEL: func.func @vecmat(
// XE: linalg.vecmat
func.func @vecmat(%x: tensor<64xf16>, %w: tensor<64x32xf16>, %c: tensor<32xf32>) -> tensor<32xf32> {
  %y = linalg.vecmat ins(%x, %w : tensor<64xf16>, tensor<64x32xf16>) outs(%c : tensor<32xf32>) -> tensor<32xf32>
  return %y : tensor<32xf32>
}

// The filled result is created with the dimension. Sizes may be dynamic.
// CHECK-LABEL: func.func @batch_matvec(
// CHECK-DAG: %[[EMPTY:.+]] = tensor.expand_shape %{{.+}} {{\[\[}}0], [1, 2]] output_shape [2, 1, %{{.+}}] : tensor<2x?xf32> into tensor<2x1x?xf32>
// CHECK-DAG: %[[FILLED:.+]] = linalg.fill ins(%{{.+}} : f32) outs(%[[EMPTY]] : tensor<2x1x?xf32>)
// CHECK-DAG: %[[COLUMN:.+]] = tensor.expand_shape %{{.+}} {{\[\[}}0], [1, 2]] output_shape [2, 1, %{{.+}}] : tensor<2x?xf16> into tensor<2x1x?xf16>
// CHECK: %[[Y:.+]] = linalg.generic {{.*}} ins(%{{.+}}, %[[COLUMN]] : {{.*}}) outs(%[[FILLED]] : tensor<2x1x?xf32>)
// CHECK: tensor.collapse_shape %[[Y]] {{\[\[}}0], [1, 2]] : tensor<2x1x?xf32> into tensor<2x?xf32>
func.func @batch_matvec(%w: tensor<2x?x?xf16>, %x: tensor<2x?xf16>, %rows: index) -> tensor<2x?xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty(%rows) : tensor<2x?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x?xf32>) -> tensor<2x?xf32>
  %y = linalg.batch_matvec ins(%w, %x : tensor<2x?x?xf16>, tensor<2x?xf16>) outs(%f : tensor<2x?xf32>) -> tensor<2x?xf32>
  return %y : tensor<2x?xf32>
}

// No matrix instruction multiplies i16, and a product of two vectors is a reduction.
// CHECK-LABEL: func.func @others(
// CHECK: linalg.matvec
// CHECK: linalg.dot
func.func @others(%w: tensor<32x64xi16>, %x: tensor<64xi16>, %c: tensor<32xi16>, %d: tensor<i16>) -> (tensor<32xi16>, tensor<i16>) {
  %y = linalg.matvec ins(%w, %x : tensor<32x64xi16>, tensor<64xi16>) outs(%c : tensor<32xi16>) -> tensor<32xi16>
  %z = linalg.dot ins(%x, %x : tensor<64xi16>, tensor<64xi16>) outs(%d : tensor<i16>) -> tensor<i16>
  return %y, %z : tensor<32xi16>, tensor<i16>
}
