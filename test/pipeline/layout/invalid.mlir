// Vectors that cannot have layouts, and missing properties of kernels.
// RUN: %aircc opt %s --split-input-file --verify-diagnostics --layout-propagate-layouts=target=%targets/gfx942.json

gpu.module @m {
  // expected-error @below {{a kernel with workgroup-level vectors must specify its workgroup size; set known_block_size}}
  gpu.func @no_block_size(%a: memref<64xf32>) kernel attributes {layout.scope = #layout.scope<workgroup>} {
    %c0 = arith.constant 0 : index
    %v = vector.load %a[%c0] : memref<64xf32>, vector<64xf32>
    vector.store %v, %a[%c0] : memref<64xf32>, vector<64xf32>
    gpu.return
  }
}

// -----

gpu.module @m {
  // expected-error @below {{a workgroup of 96 threads does not consist of whole waves of 64, as workgroup-level and wave-level vectors require}}
  gpu.func @part_of_a_wave(%a: memref<64xf32>) kernel attributes {known_block_size = array<i32: 96, 1, 1>, layout.scope = #layout.scope<wave>} {
    %c0 = arith.constant 0 : index
    %v = vector.load %a[%c0] : memref<64xf32>, vector<64xf32>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @two_scopes(%a: memref<64xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    // expected-note @below {{this op has scope wave}}
    %v = vector.load %a[%c0] {layout.scope = #layout.scope<wave>} : memref<64xf32>, vector<64xf32>
    %w = arith.negf %v : vector<64xf32>
    // expected-error @below {{'vector.store' op has scope workgroup, but its vectors are connected to vectors of scope wave}}
    vector.store %w, %a[%c0] {layout.scope = #layout.scope<workgroup>} : memref<64xf32>, vector<64xf32>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @scalable(%a: memref<64xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>, layout.scope = #layout.scope<wave>} {
    %c0 = arith.constant 0 : index
    // expected-error @below {{scalable vector 'vector<[4]xf32>' cannot be distributed over the lanes of a wave; layouts have fixed shapes}}
    %v = vector.load %a[%c0] : memref<64xf32>, vector<[4]xf32>
    gpu.return
  }
}

// -----

#two = #layout.nested<subgroup_tile = [2], batch_tile = [1], outer_tile = [1], thread_tile = [64], element_tile = [1], subgroup_strides = [1], thread_strides = [1]>
gpu.module @m {
  gpu.func @misfit(%a: memref<128xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>, layout.scope = #layout.scope<wave>} {
    %c0 = arith.constant 0 : index
    %v = vector.load %a[%c0] : memref<128xf32>, vector<128xf32>
    // expected-error @below {{'layout.to_layout' op has a layout that a wave of 64 lanes cannot hold: the layout uses subgroup ids up to 1, but there is only one subgroup}}
    %w = layout.to_layout %v to layout(#two) : vector<128xf32>
    gpu.return
  }
}

// -----

#one = #layout.nested<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [64], element_tile = [1], subgroup_strides = [0], thread_strides = [1]>
gpu.module @m {
  gpu.func @anchor_of_a_lane(%a: memref<64xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %v = vector.load %a[%c0] {layout.scope = #layout.scope<wave>} : memref<64xf32>, vector<64xf32>
    %l = vector.load %a[%c0] : memref<64xf32>, vector<64xf32>
    // expected-error @below {{'layout.to_layout' op operates on a vector of a single lane; set layout.scope on this op or on an op that uses its result}}
    %w = layout.to_layout %l to layout(#one) : vector<64xf32>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @unknown_op(%a: memref<64xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>, layout.scope = #layout.scope<wave>} {
    %c0 = arith.constant 0 : index
    %m = vector.constant_mask [32] : vector<64xi1>
    %p = arith.constant dense<0.0> : vector<64xf32>
    // expected-error @below {{'vector.expandload' op cannot operate on wave-level vectors, because no rule relates the layouts of its operands and results}}
    %v = vector.expandload %a[%c0], %m, %p : memref<64xf32>, vector<64xi1>, vector<64xf32> into vector<64xf32>
    gpu.return
  }
}

// -----

gpu.module @m {
  // expected-error @below {{a workgroup-level or wave-level vector cannot be an argument of this block; only scf.for, scf.while and scf.if can pass such vectors}}
  gpu.func @argument(%v: vector<64xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>, layout.scope = #layout.scope<wave>} {
    %w = arith.negf %v : vector<64xf32>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @instruction_without_layouts(%a: memref<32x8xf16>, %b: memref<8x32xf16>) kernel attributes {known_block_size = array<i32: 64, 1, 1>, layout.scope = #layout.scope<wave>} {
    %c0 = arith.constant 0 : index
    %x = vector.load %a[%c0, %c0] : memref<32x8xf16>, vector<32x8xf16>
    %y = vector.load %b[%c0, %c0] : memref<8x32xf16>, vector<8x32xf16>
    %z = arith.constant dense<0.0> : vector<32x32xf32>
    // expected-error @below {{'vector.contract' op is for a matrix instruction, so its operands must come from layout.to_layout}}
    %d = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
         iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %z {layout.matrix_instruction = "mfma.f32.32x32x8f16"}
         : vector<32x8xf16>, vector<8x32xf16> into vector<32x32xf32>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @masks_nothing(%a: memref<64xf32>, %n: index) kernel attributes {known_block_size = array<i32: 64, 1, 1>, layout.scope = #layout.scope<wave>} {
    %c0 = arith.constant 0 : index
    %v = vector.load %a[%c0] : memref<64xf32>, vector<64xf32>
    %m = vector.create_mask %n : vector<64xi1>
    // expected-error @below {{cannot operate on workgroup-level or wave-level vectors unless it masks exactly one op}}
    %r = vector.mask %m { vector.yield %v : vector<64xf32> } : vector<64xi1> -> vector<64xf32>
    vector.store %r, %a[%c0] : memref<64xf32>, vector<64xf32>
    gpu.return
  }
}
