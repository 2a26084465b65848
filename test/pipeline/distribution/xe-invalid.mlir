// Errors of ops that cannot be distributed for Xe, which name forms that can.

// RUN: %aircc opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(gpu.module(distribution-distribute-vectors{target=%targets/bmg.json}))'

#tile = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [1, 16], element_tile = [16, 1], subgroup_strides = [0, 0], thread_strides = [0, 1]>
gpu.module @kernels {
  gpu.func @pointer(%p: i32) kernel attributes {known_block_size = array<i32: 16, 1, 1>, layout.scope = #layout.scope<wave>} {
    // expected-error @below {{has a source of type 'i32'; it must be a memref or a 64-bit integer address in global memory}}
    %t = xegpu.create_nd_tdesc %p, shape: [64, 64], strides: [64, 1] : i32 -> !xegpu.tensor_desc<16x16xf32>
    %v = xegpu.load_nd %t[0, 0] {layout.results = [#tile]} : !xegpu.tensor_desc<16x16xf32> -> vector<16x16xf32>
    gpu.return
  }
}

// -----

#tile = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [1, 16], element_tile = [16, 1], subgroup_strides = [0, 0], thread_strides = [0, 1]>
gpu.module @kernels {
  gpu.func @no_instruction(%m: memref<64x64xf16>) kernel attributes {known_block_size = array<i32: 16, 1, 1>, layout.scope = #layout.scope<wave>} {
    %v = arith.constant {layout.results = [#tile]} dense<1.0> : vector<16x16xf16>
    %c = arith.constant {layout.results = [#tile]} dense<1.0> : vector<16x16xf32>
    // expected-error @below {{has no 'layout.matrix_instruction'; run stage 'layout' first}}
    %r = xegpu.dpas %v, %v, %c {layout.results = [#tile]} : vector<16x16xf16>, vector<16x16xf16>, vector<16x16xf32> -> vector<16x16xf32>
    gpu.return
  }
}

// -----

#tile = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [1, 16], element_tile = [16, 1], subgroup_strides = [0, 0], thread_strides = [0, 1]>
gpu.module @kernels {
  gpu.func @wrong_type(%m: memref<64x64xf16>) kernel attributes {known_block_size = array<i32: 16, 1, 1>, layout.scope = #layout.scope<wave>} {
    %v = arith.constant {layout.results = [#tile]} dense<1.0> : vector<16x16xf16>
    %c = arith.constant {layout.results = [#tile]} dense<1.0> : vector<16x16xf32>
    // expected-error @below {{has a left-hand side of f16, but the matrix instruction 'dpas.f32.8x16x16.bf16' takes bf16}}
    %r = xegpu.dpas %v, %v, %c {layout.results = [#tile], layout.matrix_instruction = "dpas.f32.8x16x16.bf16"} : vector<16x16xf16>, vector<16x16xf16>, vector<16x16xf32> -> vector<16x16xf32>
    gpu.return
  }
}

// -----

#line = #layout.nested<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [8], element_tile = [4], subgroup_strides = [0], thread_strides = [1]>
gpu.module @kernels {
  gpu.func @copies(%m: memref<512xi32>, %out: memref<32xi32>) kernel attributes {known_block_size = array<i32: 16, 1, 1>, layout.scope = #layout.scope<wave>} {
    %at = vector.step {layout.results = [#line]} : vector<32xindex>
    %mask = arith.constant {layout.results = [#line]} dense<true> : vector<32xi1>
    %w = arith.constant {layout.results = [#line]} dense<1> : vector<32xi32>
    %c0 = arith.constant 0 : index
    %t = xegpu.create_tdesc %m, %at : memref<512xi32>, vector<32xindex> -> !xegpu.tensor_desc<32xi32, #xegpu.scatter_tdesc_attr<>>
    // expected-error @below {{has a result that several lanes hold, but only one of them performs the update}}
    %old = xegpu.atomic_rmw addi %t, %mask, %w {layout.results = [#line]} : !xegpu.tensor_desc<32xi32, #xegpu.scatter_tdesc_attr<>>, vector<32xi1>, vector<32xi32> -> vector<32xi32>
    vector.transfer_write %old, %out[%c0] {in_bounds = [true]} : vector<32xi32>, memref<32xi32>
    gpu.return
  }
}

// -----

#tile = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [1, 16], element_tile = [16, 1], subgroup_strides = [0, 0], thread_strides = [0, 1]>
gpu.module @kernels {
  gpu.func @tf32() kernel attributes {known_block_size = array<i32: 16, 1, 1>, layout.scope = #layout.scope<wave>} {
    %v = arith.constant {layout.results = [#tile]} dense<1.0> : vector<16x16xtf32>
    // expected-error @below {{computes with tf32, which only matrix instructions support; extend it to f32}}
    %w = arith.addf %v, %v {layout.results = [#tile]} : vector<16x16xtf32>
    gpu.return
  }
}

// -----

// One lane loads a chunk.
#line = #layout.nested<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [16], element_tile = [1], subgroup_strides = [0], thread_strides = [1]>
#spread = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [2, 1], thread_tile = [8, 2], element_tile = [1, 2], subgroup_strides = [0, 0], thread_strides = [2, 1]>
gpu.module @kernels {
  gpu.func @chunks(%m: memref<512xf32>, %n: index) kernel attributes {known_block_size = array<i32: 16, 1, 1>, layout.scope = #layout.scope<wave>} {
    %at = vector.step {layout.results = [#line]} : vector<16xindex>
    %mask = vector.create_mask %n {layout.results = [#line]} : vector<16xi1>
    // expected-error @below {{has chunks that are distributed over lanes, but each chunk must be in one lane}}
    %v = xegpu.load %m[%at], %mask <{chunk_size = 4}> {layout.results = [#spread]} : memref<512xf32>, vector<16xindex>, vector<16xi1> -> vector<16x4xf32>
    gpu.return
  }
}
