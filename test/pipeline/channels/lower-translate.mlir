// RUN: %aircc opt %s --channels-lower-translate --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @moved
// CHECK-SAME: %[[OWN:[^ :]*]]: memref<4x8xf32, strided<[16, 1], offset: 3>>, %[[ME:[^ :]*]]: index, %[[YOU:[^ :]*]]: index, %[[BASES:[^ :]*]]: memref<?xindex>
func.func @moved(%own: memref<4x8xf32, strided<[16, 1], offset: 3>>, %me: index,
                 %you: index, %bases: memref<?xindex>)
    -> memref<4x8xf32, strided<[16, 1], offset: 3>> {
  // CHECK-DAG: %[[TO:.*]] = memref.load %[[BASES]][%[[YOU]]]
  // CHECK-DAG: %[[FROM:.*]] = memref.load %[[BASES]][%[[ME]]]
  // CHECK-DAG: %[[TOI:.*]] = arith.index_cast %[[TO]]
  // CHECK-DAG: %[[FROMI:.*]] = arith.index_cast %[[FROM]]
  // CHECK: %[[DISTANCE:.*]] = arith.subi %[[TOI]], %[[FROMI]] : i64
  // Offset, sizes and strides stay.
  // CHECK: %[[MOVED:.*]] = kernel.offset_memref %[[OWN]] by %[[DISTANCE]] : memref<4x8xf32, strided<[16, 1], offset: 3>>
  // CHECK-NEXT: return %[[MOVED]]
  %peer = air.translate %own, %me, %you, %bases
      : memref<4x8xf32, strided<[16, 1], offset: 3>>, memref<?xindex>
  return %peer : memref<4x8xf32, strided<[16, 1], offset: 3>>
}

// -----

// CHECK-LABEL: func.func @equal
// CHECK-SAME: %[[OWN:[^ :]*]]: memref<8xf32>
// CHECK-NOT: kernel.offset_memref
// CHECK: return %[[OWN]], %[[OWN]]
func.func @equal(%own: memref<8xf32>, %me: index, %bases: memref<?xindex>)
    -> (memref<8xf32>, memref<8xf32>) {
  %a = air.translate %own, %me, %me, %bases : memref<8xf32>, memref<?xindex>
  %c1 = arith.constant 1 : index
  %d1 = arith.constant 1 : index
  %b = air.translate %own, %c1, %d1, %bases : memref<8xf32>, memref<?xindex>
  return %a, %b : memref<8xf32>, memref<8xf32>
}

// -----

gpu.module @kernels {
  // CHECK-LABEL: gpu.func @kernel
  gpu.func @kernel(%own: memref<f64>, %me: index, %you: index,
                   %bases: memref<?xindex>) kernel {
    // CHECK: %[[PEER:.*]] = kernel.offset_memref %{{.*}} by %{{.*}} : memref<f64>
    // CHECK-NOT: air.translate
    // CHECK: memref.load %[[PEER]][]
    %peer = air.translate %own, %me, %you, %bases : memref<f64>, memref<?xindex>
    %v = memref.load %peer[] : memref<f64>
    gpu.return
  }
}
