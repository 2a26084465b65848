//===- TilePasses.td - Passes that tile and vectorize ------*- tablegen -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_HIERARCHY_TILEPASSES_TD
#define AIRCC_PIPELINE_HIERARCHY_TILEPASSES_TD

include "mlir/Pass/PassBase.td"

def BuildAttentionKernels : Pass<"hierarchy-build-attention-kernels", "::mlir::ModuleOp"> {
  let summary = "Convert attention in global memory to kernels";
  let description = [{
    A launch without a space that only contains the linalg ops of attention
    becomes a `gpu.launch`. These ops are two contractions, elementwise ops on
    the scores, a softmax along the keys, and an elementwise op on the result;
    their intermediate results are in buffers that the launch allocates.

    A workgroup computes some rows of one head. It iterates over tiles of the
    keys. For each row, it keeps the sums, the maximum so far and the sum of the
    weights in registers (online softmax), so that the scores are never stored.
    Weights are rounded to the type of the values, and the result is divided by
    their sum at the end. As in the separate ops, rows whose logits are all -inf
    become NaN.

    If the target has matrix instructions whose result has the same layout as
    their right operand, and the tiles fit, the waves stage keys and values in
    LDS. The scores are then the product of keys and queries, with a column for
    each query. Each lane holds the scores of one query, and the weights can be
    used as the right operand of the product with the values without being
    exchanged between lanes. Otherwise, each wave loads keys and values from
    memory, and the scores have a row for each query.

    The kernel works on undistributed vectors of the workgroup (`layout.scope`).

    Example:
    ```mlir
    air.launch () in () args(%q=%a, %k=%b, %v=%c, %r=%d) : … {
      %s = memref.alloc() : memref<2x64x64xf32, 1>
      linalg.contract … ins(%q, %k : …) outs(%s : memref<2x64x64xf32, 1>)
      …
      linalg.batch_matmul ins(%p, %v : …) outs(%r : memref<2x64x32xf32>)
    }
    // becomes
    gpu.launch blocks(…) in (… = %c2, …) threads(…) in (… = %c128, …) {
      %q = vector.transfer_read … : …, vector<64x32xf16>
      %sums:3 = scf.for … iter_args(…) -> (vector<64x32xf32>, vector<64xf32>, vector<64xf32>) {
        …
      }
      …
    }
    ```
  }];
  let options = [
    Option<"target", "target", "std::string", "\"\"",
           "Target profile file (followed by the directories of its base "
           "profiles, separated by colons)">
  ];
  let dependentDialects = [
    "::aircc::kernel::KernelDialect",
    "::aircc::air::AIRDialect", "::aircc::layout::LayoutDialect",
    "::mlir::amdgpu::AMDGPUDialect", "::mlir::arith::ArithDialect",
    "::mlir::gpu::GPUDialect", "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"
  ];
}

def BuildMatmulKernels : Pass<"hierarchy-build-matmul-kernels", "::mlir::ModuleOp"> {
  let summary = "Convert matmuls in global memory to kernels";
  let description = [{
    A linalg op in host code that has the attribute `air.offload`, or is in a
    function with that attribute, is wrapped in an `air.launch`. A launch
    without a space becomes a `gpu.launch` if it only contains a `linalg.matmul`
    or another contraction over one dimension (with any transposition and any
    batch dimensions) in global memory. The contraction may be preceded by the
    `linalg.fill` of its result or, in functions with `air.merge_launches`, by a
    copy or an elementwise op that initializes its result from other memory.

    Each workgroup computes one tile of the result: it stages tiles of A and B
    in LDS, in two or more buffers, multiplies them with matrix instructions,
    and accumulates in registers. If the launch allocates the result, and an
    elementwise op in the launch is its only user, the kernel computes this op
    in registers, and also the elementwise op that initializes the result. If
    the launch allocates an operand that an elementwise op computes (possibly
    accessed through a view that merges dimensions), the kernel computes the
    tiles of that operand when it stages them. The kernel works on undistributed
    vectors of the workgroup (`layout.scope`), and specifies layouts where they
    matter.

    Tiles and waves are chosen for the target and the matrices, unless options
    or `tuning` in the target profile specify them. If no matrix instruction of
    the target supports a matmul, a remark says so. In functions with
    `air.merge_launches`, such a matmul becomes a kernel with vector
    instructions whose lanes load the operands from memory; in others, it is not
    changed.

    Example:
    ```mlir
    func.func @main(%a: memref<4096x4096xf16>, %b: memref<4096x4096xf16>,
                    %c: memref<4096x4096xf32>) {
      air.launch () in () args(%x=%a, %y=%b, %z=%c)
          : memref<4096x4096xf16>, memref<4096x4096xf16>, memref<4096x4096xf32> {
        linalg.matmul ins(%x, %y : memref<4096x4096xf16>, memref<4096x4096xf16>)
                      outs(%z : memref<4096x4096xf32>)
      }
      return
    }
    // becomes
    gpu.launch blocks(%n, %m, …) in (… = %c32, … = %c32, …)
               threads(…) in (… = %c256, …)
               workgroup(%as : memref<256x64xf16, #gpu.address_space<workgroup>>, …) {
      %a = vector.transfer_read %as[…] : …
      %b = vector.transfer_read %bs[…] : …
      %d = vector.contract {…} %a, %b, %c : …
      …
    }
    ```
  }];
  let options = [
    Option<"target", "target", "std::string", "\"\"",
           "Target profile file (followed by the directories of its base "
           "profiles, separated by colons)">,
    Option<"tile", "tile", "std::string", "\"\"",
           "The tile of a workgroup, MxNxK (empty: chosen by the pass)">,
    Option<"waves", "waves", "std::string", "\"\"",
           "The number of waves of a workgroup along M and N: 2x2 (empty: "
           "chosen by the pass)">,
    Option<"buffers", "buffers", "int64_t", "0",
           "The number of LDS buffers for each operand, 2 to 4 (0: chosen by the pass)">,
    Option<"listProducts", "list-products", "bool", "false",
           "List the products in the module attribute 'products', for a search "
           "for better choices">
  ];
  let dependentDialects = [
    "::aircc::kernel::KernelDialect",
    "::aircc::air::AIRDialect", "::aircc::layout::LayoutDialect",
    "::mlir::amdgpu::AMDGPUDialect", "::mlir::arith::ArithDialect",
    "::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect",
    "::mlir::xegpu::XeGPUDialect"
  ];
}

def TileLinalgToWorkgroups : Pass<"hierarchy-tile-linalg-to-workgroups", "::mlir::ModuleOp"> {
  let summary = "Tile linalg ops over workgroups";
  let description = [{
    A launch without a space is one workgroup. If such a launch only contains
    linalg ops in global memory, and they are too large for one workgroup, each
    op is wrapped in a launch with a space in which every workgroup computes one
    tile. Only parallel loops that index all results are tiled. Before that, the
    innermost loops of elementwise ops whose rows are short or not aligned become
    one loop. Tiles are contiguous along the last dimensions of operands. Their
    sizes divide the sizes of the loops, if these are known and have suitable
    divisors.

    Example:
    ```mlir
    func.func @main(%a: memref<512x512xf32>, %b: memref<512x512xf32>) {
      air.launch () in () args(%x=%a, %y=%b)
          : memref<512x512xf32>, memref<512x512xf32> {
        linalg.exp ins(%x : memref<512x512xf32>) outs(%y : memref<512x512xf32>)
      }
      return
    }
    // becomes
    air.launch (%i) in (%n=%c64) args(%x=%a, %y=%b)
        : memref<512x512xf32>, memref<512x512xf32> {
      %first = affine.apply affine_map<(d0) -> (d0 * 8)>(%i)
      %u = memref.subview %x[%first, 0] [8, 512] [1, 1] : …
      %v = memref.subview %y[%first, 0] [8, 512] [1, 1] : …
      linalg.exp ins(%u : …) outs(%v : …)
    }
    ```
  }];
  let dependentDialects = [
    "::aircc::air::AIRDialect", "::mlir::affine::AffineDialect",
    "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect"
  ];
}

def VectorizeTiles
    : Pass<"hierarchy-vectorize-tiles", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Vectorize tile contractions and mark undistributed vectors";
  let description = [{
    Converts a contraction of buffers of static shape that a wave or a workgroup
    executes together (`linalg.matmul`, `linalg.batch_matmul`, a
    `linalg.generic` that multiplies and adds) to a `vector.contract` of
    undistributed vectors. The target must have a matrix instruction for its
    types, and its shape must be a multiple of the instruction's. If the vectors
    do not fit in registers, the pass creates loops over blocks.

    Reductions, and on AMD GPUs elementwise ops, copies and fills, are also
    vectorized. Their vectors are padded if the elements cannot be divided
    evenly among the lanes. Rows that are too long for registers, or have a
    dynamic size, become loops over chunks. The vector ops get the scope of the
    code around them. If only a few lanes compute a reduction of many elements,
    a remark says why.

    A read of a buffer of the kernel that an earlier op has written or filled
    becomes the written vector, and a vector that has been read from an argument
    is not read again. Buffers that are then only written are erased.

    Existing vector ops also get a scope if they, and all ops connected to them,
    are executed by a wave or the workgroup together, and one of them is a
    product that a matrix instruction supports, is a `layout.to_layout`, or has
    a scope.

    Example:
    ```mlir
    gpu.module @kernels {
      gpu.func @k() kernel attributes {kernel.scope = #kernel.scope<workgroup>,
                                       kernel.wave_size = 64 : i64,
                                       known_block_size = array<i32: 64, 1, 1>} {
        %c1 = arith.constant 1 : index
        air.herd tile (%x) in (%n=%c1) attributes {kernel.scope = #kernel.scope<wave>} {
          %a = memref.alloc() : memref<32x16xf32, 2>
          %b = memref.alloc() : memref<16x32xf32, 2>
          %c = memref.alloc() : memref<32x32xf32, 2>
          linalg.matmul ins(%a, %b : memref<32x16xf32, 2>, memref<16x32xf32, 2>)
                        outs(%c : memref<32x32xf32, 2>)
        }
        gpu.return
      }
    }
    // becomes
    %x = vector.transfer_read %a[…] {layout.scope = #layout.scope<wave>} : …
    %y = vector.transfer_read %b[…] {layout.scope = #layout.scope<wave>} : …
    %z = vector.transfer_read %c[…] {layout.scope = #layout.scope<wave>} : …
    %r = vector.contract {…, layout.scope = #layout.scope<wave>} %x, %y, %z : …
    vector.transfer_write %r, %c[…] {layout.scope = #layout.scope<wave>} : …
    ```
  }];
  let options = [
    Option<"target", "target", "std::string", "\"\"",
           "Target profile file (followed by the directories of its base "
           "profiles, separated by colons)">
  ];
  let dependentDialects = [
    "::aircc::kernel::KernelDialect",
    "::aircc::layout::LayoutDialect", "::mlir::arith::ArithDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect"
  ];
}

#endif // AIRCC_PIPELINE_HIERARCHY_TILEPASSES_TD
