// RUN: %aircc %s --target gfx950 --emit=llvm -o - | FileCheck %s

// The unrolled loop of a matmul is scheduled by the strategy that goes over a
// block once; if its accesses are put between matrix instructions, by one that
// needs few registers, or that keeps the order if reads transpose tiles. Kernels
// of short blocks are left to the backend.

// CHECK: define amdgpu_kernel void @{{.*}}nn{{.*}} #[[NN:[0-9]+]]
// CHECK: attributes #[[NN]] = {{.*}}"amdgpu-sched-strategy"="iterative-ilp"
// CHECK: define amdgpu_kernel void @{{.*}}nt{{.*}} #[[NT:[0-9]+]]
// CHECK: attributes #[[NT]] = {{.*}}"amdgpu-sched-strategy"="iterative-maxocc"
// CHECK: define amdgpu_kernel void @{{.*}}words{{.*}} #[[WORDS:[0-9]+]]
// CHECK: attributes #[[WORDS]] = {{.*}}"amdgpu-sched-strategy"="max-memory-clause"
// CHECK: define amdgpu_kernel void @{{.*}}fill{{.*}} #[[SHORT:[0-9]+]]
// CHECK-NOT: amdgpu-sched-strategy

func.func @nn(%A: memref<4096x4096xf16>, %B: memref<4096x4096xf16>, %C: memref<4096x4096xf32>) attributes {air.offload} {
  linalg.matmul ins(%A, %B : memref<4096x4096xf16>, memref<4096x4096xf16>) outs(%C : memref<4096x4096xf32>)
  return
}

func.func @nt(%A: memref<4096x4096xf16>, %B: memref<4096x4096xf16>, %C: memref<4096x4096xf32>) attributes {air.offload} {
  linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
    ins(%A, %B : memref<4096x4096xf16>, memref<4096x4096xf16>) outs(%C : memref<4096x4096xf32>)
  return
}

func.func @words(%A: memref<4096x4096xf32>, %B: memref<4096x4096xf32>, %C: memref<4096x4096xf32>) attributes {air.offload} {
  linalg.matmul ins(%A, %B : memref<4096x4096xf32>, memref<4096x4096xf32>) outs(%C : memref<4096x4096xf32>)
  return
}

func.func @fill(%C: memref<4096x4096xf32>) attributes {air.offload} {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%C : memref<4096x4096xf32>)
  return
}
