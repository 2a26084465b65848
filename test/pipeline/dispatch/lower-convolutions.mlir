// RUN: %aircc opt %s --dispatch-normalize-tensors --dispatch-lower-convolutions=target=%targets/gfx942.json | FileCheck %s
// RUN: %aircc opt %s --dispatch-normalize-tensors --dispatch-lower-convolutions=target=%targets/bmg.json | FileCheck %s --check-prefix=XE

// The windows are the rows of a matrix. The pixels of all images are one dimension.
// CHECK-DAG: #[[$BLOCKS:.+]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d3 * 32 + d6, d1 + d4, d2 + d5)>
// CHECK-DAG: #[[$WINDOWS:.+]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1 * 2 + d3, d2 * 2 + d4, d5)>
// CHECK-LABEL: func.func @nhwc(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x17x17x32xf16>, %[[K:[a-z0-9]+]]: tensor<3x3x32x64xf16>
// CHECK-DAG: %[[FILTERS:.+]] = tensor.collapse_shape %[[K]] {{\[\[}}0, 1, 2], [3]] : tensor<3x3x32x64xf16> into tensor<288x64xf16>
// CHECK-DAG: %[[COPY:.+]] = linalg.generic {indexing_maps = [#[[$WINDOWS]], {{.*}} ins(%[[X]] : tensor<2x17x17x32xf16>) outs(%{{.+}} : tensor<2x8x8x3x3x32xf16>)
// CHECK-DAG: %[[MATRIX:.+]] = tensor.collapse_shape %[[COPY]] {{\[\[}}0, 1, 2], [3, 4, 5]] : tensor<2x8x8x3x3x32xf16> into tensor<128x288xf16>
// CHECK: %[[PRODUCT:.+]] = linalg.generic {{.*}} ins(%[[MATRIX]], %[[FILTERS]] : tensor<128x288xf16>, tensor<288x64xf16>) outs(%{{.+}} : tensor<128x64xf32>)
// CHECK: tensor.expand_shape %[[PRODUCT]] {{\[\[}}0, 1, 2], [3]] {{.*}} : tensor<128x64xf32> into tensor<2x8x8x64xf32>
// CHECK-NOT: conv_2d
// XE-LABEL: func.func @nhwc(
// XE-NOT: tensor<128x288xf16>
func.func @nhwc(%x: tensor<2x17x17x32xf16>, %k: tensor<3x3x32x64xf16>) -> tensor<2x8x8x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x8x8x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<2x8x8x64xf32>) -> tensor<2x8x8x64xf32>
  %y = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>}
      ins(%x, %k : tensor<2x17x17x32xf16>, tensor<3x3x32x64xf16>)
      outs(%init : tensor<2x8x8x64xf32>) -> tensor<2x8x8x64xf32>
  return %y : tensor<2x8x8x64xf32>
}

// The pixels of one image: the filters are between images and pixels. The filter is transposed such that the channels are
// its innermost dimension, as in the copy of the windows.
// CHECK-LABEL: func.func @nchw(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x32x10x10xf16>, %[[K:[a-z0-9]+]]: tensor<16x32x3x3xf16>
// CHECK-DAG: linalg.transpose ins(%[[K]] : tensor<16x32x3x3xf16>) outs(%{{.+}} : tensor<16x3x3x32xf16>) permutation = [0, 2, 3, 1]
// CHECK-DAG: linalg.generic {{.*}} ins(%[[X]] : tensor<2x32x10x10xf16>) outs(%{{.+}} : tensor<2x8x8x3x3x32xf16>)
// CHECK: linalg.generic {{.*}} : tensor<2x64x288xf16>, tensor<16x288xf16>) outs(%{{.+}} : tensor<2x16x64xf32>)
// CHECK: tensor.expand_shape %{{.+}} {{\[\[}}0], [1], [2, 3]] {{.*}} : tensor<2x16x64xf32> into tensor<2x16x8x8xf32>
func.func @nchw(%x: tensor<2x32x10x10xf16>, %k: tensor<16x32x3x3xf16>) -> tensor<2x16x8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x16x8x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<2x16x8x8xf32>) -> tensor<2x16x8x8xf32>
  %y = linalg.conv_2d_nchw_fchw ins(%x, %k : tensor<2x32x10x10xf16>, tensor<16x32x3x3xf16>)
      outs(%init : tensor<2x16x8x8xf32>) -> tensor<2x16x8x8xf32>
  return %y : tensor<2x16x8x8xf32>
}

// More channels, far apart, are divided into blocks of 32: all places of the window follow each other for the channels of
// a block.
// CHECK-LABEL: func.func @blocks(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x64x10x10xf16>, %[[K:[a-z0-9]+]]: tensor<16x64x3x3xf16>
// CHECK-DAG: %[[FILTERS:.+]] = tensor.expand_shape %[[K]] {{\[\[}}0], [1, 2], [3], [4]] {{.*}} : tensor<16x64x3x3xf16> into tensor<16x2x32x3x3xf16>
// CHECK-DAG: linalg.transpose ins(%[[FILTERS]] : tensor<16x2x32x3x3xf16>) outs(%{{.+}} : tensor<16x2x3x3x32xf16>) permutation = [0, 1, 3, 4, 2]
// CHECK-DAG: linalg.generic {indexing_maps = [#[[$BLOCKS]], {{.*}} ins(%[[X]] : tensor<2x64x10x10xf16>) outs(%{{.+}} : tensor<2x8x8x2x3x3x32xf16>)
// CHECK: linalg.generic {{.*}} : tensor<2x64x576xf16>, tensor<16x576xf16>) outs(%{{.+}} : tensor<2x16x64xf32>)
func.func @blocks(%x: tensor<2x64x10x10xf16>, %k: tensor<16x64x3x3xf16>) -> tensor<2x16x8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x16x8x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<2x16x8x8xf32>) -> tensor<2x16x8x8xf32>
  %y = linalg.conv_2d_nchw_fchw ins(%x, %k : tensor<2x64x10x10xf16>, tensor<16x64x3x3xf16>)
      outs(%init : tensor<2x16x8x8xf32>) -> tensor<2x16x8x8xf32>
  return %y : tensor<2x16x8x8xf32>
}

// Few channels have no addresses in common, and those of a single pixel are a matrix as they are.
// CHECK-LABEL: func.func @few(
// CHECK-NOT: linalg.transpose
// CHECK: return
func.func @few(%x: tensor<2x3x10x10xf16>, %k: tensor<16x3x3x3xf16>, %init: tensor<2x16x8x8xf32>) -> tensor<2x16x8x8xf32> {
  %y = linalg.conv_2d_nchw_fchw ins(%x, %k : tensor<2x3x10x10xf16>, tensor<16x3x3x3xf16>)
      outs(%init : tensor<2x16x8x8xf32>) -> tensor<2x16x8x8xf32>
  return %y : tensor<2x16x8x8xf32>
}

// CHECK-LABEL: func.func @pixels(
// CHECK-NOT: linalg.transpose
// CHECK: return
func.func @pixels(%x: tensor<2x32x8x8xf16>, %k: tensor<16x32x1x1xf16>, %init: tensor<2x16x8x8xf32>) -> tensor<2x16x8x8xf32> {
  %y = linalg.conv_2d_nchw_fchw ins(%x, %k : tensor<2x32x8x8xf16>, tensor<16x32x1x1xf16>)
      outs(%init : tensor<2x16x8x8xf32>) -> tensor<2x16x8x8xf32>
  return %y : tensor<2x16x8x8xf32>
}

// A product for each place of the window: the sum of a place is added to the one before, first to the initial value, and
// the result is rounded once.
// CHECK-LABEL: func.func @parts(
// CHECK: %[[PRODUCTS:.+]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%{{.+}}, %{{.+}} : tensor<3x3x64x512xf16>, tensor<3x3x512x64xf16>) outs(%{{.+}} : tensor<3x3x64x64xf32>)
// CHECK: %[[FLAT:.+]] = tensor.collapse_shape %[[PRODUCTS]] {{\[\[}}0, 1], [2], [3]] : tensor<3x3x64x64xf32> into tensor<9x64x64xf32>
// CHECK: %[[IMAGES:.+]] = tensor.expand_shape %[[FLAT]] {{\[\[}}0], [1, 2, 3], [4]] {{.*}} : tensor<9x64x64xf32> into tensor<9x1x8x8x64xf32>
// CHECK-COUNT-9: arith.addf
// CHECK: arith.truncf
func.func @parts(%x: tensor<1x10x10x512xf16>, %k: tensor<3x3x512x64xf16>, %init: tensor<1x8x8x64xf16>) -> tensor<1x8x8x64xf16> {
  %y = linalg.conv_2d_nhwc_hwcf ins(%x, %k : tensor<1x10x10x512xf16>, tensor<3x3x512x64xf16>)
      outs(%init : tensor<1x8x8x64xf16>) -> tensor<1x8x8x64xf16>
  return %y : tensor<1x8x8x64xf16>
}

// Matrix instructions of f32.
// CHECK-LABEL: func.func @single(
// CHECK: linalg.generic {{.*}} : tensor<2048x288xf32>, tensor<288x64xf32>)
func.func @single(%x: tensor<2x34x34x32xf32>, %k: tensor<3x3x32x64xf32>, %init: tensor<2x32x32x64xf32>) -> tensor<2x32x32x64xf32> {
  %y = linalg.conv_2d_nhwc_hwcf ins(%x, %k : tensor<2x34x34x32xf32>, tensor<3x3x32x64xf32>)
      outs(%init : tensor<2x32x32x64xf32>) -> tensor<2x32x32x64xf32>
  return %y : tensor<2x32x32x64xf32>
}

// A depthwise convolution sums no products of channels.
// CHECK-LABEL: func.func @depthwise(
// CHECK-NOT: collapse_shape
// CHECK: return
func.func @depthwise(%x: tensor<2x10x10x32xf16>, %k: tensor<3x3x32xf16>) -> tensor<2x8x8x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x8x8x32xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<2x8x8x32xf32>) -> tensor<2x8x8x32xf32>
  %y = linalg.depthwise_conv_2d_nhwc_hwc ins(%x, %k : tensor<2x10x10x32xf16>, tensor<3x3x32xf16>)
      outs(%init : tensor<2x8x8x32xf32>) -> tensor<2x8x8x32xf32>
  return %y : tensor<2x8x8x32xf32>
}

// The sizes of pixels must be known.
// CHECK-LABEL: func.func @dynamic(
// CHECK-NOT: collapse_shape
// CHECK: return
func.func @dynamic(%x: tensor<2x?x10x32xf16>, %k: tensor<3x3x32x64xf16>, %init: tensor<2x?x8x64xf32>) -> tensor<2x?x8x64xf32> {
  %y = linalg.conv_2d_nhwc_hwcf ins(%x, %k : tensor<2x?x10x32xf16>, tensor<3x3x32x64xf16>)
      outs(%init : tensor<2x?x8x64xf32>) -> tensor<2x?x8x64xf32>
  return %y : tensor<2x?x8x64xf32>
}
