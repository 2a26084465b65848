// A perceptron with one hidden layer: two linear layers with bias, ReLU and
// softmax, in f32 with weights of one row per output, as PyTorch stores them.
//
//   aircc samples/models/mlp.mlir --target gfx942 --emit shared -o libmlp.so

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>

func.func @forward(%x: tensor<32x64xf32>,
                   %w1: tensor<128x64xf32>, %b1: tensor<128xf32>,
                   %w2: tensor<10x128xf32>, %b2: tensor<10xf32>)
    -> tensor<32x10xf32> {
  %zero = arith.constant 0.0 : f32

  %w1t_empty = tensor.empty() : tensor<64x128xf32>
  %w1t = linalg.transpose ins(%w1 : tensor<128x64xf32>)
      outs(%w1t_empty : tensor<64x128xf32>) permutation = [1, 0]
  %h_empty = tensor.empty() : tensor<32x128xf32>
  %h_init = linalg.fill ins(%zero : f32) outs(%h_empty : tensor<32x128xf32>) -> tensor<32x128xf32>
  %h = linalg.matmul ins(%x, %w1t : tensor<32x64xf32>, tensor<64x128xf32>)
      outs(%h_init : tensor<32x128xf32>) -> tensor<32x128xf32>
  %h_bias = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%h, %b1 : tensor<32x128xf32>, tensor<128xf32>) outs(%h_empty : tensor<32x128xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<32x128xf32>
  %relu = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%h_bias : tensor<32x128xf32>) outs(%h_empty : tensor<32x128xf32>) {
  ^bb0(%a: f32, %out: f32):
    %p = arith.cmpf ugt, %a, %zero : f32
    %s = arith.select %p, %a, %zero : f32
    linalg.yield %s : f32
  } -> tensor<32x128xf32>

  %w2t_empty = tensor.empty() : tensor<128x10xf32>
  %w2t = linalg.transpose ins(%w2 : tensor<10x128xf32>)
      outs(%w2t_empty : tensor<128x10xf32>) permutation = [1, 0]
  %y_empty = tensor.empty() : tensor<32x10xf32>
  %y_init = linalg.fill ins(%zero : f32) outs(%y_empty : tensor<32x10xf32>) -> tensor<32x10xf32>
  %y = linalg.matmul ins(%relu, %w2t : tensor<32x128xf32>, tensor<128x10xf32>)
      outs(%y_init : tensor<32x10xf32>) -> tensor<32x10xf32>
  %y_bias = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y, %b2 : tensor<32x10xf32>, tensor<10xf32>) outs(%y_empty : tensor<32x10xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<32x10xf32>
  %p = linalg.softmax dimension(1) ins(%y_bias : tensor<32x10xf32>)
      outs(%y_empty : tensor<32x10xf32>) -> tensor<32x10xf32>
  return %p : tensor<32x10xf32>
}
