// RUN: %aircc %s --target gfx90a -O1 -o %t.gfx90a && %t.gfx90a | FileCheck %s
// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// RUN: %aircc %s --target gfx942 -O0 -o %t.O0 && %t.O0 | FileCheck %s
// RUN: %aircc %s --target gfx950 -O3 -o %t.gfx950 && %t.gfx950 | FileCheck %s
// RUN: %aircc %s --target gfx1100 -o %t.gfx1100 && %t.gfx1100 | FileCheck %s
// RUN: %aircc %s --target gfx1201 -O0 -o %t.gfx1201 && %t.gfx1201 | FileCheck %s
// RUN: %aircc %s --target gfx1100 --wave-size 64 -o %t.wave64 && %t.wave64 | FileCheck %s

// Lanes 4n and 4n+3 compare with NaN, 4n+1 equal numbers, 4n+2 different ones.
// "Ordered and not equal" is true in the last, however it is written.
// CHECK:      f32 44444444
// CHECK-NEXT: negated 44444444
// CHECK-NEXT: joined 44444444
// CHECK-NEXT: ordered 44444444
// CHECK-NEXT: not if odd 44444444
// CHECK-NEXT: unordered dddddddd
// CHECK-NEXT: f16 44444444
// CHECK-NEXT: f64 44444444

module attributes {gpu.container_module} {
llvm.func @printf(!llvm.ptr, ...) -> i32
llvm.mlir.global internal constant @format("f32 %x\0Anegated %x\0Ajoined %x\0Aordered %x\0Anot if odd %x\0Aunordered %x\0Af16 %x\0Af64 %x\0A\00") {addr_space = 0 : i32}

gpu.module @kernels {
  gpu.func @k(%in: memref<64xf32>, %out: memref<8x64xi64>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c5 = arith.constant 5 : index
    %c6 = arith.constant 6 : index
    %c7 = arith.constant 7 : index
    %true = arith.constant true
    %false = arith.constant false
    %tid = gpu.thread_id x
    %a = memref.load %in[%tid] : memref<64xf32>
    %odd = arith.andi %tid, %c1 : index
    %is_odd = arith.cmpi eq, %odd, %c1 : index
    %two = arith.constant 2.0 : f32
    %b = arith.select %is_odd, %a, %two : f32

    %one = arith.cmpf one, %a, %b : f32
    %m0 = rocdl.ballot %one : i64
    memref.store %m0, %out[%c0, %tid] : memref<8x64xi64>

    %ueq = arith.cmpf ueq, %a, %b : f32
    %negated = arith.xori %ueq, %true : i1
    %m1 = rocdl.ballot %negated : i64
    memref.store %m1, %out[%c1, %tid] : memref<8x64xi64>

    %less = arith.cmpf olt, %a, %b : f32
    %greater = arith.cmpf ogt, %a, %b : f32
    %joined = arith.ori %less, %greater : i1
    %m2 = rocdl.ballot %joined : i64
    memref.store %m2, %out[%c2, %tid] : memref<8x64xi64>

    %ordered = arith.cmpf ord, %a, %b : f32
    %une = arith.cmpf une, %a, %b : f32
    %both = arith.select %ordered, %une, %false : i1
    %m3 = rocdl.ballot %both : i64
    memref.store %m3, %out[%c3, %tid] : memref<8x64xi64>

    %even = arith.xori %is_odd, %true : i1
    %here = arith.andi %one, %even : i1
    %m4 = rocdl.ballot %here : i64
    memref.store %m4, %out[%c4, %tid] : memref<8x64xi64>

    %m5 = rocdl.ballot %une : i64
    memref.store %m5, %out[%c5, %tid] : memref<8x64xi64>

    %a16 = arith.truncf %a : f32 to f16
    %b16 = arith.truncf %b : f32 to f16
    %one16 = arith.cmpf one, %a16, %b16 : f16
    %m6 = rocdl.ballot %one16 : i64
    memref.store %m6, %out[%c6, %tid] : memref<8x64xi64>

    %a64 = arith.extf %a : f32 to f64
    %b64 = arith.extf %b : f32 to f64
    %one64 = arith.cmpf one, %a64, %b64 : f64
    %m7 = rocdl.ballot %one64 : i64
    memref.store %m7, %out[%c7, %tid] : memref<8x64xi64>
    gpu.return
  }
}

func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %n = arith.constant 64 : index
  %nan = arith.constant 0x7fc00000 : f32
  %number = arith.constant 5.0 : f32
  %in = memref.alloc() : memref<64xf32>
  scf.for %i = %c0 to %n step %c1 {
    %rest = arith.andi %i, %c3 : index
    %first = arith.cmpi eq, %rest, %c0 : index
    %last = arith.cmpi eq, %rest, %c3 : index
    %is_nan = arith.ori %first, %last : i1
    %v = arith.select %is_nan, %nan, %number : f32
    memref.store %v, %in[%i] : memref<64xf32>
  }
  %out = memref.alloc() : memref<8x64xi64>
  %any_in = memref.cast %in : memref<64xf32> to memref<*xf32>
  gpu.host_register %any_in : memref<*xf32>
  %any_out = memref.cast %out : memref<8x64xi64> to memref<*xi64>
  gpu.host_register %any_out : memref<*xi64>
  gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%n, %c1, %c1) args(%in : memref<64xf32>, %out : memref<8x64xi64>)
  %text = llvm.mlir.addressof @format : !llvm.ptr
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %c7 = arith.constant 7 : index
  %m0 = memref.load %out[%c0, %c0] : memref<8x64xi64>
  %m1 = memref.load %out[%c1, %c0] : memref<8x64xi64>
  %m2 = memref.load %out[%c2, %c0] : memref<8x64xi64>
  %m3 = memref.load %out[%c3, %c0] : memref<8x64xi64>
  %m4 = memref.load %out[%c4, %c0] : memref<8x64xi64>
  %m5 = memref.load %out[%c5, %c0] : memref<8x64xi64>
  %m6 = memref.load %out[%c6, %c0] : memref<8x64xi64>
  %m7 = memref.load %out[%c7, %c0] : memref<8x64xi64>
  %r = llvm.call @printf(%text, %m0, %m1, %m2, %m3, %m4, %m5, %m6, %m7) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i64, i64, i64, i64, i64, i64, i64) -> i32
  %status = arith.constant 0 : i32
  return %status : i32
}
}
