// RUN: %aircc opt %s --dispatch-pack-floats | FileCheck %s

#id = affine_map<(i, j) -> (i, j)>

// CHECK-DAG: #[[BYTES:.+]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-DAG: #[[PAIRS:.+]] = affine_map<(d0, d1, d2) -> (d0, d1, d2)>

// Arguments are bytes. An op extracts the element with the number of the last loop.

// CHECK-LABEL: func.func @arguments(
// CHECK-SAME: %[[X:.+]]: tensor<?x32xi8>,
// CHECK: %[[EMPTY:.+]] = tensor.empty(%{{.*}}) : tensor<?x32x2xf4E2M1FN>
// CHECK: %[[P:.+]] = linalg.generic {indexing_maps = [#[[BYTES]], #[[PAIRS]]], iterator_types = ["parallel", "parallel", "parallel"]}
// CHECK-SAME: ins(%[[X]] : tensor<?x32xi8>) outs(%[[EMPTY]] :
// CHECK: %[[INDEX:.+]] = linalg.index 2
// CHECK: %[[OFFSET:.+]] = arith.muli %[[INDEX]], %{{.*}} : index
// CHECK: %[[AMOUNT:.+]] = arith.index_cast %[[OFFSET]] : index to i8
// CHECK: %[[SHIFTED:.+]] = arith.shrui %{{.*}}, %[[AMOUNT]] : i8
// CHECK: %[[LOW:.+]] = arith.trunci %[[SHIFTED]] : i8 to i4
// CHECK: arith.bitcast %[[LOW]] : i4 to f4E2M1FN
// CHECK: %[[FLOATS:.+]] = tensor.collapse_shape %[[P]] {{\[}}[0], [1, 2]] : tensor<?x32x2xf4E2M1FN> into tensor<?x64xf4E2M1FN>
// CHECK: linalg.generic {{.*}} ins(%[[FLOATS]] :
// Sizes are those of the argument, but for its last one.
// CHECK: tensor.dim %[[X]]
// CHECK: tensor.dim %[[FLOATS]]
func.func @arguments(%x: tensor<?x64xf4E2M1FN>, %init: tensor<?x64xf32>) -> (tensor<?x64xf32>, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<?x64xf4E2M1FN>) outs(%init : tensor<?x64xf32>) {
  ^bb0(%v: f4E2M1FN, %out: f32):
    %w = arith.extf %v : f4E2M1FN to f32
    linalg.yield %w : f32
  } -> tensor<?x64xf32>
  %m = tensor.dim %x, %c0 : tensor<?x64xf4E2M1FN>
  %k = tensor.dim %x, %c1 : tensor<?x64xf4E2M1FN>
  return %r, %m, %k : tensor<?x64xf32>, index, index
}

// Two adjacent elements of a result become a byte, the first one in the lower bits.

// CHECK-LABEL: func.func @results(
// CHECK-SAME: -> tensor<8x32xi8>
// CHECK: tensor.collapse_shape
// CHECK: %[[R:.+]] = linalg.generic {{.*}} ins(%{{.*}} : tensor<8x64xf32>) outs(%{{.*}} : tensor<8x64xf4E2M1FN>)
// CHECK: %[[E:.+]] = tensor.expand_shape %[[R]] {{\[}}[0], [1, 2]] {{.*}} into tensor<8x32x2xf4E2M1FN>
// CHECK-DAG: %[[FIRST:.+]] = tensor.extract_slice %[[E]][0, 0, 0] [8, 32, 1] [1, 1, 1]
// CHECK-DAG: %[[SECOND:.+]] = tensor.extract_slice %[[E]][0, 0, 1] [8, 32, 1] [1, 1, 1]
// CHECK: %[[PACKED:.+]] = linalg.generic {{.*}} ins(%[[FIRST]], %[[SECOND]] :
// CHECK: arith.shli
// CHECK: arith.ori
// CHECK: return %[[PACKED]]
func.func @results(%x: tensor<8x64xf32>, %init: tensor<8x64xf4E2M1FN>) -> tensor<8x64xf4E2M1FN> {
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<8x64xf32>) outs(%init : tensor<8x64xf4E2M1FN>) {
  ^bb0(%v: f32, %out: f4E2M1FN):
    %w = arith.truncf %v : f32 to f4E2M1FN
    linalg.yield %w : f4E2M1FN
  } -> tensor<8x64xf4E2M1FN>
  return %r : tensor<8x64xf4E2M1FN>
}

// Constants, and what functions pass to each other, are bytes, too. 0x2 is 1.0, 0x4 is 2.0, 0xE is -4.0.

// CHECK-LABEL: func.func @constants(
// CHECK-DAG: arith.constant dense<{{\[}}[66, 46]]> : tensor<1x2xi8>
// CHECK-DAG: arith.constant dense<34> : tensor<1x2xi8>
// CHECK-COUNT-2: call @pass({{.*}}) : (tensor<1x2xi8>) -> tensor<1x2xi8>
func.func @constants() -> (tensor<1x4xf4E2M1FN>, tensor<1x4xf4E2M1FN>) {
  %c = arith.constant dense<[[1.0, 2.0, -4.0, 1.0]]> : tensor<1x4xf4E2M1FN>
  %s = arith.constant dense<1.0> : tensor<1x4xf4E2M1FN>
  %a = call @pass(%c) : (tensor<1x4xf4E2M1FN>) -> tensor<1x4xf4E2M1FN>
  %b = call @pass(%s) : (tensor<1x4xf4E2M1FN>) -> tensor<1x4xf4E2M1FN>
  return %a, %b : tensor<1x4xf4E2M1FN>, tensor<1x4xf4E2M1FN>
}

// CHECK-LABEL: func.func private @pass(
// CHECK-SAME: tensor<1x2xi8>) -> tensor<1x2xi8>
func.func private @pass(%x: tensor<1x4xf4E2M1FN>) -> tensor<1x4xf4E2M1FN> {
  return %x : tensor<1x4xf4E2M1FN>
}
