// Vectors that cannot have a layout are an error at the op.
// RUN: %aircc opt %s --split-input-file --verify-diagnostics --layout-prepare-xegpu=target=%targets/bmg.json --layout-set-anchors=target=%targets/bmg.json --layout-propagate-layouts=target=%targets/bmg.json --layout-check-layouts=target=%targets/bmg.json

gpu.module @m {
  // expected-error @below {{must specify the scope of the vectors of its XeGPU ops; write layouts with sg_layout (workgroup) or without it (subgroup), or set known_block_size or layout.scope = #layout.scope<workgroup> or #layout.scope<wave> on the function}}
  gpu.func @whose(%m: memref<64x64xf32>) kernel {
    %d = xegpu.create_nd_tdesc %m : memref<64x64xf32> -> !xegpu.tensor_desc<64x64xf32>
    %v = xegpu.load_nd %d[0, 0] : !xegpu.tensor_desc<64x64xf32> -> vector<64x64xf32>
    xegpu.store_nd %v, %d[0, 0] : vector<64x64xf32>, !xegpu.tensor_desc<64x64xf32>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @two_spellings(%m: memref<64x64xf32>) kernel {
    %d = xegpu.create_nd_tdesc %m : memref<64x64xf32> -> !xegpu.tensor_desc<64x64xf32>
    // expected-error @below {{has the layout #xegpu.layout<sg_layout = [2, 2]>, but 'anchor_layout' is #xegpu.layout<sg_layout = [4, 1]>; omit one of them}}
    %v = xegpu.load_nd %d[0, 0] <{layout = #xegpu.layout<sg_layout = [2, 2]>}> {anchor_layout = #xegpu.layout<sg_layout = [4, 1]>} : !xegpu.tensor_desc<64x64xf32> -> vector<64x64xf32>
    xegpu.store_nd %v, %d[0, 0] : vector<64x64xf32>, !xegpu.tensor_desc<64x64xf32>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @descriptor_disagrees(%m: memref<64x64xf32>) kernel {
    %d = xegpu.create_nd_tdesc %m : memref<64x64xf32> -> !xegpu.tensor_desc<64x64xf32, #xegpu.layout<sg_layout = [4, 1], sg_data = [16, 64]>>
    // expected-error @below {{but its descriptor's layout is #xegpu.layout<sg_layout = [4, 1], sg_data = [16, 64]>; omit one of them}}
    %v = xegpu.load_nd %d[0, 0] <{layout = #xegpu.layout<sg_layout = [2, 2], sg_data = [32, 32]>}> : !xegpu.tensor_desc<64x64xf32, #xegpu.layout<sg_layout = [4, 1], sg_data = [16, 64]>> -> vector<64x64xf32>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @uneven(%m: memref<64x64xf32>) kernel {
    %d = xegpu.create_nd_tdesc %m : memref<64x64xf32> -> !xegpu.tensor_desc<48x64xf32>
    // expected-error @below {{has a layout that its vector of shape 48x64 cannot have: shape[0] / sg_data[0] = 3 is not a multiple of sg_layout[0] = 2}}
    %v = xegpu.load_nd %d[0, 0] <{layout = #xegpu.layout<sg_layout = [2, 2], sg_data = [16, 32]>}> : !xegpu.tensor_desc<48x64xf32> -> vector<48x64xf32>
    xegpu.store_nd %v, %d[0, 0] : vector<48x64xf32>, !xegpu.tensor_desc<48x64xf32>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @too_many_subgroups(%m: memref<64x64xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %d = xegpu.create_nd_tdesc %m : memref<64x64xf32> -> !xegpu.tensor_desc<64x64xf32>
    // expected-error @below {{has a layout that a workgroup of 2 waves of 16 lanes cannot hold: the layout uses subgroup ids up to 3, but there are only 2 subgroups}}
    %v = xegpu.load_nd %d[0, 0] <{layout = #xegpu.layout<sg_layout = [2, 2], sg_data = [32, 32]>}> : !xegpu.tensor_desc<64x64xf32> -> vector<64x64xf32>
    xegpu.store_nd %v, %d[0, 0] : vector<64x64xf32>, !xegpu.tensor_desc<64x64xf32>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @reduced_over_subgroups(%a: memref<32x32xf16>, %b: memref<32x32xf16>, %c: memref<32x32xf32>) kernel {
    %da = xegpu.create_nd_tdesc %a : memref<32x32xf16> -> !xegpu.tensor_desc<32x32xf16>
    %db = xegpu.create_nd_tdesc %b : memref<32x32xf16> -> !xegpu.tensor_desc<32x32xf16>
    %dc = xegpu.create_nd_tdesc %c : memref<32x32xf32> -> !xegpu.tensor_desc<32x32xf32>
    %x = xegpu.load_nd %da[0, 0] : !xegpu.tensor_desc<32x32xf16> -> vector<32x32xf16>
    %y = xegpu.load_nd %db[0, 0] : !xegpu.tensor_desc<32x32xf16> -> vector<32x32xf16>
    // expected-error @below {{cannot be distributed: dimension 1 of its lhs is distributed over 2 subgroups, but a matrix instruction cannot reduce across subgroups; each subgroup must hold all of the dimension}}
    %z = xegpu.dpas %x, %y {layout_a = #xegpu.layout<sg_layout = [2, 2], sg_data = [16, 16]>} : vector<32x32xf16>, vector<32x32xf16> -> vector<32x32xf32>
    xegpu.store_nd %z, %dc[0, 0] : vector<32x32xf32>, !xegpu.tensor_desc<32x32xf32>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @not_of_an_instruction(%a: memref<32x32xf16>, %b: memref<32x32xf16>, %c: memref<32x32xf32>) kernel {
    %da = xegpu.create_nd_tdesc %a : memref<32x32xf16> -> !xegpu.tensor_desc<32x32xf16>
    %db = xegpu.create_nd_tdesc %b : memref<32x32xf16> -> !xegpu.tensor_desc<32x32xf16>
    %dc = xegpu.create_nd_tdesc %c : memref<32x32xf32> -> !xegpu.tensor_desc<32x32xf32>
    %x = xegpu.load_nd %da[0, 0] : !xegpu.tensor_desc<32x32xf16> -> vector<32x32xf16>
    %y = xegpu.load_nd %db[0, 0] : !xegpu.tensor_desc<32x32xf16> -> vector<32x32xf16>
    // expected-error @below {{cannot be distributed: the matrix instructions of bmg that multiply f16 by f16 into f32 do not support operands with these layouts; constrain the layouts less, starting with lane_layout and inst_data}}
    %z = xegpu.dpas %x, %y {layout_cd = #xegpu.layout<lane_layout = [4, 4], lane_data = [1, 1]>} : vector<32x32xf16>, vector<32x32xf16> -> vector<32x32xf32>
    xegpu.store_nd %z, %dc[0, 0] : vector<32x32xf32>, !xegpu.tensor_desc<32x32xf32>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @no_instruction(%a: memref<32x32xf64>) kernel attributes {layout.scope = #layout.scope<wave>} {
    %d = xegpu.create_nd_tdesc %a : memref<32x32xf64> -> !xegpu.tensor_desc<32x32xf64>
    %x = xegpu.load_nd %d[0, 0] : !xegpu.tensor_desc<32x32xf64> -> vector<32x32xf64>
    // expected-error @below {{cannot be distributed: no matrix instruction of bmg multiplies f64 by f64 into f64 in tiles of these sizes}}
    %z = xegpu.dpas %x, %x : vector<32x32xf64>, vector<32x32xf64> -> vector<32x32xf64>
    xegpu.store_nd %z, %d[0, 0] : vector<32x32xf64>, !xegpu.tensor_desc<32x32xf64>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @of_one_or_the_other(%a: memref<32x32xf32>, %b: memref<32x32xf32>, %i: i1) kernel attributes {layout.scope = #layout.scope<wave>} {
    // expected-note @below {{this one}}
    %d = xegpu.create_nd_tdesc %a : memref<32x32xf32> -> !xegpu.tensor_desc<32x32xf32>
    // expected-note @below {{or this one}}
    %e = xegpu.create_nd_tdesc %b : memref<32x32xf32> -> !xegpu.tensor_desc<32x32xf32>
    %f = scf.if %i -> (!xegpu.tensor_desc<32x32xf32>) {
      scf.yield %e : !xegpu.tensor_desc<32x32xf32>
    } else {
      scf.yield %d : !xegpu.tensor_desc<32x32xf32>
    }
    // expected-error @below {{has a descriptor that may refer to different memory, depending on control flow; move the access into the branches}}
    %x = xegpu.load_nd %f[0, 0] : !xegpu.tensor_desc<32x32xf32> -> vector<32x32xf32>
    xegpu.store_nd %x, %d[0, 0] : vector<32x32xf32>, !xegpu.tensor_desc<32x32xf32>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @no_such_result(%v: vector<64xf32>) kernel attributes {layout.scope = #layout.scope<wave>} {
    xegpu.alloc_nbarrier 1
    // expected-error @below {{has the attribute 'layout_result_1', but it has no such result}}
    %w = arith.negf %v {layout_result_1 = #xegpu.layout<lane_layout = [16], lane_data = [1]>} : vector<64xf32>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @spread_chunks(%A: memref<68xf32>) kernel {
    %at = arith.constant dense<0> : vector<16xindex>
    %all = arith.constant dense<true> : vector<16xi1>
    // expected-error @below {{has a layout that distributes chunks, but a lane must hold complete chunks; in the last dimension, sg_layout and lane_layout must be 1}}
    %a = xegpu.load %A[%at], %all <{chunk_size = 4, layout = #xegpu.layout<lane_layout = [8, 2], lane_data = [1, 1]>}> : memref<68xf32>, vector<16xindex>, vector<16xi1> -> vector<16x4xf32>
    xegpu.store %a, %A[%at], %all <{chunk_size = 4}> : vector<16x4xf32>, memref<68xf32>, vector<16xindex>, vector<16xi1>
    gpu.return
  }
}

// -----

gpu.module @m {
  // expected-note @below {{the descriptor is defined here}}
  gpu.func @descriptor_argument(%A: memref<16x16xf32>, %t: !xegpu.tensor_desc<16x16xf32>) kernel attributes {known_block_size = array<i32: 16, 1, 1>} {
    // expected-error @below {{has a descriptor whose memory the compiler cannot determine; create it in this function with create_nd_tdesc or create_tdesc}}
    %v = xegpu.load_nd %t[0, 0] : !xegpu.tensor_desc<16x16xf32> -> vector<16x16xf32>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @barrier_argument(%b: !xegpu.nbarrier) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    // expected-error @below {{'xegpu.nbarrier_arrive' op has a barrier that is not created by an xegpu.init_nbarrier in the kernel}}
    xegpu.nbarrier_arrive %b : !xegpu.nbarrier
    xegpu.nbarrier_wait %b : !xegpu.nbarrier
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @barrier_argument(%b: !xegpu.nbarrier) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    // expected-error @below {{'xegpu.nbarrier_wait' op has a barrier that is not created by an xegpu.init_nbarrier in the kernel}}
    xegpu.nbarrier_wait %b : !xegpu.nbarrier
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @not_a_layout(%m: memref<64x64xf32>) kernel {
    %d = xegpu.create_nd_tdesc %m : memref<64x64xf32> -> !xegpu.tensor_desc<64x64xf32>
    // expected-error @below {{requires an XeGPU layout, but 'anchor_layout' is "rows"}}
    %v = xegpu.load_nd %d[0, 0] {anchor_layout = "rows"} : !xegpu.tensor_desc<64x64xf32> -> vector<64x64xf32>
    gpu.return
  }
}
