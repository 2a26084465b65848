// Funnel shifts by every distance from 0 on, past the width: the parts that leave
// on one side are those that the other operand gives, and by 0 none.

// RUN: %aircc %s --target bmg -o %t && %t | FileCheck %s
// RUN: %aircc %s --target bmg -O0 -o %t.O0 && %t.O0 | FileCheck %s
// RUN: %aircc %s --target gfx942 -o %t.amd && %t.amd | FileCheck %s

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @shift(%out: memref<2x48xi32>) kernel
        attributes {known_block_size = array<i32: 48, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %high = arith.constant 0x12345678 : i32
      %low = arith.constant 0x0fedcba9 : i32
      %i = gpu.thread_id x
      %by = arith.index_cast %i : index to i32
      %left = llvm.intr.fshl(%high, %low, %by) : (i32, i32, i32) -> i32
      memref.store %left, %out[%c0, %i] : memref<2x48xi32>
      %right = llvm.intr.fshr(%high, %low, %by) : (i32, i32, i32) -> i32
      memref.store %right, %out[%c1, %i] : memref<2x48xi32>
      gpu.return
    }
  }

  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @text("%d differ\0A\00") {addr_space = 0 : i32}

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c48 = arith.constant 48 : index
    %out = memref.alloc() : memref<2x48xi32>
    %any = memref.cast %out : memref<2x48xi32> to memref<*xi32>
    gpu.host_register %any : memref<*xi32>
    gpu.launch_func @kernels::@shift blocks in (%c1, %c1, %c1)
        threads in (%c48, %c1, %c1) args(%out : memref<2x48xi32>)
    // The two operands as one number of 64 bits, of which a part is taken.
    %both = arith.constant 0x123456780fedcba9 : i64
    %n32 = arith.constant 32 : i64
    %zero = arith.constant 0 : i32
    %differ = scf.for %i = %c0 to %c48 step %c1 iter_args(%n = %zero) -> i32 {
      %wide = arith.index_cast %i : index to i64
      %by = arith.remui %wide, %n32 : i64
      %up = arith.shli %both, %by : i64
      %upper = arith.shrui %up, %n32 : i64
      %left = arith.trunci %upper : i64 to i32
      %down = arith.shrui %both, %by : i64
      %right = arith.trunci %down : i64 to i32
      %a = memref.load %out[%c0, %i] : memref<2x48xi32>
      %b = memref.load %out[%c1, %i] : memref<2x48xi32>
      %wrongA = arith.cmpi ne, %a, %left : i32
      %wrongB = arith.cmpi ne, %b, %right : i32
      %countA = arith.extui %wrongA : i1 to i32
      %countB = arith.extui %wrongB : i1 to i32
      %sum = arith.addi %n, %countA : i32
      %next = arith.addi %sum, %countB : i32
      scf.yield %next : i32
    }
    %format = llvm.mlir.addressof @text : !llvm.ptr
    // CHECK: 0 differ
    llvm.call @printf(%format, %differ) vararg(!llvm.func<i32 (ptr, ...)>)
        : (!llvm.ptr, i32) -> i32
    memref.dealloc %out : memref<2x48xi32>
    return %differ : i32
  }
}
