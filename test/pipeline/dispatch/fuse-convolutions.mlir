// RUN: %aircc opt --dispatch-normalize-tensors --dispatch-fuse-convolutions %s | FileCheck %s
// RUN: %aircc opt --dispatch-normalize-tensors --dispatch-fuse-convolutions=lds-bytes=4096 %s | FileCheck %s --check-prefix=SMALL

#id = affine_map<(n, c, h, w) -> (n, c, h, w)>
#channel = affine_map<(n, c, h, w) -> (c)>

// Padding, initial value, convolution, bias and activation are one loop over
// workgroups. Padding stays outside if its part does not fit into half of LDS.
// CHECK-LABEL: func.func @block(
// CHECK-NOT: linalg
// CHECK: scf.forall (%{{.*}}, %{{.*}}) in (2, 8)
// CHECK: linalg.generic
// CHECK: tensor.extract
// CHECK: linalg.fill
// CHECK: linalg.conv_2d_nchw_fchw
// CHECK-SAME: -> tensor<1x1x14x14xf32>
// CHECK: linalg.generic
// CHECK: arith.maximumf
// CHECK: mapping = [#gpu.block<y>, #gpu.block<x>]
// SMALL-LABEL: func.func @block(
// SMALL: linalg.generic
// SMALL: tensor.extract
// SMALL: scf.forall
// SMALL-NOT: tensor.extract %
// SMALL: mapping
func.func @block(%x: tensor<2x8x14x14xf16>, %k: tensor<8x8x3x3xf16>, %bias: tensor<8xf32>) -> tensor<2x8x14x14xf16> {
  %zero = arith.constant 0.0 : f32
  %zero_f16 = arith.constant 0.0 : f16
  %padded = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%n: index, %c: index, %h: index, %w: index):
    tensor.yield %zero_f16 : f16
  } : tensor<2x8x14x14xf16> to tensor<2x8x16x16xf16>
  %e = tensor.empty() : tensor<2x8x14x14xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<2x8x14x14xf32>) -> tensor<2x8x14x14xf32>
  %conv = linalg.conv_2d_nchw_fchw ins(%padded, %k : tensor<2x8x16x16xf16>, tensor<8x8x3x3xf16>)
      outs(%init : tensor<2x8x14x14xf32>) -> tensor<2x8x14x14xf32>
  %narrow = tensor.empty() : tensor<2x8x14x14xf16>
  %r = linalg.generic {indexing_maps = [#id, #channel, #id],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%conv, %bias : tensor<2x8x14x14xf32>, tensor<8xf32>) outs(%narrow : tensor<2x8x14x14xf16>) {
  ^bb0(%v: f32, %b: f32, %out: f16):
    %s = arith.addf %v, %b : f32
    %m = arith.maximumf %s, %zero : f32
    %t = arith.truncf %m : f32 to f16
    linalg.yield %t : f16
  } -> tensor<2x8x14x14xf16>
  return %r : tensor<2x8x14x14xf16>
}

// A pooling alone has its sums in memory of the workgroup, too.
// CHECK-LABEL: func.func @pool(
// CHECK: scf.forall
// CHECK: bufferization.alloc_tensor() {memory_space = 1 : i64}
// CHECK: linalg.pooling_nhwc_max
// CHECK: linalg.generic
// CHECK: mapping
func.func @pool(%x: tensor<4x16x16x8xf32>, %window: tensor<2x2xf32>) -> tensor<4x8x8x8xf32> {
  %low = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<4x8x8x8xf32>
  %init = linalg.fill ins(%low : f32) outs(%e : tensor<4x8x8x8xf32>) -> tensor<4x8x8x8xf32>
  %r = linalg.pooling_nhwc_max {strides = dense<2> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
      ins(%x, %window : tensor<4x16x16x8xf32>, tensor<2x2xf32>) outs(%init : tensor<4x8x8x8xf32>) -> tensor<4x8x8x8xf32>
  return %r : tensor<4x8x8x8xf32>
}

// One tile would be no loop; dynamic sizes are not tiled.
// CHECK-LABEL: func.func @small(
// CHECK-NOT: scf.forall
// CHECK: return
func.func @small(%x: tensor<6xf32>, %k: tensor<3xf32>, %init: tensor<4xf32>) -> tensor<4xf32> {
  %r = linalg.conv_1d ins(%x, %k : tensor<6xf32>, tensor<3xf32>) outs(%init : tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// Sums start from a copy of a tensor from elsewhere.
// CHECK-LABEL: func.func @accumulate(
// CHECK: scf.forall
// CHECK: %[[COPY:.*]] = linalg.generic
// CHECK: linalg.depthwise_conv_1d_nwc_wc
// CHECK-SAME: outs(%[[COPY]]
func.func @accumulate(%x: tensor<8x66x16xf32>, %k: tensor<3x16xf32>, %init: tensor<8x64x16xf32>) -> tensor<8x64x16xf32> {
  %r = linalg.depthwise_conv_1d_nwc_wc {strides = dense<1> : tensor<1xi64>, dilations = dense<1> : tensor<1xi64>}
      ins(%x, %k : tensor<8x66x16xf32>, tensor<3x16xf32>) outs(%init : tensor<8x64x16xf32>) -> tensor<8x64x16xf32>
  return %r : tensor<8x64x16xf32>
}
