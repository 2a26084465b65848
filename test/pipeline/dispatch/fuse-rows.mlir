// RUN: %aircc opt --dispatch-fuse-rows --split-input-file %s | FileCheck %s

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// Each workgroup computes 16 rows: 1,024 elements.
// CHECK-LABEL: @rows
// CHECK: scf.forall (%[[I:.*]]) = (0) to (64) step (16)
// CHECK: %[[X:.*]] = tensor.extract_slice %{{.*}}[%[[I]], 0] [16, 64] [1, 1]
// CHECK: %[[SUM:.*]] = linalg.generic
// CHECK-SAME: ins(%[[X]] :
// CHECK: linalg.generic
// CHECK-SAME: ins(%[[X]], %[[SUM]] :
// CHECK: {mapping = [#gpu.block<x>]}
// CHECK-NOT: linalg.generic
func.func @rows(%x: tensor<64x64xf32>, %zero: tensor<64xf32>) -> tensor<64x64xf32> {
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<64x64xf32>) outs(%zero : tensor<64xf32>) {
  ^bb0(%v: f32, %o: f32):
    %s = arith.addf %v, %o : f32
    linalg.yield %s : f32
  } -> tensor<64xf32>
  %e = tensor.empty() : tensor<64x64xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum : tensor<64x64xf32>, tensor<64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%v: f32, %t: f32, %o: f32):
    %s = arith.divf %v, %t : f32
    linalg.yield %s : f32
  } -> tensor<64x64xf32>
  return %y : tensor<64x64xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// The sum is used outside: it is not fused.
// CHECK-LABEL: @used_outside
// CHECK-NOT: scf.forall
func.func @used_outside(%x: tensor<8x64xf32>, %zero: tensor<8xf32>) -> (tensor<8xf32>, tensor<8x64xf32>) {
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x64xf32>) outs(%zero : tensor<8xf32>) {
  ^bb0(%v: f32, %o: f32):
    %s = arith.addf %v, %o : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  %e = tensor.empty() : tensor<8x64xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum : tensor<8x64xf32>, tensor<8xf32>) outs(%e : tensor<8x64xf32>) {
  ^bb0(%v: f32, %t: f32, %o: f32):
    %s = arith.divf %v, %t : f32
    linalg.yield %s : f32
  } -> tensor<8x64xf32>
  return %sum, %y : tensor<8xf32>, tensor<8x64xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>

// A row of the result needs the sums of all rows.
// CHECK-LABEL: @other_rows
// CHECK-NOT: scf.forall
func.func @other_rows(%x: tensor<64x64xf32>, %zero: tensor<64xf32>) -> tensor<64x64xf32> {
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<64x64xf32>) outs(%zero : tensor<64xf32>) {
  ^bb0(%v: f32, %o: f32):
    %s = arith.addf %v, %o : f32
    linalg.yield %s : f32
  } -> tensor<64xf32>
  %e = tensor.empty() : tensor<64x64xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #column, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum, %sum : tensor<64x64xf32>, tensor<64xf32>, tensor<64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%v: f32, %t: f32, %u: f32, %o: f32):
    %s = arith.divf %v, %t : f32
    %r = arith.addf %s, %u : f32
    linalg.yield %r : f32
  } -> tensor<64x64xf32>
  return %y : tensor<64x64xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// A reduction with two results, of which one is used, is a kernel that holds the other and copies the one.

// CHECK-LABEL: func.func @largest
// CHECK: scf.forall (%{{.+}}) = (0) to (8) step (4) shared_outs(%[[OUT:.+]] = %{{.+}}) -> (tensor<8xindex>)
// CHECK: %[[R:.+]]:2 = linalg.generic
// CHECK-SAME: iterator_types = ["parallel", "reduction"]
// CHECK: %[[COPY:.+]] = linalg.generic {{.*}} ins(%[[R]]#0 : tensor<4xindex>)
// CHECK: tensor.parallel_insert_slice %[[COPY]] into %[[OUT]]
func.func @largest(%x: tensor<8x64xf32>) -> tensor<8xindex> {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0 : index
  %empty_index = tensor.empty() : tensor<8xindex>
  %empty = tensor.empty() : tensor<8xf32>
  %indices = linalg.fill ins(%zero : index) outs(%empty_index : tensor<8xindex>) -> tensor<8xindex>
  %values = linalg.fill ins(%low : f32) outs(%empty : tensor<8xf32>) -> tensor<8xf32>
  %r:2 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x64xf32>) outs(%indices, %values : tensor<8xindex>, tensor<8xf32>) {
  ^bb0(%v: f32, %i: index, %m: f32):
    %j = linalg.index 1 : index
    %c = arith.cmpf ogt, %v, %m : f32
    %index = arith.select %c, %j, %i : index
    %value = arith.select %c, %v, %m : f32
    linalg.yield %index, %value : index, f32
  } -> (tensor<8xindex>, tensor<8xf32>)
  return %r#0 : tensor<8xindex>
}
