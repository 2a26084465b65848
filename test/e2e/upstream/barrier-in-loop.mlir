// RUN: %aircc %s --target gfx90a -o %t.gfx90a && %t.gfx90a | FileCheck %s
// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// RUN: %aircc %s --target gfx942 -O0 -o %t.O0 && %t.O0 | FileCheck %s
// RUN: %aircc %s --target gfx950 -O3 -o %t.gfx950 && %t.gfx950 | FileCheck %s
// RUN: %aircc %s --target gfx1100 -o %t.gfx1100 && %t.gfx1100 | FileCheck %s
// RUN: %aircc %s --target gfx1201 -o %t.gfx1201 && %t.gfx1201 | FileCheck %s
// CHECK: wrong: 0

// The barrier at the beginning of the loop body separates the stores of one iteration from the
// loads of other waves in the next one. Without the wait before the barrier, the checker reports a
// race.

module attributes {gpu.container_module} {
llvm.func @printf(!llvm.ptr, ...) -> i32
llvm.mlir.global internal constant @format("wrong: %ld\0A\00") {addr_space = 0 : i32}

gpu.module @kernels {
  gpu.func @k(%in: memref<768xi32>, %out: memref<256xi32>)
      workgroup(%lds: memref<256xi32, #gpu.address_space<workgroup>>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c64 = arith.constant 64 : index
    %c255 = arith.constant 255 : index
    %zero = arith.constant 0 : i32
    %seven = arith.constant 7 : i32
    %tid = gpu.thread_id x
    memref.store %seven, %lds[%tid] : memref<256xi32, #gpu.address_space<workgroup>>
    %sum = scf.for %k = %c0 to %c8 step %c1 iter_args(%so_far = %zero) -> (i32) {
      gpu.barrier
      %shift = arith.muli %k, %c64 : index
      %i = arith.addi %tid, %shift : index
      %place = arith.andi %i, %c255 : index
      %new = memref.load %in[%i] : memref<768xi32>
      %old = memref.load %lds[%place] : memref<256xi32, #gpu.address_space<workgroup>>
      memref.store %new, %lds[%place] : memref<256xi32, #gpu.address_space<workgroup>>
      %next = arith.addi %so_far, %old : i32
      scf.yield %next : i32
    }
    memref.store %sum, %out[%tid] : memref<256xi32>
    gpu.return
  }
}

func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c21 = arith.constant 21 : index
  %c64 = arith.constant 64 : index
  %c255 = arith.constant 255 : index
  %n = arith.constant 256 : index
  %all = arith.constant 768 : index
  %in = memref.alloc() : memref<768xi32>
  scf.for %i = %c0 to %all step %c1 {
    %three = arith.muli %i, %c3 : index
    %value = arith.index_cast %three : index to i32
    memref.store %value, %in[%i] : memref<768xi32>
  }
  %out = memref.alloc() : memref<256xi32>
  %any_in = memref.cast %in : memref<768xi32> to memref<*xi32>
  gpu.host_register %any_in : memref<*xi32>
  %any_out = memref.cast %out : memref<256xi32> to memref<*xi32>
  gpu.host_register %any_out : memref<*xi32>
  gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%n, %c1, %c1) args(%in : memref<768xi32>, %out : memref<256xi32>)
  // 7 first, then seven iterations add the value that lane (i + 64) % 256 stored in the preceding
  // iteration: 3 * (lane + 64 * iteration), for iterations 0 to 6.
  %base = arith.constant 4039 : index
  %wrong = scf.for %i = %c0 to %n step %c1 iter_args(%count = %c0) -> (index) {
    %other = arith.addi %i, %c64 : index
    %lane = arith.andi %other, %c255 : index
    %times = arith.muli %lane, %c21 : index
    %sum = arith.addi %times, %base : index
    %want = arith.index_cast %sum : index to i32
    %got = memref.load %out[%i] : memref<256xi32>
    %differs = arith.cmpi ne, %want, %got : i32
    %more = arith.addi %count, %c1 : index
    %next = arith.select %differs, %more, %count : index
    scf.yield %next : index
  }
  %text = llvm.mlir.addressof @format : !llvm.ptr
  %arg = arith.index_cast %wrong : index to i64
  %r = llvm.call @printf(%text, %arg) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64) -> i32
  %status = arith.constant 0 : i32
  return %status : i32
}
}
