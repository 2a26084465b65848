// Tiles of tensor descriptors and their products on Xe: block accesses in sizes of the hardware if
// they produce the layout, otherwise accesses by lanes.

// RUN: %aircc opt %s --pass-pipeline='builtin.module(gpu.module(distribution-distribute-vectors{target=%targets/bmg.json},canonicalize,cse))' | FileCheck %s
// RUN: %aircc opt %s --pass-pipeline='builtin.module(gpu.module(distribution-distribute-vectors{target=%targets/bmg.json},canonicalize,cse))' | FileCheck %s --check-prefix=NONE

// NONE-NOT: amdgpu.
// NONE-NOT: rocdl.
// NONE-NOT: xegpu.
// NONE-NOT: layout.
// NONE-NOT: xevm.
// NONE-NOT: llvm.

#a = #layout.nested<subgroup_tile = [2, 1], batch_tile = [1, 1], outer_tile = [16, 1], thread_tile = [1, 16], element_tile = [1, 1], subgroup_strides = [2, 0], thread_strides = [0, 1]>
#b = #layout.nested<subgroup_tile = [1, 2], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [1, 16], element_tile = [16, 1], subgroup_strides = [0, 1], thread_strides = [0, 1]>
#c = #layout.nested<subgroup_tile = [2, 2], batch_tile = [1, 1], outer_tile = [16, 1], thread_tile = [1, 16], element_tile = [1, 1], subgroup_strides = [2, 1], thread_strides = [0, 1]>
#rows8 = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [8, 1], thread_tile = [1, 16], element_tile = [1, 2], subgroup_strides = [0, 0], thread_strides = [0, 1]>
#cols8 = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 2], outer_tile = [1, 1], thread_tile = [1, 16], element_tile = [32, 1], subgroup_strides = [0, 0], thread_strides = [0, 1]>
#tf32a = #layout.nested<subgroup_tile = [1, 1], batch_tile = [2, 1], outer_tile = [4, 1], thread_tile = [2, 8], element_tile = [1, 1], subgroup_strides = [0, 0], thread_strides = [8, 1]>
#lanerow = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [16, 1], element_tile = [1, 16], subgroup_strides = [0, 0], thread_strides = [1, 0]>
#big = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 2], outer_tile = [32, 1], thread_tile = [1, 16], element_tile = [1, 1], subgroup_strides = [0, 0], thread_strides = [0, 1]>
#row = #layout.nested<subgroup_tile = [1], batch_tile = [2], outer_tile = [1], thread_tile = [16], element_tile = [1], subgroup_strides = [0], thread_strides = [1]>
#arr = #layout.nested<subgroup_tile = [1, 1, 1], batch_tile = [1, 1, 1], outer_tile = [2, 16, 1], thread_tile = [1, 1, 16], element_tile = [1, 1, 1], subgroup_strides = [0, 0, 0], thread_strides = [0, 0, 1]>
#tr = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [1, 16], element_tile = [16, 1], subgroup_strides = [0, 0], thread_strides = [0, 1]>

gpu.module @kernels {
  // A wave has 16 rows and 16 columns of the product: two instructions per iteration. The right
  // factor is loaded in the layout of the instruction, two rows per register.
  // CHECK-LABEL: gpu.func @product
  // CHECK: %[[WAVE:.*]] = gpu.subgroup_id
  // CHECK: scf.for {{.*}} -> (vector<8xf32>, vector<8xf32>)
  // CHECK: kernel.block_prefetch %{{.*}} rows 8 columns 16
  // CHECK: kernel.block_load %{{.*}} rows 16 columns 16 blocks 1 {{.*}}: vector<16xi16>
  // CHECK: %[[B:.*]] = kernel.block_load packed %{{.*}} rows 16 columns 16 blocks 1 {{.*}}: vector<8xi32>
  // CHECK-COUNT-2: kernel.dpas %{{.*}} as f16, %[[B]] as f16, %{{.*}} : vector<8xi16>, vector<8xi32>, vector<8xf32>
  // CHECK-NEXT: scf.yield
  // CHECK: kernel.block_store %{{.*}} rows 8 columns 16 {{.*}}: vector<8xi32>
  // CHECK: kernel.block_store
  // CHECK-NOT: kernel.block_store
  gpu.func @product(%a: memref<64x64xf16>, %b: memref<64x64xf16>, %c: memref<64x64xf32>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>, layout.scope = #layout.scope<workgroup>} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %ta = xegpu.create_nd_tdesc %a : memref<64x64xf16> -> !xegpu.tensor_desc<32x16xf16>
    %tb = xegpu.create_nd_tdesc %b : memref<64x64xf16> -> !xegpu.tensor_desc<16x32xf16>
    %tc = xegpu.create_nd_tdesc %c : memref<64x64xf32> -> !xegpu.tensor_desc<32x32xf32>
    %acc = arith.constant {layout.results = [#c]} dense<0.0> : vector<32x32xf32>
    %r = scf.for %k = %c0 to %c64 step %c16 iter_args(%s = %acc) -> (vector<32x32xf32>) {
      xegpu.prefetch_nd %ta[%c0, %k] {layout.scope = #layout.scope<workgroup>} : !xegpu.tensor_desc<32x16xf16>
      %va = xegpu.load_nd %ta[%c0, %k] {layout.results = [#a]} : !xegpu.tensor_desc<32x16xf16> -> vector<32x16xf16>
      %vb = xegpu.load_nd %tb[%k, %c0] {layout.results = [#b]} : !xegpu.tensor_desc<16x32xf16> -> vector<16x32xf16>
      %n = xegpu.dpas %va, %vb, %s {layout.results = [#c], layout.matrix_instruction = "dpas.f32.8x16x16.f16"} : vector<32x16xf16>, vector<16x32xf16>, vector<32x32xf32> -> vector<32x32xf32>
      scf.yield %n : vector<32x32xf32>
    } {layout.results = [#c]}
    xegpu.store_nd %r, %tc[%c0, %c0] : vector<32x32xf32>, !xegpu.tensor_desc<32x32xf32>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @forms
  gpu.func @forms(%m8: memref<64x64xi8>, %m32: memref<64x64xf32>, %m16: memref<64x64xf16>, %i: index) kernel
      attributes {known_block_size = array<i32: 16, 1, 1>, layout.scope = #layout.scope<wave>} {
    // Two neighbors of 8 bits in a lane.
    // CHECK: %[[V:.*]] = kernel.block_load %{{.*}}[%c32_i32, %c8_i32] in({{.*}}) rows 8 columns 32 {{.*}}bits 8 : vector<8xi16>
    // CHECK: kernel.block_store %[[V]], %{{.*}}[%c32_i32, %c16_i32] in({{.*}}) rows 8 columns 32 bits 8
    %t0 = xegpu.create_nd_tdesc %m8 : memref<64x64xi8> -> !xegpu.tensor_desc<8x32xi8>
    %v0 = xegpu.load_nd %t0[8, 32] {layout.results = [#rows8]} : !xegpu.tensor_desc<8x32xi8> -> vector<8x32xi8>
    xegpu.store_nd %v0, %t0[16, 32] : vector<8x32xi8>, !xegpu.tensor_desc<8x32xi8>
    // A column of 8 bits in a lane is loaded packed, and written by lanes.
    // CHECK: kernel.block_load packed %{{.*}} rows 32 columns 16 blocks 2 bits 8 : vector<16xi32>
    // CHECK-COUNT-64: memref.store
    %t1 = xegpu.create_nd_tdesc %m8 : memref<64x64xi8> -> !xegpu.tensor_desc<32x32xi8>
    %v1 = xegpu.load_nd %t1[0, 0] {layout.results = [#cols8]} : !xegpu.tensor_desc<32x32xi8> -> vector<32x32xi8>
    %w1 = arith.addi %v1, %v1 {layout.results = [#cols8]} : vector<32x32xi8>
    xegpu.store_nd %w1, %t1[0, 0] : vector<32x32xi8>, !xegpu.tensor_desc<32x32xi8>
    // Eight columns: the upper lanes have the odd rows.
    // CHECK: kernel.block_load %{{.*}} rows 16 columns 8 {{.*}}bits 32 : vector<8xi32>
    // CHECK-NOT: kernel.block_store
    %t2 = xegpu.create_nd_tdesc %m32 : memref<64x64xf32> -> !xegpu.tensor_desc<16x8xf32>
    %v2 = xegpu.load_nd %t2[0, 0] {layout.results = [#tf32a]} : !xegpu.tensor_desc<16x8xf32> -> vector<16x8xf32>
    xegpu.store_nd %v2, %t2[0, 8] : vector<16x8xf32>, !xegpu.tensor_desc<16x8xf32>
    // A row per lane: pairs of 16 bits are transposed as words; so is a transposed tile, which then
    // is like one that is not transposed.
    // CHECK: kernel.block_load transposed %{{.*}} rows 16 columns 8 {{.*}}bits 32 : vector<8xi32>
    // CHECK-COUNT-2: kernel.block_store %{{.*}} bits 16
    %t3 = xegpu.create_nd_tdesc %m16 : memref<64x64xf16> -> !xegpu.tensor_desc<16x16xf16>
    %w3 = xegpu.load_nd %t3[%i, 0] <{transpose = array<i64: 1, 0>}> {layout.results = [#tr]} : !xegpu.tensor_desc<16x16xf16> -> vector<16x16xf16>
    xegpu.store_nd %w3, %t3[0, 8] : vector<16x16xf16>, !xegpu.tensor_desc<16x16xf16>
    // The largest blocks that the hardware supports.
    // CHECK: kernel.block_load %{{.*}}[%c16_i32, %c0_i32] in({{.*}}) rows 32 columns 16 blocks 2 {{.*}}: vector<64xi16>
    // CHECK-COUNT-8: kernel.block_store
    %t4 = xegpu.create_nd_tdesc %m16 : memref<64x64xf16> -> !xegpu.tensor_desc<32x32xf16>
    %v4 = xegpu.load_nd %t4[0, 16] {layout.results = [#big]} : !xegpu.tensor_desc<32x32xf16> -> vector<32x32xf16>
    xegpu.store_nd %v4, %t4[0, 0] : vector<32x32xf16>, !xegpu.tensor_desc<32x32xf16>
    // Adjacent blocks, of which one is used.
    // CHECK: %[[SECOND:.*]] = kernel.block_load %{{.*}}[%c16_i32, %c0_i32] in({{.*}}) rows 16
    // CHECK-COUNT-2: kernel.block_store
    %t5 = xegpu.create_nd_tdesc %m16 : memref<64x64xf16> -> !xegpu.tensor_desc<16x16xf16, #xegpu.block_tdesc_attr<array_length = 2>>
    %v5 = xegpu.load_nd %t5[0, 0] {layout.results = [#arr]} : !xegpu.tensor_desc<16x16xf16, #xegpu.block_tdesc_attr<array_length = 2>> -> vector<2x16x16xf16>
    %w5 = vector.extract %v5[1] {layout.results = [#tr]} : vector<16x16xf16> from vector<2x16x16xf16>
    xegpu.store_nd %w5, %t3[0, 0] : vector<16x16xf16>, !xegpu.tensor_desc<16x16xf16>
    gpu.return
  }

  // Rows of 32 bytes are too short for block accesses. A block of several rows
  // cannot access a single row.
  // CHECK-LABEL: gpu.func @lanes
  // CHECK-COUNT-16: memref.load
  // CHECK-NOT: memref.load
  // CHECK: memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [%[[H:.*]], %[[W:.*]]], strides: [%[[W]], 1]
  // CHECK-COUNT-2: kernel.block_store %{{.*}} rows 8
  // CHECK-COUNT-2: kernel.block_load %{{.*}} in(%c256_i32, %c1_i32, %c256_i32) rows 1 columns 16
  gpu.func @lanes(%small: memref<16x16xf16>, %dyn: memref<?x?xf16>, %m: memref<64xf32>, %h: index, %w: index) kernel
      attributes {known_block_size = array<i32: 16, 1, 1>, layout.scope = #layout.scope<wave>} {
    %t3 = xegpu.create_nd_tdesc %small : memref<16x16xf16> -> !xegpu.tensor_desc<16x16xf16>
    %v3 = xegpu.load_nd %t3[0, 0] {layout.results = [#tr]} : !xegpu.tensor_desc<16x16xf16> -> vector<16x16xf16>
    %t4 = xegpu.create_nd_tdesc %dyn, shape: [%h, %w], strides: [%w, 1] : memref<?x?xf16> -> !xegpu.tensor_desc<16x16xf16>
    xegpu.store_nd %v3, %t4[0, 0] : vector<16x16xf16>, !xegpu.tensor_desc<16x16xf16>
    %t5 = xegpu.create_nd_tdesc %m : memref<64xf32> -> !xegpu.tensor_desc<32xf32>
    %v5 = xegpu.load_nd %t5[%h] {layout.results = [#row]} : !xegpu.tensor_desc<32xf32> -> vector<32xf32>
    xegpu.store_nd %v5, %t5[%w] : vector<32xf32>, !xegpu.tensor_desc<32xf32>
    gpu.return
  }

  // Strides and sizes that are constants in the code are equivalent to attributes of the op, also
  // for memory that is given by an integer address.
  // CHECK-LABEL: gpu.func @constants
  // CHECK: kernel.block_load %{{.*}} rows 16
  // CHECK: kernel.block_load %{{.*}} rows 16
  // CHECK-NOT: memref.load
  // CHECK: gpu.return
  gpu.func @constants(%dyn: memref<?x?xf16>, %out: memref<64x64xf16>, %address: i64, %h: index, %w: index) kernel
      attributes {known_block_size = array<i32: 16, 1, 1>, layout.scope = #layout.scope<wave>} {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %t = xegpu.create_nd_tdesc %dyn, shape: [%h, %w], strides: [%w, %c1] : memref<?x?xf16> -> !xegpu.tensor_desc<16x16xf16>
    %v = xegpu.load_nd %t[0, 0] {layout.results = [#tr]} : !xegpu.tensor_desc<16x16xf16> -> vector<16x16xf16>
    %p = xegpu.create_nd_tdesc %address, shape: [%c64, %c64], strides: [%c64, %c1] : i64 -> !xegpu.tensor_desc<16x16xf16>
    %u = xegpu.load_nd %p[0, 0] {layout.results = [#tr]} : !xegpu.tensor_desc<16x16xf16> -> vector<16x16xf16>
    %sum = arith.addf %v, %u {layout.results = [#tr]} : vector<16x16xf16>
    %o = xegpu.create_nd_tdesc %out : memref<64x64xf16> -> !xegpu.tensor_desc<16x16xf16>
    xegpu.store_nd %sum, %o[0, 0] : vector<16x16xf16>, !xegpu.tensor_desc<16x16xf16>
    gpu.return
  }
}
