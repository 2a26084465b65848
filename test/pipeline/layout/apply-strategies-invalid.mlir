// Strategies that no layouts follow from.
// RUN: %aircc opt %s --split-input-file --verify-diagnostics --layout-apply-strategies=target=%targets/gfx942.json

#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>

gpu.module @unknown {
  gpu.func @unknown(%a: memref<64x32xf16>, %c: memref<64x64xf32>) kernel attributes {known_block_size = array<i32: 256, 1, 1>, layout.scope = #layout.scope<workgroup>} {
    %c0 = arith.constant 0 : index
    %h = arith.constant 0.0 : f16
    %zeros = arith.constant dense<0.0> : vector<64x64xf32>
    %x = vector.transfer_read %a[%c0, %c0], %h {in_bounds = [true, true]} : memref<64x32xf16>, vector<64x32xf16>
    // expected-error @below {{names the matrix instruction 'mfma.f32.16x16x32.f16', which gfx942 does not have}}
    %d = vector.contract {indexing_maps = [#mk, #nk, #mn], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %x, %zeros
         {layout.strategy = #layout.contraction_strategy<"mfma.f32.16x16x32.f16", 2 x 2, staged>} : vector<64x32xf16>, vector<64x32xf16> into vector<64x64xf32>
    vector.transfer_write %d, %c[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf32>, memref<64x64xf32>
    gpu.return
  }
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>

gpu.module @types {
  gpu.func @types(%a: memref<64x32xf16>, %c: memref<64x64xf32>) kernel attributes {known_block_size = array<i32: 256, 1, 1>, layout.scope = #layout.scope<workgroup>} {
    %c0 = arith.constant 0 : index
    %h = arith.constant 0.0 : f16
    %zeros = arith.constant dense<0.0> : vector<64x64xf32>
    %x = vector.transfer_read %a[%c0, %c0], %h {in_bounds = [true, true]} : memref<64x32xf16>, vector<64x32xf16>
    // expected-error @below {{multiplies f16 by f16 into f32, but its matrix instruction 'mfma.f32.16x16x4f32' multiplies f32 by f32 into f32}}
    %d = vector.contract {indexing_maps = [#mk, #nk, #mn], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %x, %zeros
         {layout.strategy = #layout.contraction_strategy<"mfma.f32.16x16x4f32", 2 x 2, staged>} : vector<64x32xf16>, vector<64x32xf16> into vector<64x64xf32>
    vector.transfer_write %d, %c[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf32>, memref<64x64xf32>
    gpu.return
  }
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>

gpu.module @waves {
  gpu.func @waves(%a: memref<64x32xf16>, %c: memref<64x64xf32>) kernel attributes {known_block_size = array<i32: 256, 1, 1>, layout.scope = #layout.scope<workgroup>} {
    %c0 = arith.constant 0 : index
    %h = arith.constant 0.0 : f16
    %zeros = arith.constant dense<0.0> : vector<64x64xf32>
    %x = vector.transfer_read %a[%c0, %c0], %h {in_bounds = [true, true]} : memref<64x32xf16>, vector<64x32xf16>
    // expected-error @below {{cannot be computed with its strategy: }}
    %d = vector.contract {indexing_maps = [#mk, #nk, #mn], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %x, %zeros
         {layout.strategy = #layout.contraction_strategy<"mfma.f32.16x16x16f16", 3 x 2, direct>} : vector<64x32xf16>, vector<64x32xf16> into vector<64x64xf32>
    vector.transfer_write %d, %c[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf32>, memref<64x64xf32>
    gpu.return
  }
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>

gpu.module @memory {
  gpu.func @memory(%a: memref<64x32xf16>, %c: memref<64x64xf32>) kernel attributes {known_block_size = array<i32: 256, 1, 1>, layout.scope = #layout.scope<workgroup>} {
    %c0 = arith.constant 0 : index
    %h = arith.constant 0.0 : f16
    %zeros = arith.constant dense<0.0> : vector<64x64xf32>
    %x = vector.transfer_read %a[%c0, %c0], %h {in_bounds = [true, true]} : memref<64x32xf16>, vector<64x32xf16>
    // expected-error @below {{has a strategy for operands in LDS, but its left operand is not read from LDS}}
    %d = vector.contract {indexing_maps = [#mk, #nk, #mn], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %x, %zeros
         {layout.strategy = #layout.contraction_strategy<"mfma.f32.16x16x16f16", 2 x 2, staged>} : vector<64x32xf16>, vector<64x32xf16> into vector<64x64xf32>
    vector.transfer_write %d, %c[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf32>, memref<64x64xf32>
    gpu.return
  }
}

// -----

gpu.module @copy {
  gpu.func @copy(%a: memref<7x3xf16>) kernel attributes {known_block_size = array<i32: 256, 1, 1>, layout.scope = #layout.scope<workgroup>} {
    %c0 = arith.constant 0 : index
    %h = arith.constant 0.0 : f16
    // expected-error @below {{cannot be copied with its strategy: }}
    %x = vector.transfer_read %a[%c0, %c0], %h {in_bounds = [true, true], layout.strategy = #layout.tile_transfer<4>} : memref<7x3xf16>, vector<7x3xf16>
    vector.transfer_write %x, %a[%c0, %c0] {in_bounds = [true, true]} : vector<7x3xf16>, memref<7x3xf16>
    gpu.return
  }
}

// -----

gpu.module @batched {
  gpu.func @batched(%a: memref<2x64x32xf16>, %c: memref<2x64x64xf32>) kernel attributes {known_block_size = array<i32: 256, 1, 1>, layout.scope = #layout.scope<workgroup>} {
    %c0 = arith.constant 0 : index
    %h = arith.constant 0.0 : f16
    %zeros = arith.constant dense<0.0> : vector<2x64x64xf32>
    %x = vector.transfer_read %a[%c0, %c0, %c0], %h {in_bounds = [true, true, true]} : memref<2x64x32xf16>, vector<2x64x32xf16>
    // expected-error @below {{has a strategy, but is not a product of two matrices with a single reduction dimension}}
    %d = vector.contract {indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>],
         iterator_types = ["parallel", "parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %x, %zeros
         {layout.strategy = #layout.contraction_strategy<"mfma.f32.16x16x16f16", 2 x 2, staged>} : vector<2x64x32xf16>, vector<2x64x32xf16> into vector<2x64x64xf32>
    vector.transfer_write %d, %c[%c0, %c0, %c0] {in_bounds = [true, true, true]} : vector<2x64x64xf32>, memref<2x64x64xf32>
    gpu.return
  }
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
#wg = #gpu.address_space<workgroup>

gpu.module @swizzled {
  gpu.func @swizzled(%c: memref<64x64xf32>) workgroup(%lds: memref<64x32xf16, #wg>) kernel attributes {known_block_size = array<i32: 256, 1, 1>, layout.scope = #layout.scope<workgroup>} {
    %c0 = arith.constant 0 : index
    %h = arith.constant 0.0 : f16
    %zeros = arith.constant dense<0.0> : vector<64x64xf32>
    // expected-note @below {{the buffer is swizzled here}}
    %s = layout.swizzle_hint %lds[#layout.xor_shuffle<64, 8>] : memref<64x32xf16, #wg>
    %x = vector.transfer_read %s[%c0, %c0], %h {in_bounds = [true, true]} : memref<64x32xf16, #wg>, vector<64x32xf16>
    // expected-error @below {{requires the swizzle #layout.xor_shuffle<64, 8, 4> for the buffer of its left operand, but that has #layout.xor_shuffle<64, 8>}}
    %d = vector.contract {indexing_maps = [#mk, #nk, #mn], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %x, %zeros
         {layout.strategy = #layout.contraction_strategy<"mfma.f32.16x16x16f16", 2 x 2, staged>} : vector<64x32xf16>, vector<64x32xf16> into vector<64x64xf32>
    vector.transfer_write %d, %c[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf32>, memref<64x64xf32>
    gpu.return
  }
}

// -----

gpu.module @prefetch {
  gpu.func @prefetch(%a: memref<64x512xf16>) kernel attributes {known_block_size = array<i32: 128, 1, 1>, layout.scope = #layout.scope<workgroup>} {
    %m = xegpu.create_nd_tdesc %a : memref<64x512xf16> -> !xegpu.tensor_desc<64x16xf16>
    // expected-error @below {{cannot be split into a block for each of 7 waves}}
    xegpu.prefetch_nd %m[0, 0] {layout.strategy = #layout.tile_transfer<7>} : !xegpu.tensor_desc<64x16xf16>
    gpu.return
  }
}
