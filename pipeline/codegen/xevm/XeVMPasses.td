//===- XeVMPasses.td - Passes for Intel GPUs ---------------*- tablegen -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_CODEGEN_XEVM_XEVMPASSES_TD
#define AIRCC_PIPELINE_CODEGEN_XEVM_XEVMPASSES_TD

include "mlir/Pass/PassBase.td"

def LowerBlockOps
    : Pass<"codegen-lower-block-ops", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Lower blocks and products of Xe's subgroups";
  let description = [{
    The ops of the kernel dialect that move blocks of matrices, prefetch and
    multiply become those of the XeVM dialect. XeGPU's hints for the levels of
    the cache become one cache control.

    Example:
    ```mlir
    %d = kernel.dpas %a as f16, %b as f16, %c : vector<8xi16>, vector<8xi32>, vector<8xf32>
    // becomes
    %d = xevm.mma %a, %b, %c {shape = <m = 8, n = 16, k = 16>,
                              types = <d = f32, a = f16, b = f16, c = f32>}
        : (vector<8xi16>, vector<8xi32>, vector<8xf32>) -> vector<8xf32>
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect",
                           "::mlir::xevm::XeVMDialect"];
}

def LowerNarrowSurfaces
    : Pass<"codegen-lower-narrow-surfaces", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Access matrices without blocks that are too narrow for them";
  let description = [{
    The hardware's 2-D block accesses want rows of 64 bytes at least, and as many
    between their beginnings, in multiples of 16. Lane-level `xegpu.load_nd` and
    `store_nd` of matrices that are known to have less become an access of each
    lane for each row; what lies outside is zero, or not written. Prefetches of
    such matrices go.

    Example: `xegpu.load_nd` of 8x16 elements from a `memref<16x16xf16>` becomes
    eight loads at `[row + i, column + lane]`.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect"
  ];
}

def ConvertToXeVM : Pass<"codegen-convert-to-xevm", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Convert a gpu.module to the LLVM and XeVM dialects";
  let description = [{
    The counterpart of `convert-gpu-to-rocdl`: one conversion for all dialects
    that a kernel may hold when its control flow is flat. Memory without a space
    becomes generic (address space 4, as SPIR-V has it), so that the same code
    reads what the host passed, SLM and the stack; pointers of known memory are
    inferred later. bf16 becomes i16, indices are 64 bits wide.

    - memory of space 5, the stack's number on other GPUs, is the stack;
    - a pointer of address space 0 that `llvm.inttoptr` makes becomes generic:
      the address of a buffer is nothing on the stack;
    - workgroup attributions become variables in SLM (`memref.global`): as
      arguments, a host would have to pass their sizes;
    - functions of the `math` dialect are OpenCL's.

    Example: `math.erf %x : f32` becomes `llvm.call spir_funccc @_Z3erff(%x)`.
  }];
  let dependentDialects = ["::mlir::gpu::GPUDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::xevm::XeVMDialect"];
}

#endif // AIRCC_PIPELINE_CODEGEN_XEVM_XEVMPASSES_TD
