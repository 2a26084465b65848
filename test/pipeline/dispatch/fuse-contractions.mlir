// RUN: %aircc opt %s --dispatch-fuse-contractions --split-input-file | FileCheck %s

#id = affine_map<(i, j) -> (i, j)>
#swap = affine_map<(i, j) -> (j, i)>
#column = affine_map<(i, j) -> (j)>

// The initial value, the contraction and its user are one kernel. The product is in memory of the
// workgroup, and the result in a tensor of its own.

// CHECK-LABEL: func.func @fused
// CHECK-SAME: %[[A:.+]]: tensor<64x32xf16>, %[[B:.+]]: tensor<32x64xf16>, %[[BIAS:.+]]: tensor<64xf32>
// CHECK: %[[EMPTY:.+]] = tensor.empty() : tensor<64x64xf16>
// CHECK: %[[R:.+]] = scf.forall () in () shared_outs(%[[OUT:.+]] = %[[EMPTY]]) -> (tensor<64x64xf16>)
// CHECK: %[[TILE:.+]] = bufferization.alloc_tensor() {memory_space = 1 : i64} : tensor<64x64xf32>
// CHECK: %[[INIT:.+]] = linalg.generic {{.*}} ins(%[[BIAS]] : {{.*}} outs(%[[TILE]] :
// CHECK: %[[PRODUCT:.+]] = linalg.matmul ins(%[[A]], %[[B]] : {{.*}} outs(%[[INIT]] :
// CHECK: %[[V:.+]] = linalg.generic {{.*}} ins(%[[PRODUCT]] : {{.*}} outs(%[[OUT]] :
// CHECK: tensor.parallel_insert_slice %[[V]] into %[[OUT]][0, 0] [64, 64] [1, 1]
// CHECK: mapping = []
// CHECK: return %[[R]]
func.func @fused(%a: tensor<64x32xf16>, %b: tensor<32x64xf16>, %bias: tensor<64xf32>) -> tensor<64x64xf16> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64x64xf32>
  %init = linalg.generic {indexing_maps = [#column, #id], iterator_types = ["parallel", "parallel"]}
      ins(%bias : tensor<64xf32>) outs(%empty : tensor<64x64xf32>) {
  ^bb0(%v: f32, %out: f32):
    linalg.yield %v : f32
  } -> tensor<64x64xf32>
  %product = linalg.matmul ins(%a, %b : tensor<64x32xf16>, tensor<32x64xf16>)
                           outs(%init : tensor<64x64xf32>) -> tensor<64x64xf32>
  %narrow = tensor.empty() : tensor<64x64xf16>
  %r = linalg.generic {indexing_maps = [#id, #swap], iterator_types = ["parallel", "parallel"]}
      ins(%product : tensor<64x64xf32>) outs(%narrow : tensor<64x64xf16>) {
  ^bb0(%v: f32, %out: f16):
    %max = arith.maximumf %v, %zero : f32
    %t = arith.truncf %max : f32 to f16
    linalg.yield %t : f16
  } -> tensor<64x64xf16>
  return %r : tensor<64x64xf16>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// Not fused: a product with two users, a reduction, a user that reads a tensor by index.

// CHECK-LABEL: func.func @apart
// CHECK-NOT: scf.forall
func.func @apart(%a: tensor<64x32xf16>, %b: tensor<32x64xf16>, %c: tensor<64x64xf32>)
    -> (tensor<64x64xf32>, tensor<64x64xf32>, tensor<64xf32>, tensor<64x64xi1>) {
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %empty = tensor.empty() : tensor<64x64xf32>
  %bits = tensor.empty() : tensor<64x64xi1>
  %twice = linalg.matmul ins(%a, %b : tensor<64x32xf16>, tensor<32x64xf16>) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
  %negated = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%twice : tensor<64x64xf32>) outs(%empty : tensor<64x64xf32>) {
  ^bb0(%v: f32, %out: f32):
    %n = arith.negf %v : f32
    linalg.yield %n : f32
  } -> tensor<64x64xf32>
  %reduced = linalg.matmul ins(%a, %b : tensor<64x32xf16>, tensor<32x64xf16>) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%reduced : tensor<64x64xf32>) outs(%zero : tensor<64xf32>) {
  ^bb0(%v: f32, %out: f32):
    %s = arith.addf %v, %out : f32
    linalg.yield %s : f32
  } -> tensor<64xf32>
  %indexed = linalg.matmul ins(%a, %b : tensor<64x32xf16>, tensor<32x64xf16>) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
  %mask = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%indexed : tensor<64x64xf32>) outs(%bits : tensor<64x64xi1>) {
  ^bb0(%v: f32, %out: i1):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %other = tensor.extract %c[%j, %i] : tensor<64x64xf32>
    %less = arith.cmpf olt, %v, %other : f32
    linalg.yield %less : i1
  } -> tensor<64x64xi1>
  return %twice, %negated, %sum, %mask : tensor<64x64xf32>, tensor<64x64xf32>, tensor<64xf32>, tensor<64x64xi1>
}
