// A classifier of sequences with any batch size and any length: embedding,
// mean over the sequence, a linear layer.
//
//   aircc samples/models/dynamic_classifier.mlir --target gfx942 --emit shared -o libclassifier.so

#id2 = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>
#tokens = affine_map<(b, s, e) -> (b, s)>
#embedded = affine_map<(b, s, e) -> (b, s, e)>
#pooled = affine_map<(b, s, e) -> (b, e)>

func.func @forward(%tokens: tensor<?x?xi64>, %table: tensor<100x64xf32>,
                   %w: tensor<64x8xf32>, %bias: tensor<8xf32>) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %batch = tensor.dim %tokens, %c0 : tensor<?x?xi64>
  %length = tensor.dim %tokens, %c1 : tensor<?x?xi64>
  %length_i64 = arith.index_cast %length : index to i64
  %count = arith.sitofp %length_i64 : i64 to f32

  %embedded_empty = tensor.empty(%batch, %length) : tensor<?x?x64xf32>
  %embedded = linalg.generic {indexing_maps = [#tokens, #embedded],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%tokens : tensor<?x?xi64>) outs(%embedded_empty : tensor<?x?x64xf32>) {
  ^bb0(%token: i64, %out: f32):
    %i = arith.index_cast %token : i64 to index
    %e = linalg.index 2 : index
    %v = tensor.extract %table[%i, %e] : tensor<100x64xf32>
    linalg.yield %v : f32
  } -> tensor<?x?x64xf32>

  %pooled_empty = tensor.empty(%batch) : tensor<?x64xf32>
  %pooled_init = linalg.fill ins(%zero : f32) outs(%pooled_empty : tensor<?x64xf32>) -> tensor<?x64xf32>
  %sum = linalg.generic {indexing_maps = [#embedded, #pooled],
      iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%embedded : tensor<?x?x64xf32>) outs(%pooled_init : tensor<?x64xf32>) {
  ^bb0(%v: f32, %out: f32):
    %s = arith.addf %v, %out : f32
    linalg.yield %s : f32
  } -> tensor<?x64xf32>
  %mean = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%sum : tensor<?x64xf32>) outs(%pooled_empty : tensor<?x64xf32>) {
  ^bb0(%v: f32, %out: f32):
    %m = arith.divf %v, %count : f32
    linalg.yield %m : f32
  } -> tensor<?x64xf32>

  %y_empty = tensor.empty(%batch) : tensor<?x8xf32>
  %y_init = linalg.fill ins(%zero : f32) outs(%y_empty : tensor<?x8xf32>) -> tensor<?x8xf32>
  %y = linalg.matmul ins(%mean, %w : tensor<?x64xf32>, tensor<64x8xf32>)
      outs(%y_init : tensor<?x8xf32>) -> tensor<?x8xf32>
  %r = linalg.generic {indexing_maps = [#id2, #row, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%y, %bias : tensor<?x8xf32>, tensor<8xf32>) outs(%y_empty : tensor<?x8xf32>) {
  ^bb0(%v: f32, %b: f32, %out: f32):
    %s = arith.addf %v, %b : f32
    linalg.yield %s : f32
  } -> tensor<?x8xf32>
  return %r : tensor<?x8xf32>
}
