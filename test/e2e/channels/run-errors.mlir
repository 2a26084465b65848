// Errors that are only detected when the program runs.

// RUN: not %aircc run %samples/multi_gpu/message_channel.mlir --target gfx942 -n 9 2>&1 | FileCheck %s --check-prefix=COUNT
// COUNT: the channels of air.rank at {{.*}}message_channel.mlir:{{[0-9]+}}:{{[0-9]+}} do not work with 9 ranks, only with 1, 2, 3, 4, 5, 6, 7, 8

// RUN: %aircc %s --target gfx942 -o %t
// RUN: not %t 2>&1 | FileCheck %s --check-prefix=WORLD
// WORLD: air.rank @pair at {{.*}}run-errors.mlir

// RUN: not %t universe 2>&1 | FileCheck %s --check-prefix=UNIVERSE
// UNIVERSE: air.rank at {{.*}}run-errors.mlir{{.*}} has 2 ranks in a universe of 1 devices

func.func @main(%argc: i32, %argv: !llvm.ptr) -> i32 {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %c2 = arith.constant 2 : index
  %more = arith.cmpi sgt, %argc, %one : i32
  scf.if %more {
    // As many devices as there are arguments: one.
    %less = arith.subi %argc, %one : i32
    %devices = arith.index_cast %less : i32 to index
    %u = air.universe.alloc(%devices)
    air.rank universe(%u) (%r) in (%n=%c2) {
    }
  } else {
    air.rank @pair (%r) in (%n=%c2) {
    }
  }
  return %zero : i32
}
