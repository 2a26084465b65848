// RUN: split-file %s %t
// RUN: %aircc %t/good.mlir --target gfx942 -o %t/gfx942 && %t/gfx942 | FileCheck %t/good.mlir
// RUN: not %aircc %t/bad.mlir --target gfx942 -o %t/bad 2>&1 | FileCheck %t/bad.mlir

// A function of the device libraries is called by its name; a call to an undefined function is an
// error at the call.

//--- good.mlir
// CHECK: 2.50
module attributes {gpu.container_module} {
llvm.func @printf(!llvm.ptr, ...) -> i32
llvm.mlir.global internal constant @format("%.2f\0A\00") {addr_space = 0 : i32}
gpu.module @kernels {
  func.func private @__ocml_hypot_f32(f32, f32) -> f32
  gpu.func @k(%out: memref<1xf32>) kernel {
    %c0 = arith.constant 0 : index
    %x = memref.load %out[%c0] : memref<1xf32>
    %y = arith.constant 1.5 : f32
    %z = func.call @__ocml_hypot_f32(%x, %y) : (f32, f32) -> f32
    memref.store %z, %out[%c0] : memref<1xf32>
    gpu.return
  }
}
func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %two = arith.constant 2.0 : f32
  %out = memref.alloc() : memref<1xf32>
  %any = memref.cast %out : memref<1xf32> to memref<*xf32>
  gpu.host_register %any : memref<*xf32>
  memref.store %two, %out[%c0] : memref<1xf32>
  gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%out : memref<1xf32>)
  %z = memref.load %out[%c0] : memref<1xf32>
  %d = arith.extf %z : f32 to f64
  %format = llvm.mlir.addressof @format : !llvm.ptr
  llvm.call @printf(%format, %d) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, f64) -> i32
  %status = arith.constant 0 : i32
  return %status : i32
}
}

//--- bad.mlir
module attributes {gpu.container_module} {
gpu.module @kernels {
  func.func private @elsewhere(f32) -> f32
  gpu.func @k(%out: memref<1xf32>) kernel {
    %c0 = arith.constant 0 : index
    %x = memref.load %out[%c0] : memref<1xf32>
    // CHECK: bad.mlir:[[#@LINE+1]]:{{[0-9]+}}: error: calls 'elsewhere', which is not defined; GPU code can only call functions in its own gpu.module and in the device libraries
    %z = func.call @elsewhere(%x) : (f32) -> f32
    memref.store %z, %out[%c0] : memref<1xf32>
    gpu.return
  }
}
func.func @main() {
  return
}
}
