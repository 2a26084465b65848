// RUN: %aircc %s --target gfx942 --emit=llvm -o - | FileCheck %s --check-prefixes=CHECK,COPY
// RUN: %aircc %s --target gfx950 --emit=llvm -o - | FileCheck %s --check-prefixes=CHECK,DIRECT

// The unrolled loop of a matmul is scheduled by the strategy that goes over a
// block once, or, if it transposes tiles in registers, by the one that needs the
// fewest registers; kernels of short blocks are left to the backend.

// CHECK: define amdgpu_kernel void @{{.*}}matmul{{.*}} #[[LONG:[0-9]+]]
// COPY: attributes #[[LONG]] = {{.*}}"amdgpu-sched-strategy"="iterative-ilp"
// DIRECT: attributes #[[LONG]] = {{.*}}"amdgpu-sched-strategy"="max-memory-clause"
// CHECK: define amdgpu_kernel void @{{.*}}fill{{.*}} #[[SHORT:[0-9]+]]
// CHECK-NOT: amdgpu-sched-strategy

func.func @matmul(%A: memref<4096x4096xf16>, %B: memref<4096x4096xf16>, %C: memref<4096x4096xf32>) attributes {air.offload} {
  linalg.matmul ins(%A, %B : memref<4096x4096xf16>, memref<4096x4096xf16>) outs(%C : memref<4096x4096xf32>)
  return
}

func.func @fill(%C: memref<4096x4096xf32>) attributes {air.offload} {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%C : memref<4096x4096xf32>)
  return
}
