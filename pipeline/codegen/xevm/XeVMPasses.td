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
  let summary = "Lower block and matrix ops of Xe subgroups";
  let description = [{
    Converts ops of the kernel dialect that load, store, prefetch and multiply
    matrix blocks to ops of the XeVM dialect. XeGPU's hints for the cache levels
    are combined into one cache control.

    Example:
    ```mlir
    gpu.module @kernels {
      gpu.func @k(%a: vector<8xi16>, %b: vector<8xi32>, %c: vector<8xf32>)
          -> vector<8xf32> {
        %d = kernel.dpas %a as f16, %b as f16, %c
            : vector<8xi16>, vector<8xi32>, vector<8xf32>
        gpu.return %d : vector<8xf32>
      }
    }
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
  let summary = "Lower block accesses to matrices that are too narrow for them";
  let description = [{
    The hardware's 2-D block accesses require rows of at least 64 bytes, and a
    row pitch that is at least 64 bytes and a multiple of 16. Per-lane
    `xegpu.load_nd` and `store_nd` on matrices that are known to be narrower
    become one access per lane for each row; elements outside of the matrix are
    zero, or not written. Prefetches of such matrices are removed.

    Example:
    ```mlir
    gpu.module @kernels {
      gpu.func @k(%m: memref<20x16xf16>, %row: index) -> vector<8xf16> {
        %d = xegpu.create_nd_tdesc %m
            : memref<20x16xf16> -> !xegpu.tensor_desc<8x16xf16>
        %v = xegpu.load_nd %d[%row, 0]
            : !xegpu.tensor_desc<8x16xf16> -> vector<8xf16>
        gpu.return %v : vector<8xf16>
      }
    }
    // becomes eight loads at [%row + i, %lane]
    %0 = scf.if %is_inside -> (f16) {
      %element = memref.load %m[%row_i, %lane] : memref<20x16xf16>
      scf.yield %element : f16
    } else {
      scf.yield %zero : f16
    }
    ...
    %v = vector.from_elements %0, %1, %2, %3, %4, %5, %6, %7 : vector<8xf16>
    ```
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
    The counterpart of `convert-gpu-to-rocdl`: a single conversion of all
    dialects that a kernel with flat control flow may contain. Memory without a
    memory space becomes generic (address space 4, as in SPIR-V), so that the
    same code can access host memory, SLM and the stack; later passes infer
    pointers to known memory. bf16 becomes i16, and indices have 64 bits.

    - Memory space 5, the stack on other GPUs, becomes the stack.
    - A pointer of address space 0 created by `llvm.inttoptr` becomes generic,
      because the address of a buffer is not on the stack.
    - Workgroup attributions become variables in SLM (`memref.global`). If they
      were arguments, the host would have to pass their sizes.
    - `math` functions become calls to OpenCL functions.

    Example:
    ```mlir
    gpu.module @kernels {
      gpu.func @k(%x: f32) -> f32 {
        %0 = math.erf %x : f32
        gpu.return %0 : f32
      }
    }
    // becomes
    %0 = llvm.call spir_funccc @_Z3erff(%x) : (f32) -> f32
    ```
  }];
  let dependentDialects = ["::mlir::gpu::GPUDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::xevm::XeVMDialect"];
}

#endif // AIRCC_PIPELINE_CODEGEN_XEVM_XEVMPASSES_TD
