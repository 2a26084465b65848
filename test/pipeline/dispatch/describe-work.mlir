// RUN: %aircc opt --dispatch-describe-work %s | FileCheck %s

#id = affine_map<(i) -> (i)>

// CHECK-LABEL: @ops
// CHECK: linalg.fill {air.work = #air.work<kind = "fill", ops = [], types = [f32, f32], sizes = [8, 4], operations = 0, place = #loc{{.*}}>}
// CHECK: linalg.matmul {air.work = #air.work<kind = "contraction", ops = ["arith.mulf", "arith.addf"], types = [f32, f32, f32], sizes = [8, 4, 16], operations = 1024, place = #loc{{.*}}>}
func.func @ops(%a: tensor<8x16xf32>, %b: tensor<16x4xf32>) -> tensor<8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<8x4xf32>) -> tensor<8x4xf32>
  %c = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x4xf32>) outs(%init : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %c : tensor<8x4xf32>
}

// A fused multiply-add is two operations; comparisons, selections and conversions are none.
// CHECK-LABEL: @body
// CHECK: air.work = #air.work<kind = "elementwise", ops = ["math.fma", "arith.cmpf", "arith.select", "arith.truncf"], types = [f32, f16], sizes = [-1], operations = -1,
// CHECK: air.work = #air.work<kind = "elementwise", ops = ["arith.truncf"], types = [f32, f16], sizes = [-1], operations = 0,
func.func @body(%x: tensor<?xf32>, %e: tensor<?xf16>) -> (tensor<?xf16>, tensor<?xf16>) {
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<?xf32>) outs(%e : tensor<?xf16>) {
  ^bb0(%v: f32, %out: f16):
    %f = math.fma %v, %v, %v : f32
    %c = arith.cmpf ogt, %f, %v : f32
    %s = arith.select %c, %f, %v : f32
    %t = arith.truncf %s : f32 to f16
    linalg.yield %t : f16
  } -> tensor<?xf16>
  %z = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<?xf32>) outs(%e : tensor<?xf16>) {
  ^bb0(%v: f32, %out: f16):
    %t = arith.truncf %v : f32 to f16
    linalg.yield %t : f16
  } -> tensor<?xf16>
  return %y, %z : tensor<?xf16>, tensor<?xf16>
}

// CHECK-LABEL: @reasons
// CHECK: linalg.conv_1d_nwc_wcf {air.work = #air.work<kind = "convolution",{{.*}} reason = "it is a convolution">
// CHECK: linalg.matvec {air.work = #air.work<kind = "contraction",{{.*}} reason = "it multiplies by a vector, not by a matrix">
func.func @reasons(%x: tensor<1x8x4xf32>, %k: tensor<3x4x2xf32>, %y: tensor<1x6x2xf32>,
                   %a: tensor<4x8xf32>, %v: tensor<8xf32>, %r: tensor<4xf32>) -> (tensor<1x6x2xf32>, tensor<4xf32>) {
  %c = linalg.conv_1d_nwc_wcf ins(%x, %k : tensor<1x8x4xf32>, tensor<3x4x2xf32>) outs(%y : tensor<1x6x2xf32>) -> tensor<1x6x2xf32>
  %m = linalg.matvec ins(%a, %v : tensor<4x8xf32>, tensor<8xf32>) outs(%r : tensor<4xf32>) -> tensor<4xf32>
  return %c, %m : tensor<1x6x2xf32>, tensor<4xf32>
}

// Copies that bufferization adds are kernels as well; other ops on memrefs are of programs that are not tensor programs.
// CHECK-LABEL: @copies
// CHECK: linalg.copy {air.offload, air.work = #air.work<kind = "elementwise", ops = [], types = [f32, f32], sizes = [8], operations = 0,
// CHECK-NEXT: linalg.copy ins
func.func @copies(%x: memref<8xf32>, %y: memref<8xf32>, %z: memref<8xf32>) {
  linalg.copy {air.offload} ins(%x : memref<8xf32>) outs(%y : memref<8xf32>)
  linalg.copy ins(%y : memref<8xf32>) outs(%z : memref<8xf32>)
  return
}
