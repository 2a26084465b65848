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

def BuildMatmulKernels : Pass<"hierarchy-build-matmul-kernels", "::mlir::ModuleOp"> {
  let summary = "Turn matmuls of whole matrices into kernels";
  let description = [{
    A linalg op on the host that carries `air.offload`, or stands in a function
    that does, goes into an `air.launch`. A launch without a space that holds
    nothing but a `linalg.matmul` or another contraction that sums along one
    dimension (matrices as they are, or transposed; any batch) on memory of the
    device, perhaps behind the `linalg.fill` of its result, becomes a
    `gpu.launch` of workgroups that compute a tile each: tiles of A and B are
    staged in LDS, in two or more buffers, and multiplied by matrix
    instructions, with the result in registers. The kernel works on whole
    vectors of the workgroup (`layout.scope`), with the layouts fixed where they
    matter.

    Tiles and waves are chosen for the target and the matrices; the options fix
    them. What no matrix instruction of the target computes is left as it is,
    with a remark.

    Example:

    ```mlir
    air.launch () in () args(%x=%a, %y=%b, %z=%c)
        : memref<4096x4096xf16>, memref<4096x4096xf16>, memref<4096x4096xf32> {
      linalg.matmul ins(%x, %y : memref<4096x4096xf16>, memref<4096x4096xf16>)
                    outs(%z : memref<4096x4096xf32>)
    }
    // becomes
    gpu.launch blocks(%n, %m, …) in (… = %c32, … = %c32, …)
               threads(…) in (… = %c256, …)
               workgroup(%as : memref<256x64xf16, #gpu.address_space<workgroup>>, …) { … }
    ```
  }];
  let options = [
    Option<"target", "target", "std::string", "\"\"",
           "File of the target profile that kernels are for (then, after "
           "colons, folders of what it extends)">,
    Option<"tile", "tile", "std::string", "\"\"",
           "Tile of a workgroup, MxNxK (empty: chosen)">,
    Option<"waves", "waves", "std::string", "\"\"",
           "Waves of a workgroup, along M and N: 2x2 (empty: chosen)">,
    Option<"buffers", "buffers", "int64_t", "0",
           "Buffers in LDS for each operand, 2 to 4 (0: chosen)">
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
  let summary = "Deal whole linalg ops to workgroups";
  let description = [{
    A launch without a space is one workgroup. Where it holds nothing but linalg
    ops on memory of the device, and there is more to do than a workgroup does
    at once, each op gets a launch with a space: every workgroup does a tile,
    along the parallel loops that the results have. Tiles have runs along the
    last dimensions of operands, and are divisors of the sizes where they are
    known and have such.

    Example:

    ```mlir
    air.launch () in () args(%x=%a, %y=%b) : memref<512x512xf32>, memref<512x512xf32> {
      linalg.exp ins(%x : memref<512x512xf32>) outs(%y : memref<512x512xf32>)
    }
    // becomes
    air.launch (%i) in (%n=%c64) args(%x=%a, %y=%b) : memref<512x512xf32>, memref<512x512xf32> {
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
  let summary = "Turn products of tiles, and of vectors, into those of whole vectors";
  let description = [{
    A contraction of buffers of constant shape that a wave or a workgroup does
    together (`linalg.matmul`, `linalg.batch_matmul`, a `linalg.generic` that
    multiplies and adds) becomes a `vector.contract` of whole vectors, if the
    target has a matrix instruction for its types and its shape is a multiple of
    that. What does not fit in registers is cut into blocks, with loops around.
    The ops carry the scope of the code that they stand in. So do vector ops
    that were there already, where they and all that are connected with them are
    done by a wave or the workgroup together, and one is a product that such an
    instruction makes, or a `layout.to_layout`, or has a scope.

    Example (code of a PE):

    ```mlir
    linalg.matmul ins(%a, %b : memref<32x16xf32, 2>, memref<16x32xf32, 2>)
                  outs(%c : memref<32x32xf32, 2>)
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
           "File of the target profile that kernels are for (then, after "
           "colons, folders of what it extends)">
  ];
  let dependentDialects = [
    "::aircc::kernel::KernelDialect",
    "::aircc::layout::LayoutDialect", "::mlir::arith::ArithDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect"
  ];
}

#endif // AIRCC_PIPELINE_HIERARCHY_TILEPASSES_TD
