// Vectors that cannot be distributed are an error at the op, which says what would work.

// RUN: not %aircc opt %s --split-input-file --pass-pipeline='builtin.module(gpu.module(distribution-distribute-vectors{target=%targets/gfx942.json}))' 2>&1 | FileCheck %s

#l = #layout.nested<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [4], element_tile = [1], subgroup_strides = [0], thread_strides = [1]>
gpu.module @kernels {
  gpu.func @print() kernel attributes {known_block_size = array<i32: 64, 1, 1>, layout.scope = #layout.scope<workgroup>} {
    %v = arith.constant {layout.results = [#l]} dense<0.0> : vector<4xf6E2M3FN>
    // CHECK: [[@LINE+1]]:5: error: 'vector.print' op prints elements of type 'f6E2M3FN', which cannot be printed
    vector.print %v : vector<4xf6E2M3FN>
    gpu.return
  }
}

// -----

#l = #layout.nested<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [4], element_tile = [1], subgroup_strides = [0], thread_strides = [1]>
gpu.module @kernels {
  // CHECK: [[@LINE+1]]:3: error: 'gpu.func' op has workgroup-level vectors, so it must have a 'known_block_size' that is a multiple of the wave size of 64 lanes
  gpu.func @unknown_size() kernel attributes {layout.scope = #layout.scope<workgroup>} {
    %v = arith.constant {layout.results = [#l]} dense<0.0> : vector<4xf32>
    gpu.return
  }
}

// -----

#l = #layout.nested<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [4], element_tile = [1], subgroup_strides = [0], thread_strides = [1]>
#m = #layout.nested<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [2], element_tile = [2], subgroup_strides = [0], thread_strides = [1]>
gpu.module @kernels {
  gpu.func @misfit() kernel attributes {known_block_size = array<i32: 64, 1, 1>, layout.scope = #layout.scope<workgroup>} {
    %v = arith.constant {layout.results = [#l]} dense<0.0> : vector<4xf32>
    %w = arith.constant {layout.results = [#m]} dense<0.0> : vector<4xf32>
    // CHECK: [[@LINE+2]]:10: error: 'arith.addf' op has the incompatible layout {{.*}} for its operand or result
    // CHECK: note: the layout must be {{.*}}; convert it with layout.to_layout
    %x = arith.addf %v, %w {layout.results = [#l]} : vector<4xf32>
    gpu.return
  }
}

// -----

#x = #layout.nested<subgroup_tile = [2, 1], batch_tile = [1, 64], outer_tile = [1, 1], thread_tile = [64, 1], element_tile = [1, 4], subgroup_strides = [1, 0], thread_strides = [1, 0]>
#y = #layout.nested<subgroup_tile = [1, 2], batch_tile = [2, 32], outer_tile = [1, 1], thread_tile = [64, 1], element_tile = [1, 4], subgroup_strides = [0, 1], thread_strides = [1, 0]>
gpu.module @kernels {
  // The LDS for an exchange must fit next to the buffers of the kernel.
  gpu.func @too_large() workgroup(%lds: memref<16384xf32, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 128, 1, 1>, layout.scope = #layout.scope<workgroup>} {
    %v = arith.constant {layout.results = [#x]} dense<0.0> : vector<128x256xf32>
    // CHECK: [[@LINE+1]]:10: error: 'layout.to_layout' op requires 512 bytes of LDS to exchange values, for a total of 66048 in the kernel, but the target has only 65536
    %w = layout.to_layout %v to layout(#y) {layout.results = [#y]} : vector<128x256xf32>
    gpu.return
  }
}

// -----

#a = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [16, 4], element_tile = [1, 4], subgroup_strides = [0, 0], thread_strides = [4, 1]>
#b = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [4, 16], element_tile = [4, 1], subgroup_strides = [0, 0], thread_strides = [16, 1]>
gpu.module @kernels {
  gpu.func @tiles() kernel attributes {known_block_size = array<i32: 64, 1, 1>, layout.scope = #layout.scope<workgroup>} {
    %a = arith.constant {layout.results = [#a]} dense<0.0> : vector<16x16xf16>
    %b = arith.constant {layout.results = [#b]} dense<0.0> : vector<16x16xf16>
    %c = arith.constant {layout.results = [#b]} dense<0.0> : vector<16x16xf32>
    // CHECK: [[@LINE+1]]:10: error: 'vector.contract' op has layouts that are incompatible with the tiles of the matrix instruction 'mfma.f32.16x16x16f16': dimension 0 of operand A has 1 values in each of 16 lanes with stride 4, but the instruction takes 1 in each of 16 with stride 1
    %r = vector.contract {layout.results = [#b], layout.matrix_instruction = "mfma.f32.16x16x16f16",
                          indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
                          iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %c
        : vector<16x16xf16>, vector<16x16xf16> into vector<16x16xf32>
    gpu.return
  }
}

// -----

#l = #layout.nested<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [4], element_tile = [1], subgroup_strides = [0], thread_strides = [1]>
gpu.module @kernels {
  gpu.func @resource() kernel attributes {known_block_size = array<i32: 64, 1, 1>, layout.scope = #layout.scope<workgroup>} {
    // CHECK: [[@LINE+1]]:10: error: 'arith.constant' op cannot be distributed, because its value is not a dense elements attribute
    %v = arith.constant {layout.results = [#l]} dense_resource<values> : vector<4xi32>
    vector.print %v : vector<4xi32>
    gpu.return
  }
}

{-# dialect_resources: {builtin: {values: "0x0400000001000000020000000300000004000000"}} #-}
