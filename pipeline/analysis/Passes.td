//===- Passes.td - Passes that print analyses --------------*- tablegen -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_ANALYSIS_PASSES
#define AIRCC_PIPELINE_ANALYSIS_PASSES

include "mlir/Pass/PassBase.td"

def PrintUniformity : Pass<"test-print-uniformity", "::mlir::gpu::GPUModuleOp"> {
  let summary =
      "Annotate ops with the uniformity of their results and control flow";
  let description = [{
    For tests and debugging. Sets `uniform_over` on each op of a `gpu.func` that
    has results (the scopes over which they are uniform), `args_uniform_over` on
    each op with block arguments, and `reached_by` on ops that some lanes of the
    workgroup may reach without the others.

    Example:
    ```mlir
    gpu.module @kernels {
      gpu.func @k() kernel
          attributes {known_block_size = array<i32: 64, 2, 1>} {
        %0 = gpu.thread_id y
        gpu.return
      }
    }
    // becomes
    %0 = gpu.thread_id y {uniform_over = ["wave"]}
    ```
  }];
  let options = [
    Option<"waveSize", "wave-size", "int64_t", "64", "The number of lanes in a wave">,
    Option<"readsAreUniform", "reads-are-uniform", "bool", "true",
           "A read at a uniform address returns a uniform value">
  ];
}

def PrintAccesses : Pass<"test-print-accesses", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Annotate ops with their accesses to shared memory";
  let description = [{
    For tests and debugging. Sets `accesses` on each op without regions that may
    access memory shared by several lanes. Each access is a string: read or
    write, the level of the buffer and, for LDS, its bytes; and the workers that
    perform it.

    Example:
    ```mlir
    gpu.module @kernels {
      gpu.func @k(%v: f32, %i: index)
          workgroup(%m: memref<32xf32, #gpu.address_space<workgroup>>) kernel {
        memref.store %v, %m[%i] : memref<32xf32, #gpu.address_space<workgroup>>
        gpu.return
      }
    }
    // becomes
    memref.store %v, %m[%i] {accesses = ["write workgroup [0, 128) lanes"]}
        : memref<32xf32, #gpu.address_space<workgroup>>
    ```
  }];
}

#endif // AIRCC_PIPELINE_ANALYSIS_PASSES
