//===- Passes.td - Passes on all kernels of a program -----*- tablegen -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_COMMON_KERNELS_PASSES
#define AIRCC_PIPELINE_COMMON_KERNELS_PASSES

include "mlir/Pass/PassBase.td"

def MergeIdenticalKernels
    : Pass<"aircc-merge-identical-kernels", "::mlir::ModuleOp"> {
  let summary = "Compile kernels with the same code only once";
  let description = [{
    Makes all launches of kernels with the same code launch the first of these
    kernels, and erases the others. Two gpu.modules are merged if

    - each has one kernel, which only `gpu.launch_func` ops of this module use;
    - they are equal except for locations and the names of the modules and
      kernels;
    - the constant grid and block sizes of their launches are the same, because
      code is specialized for them;
    - they have no globals that a kernel can change, and no assertions, whose
      messages contain locations.

    Stages `hierarchy` and `codegen` run this pass unless programs outside of
    the module may launch kernels by name, or kernels have debug information.

    Example:
    ```mlir
    module attributes {gpu.container_module} {
      gpu.module @f_kernel {
        gpu.func @f_kernel(%a: memref<64xf32>) kernel {
          gpu.return
        }
      }
      gpu.module @g_kernel {
        gpu.func @g_kernel(%a: memref<64xf32>) kernel {
          gpu.return
        }
      }
      func.func @main(%a: memref<64xf32>) {
        %c1 = arith.constant 1 : index
        %c64 = arith.constant 64 : index
        gpu.launch_func @f_kernel::@f_kernel blocks in (%c1, %c1, %c1)
            threads in (%c64, %c1, %c1) args(%a : memref<64xf32>)
        gpu.launch_func @g_kernel::@g_kernel blocks in (%c1, %c1, %c1)
            threads in (%c64, %c1, %c1) args(%a : memref<64xf32>)
        return
      }
    }
    // becomes, without the second gpu.module
    gpu.launch_func @f_kernel::@f_kernel blocks in (%c1, %c1, %c1)
        threads in (%c64, %c1, %c1) args(%a : memref<64xf32>)
    gpu.launch_func @f_kernel::@f_kernel blocks in (%c1, %c1, %c1)
        threads in (%c64, %c1, %c1) args(%a : memref<64xf32>)
    ```
  }];
  let statistics = [Statistic<"merged", "merged-kernels",
                              "Number of kernels that were merged">];
}

#endif // AIRCC_PIPELINE_COMMON_KERNELS_PASSES
