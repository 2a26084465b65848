// RUN: %aircc %s --target gfx942 -o %t.gfx942
// RUN: %t.gfx942 | FileCheck %s
// RUN: not %t.gfx942 fail 2>&1 | FileCheck %s --check-prefix=FAIL
// RUN: %aircc %s --target gfx1100 -O0 -o %t.gfx1100
// RUN: %t.gfx1100 | FileCheck %s
// RUN: not %t.gfx1100 fail 2>&1 | FileCheck %s --check-prefix=FAIL
// CHECK: all hold
// FAIL-NOT: all hold
// FAIL: assert.mlir:[[#@LINE+17]]:5: assertion failed: beyond the limit (workgroup 0, 0, 0, thread 39, 0, 0)
// FAIL: kernel 'k'{{.*}} the kernel trapped because an assertion failed: beyond the limit

// cf.assert in a kernel: a lane whose condition does not hold ends the program, after it
// has printed the message. The simulated device reports it, too.

module attributes {gpu.container_module} {
llvm.func @puts(!llvm.ptr) -> i32
llvm.mlir.global internal constant @text("all hold\00") {addr_space = 0 : i32}

gpu.module @kernels {
  gpu.func @k(%limit: index) kernel {
    %tid = gpu.thread_id x
    %below = arith.cmpi ult, %tid, %limit : index
    %c100 = arith.constant 100 : index
    %sane = arith.cmpi ult, %tid, %c100 : index
    cf.assert %sane, "far too many"
    cf.assert %below, "beyond the limit"
    gpu.return
  }
}

func.func @main(%argc: i32, %argv: !llvm.ptr) -> i32 {
  %c1 = arith.constant 1 : index
  %lanes = arith.constant 40 : index
  %c41 = arith.constant 41 : index
  %count = arith.index_cast %argc : i32 to index
  %limit = arith.subi %c41, %count : index
  gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%lanes, %c1, %c1) args(%limit : index)
  %shown = llvm.mlir.addressof @text : !llvm.ptr
  llvm.call @puts(%shown) : (!llvm.ptr) -> i32
  %status = arith.constant 0 : i32
  return %status : i32
}
}
