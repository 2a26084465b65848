// RUN: %aircc opt %s --pass-pipeline='builtin.module(hierarchy-complete-hierarchy,hierarchy-infer-launches,hierarchy-convert-launches,hierarchy-outline-kernels,gpu.module(hierarchy-expose-parallelism))' | FileCheck %s

// Loops with dependent iterations stay sequential: the vectors of adjacent iterations overlap, and
// two names of a global are one buffer.

memref.global "private" @g : memref<128xi32, #gpu.address_space<workgroup>> = uninitialized

// CHECK-LABEL: gpu.func @vectors_overlap_kernel
// CHECK-NOT: scf.parallel
// CHECK: scf.for
// CHECK-NOT: scf.parallel
// CHECK: gpu.return
func.func @vectors_overlap(%m: memref<64xi32>) {
  air.segment args(%a = %m) : memref<64xi32> {
    %ones = arith.constant dense<1> : vector<4xi32>
    affine.for %i = 0 to 61 {
      %v = affine.vector_load %a[%i] : memref<64xi32>, vector<4xi32>
      %w = arith.addi %v, %ones : vector<4xi32>
      affine.vector_store %w, %a[%i] : memref<64xi32>, vector<4xi32>
    }
  }
  return
}

// CHECK-LABEL: gpu.func @one_global_kernel
// CHECK-NOT: scf.parallel
// CHECK: scf.for
// CHECK-NOT: scf.parallel
// CHECK: gpu.return
func.func @one_global() {
  air.segment {
    %one = arith.constant 1 : i32
    %a = memref.get_global @g : memref<128xi32, #gpu.address_space<workgroup>>
    %b = memref.get_global @g : memref<128xi32, #gpu.address_space<workgroup>>
    affine.for %i = 0 to 127 {
      %v = affine.load %a[%i] : memref<128xi32, #gpu.address_space<workgroup>>
      %w = arith.addi %v, %one : i32
      affine.store %w, %b[%i + 1] : memref<128xi32, #gpu.address_space<workgroup>>
    }
  }
  return
}

// CHECK-LABEL: gpu.func @global_and_allocation_kernel
// CHECK: scf.parallel
// CHECK: gpu.return
func.func @global_and_allocation() {
  air.segment {
    %a = memref.get_global @g : memref<128xi32, #gpu.address_space<workgroup>>
    %b = memref.alloc() : memref<128xi32, 1>
    affine.for %i = 0 to 127 {
      %v = affine.load %a[%i] : memref<128xi32, #gpu.address_space<workgroup>>
      affine.store %v, %b[%i + 1] : memref<128xi32, 1>
    }
  }
  return
}
