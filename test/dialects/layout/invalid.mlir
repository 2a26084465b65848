// Errors of the verifiers.
// RUN: %aircc opt --split-input-file --verify-diagnostics --allow-unregistered-dialect %s

//===--- #layout.nested ---------------------------------------------------===//

// expected-error @below {{a nested layout has no parameter 'lane_tile'; its parameters are cycle_tile, subgroup_tile, batch_tile, outer_tile, thread_tile, element_tile, subgroup_strides, thread_strides}}
#l = #layout.nested<lane_tile = [1]>

// -----

// expected-error @below {{'batch_tile' is specified twice}}
#l = #layout.nested<batch_tile = [1], batch_tile = [1]>

// -----

// expected-error @below {{the nested layout is missing 'outer_tile'}}
#l = #layout.nested<subgroup_tile = [1], batch_tile = [1], thread_tile = [1],
                    element_tile = [1], subgroup_strides = [0], thread_strides = [0]>

// -----

// expected-error @below {{outer_tile has 2 entries, but subgroup_tile has 1; every list must have one entry for each dimension}}
#l = #layout.nested<subgroup_tile = [1], batch_tile = [1], outer_tile = [1, 1], thread_tile = [1],
                    element_tile = [1], subgroup_strides = [0], thread_strides = [0]>

// -----

// expected-error @below {{overlap}}
#l = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1],
                    thread_tile = [4, 16], element_tile = [1, 1],
                    subgroup_strides = [0, 0], thread_strides = [1, 2]>

// -----

//===--- #layout.xor_shuffle ----------------------------------------------===//

// expected-error @below {{access width 6 does not divide row width 64}}
#s = #layout.xor_shuffle<64, 6>

// -----

// expected-error @below {{a row of 48 elements has 6 blocks of 8, but the number of blocks must be a power of two}}
#s = #layout.xor_shuffle<48, 8>

// -----

// expected-error @below {{3 phases: the number of phases must be a power of two and at most 8, the number of blocks in a row}}
#s = #layout.xor_shuffle<64, 8, 3>

// -----

// expected-error @below {{phases is 8, the number of blocks in a row, which is the default; omit it}}
#s = #layout.xor_shuffle<64, 8, 8>

// -----

// expected-error @below {{a group of 6 rows: the number of rows must be a power of two}}
#s = #layout.xor_shuffle<64, 8 group = 6>

// -----

//===--- layout.to_layout -------------------------------------------------===//

#l = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1],
                    thread_tile = [8, 8], element_tile = [1, 2],
                    subgroup_strides = [0, 0], thread_strides = [8, 1]>
func.func @shape(%v: vector<16x8xf16>) {
  // expected-error @below {{'layout.to_layout' op has a layout of shape 8x16 for a vector of shape 16x8}}
  %0 = layout.to_layout %v to layout(#l) : vector<16x8xf16>
  return
}

// -----

#l = #layout.nested<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [8],
                    element_tile = [1], subgroup_strides = [0], thread_strides = [1]>
func.func @scalable(%v: vector<[8]xf16>) {
  // expected-error @below {{'layout.to_layout' op has a scalable vector, 'vector<[8]xf16>', but layouts have fixed shapes}}
  %0 = layout.to_layout %v to layout(#l) : vector<[8]xf16>
  return
}

// -----

//===--- layout.async_dma -------------------------------------------------===//

func.func @source_indices(%a: memref<8x8xf16>, %b: memref<8x8xf16, #gpu.address_space<workgroup>>, %i: index) {
  // expected-error @below {{expects one index for each of the 2 dimensions of its source, but got 1}}
  layout.async_dma %a[%i] to %b[%i, %i], vector<8x8xf16> : memref<8x8xf16>, memref<8x8xf16, #gpu.address_space<workgroup>>
  return
}

// -----

func.func @dest_indices(%a: memref<8x8xf16>, %b: memref<8x8xf16, #gpu.address_space<workgroup>>, %i: index) {
  // expected-error @below {{expects one index for each of the 2 dimensions of its destination, but got 3}}
  layout.async_dma %a[%i, %i] to %b[%i, %i, %i], vector<8x8xf16> : memref<8x8xf16>, memref<8x8xf16, #gpu.address_space<workgroup>>
  return
}

// -----

func.func @tile_rank(%a: memref<8x8xf16>, %b: memref<8x8xf16, #gpu.address_space<workgroup>>, %i: index) {
  // expected-error @below {{expects its tile to have the rank of its destination, 2, but got 1}}
  layout.async_dma %a[%i, %i] to %b[%i, %i], vector<8xf16> : memref<8x8xf16>, memref<8x8xf16, #gpu.address_space<workgroup>>
  return
}

// -----

func.func @element(%a: memref<8x8xf16>, %b: memref<8x8xf32, #gpu.address_space<workgroup>>, %i: index) {
  // expected-error @below {{copies elements of type 'f16' from a source of 'f16' to a destination of 'f32'}}
  layout.async_dma %a[%i, %i] to %b[%i, %i], vector<8x8xf16> : memref<8x8xf16>, memref<8x8xf32, #gpu.address_space<workgroup>>
  return
}

// -----

func.func @not_lds(%a: memref<8x8xf16>, %b: memref<8x8xf16>, %i: index) {
  // expected-error @below {{expects its destination to be in LDS, #gpu.address_space<workgroup>}}
  layout.async_dma %a[%i, %i] to %b[%i, %i], vector<8x8xf16> : memref<8x8xf16>, memref<8x8xf16>
  return
}

// -----

func.func @too_large(%a: memref<8x8xf16>, %b: memref<8x8xf16, #gpu.address_space<workgroup>>, %i: index) {
  // expected-error @below {{has a tile of 16 elements along dimension 1, but its destination has only 8}}
  layout.async_dma %a[%i, %i] to %b[%i, %i], vector<8x16xf16> : memref<8x8xf16>, memref<8x8xf16, #gpu.address_space<workgroup>>
  return
}

// -----

func.func @needs_map(%a: memref<8x8xf16>, %b: memref<8xf16, #gpu.address_space<workgroup>>, %i: index) {
  // expected-error @below {{needs a permutation_map because its source has rank 2 and its tile has rank 1}}
  layout.async_dma %a[%i, %i] to %b[%i], vector<8xf16> : memref<8x8xf16>, memref<8xf16, #gpu.address_space<workgroup>>
  return
}

// -----

func.func @map_ranks(%a: memref<8x8xf16>, %b: memref<8xf16, #gpu.address_space<workgroup>>, %i: index) {
  // expected-error @below {{has a permutation_map from 1 to 1 dimensions, but its source has rank 2 and its tile has rank 1}}
  layout.async_dma %a[%i, %i] to %b[%i], vector<8xf16> permutation_map affine_map<(d0) -> (d0)> : memref<8x8xf16>, memref<8xf16, #gpu.address_space<workgroup>>
  return
}

// -----

func.func @map_twice(%a: memref<8x8xf16>, %b: memref<8x8xf16, #gpu.address_space<workgroup>>, %i: index) {
  // expected-error @below {{expects its permutation_map to map each dimension of the tile to a different dimension of the source}}
  layout.async_dma %a[%i, %i] to %b[%i, %i], vector<8x8xf16> permutation_map affine_map<(d0, d1) -> (d0, d0)> : memref<8x8xf16>, memref<8x8xf16, #gpu.address_space<workgroup>>
  return
}

// -----

func.func @gather_length(%a: memref<8x8xf16>, %b: memref<8x8xf16, #gpu.address_space<workgroup>>, %i: index, %r: vector<4xindex>) {
  // expected-error @below {{has 4 indices for dimension 0 of its source, but its tile has 8 elements along it}}
  layout.async_dma %a[%r, %i] to %b[%i, %i], vector<8x8xf16> : memref<8x8xf16> [vector<4xindex>, index], memref<8x8xf16, #gpu.address_space<workgroup>>
  return
}

// -----

func.func @gather_dim(%a: memref<8x8xf16>, %b: memref<8xf16, #gpu.address_space<workgroup>>, %i: index, %r: vector<8xindex>) {
  // expected-error @below {{has a vector of indices for dimension 0 of its source, but no dimension of its tile maps to it}}
  layout.async_dma %a[%r, %i] to %b[%i], vector<8xf16> permutation_map affine_map<(d0, d1) -> (d1)> : memref<8x8xf16> [vector<8xindex>, index], memref<8xf16, #gpu.address_space<workgroup>>
  return
}

// -----

func.func @gather_types(%a: memref<8x8xf16>, %b: memref<8x8xf16, #gpu.address_space<workgroup>>, %i: index, %r: vector<8xindex>) {
  // expected-error @below {{expected 2 source index types, but got 1}}
  layout.async_dma %a[%r, %i] to %b[%i, %i], vector<8x8xf16> : memref<8x8xf16> [vector<8xindex>], memref<8x8xf16, #gpu.address_space<workgroup>>
  return
}

// -----

func.func @in_bounds(%a: memref<8x8xf16>, %b: memref<8x8xf16, #gpu.address_space<workgroup>>, %i: index) {
  // expected-error @below {{has in_bounds for 1 dimensions, but its tile has 2}}
  layout.async_dma %a[%i, %i] to %b[%i, %i], vector<8x8xf16> in_bounds [true] : memref<8x8xf16>, memref<8x8xf16, #gpu.address_space<workgroup>>
  return
}

// -----

//===--- layout.swizzle_hint ----------------------------------------------===//

func.func @dynamic(%m: memref<?x64xf16, 3>) {
  // expected-error @below {{expects a buffer with a static shape, but got 'memref<?x64xf16, 3>'}}
  %s = layout.swizzle_hint %m[#layout.xor_shuffle<64, 8>] : memref<?x64xf16, 3>
  return
}

// -----

func.func @strided(%m: memref<8x64xf16, strided<[80, 1]>, 3>) {
  // expected-error @below {{expects a buffer with an identity layout, but got}}
  %s = layout.swizzle_hint %m[#layout.xor_shuffle<64, 8>] : memref<8x64xf16, strided<[80, 1]>, 3>
  return
}

// -----

func.func @rows(%m: memref<96xf16, 3>) {
  // expected-error @below {{has rows of 64 elements, but its buffer of 96 elements does not consist of whole rows}}
  %s = layout.swizzle_hint %m[#layout.xor_shuffle<64, 8>] : memref<96xf16, 3>
  return
}

// -----

//===--- The attributes ---------------------------------------------------===//

func.func @results_list(%v: vector<8xf16>) {
  // expected-error @below {{'arith.addf' op expects 'layout.results' to be a list of 1 layouts, one for each result}}
  %0 = arith.addf %v, %v {layout.results = []} : vector<8xf16>
  return
}

// -----

func.func @results_entry(%v: vector<8xf16>) {
  // expected-error @below {{expects each entry of 'layout.results' to be a layout or unit, but got 3 : i64}}
  %0 = arith.addf %v, %v {layout.results = [3]} : vector<8xf16>
  return
}

// -----

#l = #layout.nested<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [8],
                    element_tile = [1], subgroup_strides = [0], thread_strides = [1]>
func.func @results_shape(%v: vector<16xf16>) {
  // expected-error @below {{on a result of type 'vector<16xf16>', but their shapes differ}}
  %0 = arith.addf %v, %v {layout.results = [#l]} : vector<16xf16>
  return
}

// -----

func.func @scope(%v: vector<8xf16>) {
  // expected-error @below {{expects 'layout.scope' to be #layout.scope<wave> or #layout.scope<workgroup>, but got "wave"}}
  %0 = arith.addf %v, %v {layout.scope = "wave"} : vector<8xf16>
  return
}

// -----

func.func @instruction(%a: vector<4x8xf16>, %b: vector<8x2xf16>, %c: vector<4x2xf16>) {
  // expected-error @below {{expects 'layout.matrix_instruction' to be the name of a matrix instruction, but got unit}}
  %0 = vector.contract {
         indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
         iterator_types = ["parallel", "parallel", "reduction"]
       } %a, %b, %c {layout.matrix_instruction} : vector<4x8xf16>, vector<8x2xf16> into vector<4x2xf16>
  return
}

// -----

func.func @unknown(%v: vector<8xf16>) {
  // expected-error @below {{has the attribute 'layout.result', but the layout dialect defines no such attribute; did you mean 'layout.results'?}}
  %0 = arith.addf %v, %v {layout.result = unit} : vector<8xf16>
  return
}

// -----

func.func @strategy_of_another_op(%v: f16) {
  // expected-error @below {{expects 'layout.strategy' to be #layout.contraction_strategy on a vector.contract or layout.scaled_contract, or #layout.tile_transfer on an op whose result is a vector or on an xegpu.prefetch_nd, but got #layout.tile_transfer<4>}}
  %0 = arith.addf %v, %v {layout.strategy = #layout.tile_transfer<4>} : f16
  return
}

// -----

// expected-error @below {{expects at least one wave, but got 0}}
#none = #layout.tile_transfer<0>

// -----

// expected-error @below {{a copy cannot be both transposed and gathered}}
#both = #layout.tile_transfer<4, transposed = true, gathered = true>

// -----

// expected-error @below {{expects at least one wave along rows and columns, but got 2 x 0}}
#none = #layout.contraction_strategy<"mfma.f32.16x16x16f16", 2 x 0, staged>

// -----

// expected-error @below {{the name of the matrix instruction must not be empty}}
#none = #layout.contraction_strategy<"", 2 x 2, staged>

// -----

//===--- discardable attributes -------------------------------------------===//

// expected-error @below {{has the attribute 'layout.scop', but the layout dialect defines no such attribute; did you mean 'layout.scope'?}}
func.func private @similar() attributes {layout.scop}

// -----

// expected-error @below {{cannot have the attribute 'layout.matrix_instruction', which is only allowed on vector.contract, xegpu.dpas and layout.scaled_contract}}
func.func private @instruction() attributes {layout.matrix_instruction = "mfma"}

// -----

// expected-error @below {{cannot have the attribute 'layout.counted', which is only allowed on amdgpu.gather_to_lds}}
func.func private @counted() attributes {layout.counted}

// -----

// expected-error @below {{expects 'layout.placed_waits' to be a unit attribute, but got 1 : i64}}
func.func private @placed() attributes {layout.placed_waits = 1 : i64}

// -----

// expected-error @below {{expects 'layout.scope' to be #layout.scope<wave> or #layout.scope<workgroup>, but got "wave"}}
func.func private @scope() attributes {layout.scope = "wave"}

// -----

// expected-error @below {{expects 'layout.access' to be a layout, but got "lane"}}
"test.op"() {layout.access = "lane"} : () -> ()

// -----

// expected-error @below {{expects 'layout.defaults' to be a list of attribute names, but got [1]}}
"test.op"() {layout.defaults = [1]} : () -> ()

// -----

// expected-error @below {{cannot have the attribute 'layout.placed_waits', which is only allowed on functions}}
"test.op"() {layout.placed_waits} : () -> ()

// -----

// expected-error @below {{expects 'layout.strategy' to be #layout.contraction_strategy on a vector.contract or layout.scaled_contract, or #layout.tile_transfer on an op whose result is a vector or on an xegpu.prefetch_nd, but got "fast"}}
"test.op"() {layout.strategy = "fast"} : () -> ()

// -----

func.func @instruction(%a: vector<4x4xf32>) -> vector<4x4xf32> {
  // expected-error @below {{expects 'layout.matrix_instruction' to be the name of a matrix instruction, but got 4 : i64}}
  %0 = vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
                        iterator_types = ["parallel", "parallel", "reduction"], layout.matrix_instruction = 4 : i64}
      %a, %a, %a : vector<4x4xf32>, vector<4x4xf32> into vector<4x4xf32>
  return %0 : vector<4x4xf32>
}

// -----

func.func @counted(%a: memref<64xf32>, %b: memref<64xf32, #gpu.address_space<workgroup>>, %i: index) {
  // expected-error @below {{expects 'layout.counted' to be a unit attribute, but got 1 : i64}}
  amdgpu.gather_to_lds %a[%i], %b[%i] {layout.counted = 1 : i64} : f32, memref<64xf32>, memref<64xf32, #gpu.address_space<workgroup>>
  return
}

// -----

//===--- layout.scaled_contract -------------------------------------------===//

func.func @columns(%a: vector<16x128xf8E4M3FN>, %b: vector<16x64xf8E4M3FN>, %s: vector<16x4xf8E8M0FNU>, %c: vector<16x16xf32>) {
  // expected-error @below {{has 128 columns in its left-hand side, but 64 in its right-hand side}}
  %0 = layout.scaled_contract %a by %s, %b by %s, %c
      : vector<16x128xf8E4M3FN> by vector<16x4xf8E8M0FNU>, vector<16x64xf8E4M3FN> by vector<16x4xf8E8M0FNU> into vector<16x16xf32>
  return
}

// -----

func.func @accumulator(%a: vector<16x128xf8E4M3FN>, %s: vector<16x4xf8E8M0FNU>, %c: vector<16x32xf32>) {
  // expected-error @below {{has an accumulator of shape 16x32, but the product has shape 16x16}}
  %0 = layout.scaled_contract %a by %s, %a by %s, %c
      : vector<16x128xf8E4M3FN> by vector<16x4xf8E8M0FNU>, vector<16x128xf8E4M3FN> by vector<16x4xf8E8M0FNU> into vector<16x32xf32>
  return
}

// -----

func.func @scales(%a: vector<16x128xf8E4M3FN>, %s: vector<16x3xf8E8M0FNU>, %c: vector<16x16xf32>) {
  // expected-error @below {{has scales of shapes 16x3 and 16x3, which do not divide operands of shapes 16x128 and 16x128 into whole blocks}}
  %0 = layout.scaled_contract %a by %s, %a by %s, %c
      : vector<16x128xf8E4M3FN> by vector<16x3xf8E8M0FNU>, vector<16x128xf8E4M3FN> by vector<16x3xf8E8M0FNU> into vector<16x16xf32>
  return
}
