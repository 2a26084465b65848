// RUN: %aircc %s --target gfx90a -O3 -o %t.gfx90a && %t.gfx90a | FileCheck %s
// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// RUN: %aircc %s --target gfx942 -O0 -o %t.O0 && %t.O0 | FileCheck %s
// RUN: %aircc %s --target gfx950 -O3 -o %t.gfx950 && %t.gfx950 | FileCheck %s
// RUN: %aircc %s --target gfx1100 -o %t.gfx1100 && %t.gfx1100 | FileCheck %s
// RUN: %aircc %s --target gfx1201 -O3 -o %t.gfx1201 && %t.gfx1201 | FileCheck %s
// RUN: %aircc %s --target gfx942 --emit=asm -o - | FileCheck %s --check-prefix=ISA
// CHECK:      2 3 5 71
// CHECK-NEXT: 7 11 13 72
// CHECK-NEXT: 17 19 23 73

// Each workgroup reads three consecutive numbers of a constant table, and adds to an element of a
// table that all lanes write. Both are global variables of the kernel. Scalar loads read the
// constants.
// ISA:     {{^}}k:
// ISA:     s_load_dwordx2
// ISA-NOT: flat_load
// ISA:     s_endpgm

module attributes {gpu.container_module} {
llvm.func @printf(!llvm.ptr, ...) -> i32
llvm.mlir.global internal constant @format("%d %d %d %d\0A\00") {addr_space = 0 : i32}

gpu.module @kernels {
  memref.global "private" constant @table : memref<9xi32> = dense<[2, 3, 5, 7, 11, 13, 17, 19, 23]>
  memref.global "private" @sums : memref<3xi32> = dense<[5, 6, 7]>
  gpu.func @k(%out: memref<3x4xi32>) kernel {
    %table = memref.get_global @table : memref<9xi32>
    %sums = memref.get_global @sums : memref<3xi32>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %group = gpu.block_id x
    %first = arith.muli %group, %c3 : index
    scf.for %i = %c0 to %c3 step %c1 {
      %place = arith.addi %first, %i : index
      %v = memref.load %table[%place] : memref<9xi32>
      memref.store %v, %out[%group, %i] : memref<3x4xi32>
    }
    %tid = gpu.thread_id x
    %c11 = arith.constant 11 : index
    %lane = arith.muli %tid, %c11 : index
    %number = arith.index_cast %lane : index to i32
    %x = memref.atomic_rmw addi %number, %sums[%group] : (i32, memref<3xi32>) -> i32
    gpu.barrier
    %most = arith.cmpi eq, %tid, %c0 : index
    scf.if %most {
      %sum = memref.load %sums[%group] : memref<3xi32>
      memref.store %sum, %out[%group, %c3] : memref<3x4xi32>
    }
    gpu.return
  }
}

func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %out = memref.alloc() : memref<3x4xi32>
  %any_out = memref.cast %out : memref<3x4xi32> to memref<*xi32>
  gpu.host_register %any_out : memref<*xi32>
  gpu.launch_func @kernels::@k blocks in (%c3, %c1, %c1) threads in (%c4, %c1, %c1) args(%out : memref<3x4xi32>)
  %text = llvm.mlir.addressof @format : !llvm.ptr
  scf.for %i = %c0 to %c3 step %c1 {
    %v0 = memref.load %out[%i, %c0] : memref<3x4xi32>
    %v1 = memref.load %out[%i, %c1] : memref<3x4xi32>
    %v2 = memref.load %out[%i, %c2] : memref<3x4xi32>
    %v3 = memref.load %out[%i, %c3] : memref<3x4xi32>
    %r = llvm.call @printf(%text, %v0, %v1, %v2, %v3) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i32, i32, i32, i32) -> i32
  }
  %status = arith.constant 0 : i32
  return %status : i32
}
}
