// RUN: %aircc opt %s --aircc-expand-dynamic-reshapes | FileCheck %s
// RUN: %aircc opt %s --aircc-expand-dynamic-reshapes --expand-strided-metadata | FileCheck %s --check-prefix=EXPANDED

// EXPANDED-NOT: memref.expand_shape

// CHECK-LABEL: func.func @contiguous(
// CHECK-SAME:    %[[M:.*]]: memref<?x4xf32>, %[[A:.*]]: index, %[[B:.*]]: index)
// CHECK:         %[[BASE:.*]], %[[OFFSET:.*]], %[[SIZES:.*]]:2, %[[STRIDES:.*]]:2 = memref.extract_strided_metadata %[[M]]
// CHECK:         %[[OUTER:.*]] = arith.muli %[[STRIDES]]#0, %[[B]]
// CHECK:         memref.reinterpret_cast %[[BASE]] to offset: [0], sizes: [%[[A]], %[[B]], 4], strides: [%[[OUTER]], 4, 1]
func.func @contiguous(%m: memref<?x4xf32>, %a: index, %b: index) -> memref<?x?x4xf32> {
  %0 = memref.expand_shape %m [[0, 1], [2]] output_shape [%a, %b, 4] : memref<?x4xf32> into memref<?x?x4xf32>
  return %0 : memref<?x?x4xf32>
}

// CHECK-LABEL: func.func @strided(
// CHECK:         memref.reinterpret_cast %{{.*}} to offset: [%{{.*}}], sizes: [%{{.*}}, 2, %{{.*}}], strides: [%{{.*}}, %{{.*}}, 3]
func.func @strided(%m: memref<?xf32, strided<[3], offset: ?>>, %a: index, %b: index)
    -> memref<?x2x?xf32, strided<[?, ?, 3], offset: ?>> {
  %0 = memref.expand_shape %m [[0, 1, 2]] output_shape [%a, 2, %b]
      : memref<?xf32, strided<[3], offset: ?>> into memref<?x2x?xf32, strided<[?, ?, 3], offset: ?>>
  return %0 : memref<?x2x?xf32, strided<[?, ?, 3], offset: ?>>
}

// Upstream computes one dynamic size.
// CHECK-LABEL: func.func @one_size(
// CHECK:         memref.expand_shape
func.func @one_size(%m: memref<?xf32>, %a: index) -> memref<?x2xf32> {
  %0 = memref.expand_shape %m [[0, 1]] output_shape [%a, 2] : memref<?xf32> into memref<?x2xf32>
  return %0 : memref<?x2xf32>
}
