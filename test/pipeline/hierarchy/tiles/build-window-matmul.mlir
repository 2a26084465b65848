// RUN: %aircc %s --target gfx942 --stop-after hierarchy -o - | FileCheck %s

// The kernel reads the windows of the image into LDS, and no matrix of windows is in memory. Elements in the padding are
// read beyond the end of the buffer, where they are 0. The buffer starts before the first window.
// CHECK-NOT: memref.alloc
// CHECK-LABEL: gpu.func
// CHECK: %[[BASE:.+]] = arith.maxsi
// CHECK: memref.reinterpret_cast %{{.+}} to offset: [%[[BASE]]]
// CHECK: amdgpu.fat_raw_buffer_cast
// CHECK: arith.select %{{.+}} : vector<{{.+}}xi1>, vector<{{.+}}xi32>
// CHECK: vector.gather
// CHECK: scf.for
// CHECK: vector.gather
// CHECK: vector.contract
func.func @conv(%x: tensor<2x8x16x16xf16>, %k: tensor<16x8x3x3xf16>) -> tensor<2x16x16x16xf32> {
  %zero = arith.constant 0.0 : f32
  %edge = arith.constant 0.0 : f16
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%n: index, %c: index, %h: index, %w: index):
    tensor.yield %edge : f16
  } : tensor<2x8x16x16xf16> to tensor<2x8x18x18xf16>
  %e = tensor.empty() : tensor<2x16x16x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<2x16x16x16xf32>) -> tensor<2x16x16x16xf32>
  %y = linalg.conv_2d_nchw_fchw ins(%p, %k : tensor<2x8x18x18xf16>, tensor<16x8x3x3xf16>)
      outs(%init : tensor<2x16x16x16xf32>) -> tensor<2x16x16x16xf32>
  return %y : tensor<2x16x16x16xf32>
}
