// Ops of lanes are read and written, also in generic form and as bytecode.
// RUN: %aircc opt %s | FileCheck %s
// RUN: %aircc opt %s > %t.mlir
// RUN: %aircc opt %t.mlir | diff %t.mlir -
// RUN: %aircc opt --mlir-print-op-generic %s | %aircc opt | diff %t.mlir -
// RUN: %aircc opt --emit-bytecode %s | %aircc opt | diff %t.mlir -

// CHECK-LABEL: func.func @words
// CHECK-NEXT: kernel.atomic_load device %arg0[%arg1] : i32
// CHECK-NEXT: kernel.atomic_load system %arg0[%arg1] {note} : i64
// CHECK-NEXT: kernel.atomic_store system %{{.*}}, %arg0[%arg1] : i32
// CHECK-NEXT: kernel.atomic_add device %{{.*}}, %arg0[%arg1] : i64
// CHECK-NEXT: kernel.permute_bytes %{{.*}}, %{{.*}} [7, 0, 3, 4]
// CHECK-NEXT: kernel.permute_lanes %{{.*}} [15, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14] : i32
// CHECK-NEXT: kernel.trap
func.func @words(%p: i64, %i: index) {
  %0 = kernel.atomic_load device %p[%i] : i32
  %1 = kernel.atomic_load system %p[%i] {note} : i64
  kernel.atomic_store system %0, %p[%i] : i32
  %2 = kernel.atomic_add device %1, %p[%i] : i64
  %3 = kernel.permute_bytes %0, %0 [7, 0, 3, 4]
  %4 = kernel.permute_lanes %3 [15, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14] : i32
  kernel.trap
  return
}

// CHECK-LABEL: func.func @memrefs
// CHECK-NEXT: kernel.memref_at %arg0 : memref<4xf32, #gpu.address_space<global>>
// CHECK-NEXT: kernel.memref_at %arg0 sizes(%arg1, %arg1) : memref<?x?xf32, #gpu.address_space<global>>
// CHECK-NEXT: kernel.memref_at %arg0 strides(%arg1) : memref<4x8xi8, strided<[?, 1]>, #gpu.address_space<global>>
// CHECK-NEXT: kernel.offset_memref %{{.*}} by %arg0 : memref<4xf32, #gpu.address_space<global>>
func.func @memrefs(%p: i64, %n: index) {
  %0 = kernel.memref_at %p : memref<4xf32, #gpu.address_space<global>>
  %1 = kernel.memref_at %p sizes(%n, %n) : memref<?x?xf32, #gpu.address_space<global>>
  %2 = kernel.memref_at %p strides(%n) : memref<4x8xi8, strided<[?, 1]>, #gpu.address_space<global>>
  %3 = kernel.offset_memref %0 by %p : memref<4xf32, #gpu.address_space<global>>
  return
}
