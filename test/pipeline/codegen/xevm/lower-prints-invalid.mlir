// RUN: not %aircc opt %s --pass-pipeline="builtin.module(gpu.module(codegen-lower-prints{backend=xevm}))" 2>&1 | FileCheck %s

// What C's printf has and OpenCL's has not.

gpu.module @m {
  gpu.func @k(%i: i32, %n: i64) kernel {
    // CHECK: :[[#@LINE+1]]:5: error: 'gpu.printf' op uses '*' in its format, which OpenCL's printf does not support; write the number
    gpu.printf "%*d", %i, %i : i32, i32
    // CHECK: :[[#@LINE+1]]:5: error: 'gpu.printf' op uses '%p' in its format, for which OpenCL's printf requires a pointer; write %lx
    gpu.printf "%p", %n : i64
    gpu.return
  }
}
