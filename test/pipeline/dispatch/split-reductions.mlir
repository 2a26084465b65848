// RUN: %aircc opt --dispatch-split-reductions --split-input-file %s | FileCheck %s
// RUN: %aircc opt --dispatch-split-reductions=max-rows=152 --split-input-file %s | FileCheck %s --check-prefix=MANY

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// The partial results of a row are adjacent.
// CHECK-LABEL: @rows
// CHECK-SAME: %[[X:.*]]: tensor<16x1048576xf32>, %[[INIT:.*]]: tensor<16xf32>
// CHECK: %[[CHUNKS:.*]] = tensor.expand_shape %[[X]] {{\[\[}}0], [1, 2]] {{.*}} into tensor<16x256x4096xf32>
// CHECK: %[[ZERO:.*]] = linalg.fill {{.*}} -> tensor<16x256xf32>
// CHECK: %[[PARTIAL:.*]] = linalg.generic
// CHECK-SAME: iterator_types = ["parallel", "parallel", "reduction"]
// CHECK-SAME: ins(%[[CHUNKS]] : {{.*}}) outs(%[[ZERO]] :
// CHECK: %[[SUM:.*]] = linalg.generic
// CHECK-SAME: iterator_types = ["parallel", "reduction"]
// CHECK-SAME: ins(%[[PARTIAL]] : {{.*}}) outs(%[[INIT]] :
// CHECK: return %[[SUM]]
func.func @rows(%x: tensor<16x1048576xf32>, %init: tensor<16xf32>) -> tensor<16xf32> {
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<16x1048576xf32>) outs(%init : tensor<16xf32>) {
  ^bb0(%v: f32, %o: f32):
    %s = arith.addf %v, %o : f32
    linalg.yield %s : f32
  } -> tensor<16xf32>
  return %sum : tensor<16xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#column = affine_map<(i, j) -> (j)>

// Chunks of columns have 64 elements. The partial results of a chunk are adjacent.
// CHECK-LABEL: @columns
// CHECK: tensor.expand_shape %{{.*}} into tensor<128x64x512xf16>
// CHECK: linalg.generic
// CHECK: -> tensor<128x512xf32>
// CHECK: linalg.generic
// CHECK-SAME: ins(%{{.*}} : tensor<128x512xf32>)
// CHECK: -> tensor<512xf32>
func.func @columns(%x: tensor<8192x512xf16>, %init: tensor<512xf32>) -> tensor<512xf32> {
  %sum = linalg.generic {indexing_maps = [#id, #column], iterator_types = ["reduction", "parallel"]}
      ins(%x : tensor<8192x512xf16>) outs(%init : tensor<512xf32>) {
  ^bb0(%v: f16, %o: f32):
    %w = arith.extf %v : f16 to f32
    %s = arith.addf %w, %o : f32
    linalg.yield %s : f32
  } -> tensor<512xf32>
  return %sum : tensor<512xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#all = affine_map<(i, j) -> ()>

// Both dimensions become one. There are so many chunks that they are divided again.
// CHECK-LABEL: @all
// CHECK-NOT: "reduction", "reduction"
// CHECK: linalg.generic
// CHECK: -> tensor<16384xf32>
// CHECK: linalg.generic
// CHECK-SAME: ins(%{{.*}} : tensor<4x4096xf32>)
// CHECK: -> tensor<4xf32>
// CHECK: linalg.generic
// CHECK: -> tensor<f32>
func.func @all(%x: tensor<8192x8192xf32>, %init: tensor<f32>) -> tensor<f32> {
  %max = linalg.generic {indexing_maps = [#id, #all], iterator_types = ["reduction", "reduction"]}
      ins(%x : tensor<8192x8192xf32>) outs(%init : tensor<f32>) {
  ^bb0(%v: f32, %o: f32):
    %s = arith.maximumf %v, %o : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %max : tensor<f32>
}

// -----

#id = affine_map<(i) -> (i)>
#all = affine_map<(i) -> ()>

// 50,021 is a prime number. The rest starts from the result of whole chunks.
// CHECK-LABEL: @rest
// CHECK-SAME: %[[X:.*]]: tensor<50021xi32>
// CHECK: %[[WHOLE:.*]] = tensor.extract_slice %[[X]][0] [49152] [1]
// CHECK: %[[CHUNKS:.*]] = tensor.expand_shape %[[WHOLE]] {{.*}} into tensor<12x4096xi32>
// CHECK: %[[PARTIAL:.*]] = linalg.generic
// CHECK-SAME: ins(%[[CHUNKS]] :
// CHECK: %[[SUM:.*]] = linalg.generic
// CHECK-SAME: ins(%[[PARTIAL]] :
// CHECK: %[[REST:.*]] = tensor.extract_slice %[[X]][49152] [869] [1]
// CHECK: %[[RESULT:.*]] = linalg.generic
// CHECK-SAME: ins(%[[REST]] : {{.*}}) outs(%[[SUM]] :
// CHECK: return %[[RESULT]]
func.func @rest(%x: tensor<50021xi32>, %init: tensor<i32>) -> tensor<i32> {
  %sum = linalg.generic {indexing_maps = [#id, #all], iterator_types = ["reduction"]}
      ins(%x : tensor<50021xi32>) outs(%init : tensor<i32>) {
  ^bb0(%v: i32, %o: i32):
    %s = arith.addi %v, %o : i32
    linalg.yield %s : i32
  } -> tensor<i32>
  return %sum : tensor<i32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// A workgroup reduces a row of 8,192 elements.
// CHECK-LABEL: @unchanged
// CHECK-NOT: tensor.expand_shape
func.func @unchanged(%x: tensor<16x8192xf32>, %zero: tensor<16xf32>) -> tensor<16xf32> {
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<16x8192xf32>) outs(%zero : tensor<16xf32>) {
  ^bb0(%v: f32, %o: f32):
    %s = arith.addf %v, %o : f32
    linalg.yield %s : f32
  } -> tensor<16xf32>
  return %sum : tensor<16xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// Of many rows, a workgroup reduces each.
// CHECK-LABEL: @many_rows
// MANY-LABEL: @many_rows
// CHECK: tensor.expand_shape
// MANY-NOT: tensor.expand_shape
// MANY: return
func.func @many_rows(%x: tensor<153x65536xf32>, %init: tensor<153xf32>) -> tensor<153xf32> {
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<153x65536xf32>) outs(%init : tensor<153xf32>) {
  ^bb0(%v: f32, %o: f32):
    %s = arith.addf %v, %o : f32
    linalg.yield %s : f32
  } -> tensor<153xf32>
  return %sum : tensor<153xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>

// Indices of the loop: that of the chunk times the size of a chunk, plus that in the chunk.
// CHECK-LABEL: @indices
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["parallel", "parallel", "reduction"]
// CHECK: %[[IN:.*]] = linalg.index 2
// CHECK: %[[CHUNK:.*]] = linalg.index 1
// CHECK: %[[START:.*]] = arith.muli %[[CHUNK]], %{{.*}} : index
// CHECK: %[[WHOLE:.*]] = arith.addi %[[IN]], %[[START]] : index
// CHECK: arith.index_cast %[[WHOLE]] : index to i64
func.func @indices(%x: tensor<2x131072xi64>, %init: tensor<2xi64>) -> tensor<2xi64> {
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<2x131072xi64>) outs(%init : tensor<2xi64>) {
  ^bb0(%v: i64, %o: i64):
    %j = linalg.index 1 : index
    %n = arith.index_cast %j : index to i64
    %p = arith.muli %v, %n : i64
    %s = arith.addi %p, %o : i64
    linalg.yield %s : i64
  } -> tensor<2xi64>
  return %sum : tensor<2xi64>
}

// The loop over chunks comes first, before the loop over columns.
// CHECK-LABEL: @column_indices
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["parallel", "reduction", "parallel"]
// CHECK: %[[IN:.*]] = linalg.index 1
// CHECK: %[[CHUNK:.*]] = linalg.index 0
// CHECK: %[[START:.*]] = arith.muli %[[CHUNK]], %{{.*}} : index
// CHECK: arith.addi %[[IN]], %[[START]] : index
// CHECK: linalg.index 2
func.func @column_indices(%x: tensor<8192x512xi64>, %init: tensor<512xi64>) -> tensor<512xi64> {
  %sum = linalg.generic {indexing_maps = [#id, #column], iterator_types = ["reduction", "parallel"]}
      ins(%x : tensor<8192x512xi64>) outs(%init : tensor<512xi64>) {
  ^bb0(%v: i64, %o: i64):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = arith.addi %i, %j : index
    %n = arith.index_cast %k : index to i64
    %p = arith.muli %v, %n : i64
    %s = arith.addi %p, %o : i64
    linalg.yield %s : i64
  } -> tensor<512xi64>
  return %sum : tensor<512xi64>
}

// -----

#all = affine_map<(n, c, p) -> (n, c, p)>
#channel = affine_map<(n, c, p) -> (c)>

// Elements of a channel are apart from each other. Each image has partial results, which another op combines with the initial
// value.
// CHECK-LABEL: @channels
// CHECK-SAME: %[[X:.*]]: tensor<32x64x3136xf32>, %[[INIT:.*]]: tensor<64xf32>
// CHECK-DAG: %[[ONES:.*]] = arith.constant 1.000000e+00 : f32
// CHECK: %[[NEUTRAL:.*]] = linalg.fill ins(%[[ONES]] : f32) {{.*}} -> tensor<32x64xf32>
// CHECK: %[[PARTIAL:.*]] = linalg.generic
// CHECK-SAME: iterator_types = ["parallel", "parallel", "reduction"]
// CHECK-SAME: ins(%[[X]] : {{.*}}) outs(%[[NEUTRAL]] :
// CHECK: arith.addf
// CHECK: arith.mulf
// CHECK: %[[PRODUCT:.*]] = linalg.generic
// CHECK-SAME: iterator_types = ["reduction", "parallel"]
// CHECK-SAME: ins(%[[PARTIAL]] : tensor<32x64xf32>) outs(%[[INIT]] :
// CHECK-NEXT: ^bb0(%[[V:.*]]: f32, %[[O:.*]]: f32):
// CHECK-NEXT: arith.mulf %[[V]], %[[O]] : f32
// CHECK: return %[[PRODUCT]]
func.func @channels(%x: tensor<32x64x3136xf32>, %init: tensor<64xf32>) -> tensor<64xf32> {
  %one = arith.constant 1.0 : f32
  %product = linalg.generic {indexing_maps = [#all, #channel], iterator_types = ["reduction", "parallel", "reduction"]}
      ins(%x : tensor<32x64x3136xf32>) outs(%init : tensor<64xf32>) {
  ^bb0(%v: f32, %o: f32):
    %w = arith.addf %v, %one : f32
    %p = arith.mulf %w, %o : f32
    linalg.yield %p : f32
  } -> tensor<64xf32>
  return %product : tensor<64xf32>
}
