//===- Passes.td - The passes of the distribution stage -------*- tablegen -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_DISTRIBUTION_PASSES_TD
#define AIRCC_PIPELINE_DISTRIBUTION_PASSES_TD

include "mlir/Pass/PassBase.td"

class DistributionPass<string name> : Pass<name, "::mlir::gpu::GPUModuleOp"> {
  let options = [
    Option<"target", "target", "std::string", "\"\"",
           "File of the target profile that kernels are for (then, after "
           "colons, folders of what it extends)">
  ];
}

def LowerAsyncDma : DistributionPass<"distribution-lower-async-dma"> {
  let summary = "Turn transfers straight to LDS into loads of lanes";
  let description = [{
    Each `layout.async_dma` becomes `amdgpu.gather_to_lds`, one for each piece
    that a wave moves, of the widest transfer that deals the tile out evenly.

    Example (four waves, gfx950):

    ```mlir
    layout.async_dma %a[%i, %j] to %lds[%c0, %c0], vector<64x64xf16>
        : memref<128x256xf16>, memref<64x64xf16, #gpu.address_space<workgroup>>
    // becomes two of
    amdgpu.gather_to_lds %a[%row, %column], %lds[%r, %c0]
        : vector<8xf16>, memref<128x256xf16>, memref<64x64xf16, #gpu.address_space<workgroup>>
    ```

    The lanes' pieces land side by side, so in a swizzled destination it is the
    index of the source that is swizzled. A source of which parts may lie out of
    bounds is read through a buffer descriptor that ends with it.

    Before each barrier that a transfer may be under way at, the wave waits for
    it (`amdgpu.memory_counter_wait load(0)`), unless the program has waited
    since. A `layout.async_wait` becomes a wait that leaves as many loads under
    way as its last transfers are made of.

    A transfer with the attribute `may_copy`, which the compiler's own have, is
    copied through registers where no width fits. For others this is an error
    that says which rule failed for which width; but they are copied, with a
    warning, if only how the source lies is in the way.
  }];
  let dependentDialects = [
    "::aircc::kernel::KernelDialect",
    "::mlir::amdgpu::AMDGPUDialect", "::mlir::arith::ArithDialect",
    "::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"
  ];
}

def LowerSwizzles : Pass<"distribution-lower-swizzles", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Put the elements of swizzled buffers where they are stored";
  let description = [{
    Each access of a lane to a `layout.swizzle_hint` becomes one to the buffer
    itself, at the swizzled place. What is longer than a block of the swizzle, or
    does not surely lie within one, is split.

    Example:

    ```mlir
    %s = layout.swizzle_hint %m[#layout.xor_shuffle<64, 8>] : memref<64x64xf16, #gpu.address_space<workgroup>>
    %v = memref.load %s[%i, %j] : memref<64x64xf16, #gpu.address_space<workgroup>>
    // becomes a load of %m, as one row, at
    %i * 64 + (%j / 8 xor %i mod 8) * 8 + %j mod 8
    ```
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::memref::MemRefDialect", "::mlir::vector::VectorDialect"
  ];
}

def DistributeVectors : DistributionPass<"distribution-distribute-vectors"> {
  let summary = "Turn whole vectors into the shares of lanes";
  let description = [{
    Each op that works on whole vectors becomes what one lane does for its share
    of the results. An op whose layouts one lane cannot compute is an error.

    Example:

    ```mlir
    %x = arith.addf %v, %w {layout.results = [#l]} : vector<8x16xf16>
    // becomes, if a lane holds two elements
    %x = arith.addf %v, %w : vector<1x2xf16>
    ```
  }];
  let dependentDialects = [
    "::aircc::kernel::KernelDialect",
    "::mlir::amdgpu::AMDGPUDialect", "::mlir::arith::ArithDialect",
    "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"
  ];
}

#endif // AIRCC_PIPELINE_DISTRIBUTION_PASSES_TD
