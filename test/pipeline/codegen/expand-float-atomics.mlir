// RUN: %aircc opt %s --pass-pipeline="builtin.module(gpu.module(aircc-expand-float-atomics))" | FileCheck %s --check-prefixes=CHECK,NATIVE
// RUN: %aircc opt %s --pass-pipeline="builtin.module(gpu.module(aircc-expand-float-atomics{expand-bf16=true}))" | FileCheck %s --check-prefixes=CHECK,LOOP

gpu.module @m {
  // CHECK-LABEL: gpu.func @atomics
  gpu.func @atomics(%a: memref<4xbf16>, %c: memref<4xf32>, %n: memref<4xi32>, %i: index, %v: bf16, %x: f32, %k: i32) kernel {
    // NATIVE:     memref.atomic_rmw addf
    // LOOP:       %[[BITS:.*]] = builtin.unrealized_conversion_cast %{{.*}} : memref<4xbf16> to memref<4xi16>
    // LOOP-NEXT:  memref.generic_atomic_rmw %[[BITS]][%{{.*}}] : memref<4xi16> {
    // LOOP-NEXT:  ^bb0(%[[OLD:.*]]: i16):
    // LOOP-NEXT:    %[[FROM:.*]] = arith.bitcast %[[OLD]] : i16 to bf16
    // LOOP-NEXT:    %[[NEW:.*]] = arith.addf %[[FROM]], %{{.*}} : bf16
    // LOOP-NEXT:    %[[TO:.*]] = arith.bitcast %[[NEW]] : bf16 to i16
    // LOOP-NEXT:    memref.atomic_yield %[[TO]] : i16
    %0 = memref.atomic_rmw addf %v, %a[%i] : (bf16, memref<4xbf16>) -> bf16
    // An exchange needs no arithmetic, and f32 no loop.
    // CHECK:      memref.atomic_rmw assign
    %2 = memref.atomic_rmw assign %v, %a[%i] : (bf16, memref<4xbf16>) -> bf16
    // CHECK:      memref.atomic_rmw addf
    %3 = memref.atomic_rmw addf %x, %c[%i] : (f32, memref<4xf32>) -> f32
    // No target has an instruction for products.
    // CHECK:      memref.generic_atomic_rmw %{{.*}} : memref<4xi32>
    // CHECK:        arith.mulf
    %4 = memref.atomic_rmw mulf %x, %c[%i] : (f32, memref<4xf32>) -> f32
    // CHECK:      memref.generic_atomic_rmw %{{.*}} : memref<4xi32>
    // CHECK:        arith.muli
    %5 = memref.atomic_rmw muli %k, %n[%i] : (i32, memref<4xi32>) -> i32
    // The result is the old value.
    // CHECK:      %[[R:.*]] = memref.generic_atomic_rmw %{{.*}} : memref<4xi32>
    // CHECK:      %[[F:.*]] = arith.bitcast %[[R]] : i32 to f32
    // CHECK:      memref.store %[[F]]
    %6 = memref.generic_atomic_rmw %c[%i] : memref<4xf32> {
    ^bb0(%old: f32):
      %new = math.absf %old : f32
      memref.atomic_yield %new : f32
    }
    memref.store %6, %c[%i] : memref<4xf32>
    gpu.return
  }
}
