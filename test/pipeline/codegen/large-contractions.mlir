// A contraction of vectors that do not fit into the registers of a lane becomes loops
// over private memory. The parallel dimensions but the last are the outer loops.

// RUN: %aircc opt %s --pass-pipeline='builtin.module(gpu.module(codegen-lower-device-vectors))' | FileCheck %s

gpu.module @m {
  // CHECK-LABEL: gpu.func @large
  // CHECK-DAG:     %[[LHS:.*]] = memref.alloca() : memref<16x32xf32, #gpu.address_space<private>>
  // CHECK-DAG:     %[[RHS:.*]] = memref.alloca() : memref<32x16xf32, #gpu.address_space<private>>
  // CHECK-DAG:     %[[SUMS:.*]] = memref.alloca() : memref<16x16xf32, #gpu.address_space<private>>
  // CHECK:         scf.for %[[I:.*]] = %c0 to %c16
  // CHECK:           scf.for %[[K:.*]] = %c0 to %c32
  // CHECK:             vector.fma {{.*}} : vector<16xf32>
  // CHECK-NOT:         vector.fma
  // CHECK:         gpu.return
  gpu.func @large(%a: vector<16x32xf32>, %b: vector<32x16xf32>, %c: vector<16x16xf32>, %out: memref<16x16xf32>) kernel {
    %c0 = arith.constant 0 : index
    %r = vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %c
      : vector<16x32xf32>, vector<32x16xf32> into vector<16x16xf32>
    vector.transfer_write %r, %out[%c0, %c0] {in_bounds = [true, true]} : vector<16x16xf32>, memref<16x16xf32>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @small
  // CHECK-NOT:     memref.alloca
  // CHECK-NOT:     scf.for
  // CHECK:         gpu.return
  gpu.func @small(%a: vector<8x8xf32>, %b: vector<8x8xf32>, %c: vector<8x8xf32>, %out: memref<8x8xf32>) kernel {
    %c0 = arith.constant 0 : index
    %r = vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %c
      : vector<8x8xf32>, vector<8x8xf32> into vector<8x8xf32>
    vector.transfer_write %r, %out[%c0, %c0] {in_bounds = [true, true]} : vector<8x8xf32>, memref<8x8xf32>
    gpu.return
  }
}
