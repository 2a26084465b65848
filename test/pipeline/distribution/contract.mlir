// One matrix instruction for each of its tiles in a wave's part, with the reduced dimension
// outermost; a loop carries the accumulator as tiles of the instruction.

// RUN: %aircc opt %s --pass-pipeline='builtin.module(gpu.module(distribution-distribute-vectors{target=%targets/gfx942.json},canonicalize,cse))' | FileCheck %s

#a = #layout.nested<subgroup_tile = [2, 1], batch_tile = [1, 2], outer_tile = [1, 1], thread_tile = [32, 2], element_tile = [1, 4], subgroup_strides = [2, 0], thread_strides = [1, 32]>
#b = #layout.nested<subgroup_tile = [1, 2], batch_tile = [2, 1], outer_tile = [1, 1], thread_tile = [2, 32], element_tile = [4, 1], subgroup_strides = [0, 1], thread_strides = [32, 1]>
#c = #layout.nested<subgroup_tile = [2, 2], batch_tile = [1, 1], outer_tile = [4, 1], thread_tile = [2, 32], element_tile = [4, 1], subgroup_strides = [2, 1], thread_strides = [32, 1]>
#tall = #layout.nested<subgroup_tile = [1, 1], batch_tile = [2, 1], outer_tile = [1, 1], thread_tile = [32, 2], element_tile = [1, 4], subgroup_strides = [0, 0], thread_strides = [1, 32]>
#thin = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [2, 32], element_tile = [4, 1], subgroup_strides = [0, 0], thread_strides = [32, 1]>
#sums = #layout.nested<subgroup_tile = [1, 1], batch_tile = [2, 1], outer_tile = [4, 1], thread_tile = [2, 32], element_tile = [4, 1], subgroup_strides = [0, 0], thread_strides = [32, 1]>

gpu.module @kernels {
  // CHECK-LABEL: gpu.func @loop
  // CHECK: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : vector<16xf32>
  // CHECK: scf.for {{.*}} iter_args(%[[ACC:.*]] = %[[ZERO]]) -> (vector<16xf32>)
  // CHECK: %[[A0:.*]] = vector.load {{.*}} vector<4xf16>
  // CHECK: %[[A1:.*]] = vector.load {{.*}} vector<4xf16>
  // CHECK: %[[R0:.*]] = amdgpu.mfma 32x32x8 %[[A0]] * %{{.*}} + %[[ACC]] {{.*}} : vector<4xf16>, vector<4xf16>, vector<16xf32>
  // CHECK: %[[R1:.*]] = amdgpu.mfma 32x32x8 %[[A1]] * %{{.*}} + %[[R0]]
  // CHECK-NEXT: scf.yield %[[R1]] : vector<16xf32>
  // CHECK-NOT: layout.
  gpu.func @loop(%a: memref<64x64xf16>, %b: memref<64x64xf16>, %c: memref<64x64xf32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>, layout.scope = #layout.scope<workgroup>} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %z = arith.constant 0.0 : f16
    %acc = arith.constant {layout.results = [#c]} dense<0.0> : vector<64x64xf32>
    %r = scf.for %k = %c0 to %c64 step %c16 iter_args(%s = %acc) -> (vector<64x64xf32>) {
      %va = vector.transfer_read %a[%c0, %k], %z {in_bounds = [true, true], layout.results = [#a]} : memref<64x64xf16>, vector<64x16xf16>
      %vb = vector.transfer_read %b[%k, %c0], %z {in_bounds = [true, true], layout.results = [#b]} : memref<64x64xf16>, vector<16x64xf16>
      %n = vector.contract {layout.results = [#c], layout.matrix_instruction = "mfma.f32.32x32x8f16",
                            indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
                            iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %va, %vb, %s
          : vector<64x16xf16>, vector<16x64xf16> into vector<64x64xf32>
      scf.yield %n : vector<64x64xf32>
    } {layout.results = [#c]}
    vector.transfer_write %r, %c[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf32>, memref<64x64xf32>
    gpu.return
  }

  // Two tiles of the result, held for the whole of a contraction.
  // CHECK-LABEL: gpu.func @two_tiles
  // CHECK-COUNT-2: amdgpu.mfma 32x32x8
  // CHECK-NOT: amdgpu.mfma
  gpu.func @two_tiles(%a: memref<64x8xf16>, %b: memref<8x32xf16>, %c: memref<64x32xf32>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>, layout.scope = #layout.scope<wave>} {
    %c0 = arith.constant 0 : index
    %z = arith.constant 0.0 : f16
    %acc = arith.constant {layout.results = [#sums]} dense<0.0> : vector<64x32xf32>
    %va = vector.transfer_read %a[%c0, %c0], %z {in_bounds = [true, true], layout.results = [#tall]} : memref<64x8xf16>, vector<64x8xf16>
    %vb = vector.transfer_read %b[%c0, %c0], %z {in_bounds = [true, true], layout.results = [#thin]} : memref<8x32xf16>, vector<8x32xf16>
    %n = vector.contract {layout.results = [#sums], layout.matrix_instruction = "mfma.f32.32x32x8f16",
                          indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
                          iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %va, %vb, %acc
        : vector<64x8xf16>, vector<8x32xf16> into vector<64x32xf32>
    vector.transfer_write %n, %c[%c0, %c0] {in_bounds = [true, true]} : vector<64x32xf32>, memref<64x32xf32>
    gpu.return
  }

  // An accumulator that no instruction uses is carried by a loop as one flat vector.
  // CHECK-LABEL: gpu.func @flat
  // CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}) -> (vector<32xf32>)
  // CHECK: arith.addf {{.*}} : vector<32x1xf32>
  // CHECK: scf.yield %{{.*}} : vector<32xf32>
  gpu.func @flat(%c: memref<64x32xf32>, %n: index) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>, layout.scope = #layout.scope<wave>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %z = arith.constant 0.0 : f32
    %v = vector.transfer_read %c[%c0, %c0], %z {in_bounds = [true, true], layout.results = [#sums]} : memref<64x32xf32>, vector<64x32xf32>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %v) -> (vector<64x32xf32>) {
      %d = arith.addf %s, %s {layout.results = [#sums]} : vector<64x32xf32>
      scf.yield %d : vector<64x32xf32>
    } {layout.results = [#sums]}
    vector.transfer_write %r, %c[%c0, %c0] {in_bounds = [true, true]} : vector<64x32xf32>, memref<64x32xf32>
    gpu.return
  }
}
