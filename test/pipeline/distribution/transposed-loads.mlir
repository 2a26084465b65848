// Reads from LDS transpose blocks of 16 columns where lanes hold columns of a row-major matrix.
// Each lane gives the address of a part of a row.

// RUN: %aircc opt %s --pass-pipeline='builtin.module(gpu.module(distribution-distribute-vectors{target=%targets/gfx950.json},canonicalize,cse,distribution-lower-swizzles,canonicalize,cse))' | FileCheck %s
// RUN: %aircc opt %s --pass-pipeline='builtin.module(gpu.module(distribution-distribute-vectors{target=%targets/gfx942.json},canonicalize,cse,distribution-lower-swizzles,canonicalize,cse))' | FileCheck %s --check-prefix=OLD

// OLD-NOT: transpose_load

#lds = #gpu.address_space<workgroup>
#halves = #layout.nested<subgroup_tile = [1, 2], batch_tile = [1, 2], outer_tile = [1, 1], thread_tile = [4, 16], element_tile = [8, 1], subgroup_strides = [0, 1], thread_strides = [16, 1]>
#bytes = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [2, 32], element_tile = [16, 1], subgroup_strides = [0, 0], thread_strides = [32, 1]>
#pairs = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [2, 32], element_tile = [8, 2], subgroup_strides = [0, 0], thread_strides = [32, 1]>

gpu.module @kernels {
  // Lane l reads row (l mod 16) / 4 of the 4 rows, and columns l mod 4 * 4 of the 16.
  // CHECK-LABEL: gpu.func @halves
  // CHECK-DAG: %[[LANE:.*]] = arith.remui %{{.*}}, %c64
  // CHECK-DAG: %[[BLOCK:.*]] = arith.divui %[[LANE]], %c16
  // CHECK-DAG: %[[PIECE:.*]] = arith.remui %[[LANE]], %c4
  // CHECK-DAG: arith.muli %[[PIECE]], %c4
  // CHECK-DAG: %[[IN4:.*]] = arith.divui %[[LANE]], %c4
  // CHECK-DAG: arith.remui %[[IN4]], %c4
  // CHECK-COUNT-4: amdgpu.transpose_load {{.*}} : memref<32x64xf16, #gpu.address_space<workgroup>> -> vector<4xf16>
  // CHECK-NOT: transpose_load
  // CHECK-NOT: memref.load
  gpu.func @halves(%out: memref<32x64xf16>) workgroup(%m: memref<32x64xf16, #lds>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>, layout.scope = #layout.scope<workgroup>} {
    %c0 = arith.constant 0 : index
    %z = arith.constant 0.0 : f16
    %v = vector.transfer_read %m[%c0, %c0], %z {in_bounds = [true, true], layout.results = [#halves]} : memref<32x64xf16, #lds>, vector<32x64xf16>
    vector.transfer_write %v, %out[%c0, %c0] {in_bounds = [true, true]} : vector<32x64xf16>, memref<32x64xf16>
    gpu.return
  }

  // A lane holds 16 rows, of which a read transposes 8. The buffer is swizzled in blocks of 16.
  // CHECK-LABEL: gpu.func @bytes
  // CHECK-COUNT-2: amdgpu.transpose_load {{.*}} : memref<4096xi8, #gpu.address_space<workgroup>> -> vector<8xi8>
  // CHECK-NOT: transpose_load
  gpu.func @bytes(%out: memref<32x32xi8>, %i: index) workgroup(%m: memref<32x128xi8, #lds>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>, layout.scope = #layout.scope<workgroup>} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %column = arith.muli %i, %c16 : index
    %z = arith.constant 0 : i8
    %s = layout.swizzle_hint %m[#layout.xor_shuffle<128, 16>] : memref<32x128xi8, #lds>
    %v = vector.transfer_read %s[%c0, %column], %z {in_bounds = [true, true], layout.results = [#bytes]} : memref<32x128xi8, #lds>, vector<32x32xi8>
    vector.transfer_write %v, %out[%c0, %c0] {in_bounds = [true, true]} : vector<32x32xi8>, memref<32x32xi8>
    gpu.return
  }

  // The start may not be aligned, the memory is not in LDS, or a lane holds pairs of columns.
  // CHECK-LABEL: gpu.func @others
  // CHECK-NOT: transpose_load
  gpu.func @others(%out: memref<32x64xf16>, %i: index) workgroup(%m: memref<32x128xf16, #lds>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>, layout.scope = #layout.scope<workgroup>} {
    %c0 = arith.constant 0 : index
    %z = arith.constant 0.0 : f16
    %unaligned = vector.transfer_read %m[%c0, %i], %z {in_bounds = [true, true], layout.results = [#halves]} : memref<32x128xf16, #lds>, vector<32x64xf16>
    vector.transfer_write %unaligned, %out[%c0, %c0] {in_bounds = [true, true]} : vector<32x64xf16>, memref<32x64xf16>
    %outside = vector.transfer_read %m[%i, %c0], %z {in_bounds = [false, true], layout.results = [#halves]} : memref<32x128xf16, #lds>, vector<32x64xf16>
    vector.transfer_write %outside, %out[%c0, %c0] {in_bounds = [true, true]} : vector<32x64xf16>, memref<32x64xf16>
    %global = vector.transfer_read %out[%c0, %c0], %z {in_bounds = [true, true], layout.results = [#halves]} : memref<32x64xf16>, vector<32x64xf16>
    vector.transfer_write %global, %out[%c0, %c0] {in_bounds = [true, true]} : vector<32x64xf16>, memref<32x64xf16>
    %pairs = vector.transfer_read %m[%c0, %c0], %z {in_bounds = [true, true], layout.results = [#pairs]} : memref<32x128xf16, #lds>, vector<16x64xf16>
    vector.transfer_write %pairs, %out[%c0, %c0] {in_bounds = [true, true]} : vector<16x64xf16>, memref<32x64xf16>
    gpu.return
  }
}
