// Vectors without any op of XeGPU, for Intel GPUs: products by dpas in all
// orders of their factors, and accesses that blocks of memory fit.
// RUN: %aircc opt %s --split-input-file --layout-set-anchors=target=%targets/bmg.json --layout-propagate-layouts=target=%targets/bmg.json --layout-check-layouts=target=%targets/bmg.json | FileCheck %s

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
// CHECK-DAG: #[[A:.*]] = #layout.nested<subgroup_tile = [2, 1], batch_tile = [1, 4], outer_tile = [1, 1], thread_tile = [1, 16], element_tile = [32, 1], subgroup_strides = [2, 0], thread_strides = [0, 1]>
// CHECK-DAG: #[[B:.*]] = #layout.nested<subgroup_tile = [1, 2], batch_tile = [1, 2], outer_tile = [1, 1], thread_tile = [1, 16], element_tile = [64, 1], subgroup_strides = [0, 1], thread_strides = [0, 1]>
// CHECK-DAG: #[[C:.*]] = #layout.nested<subgroup_tile = [2, 2], batch_tile = [1, 2], outer_tile = [1, 1], thread_tile = [1, 16], element_tile = [32, 1], subgroup_strides = [2, 1], thread_strides = [0, 1]>
// CHECK-LABEL: gpu.func @plain
// CHECK-NOT: layout.to_layout
// CHECK: vector.transfer_read {{.*}}layout.results = [#[[A]]]
// CHECK: vector.transfer_read {{.*}}layout.results = [#[[B]]]
// CHECK: vector.contract {{.*}}layout.matrix_instruction = "dpas.f32.8x16x16.f16", layout.results = [#[[C]]]
// CHECK: vector.transfer_write
gpu.module @m {
  gpu.func @plain(%A: memref<64x64xf16>, %B: memref<64x64xf16>, %C: memref<64x64xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>, layout.scope = #layout.scope<workgroup>} {
    %c0 = arith.constant 0 : index
    %h0 = arith.constant 0.0 : f16
    %a = vector.transfer_read %A[%c0, %c0], %h0 {in_bounds = [true, true]} : memref<64x64xf16>, vector<64x64xf16>
    %b = vector.transfer_read %B[%c0, %c0], %h0 {in_bounds = [true, true]} : memref<64x64xf16>, vector<64x64xf16>
    %z = arith.constant dense<0.0> : vector<64x64xf32>
    %c = vector.contract {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %z : vector<64x64xf16>, vector<64x64xf16> into vector<64x64xf32>
    vector.transfer_write %c, %C[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf32>, memref<64x64xf32>
    gpu.return
  }
}

// -----

// Both factors transposed: a lane has a row of memory, which a transposed block
// load gives it.
#km = affine_map<(m, n, k) -> (k, m)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
// CHECK-DAG: #[[A:.*]] = #layout.nested<subgroup_tile = [1, 2], batch_tile = [4, 1], outer_tile = [1, 1], thread_tile = [16, 1], element_tile = [1, 32], subgroup_strides = [0, 2], thread_strides = [1, 0]>
// CHECK-DAG: #[[B:.*]] = #layout.nested<subgroup_tile = [2, 1], batch_tile = [2, 1], outer_tile = [1, 1], thread_tile = [16, 1], element_tile = [1, 64], subgroup_strides = [1, 0], thread_strides = [1, 0]>
// CHECK-LABEL: gpu.func @transposed
// CHECK-NOT: layout.to_layout
// CHECK: vector.transfer_read {{.*}}layout.results = [#[[A]]]
// CHECK: vector.transfer_read {{.*}}layout.results = [#[[B]]]
// CHECK: vector.contract {{.*}}layout.matrix_instruction = "dpas.f32.8x16x16.bf16"
gpu.module @m {
  gpu.func @transposed(%A: memref<64x64xbf16>, %B: memref<64x64xbf16>, %C: memref<64x64xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>, layout.scope = #layout.scope<workgroup>} {
    %c0 = arith.constant 0 : index
    %h0 = arith.constant 0.0 : bf16
    %a = vector.transfer_read %A[%c0, %c0], %h0 {in_bounds = [true, true]} : memref<64x64xbf16>, vector<64x64xbf16>
    %b = vector.transfer_read %B[%c0, %c0], %h0 {in_bounds = [true, true]} : memref<64x64xbf16>, vector<64x64xbf16>
    %z = arith.constant dense<0.0> : vector<64x64xf32>
    %c = vector.contract {indexing_maps = [#km, #nk, #mn], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %z : vector<64x64xbf16>, vector<64x64xbf16> into vector<64x64xf32>
    vector.transfer_write %c, %C[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf32>, memref<64x64xf32>
    gpu.return
  }
}

// -----

// Bytes: a lane has two neighbors of a row of the left factor. The ops that
// widen stay, where one of them tells that bytes are unsigned.
#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
// CHECK-DAG: #[[A:.*]] = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [1, 16], element_tile = [8, 2], subgroup_strides = [0, 0], thread_strides = [0, 1]>
// CHECK-DAG: #[[B:.*]] = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [1, 16], element_tile = [32, 1], subgroup_strides = [0, 0], thread_strides = [0, 1]>
// CHECK-LABEL: gpu.func @bytes
// CHECK: %[[A0:.*]] = vector.transfer_read {{.*}}layout.results = [#[[A]]]
// CHECK: %[[B0:.*]] = vector.transfer_read {{.*}}layout.results = [#[[B]]]
// CHECK: %[[AW:.*]] = arith.extsi %[[A0]] {layout.results = [#[[A]]]
// CHECK: %[[BW:.*]] = arith.extui %[[B0]] {layout.results = [#[[B]]]
// CHECK: vector.contract {{.*}} %[[AW]], %[[BW]], %{{.*}} {layout.matrix_instruction = "dpas.i32.8x16x32.i8"
gpu.module @m {
  gpu.func @bytes(%A: memref<8x32xi8>, %B: memref<32x16xi8>, %C: memref<8x16xi32>) kernel attributes {known_block_size = array<i32: 16, 1, 1>, layout.scope = #layout.scope<wave>} {
    %c0 = arith.constant 0 : index
    %p = arith.constant 0 : i8
    %a = vector.transfer_read %A[%c0, %c0], %p {in_bounds = [true, true]} : memref<8x32xi8>, vector<8x32xi8>
    %b = vector.transfer_read %B[%c0, %c0], %p {in_bounds = [true, true]} : memref<32x16xi8>, vector<32x16xi8>
    %aw = arith.extsi %a : vector<8x32xi8> to vector<8x32xi32>
    %bw = arith.extui %b : vector<32x16xi8> to vector<32x16xi32>
    %z = arith.constant dense<0> : vector<8x16xi32>
    %c = vector.contract {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %aw, %bw, %z : vector<8x32xi32>, vector<32x16xi32> into vector<8x16xi32>
    vector.transfer_write %c, %C[%c0, %c0] {in_bounds = [true, true]} : vector<8x16xi32>, memref<8x16xi32>
    gpu.return
  }
}

// -----

// Rows are normalized in place; broadcasts move no data.
// CHECK-DAG: #[[M:.*]] = #layout.nested<subgroup_tile = [4, 1], batch_tile = [1, 4], outer_tile = [1, 1], thread_tile = [1, 16], element_tile = [16, 1], subgroup_strides = [1, 0], thread_strides = [0, 1]>
// CHECK-DAG: #[[S:.*]] = #layout.nested<subgroup_tile = [4], batch_tile = [1], outer_tile = [1], thread_tile = [1], element_tile = [16], subgroup_strides = [1], thread_strides = [0]>
// CHECK-LABEL: gpu.func @rows
// CHECK-NOT: layout.to_layout
// CHECK: vector.transfer_read {{.*}}layout.results = [#[[M]]]
// CHECK: vector.multi_reduction {{.*}}layout.results = [#[[S]]]
// CHECK: vector.transpose {{.*}}layout.results = [#[[M]]]
// CHECK: arith.divf {{.*}}layout.results = [#[[M]]]
gpu.module @m {
  gpu.func @rows(%A: memref<64x64xf32>, %C: memref<64x64xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>, layout.scope = #layout.scope<workgroup>} {
    %c0 = arith.constant 0 : index
    %f0 = arith.constant 0.0 : f32
    %a = vector.transfer_read %A[%c0, %c0], %f0 {in_bounds = [true, true]} : memref<64x64xf32>, vector<64x64xf32>
    %z = arith.constant dense<0.0> : vector<64xf32>
    %e = math.exp %a : vector<64x64xf32>
    %s = vector.multi_reduction <add>, %e, %z [1] : vector<64x64xf32> to vector<64xf32>
    %b = vector.broadcast %s : vector<64xf32> to vector<64x64xf32>
    %t = vector.transpose %b, [1, 0] : vector<64x64xf32> to vector<64x64xf32>
    %q = arith.divf %e, %t : vector<64x64xf32>
    vector.transfer_write %q, %C[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf32>, memref<64x64xf32>
    gpu.return
  }
}

// -----
// Loads pack the bytes of columns as dpas takes the right factor.
#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
// CHECK-DAG: #[[B:.*]] = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 2], outer_tile = [1, 1], thread_tile = [1, 16], element_tile = [64, 1]
// CHECK-LABEL: gpu.func @bytes
// CHECK-NOT: layout.to_layout
// CHECK: vector.transfer_read %arg1{{.*}}layout.results = [#[[B]]]
// CHECK: vector.contract {{.*}}layout.matrix_instruction = "dpas.i32.8x16x32.i8"
gpu.module @m {
  gpu.func @bytes(%A: memref<32x64xi8>, %B: memref<64x64xi8>, %C: memref<32x32xi32>) kernel attributes {known_block_size = array<i32: 16, 1, 1>, layout.scope = #layout.scope<workgroup>} {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0 : i8
    %a = vector.transfer_read %A[%c0, %c0], %zero {in_bounds = [true, true]} : memref<32x64xi8>, vector<32x64xi8>
    %b = vector.transfer_read %B[%c0, %c0], %zero {in_bounds = [true, true]} : memref<64x64xi8>, vector<64x32xi8>
    %z = arith.constant dense<0> : vector<32x32xi32>
    %c = vector.contract {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %z : vector<32x64xi8>, vector<64x32xi8> into vector<32x32xi32>
    vector.transfer_write %c, %C[%c0, %c0] {in_bounds = [true, true]} : vector<32x32xi32>, memref<32x32xi32>
    gpu.return
  }
}
