// Vectors without a layout, and descriptors that distribution rejects, in XeGPU ops.

// RUN: %aircc opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(gpu.module(distribution-distribute-vectors{target=%targets/bmg.json}))'

#tile = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [1, 16], element_tile = [16, 1], subgroup_strides = [0, 0], thread_strides = [0, 1]>
gpu.module @kernels {
  gpu.func @descriptor_argument(%t: !xegpu.tensor_desc<16x16xf32>) kernel attributes {known_block_size = array<i32: 16, 1, 1>, layout.scope = #layout.scope<wave>} {
    // expected-error @below {{has a tensor_desc that is not created by an xegpu.create_nd_tdesc; run stage 'layout', which moves descriptors out of loops and branches}}
    %v = xegpu.load_nd %t[0, 0] {layout.results = [#tile]} : !xegpu.tensor_desc<16x16xf32> -> vector<16x16xf32>
    gpu.return
  }
}

// -----

#line = #layout.nested<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [16], element_tile = [1], subgroup_strides = [0], thread_strides = [1]>
gpu.module @kernels {
  gpu.func @prefetch(%m: memref<64x64xf32>) kernel attributes {known_block_size = array<i32: 16, 1, 1>, layout.scope = #layout.scope<wave>} {
    %t = xegpu.create_nd_tdesc %m : memref<64x64xf32> -> !xegpu.tensor_desc<16x16xf32>
    // expected-error @below {{has a 'layout.access' for the shape 16}}
    xegpu.prefetch_nd %t[0, 0] {layout.access = #line, layout.scope = #layout.scope<wave>} : !xegpu.tensor_desc<16x16xf32>
    gpu.return
  }
}

// -----

#tile = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [1, 16], element_tile = [16, 1], subgroup_strides = [0, 0], thread_strides = [0, 1]>
gpu.module @kernels {
  gpu.func @matrix_source(%s: memref<1024xi8, strided<[2]>, 3>) kernel attributes {known_block_size = array<i32: 16, 1, 1>, layout.scope = #layout.scope<wave>} {
    // expected-error @below {{requires a contiguous source, but got 'memref<1024xi8, strided<[2]>, 3>'}}
    %d = xegpu.create_mem_desc %s : memref<1024xi8, strided<[2]>, 3> -> !xegpu.mem_desc<16x16xf32>
    %v = xegpu.load_matrix %d[0, 0] {layout.results = [#tile]} : !xegpu.mem_desc<16x16xf32> -> vector<16x16xf32>
    gpu.return
  }
}

// -----

#tile = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [1, 16], element_tile = [16, 1], subgroup_strides = [0, 0], thread_strides = [0, 1]>
gpu.module @kernels {
  gpu.func @matrix_element(%s: memref<512xf16, 3>) kernel attributes {known_block_size = array<i32: 16, 1, 1>, layout.scope = #layout.scope<wave>} {
    // expected-error @below {{has a source with elements of type 'f16' for a matrix of 'f32'; the source must have elements of type 'f32' or i8}}
    %d = xegpu.create_mem_desc %s : memref<512xf16, 3> -> !xegpu.mem_desc<16x16xf32>
    %v = xegpu.load_matrix %d[0, 0] {layout.results = [#tile]} : !xegpu.mem_desc<16x16xf32> -> vector<16x16xf32>
    gpu.return
  }
}

// -----

#tile = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [1, 16], element_tile = [16, 1], subgroup_strides = [0, 0], thread_strides = [0, 1]>
gpu.module @kernels {
  gpu.func @matrix_argument(%d: !xegpu.mem_desc<16x16xf32>) kernel attributes {known_block_size = array<i32: 16, 1, 1>, layout.scope = #layout.scope<wave>} {
    // expected-error @below {{has a mem_desc that is not created by an xegpu.create_mem_desc in the kernel}}
    %v = xegpu.load_matrix %d[0, 0] {layout.results = [#tile]} : !xegpu.mem_desc<16x16xf32> -> vector<16x16xf32>
    gpu.return
  }
}

// -----

#line = #layout.nested<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [16], element_tile = [1], subgroup_strides = [0], thread_strides = [1]>
gpu.module @kernels {
  gpu.func @loads_by_mask(%m: memref<64xf32>) kernel attributes {known_block_size = array<i32: 16, 1, 1>, layout.scope = #layout.scope<wave>} {
    %at = arith.constant {layout.results = [#line]} dense<0> : vector<16xindex>
    %mask = arith.constant dense<true> : vector<16xi1>
    // expected-error @below {{has a mask without a layout}}
    %v = xegpu.load %m[%at], %mask {layout.results = [#line]} : memref<64xf32>, vector<16xindex>, vector<16xi1> -> vector<16xf32>
    gpu.return
  }
}

// -----

#line = #layout.nested<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [16], element_tile = [1], subgroup_strides = [0], thread_strides = [1]>
gpu.module @kernels {
  gpu.func @loads(%m: memref<64xf32>) kernel attributes {known_block_size = array<i32: 16, 1, 1>, layout.scope = #layout.scope<wave>} {
    %at = arith.constant {layout.results = [#line]} dense<0> : vector<16xindex>
    %mask = arith.constant {layout.results = [#line]} dense<true> : vector<16xi1>
    // expected-error @below {{'xegpu.load' op has a result without a layout}}
    %v = xegpu.load %m[%at], %mask : memref<64xf32>, vector<16xindex>, vector<16xi1> -> vector<16xf32>
    gpu.return
  }
}

// -----

#line = #layout.nested<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [16], element_tile = [1], subgroup_strides = [0], thread_strides = [1]>
gpu.module @kernels {
  gpu.func @stores(%m: memref<64xf32>) kernel attributes {known_block_size = array<i32: 16, 1, 1>, layout.scope = #layout.scope<wave>} {
    %at = arith.constant {layout.results = [#line]} dense<0> : vector<16xindex>
    %mask = arith.constant {layout.results = [#line]} dense<true> : vector<16xi1>
    %v = arith.constant dense<0.0> : vector<16xf32>
    // expected-error @below {{'xegpu.store' op has a value without a layout}}
    xegpu.store %v, %m[%at], %mask : vector<16xf32>, memref<64xf32>, vector<16xindex>, vector<16xi1>
    gpu.return
  }
}

// -----

#line = #layout.nested<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [16], element_tile = [1], subgroup_strides = [0], thread_strides = [1]>
gpu.module @kernels {
  gpu.func @atomic(%m: memref<64xf32>) kernel attributes {known_block_size = array<i32: 16, 1, 1>, layout.scope = #layout.scope<wave>} {
    %at = arith.constant {layout.results = [#line]} dense<0> : vector<16xindex>
    %mask = arith.constant {layout.results = [#line]} dense<true> : vector<16xi1>
    %v = arith.constant dense<0.0> : vector<16xf32>
    %t = xegpu.create_tdesc %m, %at : memref<64xf32>, vector<16xindex> -> !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>
    // expected-error @below {{'xegpu.atomic_rmw' op has a value without a layout}}
    %old = xegpu.atomic_rmw addf %t, %mask, %v : !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>, vector<16xi1>, vector<16xf32> -> vector<16xf32>
    gpu.return
  }
}

// -----

#line = #layout.nested<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [16], element_tile = [1], subgroup_strides = [0], thread_strides = [1]>
gpu.module @kernels {
  gpu.func @scatter_argument(%t: !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>) kernel attributes {known_block_size = array<i32: 16, 1, 1>, layout.scope = #layout.scope<wave>} {
    %mask = arith.constant {layout.results = [#line]} dense<true> : vector<16xi1>
    // expected-error @below {{has a tensor_desc that is not created by an xegpu.create_tdesc; run stage 'layout', which moves descriptors out of loops, branches and updates}}
    %v = xegpu.load %t, %mask {layout.results = [#line]} : !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>, vector<16xi1> -> vector<16xf32>
    gpu.return
  }
}

// -----

#line = #layout.nested<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [16], element_tile = [1], subgroup_strides = [0], thread_strides = [1]>
#pairs = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [16, 1], element_tile = [1, 2], subgroup_strides = [0, 0], thread_strides = [1, 0]>
gpu.module @kernels {
  gpu.func @chunks(%m: memref<64xf32>) kernel attributes {known_block_size = array<i32: 16, 1, 1>, layout.scope = #layout.scope<wave>} {
    %at = arith.constant {layout.results = [#line]} dense<0> : vector<16xindex>
    %mask = arith.constant {layout.results = [#line]} dense<true> : vector<16xi1>
    %v = arith.constant {layout.results = [#pairs]} dense<0.0> : vector<16x2xf32>
    %t = xegpu.create_tdesc %m, %at : memref<64xf32>, vector<16xindex> -> !xegpu.tensor_desc<16x2xf32, #xegpu.scatter_tdesc_attr<chunk_size = 2>>
    // expected-error @below {{has chunks, but only single elements can be updated atomically}}
    %old = xegpu.atomic_rmw addf %t, %mask, %v {layout.results = [#pairs]} : !xegpu.tensor_desc<16x2xf32, #xegpu.scatter_tdesc_attr<chunk_size = 2>>, vector<16xi1>, vector<16x2xf32> -> vector<16x2xf32>
    gpu.return
  }
}

// -----

#tile = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [1, 16], element_tile = [16, 1], subgroup_strides = [0, 0], thread_strides = [0, 1]>
#packed = #layout.nested<subgroup_tile = [1, 1, 1], batch_tile = [1, 1, 1], outer_tile = [1, 1, 1], thread_tile = [1, 16, 1], element_tile = [8, 1, 2], subgroup_strides = [0, 0, 0], thread_strides = [0, 1, 0]>
gpu.module @kernels {
  gpu.func @dpas() kernel attributes {known_block_size = array<i32: 16, 1, 1>, layout.scope = #layout.scope<wave>} {
    %v = arith.constant {layout.results = [#tile]} dense<0.0> : vector<16x16xf16>
    %w = arith.constant {layout.results = [#packed]} dense<0.0> : vector<8x16x2xf16>
    %c = arith.constant {layout.results = [#tile]} dense<0.0> : vector<16x16xf32>
    // expected-error @below {{has a right-hand side of 3 dimensions, but only matrices can be distributed}}
    %r = xegpu.dpas %v, %w, %c {layout.results = [#tile], layout.matrix_instruction = "dpas.f32.8x16x16.f16"} : vector<16x16xf16>, vector<8x16x2xf16>, vector<16x16xf32> -> vector<16x16xf32>
    gpu.return
  }
}
