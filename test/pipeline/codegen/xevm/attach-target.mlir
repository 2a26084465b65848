// RUN: %aircc %s --target bmg --start-at codegen --emit xevm -o - | FileCheck %s
// RUN: not %aircc %s --target gfx942 --start-at codegen --emit rocdl -o - 2>&1 | FileCheck %s --check-prefix=AMD

// SPIR-V is for any chip: a module that names other chips is compiled for the requested one.
// Options for the offline compiler are kept.

// The defaults of the attribute are those of bmg at -O2.
// CHECK: gpu.module @other [#xevm.target]
// CHECK: gpu.module @several [#xevm.target<flags = {"cmd-options" = ["-ze-opt-large-register-file"]}>]
// AMD: error: 'gpu.module' op already targets
module attributes {gpu.container_module} {
  gpu.module @other [#xevm.target<O = 3, chip = "pvc">] {
    gpu.func @f() kernel {
      gpu.return
    }
  }
  gpu.module @several [#xevm.target<O = 3>, #xevm.target<flags = {"cmd-options" = ["-ze-opt-large-register-file"]}>] {
    gpu.func @f() kernel {
      gpu.return
    }
  }
}
