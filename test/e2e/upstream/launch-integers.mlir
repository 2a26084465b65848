// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// RUN: %aircc %s --target gfx1100 -O0 -o %t.gfx1100 && %t.gfx1100 | FileCheck %s
// CHECK: i32: 66, i64: 66

// Launches whose sizes are integers: each lane of two workgroups of 33 counts.

module attributes {gpu.container_module} {
llvm.func @printf(!llvm.ptr, ...) -> i32
llvm.mlir.global internal constant @format("i32: %d, i64: %d\0A\00") {addr_space = 0 : i32}

gpu.module @kernels {
  gpu.func @count(%out: memref<2xi32>, %at: index) kernel {
    %one = arith.constant 1 : i32
    %old = memref.atomic_rmw addi %one, %out[%at] : (i32, memref<2xi32>) -> i32
    gpu.return
  }
}

func.func private @launch(%out: memref<2xi32>, %block: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  gpu.launch_func @kernels::@count blocks in (%two, %one, %one) threads in (%block, %one, %one) : i32
      args(%out : memref<2xi32>, %c0 : index)
  %wideOne = arith.constant 1 : i64
  %wideTwo = arith.constant 2 : i64
  %wide = arith.extui %block : i32 to i64
  gpu.launch_func @kernels::@count blocks in (%wideTwo, %wideOne, %wideOne) threads in (%wide, %wideOne, %wideOne) : i64
      args(%out : memref<2xi32>, %c1 : index)
  return
}

func.func @main(%argc: i32, %argv: !llvm.ptr) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %out = memref.alloc() : memref<2xi32>
  %any = memref.cast %out : memref<2xi32> to memref<*xi32>
  gpu.host_register %any : memref<*xi32>
  memref.store %zero, %out[%c0] : memref<2xi32>
  memref.store %zero, %out[%c1] : memref<2xi32>
  %block = arith.addi %argc, %c32 : i32
  call @launch(%out, %block) : (memref<2xi32>, i32) -> ()
  %a = memref.load %out[%c0] : memref<2xi32>
  %b = memref.load %out[%c1] : memref<2xi32>
  %format = llvm.mlir.addressof @format : !llvm.ptr
  llvm.call @printf(%format, %a, %b) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i32, i32) -> i32
  return %zero : i32
}
}
