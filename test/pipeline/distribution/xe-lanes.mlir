// Exchanges between lanes on Xe: shuffles of 16 lanes, or shared local memory with a barrier of the
// subgroup or of the workgroup, and no instructions of AMD.

// RUN: %aircc opt %s --pass-pipeline='builtin.module(gpu.module(distribution-distribute-vectors{target=%targets/bmg.json},aircc-place-barriers,canonicalize,cse))' | FileCheck %s
// RUN: %aircc opt %s --pass-pipeline='builtin.module(gpu.module(distribution-distribute-vectors{target=%targets/bmg.json},aircc-place-barriers,canonicalize,cse))' | FileCheck %s --check-prefix=NONE

// NONE-NOT: amdgpu.
// NONE-NOT: amdgcn
// NONE-NOT: rocdl.
// NONE-NOT: layout.

#spread = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [1, 16], element_tile = [16, 1], subgroup_strides = [0, 0], thread_strides = [0, 1]>
#rows = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [16, 1], element_tile = [1, 16], subgroup_strides = [0, 0], thread_strides = [1, 0]>
#column = #layout.nested<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [1], element_tile = [16], subgroup_strides = [0], thread_strides = [0]>
#line = #layout.nested<subgroup_tile = [2], batch_tile = [1], outer_tile = [1], thread_tile = [16], element_tile = [1], subgroup_strides = [1], thread_strides = [1]>
#other = #layout.nested<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [16], element_tile = [2], subgroup_strides = [0], thread_strides = [1]>
#bits = #layout.nested<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [16], element_tile = [1], subgroup_strides = [0], thread_strides = [1]>
#one = #layout.nested<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [1], element_tile = [1], subgroup_strides = [0], thread_strides = [0]>

gpu.module @kernels {
  // The sum of each row, over the lanes.
  // CHECK-LABEL: gpu.func @reduce
  // CHECK: %[[WIDTH:.*]] = arith.constant 16 : i32
  // CHECK: gpu.shuffle xor %{{.*}}, %{{.*}}, %[[WIDTH]] : f32
  // CHECK: arith.addf
  // CHECK-COUNT-3: gpu.shuffle xor
  gpu.func @reduce(%m: memref<1x16xf32>, %c: memref<1xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>, layout.scope = #layout.scope<wave>} {
    %c0 = arith.constant 0 : index
    %z = arith.constant 0.0 : f32
    %acc = arith.constant {layout.results = [#one]} dense<0.0> : vector<1xf32>
    %v = vector.transfer_read %m[%c0, %c0], %z {in_bounds = [true, true], layout.results = [#layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [1, 16], element_tile = [1, 1], subgroup_strides = [0, 0], thread_strides = [0, 1]>]} : memref<1x16xf32>, vector<1x16xf32>
    %r = vector.multi_reduction <add>, %v, %acc {layout.results = [#one]} [1] : vector<1x16xf32> to vector<1xf32>
    vector.transfer_write %r, %c[%c0] {in_bounds = [true]} : vector<1xf32>, memref<1xf32>
    gpu.return
  }

  // Values of a type that shuffles do not support are shuffled as integers.
  // CHECK-LABEL: gpu.func @shuffled
  // CHECK: gpu.shuffle {{.*}} : i16
  gpu.func @shuffled(%m: memref<16xbf16>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>, layout.scope = #layout.scope<wave>} {
    %c0 = arith.constant 0 : index
    %z = arith.constant 0.0 : bf16
    %acc = arith.constant 0.0 : bf16
    %v = vector.transfer_read %m[%c0], %z {in_bounds = [true], layout.results = [#bits]} : memref<16xbf16>, vector<16xbf16>
    %r = vector.reduction <maximumf>, %v : vector<16xbf16> into bf16
    memref.store %r, %m[%c0] : memref<16xbf16>
    gpu.return
  }

  // From columns to rows within a wave.
  // CHECK-LABEL: gpu.func @transposed
  // CHECK-SAME: workgroup(%[[SLM:.*]] : memref<{{[0-9]+}}xi8, #gpu.address_space<workgroup>> {kernel.alignment = 16
  // CHECK-NOT: kernel.barrier
  // CHECK: memref.store
  // CHECK: kernel.barrier wave memory [#gpu.address_space<workgroup>]
  // CHECK: vector.load
  // CHECK-NOT: kernel.barrier workgroup
  gpu.func @transposed(%m: memref<16x16xf16>, %c: memref<16x16xf16>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>, layout.scope = #layout.scope<wave>} {
    %c0 = arith.constant 0 : index
    %z = arith.constant 0.0 : f16
    %v = vector.transfer_read %m[%c0, %c0], %z {in_bounds = [true, true], layout.results = [#spread]} : memref<16x16xf16>, vector<16x16xf16>
    %w = layout.to_layout %v to layout(#rows) {layout.results = [#rows]} : vector<16x16xf16>
    vector.transfer_write %w, %c[%c0, %c0] {in_bounds = [true, true]} : vector<16x16xf16>, memref<16x16xf16>
    gpu.return
  }

  // Between waves.
  // CHECK-LABEL: gpu.func @across
  // CHECK: gpu.subgroup_id
  // CHECK-NOT: kernel.barrier
  // CHECK: memref.store
  // CHECK: kernel.barrier workgroup
  gpu.func @across(%m: memref<32xf32>, %c: memref<32xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>, layout.scope = #layout.scope<workgroup>} {
    %c0 = arith.constant 0 : index
    %z = arith.constant 0.0 : f32
    %v = vector.transfer_read %m[%c0], %z {in_bounds = [true], layout.results = [#line]} : memref<32xf32>, vector<32xf32>
    %w = layout.to_layout %v to layout(#other) {layout.results = [#other]} : vector<32xf32>
    vector.transfer_write %w, %c[%c0] {in_bounds = [true]} : vector<32xf32>, memref<32xf32>
    gpu.return
  }
}
