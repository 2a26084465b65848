// RUN: not %aircc opt %s --split-input-file --link-check-host 2>&1 | FileCheck %s

llvm.func @f(%x: f32) {
  // CHECK: :[[#@LINE+1]]:8: error: 'math.sin' op cannot be lowered to host code
  %0 = math.sin %x : f32
  llvm.return
}

// -----

// CHECK: :[[#@LINE+1]]:1: error: 'gpu.module' op is not compiled; run stage 'codegen' before stage 'link'
gpu.module @m {
  gpu.func @k() kernel {
    gpu.return
  }
}
// CHECK-NOT: error

// -----

// Ops that the stage does not convert.
llvm.func @f() {
  llvm.return
}
gpu.binary @b [#gpu.object<#rocdl.target, bin = "x">]
