// RUN: %aircc opt %s --layout-set-anchors=target=%targets/gfx950.json --layout-propagate-layouts=target=%targets/gfx950.json --layout-check-layouts=target=%targets/gfx950.json --split-input-file | FileCheck %s
// RUN: %aircc opt %s --layout-set-anchors=target=%targets/gfx942.json --split-input-file | FileCheck %s --check-prefix=NONE

// Scales are the same in blocks of 32: the scales before the broadcast are used, one per block.

// CHECK-LABEL: gpu.func @broadcast
// CHECK-NOT: arith.scaling_extf
// CHECK: %[[A:.*]] = vector.bitcast {{.*}} to vector<16x128xf4E2M1FN>
// CHECK-NOT: vector.broadcast
// CHECK: layout.scaled_contract %[[A]] by %{{.*}}, %{{.*}} by %{{.*}}, %{{.*}} {layout.matrix_instruction = "mfma.scale.f32.16x16x128.f8f6f4.narrow.fp8.f4E2M1FN.f8E4M3FN"
// CHECK-SAME: vector<16x128xf4E2M1FN> by vector<16x4xf8E8M0FNU>, vector<16x128xf8E4M3FN> by vector<16x4xf8E8M0FNU> into vector<16x16xf32>
// NONE-LABEL: gpu.func @broadcast
// NONE: arith.scaling_extf
// NONE-NOT: layout.scaled_contract
gpu.module @m {
  gpu.func @broadcast(%a: memref<16x64xi8>, %as: memref<16x4xf8E8M0FNU>, %b: memref<16x128xf8E4M3FN>, %c: memref<16x16xf32>)
      kernel attributes {known_block_size = array<i32: 64, 1, 1>, layout.scope = #layout.scope<wave>} {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0 : i8
    %one = arith.constant 1.0 : f8E8M0FNU
    %none = arith.constant 0.0 : f8E4M3FN
    %bytes = vector.transfer_read %a[%c0, %c0], %zero {in_bounds = [true, true]} : memref<16x64xi8>, vector<16x64xi8>
    %va = vector.bitcast %bytes : vector<16x64xi8> to vector<16x128xf4E2M1FN>
    %s = vector.transfer_read %as[%c0, %c0], %one {in_bounds = [true, true]} : memref<16x4xf8E8M0FNU>, vector<16x4xf8E8M0FNU>
    %t = vector.broadcast %s : vector<16x4xf8E8M0FNU> to vector<32x16x4xf8E8M0FNU>
    %u = vector.transpose %t, [1, 2, 0] : vector<32x16x4xf8E8M0FNU> to vector<16x4x32xf8E8M0FNU>
    %w = vector.shape_cast %u : vector<16x4x32xf8E8M0FNU> to vector<16x128xf8E8M0FNU>
    %x = arith.scaling_extf %va, %w : vector<16x128xf4E2M1FN>, vector<16x128xf8E8M0FNU> to vector<16x128xf32>
    %vb = vector.transfer_read %b[%c0, %c0], %none {in_bounds = [true, true]} : memref<16x128xf8E4M3FN>, vector<16x128xf8E4M3FN>
    %ones = arith.constant dense<1.0> : vector<16x128xf8E8M0FNU>
    %y = arith.scaling_extf %vb, %ones : vector<16x128xf8E4M3FN>, vector<16x128xf8E8M0FNU> to vector<16x128xf32>
    %sums = arith.constant dense<0.0> : vector<16x16xf32>
    %r = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>],
        iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %sums
        : vector<16x128xf32>, vector<16x128xf32> into vector<16x16xf32>
    vector.transfer_write %r, %c[%c0, %c0] {in_bounds = [true, true]} : vector<16x16xf32>, memref<16x16xf32>
    gpu.return
  }
}

// -----

// Scales that change within a block are multiplied in before.

// CHECK-LABEL: gpu.func @finer
// CHECK: arith.scaling_extf
// CHECK-NOT: layout.scaled_contract
gpu.module @m {
  gpu.func @finer(%a: memref<16x128xf8E4M3FN>, %as: memref<16x8xf8E8M0FNU>, %c: memref<16x16xf32>)
      kernel attributes {known_block_size = array<i32: 64, 1, 1>, layout.scope = #layout.scope<wave>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f8E8M0FNU
    %none = arith.constant 0.0 : f8E4M3FN
    %va = vector.transfer_read %a[%c0, %c0], %none {in_bounds = [true, true]} : memref<16x128xf8E4M3FN>, vector<16x128xf8E4M3FN>
    %s = vector.transfer_read %as[%c0, %c0], %one {in_bounds = [true, true]} : memref<16x8xf8E8M0FNU>, vector<16x8xf8E8M0FNU>
    %t = vector.broadcast %s : vector<16x8xf8E8M0FNU> to vector<16x16x8xf8E8M0FNU>
    %u = vector.transpose %t, [1, 2, 0] : vector<16x16x8xf8E8M0FNU> to vector<16x8x16xf8E8M0FNU>
    %w = vector.shape_cast %u : vector<16x8x16xf8E8M0FNU> to vector<16x128xf8E8M0FNU>
    %x = arith.scaling_extf %va, %w : vector<16x128xf8E4M3FN>, vector<16x128xf8E8M0FNU> to vector<16x128xf32>
    %sums = arith.constant dense<0.0> : vector<16x16xf32>
    %r = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>],
        iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %x, %sums
        : vector<16x128xf32>, vector<16x128xf32> into vector<16x16xf32>
    vector.transfer_write %r, %c[%c0, %c0] {in_bounds = [true, true]} : vector<16x16xf32>, memref<16x16xf32>
    gpu.return
  }
}
