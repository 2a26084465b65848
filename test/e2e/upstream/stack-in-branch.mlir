// RUN: %aircc %s --target gfx942 -O0 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// RUN: %aircc %s --target gfx1100 -O0 -o %t.gfx1100 && %t.gfx1100 | FileCheck %s
// CHECK: wrong: 0

// An array on the stack, allocated in a branch in a long loop: its address is the same in each
// iteration. Every second iteration adds the value that it stored there.

module attributes {gpu.container_module} {
llvm.func @printf(!llvm.ptr, ...) -> i32
llvm.mlir.global internal constant @format("wrong: %ld\0A\00") {addr_space = 0 : i32}

gpu.module @kernels {
  gpu.func @k(%out: memref<8xi32>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %n = arith.constant 3000 : index
    %zero = arith.constant 0 : i32
    %tid = gpu.thread_id x
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (i32) {
      %low = arith.andi %i, %c1 : index
      %even = arith.cmpi eq, %low, %c0 : index
      %value = scf.if %even -> (i32) {
        %a = memref.alloca() : memref<64xi32>
        %at = arith.remui %i, %c64 : index
        %place = arith.addi %i, %tid : index
        %x = arith.index_cast %place : index to i32
        memref.store %x, %a[%at] : memref<64xi32>
        %y = memref.load %a[%at] : memref<64xi32>
        scf.yield %y : i32
      } else {
        scf.yield %zero : i32
      }
      %next = arith.addi %acc, %value : i32
      scf.yield %next : i32
    }
    memref.store %sum, %out[%tid] : memref<8xi32>
    gpu.return
  }
}

func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %n = arith.constant 3000 : index
  %out = memref.alloc() : memref<8xi32>
  %any = memref.cast %out : memref<8xi32> to memref<*xi32>
  gpu.host_register %any : memref<*xi32>
  gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c8, %c1, %c1) args(%out : memref<8xi32>)
  %wrong = scf.for %t = %c0 to %c8 step %c1 iter_args(%count = %c0) -> (index) {
    %sum = scf.for %i = %c0 to %n step %c2 iter_args(%acc = %c0) -> (index) {
      %x = arith.addi %i, %t : index
      %y = arith.addi %acc, %x : index
      scf.yield %y : index
    }
    %want = arith.index_cast %sum : index to i32
    %got = memref.load %out[%t] : memref<8xi32>
    %differs = arith.cmpi ne, %got, %want : i32
    %more = arith.addi %count, %c1 : index
    %next = arith.select %differs, %more, %count : index
    scf.yield %next : index
  }
  %format = llvm.mlir.addressof @format : !llvm.ptr
  %shown = arith.index_cast %wrong : index to i64
  llvm.call @printf(%format, %shown) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64) -> i32
  %status = arith.index_cast %wrong : index to i32
  return %status : i32
}
}
