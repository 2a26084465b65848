// RUN: %aircc opt %s --pass-pipeline="builtin.module(gpu.module(air-expand-float-atomics))" | FileCheck %s

gpu.module @m {
  // CHECK-LABEL: gpu.func @atomics
  gpu.func @atomics(%a: memref<4xbf16>, %c: memref<4xf32>, %i: index, %v: bf16, %x: f32) kernel {
    // CHECK:      memref.generic_atomic_rmw %{{.*}}[%{{.*}}] : memref<4xbf16> {
    // CHECK-NEXT: ^bb0(%[[OLD:.*]]: bf16):
    // CHECK-NEXT:   %[[NEW:.*]] = arith.addf %[[OLD]], %{{.*}} : bf16
    // CHECK-NEXT:   memref.atomic_yield %[[NEW]] : bf16
    %0 = memref.atomic_rmw addf %v, %a[%i] : (bf16, memref<4xbf16>) -> bf16
    // An exchange needs no arithmetic, and f32 no loop.
    // CHECK:      memref.atomic_rmw assign
    %2 = memref.atomic_rmw assign %v, %a[%i] : (bf16, memref<4xbf16>) -> bf16
    // CHECK:      memref.atomic_rmw addf
    %3 = memref.atomic_rmw addf %x, %c[%i] : (f32, memref<4xf32>) -> f32
    gpu.return
  }
}
