// A linear layer whose weights have 4 bits, two in a byte, the first one in the
// lower bits: 32 weights of a row share a scale and a zero point.
//
//   aircc samples/models/int4_linear.mlir --target gfx942 --emit shared -o liblinear.so

#packed = affine_map<(n, g, k, half) -> (n, g, k)>
#group = affine_map<(n, g, k, half) -> (n, g)>
#weight = affine_map<(n, g, k, half) -> (n, g, k, half)>

func.func @forward(%x: tensor<32x128xf16>,
                   %packed: tensor<64x64xi8>, %scales: tensor<64x4xf16>, %zeros: tensor<64x4xi8>)
    -> tensor<32x64xf16> {
  %zero = arith.constant 0.0 : f32
  %mask = arith.constant 15 : i8
  %bits = arith.constant 4 : index
  %groups = tensor.expand_shape %packed [[0], [1, 2]] output_shape [64, 4, 16] : tensor<64x64xi8> into tensor<64x4x16xi8>
  %wide_empty = tensor.empty() : tensor<64x4x16x2xf16>
  %wide = linalg.generic {indexing_maps = [#packed, #group, #group, #weight],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%groups, %scales, %zeros : tensor<64x4x16xi8>, tensor<64x4xf16>, tensor<64x4xi8>)
      outs(%wide_empty : tensor<64x4x16x2xf16>) {
  ^bb0(%byte: i8, %scale: f16, %point: i8, %out: f16):
    %half = linalg.index 3 : index
    %shift_index = arith.muli %half, %bits : index
    %shift = arith.index_cast %shift_index : index to i8
    %shifted = arith.shrui %byte, %shift : i8
    %q = arith.andi %shifted, %mask : i8
    %d = arith.subi %q, %point : i8
    %f = arith.sitofp %d : i8 to f16
    %w = arith.mulf %f, %scale : f16
    linalg.yield %w : f16
  } -> tensor<64x4x16x2xf16>
  %w = tensor.collapse_shape %wide [[0], [1, 2, 3]] : tensor<64x4x16x2xf16> into tensor<64x128xf16>
  %wt_empty = tensor.empty() : tensor<128x64xf16>
  %wt = linalg.transpose ins(%w : tensor<64x128xf16>)
      outs(%wt_empty : tensor<128x64xf16>) permutation = [1, 0]
  %y_empty = tensor.empty() : tensor<32x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%y_empty : tensor<32x64xf32>) -> tensor<32x64xf32>
  %y = linalg.matmul ins(%x, %wt : tensor<32x128xf16>, tensor<128x64xf16>)
      outs(%init : tensor<32x64xf32>) -> tensor<32x64xf32>
  %r = arith.truncf %y : tensor<32x64xf32> to tensor<32x64xf16>
  return %r : tensor<32x64xf16>
}
