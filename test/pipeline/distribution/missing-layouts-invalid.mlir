// Vectors without a layout in a kernel with vectors that have one.

// RUN: %aircc opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(gpu.module(distribution-distribute-vectors{target=%targets/gfx942.json}))'

#l = #layout.nested<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [4], element_tile = [1], subgroup_strides = [0], thread_strides = [1]>
gpu.module @kernels {
  gpu.func @conversion(%v: vector<4xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>, layout.scope = #layout.scope<workgroup>} {
    // expected-error @below {{has a result without 'layout.results'; run stage 'layout' before stage 'distribution'}}
    %w = layout.to_layout %v to layout(#l) : vector<4xf32>
    gpu.return
  }
}

// -----

#l = #layout.nested<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [4], element_tile = [1], subgroup_strides = [0], thread_strides = [1]>
gpu.module @kernels {
  gpu.func @elementwise() kernel attributes {known_block_size = array<i32: 64, 1, 1>, layout.scope = #layout.scope<workgroup>} {
    %v = arith.constant {layout.results = [#l]} dense<0.0> : vector<4xf32>
    // expected-error @below {{has no result with a layout}}
    %w = arith.negf %v : vector<4xf32>
    gpu.return
  }
}

// -----

#t = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [4, 4], element_tile = [1, 1], subgroup_strides = [0, 0], thread_strides = [4, 1]>
gpu.module @kernels {
  gpu.func @broadcast() kernel attributes {known_block_size = array<i32: 64, 1, 1>, layout.scope = #layout.scope<workgroup>} {
    %v = arith.constant dense<0.0> : vector<4xf32>
    // expected-error @below {{has a source without a layout}}
    %w = vector.broadcast %v {layout.results = [#t]} : vector<4xf32> to vector<4x4xf32>
    gpu.return
  }
}

// -----

#l = #layout.nested<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [4], element_tile = [1], subgroup_strides = [0], thread_strides = [1]>
gpu.module @kernels {
  gpu.func @read(%m: memref<4xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>, layout.scope = #layout.scope<workgroup>} {
    %c0 = arith.constant 0 : index
    %f0 = arith.constant 0.0 : f32
    %mask = arith.constant {layout.results = [#l]} dense<true> : vector<4xi1>
    // expected-error @below {{has a result without a layout}}
    %v = vector.transfer_read %m[%c0], %f0, %mask {in_bounds = [true]} : memref<4xf32>, vector<4xf32>
    gpu.return
  }
}

// -----

#l = #layout.nested<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [4], element_tile = [1], subgroup_strides = [0], thread_strides = [1]>
gpu.module @kernels {
  gpu.func @write(%m: memref<4xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>, layout.scope = #layout.scope<workgroup>} {
    %c0 = arith.constant 0 : index
    %v = arith.constant dense<0.0> : vector<4xf32>
    %mask = arith.constant {layout.results = [#l]} dense<true> : vector<4xi1>
    // expected-error @below {{writes a vector without a layout}}
    vector.transfer_write %v, %m[%c0], %mask {in_bounds = [true]} : vector<4xf32>, memref<4xf32>
    gpu.return
  }
}

// -----

#l = #layout.nested<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [4], element_tile = [1], subgroup_strides = [0], thread_strides = [1]>
gpu.module @kernels {
  gpu.func @masked_read(%m: memref<4xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>, layout.scope = #layout.scope<workgroup>} {
    %c0 = arith.constant 0 : index
    %f0 = arith.constant 0.0 : f32
    %mask = arith.constant dense<true> : vector<4xi1>
    // expected-error @below {{'vector.transfer_read' op has a mask without a layout}}
    %v = vector.transfer_read %m[%c0], %f0, %mask {in_bounds = [true], layout.results = [#l]} : memref<4xf32>, vector<4xf32>
    gpu.return
  }
}

// -----

#l = #layout.nested<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [4], element_tile = [1], subgroup_strides = [0], thread_strides = [1]>
gpu.module @kernels {
  gpu.func @pass_through(%m: memref<4xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>, layout.scope = #layout.scope<workgroup>} {
    %c0 = arith.constant 0 : index
    %mask = arith.constant {layout.results = [#l]} dense<true> : vector<4xi1>
    %none = arith.constant dense<0.0> : vector<4xf32>
    // expected-error @below {{has a pass-through value without a layout}}
    %v = vector.maskedload %m[%c0], %mask, %none {layout.results = [#l]} : memref<4xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
    gpu.return
  }
}

// -----

#l = #layout.nested<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [4], element_tile = [1], subgroup_strides = [0], thread_strides = [1]>
gpu.module @kernels {
  gpu.func @gather(%m: memref<4xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>, layout.scope = #layout.scope<workgroup>} {
    %c0 = arith.constant 0 : index
    %mask = arith.constant {layout.results = [#l]} dense<true> : vector<4xi1>
    %none = arith.constant {layout.results = [#l]} dense<0.0> : vector<4xf32>
    %at = arith.constant dense<0> : vector<4xindex>
    // expected-error @below {{has a vector without a layout}}
    %v = vector.gather %m[%c0] [%at], %mask, %none {layout.results = [#l]} : memref<4xf32>, vector<4xindex>, vector<4xi1>, vector<4xf32> into vector<4xf32>
    gpu.return
  }
}

// -----

#l = #layout.nested<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [4], element_tile = [1], subgroup_strides = [0], thread_strides = [1]>
gpu.module @kernels {
  gpu.func @reduced() kernel attributes {known_block_size = array<i32: 64, 1, 1>, layout.scope = #layout.scope<workgroup>} {
    %mask = arith.constant {layout.results = [#l]} dense<true> : vector<4xi1>
    %v = arith.constant dense<0.0> : vector<4xf32>
    // expected-error @below {{'vector.reduction' op reduces a vector without a layout}}
    %r = vector.mask %mask { vector.reduction <add>, %v : vector<4xf32> into f32 } : vector<4xi1> -> f32
    gpu.return
  }
}

// -----

#t = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [4, 4], element_tile = [1, 1], subgroup_strides = [0, 0], thread_strides = [4, 1]>
gpu.module @kernels {
  gpu.func @reduction() kernel attributes {known_block_size = array<i32: 64, 1, 1>, layout.scope = #layout.scope<workgroup>} {
    %v = arith.constant {layout.results = [#t]} dense<0.0> : vector<4x4xf32>
    %acc = arith.constant dense<0.0> : vector<4xf32>
    // expected-error @below {{has a result without a layout}}
    %r = vector.multi_reduction <add>, %v, %acc [0] : vector<4x4xf32> to vector<4xf32>
    gpu.return
  }
}

// -----

#l = #layout.nested<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [4], element_tile = [1], subgroup_strides = [0], thread_strides = [1]>
gpu.module @kernels {
  gpu.func @reduction_mask(%mask: vector<4xi1>) kernel attributes {known_block_size = array<i32: 64, 1, 1>, layout.scope = #layout.scope<workgroup>} {
    %v = arith.constant {layout.results = [#l]} dense<0.0> : vector<4xf32>
    // expected-error @below {{'vector.reduction' op has a mask without a layout}}
    %r = vector.mask %mask { vector.reduction <add>, %v : vector<4xf32> into f32 } : vector<4xi1> -> f32
    gpu.return
  }
}

// -----

#l = #layout.nested<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [4], element_tile = [1], subgroup_strides = [0], thread_strides = [1]>
gpu.module @kernels {
  gpu.func @scan() kernel attributes {known_block_size = array<i32: 64, 1, 1>, layout.scope = #layout.scope<workgroup>} {
    %v = arith.constant dense<0.0> : vector<4x4xf32>
    %i = arith.constant {layout.results = [#l]} dense<0.0> : vector<4xf32>
    // expected-error @below {{'vector.scan' op has a vector without a layout}}
    %r, %s = vector.scan <add>, %v, %i {inclusive = true, reduction_dim = 0} : vector<4x4xf32>, vector<4xf32>
    gpu.return
  }
}

// -----

#l = #layout.nested<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [4], element_tile = [1], subgroup_strides = [0], thread_strides = [1]>
gpu.module @kernels {
  gpu.func @contraction() kernel attributes {known_block_size = array<i32: 64, 1, 1>, layout.scope = #layout.scope<workgroup>} {
    %v = arith.constant {layout.results = [#l]} dense<0.0> : vector<4xf32>
    %w = arith.constant dense<0.0> : vector<4xf32>
    %acc = arith.constant 0.0 : f32
    // expected-error @below {{has a right-hand side without a layout}}
    %r = vector.contract {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> (k)>, affine_map<(k) -> ()>], iterator_types = ["reduction"], kind = #vector.kind<add>} %v, %w, %acc : vector<4xf32>, vector<4xf32> into f32
    gpu.return
  }
}

// -----

#l = #layout.nested<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [4], element_tile = [1], subgroup_strides = [0], thread_strides = [1]>
gpu.module @kernels {
  gpu.func @contraction_mask(%mask: vector<4xi1>) kernel attributes {known_block_size = array<i32: 64, 1, 1>, layout.scope = #layout.scope<workgroup>} {
    %v = arith.constant {layout.results = [#l]} dense<0.0> : vector<4xf32>
    %acc = arith.constant 0.0 : f32
    // expected-error @below {{'vector.contract' op has a mask without a layout}}
    %r = vector.mask %mask { vector.contract {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> (k)>, affine_map<(k) -> ()>], iterator_types = ["reduction"], kind = #vector.kind<add>} %v, %v, %acc : vector<4xf32>, vector<4xf32> into f32 } : vector<4xi1> -> f32
    gpu.return
  }
}

// -----

#l = #layout.nested<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [4], element_tile = [1], subgroup_strides = [0], thread_strides = [1]>
gpu.module @kernels {
  gpu.func @loop(%n: index) kernel attributes {known_block_size = array<i32: 64, 1, 1>, layout.scope = #layout.scope<workgroup>} {
    %v = arith.constant dense<0.0> : vector<4xf32>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    // expected-error @below {{passes a vector with a layout to one without, or vice versa}}
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %v) -> (vector<4xf32>) {
      scf.yield %a : vector<4xf32>
    } {layout.results = [#l]}
    gpu.return
  }
}

// -----

// The indices of a gather are needed in every lane.
#rows = #layout.nested<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [64], element_tile = [1], subgroup_strides = [0], thread_strides = [1]>
#wg = #gpu.address_space<workgroup>
gpu.module @kernels {
  gpu.func @gather(%a: memref<128x64xf16>) workgroup(%lds: memref<64x64xf16, #wg>) kernel attributes {known_block_size = array<i32: 64, 1, 1>, layout.scope = #layout.scope<workgroup>} {
    %c0 = arith.constant 0 : index
    %rows = vector.step {layout.results = [#rows]} : vector<64xindex>
    // expected-error @below {{uses indices that are distributed over lanes, but each lane needs all of them}}
    layout.async_dma %a[%rows, %c0] to %lds[%c0, %c0], vector<64x64xf16>
        : memref<128x64xf16>[vector<64xindex>, index], memref<64x64xf16, #wg>
    gpu.return
  }
}

// -----

#l = #layout.nested<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [4], element_tile = [1], subgroup_strides = [0], thread_strides = [1]>
gpu.module @kernels {
  gpu.func @gather(%m: memref<64xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>, layout.scope = #layout.scope<workgroup>} {
    %c0 = arith.constant 0 : index
    %at = arith.constant {layout.results = [#l]} dense<[3, 2, 1, 0]> : vector<4xindex>
    %mask = arith.constant {layout.results = [#l]} dense<true> : vector<4xi1>
    %none = arith.constant {layout.results = [#l]} dense<0.0> : vector<4xf32>
    // expected-error @below {{'vector.gather' op has no layout}}
    %v = vector.gather %m[%c0] [%at], %mask, %none : memref<64xf32>, vector<4xindex>, vector<4xi1>, vector<4xf32> into vector<4xf32>
    gpu.return
  }
}
