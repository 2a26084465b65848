// RUN: %aircc opt %s --link-lower-transfers | FileCheck %s

// Copies of strided memory become copies of contiguous ranges.

// CHECK-LABEL: func.func @row(
// CHECK:         %{{.*}}, %[[OFFSET:.*]], %{{.*}}, %{{.*}} = memref.extract_strided_metadata %{{.*}} : memref<8xi32, strided<[1], offset: 3>>
// CHECK:         %[[I:.*]] = arith.index_cast %[[OFFSET]] : index to i64
// CHECK-NEXT:    llvm.getelementptr %{{.*}}[%[[I]]] : (!llvm.ptr, i64) -> !llvm.ptr, i32
// CHECK:         gpu.memcpy %{{.*}}, %{{.*}} : memref<?xi32>, memref<?xi32>
func.func @row(%row: memref<8xi32, strided<[1], offset: 3>>, %src: memref<8xi32>) {
  gpu.memcpy %row, %src : memref<8xi32, strided<[1], offset: 3>>, memref<8xi32>
  return
}
// A loop over the rows.
// CHECK-LABEL: func.func @rows(
// CHECK:         %{{.*}}, %{{.*}}, %[[SIZES:.*]]:2, %[[STRIDES:.*]]:2 = memref.extract_strided_metadata %{{.*}} : memref<4x8xi32>
// CHECK:         scf.for %{{.*}} = %c0 to %[[SIZES]]#0 step %c1
// CHECK:           gpu.memcpy %{{.*}}, %{{.*}} : memref<?xi32>, memref<?xi32>
// CHECK-NEXT:    }
func.func @rows(%dst: memref<4x8xi32, strided<[16, 1]>>, %src: memref<4x8xi32>) {
  gpu.memcpy %dst, %src : memref<4x8xi32, strided<[16, 1]>>, memref<4x8xi32>
  return
}
// CHECK-LABEL: func.func @plain(
// CHECK-NEXT:    gpu.memcpy %{{.*}}, %{{.*}} : memref<4x8xi32>, memref<4x8xi32>
func.func @plain(%dst: memref<4x8xi32>, %src: memref<4x8xi32>) {
  gpu.memcpy %dst, %src : memref<4x8xi32>, memref<4x8xi32>
  return
}
