// An inverted residual of MobileNetV2 in TOSA, f32, NHWC: a 1x1 convolution that
// widens, a 3x3 convolution per channel, and a 1x1 convolution that narrows.
//
//   aircc samples/models/mobilenet_block.mlir --target gfx942 --emit shared -o libblock.so

func.func @forward(%x: tensor<1x14x14x16xf32>,
                   %w1: tensor<64x1x1x16xf32>, %b1: tensor<64xf32>,
                   %w2: tensor<3x3x64x1xf32>, %b2: tensor<64xf32>,
                   %w3: tensor<16x1x1x64xf32>, %b3: tensor<16xf32>)
    -> tensor<1x14x14x16xf32> {
  %zp = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %wide = tosa.conv2d %x, %w1, %b1, %zp, %zp {acc_type = f32, dilation = array<i64: 1, 1>,
      pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>}
      : (tensor<1x14x14x16xf32>, tensor<64x1x1x16xf32>, tensor<64xf32>, tensor<1xf32>, tensor<1xf32>)
      -> tensor<1x14x14x64xf32>
  %wide6 = tosa.clamp %wide {min_val = 0.0 : f32, max_val = 6.0 : f32}
      : (tensor<1x14x14x64xf32>) -> tensor<1x14x14x64xf32>
  %depth = tosa.depthwise_conv2d %wide6, %w2, %b2, %zp, %zp {acc_type = f32, dilation = array<i64: 1, 1>,
      pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>}
      : (tensor<1x14x14x64xf32>, tensor<3x3x64x1xf32>, tensor<64xf32>, tensor<1xf32>, tensor<1xf32>)
      -> tensor<1x14x14x64xf32>
  %depth6 = tosa.clamp %depth {min_val = 0.0 : f32, max_val = 6.0 : f32}
      : (tensor<1x14x14x64xf32>) -> tensor<1x14x14x64xf32>
  %narrow = tosa.conv2d %depth6, %w3, %b3, %zp, %zp {acc_type = f32, dilation = array<i64: 1, 1>,
      pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>}
      : (tensor<1x14x14x64xf32>, tensor<16x1x1x64xf32>, tensor<16xf32>, tensor<1xf32>, tensor<1xf32>)
      -> tensor<1x14x14x16xf32>
  %y = tosa.add %narrow, %x : (tensor<1x14x14x16xf32>, tensor<1x14x14x16xf32>) -> tensor<1x14x14x16xf32>
  return %y : tensor<1x14x14x16xf32>
}
