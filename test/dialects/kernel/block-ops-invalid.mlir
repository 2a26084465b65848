// Errors of the verifiers of the ops for Xe's subgroups.
// RUN: %aircc opt --split-input-file --verify-diagnostics %s

func.func @bits(%p: i64, %n: i32) {
  // expected-error @below {{'kernel.block_load' op has elements of 64 bits, but block elements must have 8, 16 or 32 bits}}
  %0 = kernel.block_load %p[%n, %n] in (%n, %n, %n) rows 8 columns 8 blocks 1 bits 64 : vector<8xi32>
  return
}

// -----

func.func @both(%p: i64, %n: i32) {
  // expected-error @below {{'kernel.block_load' op cannot be both transposed and packed}}
  %0 = kernel.block_load transposed packed %p[%n, %n] in (%n, %n, %n) rows 16 columns 16 blocks 1 bits 16 : vector<8xi32>
  return
}

// -----

func.func @share(%p: i64, %n: i32) {
  // expected-error @below {{has a value of type 'vector<8xi16>', but the per-lane part of 256 elements of 16 bits is 16 words of 16 bits}}
  %0 = kernel.block_load %p[%n, %n] in (%n, %n, %n) rows 8 columns 16 blocks 2 bits 16 : vector<8xi16>
  return
}

// -----

func.func @word(%p: i64, %n: i32) {
  // expected-error @below {{has a value of type 'vector<16xi16>', but the per-lane part of 256 elements of 16 bits is 8 words of 32 bits}}
  %0 = kernel.block_load packed %p[%n, %n] in (%n, %n, %n) rows 16 columns 16 blocks 1 bits 16 : vector<16xi16>
  return
}

// -----

func.func @not_whole(%p: i64, %n: i32) {
  // expected-error @below {{has a value of type 'vector<1xi16>', but 24 elements of 16 bits cannot be divided into words of 16 bits for 16 lanes}}
  %0 = kernel.block_load %p[%n, %n] in (%n, %n, %n) rows 3 columns 8 blocks 1 bits 16 : vector<1xi16>
  return
}

// -----

func.func @none(%p: i64, %n: i32) {
  // expected-error @below {{attribute 'rows' failed to satisfy constraint: 32-bit signless integer attribute whose value is positive}}
  %0 = kernel.block_load %p[%n, %n] in (%n, %n, %n) rows 0 columns 16 blocks 1 bits 16 : vector<8xi16>
  return
}

// -----

func.func @store(%v: vector<8xi16>, %p: i64, %n: i32) {
  // expected-error @below {{'kernel.block_store' op has a value of type 'vector<8xi16>', but the per-lane part of 128 elements of 32 bits is 8 words of 32 bits}}
  kernel.block_store %v, %p[%n, %n] in (%n, %n, %n) rows 8 columns 16 bits 32 : vector<8xi16>
  return
}

// -----

func.func @prefetch(%p: i64, %n: i32) {
  // expected-error @below {{'kernel.block_prefetch' op has elements of 4 bits}}
  kernel.block_prefetch %p[%n, %n] in (%n, %n, %n) rows 8 columns 16 blocks 1 bits 4
  return
}

// -----

func.func @elements(%a: vector<8xi16>, %b: vector<8xi32>, %c: vector<8xf32>) {
  // expected-error @below {{'kernel.dpas' op multiplies 'f32' by 'f32', but the elements of factors must be f16, bf16, tf32, i8 or ui8}}
  %0 = kernel.dpas %a as f32, %b as f32, %c : vector<8xi16>, vector<8xi32>, vector<8xf32>
  return
}

// -----

func.func @kinds(%a: vector<8xi16>, %b: vector<8xi32>, %c: vector<8xf32>) {
  // expected-error @below {{multiplies 'f16' by 'bf16', but both factors must have elements of the same kind}}
  %0 = kernel.dpas %a as f16, %b as bf16, %c : vector<8xi16>, vector<8xi32>, vector<8xf32>
  return
}

// -----

func.func @sum(%a: vector<8xi16>, %b: vector<8xi32>, %c: vector<8xf32>) {
  // expected-error @below {{adds products of 'i8' to 'vector<8xf32>', but integers and floats cannot be mixed}}
  %0 = kernel.dpas %a as i8, %b as i8, %c : vector<8xi16>, vector<8xi32>, vector<8xf32>
  return
}

// -----

func.func @rows(%a: vector<3xi16>, %b: vector<8xi32>, %c: vector<3xf32>) {
  // expected-error @below {{has 3 rows, but must have 1, 2, 4 or 8}}
  %0 = kernel.dpas %a as f16, %b as f16, %c : vector<3xi16>, vector<8xi32>, vector<3xf32>
  return
}

// -----

func.func @left(%a: vector<4xi16>, %b: vector<8xi32>, %c: vector<8xf32>) {
  // expected-error @below {{has a left factor of type 'vector<4xi16>', but the per-lane part has 128 bits}}
  %0 = kernel.dpas %a as f16, %b as f16, %c : vector<4xi16>, vector<8xi32>, vector<8xf32>
  return
}

// -----

func.func @right(%a: vector<8xi16>, %b: vector<4xi32>, %c: vector<8xf32>) {
  // expected-error @below {{has a right factor of type 'vector<4xi32>', but the per-lane part has 256 bits}}
  %0 = kernel.dpas %a as f16, %b as f16, %c : vector<8xi16>, vector<4xi32>, vector<8xf32>
  return
}
