// Accesses are as wide as the lane's contiguous elements and the memory permit; possibly
// out-of-bounds elements are checked; one of several holders writes.

// RUN: %aircc opt %s --pass-pipeline='builtin.module(gpu.module(distribution-distribute-vectors{target=%targets/gfx942.json},canonicalize,cse))' | FileCheck %s

#wide = #layout.nested<subgroup_tile = [4, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [8, 8], element_tile = [1, 8], subgroup_strides = [1, 0], thread_strides = [8, 1]>
#turned = #layout.nested<subgroup_tile = [1, 4], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [8, 8], element_tile = [8, 1], subgroup_strides = [0, 1], thread_strides = [1, 8]>
#copies = #layout.nested<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [16], element_tile = [2], subgroup_strides = [0], thread_strides = [1]>
#squares = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [16, 4], element_tile = [4, 4], subgroup_strides = [0, 0], thread_strides = [4, 1]>
#turned_squares = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [4, 16], element_tile = [4, 4], subgroup_strides = [0, 0], thread_strides = [1, 4]>

gpu.module @kernels {
  // CHECK-LABEL: gpu.func @wide
  // CHECK: vector.load {{.*}} : memref<64x128xf16>, vector<8xf16>
  // CHECK: vector.store {{.*}} : memref<64x128xf16>, vector<8xf16>
  // CHECK-NOT: vector.load
  gpu.func @wide(%a: memref<64x128xf16>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>, layout.scope = #layout.scope<workgroup>} {
    %c0 = arith.constant 0 : index
    %z = arith.constant 0.0 : f16
    %v = vector.transfer_read %a[%c0, %c0], %z {in_bounds = [true, true], layout.results = [#wide]} : memref<64x128xf16>, vector<32x64xf16>
    vector.transfer_write %v, %a[%c0, %c0] {in_bounds = [true, true]} : vector<32x64xf16>, memref<64x128xf16>
    gpu.return
  }

  // A transposed read has its runs along the vector's rows.
  // CHECK-LABEL: gpu.func @transposed
  // CHECK: vector.load {{.*}} : memref<64x128xf16>, vector<8xf16>
  // CHECK-NOT: memref.load
  gpu.func @transposed(%a: memref<64x128xf16>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>, layout.scope = #layout.scope<workgroup>} {
    %c0 = arith.constant 0 : index
    %z = arith.constant 0.0 : f16
    %v = vector.transfer_read %a[%c0, %c0], %z {in_bounds = [true, true], layout.results = [#turned], permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : memref<64x128xf16>, vector<64x32xf16>
    vector.transfer_write %v, %a[%c0, %c0] {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : vector<64x32xf16>, memref<64x128xf16>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @ragged
  // CHECK: %[[LANE:.*]] = gpu.thread_id
  // CHECK: %[[FIRST:.*]] = arith.cmpi ult, %[[LANE]], %c16
  // CHECK: memref.dim
  // CHECK: scf.if %{{.*}} -> (vector<2xf32>)
  // CHECK:   vector.load
  // CHECK: else
  // CHECK:   scf.if
  // CHECK:     memref.load
  gpu.func @ragged(%a: memref<?xf32>, %b: memref<32xf32>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>, layout.scope = #layout.scope<workgroup>} {
    %c0 = arith.constant 0 : index
    %z = arith.constant 0.0 : f32
    %v = vector.transfer_read %a[%c0], %z {layout.results = [#copies]} : memref<?xf32>, vector<32xf32>
    // Sixteen of the lanes write.
    // CHECK: scf.if %[[FIRST]] {
    // CHECK-NEXT: vector.store
    vector.transfer_write %v, %b[%c0] {in_bounds = [true]} : vector<32xf32>, memref<32xf32>
    gpu.return
  }
  // Columns of bytes are put together by permutations of words.
  // CHECK-LABEL: gpu.func @bytes
  // CHECK-COUNT-4: vector.load {{.*}} : memref<64x16xi8>, vector<4xi8>
  // CHECK-COUNT-8: kernel.permute_bytes
  // CHECK-NOT: kernel.permute_bytes
  // CHECK-NOT: vector.from_elements {{.*}} : vector<4xi8>
  // CHECK-COUNT-4: vector.store {{.*}} : memref<16x64xi8>, vector<4xi8>
  gpu.func @bytes(%a: memref<64x16xi8>, %b: memref<16x64xi8>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>, layout.scope = #layout.scope<workgroup>} {
    %c0 = arith.constant 0 : index
    %z = arith.constant 0 : i8
    %v = vector.transfer_read %a[%c0, %c0], %z {in_bounds = [true, true], layout.results = [#squares]} : memref<64x16xi8>, vector<64x16xi8>
    vector.transfer_write %v, %b[%c0, %c0] {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : vector<64x16xi8>, memref<16x64xi8>
    gpu.return
  }

  // So are those of a transposed vector.
  // CHECK-LABEL: gpu.func @transposed_bytes
  // CHECK-COUNT-4: vector.load {{.*}} : memref<64x16xi8>, vector<4xi8>
  // CHECK-COUNT-8: kernel.permute_bytes
  // CHECK-NOT: kernel.permute_bytes
  // CHECK-NOT: vector.transpose
  // CHECK-NOT: vector.from_elements {{.*}} : vector<4xi8>
  // CHECK-COUNT-4: vector.store {{.*}} : memref<16x64xi8>, vector<4xi8>
  gpu.func @transposed_bytes(%a: memref<64x16xi8>, %b: memref<16x64xi8>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>, layout.scope = #layout.scope<workgroup>} {
    %c0 = arith.constant 0 : index
    %z = arith.constant 0 : i8
    %v = vector.transfer_read %a[%c0, %c0], %z {in_bounds = [true, true], layout.results = [#squares]} : memref<64x16xi8>, vector<64x16xi8>
    %t = vector.transpose %v, [1, 0] {layout.results = [#turned_squares]} : vector<64x16xi8> to vector<16x64xi8>
    vector.transfer_write %t, %b[%c0, %c0] {in_bounds = [true, true]} : vector<16x64xi8>, memref<16x64xi8>
    gpu.return
  }
}
