// RUN: %aircc opt --dispatch-recompute-operands --split-input-file %s | FileCheck %s

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// The weights of softmax are computed again instead of stored.
// CHECK-LABEL: @weights
// CHECK-SAME: %[[X:[a-z0-9]*]]: tensor<16x?xf32>, %[[MAX:[a-z0-9]*]]: tensor<16xf32>
// CHECK: %[[SUM:.*]] = linalg.generic
// CHECK-SAME: iterator_types = ["parallel", "reduction"]
// CHECK-SAME: ins(%[[X]], %[[MAX]] :
// CHECK: math.exp
// CHECK: arith.addf
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["parallel", "parallel"]
// CHECK-SAME: ins(%[[X]], %[[MAX]], %[[SUM]] :
// CHECK: math.exp
// CHECK: arith.divf
// CHECK-NOT: linalg.generic
func.func @weights(%x: tensor<16x?xf32>, %max: tensor<16xf32>, %init: tensor<16xf32>)
    -> tensor<16x?xf32> {
  %one = arith.constant 1 : index
  %size = tensor.dim %x, %one : tensor<16x?xf32>
  %empty = tensor.empty(%size) : tensor<16x?xf32>
  %weights = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %max : tensor<16x?xf32>, tensor<16xf32>) outs(%empty : tensor<16x?xf32>) {
  ^bb0(%v: f32, %m: f32, %o: f32):
    %d = arith.subf %v, %m : f32
    %e = math.exp %d : f32
    linalg.yield %e : f32
  } -> tensor<16x?xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%weights : tensor<16x?xf32>) outs(%init : tensor<16xf32>) {
  ^bb0(%v: f32, %o: f32):
    %s = arith.addf %v, %o : f32
    linalg.yield %s : f32
  } -> tensor<16xf32>
  %result = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%weights, %sum : tensor<16x?xf32>, tensor<16xf32>) outs(%empty : tensor<16x?xf32>) {
  ^bb0(%v: f32, %s: f32, %o: f32):
    %q = arith.divf %v, %s : f32
    linalg.yield %q : f32
  } -> tensor<16x?xf32>
  return %result : tensor<16x?xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// Rows that stay in memory of a workgroup are computed once.
// CHECK-LABEL: @short
// CHECK: math.exp
// CHECK-NOT: math.exp
// CHECK: return
func.func @short(%x: tensor<16x4096xf32>, %max: tensor<16xf32>, %init: tensor<16xf32>)
    -> tensor<16x4096xf32> {
  %empty = tensor.empty() : tensor<16x4096xf32>
  %weights = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %max : tensor<16x4096xf32>, tensor<16xf32>) outs(%empty : tensor<16x4096xf32>) {
  ^bb0(%v: f32, %m: f32, %o: f32):
    %d = arith.subf %v, %m : f32
    %e = math.exp %d : f32
    linalg.yield %e : f32
  } -> tensor<16x4096xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%weights : tensor<16x4096xf32>) outs(%init : tensor<16xf32>) {
  ^bb0(%v: f32, %o: f32):
    %s = arith.addf %v, %o : f32
    linalg.yield %s : f32
  } -> tensor<16xf32>
  %result = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%weights, %sum : tensor<16x4096xf32>, tensor<16xf32>) outs(%empty : tensor<16x4096xf32>) {
  ^bb0(%v: f32, %s: f32, %o: f32):
    %q = arith.divf %v, %s : f32
    linalg.yield %q : f32
  } -> tensor<16x4096xf32>
  return %result : tensor<16x4096xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// The function returns the elements: they are stored anyway.
// CHECK-LABEL: @returned
// CHECK: math.exp
// CHECK-NOT: math.exp
// CHECK: return
func.func @returned(%x: tensor<16x65536xf32>, %init: tensor<16xf32>) -> (tensor<16x65536xf32>, tensor<16xf32>) {
  %empty = tensor.empty() : tensor<16x65536xf32>
  %weights = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<16x65536xf32>) outs(%empty : tensor<16x65536xf32>) {
  ^bb0(%v: f32, %o: f32):
    %e = math.exp %v : f32
    linalg.yield %e : f32
  } -> tensor<16x65536xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%weights : tensor<16x65536xf32>) outs(%init : tensor<16xf32>) {
  ^bb0(%v: f32, %o: f32):
    %s = arith.addf %v, %o : f32
    linalg.yield %s : f32
  } -> tensor<16xf32>
  return %weights, %sum : tensor<16x65536xf32>, tensor<16xf32>
}
