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

// -----

#id = affine_map<(i, j) -> (i, j)>
#weight = affine_map<(n, g, i) -> (n, g, i)>
#group = affine_map<(n, g, i) -> (n, g)>
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>

// The kernel computes weights from 8-bit numbers and a scale for each group of 32.

// CHECK-LABEL: func.func @dequantized
// CHECK-SAME: %[[A:.+]]: tensor<64x128xf16>, %[[W:.+]]: tensor<32x4x32xi8>, %[[S:.+]]: tensor<32x4xf16>
// CHECK: scf.forall () in () shared_outs(%[[OUT:.+]] = %{{.+}}) -> (tensor<64x32xf32>)
// CHECK: %[[TILE:.+]] = bufferization.alloc_tensor() {memory_space = 1 : i64} : tensor<32x4x32xf16>
// CHECK: %[[GROUPS:.+]] = linalg.generic {{.*}} ins(%[[W]], %[[S]] : {{.*}} outs(%[[TILE]] :
// CHECK: %[[B:.+]] = tensor.collapse_shape %[[GROUPS]]
// CHECK: %[[INIT:.+]] = linalg.fill {{.*}} outs(%[[OUT]] :
// CHECK: linalg.contract {{.*}} ins(%[[A]], %[[B]] : {{.*}} outs(%[[INIT]] :
// CHECK: mapping = []
func.func @dequantized(%a: tensor<64x128xf16>, %w: tensor<32x4x32xi8>, %scales: tensor<32x4xf16>) -> tensor<64x32xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<32x4x32xf16>
  %groups = linalg.generic {indexing_maps = [#weight, #group, #weight], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%w, %scales : tensor<32x4x32xi8>, tensor<32x4xf16>) outs(%empty : tensor<32x4x32xf16>) {
  ^bb0(%q: i8, %s: f16, %out: f16):
    %f = arith.sitofp %q : i8 to f16
    %v = arith.mulf %f, %s : f16
    linalg.yield %v : f16
  } -> tensor<32x4x32xf16>
  %b = tensor.collapse_shape %groups [[0], [1, 2]] : tensor<32x4x32xf16> into tensor<32x128xf16>
  %sums = tensor.empty() : tensor<64x32xf32>
  %init = linalg.fill ins(%zero : f32) outs(%sums : tensor<64x32xf32>) -> tensor<64x32xf32>
  %r = linalg.contract indexing_maps = [#a, #b, #c]
      ins(%a, %b : tensor<64x128xf16>, tensor<32x128xf16>) outs(%init : tensor<64x32xf32>) -> tensor<64x32xf32>
  return %r : tensor<64x32xf32>
}

// Each row of 4096 / 128 workgroups would read 32-bit numbers instead of 16-bit ones. Groups of 24 do not fit evenly in
// a tile.

// CHECK-LABEL: func.func @stored
// CHECK-NOT: scf.forall
func.func @stored(%a: tensor<4096x64xf16>, %w: tensor<64x64xf32>, %v: tensor<64x3x24xi8>, %x: tensor<64x72xf16>)
    -> (tensor<4096x64xf32>, tensor<64x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64x64xf16>
  %narrow = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%w : tensor<64x64xf32>) outs(%empty : tensor<64x64xf16>) {
  ^bb0(%q: f32, %out: f16):
    %f = arith.truncf %q : f32 to f16
    linalg.yield %f : f16
  } -> tensor<64x64xf16>
  %sums = tensor.empty() : tensor<4096x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%sums : tensor<4096x64xf32>) -> tensor<4096x64xf32>
  %r = linalg.contract indexing_maps = [#a, #b, #c]
      ins(%a, %narrow : tensor<4096x64xf16>, tensor<64x64xf16>) outs(%init : tensor<4096x64xf32>) -> tensor<4096x64xf32>
  %groups_empty = tensor.empty() : tensor<64x3x24xf16>
  %groups = linalg.generic {indexing_maps = [#weight, #weight], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%v : tensor<64x3x24xi8>) outs(%groups_empty : tensor<64x3x24xf16>) {
  ^bb0(%q: i8, %out: f16):
    %f = arith.sitofp %q : i8 to f16
    linalg.yield %f : f16
  } -> tensor<64x3x24xf16>
  %b = tensor.collapse_shape %groups [[0], [1, 2]] : tensor<64x3x24xf16> into tensor<64x72xf16>
  %sums2 = tensor.empty() : tensor<64x64xf32>
  %init2 = linalg.fill ins(%zero : f32) outs(%sums2 : tensor<64x64xf32>) -> tensor<64x64xf32>
  %r2 = linalg.contract indexing_maps = [#a, #b, #c]
      ins(%x, %b : tensor<64x72xf16>, tensor<64x72xf16>) outs(%init2 : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r, %r2 : tensor<4096x64xf32>, tensor<64x64xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// The kernel of the first product computes its activation. Each stored product has its own fill.

// CHECK-LABEL: func.func @chain
// CHECK: %[[HIDDEN:.+]] = scf.forall
// CHECK: linalg.matmul
// CHECK: arith.truncf
// CHECK: mapping = []
// CHECK: %[[FILL0:.+]] = linalg.fill
// CHECK: %[[R0:.+]] = linalg.matmul ins(%[[HIDDEN]], %{{.+}} outs(%[[FILL0]] :
// CHECK: %[[FILL1:.+]] = linalg.fill
// CHECK: %[[R1:.+]] = linalg.matmul ins(%{{.+}} outs(%[[FILL1]] :
// CHECK: return %[[R0]], %[[R1]]
func.func @chain(%a: tensor<64x64xf16>, %b: tensor<64x64xf16>, %c: tensor<64x64xf16>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x64xf32>) -> tensor<64x64xf32>
  %first = linalg.matmul ins(%a, %b : tensor<64x64xf16>, tensor<64x64xf16>) outs(%init : tensor<64x64xf32>) -> tensor<64x64xf32>
  %narrow = tensor.empty() : tensor<64x64xf16>
  %hidden = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%first : tensor<64x64xf32>) outs(%narrow : tensor<64x64xf16>) {
  ^bb0(%v: f32, %out: f16):
    %t = arith.truncf %v : f32 to f16
    linalg.yield %t : f16
  } -> tensor<64x64xf16>
  %r0 = linalg.matmul ins(%hidden, %c : tensor<64x64xf16>, tensor<64x64xf16>) outs(%init : tensor<64x64xf32>) -> tensor<64x64xf32>
  %r1 = linalg.matmul ins(%a, %c : tensor<64x64xf16>, tensor<64x64xf16>) outs(%init : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r0, %r1 : tensor<64x64xf32>, tensor<64x64xf32>
}
