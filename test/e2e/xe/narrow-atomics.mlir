// Atomic operations that Intel GPUs lack are lowered to loops, which many lanes execute at the same
// time: on adjacent integers of 8 and 16 bits in one word, on f16, bf16 and f64. The same holds for
// a program's own atomic regions. The programs run under the checker, which does not report the
// first read of such a loop as a race.

// RUN: %aircc %s --target bmg -o %t && %t | FileCheck %s
// RUN: %aircc %s --target pvc -O0 -o %t.O0 && %t.O0 | FileCheck %s
// RUN: %aircc %s --target gfx942 -o %t.amd && %t.amd | FileCheck %s

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c64 = arith.constant 64 : index
  %zero8 = arith.constant 0 : i8
  %zero16 = arith.constant 0 : i16
  %zeroHalf = arith.constant 0.0 : f16
  %zeroDouble = arith.constant 0.0 : f64
  %bytes = gpu.alloc host_shared () : memref<4xi8>
  %shorts = gpu.alloc host_shared () : memref<2xi16>
  %halves = gpu.alloc host_shared () : memref<2xf16>
  %doubles = gpu.alloc host_shared () : memref<3xf64>
  %bhalves = gpu.alloc host_shared () : memref<2xbf16>
  %words = gpu.alloc host_shared () : memref<1xi32>
  %zeroBHalf = arith.constant 0.0 : bf16
  %zero32 = arith.constant 0 : i32
  memref.store %zeroBHalf, %bhalves[%c0] : memref<2xbf16>
  memref.store %zeroBHalf, %bhalves[%c1] : memref<2xbf16>
  memref.store %zero32, %words[%c0] : memref<1xi32>
  memref.store %zero8, %bytes[%c0] : memref<4xi8>
  memref.store %zero8, %bytes[%c1] : memref<4xi8>
  memref.store %zero8, %bytes[%c2] : memref<4xi8>
  memref.store %zero8, %bytes[%c3] : memref<4xi8>
  memref.store %zero16, %shorts[%c0] : memref<2xi16>
  memref.store %zero16, %shorts[%c1] : memref<2xi16>
  memref.store %zeroHalf, %halves[%c0] : memref<2xf16>
  memref.store %zeroHalf, %halves[%c1] : memref<2xf16>
  memref.store %zeroDouble, %doubles[%c0] : memref<3xf64>
  memref.store %zeroDouble, %doubles[%c1] : memref<3xf64>
  memref.store %zeroDouble, %doubles[%c2] : memref<3xf64>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c2, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
    %one8 = arith.constant 1 : i8
    %three8 = arith.constant 3 : i8
    %one16 = arith.constant 1 : i16
    %oneHalf = arith.constant 1.0 : f16
    %oneDouble = arith.constant 1.0 : f64
    %id32 = arith.index_cast %tx : index to i32
    %id8 = arith.trunci %id32 : i32 to i8
    %id16 = arith.trunci %id32 : i32 to i16
    %idHalf = arith.sitofp %id32 : i32 to f16
    %idDouble = arith.sitofp %id32 : i32 to f64
    // 128 and 384 wrap around in 8 bits.
    %a = memref.atomic_rmw addi %one8, %bytes[%c0] : (i8, memref<4xi8>) -> i8
    %b = memref.atomic_rmw addi %three8, %bytes[%c1] : (i8, memref<4xi8>) -> i8
    %c = memref.atomic_rmw maxu %id8, %bytes[%c2] : (i8, memref<4xi8>) -> i8
    %d = memref.atomic_rmw ori %id8, %bytes[%c3] : (i8, memref<4xi8>) -> i8
    %e = memref.atomic_rmw addi %one16, %shorts[%c0] : (i16, memref<2xi16>) -> i16
    %f = memref.atomic_rmw addi %id16, %shorts[%c1] : (i16, memref<2xi16>) -> i16
    %g = memref.atomic_rmw addf %oneHalf, %halves[%c0] : (f16, memref<2xf16>) -> f16
    %h = memref.atomic_rmw maxnumf %idHalf, %halves[%c1] : (f16, memref<2xf16>) -> f16
    %oneBHalf = arith.constant 1.0 : bf16
    %idBHalf = arith.sitofp %id32 : i32 to bf16
    %l = memref.atomic_rmw addf %oneBHalf, %bhalves[%c0] : (bf16, memref<2xbf16>) -> bf16
    %m = memref.atomic_rmw maximumf %idBHalf, %bhalves[%c1] : (bf16, memref<2xbf16>) -> bf16
    %three = arith.constant 3 : i32
    %n = memref.generic_atomic_rmw %words[%c0] : memref<1xi32> {
    ^bb0(%old: i32):
      %new = arith.addi %old, %three : i32
      memref.atomic_yield %new : i32
    }
    %i = memref.atomic_rmw addf %oneDouble, %doubles[%c0] : (f64, memref<3xf64>) -> f64
    %j = memref.atomic_rmw addf %idDouble, %doubles[%c1] : (f64, memref<3xf64>) -> f64
    %k = memref.atomic_rmw maxnumf %idDouble, %doubles[%c2] : (f64, memref<3xf64>) -> f64
    gpu.terminator
  }
  // CHECK: ( -128, -128, 63, 63 )
  %v0 = memref.load %bytes[%c0] : memref<4xi8>
  %v1 = memref.load %bytes[%c1] : memref<4xi8>
  %v2 = memref.load %bytes[%c2] : memref<4xi8>
  %v3 = memref.load %bytes[%c3] : memref<4xi8>
  %vBytes = vector.from_elements %v0, %v1, %v2, %v3 : vector<4xi8>
  vector.print %vBytes : vector<4xi8>
  // CHECK: ( 128, 4032 )
  %v4 = memref.load %shorts[%c0] : memref<2xi16>
  %v5 = memref.load %shorts[%c1] : memref<2xi16>
  %vShorts = vector.from_elements %v4, %v5 : vector<2xi16>
  vector.print %vShorts : vector<2xi16>
  // CHECK: ( 128, 63 )
  %v6 = memref.load %halves[%c0] : memref<2xf16>
  %v7 = memref.load %halves[%c1] : memref<2xf16>
  %v8 = arith.extf %v6 : f16 to f32
  %v9 = arith.extf %v7 : f16 to f32
  %vHalves = vector.from_elements %v8, %v9 : vector<2xf32>
  vector.print %vHalves : vector<2xf32>
  // CHECK: ( 128, 63 )
  %v20 = memref.load %bhalves[%c0] : memref<2xbf16>
  %v21 = memref.load %bhalves[%c1] : memref<2xbf16>
  %v22 = arith.extf %v20 : bf16 to f32
  %v23 = arith.extf %v21 : bf16 to f32
  %vBHalves = vector.from_elements %v22, %v23 : vector<2xf32>
  vector.print %vBHalves : vector<2xf32>
  // CHECK: {{^}}384{{$}}
  %v24 = memref.load %words[%c0] : memref<1xi32>
  vector.print %v24 : i32
  // CHECK: ( 128, 4032, 63 )
  %v10 = memref.load %doubles[%c0] : memref<3xf64>
  %v11 = memref.load %doubles[%c1] : memref<3xf64>
  %v12 = memref.load %doubles[%c2] : memref<3xf64>
  %vDoubles = vector.from_elements %v10, %v11, %v12 : vector<3xf64>
  vector.print %vDoubles : vector<3xf64>
  return
}
