//===- Passes.td - Passes for programs of NPUs -------------*- tablegen -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_NPU_PASSES
#define AIRCC_PIPELINE_NPU_PASSES

include "mlir/Pass/PassBase.td"

def OptShimDmaBds : Pass<"air-opt-shim-dma-bds", "::mlir::func::FuncOp"> {
  let summary = "Fold loops around puts and gets into shim DMA descriptors";
  let description = [{
    A shim DMA of an NPU transfers data between host memory (L3) and the array.
    It executes descriptors, each of which consists of a base and a few
    dimensions with a size and a stride. This pass converts the loops around
    `air.channel.put` and `air.channel.get` in host code to dimensions of these
    ops, so that no loop remains. The space of an `air.launch` is such a loop
    nest. The sequence of elements that each put and get transfers is preserved,
    but the order of transfers on different channels is not.

    Offsets, sizes and strides are those of a descriptor: an element is at the
    sum of `(offset + i) * stride` over the dimensions.

    - A launch with a space becomes a launch without one (`dummyLaunch`) around
      loops. Its sizes must be constant.
    - A loop with several independent async ops becomes several loops.
    - A perfect nest of loops around a single put or get becomes dimensions of
      that op. Dimensions are split, dropped and merged to fit the limits of the
      DMA. If the variable of a loop is in no offset, the loop becomes a
      dimension of stride 0, which must be the outermost one.
    - If a nest does not fit, its outermost loop is unrolled. Loops that repeat
      the same transfer 16 times or more are kept.
    - A list that describes the whole memref becomes `[] [] []`.

    An async launch ends with a blocking `air.wait_all {air.launch_end}` on all
    tokens that no op waits for.

    `shim-dma-tile-sizes` splits each loop nest into tiles, with a blocking wait
    after the transfers of each tile, so that few descriptors are in use at a
    time. Each size is reduced to the largest factor of the trip count that does
    not exceed it. A single size applies to all loops of a nest, and `0` means
    no tiles. Inner loops without a size are not split. If several loops are
    split, the iterations execute tile by tile; unless they are points of a
    launch, a remark says that this changes the order of the data. The attribute
    `air.shim_dma_tile_sizes` of a launch has the same meaning, and is used if
    the option is not given. With `auto-tile-sizes`, the pass chooses the
    largest tiles for which the profile has enough descriptors per shim tile
    (`dma.descriptors`) and transfers in flight per channel (`dma.queueDepth`).
    Without it, a remark reports groups that exceed these limits. In copies of a
    loop's body, herds only keep transfers and the ops that these need.

    In a launch with `air.preserve_shim_dma_order`, loops are only unrolled. Its
    puts and gets also get the attribute, except puts of L3 memrefs whose data
    does not reach a herd that gets from a broadcast channel.

    `device` names a file, or a profile in `targets/npu/`: `npu1`, `npu1_1col`,
    …, `npu2`, …, `xcve2802`, `xcvc1902`. If the profile has `controlLoops`, the
    pass does not convert launches, and neither tiles nor unrolls loops.

    Example:
    ```mlir
    // --air-opt-shim-dma-bds=device=npu1
    air.channel @c []
    func.func @f(%a: memref<128x128xbf16>) {
      %c0 = arith.constant 0 : index
      %c32 = arith.constant 32 : index
      %c128 = arith.constant 128 : index
      scf.for %i = %c0 to %c128 step %c32 {
        scf.for %j = %c0 to %c128 step %c32 {
          air.channel.put @c[] (%a[%i, %j] [32, 32] [128, 1]) : (memref<128x128xbf16>)
        }
      }
      return
    }
    // becomes
    air.channel.put @c[] (%a[0, 0, 0, 0] [4, 4, 32, 32] [4096, 32, 128, 1]) : (memref<128x128xbf16>)
    ```

    Errors: an unknown device; a launch size that is not constant; a negative
    step or stride; a transfer outside of its memref; a list of tile sizes that
    contains 0.
  }];
  let options = [
    Option<"device", "device", "std::string", "\"xcvc1902\"",
           "The name or file of the NPU's profile">,
    ListOption<"shimDmaTileSizes", "shim-dma-tile-sizes", "unsigned",
               "Tile sizes of loop nests, outermost first (0: no tiles)">,
    Option<"autoTileSizes", "auto-tile-sizes", "bool", "false",
           "Choose tile sizes for which there are enough descriptors">
  ];
  let dependentDialects = [
    "::aircc::air::AIRDialect", "::mlir::affine::AffineDialect",
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::scf::SCFDialect"
  ];
}

#endif // AIRCC_PIPELINE_NPU_PASSES
