// Contractions that distribution rejects.

// RUN: %aircc opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(gpu.module(distribution-distribute-vectors{target=%targets/gfx942.json}))'

#a = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [16, 4], element_tile = [1, 4], subgroup_strides = [0, 0], thread_strides = [1, 16]>
#b = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [4, 16], element_tile = [4, 1], subgroup_strides = [0, 0], thread_strides = [16, 1]>
#c = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [4, 16], element_tile = [4, 1], subgroup_strides = [0, 0], thread_strides = [16, 1]>
gpu.module @kernels {
  gpu.func @maximum() kernel attributes {known_block_size = array<i32: 64, 1, 1>, layout.scope = #layout.scope<workgroup>} {
    %a = arith.constant {layout.results = [#a]} dense<0.0> : vector<16x16xf16>
    %b = arith.constant {layout.results = [#b]} dense<0.0> : vector<16x16xf16>
    %c = arith.constant {layout.results = [#c]} dense<0.0> : vector<16x16xf32>
    // expected-error @below {{must have the combining kind 'add', the only one that matrix instructions support}}
    %r = vector.contract {layout.results = [#c], layout.matrix_instruction = "mfma.f32.16x16x16f16", indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<maximumf>} %a, %b, %c : vector<16x16xf16>, vector<16x16xf16> into vector<16x16xf32>
    gpu.return
  }
}

// -----

#l = #layout.nested<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [4], element_tile = [1], subgroup_strides = [0], thread_strides = [1]>
gpu.module @kernels {
  gpu.func @dot() kernel attributes {known_block_size = array<i32: 64, 1, 1>, layout.scope = #layout.scope<workgroup>} {
    %a = arith.constant {layout.results = [#l]} dense<0.0> : vector<4xf16>
    %c = arith.constant 0.0 : f32
    // expected-error @below {{must be a matrix product to use a matrix instruction}}
    %r = vector.contract {layout.matrix_instruction = "mfma.f32.16x16x16f16", indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> (k)>, affine_map<(k) -> ()>], iterator_types = ["reduction"], kind = #vector.kind<add>} %a, %a, %c : vector<4xf16>, vector<4xf16> into f32
    gpu.return
  }
}

// -----

#a = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [16, 4], element_tile = [1, 4], subgroup_strides = [0, 0], thread_strides = [1, 16]>
#b = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [4, 16], element_tile = [4, 1], subgroup_strides = [0, 0], thread_strides = [16, 1]>
#c = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [4, 16], element_tile = [4, 1], subgroup_strides = [0, 0], thread_strides = [16, 1]>
#m = #layout.nested<subgroup_tile = [1, 1, 1], batch_tile = [1, 1, 1], outer_tile = [1, 1, 1], thread_tile = [16, 4, 1], element_tile = [1, 4, 16], subgroup_strides = [0, 0, 0], thread_strides = [4, 1, 0]>
gpu.module @kernels {
  gpu.func @masked() kernel attributes {known_block_size = array<i32: 64, 1, 1>, layout.scope = #layout.scope<workgroup>} {
    %a = arith.constant {layout.results = [#a]} dense<0.0> : vector<16x16xf16>
    %b = arith.constant {layout.results = [#b]} dense<0.0> : vector<16x16xf16>
    %c = arith.constant {layout.results = [#c]} dense<0.0> : vector<16x16xf32>
    %mask = arith.constant {layout.results = [#m]} dense<true> : vector<16x16x16xi1>
    // expected-error @below {{is masked, which matrix instructions do not support; replace the masked elements of the operands by zeros instead}}
    %r = vector.mask %mask { vector.contract {layout.matrix_instruction = "mfma.f32.16x16x16f16", indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %c : vector<16x16xf16>, vector<16x16xf16> into vector<16x16xf32> } {layout.results = [#c]} : vector<16x16x16xi1> -> vector<16x16xf32>
    gpu.return
  }
}

// -----

#x = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [1, 1], element_tile = [64, 64], subgroup_strides = [0, 0], thread_strides = [0, 0]>
gpu.module @kernels {
  gpu.func @large() kernel attributes {known_block_size = array<i32: 64, 1, 1>, layout.scope = #layout.scope<workgroup>} {
    %a = arith.constant {layout.results = [#x]} dense<0.0> : vector<64x64xf16>
    %c = arith.constant {layout.results = [#x]} dense<0.0> : vector<64x64xf32>
    // expected-error @below {{would require 262144 multiplications per lane, more than 65536; distribute it over more lanes, or use a matrix instruction}}
    %r = vector.contract {layout.results = [#x], indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %a, %c : vector<64x64xf16>, vector<64x64xf16> into vector<64x64xf32>
    gpu.return
  }
}

// -----

#c = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [4, 16], element_tile = [4, 1], subgroup_strides = [0, 0], thread_strides = [16, 1]>
#b = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [4, 16], element_tile = [4, 1], subgroup_strides = [0, 0], thread_strides = [16, 1]>
gpu.module @kernels {
  gpu.func @different_tiles() kernel attributes {known_block_size = array<i32: 64, 1, 1>, layout.scope = #layout.scope<workgroup>} {
    %a = arith.constant {layout.results = [#c]} dense<0.0> : vector<16x16xf16>
    %b = arith.constant {layout.results = [#b]} dense<0.0> : vector<16x16xf16>
    %c = arith.constant {layout.results = [#c]} dense<0.0> : vector<16x16xf32>
    // expected-error @below {{has operands with different tiles along iteration dimension}}
    // expected-note @below {{without a matrix instruction, each lane multiplies its elements of both sides; give all operands the same tiles along a dimension}}
    %r = vector.contract {layout.results = [#c], indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %c : vector<16x16xf16>, vector<16x16xf16> into vector<16x16xf32>
    gpu.return
  }
}

// -----

#a = #layout.nested<subgroup_tile = [1, 2], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [16, 4], element_tile = [1, 4], subgroup_strides = [0, 1], thread_strides = [1, 16]>
#b = #layout.nested<subgroup_tile = [2, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [4, 16], element_tile = [4, 1], subgroup_strides = [1, 0], thread_strides = [16, 1]>
#c = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [4, 16], element_tile = [4, 1], subgroup_strides = [0, 0], thread_strides = [16, 1]>
gpu.module @kernels {
  gpu.func @reduced_over_waves() kernel attributes {known_block_size = array<i32: 128, 1, 1>, layout.scope = #layout.scope<workgroup>} {
    %a = arith.constant {layout.results = [#a]} dense<0.0> : vector<16x32xf16>
    %b = arith.constant {layout.results = [#b]} dense<0.0> : vector<32x16xf16>
    %c = arith.constant {layout.results = [#c]} dense<0.0> : vector<16x16xf32>
    // expected-error @below {{has a reduction dimension that is distributed over 2 waves, but matrix instructions cannot reduce across waves}}
    %r = vector.contract {layout.results = [#c], layout.matrix_instruction = "mfma.f32.16x16x16f16", indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %c : vector<16x32xf16>, vector<32x16xf16> into vector<16x16xf32>
    gpu.return
  }
}
