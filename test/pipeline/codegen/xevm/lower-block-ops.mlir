// Blocks and products of Xe's subgroups become ops of the XeVM dialect. XeGPU's
// hints become cache controls.
// REQUIRES: spirv-val
// RUN: %aircc opt %s --codegen-lower-block-ops | FileCheck %s
// RUN: %aircc %s --target bmg --emit=spirv -o %t.spv
// RUN: spirv-val %t.spv

// CHECK-NOT: kernel.
gpu.module @kernels {
  // CHECK-LABEL: gpu.func @blocks
  // CHECK-SAME: %[[BASE:[^:]*]]: i64, %[[W:[^:]*]]: i32, %[[H:[^:]*]]: i32, %[[PITCH:[^:]*]]: i32, %[[X:[^:]*]]: i32, %[[Y:[^:]*]]: i32
  // One pointer for all accesses:
  // CHECK: %[[P:.*]] = llvm.inttoptr %[[BASE]] : i64 to !llvm.ptr<1>
  // CHECK-NOT: llvm.inttoptr
  // CHECK: xevm.blockprefetch2d %[[P]], %[[W]], %[[H]], %[[PITCH]], %[[X]], %[[Y]] <{cache_control = #xevm.load_cache_control<L1uc_L2c_L3uc>, elem_size_in_bits = 16 : i32, tile_height = 32 : i32, tile_width = 16 : i32, v_blocks = 2 : i32}>
  // CHECK: xevm.prefetch %[[P]] : (!llvm.ptr<1>)
  // CHECK: %[[V:.*]] = xevm.blockload2d %[[P]], %[[W]], %[[H]], %[[PITCH]], %[[X]], %[[Y]] <{cache_control = #xevm.load_cache_control<L1c_L2c_L3uc>, elem_size_in_bits = 32 : i32, pack_register = false, tile_height = 8 : i32, tile_width = 16 : i32, transpose = false, v_blocks = 1 : i32}> {{.*}} -> vector<8xi32>
  // CHECK: xevm.blockstore2d %[[P]], %[[W]], %[[H]], %[[PITCH]], %[[X]], %[[Y]], %[[V]] <{cache_control = #xevm.store_cache_control<L1wb_L2uc_L3wb>, elem_size_in_bits = 32 : i32, tile_height = 8 : i32, tile_width = 16 : i32}>
  // No control writes back at all levels.
  // CHECK: xevm.blockstore2d {{.*}} <{elem_size_in_bits = 32
  // CHECK: xevm.blockload2d {{.*}} <{cache_control = #xevm.load_cache_control<ir>, {{.*}}pack_register = false, {{.*}}transpose = true
  gpu.func @blocks(%base: i64, %w: i32, %h: i32, %pitch: i32, %x: i32, %y: i32) kernel attributes {known_block_size = array<i32: 16, 1, 1>} {
    kernel.block_prefetch %base[%x, %y] in (%w, %h, %pitch) rows 32 columns 16 blocks 2 bits 16
        {l1_hint = #xegpu.cache_hint<uncached>, l3_hint = #xegpu.cache_hint<uncached>}
    kernel.prefetch %base
    %v = kernel.block_load %base[%x, %y] in (%w, %h, %pitch) rows 8 columns 16 blocks 1 bits 32
        {l1_hint = #xegpu.cache_hint<cached>, l3_hint = #xegpu.cache_hint<uncached>} : vector<8xi32>
    kernel.block_store %v, %base[%x, %y] in (%w, %h, %pitch) rows 8 columns 16 bits 32
        {l1_hint = #xegpu.cache_hint<write_back>, l2_hint = #xegpu.cache_hint<uncached>} : vector<8xi32>
    kernel.block_store %v, %base[%x, %y] in (%w, %h, %pitch) rows 8 columns 16 bits 32
        {l1_hint = #xegpu.cache_hint<write_back>} : vector<8xi32>
    %t = kernel.block_load transposed %base[%x, %y] in (%w, %h, %pitch) rows 16 columns 8 blocks 1 bits 32
        {l1_hint = #xegpu.cache_hint<read_invalidate>} : vector<8xi32>
    kernel.block_store %t, %base[%x, %y] in (%w, %h, %pitch) rows 8 columns 16 bits 32 : vector<8xi32>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @products
  // CHECK: %[[A:.*]] = xevm.blockload2d
  // CHECK: %[[B:.*]] = xevm.blockload2d {{.*}}pack_register = true
  // CHECK: xevm.mma %[[A]], %[[B]], %{{.*}} {shape = <m = 8, n = 16, k = 16>, types = <d = f32, a = bf16, b = bf16, c = f32>} : (vector<8xi16>, vector<8xi32>, vector<8xf32>) -> vector<8xf32>
  // CHECK: xevm.mma %[[A]], %[[B]], %{{.*}} {shape = <m = 8, n = 16, k = 32>, types = <d = s32, a = s8, b = u8, c = s32>}
  // CHECK: xevm.mma %{{.*}} {shape = <m = 8, n = 16, k = 8>, types = <d = f32, a = tf32, b = tf32, c = f32>} : (vector<4xf32>, vector<8xf32>, vector<8xf32>) -> vector<8xf32>
  gpu.func @products(%base: i64, %w: i32, %h: i32, %pitch: i32, %x: i32, %y: i32) kernel attributes {known_block_size = array<i32: 16, 1, 1>} {
    %f = arith.constant dense<1.0> : vector<8xf32>
    %f4 = arith.constant dense<1.0> : vector<4xf32>
    %i = arith.constant dense<1> : vector<8xi32>
    %a = kernel.block_load %base[%x, %y] in (%w, %h, %pitch) rows 8 columns 16 blocks 1 bits 16 : vector<8xi16>
    %b = kernel.block_load packed %base[%x, %y] in (%w, %h, %pitch) rows 16 columns 16 blocks 1 bits 16 : vector<8xi32>
    %0 = kernel.dpas %a as bf16, %b as bf16, %f : vector<8xi16>, vector<8xi32>, vector<8xf32>
    %1 = kernel.dpas %a as i8, %b as ui8, %i : vector<8xi16>, vector<8xi32>, vector<8xi32>
    %2 = kernel.dpas %f4 as tf32, %f as tf32, %0 : vector<4xf32>, vector<8xf32>, vector<8xf32>
    %3 = vector.bitcast %2 : vector<8xf32> to vector<8xi32>
    %4 = arith.addi %1, %3 : vector<8xi32>
    kernel.block_store %4, %base[%x, %y] in (%w, %h, %pitch) rows 8 columns 16 bits 32 : vector<8xi32>
    gpu.return
  }
}
