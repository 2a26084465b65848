// Ops that distribution rejects.

// RUN: %aircc opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(gpu.module(distribution-distribute-vectors{target=%targets/gfx942.json}))'

#l = #layout.nested<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [4], element_tile = [1], subgroup_strides = [0], thread_strides = [1]>
gpu.module @kernels {
  func.func @no_kernel() {
    // expected-error @below {{has vectors with layouts, but vectors can only be distributed in a gpu.func}}
    %v = arith.constant {layout.results = [#l]} dense<0.0> : vector<4xf32>
    return
  }
}

// -----

#l = #layout.nested<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [4], element_tile = [1], subgroup_strides = [0], thread_strides = [1]>
gpu.module @kernels {
  gpu.func @compress(%m: memref<4xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>, layout.scope = #layout.scope<workgroup>} {
    %c0 = arith.constant 0 : index
    %mask = arith.constant {layout.results = [#l]} dense<true> : vector<4xi1>
    %v = arith.constant {layout.results = [#l]} dense<0.0> : vector<4xf32>
    // expected-error @below {{operates on an undistributed vector, but cannot be distributed; use ops of the dialects 'arith', 'math' and 'vector' on vectors of fixed size}}
    vector.compressstore %m[%c0], %mask, %v : memref<4xf32>, vector<4xi1>, vector<4xf32>
    gpu.return
  }
}

// -----

#l = #layout.nested<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [4], element_tile = [1], subgroup_strides = [0], thread_strides = [1]>
#t = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [4, 4], element_tile = [1, 1], subgroup_strides = [0, 0], thread_strides = [4, 1]>
gpu.module @kernels {
  gpu.func @same_dimension() kernel attributes {known_block_size = array<i32: 64, 1, 1>, layout.scope = #layout.scope<workgroup>} {
    %v = arith.constant {layout.results = [#t]} dense<0.0> : vector<4x4xf32>
    %acc = arith.constant {layout.results = [#l]} dense<0.0> : vector<4xf32>
    // expected-error @below {{cannot be distributed: dimension 0 is dropped twice}}
    %r = vector.multi_reduction <add>, %v, %acc {layout.results = [#l]} [0, 0] : vector<4x4xf32> to vector<4xf32>
    gpu.return
  }
}

// -----

#l = #layout.nested<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [4], element_tile = [1], subgroup_strides = [0], thread_strides = [1]>
gpu.module @kernels {
  gpu.func @reduction_kind() kernel attributes {known_block_size = array<i32: 64, 1, 1>, layout.scope = #layout.scope<workgroup>} {
    %v = arith.constant {layout.results = [#l]} dense<0.0> : vector<4xf32>
    %acc = arith.constant 0.0 : f32
    %mask = arith.constant {layout.results = [#l]} dense<true> : vector<4xi1>
    // expected-error @below {{has a combining kind that its type does not support}}
    %r = vector.mask %mask { vector.multi_reduction <and>, %v, %acc [0] : vector<4xf32> to f32 } : vector<4xi1> -> f32
    gpu.return
  }
}

// -----

#t = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [4, 4], element_tile = [1, 1], subgroup_strides = [0, 0], thread_strides = [4, 1]>
gpu.module @kernels {
  gpu.func @scatter_rows(%m: memref<16xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>, layout.scope = #layout.scope<workgroup>} {
    %c0 = arith.constant 0 : index
    %at = arith.constant {layout.results = [#t]} dense<0> : vector<4x4xindex>
    %mask = arith.constant {layout.results = [#t]} dense<true> : vector<4x4xi1>
    %v = arith.constant {layout.results = [#t]} dense<0.0> : vector<4x4xf32>
    // expected-error @below {{has several dimensions and may write an address twice, so it cannot be distributed in order; scatter each row separately, or use indices that are a vector.step plus a broadcast}}
    vector.scatter %m[%c0] [%at], %mask, %v : memref<16xf32>, vector<4x4xindex>, vector<4x4xi1>, vector<4x4xf32>
    gpu.return
  }
}

// -----

#l = #layout.nested<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [4], element_tile = [1], subgroup_strides = [0], thread_strides = [1]>
gpu.module @kernels {
  gpu.func @gather_element(%m: tensor<16xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>, layout.scope = #layout.scope<workgroup>} {
    %c0 = arith.constant 0 : index
    %at = arith.constant {layout.results = [#l]} dense<0> : vector<4xindex>
    %mask = arith.constant {layout.results = [#l]} dense<true> : vector<4xi1>
    %none = arith.constant {layout.results = [#l]} dense<0.0> : vector<4xf32>
    // expected-error @below {{accesses a 'tensor<16xf32>'; lanes can only access a ranked memref of 'f32'}}
    %v = vector.gather %m[%c0] [%at], %mask, %none {layout.results = [#l]} : tensor<16xf32>, vector<4xindex>, vector<4xi1>, vector<4xf32> into vector<4xf32>
    gpu.return
  }
}

// -----

#l = #layout.nested<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [4], element_tile = [1], subgroup_strides = [0], thread_strides = [1]>
gpu.module @kernels {
  gpu.func @masked_gather(%m: memref<16xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>, layout.scope = #layout.scope<workgroup>} {
    %c0 = arith.constant 0 : index
    %at = arith.constant {layout.results = [#l]} dense<0> : vector<4xindex>
    %mask = arith.constant {layout.results = [#l]} dense<true> : vector<4xi1>
    %none = arith.constant {layout.results = [#l]} dense<0.0> : vector<4xf32>
    // expected-error @below {{'vector.gather' op cannot be distributed inside a vector.mask}}
    %v = vector.mask %mask { vector.gather %m[%c0] [%at], %mask, %none : memref<16xf32>, vector<4xindex>, vector<4xi1>, vector<4xf32> into vector<4xf32> } {layout.results = [#l]} : vector<4xi1> -> vector<4xf32>
    gpu.return
  }
}

// -----

#l = #layout.nested<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [4], element_tile = [1], subgroup_strides = [0], thread_strides = [1]>
gpu.module @kernels {
  gpu.func @tensor_read(%m: tensor<16xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>, layout.scope = #layout.scope<workgroup>} {
    %c0 = arith.constant 0 : index
    %f0 = arith.constant 0.0 : f32
    // expected-error @below {{accesses a 'tensor<16xf32>'; lanes can only access a ranked memref}}
    %v = vector.transfer_read %m[%c0], %f0 {in_bounds = [true], layout.results = [#l]} : tensor<16xf32>, vector<4xf32>
    gpu.return
  }
}

// -----

#t = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [4, 4], element_tile = [1, 1], subgroup_strides = [0, 0], thread_strides = [4, 1]>
gpu.module @kernels {
  gpu.func @vectors_in_memory(%m: memref<16xvector<4xf32>>) kernel attributes {known_block_size = array<i32: 64, 1, 1>, layout.scope = #layout.scope<workgroup>} {
    %c0 = arith.constant 0 : index
    %f0 = arith.constant dense<0.0> : vector<4xf32>
    // expected-error @below {{accesses elements of type 'vector<4xf32>' as 'f32'; use memory with the element type of the vector}}
    %v = vector.transfer_read %m[%c0], %f0 {layout.results = [#t], permutation_map = affine_map<(d0) -> (d0)>} : memref<16xvector<4xf32>>, vector<4x4xf32>
    gpu.return
  }
}

// -----

#l = #layout.nested<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [4], element_tile = [1], subgroup_strides = [0], thread_strides = [1]>
#half = #layout.nested<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [2], element_tile = [1], subgroup_strides = [0], thread_strides = [1]>
gpu.module @kernels {
  gpu.func @bitcast() kernel attributes {known_block_size = array<i32: 64, 1, 1>, layout.scope = #layout.scope<workgroup>} {
    %v = arith.constant {layout.results = [#l]} dense<0> : vector<4xi16>
    // expected-error @below {{creates elements of 32 bits, but a lane has only 1 adjacent elements of 16 bits}}
    // expected-note @below {{the element tile of the source in its last dimension must hold whole elements of the result}}
    %w = vector.bitcast %v {layout.results = [#half]} : vector<4xi16> to vector<2xi32>
    gpu.return
  }
}

// -----

#l = #layout.nested<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [4], element_tile = [1], subgroup_strides = [0], thread_strides = [1]>
gpu.module @kernels {
  gpu.func @tf32() kernel attributes {known_block_size = array<i32: 64, 1, 1>, layout.scope = #layout.scope<workgroup>} {
    %v = arith.constant {layout.results = [#l]} dense<0.0> : vector<4xf32>
    // expected-error @below {{has a rounding mode that conversions to tf32 do not support; use to_nearest_even}}
    %w = arith.truncf %v upward {layout.results = [#l]} : vector<4xf32> to vector<4xtf32>
    gpu.return
  }
}

// -----

#t = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [4, 4], element_tile = [1, 1], subgroup_strides = [0, 0], thread_strides = [4, 1]>
gpu.module @kernels {
  gpu.func @block_load(%m: memref<4x4xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>, layout.scope = #layout.scope<workgroup>} {
    %t = xegpu.create_nd_tdesc %m : memref<4x4xf32> -> !xegpu.tensor_desc<4x4xf32>
    // expected-error @below {{is only supported on Intel GPUs, but the target is not an Intel GPU}}
    %v = xegpu.load_nd %t[0, 0] {layout.results = [#t]} : !xegpu.tensor_desc<4x4xf32> -> vector<4x4xf32>
    gpu.return
  }
}
