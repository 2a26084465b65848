// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// RUN: %aircc %s --target gfx1100 -o %t.gfx1100 && %t.gfx1100 | FileCheck %s

// A library function with branches, on an f16 that all lanes share: both sides of
// its branch must reach the result. LLVM 22 drops them in code for gfx11 that
// keeps halves in registers of 16 bits.

// CHECK: 0.5234
// CHECK-NEXT: -0.84

module attributes {gpu.container_module} {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @fmt("%.7f\0A\00") {addr_space = 0 : i32}
  gpu.module @m {
    gpu.func @k(%in: memref<?xf64>, %out: memref<?xf64>) kernel {
      %c0 = arith.constant 0 : index
      %d0 = memref.load %in[%c0] : memref<?xf64>
      %x0 = arith.truncf %d0 : f64 to f16
      %q0 = math.asin %x0 : f16
      %e0 = arith.extf %q0 : f16 to f64
      memref.store %e0, %out[%c0] : memref<?xf64>
      %c1 = arith.constant 1 : index
      %d1 = memref.load %in[%c1] : memref<?xf64>
      %x1 = arith.truncf %d1 : f64 to f16
      %q1 = math.asin %x1 : f16
      %e1 = arith.extf %q1 : f16 to f64
      memref.store %e1, %out[%c1] : memref<?xf64>
      gpu.return
    }
  }
  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %in = memref.alloc(%c2) : memref<?xf64>
    %out = memref.alloc(%c2) : memref<?xf64>
    %inAll = memref.cast %in : memref<?xf64> to memref<*xf64>
    %outAll = memref.cast %out : memref<?xf64> to memref<*xf64>
    gpu.host_register %inAll : memref<*xf64>
    gpu.host_register %outAll : memref<*xf64>
    %a = arith.constant 0.5 : f64
    %b = arith.constant -0.75 : f64
    memref.store %a, %in[%c0] : memref<?xf64>
    memref.store %b, %in[%c1] : memref<?xf64>
    gpu.launch_func @m::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%in : memref<?xf64>, %out : memref<?xf64>)
    %f = llvm.mlir.addressof @fmt : !llvm.ptr
    scf.for %i = %c0 to %c2 step %c1 {
      %v = memref.load %out[%i] : memref<?xf64>
      %n = llvm.call @printf(%f, %v) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, f64) -> i32
    }
    %r = arith.constant 0 : i32
    return %r : i32
  }
}
