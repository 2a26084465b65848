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

// A reduction with two results, one of which is used: its kernel only stores that one.

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

// -----

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// A reduction that nothing else joins is a kernel with the tensor that it starts from.
// CHECK-LABEL: @sums
// CHECK: scf.forall (%{{.*}}) = (0) to (4096) step (2)
// CHECK: %[[ZERO:.*]] = linalg.fill
// CHECK: linalg.generic
// CHECK-SAME: outs(%[[ZERO]] : tensor<2xf32>)
// CHECK: {mapping = [#gpu.block<x>]}
func.func @sums(%x: tensor<4096x512xf32>) -> tensor<4096xf32> {
  %c = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4096xf32>
  %zero = linalg.fill ins(%c : f32) outs(%e : tensor<4096xf32>) -> tensor<4096xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4096x512xf32>) outs(%zero : tensor<4096xf32>) {
  ^bb0(%v: f32, %o: f32):
    %s = arith.addf %v, %o : f32
    linalg.yield %s : f32
  } -> tensor<4096xf32>
  return %sum : tensor<4096xf32>
}

// -----

#chunk = affine_map<(s, k, j) -> (s, k, j)>
#partial = affine_map<(s, k, j) -> (s, j)>
#id = affine_map<(s, j) -> (s, j)>
#column = affine_map<(s, j) -> (j)>

// Of partial results of long columns, each kernel computes as many as registers hold the elements of, or whole cache lines.
// CHECK-LABEL: @partial_sums
// CHECK: scf.forall (%{{.*}}, %{{.*}}) = (0, 0) to (256, 4096) step (1, 128)
// CHECK: linalg.generic
// CHECK-SAME: ins(%{{.*}} : tensor<1x64x128xf32>)
// CHECK: scf.forall (%{{.*}}) = (0) to (4096) step (64)
// CHECK: linalg.generic
// CHECK-SAME: ins(%{{.*}} : tensor<256x64xf32>)
func.func @partial_sums(%x: tensor<256x64x4096xf32>) -> tensor<4096xf32> {
  %c = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<256x4096xf32>
  %zero = linalg.fill ins(%c : f32) outs(%e : tensor<256x4096xf32>) -> tensor<256x4096xf32>
  %sums = linalg.generic {indexing_maps = [#chunk, #partial], iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%x : tensor<256x64x4096xf32>) outs(%zero : tensor<256x4096xf32>) {
  ^bb0(%v: f32, %o: f32):
    %s = arith.addf %v, %o : f32
    linalg.yield %s : f32
  } -> tensor<256x4096xf32>
  %e2 = tensor.empty() : tensor<4096xf32>
  %zero2 = linalg.fill ins(%c : f32) outs(%e2 : tensor<4096xf32>) -> tensor<4096xf32>
  %sum = linalg.generic {indexing_maps = [#id, #column], iterator_types = ["reduction", "parallel"]}
      ins(%sums : tensor<256x4096xf32>) outs(%zero2 : tensor<4096xf32>) {
  ^bb0(%v: f32, %o: f32):
    %s = arith.addf %v, %o : f32
    linalg.yield %s : f32
  } -> tensor<4096xf32>
  return %sum : tensor<4096xf32>
}

// -----

// Partial results that use those of another reduction, one for each column, are computed by more workgroups than there are
// columns. If lanes do not divide the columns evenly, a workgroup loops over the rows of many columns.
// CHECK-LABEL: @partial_variances
// CHECK: scf.forall (%{{.*}}) = (0) to (1000) step (200)
// CHECK: linalg.generic
// CHECK-SAME: ins(%{{.*}} : tensor<16x200xf32>)
// CHECK: scf.forall (%{{.*}}, %{{.*}}) = (0, 0) to (625, 1000) step (1, 1000)
// CHECK: linalg.generic
// CHECK-SAME: ins(%{{.*}}, %{{.*}} : tensor<1x80x1000xf32>, tensor<1000xf32>)
#id = affine_map<(i, j) -> (i, j)>
#column = affine_map<(i, j) -> (j)>
func.func @partial_variances(%x: tensor<625x80x1000xf32>, %m: tensor<16x1000xf32>) -> tensor<625x1000xf32> {
  %c = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1000xf32>
  %zero = linalg.fill ins(%c : f32) outs(%e : tensor<1000xf32>) -> tensor<1000xf32>
  %mean = linalg.generic {indexing_maps = [#id, #column], iterator_types = ["reduction", "parallel"]}
      ins(%m : tensor<16x1000xf32>) outs(%zero : tensor<1000xf32>) {
  ^bb0(%v: f32, %o: f32):
    %s = arith.addf %v, %o : f32
    linalg.yield %s : f32
  } -> tensor<1000xf32>
  %e2 = tensor.empty() : tensor<625x1000xf32>
  %zeros = linalg.fill ins(%c : f32) outs(%e2 : tensor<625x1000xf32>) -> tensor<625x1000xf32>
  %partial = linalg.generic {
      indexing_maps = [affine_map<(s, i, j) -> (s, i, j)>, affine_map<(s, i, j) -> (j)>, affine_map<(s, i, j) -> (s, j)>],
      iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%x, %mean : tensor<625x80x1000xf32>, tensor<1000xf32>) outs(%zeros : tensor<625x1000xf32>) {
  ^bb0(%v: f32, %n: f32, %o: f32):
    %d = arith.subf %v, %n : f32
    %q = arith.mulf %d, %d : f32
    %s = arith.addf %q, %o : f32
    linalg.yield %s : f32
  } -> tensor<625x1000xf32>
  return %partial : tensor<625x1000xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// Rows with more elements than a workgroup computes at once are divided if the reduction is short.
// CHECK-LABEL: @long_rows
// CHECK: scf.forall (%{{.*}}, %{{.*}}) = (0, 0) to (16, 65536) step (1, 4096)
// CHECK: linalg.generic
// CHECK-SAME: ins(%{{.*}} : tensor<1x16xf32>)
// CHECK: linalg.generic
// CHECK: -> tensor<1x4096xf32>
func.func @long_rows(%x: tensor<16x65536xf32>, %parts: tensor<16x16xf32>) -> tensor<16x65536xf32> {
  %c = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16xf32>
  %zero = linalg.fill ins(%c : f32) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%parts : tensor<16x16xf32>) outs(%zero : tensor<16xf32>) {
  ^bb0(%v: f32, %o: f32):
    %s = arith.addf %v, %o : f32
    linalg.yield %s : f32
  } -> tensor<16xf32>
  %e2 = tensor.empty() : tensor<16x65536xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum : tensor<16x65536xf32>, tensor<16xf32>) outs(%e2 : tensor<16x65536xf32>) {
  ^bb0(%v: f32, %t: f32, %o: f32):
    %s = arith.divf %v, %t : f32
    linalg.yield %s : f32
  } -> tensor<16x65536xf32>
  return %y : tensor<16x65536xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// A workgroup loops over rows of dynamic size.
// CHECK-LABEL: @dynamic_rows
// CHECK: scf.forall
// CHECK: linalg.generic
// CHECK-SAME: "reduction"
// CHECK-SAME: ins(%{{.*}} : tensor<1x?xf32>) outs(%{{.*}} : tensor<1xf32>)
// CHECK: linalg.generic
// CHECK-SAME: "parallel", "parallel"
// CHECK: parallel_insert_slice
func.func @dynamic_rows(%x: tensor<?x?xf32>, %rows: index, %columns: index) -> tensor<?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty(%rows) : tensor<?xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<?xf32>) -> tensor<?xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<?x?xf32>) outs(%init : tensor<?xf32>) {
  ^bb0(%v: f32, %o: f32):
    %s = arith.addf %v, %o : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  %full = tensor.empty(%rows, %columns) : tensor<?x?xf32>
  %result = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum : tensor<?x?xf32>, tensor<?xf32>) outs(%full : tensor<?x?xf32>) {
  ^bb0(%v: f32, %s: f32, %o: f32):
    %q = arith.divf %v, %s : f32
    linalg.yield %q : f32
  } -> tensor<?x?xf32>
  return %result : tensor<?x?xf32>
}

// -----

// A column of dynamic size is not a row, and no copy of the result stays.
// CHECK-LABEL: @dynamic_columns
// CHECK: linalg.generic
// CHECK-SAME: "reduction", "parallel"
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @dynamic_columns(%x: tensor<?x?xi8>, %columns: index) -> tensor<?xi8> {
  %zero = arith.constant 0 : i8
  %empty = tensor.empty(%columns) : tensor<?xi8>
  %init = linalg.fill ins(%zero : i8) outs(%empty : tensor<?xi8>) -> tensor<?xi8>
  %least = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>], iterator_types = ["reduction", "parallel"]}
      ins(%x : tensor<?x?xi8>) outs(%init : tensor<?xi8>) {
  ^bb0(%v: i8, %o: i8):
    %s = arith.minsi %v, %o : i8
    linalg.yield %s : i8
  } -> tensor<?xi8>
  return %least : tensor<?xi8>
}
