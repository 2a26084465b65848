// RUN: %aircc opt --dispatch-lower-tosa %s | FileCheck %s

// CHECK-LABEL: @conv
// CHECK: linalg.conv_2d_nhwc_fhwc
// CHECK-NOT: tosa
func.func @conv(%x: tensor<1x8x8x3xf32>, %w: tensor<4x3x3x3xf32>, %b: tensor<4xf32>) -> tensor<1x6x6x4xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %c = tosa.conv2d %x, %w, %b, %z, %z {acc_type = f32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>,
      dilation = array<i64: 1, 1>} : (tensor<1x8x8x3xf32>, tensor<4x3x3x3xf32>, tensor<4xf32>, tensor<1xf32>,
      tensor<1xf32>) -> tensor<1x6x6x4xf32>
  return %c : tensor<1x6x6x4xf32>
}

// Upstream lowers a tile only if at most one size is dynamic.
// CHECK-LABEL: @tile
// CHECK: linalg.generic
// CHECK: arith.remui
// CHECK: tensor.extract
func.func @tile(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %m = tosa.const_shape {values = dense<[2, 3]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %y = tosa.tile %x, %m : (tensor<?x?xf32>, !tosa.shape<2>) -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}

// Upstream's pass does not lower a conditional in another one.
// CHECK-LABEL: @conditionals
// CHECK: scf.if
// CHECK-NEXT: tensor.extract
// CHECK-NEXT: scf.if
// CHECK-NOT: tosa
func.func @conditionals(%p: tensor<i1>, %q: tensor<i1>, %x: tensor<4xi32>) -> tensor<4xi32> {
  %r = "tosa.cond_if"(%p, %x) ({
  ^bb0(%a: tensor<4xi32>):
    %s = "tosa.cond_if"(%q, %a) ({
    ^bb0(%b: tensor<4xi32>):
      %t = tosa.abs %b : (tensor<4xi32>) -> tensor<4xi32>
      tosa.yield %t : tensor<4xi32>
    }, {
    ^bb0(%b: tensor<4xi32>):
      tosa.yield %b : tensor<4xi32>
    }) : (tensor<i1>, tensor<4xi32>) -> tensor<4xi32>
    tosa.yield %s : tensor<4xi32>
  }, {
  ^bb0(%a: tensor<4xi32>):
    tosa.yield %a : tensor<4xi32>
  }) : (tensor<i1>, tensor<4xi32>) -> tensor<4xi32>
  return %r : tensor<4xi32>
}
