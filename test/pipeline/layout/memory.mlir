// Without an anchor, memory accesses determine how lanes are distributed.
// RUN: %aircc opt %s --split-input-file --layout-propagate-layouts=target=%targets/gfx942.json --layout-check-layouts=target=%targets/gfx942.json | FileCheck %s
// RUN: %aircc opt %s --split-input-file --layout-propagate-layouts=target=%targets/gfx1100.json --layout-check-layouts=target=%targets/gfx1100.json | FileCheck %s --check-prefix=WAVE32

// 128 bits per lane, lanes along the rows, waves down the columns.
// CHECK: #layout.nested<subgroup_tile = [4, 1], batch_tile = [4, 1], outer_tile = [1, 1], thread_tile = [4, 16], element_tile = [1, 8], subgroup_strides = [1, 0], thread_strides = [16, 1]>
// CHECK-LABEL: gpu.func @wide
// CHECK-NOT: layout.to_layout
// WAVE32: #layout.nested<subgroup_tile = [8, 1], batch_tile = [4, 1], outer_tile = [1, 1], thread_tile = [2, 16], element_tile = [1, 8], subgroup_strides = [1, 0], thread_strides = [16, 1]>
gpu.module @m {
  gpu.func @wide(%a: memref<?x?xf16>, %b: memref<?x?xf16>, %i: index) kernel attributes {known_block_size = array<i32: 256, 1, 1>, layout.scope = #layout.scope<workgroup>} {
    %f = arith.constant 0.0 : f16
    %v = vector.transfer_read %a[%i, %i], %f {in_bounds = [true, true]} : memref<?x?xf16>, vector<64x128xf16>
    %w = arith.negf %v : vector<64x128xf16>
    vector.transfer_write %w, %b[%i, %i] {in_bounds = [true, true]} : vector<64x128xf16>, memref<?x?xf16>
    gpu.return
  }
}

// -----

// A transposed access: lanes lie along the memory, not along the vector's last
// dimension.
// CHECK: #layout.nested<subgroup_tile = [1, 4], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [8, 8], element_tile = [4, 1], subgroup_strides = [0, 1], thread_strides = [1, 8]>
// CHECK-LABEL: gpu.func @transposed
gpu.module @m {
  gpu.func @transposed(%a: memref<?x?xf32>, %i: index) kernel attributes {known_block_size = array<i32: 256, 1, 1>, layout.scope = #layout.scope<workgroup>} {
    %f = arith.constant 0.0 : f32
    %v = vector.transfer_read %a[%i, %i], %f {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : memref<?x?xf32>, vector<32x32xf32>
    vector.transfer_write %v, %a[%i, %i] {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : vector<32x32xf32>, memref<?x?xf32>
    gpu.return
  }
}

// -----

// With few elements, lanes access short pieces, so that more lanes take part; the others hold
// copies. Vectors of a wave are not in other waves.
// CHECK-DAG: #layout.nested<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [32], element_tile = [1], subgroup_strides = [0], thread_strides = [1]>
// CHECK-DAG: #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 3], outer_tile = [1, 1], thread_tile = [1, 2], element_tile = [7, 1], subgroup_strides = [0, 0], thread_strides = [0, 1]>
// CHECK-DAG: #layout.nested<subgroup_tile = [], batch_tile = [], outer_tile = [], thread_tile = [], element_tile = [], subgroup_strides = [], thread_strides = []>
// CHECK-LABEL: gpu.func @few
gpu.module @m {
  gpu.func @few(%a: memref<?x?xf32>, %i: index) kernel attributes {known_block_size = array<i32: 256, 1, 1>, layout.scope = #layout.scope<wave>} {
    %f = arith.constant 0.0 : f32
    %v = vector.transfer_read %a[%i, %i], %f {in_bounds = [true]} : memref<?x?xf32>, vector<32xf32>
    vector.transfer_write %v, %a[%i, %i] {in_bounds = [true]} : vector<32xf32>, memref<?x?xf32>
    %w = vector.transfer_read %a[%i, %i], %f {in_bounds = [true, true]} : memref<?x?xf32>, vector<7x6xf32>
    vector.transfer_write %w, %a[%i, %i] {in_bounds = [true, true]} : vector<7x6xf32>, memref<?x?xf32>
    %x = vector.transfer_read %a[%i, %i], %f : memref<?x?xf32>, vector<f32>
    vector.transfer_write %x, %a[%i, %i] : vector<f32>, memref<?x?xf32>
    gpu.return
  }
}

// -----

// Per-lane code is unchanged, also next to undistributed vectors.
// CHECK-LABEL: gpu.func @lanes
// CHECK: arith.addf {{.*}} : vector<4xf32>
// CHECK-NOT: layout.
// CHECK-SAME: {{$}}
// CHECK: arith.mulf {{.*}} {layout.results = {{.*}} : vector<64xf32>
gpu.module @m {
  gpu.func @lanes(%a: memref<?xf32>, %i: index) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %f = arith.constant 0.0 : f32
    %v = vector.load %a[%i] : memref<?xf32>, vector<4xf32>
    %w = arith.addf %v, %v : vector<4xf32>
    vector.store %w, %a[%i] : memref<?xf32>, vector<4xf32>
    %x = vector.transfer_read %a[%i], %f : memref<?xf32>, vector<64xf32>
    %y = arith.mulf %x, %x {layout.scope = #layout.scope<wave>} : vector<64xf32>
    vector.transfer_write %y, %a[%i] : vector<64xf32>, memref<?xf32>
    gpu.return
  }
}
