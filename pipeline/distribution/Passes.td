//===- Passes.td - Passes of the distribution stage --------*- tablegen -*-===//
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
           "Target profile file (followed by the directories of its base "
           "profiles, separated by colons)">
  ];
}

def LowerAsyncDma : DistributionPass<"distribution-lower-async-dma"> {
  let summary = "Lower direct transfers to LDS to per-lane loads";
  let description = [{
    Each `layout.async_dma` becomes a sequence of `amdgpu.gather_to_lds`, each
    of which loads the data of one wave. The width is the widest with which the
    tile can be distributed evenly.

    The data of the lanes is stored contiguously. If the destination is
    swizzled, the index of the source is therefore swizzled instead. If parts of
    the source may be out of bounds, it is read through a buffer descriptor that
    ends with it.

    A wait (`amdgpu.memory_counter_wait load(0)`) is inserted before each
    barrier at which a transfer may be outstanding, unless the program has
    already waited. A `layout.async_wait` becomes a wait that leaves as many
    loads outstanding as its last transfers have.

    If no width fits, a transfer with the attribute `may_copy`, which the
    compiler sets on its own transfers, is copied through registers. For other
    transfers, this is an error that lists the violated rule for each width. If
    only the layout of the source is the reason, they are copied with a warning.

    Example:
    ```mlir
    // --distribution-lower-async-dma=target=targets/gfx950.json
    #lds = #gpu.address_space<workgroup>
    gpu.module @kernels {
      gpu.func @k(%a: memref<128x256xf16>, %i: index, %j: index)
          workgroup(%tile : memref<64x64xf16, #lds>) kernel
          attributes {known_block_size = array<i32: 256, 1, 1>} {
        %c0 = arith.constant 0 : index
        layout.async_dma %a[%i, %j] to %tile[%c0, %c0], vector<64x64xf16>
            : memref<128x256xf16>, memref<64x64xf16, #lds>
        kernel.barrier workgroup
        gpu.return
      }
    }
    // becomes
    %b = amdgpu.fat_raw_buffer_cast …
    amdgpu.gather_to_lds %b[%row, %column], %tile[%r, %c0] : vector<8xf16>, …
    amdgpu.gather_to_lds %b[%next_row, %column], %tile[%s, %c0] : vector<8xf16>, …
    amdgpu.memory_counter_wait load(0)
    kernel.barrier workgroup
    ```
  }];
  let dependentDialects = [
    "::aircc::kernel::KernelDialect",
    "::mlir::amdgpu::AMDGPUDialect", "::mlir::arith::ArithDialect",
    "::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"
  ];
}

def LowerSwizzles : Pass<"distribution-lower-swizzles", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Lower accesses to swizzled buffers";
  let description = [{
    Each access by a lane to a `layout.swizzle_hint` becomes an access to the
    buffer at the swizzled index. Accesses that are longer than a block of the
    swizzle, or may cross a block boundary, are split.

    Example:
    ```mlir
    #lds = #gpu.address_space<workgroup>
    gpu.module @kernels {
      gpu.func @k(%i: index, %j: index) -> f16
          workgroup(%m : memref<64x64xf16, #lds>) {
        %s = layout.swizzle_hint %m[#layout.xor_shuffle<64, 8>] : memref<64x64xf16, #lds>
        %v = memref.load %s[%i, %j] : memref<64x64xf16, #lds>
        gpu.return %v : f16
      }
    }
    // becomes, at %i * 64 + (%j / 8 xor %i mod 8) * 8 + %j mod 8
    %flat = memref.collapse_shape %m [[0, 1]] : …
    %v = memref.load %flat[%index] : memref<4096xf16, #lds>
    ```
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::memref::MemRefDialect", "::mlir::vector::VectorDialect"
  ];
}

def DistributeVectors : DistributionPass<"distribution-distribute-vectors"> {
  let summary = "Distribute vectors over lanes";
  let description = [{
    Replaces each op on undistributed vectors with ops on the distributed
    vectors of one lane, according to their layouts. If lanes need elements held
    by other lanes, the elements are exchanged with shuffles or through LDS. It
    is an error if an op's layouts do not allow a lane to compute its part.

    Example, in which a lane holds two elements:
    ```mlir
    #l = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1],
                        outer_tile = [1, 1], thread_tile = [8, 8],
                        element_tile = [1, 2], subgroup_strides = [0, 0],
                        thread_strides = [8, 1]>
    gpu.module @kernels {
      gpu.func @k(%m: memref<8x16xf16>) kernel
          attributes {known_block_size = array<i32: 64, 1, 1>} {
        %c0 = arith.constant 0 : index
        %v = vector.load %m[%c0, %c0] {layout.results = [#l]}
            : memref<8x16xf16>, vector<8x16xf16>
        %x = arith.addf %v, %v {layout.results = [#l]} : vector<8x16xf16>
        vector.store %x, %m[%c0, %c0] : memref<8x16xf16>, vector<8x16xf16>
        gpu.return
      }
    }
    // becomes
    %v = vector.load %m[%row, %column] : memref<8x16xf16>, vector<2xf16>
    %w = vector.shape_cast %v : vector<2xf16> to vector<1x2xf16>
    %x = arith.addf %w, %w : vector<1x2xf16>
    …
    vector.store %y, %m[%row, %column] : memref<8x16xf16>, vector<2xf16>
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
