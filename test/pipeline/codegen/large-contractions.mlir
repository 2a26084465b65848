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

  // Operands that are constant or read from memory, and results that are written there, are copied row by row. Rows are
  // read before the later store.
  // CHECK-LABEL: gpu.func @memory
  // CHECK-DAG:     %[[ZEROS:.*]] = arith.constant dense<0.000000e+00> : vector<16xf32>
  // CHECK-DAG:     %[[LHS:.*]] = memref.alloca() : memref<16x32xf32, #gpu.address_space<private>>
  // CHECK-DAG:     %[[RHS:.*]] = memref.alloca() : memref<32x16xf32, #gpu.address_space<private>>
  // CHECK-DAG:     %[[SUMS:.*]] = memref.alloca() : memref<16x16xf32, #gpu.address_space<private>>
  // CHECK:         scf.for %[[I:.*]] = %c0 to %c16
  // CHECK:           %[[ROW:.*]] = arith.addi %{{.*}}, %[[I]]
  // CHECK:           %[[A:.*]] = vector.load %{{.*}}[%[[ROW]], %{{.*}}] : memref<64x64xf32>, vector<32xf32>
  // CHECK:           vector.store %[[A]], %[[LHS]][%[[I]], %c0]
  // CHECK:         scf.for %[[I:.*]] = %c0 to %c32
  // CHECK:           vector.store %{{.*}}, %[[RHS]][%[[I]], %c0]
  // CHECK:         memref.store
  // CHECK:         scf.for %[[I:.*]] = %c0 to %c16
  // CHECK-NEXT:      vector.store %[[ZEROS]], %[[SUMS]][%[[I]], %c0]
  // CHECK:         vector.fma {{.*}} : vector<16xf32>
  // CHECK-NOT:     vector.fma
  // CHECK:         scf.for %[[I:.*]] = %c0 to %c16
  // CHECK-NEXT:      %[[R:.*]] = vector.load %[[SUMS]][%[[I]], %c0]
  // CHECK-NEXT:      vector.store %[[R]], %{{.*}}[%[[I]], %c0] : memref<16x16xf32>
  // CHECK:         gpu.return
  gpu.func @memory(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %i: index, %f: f32, %out: memref<16x16xf32>) kernel {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    %zeros = arith.constant dense<0.0> : vector<16x16xf32>
    %va = vector.transfer_read %a[%i, %i], %zero {in_bounds = [true, true]} : memref<64x64xf32>, vector<16x32xf32>
    %vb = vector.transfer_read %b[%i, %i], %zero {in_bounds = [true, true]} : memref<64x64xf32>, vector<32x16xf32>
    memref.store %f, %a[%i, %i] : memref<64x64xf32>
    %r = vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %va, %vb, %zeros
      : vector<16x32xf32>, vector<32x16xf32> into vector<16x16xf32>
    vector.transfer_write %r, %out[%c0, %c0] {in_bounds = [true, true]} : vector<16x16xf32>, memref<16x16xf32>
    gpu.return
  }

  // Vectors with rows that may be out of bounds, and results with other uses, remain vectors.
  // CHECK-LABEL: gpu.func @bounds
  // CHECK:         vector.transfer_read {{.*}} : memref<?x64xf32>, vector<16x32xf32>
  // CHECK:         vector.fma {{.*}} : vector<16xf32>
  // CHECK:         vector.transfer_write {{.*}} : vector<16x16xf32>, memref<16x16xf32>
  // CHECK:         vector.transfer_write {{.*}} : vector<16x16xf32>, memref<16x16xf32>
  gpu.func @bounds(%a: memref<?x64xf32>, %b: vector<32x16xf32>, %c: vector<16x16xf32>, %out: memref<16x16xf32>, %out2: memref<16x16xf32>) kernel {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    %va = vector.transfer_read %a[%c0, %c0], %zero {in_bounds = [false, true]} : memref<?x64xf32>, vector<16x32xf32>
    %r = vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %va, %b, %c
      : vector<16x32xf32>, vector<32x16xf32> into vector<16x16xf32>
    vector.transfer_write %r, %out[%c0, %c0] {in_bounds = [true, true]} : vector<16x16xf32>, memref<16x16xf32>
    vector.transfer_write %r, %out2[%c0, %c0] {in_bounds = [true, true]} : vector<16x16xf32>, memref<16x16xf32>
    gpu.return
  }
}
