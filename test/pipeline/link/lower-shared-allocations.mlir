// RUN: %aircc opt %s --link-lower-shared-allocations | FileCheck %s

// Memory that the host shares is allocated by a plain call.

// CHECK-LABEL: func.func @f(
// CHECK-SAME:    %[[N:.*]]: index)
// CHECK:         %[[TIMES:.*]] = arith.muli %{{.*}}, %[[N]]
// CHECK:         %[[COUNT:.*]] = arith.muli %[[TIMES]], %c4
// CHECK:         %[[SHARED:.*]] = llvm.mlir.constant(1 : i8) : i8
// CHECK:         %[[P:.*]] = llvm.call @mgpuMemAlloc(%{{.*}}, %{{.*}}, %[[SHARED]])
// CHECK:         llvm.insertvalue %[[P]]
// CHECK:         memref.view %{{.*}}[%{{.*}}][%[[N]]] : memref<?xi8> to memref<?x4xf32>
func.func @f(%n: index) -> memref<?x4xf32> {
  %m = gpu.alloc host_shared (%n) : memref<?x4xf32>
  return %m : memref<?x4xf32>
}
// Device memory is left to upstream.
// CHECK-LABEL: func.func @d(
// CHECK-NEXT:    gpu.alloc
func.func @d(%n: index) -> memref<?xf32> {
  %m = gpu.alloc (%n) : memref<?xf32>
  return %m : memref<?xf32>
}
