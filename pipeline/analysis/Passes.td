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

def ChoosePeKind : Pass<"analysis-choose-pe-kind", "::mlir::ModuleOp"> {
  let summary = "Take PEs for lanes where they do not fit as waves";
  let description = [{
    A point of a herd is a wave. Programs for other GPUs mean lanes, and have
    herds of more points than a workgroup has waves. This pass marks launches
    that have such a herd with `kernel.pe_is_lane`, with a remark, unless

    - the herd does not fit as lanes either, or its size is not constant;
    - the code distinguishes lanes from waves: it asks for thread or lane ids, has
      ops of a target, whole vectors, or calls functions without a body. What it
      means then must be said, by the option `pe` of stage hierarchy.

    The stages channels and hierarchy run it, because channels counts puts and
    gets by points of herds.

    Example:
    ```mlir
    air.launch () in () {
      air.segment {
        air.herd tile (%i) in (%n = %c64) { memref.store %v, %m[%i] : memref<64xf32> }
      }
    }
    // becomes, where a workgroup has 1024 threads and waves have 64
    air.launch () in () attributes {kernel.pe_is_lane} { … }
    ```
  }];
  let options = [
    Option<"waveSize", "wave-size", "int64_t", "64", "Lanes in a wave">,
    Option<"maxThreads", "max-threads", "int64_t", "1024",
           "Threads that a workgroup may have">,
    Option<"maxWaves", "max-waves", "int64_t", "0",
           "Waves that a compute unit holds (0: do not check)">
  ];
}

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
