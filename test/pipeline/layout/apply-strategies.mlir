// Kernels whose tiles stage hierarchy has chosen get their layouts.
// RUN: %aircc opt %s --split-input-file --layout-apply-strategies=target=%targets/gfx942.json | FileCheck %s

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// Factors are in the instruction's layout, gathered along K so that a lane
// reads 128 bits at once; B's rows lie along N, so that a lane has neighbors of
// these, and C has the same ones. The accumulators have their layout where they
// enter the loop, and buffers are swizzled where they are defined.

// CHECK-DAG: #[[C:.+]] = #layout.nested<subgroup_tile = [2, 2], batch_tile = [2, 1], outer_tile = [1, 1], thread_tile = [4, 16], element_tile = [4, 2], subgroup_strides = [2, 1], thread_strides = [16, 1]>
// CHECK-DAG: #[[A:.+]] = #layout.nested<subgroup_tile = [2, 1], batch_tile = [2, 1], outer_tile = [1, 1], thread_tile = [16, 4], element_tile = [1, 8], subgroup_strides = [2, 0], thread_strides = [1, 16]>
// CHECK-DAG: #[[B:.+]] = #layout.nested<subgroup_tile = [1, 2], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [4, 16], element_tile = [8, 2], subgroup_strides = [0, 1], thread_strides = [16, 1]>
// CHECK-DAG: #[[COPY:.+]] = #layout.nested<subgroup_tile = [4, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [16, 4], element_tile = [1, 8], subgroup_strides = [1, 0], thread_strides = [4, 1]>
// CHECK-LABEL: gpu.func @staged
// CHECK-SAME: workgroup(%[[LDS_A:.+]] : memref<64x32xf16, #gpu.address_space<workgroup>>, %[[LDS_B:.+]] : memref<32x64xf16, #gpu.address_space<workgroup>>)
// CHECK-DAG: %[[SWIZZLED_A:.+]] = layout.swizzle_hint %[[LDS_A]][#layout.xor_shuffle<64, 8, 4>]
// CHECK-DAG: %[[SWIZZLED_B:.+]] = layout.swizzle_hint %[[LDS_B]][
// CHECK: %[[INIT:.+]] = layout.to_layout %{{.+}} to layout(#[[C]]) : vector<64x64xf32>
// CHECK: scf.for {{.*}} iter_args(%[[SUMS:.+]] = %[[INIT]])
// CHECK-NOT: layout.strategy
// CHECK: %[[READ:.+]] = vector.transfer_read %arg0
// CHECK-NEXT: %[[COPIED:.+]] = layout.to_layout %[[READ]] to layout(#[[COPY]]) : vector<64x32xf16>
// CHECK: vector.transfer_write %[[COPIED]], %[[SWIZZLED_A]]
// CHECK: %[[LHS:.+]] = vector.transfer_read %[[SWIZZLED_A]]
// CHECK: %[[RHS:.+]] = vector.transfer_read %[[SWIZZLED_B]]
// CHECK-DAG: %[[X:.+]] = layout.to_layout %[[LHS]] to layout(#[[A]])
// CHECK-DAG: %[[Y:.+]] = layout.to_layout %[[RHS]] to layout(#[[B]])
// CHECK-DAG: %[[Z:.+]] = layout.to_layout %[[SUMS]] to layout(#[[C]])
// CHECK: vector.contract {{.*}} %[[X]], %[[Y]], %[[Z]] {layout.matrix_instruction = "mfma.f32.16x16x16f16"}
// CHECK-NOT: layout.strategy
gpu.module @staged {
  gpu.func @staged(%a: memref<64x512xf16>, %c: memref<64x64xf32>)
      workgroup(%la: memref<64x32xf16, #gpu.address_space<workgroup>>, %lb: memref<32x64xf16, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 256, 1, 1>, layout.scope = #layout.scope<workgroup>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c512 = arith.constant 512 : index
    %h = arith.constant 0.0 : f16
    %zeros = arith.constant dense<0.0> : vector<64x64xf32>
    %sums = scf.for %k = %c0 to %c512 step %c32 iter_args(%acc = %zeros) -> (vector<64x64xf32>) {
      %t = vector.transfer_read %a[%c0, %k], %h {in_bounds = [true, true], layout.strategy = #layout.tile_transfer<4>} : memref<64x512xf16>, vector<64x32xf16>
      vector.transfer_write %t, %la[%c0, %c0] {in_bounds = [true, true]} : vector<64x32xf16>, memref<64x32xf16, #gpu.address_space<workgroup>>
      gpu.barrier
      %x = vector.transfer_read %la[%c0, %c0], %h {in_bounds = [true, true]} : memref<64x32xf16, #gpu.address_space<workgroup>>, vector<64x32xf16>
      %y = vector.transfer_read %lb[%c0, %c0], %h {in_bounds = [true, true]} : memref<32x64xf16, #gpu.address_space<workgroup>>, vector<32x64xf16>
      %d = vector.contract {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %acc
           {layout.strategy = #layout.contraction_strategy<"mfma.f32.16x16x16f16", 2 x 2, staged>} : vector<64x32xf16>, vector<32x64xf16> into vector<64x64xf32>
      gpu.barrier
      scf.yield %d : vector<64x64xf32>
    }
    vector.transfer_write %sums, %c[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf32>, memref<64x64xf32>
    gpu.return
  }
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// Only the left factor is in LDS, but their shapes differ; a lane has as many
// elements of the right one along K as it reads of the left one at once.

// CHECK-DAG: #[[A:.+]] = #layout.nested<{{.*}}batch_tile = [1, 2], outer_tile = [1, 1], thread_tile = [32, 2], element_tile = [1, 8]
// CHECK-DAG: #[[B:.+]] = #layout.nested<{{.*}}batch_tile = [2, 1], outer_tile = [1, 1], thread_tile = [2, 32], element_tile = [8, 1]
// CHECK-LABEL: gpu.func @left
// CHECK: %[[SWIZZLED:.+]] = layout.swizzle_hint %{{.*}}[#layout.xor_shuffle<64, 8 group = 4>]
// CHECK-NOT: layout.swizzle_hint
// CHECK: %[[READ:.+]] = vector.transfer_read %[[SWIZZLED]]
// CHECK: %[[LHS:.+]] = vector.shape_cast %[[READ]]
// CHECK-DAG: %[[X:.+]] = layout.to_layout %[[LHS]] to layout(#[[A]])
// CHECK-DAG: %[[Y:.+]] = layout.to_layout %arg0 to layout(#[[B]])
// CHECK: vector.contract {{.*}} %[[X]], %[[Y]]
gpu.module @left {
  gpu.func @left(%y: vector<32x64xf16>, %acc: vector<32x64xf32>, %c: memref<32x64xf32>)
      workgroup(%la: memref<32x2x2x2x4xf16, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 128, 1, 1>, layout.scope = #layout.scope<workgroup>} {
    %c0 = arith.constant 0 : index
    %h = arith.constant 0.0 : f16
    %t = vector.transfer_read %la[%c0, %c0, %c0, %c0, %c0], %h {in_bounds = [true, true, true, true, true]}
         : memref<32x2x2x2x4xf16, #gpu.address_space<workgroup>>, vector<32x2x2x2x4xf16>
    %x = vector.shape_cast %t : vector<32x2x2x2x4xf16> to vector<32x32xf16>
    %d = vector.contract {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %acc
         {layout.strategy = #layout.contraction_strategy<"mfma.f32.32x32x8f16", 1 x 2, left_transposed>} : vector<32x32xf16>, vector<32x64xf16> into vector<32x64xf32>
    vector.transfer_write %d, %c[%c0, %c0] {in_bounds = [true, true]} : vector<32x64xf32>, memref<32x64xf32>
    gpu.return
  }
}

// -----

// Adjacent lanes of a gathered copy read adjacent rows, and waves different columns.

// CHECK: #[[GATHER:.+]] = #layout.nested<subgroup_tile = [1, 4], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [32, 2], element_tile = [1, 8], subgroup_strides = [0, 1], thread_strides = [1, 32]>
// CHECK-LABEL: gpu.func @gather
// CHECK: %[[READ:.+]] = vector.gather
// CHECK-NEXT: layout.to_layout %[[READ]] to layout(#[[GATHER]]) : vector<32x64xf16>
gpu.module @gather {
  gpu.func @gather(%a: memref<?xf16>, %at: vector<32x64xi32>, %mask: vector<32x64xi1>, %zeros: vector<32x64xf16>)
      workgroup(%lds: memref<32x64xf16, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 256, 1, 1>, layout.scope = #layout.scope<workgroup>} {
    %c0 = arith.constant 0 : index
    %t = vector.gather %a[%c0][%at], %mask, %zeros {layout.strategy = #layout.tile_transfer<4, gathered = true>}
        : memref<?xf16>, vector<32x64xi32>, vector<32x64xi1>, vector<32x64xf16> into vector<32x64xf16>
    vector.transfer_write %t, %lds[%c0, %c0] {in_bounds = [true, true]} : vector<32x64xf16>, memref<32x64xf16, #gpu.address_space<workgroup>>
    gpu.return
  }
}
