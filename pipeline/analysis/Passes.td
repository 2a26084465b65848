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
  let summary = "Mark ops with the uniformity of their results and control flow";
  let description = [{
    For tests and for debugging: sets `uniform_over` on each op of a `gpu.func` that
    has results (the scopes over which they are uniform), `args_uniform_over` on each
    op with block arguments, and `reached_by` where not all lanes of the
    workgroup reach the op together.

    Example: `gpu.thread_id y {uniform_over = ["wave"]}`
  }];
  let options = [
    Option<"waveSize", "wave-size", "int64_t", "64", "Lanes in a wave">,
    Option<"readsAreUniform", "reads-are-uniform", "bool", "true",
           "A read at a uniform address gives a uniform value">
  ];
}

def PrintAccesses : Pass<"test-print-accesses", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Mark ops with their accesses to shared memory";
  let description = [{
    For tests and for debugging: sets `accesses` on each op without regions that
    may access memory which several lanes share. Each access is one string: read
    or write, the buffer's level and, in LDS, its bytes; and who performs it.

    Example: `memref.store ... {accesses = ["write workgroup [0, 128) all"]}`
  }];
}

#endif // AIRCC_PIPELINE_ANALYSIS_PASSES
