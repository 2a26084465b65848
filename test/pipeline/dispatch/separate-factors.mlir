// RUN: %aircc opt %s --dispatch-separate-factors --split-input-file | FileCheck %s

#x = affine_map<(m, n, g, k) -> (m, g, k)>
#w = affine_map<(m, n, g, k) -> (n, g, k)>
#s = affine_map<(m, n, g, k) -> (n, g)>
#y = affine_map<(m, n, g, k) -> (m, n)>

// An elementwise op dequantizes the weights. The extension of its result remains in the contraction, which sums along
// one dimension.

// CHECK: #[[FACTOR:.+]] = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// CHECK: #[[SCALES:.+]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK: #[[ROWS:.+]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK: #[[COLUMNS:.+]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-LABEL: func.func @weights
// CHECK-SAME: %[[X:.+]]: tensor<64x4x32xf16>, %[[W:.+]]: tensor<48x4x32xi8>, %[[S:.+]]: tensor<48x4xf16>, %[[INIT:.+]]: tensor
// CHECK: %[[EMPTY:.+]] = tensor.empty() : tensor<48x4x32xf16>
// CHECK: %[[WIDE:.+]] = linalg.generic {indexing_maps = [#[[FACTOR]], #[[SCALES]], #[[FACTOR]]], iterator_types = ["parallel", "parallel", "parallel"]}
// CHECK-SAME: ins(%[[W]], %[[S]] : {{.*}} outs(%[[EMPTY]] :
// CHECK: arith.sitofp
// CHECK: arith.mulf
// CHECK-NOT: arith.extf
// CHECK: linalg.yield {{.*}} : f16
// CHECK: %[[A:.+]] = tensor.collapse_shape %[[X]] {{\[}}[0], [1, 2]] : tensor<64x4x32xf16> into tensor<64x128xf16>
// CHECK: %[[B:.+]] = tensor.collapse_shape %[[WIDE]] {{\[}}[0], [1, 2]] : tensor<48x4x32xf16> into tensor<48x128xf16>
// CHECK: linalg.generic {indexing_maps = [#[[ROWS]], #[[COLUMNS]], #[[SCALES]]], iterator_types = ["parallel", "parallel", "reduction"]}
// CHECK-SAME: ins(%[[A]], %[[B]] : {{.*}} outs(%[[INIT]] :
// CHECK-COUNT-2: arith.extf
// CHECK: arith.mulf
// CHECK: arith.addf
func.func @weights(%x: tensor<64x4x32xf16>, %w: tensor<48x4x32xi8>, %s: tensor<48x4xf16>,
                   %init: tensor<64x48xf32>) -> tensor<64x48xf32> {
  %y = linalg.generic {indexing_maps = [#x, #w, #s, #y],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w, %s : tensor<64x4x32xf16>, tensor<48x4x32xi8>, tensor<48x4xf16>)
      outs(%init : tensor<64x48xf32>) {
  ^bb0(%a: f16, %q: i8, %scale: f16, %sum: f32):
    %i = arith.sitofp %q : i8 to f16
    %b = arith.mulf %i, %scale : f16
    %wa = arith.extf %a : f16 to f32
    %wb = arith.extf %b : f16 to f32
    %product = arith.mulf %wa, %wb : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  } -> tensor<64x48xf32>
  return %y : tensor<64x48xf32>
}

// -----

#sum = affine_map<(m, n, k) -> (m, n)>

// The index of a loop in a factor is that of the loop of its own op. Both factors are computed.

// CHECK-LABEL: func.func @indices
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]} ins(%{{.*}} : tensor<8x16xi32>)
// CHECK: linalg.index 1
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]} ins(%{{.*}} : tensor<4x16xi32>)
// CHECK: linalg.index 0
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]}
// CHECK-NEXT: ^bb0
// CHECK-NEXT: arith.muli
// CHECK-NEXT: arith.addi
func.func @indices(%a: tensor<8x16xi32>, %b: tensor<4x16xi32>, %init: tensor<8x4xi32>) -> tensor<8x4xi32> {
  %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, #sum],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<8x16xi32>, tensor<4x16xi32>) outs(%init : tensor<8x4xi32>) {
  ^bb0(%x: i32, %y: i32, %sum: i32):
    %k = linalg.index 2 : index
    %n = linalg.index 1 : index
    %ki = arith.index_cast %k : index to i32
    %ni = arith.index_cast %n : index to i32
    %p = arith.addi %x, %ki : i32
    %q = arith.shli %y, %ni : i32
    %product = arith.muli %p, %q : i32
    %next = arith.addi %sum, %product : i32
    linalg.yield %next : i32
  } -> tensor<8x4xi32>
  return %c : tensor<8x4xi32>
}

// -----

#rows = affine_map<(m, n, k) -> (m, k)>
#columns = affine_map<(m, n, k) -> (n, k)>
#sum = affine_map<(m, n, k) -> (m, n)>

// These remain as they are: a product of elements; a factor that depends on the index of a loop that its operands do not
// have; the sum of squares of a factor; a product with one row.

// CHECK-LABEL: func.func @plain
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT: linalg.generic
// CHECK-LABEL: func.func @foreign_index
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT: linalg.generic
// CHECK-LABEL: func.func @one_row
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT: linalg.generic
func.func @plain(%a: tensor<8x16xf16>, %b: tensor<4x16xf16>, %init: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %c = linalg.generic {indexing_maps = [#rows, #columns, #sum], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<8x16xf16>, tensor<4x16xf16>) outs(%init : tensor<8x4xf32>) {
  ^bb0(%x: f16, %y: f16, %sum: f32):
    %p = arith.extf %x : f16 to f32
    %q = arith.extf %y : f16 to f32
    %product = arith.mulf %p, %q : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  } -> tensor<8x4xf32>
  return %c : tensor<8x4xf32>
}

func.func @foreign_index(%a: tensor<8x16xi32>, %b: tensor<4x16xi32>, %init: tensor<8x4xi32>) -> tensor<8x4xi32> {
  %c = linalg.generic {indexing_maps = [#rows, #columns, #sum], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<8x16xi32>, tensor<4x16xi32>) outs(%init : tensor<8x4xi32>) {
  ^bb0(%x: i32, %y: i32, %sum: i32):
    %n = linalg.index 1 : index
    %ni = arith.index_cast %n : index to i32
    %p = arith.addi %x, %ni : i32
    %product = arith.muli %p, %y : i32
    %next = arith.addi %sum, %product : i32
    linalg.yield %next : i32
  } -> tensor<8x4xi32>
  return %c : tensor<8x4xi32>
}

func.func @one_row(%a: tensor<1x16xi8>, %b: tensor<4x16xi32>, %init: tensor<1x4xi32>) -> tensor<1x4xi32> {
  %c = linalg.generic {indexing_maps = [#rows, #columns, #sum], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<1x16xi8>, tensor<4x16xi32>) outs(%init : tensor<1x4xi32>) {
  ^bb0(%x: i8, %y: i32, %sum: i32):
    %p = arith.extui %x : i8 to i32
    %product = arith.muli %p, %y : i32
    %next = arith.addi %sum, %product : i32
    linalg.yield %next : i32
  } -> tensor<1x4xi32>
  return %c : tensor<1x4xi32>
}
