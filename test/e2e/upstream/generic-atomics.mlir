// A loop around a compare-and-swap on floats of each size, in global memory and
// in LDS, whose buffers the kernel allocates in space 3. 128 lanes, in 2
// workgroups, add 1 where the value is below 100, and 0.5 else: 114 in all,
// exactly in each type, whatever the order. Of each workgroup, 64 in LDS.
// The product of 10 twos is 1024.

// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// RUN: %aircc %s --target gfx90a -O0 -o %t.gfx90a && %t.gfx90a | FileCheck %s
// RUN: %aircc %s --target gfx1100 -o %t.gfx1100 && %t.gfx1100 | FileCheck %s
// RUN: %aircc %s --target gfx1201 -O3 -o %t.gfx1201 && %t.gfx1201 | FileCheck %s
// RUN: %aircc %s --target bmg -o %t.bmg && %t.bmg | FileCheck %s
// CHECK:      f32: 114 64
// CHECK-NEXT: f64: 114 64
// CHECK-NEXT: f16: 114 64
// CHECK-NEXT: bf16: 114 64
// CHECK-NEXT: product: 1024

module {
llvm.func @printf(!llvm.ptr, ...) -> i32
llvm.mlir.global internal constant @text_f32("f32: %g %g\0A\00") {addr_space = 0 : i32}
llvm.mlir.global internal constant @text_f64("f64: %g %g\0A\00") {addr_space = 0 : i32}
llvm.mlir.global internal constant @text_f16("f16: %g %g\0A\00") {addr_space = 0 : i32}
llvm.mlir.global internal constant @text_bf16("bf16: %g %g\0A\00") {addr_space = 0 : i32}
llvm.mlir.global internal constant @text_product("product: %g\0A\00") {addr_space = 0 : i32}

func.func private @run_f32() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c6 = arith.constant 6 : index
  %c64 = arith.constant 64 : index
  %z64 = arith.constant 0.0 : f64
  %zero = arith.constant 0.0 : f32
  %m = memref.alloc() : memref<8xf32>
  linalg.fill ins(%zero : f32) outs(%m : memref<8xf32>)
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c2, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
    %k0 = arith.constant 0 : index
    %k1 = arith.constant 1 : index
    %k6 = arith.constant 6 : index
    %one = arith.constant 1.0 : f32
    %half = arith.constant 0.5 : f32
    %hundred = arith.constant 100.0 : f32
    %none = arith.constant 0.0 : f32
    %l = memref.alloc() : memref<2xf32, 3>
    %first = arith.cmpi eq, %tx, %k0 : index
    scf.if %first {
      memref.store %none, %l[%k0] : memref<2xf32, 3>
      memref.store %none, %l[%k1] : memref<2xf32, 3>
    }
    gpu.barrier
    %old = memref.generic_atomic_rmw %m[%k6] : memref<8xf32> {
    ^bb0(%value: f32):
      %below = arith.cmpf olt, %value, %hundred : f32
      %step = arith.select %below, %one, %half : f32
      %next = arith.addf %value, %step : f32
      memref.atomic_yield %next : f32
    }
    %before = memref.generic_atomic_rmw %l[%k1] : memref<2xf32, 3> {
    ^bb0(%value: f32):
      %next = arith.addf %value, %one : f32
      memref.atomic_yield %next : f32
    }
    gpu.barrier
    scf.if %first {
      %place = arith.addi %bx, %bx : index
      %sum = memref.load %l[%k1] : memref<2xf32, 3>
      memref.store %sum, %m[%place] : memref<8xf32>
    }
    memref.dealloc %l : memref<2xf32, 3>
    gpu.terminator
  }
  %a = memref.load %m[%c6] : memref<8xf32>
  %b = memref.load %m[%c2] : memref<8xf32>
  %x = arith.extf %a : f32 to f64
  %y = arith.extf %b : f32 to f64
  %text = llvm.mlir.addressof @text_f32 : !llvm.ptr
  llvm.call @printf(%text, %x, %y) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, f64, f64) -> i32
  memref.dealloc %m : memref<8xf32>
  return
}

func.func private @run_f64() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c6 = arith.constant 6 : index
  %c64 = arith.constant 64 : index
  %z64 = arith.constant 0.0 : f64
  %zero = arith.constant 0.0 : f64
  %m = memref.alloc() : memref<8xf64>
  linalg.fill ins(%zero : f64) outs(%m : memref<8xf64>)
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c2, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
    %k0 = arith.constant 0 : index
    %k1 = arith.constant 1 : index
    %k6 = arith.constant 6 : index
    %one = arith.constant 1.0 : f64
    %half = arith.constant 0.5 : f64
    %hundred = arith.constant 100.0 : f64
    %none = arith.constant 0.0 : f64
    %l = memref.alloc() : memref<2xf64, 3>
    %first = arith.cmpi eq, %tx, %k0 : index
    scf.if %first {
      memref.store %none, %l[%k0] : memref<2xf64, 3>
      memref.store %none, %l[%k1] : memref<2xf64, 3>
    }
    gpu.barrier
    %old = memref.generic_atomic_rmw %m[%k6] : memref<8xf64> {
    ^bb0(%value: f64):
      %below = arith.cmpf olt, %value, %hundred : f64
      %step = arith.select %below, %one, %half : f64
      %next = arith.addf %value, %step : f64
      memref.atomic_yield %next : f64
    }
    %before = memref.generic_atomic_rmw %l[%k1] : memref<2xf64, 3> {
    ^bb0(%value: f64):
      %next = arith.addf %value, %one : f64
      memref.atomic_yield %next : f64
    }
    gpu.barrier
    scf.if %first {
      %place = arith.addi %bx, %bx : index
      %sum = memref.load %l[%k1] : memref<2xf64, 3>
      memref.store %sum, %m[%place] : memref<8xf64>
    }
    memref.dealloc %l : memref<2xf64, 3>
    gpu.terminator
  }
  %a = memref.load %m[%c6] : memref<8xf64>
  %b = memref.load %m[%c2] : memref<8xf64>
  %x = arith.addf %a, %z64 : f64
  %y = arith.addf %b, %z64 : f64
  %text = llvm.mlir.addressof @text_f64 : !llvm.ptr
  llvm.call @printf(%text, %x, %y) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, f64, f64) -> i32
  memref.dealloc %m : memref<8xf64>
  return
}

func.func private @run_f16() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c6 = arith.constant 6 : index
  %c64 = arith.constant 64 : index
  %z64 = arith.constant 0.0 : f64
  %zero = arith.constant 0.0 : f16
  %m = memref.alloc() : memref<8xf16>
  linalg.fill ins(%zero : f16) outs(%m : memref<8xf16>)
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c2, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
    %k0 = arith.constant 0 : index
    %k1 = arith.constant 1 : index
    %k6 = arith.constant 6 : index
    %one = arith.constant 1.0 : f16
    %half = arith.constant 0.5 : f16
    %hundred = arith.constant 100.0 : f16
    %none = arith.constant 0.0 : f16
    %l = memref.alloc() : memref<2xf16, 3>
    %first = arith.cmpi eq, %tx, %k0 : index
    scf.if %first {
      memref.store %none, %l[%k0] : memref<2xf16, 3>
      memref.store %none, %l[%k1] : memref<2xf16, 3>
    }
    gpu.barrier
    %old = memref.generic_atomic_rmw %m[%k6] : memref<8xf16> {
    ^bb0(%value: f16):
      %below = arith.cmpf olt, %value, %hundred : f16
      %step = arith.select %below, %one, %half : f16
      %next = arith.addf %value, %step : f16
      memref.atomic_yield %next : f16
    }
    %before = memref.generic_atomic_rmw %l[%k1] : memref<2xf16, 3> {
    ^bb0(%value: f16):
      %next = arith.addf %value, %one : f16
      memref.atomic_yield %next : f16
    }
    gpu.barrier
    scf.if %first {
      %place = arith.addi %bx, %bx : index
      %sum = memref.load %l[%k1] : memref<2xf16, 3>
      memref.store %sum, %m[%place] : memref<8xf16>
    }
    memref.dealloc %l : memref<2xf16, 3>
    gpu.terminator
  }
  %a = memref.load %m[%c6] : memref<8xf16>
  %b = memref.load %m[%c2] : memref<8xf16>
  %x = arith.extf %a : f16 to f64
  %y = arith.extf %b : f16 to f64
  %text = llvm.mlir.addressof @text_f16 : !llvm.ptr
  llvm.call @printf(%text, %x, %y) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, f64, f64) -> i32
  memref.dealloc %m : memref<8xf16>
  return
}

func.func private @run_bf16() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c6 = arith.constant 6 : index
  %c64 = arith.constant 64 : index
  %z64 = arith.constant 0.0 : f64
  %zero = arith.constant 0.0 : bf16
  %m = memref.alloc() : memref<8xbf16>
  linalg.fill ins(%zero : bf16) outs(%m : memref<8xbf16>)
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c2, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
    %k0 = arith.constant 0 : index
    %k1 = arith.constant 1 : index
    %k6 = arith.constant 6 : index
    %one = arith.constant 1.0 : bf16
    %half = arith.constant 0.5 : bf16
    %hundred = arith.constant 100.0 : bf16
    %none = arith.constant 0.0 : bf16
    %l = memref.alloc() : memref<2xbf16, 3>
    %first = arith.cmpi eq, %tx, %k0 : index
    scf.if %first {
      memref.store %none, %l[%k0] : memref<2xbf16, 3>
      memref.store %none, %l[%k1] : memref<2xbf16, 3>
    }
    gpu.barrier
    %old = memref.generic_atomic_rmw %m[%k6] : memref<8xbf16> {
    ^bb0(%value: bf16):
      %below = arith.cmpf olt, %value, %hundred : bf16
      %step = arith.select %below, %one, %half : bf16
      %next = arith.addf %value, %step : bf16
      memref.atomic_yield %next : bf16
    }
    %before = memref.generic_atomic_rmw %l[%k1] : memref<2xbf16, 3> {
    ^bb0(%value: bf16):
      %next = arith.addf %value, %one : bf16
      memref.atomic_yield %next : bf16
    }
    gpu.barrier
    scf.if %first {
      %place = arith.addi %bx, %bx : index
      %sum = memref.load %l[%k1] : memref<2xbf16, 3>
      memref.store %sum, %m[%place] : memref<8xbf16>
    }
    memref.dealloc %l : memref<2xbf16, 3>
    gpu.terminator
  }
  %a = memref.load %m[%c6] : memref<8xbf16>
  %b = memref.load %m[%c2] : memref<8xbf16>
  %x = arith.extf %a : bf16 to f64
  %y = arith.extf %b : bf16 to f64
  %text = llvm.mlir.addressof @text_bf16 : !llvm.ptr
  llvm.call @printf(%text, %x, %y) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, f64, f64) -> i32
  memref.dealloc %m : memref<8xbf16>
  return
}

func.func @main() {
  call @run_f32() : () -> ()
  call @run_f64() : () -> ()
  call @run_f16() : () -> ()
  call @run_bf16() : () -> ()
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %one = arith.constant 1.0 : f32
  %m = memref.alloc() : memref<1xf32>
  memref.store %one, %m[%c0] : memref<1xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c10, %sy = %c1, %sz = %c1) {
    %k0 = arith.constant 0 : index
    %two = arith.constant 2.0 : f32
    %old = memref.atomic_rmw mulf %two, %m[%k0] : (f32, memref<1xf32>) -> f32
    gpu.terminator
  }
  %a = memref.load %m[%c0] : memref<1xf32>
  %x = arith.extf %a : f32 to f64
  %text = llvm.mlir.addressof @text_product : !llvm.ptr
  llvm.call @printf(%text, %x) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, f64) -> i32
  memref.dealloc %m : memref<1xf32>
  return
}
}
