// Errors of the verifiers of the ops for lanes.
// RUN: %aircc opt --split-input-file --verify-diagnostics %s

func.func @load(%p: i64, %i: index) {
  // expected-error @below {{'kernel.atomic_load' op is atomic for the scope workgroup: global memory is shared in scope device or system}}
  %0 = kernel.atomic_load workgroup %p[%i] : i32
  return
}

// -----

func.func @store(%p: i64, %i: index, %v: i32) {
  // expected-error @below {{'kernel.atomic_store' op is atomic for the scope lane}}
  kernel.atomic_store lane %v, %p[%i] : i32
  return
}

// -----

func.func @add(%p: i64, %i: index, %v: i32) {
  // expected-error @below {{'kernel.atomic_add' op is atomic for the scope wave}}
  %0 = kernel.atomic_add wave %v, %p[%i] : i32
  return
}

// -----

func.func @scope(%p: i64, %i: index) {
  // expected-error @below {{'agent' is not a scope; expected lane, wave, workgroup, device or system}}
  %0 = kernel.atomic_load agent %p[%i] : i32
  return
}

// -----

func.func @space(%p: i64) {
  // expected-error @below {{'kernel.memref_at' op has a result of type 'memref<4xf32>', but an address points to global memory: its memory space must be #gpu.address_space<global>}}
  %0 = kernel.memref_at %p : memref<4xf32>
  return
}

// -----

func.func @offset(%p: i64) {
  // expected-error @below {{whose layout is not strided or has an offset}}
  %0 = kernel.memref_at %p : memref<4xf32, strided<[1], offset: 8>, #gpu.address_space<global>>
  return
}

// -----

func.func @sizes(%p: i64) {
  // expected-error @below {{has 0 sizes, but its type has 1 dynamic ones}}
  %0 = kernel.memref_at %p : memref<?xf32, #gpu.address_space<global>>
  return
}

// -----

func.func @strides(%p: i64, %n: index) {
  // expected-error @below {{has 1 strides, but its type has 0 dynamic ones}}
  %0 = kernel.memref_at %p sizes(%n, %n) strides(%n) : memref<?x?xf32, #gpu.address_space<global>>
  return
}

// -----

func.func @layout(%m: memref<4xf32, affine_map<(d0) -> (d0 floordiv 2)>>, %n: i64) {
  // expected-error @below {{'kernel.offset_memref' op moves a memref of type 'memref<4xf32, affine_map<(d0) -> (d0 floordiv 2)>>', whose layout is not strided}}
  %0 = kernel.offset_memref %m by %n : memref<4xf32, affine_map<(d0) -> (d0 floordiv 2)>>
  return
}

// -----

func.func @few(%a: i32) {
  // expected-error @below {{'kernel.permute_bytes' op must select 4 bytes, but got 3}}
  %0 = kernel.permute_bytes %a, %a [0, 1, 2]
  return
}

// -----

func.func @byte(%a: i32) {
  // expected-error @below {{selects byte 8, but the bytes of two words are numbered 0 to 7}}
  %0 = kernel.permute_bytes %a, %a [0, 1, 2, 8]
  return
}

// -----

func.func @few_lanes(%a: i32) {
  // expected-error @below {{'kernel.permute_lanes' op must have 16 source lanes, one for each lane of a row, but got 4}}
  %0 = kernel.permute_lanes %a [0, 1, 2, 3] : i32
  return
}

// -----

func.func @lane_beyond_the_row(%a: i32) {
  // expected-error @below {{has the source lane 16, but the lanes of a row are numbered 0 to 15}}
  %0 = kernel.permute_lanes %a [16, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14] : i32
  return
}
