// RUN: %aircc %s --target gfx942 --stop-after hierarchy -o - | FileCheck %s
// RUN: %aircc %s --target gfx942 --stop-after hierarchy -o - | FileCheck %s --check-prefix=CHANNELS
// RUN: %aircc %s --target gfx942 --stop-after hierarchy -o - | FileCheck %s --check-prefix=ROW

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

// The elements of a place of the window differ by the size of the image from each other, and each is read by one of the
// lanes for adjacent pixels. A place is computed once for a block of elements.
// CHANNELS-LABEL: gpu.func @channels
// CHANNELS: %[[DISTANCES:.+]] = arith.muli %{{.+}}, %{{.+}} : vector<32xi32>
// CHANNELS: scf.for
// CHANNELS: arith.divui {{.*}} : vector<2xi32>
// CHANNELS-NOT: arith.divui {{.*}} : vector<{{[0-9]+}}x{{[0-9]+}}x
// CHANNELS: vector.gather {{.*}} into vector<32x2x32xf16>
// CHANNELS-NEXT: vector.shape_cast {{.*}} {layout.strategy = #layout.tile_transfer<4, gathered = true>}
// CHANNELS: scf.yield
func.func @channels(%x: tensor<2x32x18x18xf16>, %k: tensor<16x3x3x32xf16>) -> tensor<2x16x16x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x16x16x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<2x16x16x16xf32>) -> tensor<2x16x16x16xf32>
  %y = linalg.generic {
      indexing_maps = [affine_map<(n, f, h, w, y, x, c) -> (n, c, h + y, w + x)>,
                       affine_map<(n, f, h, w, y, x, c) -> (f, y, x, c)>,
                       affine_map<(n, f, h, w, y, x, c) -> (n, f, h, w)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %k : tensor<2x32x18x18xf16>, tensor<16x3x3x32xf16>) outs(%init : tensor<2x16x16x16xf32>) {
  ^bb0(%a: f16, %b: f16, %s: f32):
    %aw = arith.extf %a : f16 to f32
    %bw = arith.extf %b : f16 to f32
    %p = arith.mulf %aw, %bw : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<2x16x16x16xf32>
  return %y : tensor<2x16x16x16xf32>
}

// The result has one row of pixels, so whether a row of the image is padding depends on the place in the window alone.
// ROW-LABEL: gpu.func @one_row
// ROW: scf.for
// ROW: %[[ROW:.+]] = arith.cmpi ult, {{.*}} : i32
// ROW: %[[COLUMNS:.+]] = arith.cmpi ult, {{.*}} : vector<32xi32>
// ROW: %[[ROWS:.+]] = vector.broadcast %[[ROW]] : i1 to vector<32xi1>
// ROW: arith.andi %[[ROWS]], %[[COLUMNS]] : vector<32xi1>
func.func @one_row(%x: tensor<2x2x9x64xf16>, %k: tensor<3x3x64x16xf16>) -> tensor<2x1x8x16xf32> {
  %edge = arith.constant 0.0 : f16
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 0, 0] high[0, 1, 1, 0] {
  ^bb0(%n: index, %h: index, %w: index, %c: index):
    tensor.yield %edge : f16
  } : tensor<2x2x9x64xf16> to tensor<2x3x10x64xf16>
  %e = tensor.empty() : tensor<2x1x8x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<2x1x8x16xf32>) -> tensor<2x1x8x16xf32>
  %y = linalg.conv_2d_nhwc_hwcf ins(%p, %k : tensor<2x3x10x64xf16>, tensor<3x3x64x16xf16>)
      outs(%init : tensor<2x1x8x16xf32>) -> tensor<2x1x8x16xf32>
  return %y : tensor<2x1x8x16xf32>
}
