#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (j)>
#vector = affine_map<(i) -> (i)>

func.func @forward(%x: tensor<64x32xf16>, %w: tensor<32x64xf16>, %bias: tensor<64xf32>) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x64xf32>) -> tensor<64x64xf32>
  %product = linalg.matmul ins(%x, %w : tensor<64x32xf16>, tensor<32x64xf16>)
      outs(%init : tensor<64x64xf32>) -> tensor<64x64xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%product, %bias : tensor<64x64xf32>, tensor<64xf32>) outs(%empty : tensor<64x64xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %s = arith.addf %a, %b : f32
    %m = arith.maximumf %s, %zero : f32
    linalg.yield %m : f32
  } -> tensor<64x64xf32>
  %p = linalg.softmax dimension(1) ins(%y : tensor<64x64xf32>) outs(%empty : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %p : tensor<64x64xf32>
}

func.func @times_vector(%a: tensor<64x64xf32>, %v: tensor<64xf32>) -> tensor<64xf32> {
  %table = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %init = tensor.pad %table low[0] high[60] {
  ^bb0(%i: index):
    %zero = arith.constant 0.0 : f32
    tensor.yield %zero : f32
  } : tensor<4xf32> to tensor<64xf32>
  %y = linalg.matvec ins(%a, %v : tensor<64x64xf32>, tensor<64xf32>) outs(%init : tensor<64xf32>) -> tensor<64xf32>
  return %y : tensor<64xf32>
}

func.func @add(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %z = arith.addf %x, %y : tensor<?xf32>
  return %z : tensor<?xf32>
}
