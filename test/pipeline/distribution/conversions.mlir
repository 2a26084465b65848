// A conversion between layouts uses the cheapest method: registers, shuffles, or LDS.

// RUN: %aircc opt %s --pass-pipeline='builtin.module(gpu.module(distribution-distribute-vectors{target=%targets/gfx942.json},aircc-place-barriers,canonicalize,cse))' | FileCheck %s

#pairs = #layout.nested<subgroup_tile = [1], batch_tile = [2], outer_tile = [1], thread_tile = [64], element_tile = [1], subgroup_strides = [0], thread_strides = [1]>
#swapped = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [2, 32], element_tile = [1, 1], subgroup_strides = [0, 0], thread_strides = [32, 1]>
#straight = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [2, 32], element_tile = [1, 1], subgroup_strides = [0, 0], thread_strides = [1, 2]>
#whole = #layout.nested<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [1], element_tile = [4], subgroup_strides = [0], thread_strides = [0]>
#spread = #layout.nested<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [4], element_tile = [1], subgroup_strides = [0], thread_strides = [1]>
#waves = #layout.nested<subgroup_tile = [2], batch_tile = [1], outer_tile = [1], thread_tile = [64], element_tile = [2], subgroup_strides = [1], thread_strides = [1]>
#batches = #layout.nested<subgroup_tile = [1], batch_tile = [4], outer_tile = [1], thread_tile = [64], element_tile = [1], subgroup_strides = [0], thread_strides = [1]>
#narrow = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 4], outer_tile = [1, 1], thread_tile = [16, 4], element_tile = [1, 4], subgroup_strides = [0, 0], thread_strides = [1, 16]>
#wide = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 2], outer_tile = [1, 1], thread_tile = [16, 4], element_tile = [1, 8], subgroup_strides = [0, 0], thread_strides = [1, 16]>
#across = #layout.nested<subgroup_tile = [1, 1], batch_tile = [48, 1], outer_tile = [1, 1], thread_tile = [1, 64], element_tile = [1, 1], subgroup_strides = [0, 0], thread_strides = [0, 1]>
#down = #layout.nested<subgroup_tile = [1, 1], batch_tile = [3, 16], outer_tile = [1, 1], thread_tile = [16, 4], element_tile = [1, 1], subgroup_strides = [0, 0], thread_strides = [1, 16]>

gpu.module @kernels {
  // Every lane holds all elements and keeps one.
  // CHECK-LABEL: gpu.func @registers
  // CHECK-NOT: gpu.shuffle
  // CHECK-NOT: kernel.barrier workgroup
  // CHECK: arith.select
  // CHECK: gpu.return
  gpu.func @registers(%a: memref<4xf32>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>, layout.scope = #layout.scope<workgroup>} {
    %c0 = arith.constant 0 : index
    %z = arith.constant 0.0 : f32
    %v = vector.transfer_read %a[%c0], %z {in_bounds = [true], layout.results = [#whole]} : memref<4xf32>, vector<4xf32>
    %w = layout.to_layout %v to layout(#spread) {layout.results = [#spread]} : vector<4xf32>
    vector.transfer_write %w, %a[%c0] {in_bounds = [true]} : vector<4xf32>, memref<4xf32>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @lanes
  // CHECK-NOT: workgroup(
  // CHECK: gpu.shuffle idx
  // CHECK-NOT: kernel.barrier workgroup
  // CHECK: gpu.return
  gpu.func @lanes(%a: memref<2x32xf32>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>, layout.scope = #layout.scope<workgroup>} {
    %c0 = arith.constant 0 : index
    %z = arith.constant 0.0 : f32
    %v = vector.transfer_read %a[%c0, %c0], %z {in_bounds = [true, true], layout.results = [#swapped]} : memref<2x32xf32>, vector<2x32xf32>
    %w = layout.to_layout %v to layout(#straight) {layout.results = [#straight]} : vector<2x32xf32>
    vector.transfer_write %w, %a[%c0, %c0] {in_bounds = [true, true]} : vector<2x32xf32>, memref<2x32xf32>
    gpu.return
  }

  // A barrier before, since other waves may still read the LDS, and one after.
  // CHECK-LABEL: gpu.func @waves
  // CHECK-SAME: workgroup(%{{.*}} : memref<1024xi8, #gpu.address_space<workgroup>> {kernel.alignment = 16 : i64})
  // CHECK-NOT: kernel.barrier
  // CHECK: vector.store {{.*}} vector<2xf32>
  // CHECK: kernel.barrier workgroup
  // CHECK-COUNT-4: memref.load
  gpu.func @waves(%a: memref<256xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>, layout.scope = #layout.scope<workgroup>} {
    %c0 = arith.constant 0 : index
    %z = arith.constant 0.0 : f32
    %v = vector.transfer_read %a[%c0], %z {in_bounds = [true], layout.results = [#waves]} : memref<256xf32>, vector<256xf32>
    %w = layout.to_layout %v to layout(#batches) {layout.results = [#batches]} : vector<256xf32>
    vector.transfer_write %w, %a[%c0] {in_bounds = [true]} : vector<256xf32>, memref<256xf32>
    gpu.return
  }

  // A wave that works alone has a part of the LDS of its own, and needs no barrier.
  // CHECK-LABEL: gpu.func @slices
  // CHECK-SAME: workgroup(%{{.*}} : memref<1024xi8, #gpu.address_space<workgroup>>
  // CHECK-NOT: kernel.barrier workgroup
  // CHECK: kernel.barrier wave
  // CHECK: gpu.return
  gpu.func @slices(%a: memref<128xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>, layout.scope = #layout.scope<wave>} {
    %c0 = arith.constant 0 : index
    %z = arith.constant 0.0 : f32
    %v = vector.transfer_read %a[%c0], %z {in_bounds = [true], layout.results = [#pairs]} : memref<128xf32>, vector<128xf32>
    %w = layout.to_layout %v to layout(#pairs) {shared_memory_conversion, layout.results = [#pairs]} : vector<128xf32>
    vector.transfer_write %w, %a[%c0] {in_bounds = [true]} : vector<128xf32>, memref<128xf32>
    gpu.return
  }

  // Rows of 256 bytes all begin in the same bank: blocks of 16 bytes are permuted so that reads
  // down the rows have no bank conflicts. No lane accesses more than a block.
  // CHECK-LABEL: gpu.func @banks
  // CHECK-SAME: workgroup(%{{.*}} : memref<4096xi8, #gpu.address_space<workgroup>>
  // CHECK: arith.xori
  // CHECK-COUNT-4: vector.store {{.*}} : memref<1024xf32, #gpu.address_space<workgroup>>, vector<4xf32>
  // CHECK-COUNT-4: vector.load {{.*}} : memref<1024xf32, #gpu.address_space<workgroup>>, vector<4xf32>
  gpu.func @banks(%a: memref<16x64xf32>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>, layout.scope = #layout.scope<workgroup>} {
    %c0 = arith.constant 0 : index
    %z = arith.constant 0.0 : f32
    %v = vector.transfer_read %a[%c0, %c0], %z {in_bounds = [true, true], layout.results = [#narrow]} : memref<16x64xf32>, vector<16x64xf32>
    %w = layout.to_layout %v to layout(#wide) {shared_memory_conversion, layout.results = [#wide]} : vector<16x64xf32>
    vector.transfer_write %w, %a[%c0, %c0] {in_bounds = [true, true]} : vector<16x64xf32>, memref<16x64xf32>
    gpu.return
  }

  // If sizes are not powers of two, rows are padded instead.
  // CHECK-LABEL: gpu.func @gaps
  // CHECK-SAME: workgroup(%{{.*}} : memref<{{.*}}xi8, #gpu.address_space<workgroup>>
  // CHECK-NOT: arith.xori
  // CHECK: gpu.return
  gpu.func @gaps(%a: memref<48x64xf32>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>, layout.scope = #layout.scope<workgroup>} {
    %c0 = arith.constant 0 : index
    %z = arith.constant 0.0 : f32
    %v = vector.transfer_read %a[%c0, %c0], %z {in_bounds = [true, true], layout.results = [#across]} : memref<48x64xf32>, vector<48x64xf32>
    %w = layout.to_layout %v to layout(#down) {shared_memory_conversion, layout.results = [#down]} : vector<48x64xf32>
    vector.transfer_write %w, %a[%c0, %c0] {in_bounds = [true, true]} : vector<48x64xf32>, memref<48x64xf32>
    gpu.return
  }
}
