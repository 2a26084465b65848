// RUN: %aircc opt %s --split-input-file --link-move-constants="file=w.safetensors threshold=64" | FileCheck %s
// RUN: %aircc opt %s --split-input-file --link-move-constants="threshold=64" | FileCheck %s --check-prefix=NONE

// NONE-NOT: file_constant

module attributes {gpu.container_module} {
gpu.module @k {
  memref.global "private" constant @w : memref<4x8xf32> = dense_resource<weights>
  gpu.func @k(%m: memref<4x8xf32>) kernel { gpu.return }
}
// CHECK:       llvm.mlir.global internal constant @aircc.constants_file("w.safetensors\00")
// CHECK:       llvm.mlir.global internal constant @w.file_constant.name("weights\00")
// CHECK:       llvm.mlir.global internal @w.file_constant() {
// CHECK-SAME:      file_constant = {name = "weights", value = dense_resource<weights> : tensor<4x8xf32>}
// CHECK-DAG:     %[[FILE:.*]] = llvm.mlir.addressof @aircc.constants_file
// CHECK-DAG:     %[[NAME:.*]] = llvm.mlir.addressof @w.file_constant.name
// CHECK-DAG:     %[[BYTES:.*]] = llvm.mlir.constant(128 : i64)
// CHECK-DAG:     %[[HASH:.*]] = llvm.mlir.constant({{-?[0-9]+}} : i64)
// CHECK-DAG:     %[[STATE:.*]] = llvm.mlir.zero : !llvm.ptr
// CHECK:         %[[V0:.*]] = llvm.mlir.undef
// CHECK:         %[[V1:.*]] = llvm.insertvalue %[[FILE]], %[[V0]][0]
// CHECK:         %[[V2:.*]] = llvm.insertvalue %[[NAME]], %[[V1]][1]
// CHECK:         %[[V3:.*]] = llvm.insertvalue %[[BYTES]], %[[V2]][2]
// CHECK:         %[[V4:.*]] = llvm.insertvalue %[[HASH]], %[[V3]][3]
// CHECK:         %[[V5:.*]] = llvm.insertvalue %[[STATE]], %[[V4]][4]
// CHECK:         llvm.return %[[V5]]
// CHECK-NOT:   memref.global "private" constant @w
memref.global "private" constant @w : memref<4x8xf32> = dense_resource<weights>

// Only a kernel accesses it, also through a view.
// CHECK-LABEL: func.func @device
// CHECK:         %[[W:.*]] = llvm.mlir.addressof @w.file_constant
// CHECK:         %[[DEVICE:.*]] = llvm.mlir.constant(1 : i32)
// CHECK:         llvm.call @mgpuGetConstant(%[[W]], %[[DEVICE]]) : (!llvm.ptr, i32) -> !llvm.ptr
// CHECK:         builtin.unrealized_conversion_cast {{.*}} to memref<4x8xf32>
func.func @device() {
  %c1 = arith.constant 1 : index
  %w = memref.get_global @w : memref<4x8xf32>
  %v = memref.collapse_shape %w [[0, 1]] : memref<4x8xf32> into memref<32xf32>
  %e = memref.expand_shape %v [[0, 1]] output_shape [4, 8] : memref<32xf32> into memref<4x8xf32>
  gpu.launch_func @k::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%e : memref<4x8xf32>)
  return
}

// CHECK-LABEL: func.func @host
// CHECK:         llvm.mlir.constant(0 : i32)
func.func @host(%i: index) -> f32 {
  %w = memref.get_global @w : memref<4x8xf32>
  %x = memref.load %w[%i, %i] : memref<4x8xf32>
  return %x : f32
}

// CHECK-LABEL: func.func @both
// CHECK:         llvm.mlir.constant(2 : i32)
func.func @both(%i: index) -> f32 {
  %c1 = arith.constant 1 : index
  %w = memref.get_global @w : memref<4x8xf32>
  gpu.launch_func @k::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%w : memref<4x8xf32>)
  %x = memref.load %w[%i, %i] : memref<4x8xf32>
  return %x : f32
}

// The callee may be a kernel's launch or code of the host.
// CHECK-LABEL: func.func @passed
// CHECK:         llvm.mlir.constant(2 : i32)
func.func private @callee(memref<4x8xf32>)
func.func @passed() {
  %w = memref.get_global @w : memref<4x8xf32>
  call @callee(%w) : (memref<4x8xf32>) -> ()
  return
}
}
{-# dialect_resources: {builtin: {weights: "0x040000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"}} #-}

// -----

// These stay: a small one, a public one, a mutable one, one without a value.
// CHECK-NOT: file_constant
// CHECK-DAG: memref.global "private" constant @small
// CHECK-DAG: memref.global constant @visible
// CHECK-DAG: memref.global "private" @mutable
// CHECK-DAG: memref.global "private" constant @uninitialized
memref.global "private" constant @small : memref<15xf32> = dense<1.0>
memref.global constant @visible : memref<64xf32> = dense<1.0>
memref.global "private" @mutable : memref<64xf32> = dense<1.0>
memref.global "private" constant @uninitialized : memref<64xf32> = uninitialized
func.func @uses() -> (memref<15xf32>, memref<64xf32>, memref<64xf32>, memref<64xf32>) {
  %a = memref.get_global @small : memref<15xf32>
  %b = memref.get_global @visible : memref<64xf32>
  %c = memref.get_global @mutable : memref<64xf32>
  %d = memref.get_global @uninitialized : memref<64xf32>
  return %a, %b, %c, %d : memref<15xf32>, memref<64xf32>, memref<64xf32>, memref<64xf32>
}

// -----

// Constants with the same bytes have one name, whatever their form.
// CHECK:     @a.file_constant.name("[[NAME:constant_[0-9a-f]{16}]]\00")
// CHECK:     @b.file_constant.name("[[NAME]]\00")
// CHECK-NOT: @c.file_constant.name("[[NAME]]
memref.global "private" constant @a : memref<64xi8> = dense<1>
memref.global "private" constant @b : memref<8x8xi1> = dense<true>
memref.global "private" constant @c : memref<64xi8> = dense<2>
func.func @f(%i: index) -> (i8, i1, i8) {
  %a = memref.get_global @a : memref<64xi8>
  %b = memref.get_global @b : memref<8x8xi1>
  %c = memref.get_global @c : memref<64xi8>
  %x = memref.load %a[%i] : memref<64xi8>
  %y = memref.load %b[%i, %i] : memref<8x8xi1>
  %z = memref.load %c[%i] : memref<64xi8>
  return %x, %y, %z : i8, i1, i8
}
