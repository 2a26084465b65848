// Within the lane, then a butterfly over the lanes, then LDS over the waves.

// RUN: %aircc opt %s --pass-pipeline='builtin.module(gpu.module(distribution-distribute-vectors{target=%targets/gfx942.json},aircc-place-barriers,canonicalize,cse))' | FileCheck %s

#in = #layout.nested<subgroup_tile = [1, 2], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [16, 4], element_tile = [1, 2], subgroup_strides = [0, 1], thread_strides = [4, 1]>
#out = #layout.nested<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [16], element_tile = [1], subgroup_strides = [0], thread_strides = [4]>

gpu.module @kernels {
  // CHECK-LABEL: gpu.func @rows
  // CHECK: arith.addf
  // CHECK: gpu.shuffle xor %{{.*}}, %c1_i32
  // CHECK: arith.addf
  // CHECK: gpu.shuffle xor %{{.*}}, %c2_i32
  // CHECK: arith.addf
  // CHECK-NOT: kernel.barrier
  // CHECK: memref.store
  // CHECK: kernel.barrier workgroup
  // CHECK-COUNT-2: memref.load
  // CHECK: arith.addf
  // CHECK-NOT: gpu.shuffle
  gpu.func @rows(%a: memref<16x16xf32>, %b: memref<16xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>, layout.scope = #layout.scope<workgroup>} {
    %c0 = arith.constant 0 : index
    %z = arith.constant 0.0 : f32
    %zeros = arith.constant {layout.results = [#out]} dense<0.0> : vector<16xf32>
    %v = vector.transfer_read %a[%c0, %c0], %z {in_bounds = [true, true], layout.results = [#in]} : memref<16x16xf32>, vector<16x16xf32>
    %s = vector.multi_reduction <add>, %v, %zeros {layout.results = [#out]} [1] : vector<16x16xf32> to vector<16xf32>
    vector.transfer_write %s, %b[%c0] {in_bounds = [true]} : vector<16xf32>, memref<16xf32>
    gpu.return
  }
}
