// RUN: %aircc opt %s --air-matmul-kernels=target=%targets/gfx950.json --split-input-file --verify-diagnostics | FileCheck %s --check-prefixes=CHECK,DIRECT
// RUN: %aircc opt %s --air-matmul-kernels=target=%targets/gfx942.json --split-input-file --verify-diagnostics | FileCheck %s --check-prefixes=CHECK,COPY

// RUN: %aircc opt %s --air-matmul-kernels=target=%targets/bmg.json --split-input-file 2>/dev/null | FileCheck %s --check-prefix=XE

// Waves of Xe read from memory what they multiply, after each has asked for its
// part of a later tile.

// XE-LABEL: func.func @launch
// XE-NOT: air.launch
// XE: gpu.launch
// XE-NOT: workgroup(
// XE: scf.for
// XE: xegpu.prefetch_nd %{{.*}} <{{.*}}layout = #xegpu.layout<sg_layout = [{{.*}}], sg_data = [{{.*}}]>
// XE: xegpu.prefetch_nd
// XE: vector.transfer_read %{{.*}} {in_bounds = [true, true]}
// XE-NEXT: layout.to_layout
// XE-NOT: gpu.barrier
// XE: vector.transfer_read %{{.*}} {in_bounds = [true, true]}
// XE: vector.contract {{.*}} {layout.matrix_instruction = "dpas.f32.8x16x16.f16"}
// XE: scf.yield
// XE: vector.transfer_write
// XE: layout.scope = #layout.scope<workgroup>

// CHECK-LABEL: func.func @launch
// CHECK-NOT: air.launch
// CHECK: gpu.launch {{.*}} workgroup(%{{.*}} : memref<{{.*}}xf16, #gpu.address_space<workgroup>>, %{{.*}} : memref<{{.*}}xf16, #gpu.address_space<workgroup>>)
// CHECK: layout.swizzle_hint
// CHECK: scf.for
// DIRECT-NEXT: layout.async_wait 0
// CHECK-NEXT: gpu.barrier
// DIRECT: vector.transfer_read
// DIRECT: layout.async_dma
// DIRECT: layout.async_dma
// COPY-NOT: layout.async_dma
// CHECK: vector.contract {{.*}} {layout.matrix_instruction = "mfma.f32.16x16x
// COPY-COUNT-2: vector.transfer_write
// CHECK: scf.yield
// CHECK: vector.transfer_write
// CHECK: layout.scope = #layout.scope<workgroup>
func.func @launch(%a: memref<512x512xf16>, %b: memref<512x512xf16>, %c: memref<512x512xf32>) {
  air.launch () in () args(%x=%a, %y=%b, %z=%c) : memref<512x512xf16>, memref<512x512xf16>, memref<512x512xf32> {
    linalg.matmul ins(%x, %y : memref<512x512xf16>, memref<512x512xf16>) outs(%z : memref<512x512xf32>)
  }
  return
}

// -----

// Only where the program says so; other linalg ops go to the device, too.

// CHECK-LABEL: func.func @offload
// CHECK: linalg.matmul
// CHECK: gpu.launch
// CHECK: vector.contract
// CHECK: air.launch
// CHECK: linalg.add
func.func @offload(%a: memref<?x?xf16>, %b: memref<?x?xf16>, %c: memref<?x?xf32>) {
  linalg.matmul ins(%a, %b : memref<?x?xf16>, memref<?x?xf16>) outs(%c : memref<?x?xf32>)
  linalg.matmul {air.offload} ins(%a, %b : memref<?x?xf16>, memref<?x?xf16>) outs(%c : memref<?x?xf32>)
  linalg.add {air.offload} ins(%c, %c : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)
  return
}

// -----

// CHECK-LABEL: func.func @types
// CHECK: air.launch
// CHECK: linalg.matmul
func.func @types(%a: memref<64x64xi64>) {
  air.launch () in () args(%x=%a) : memref<64x64xi64> {
    // expected-remark @+1 {{is not computed by matrix instructions: no matrix instruction of gfx9}}
    linalg.matmul ins(%x, %x : memref<64x64xi64>, memref<64x64xi64>) outs(%x : memref<64x64xi64>)
  }
  return
}
