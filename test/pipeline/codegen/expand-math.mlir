// RUN: %aircc opt %s --pass-pipeline="builtin.module(gpu.module(aircc-expand-math,codegen-call-math-functions))" | FileCheck %s

// CHECK-LABEL: gpu.module @predicates
// CHECK: %[[A:.*]] = math.absf %{{.*}} : f32
// CHECK: %[[INF:.*]] = arith.constant 0x7F800000 : f32
// CHECK: arith.cmpf oeq, %[[A]], %[[INF]] : f32
// CHECK-NOT: math.isnormal
// CHECK: arith.cmpf oge
// CHECK: arith.cmpf ole
// CHECK: gpu.return
gpu.module @predicates {
  gpu.func @k(%x: f32, %o: memref<2xi1>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %i = math.isinf %x : f32
    memref.store %i, %o[%c0] : memref<2xi1>
    %n = math.isnormal %x : f32
    memref.store %n, %o[%c1] : memref<2xi1>
    gpu.return
  }
}

// CHECK-LABEL: gpu.module @clamp
// CHECK: gpu.func @k(%[[X:.*]]: f32, %[[LOW:.*]]: f32, %[[HIGH:.*]]: f32,
// CHECK: %[[M:.*]] = arith.minimumf %[[X]], %[[HIGH]] : f32
// CHECK: arith.maximumf %[[M]], %[[LOW]] : f32
gpu.module @clamp {
  gpu.func @k(%x: f32, %low: f32, %high: f32, %o: memref<1xf32>) kernel {
    %c0 = arith.constant 0 : index
    %c = math.clampf %x to [%low, %high] : f32
    memref.store %c, %o[%c0] : memref<1xf32>
    gpu.return
  }
}

// Functions on multi-dimensional vectors are applied to flat vectors; arithmetic ops are lowered
// without this.

// CHECK-LABEL: gpu.module @boxes
// CHECK: vector.shape_cast %{{.*}} : vector<2x3xf32> to vector<6xf32>
// CHECK: math.sin %{{.*}} : vector<6xf32>
// CHECK: math.cos %{{.*}} : vector<6xf32>
// CHECK: arith.addf %{{.*}} : vector<2x3xf32>
gpu.module @boxes {
  gpu.func @k(%m: memref<2x3xf32>) kernel {
    %c0 = arith.constant 0 : index
    %x = vector.load %m[%c0, %c0] : memref<2x3xf32>, vector<2x3xf32>
    %s, %c = math.sincos %x : vector<2x3xf32>
    %r = arith.addf %s, %c : vector<2x3xf32>
    vector.store %r, %m[%c0, %c0] : memref<2x3xf32>, vector<2x3xf32>
    gpu.return
  }
}

// Powers with exponents of one type share a function in their module; functions of the device
// libraries are kept.

// CHECK-LABEL: gpu.module @powers
// CHECK: gpu.func @k
// CHECK: call @[[POWER:__air_math_[0-9]+]](%{{.*}}, %{{.*}}) : (f32, i64) -> f32
// CHECK: call @[[POWER]](%{{.*}}, %{{.*}}) : (f32, i64) -> f32
// CHECK: math.fpowi %{{.*}}, %{{.*}} : f32, i32
// CHECK: func.func private @[[POWER]](%{{.*}}: f32, %{{.*}}: i64) -> f32
// CHECK: call @__mlir_math_fpowi_f32_i64
// CHECK: func.func private @__mlir_math_fpowi_f32_i64
gpu.module @powers {
  gpu.func @k(%x: f32, %n: i64, %m: i32, %o: memref<3xf32>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %a = math.fpowi %x, %n : f32, i64
    memref.store %a, %o[%c0] : memref<3xf32>
    %b = math.fpowi %a, %n : f32, i64
    memref.store %b, %o[%c1] : memref<3xf32>
    %c = math.fpowi %x, %m : f32, i32
    memref.store %c, %o[%c2] : memref<3xf32>
    gpu.return
  }
}
