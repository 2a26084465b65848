// A basic block of ResNet in f16, NCHW: two 3x3 convolutions whose batch
// normalization is folded into weights and bias, and the residual.
//
//   aircc samples/models/resnet_block.mlir --target gfx942 --emit shared -o libblock.so

#id = affine_map<(n, c, h, w) -> (n, c, h, w)>
#channel = affine_map<(n, c, h, w) -> (c)>

func.func @forward(%x: tensor<2x32x14x14xf16>,
                   %w1: tensor<32x32x3x3xf16>, %b1: tensor<32xf16>,
                   %w2: tensor<32x32x3x3xf16>, %b2: tensor<32xf16>)
    -> tensor<2x32x14x14xf16> {
  %zero = arith.constant 0.0 : f16
  %zero_f32 = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2x32x14x14xf32>
  %empty_f16 = tensor.empty() : tensor<2x32x14x14xf16>
  %init = linalg.fill ins(%zero_f32 : f32) outs(%empty : tensor<2x32x14x14xf32>) -> tensor<2x32x14x14xf32>

  %x_pad = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%n: index, %c: index, %h: index, %w: index):
    tensor.yield %zero : f16
  } : tensor<2x32x14x14xf16> to tensor<2x32x16x16xf16>
  %conv1 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%x_pad, %w1 : tensor<2x32x16x16xf16>, tensor<32x32x3x3xf16>)
      outs(%init : tensor<2x32x14x14xf32>) -> tensor<2x32x14x14xf32>
  %relu1 = linalg.generic {indexing_maps = [#id, #channel, #id],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%conv1, %b1 : tensor<2x32x14x14xf32>, tensor<32xf16>) outs(%empty_f16 : tensor<2x32x14x14xf16>) {
  ^bb0(%a: f32, %b: f16, %out: f16):
    %wide = arith.extf %b : f16 to f32
    %sum = arith.addf %a, %wide : f32
    %max = arith.maximumf %sum, %zero_f32 : f32
    %r = arith.truncf %max : f32 to f16
    linalg.yield %r : f16
  } -> tensor<2x32x14x14xf16>

  %y_pad = tensor.pad %relu1 low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%n: index, %c: index, %h: index, %w: index):
    tensor.yield %zero : f16
  } : tensor<2x32x14x14xf16> to tensor<2x32x16x16xf16>
  %conv2 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%y_pad, %w2 : tensor<2x32x16x16xf16>, tensor<32x32x3x3xf16>)
      outs(%init : tensor<2x32x14x14xf32>) -> tensor<2x32x14x14xf32>
  %y = linalg.generic {indexing_maps = [#id, #channel, #id, #id],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%conv2, %b2, %x : tensor<2x32x14x14xf32>, tensor<32xf16>, tensor<2x32x14x14xf16>)
      outs(%empty_f16 : tensor<2x32x14x14xf16>) {
  ^bb0(%a: f32, %b: f16, %residual: f16, %out: f16):
    %bias = arith.extf %b : f16 to f32
    %sum = arith.addf %a, %bias : f32
    %wide = arith.extf %residual : f16 to f32
    %all = arith.addf %sum, %wide : f32
    %max = arith.maximumf %all, %zero_f32 : f32
    %r = arith.truncf %max : f32 to f16
    linalg.yield %r : f16
  } -> tensor<2x32x14x14xf16>
  return %y : tensor<2x32x14x14xf16>
}
