//===- BufferedLoop.h - Loops that prefetch tiles ---------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop over tiles in LDS in which each iteration computes while the tiles of
// later iterations are transferred to other buffers. There are N buffers for
// each tile, used in round-robin order, and tiles are fetched D iterations
// before they are used (`distance`, D < N):
//
//   fetch the tiles of iterations 0 … D - 1
//   for each iteration i:
//     wait for this worker's fetches for iteration i, not for later ones
//     declare an access to the buffers, which makes a barrier necessary: all
//       workers have fetched for iteration i and finished iteration i - 1
//     fetch the tiles of iteration i + D into the buffer of iteration i + D - N
//     compute
//
// The last iterations fetch the last tiles again, into buffers that are not
// read. The number of outstanding transfers, which waits count, is therefore
// the same in every iteration.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_HIERARCHY_TILES_BUFFEREDLOOP_H
#define AIRCC_PIPELINE_HIERARCHY_TILES_BUFFEREDLOOP_H

#include "pipeline/analysis/ExecutionModel.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace aircc::hierarchy {

/// The number of buffers for each tile.
struct BufferCount {
  /// At least 2.
  int64_t buffers = 2;
  /// The number of iterations between the fetch of a tile and its use: 1 to
  /// buffers - 1.
  int64_t distance = 1;
};

/// The loop, with bounds of type index and a positive step. Unless `lower` <
/// `upper` is known, fetches at `lower` must be harmless.
struct BufferedLoop {
  mlir::Value lower, upper, step;
  /// The induction variable of the last iteration.
  mlir::Value last;
  mlir::ValueRange inits;
  BufferCount count;
  /// The workers that share the tiles: the workgroup or a wave.
  Scope scope = Scope::Workgroup;
  /// The memory of each tile, with all of its buffers.
  llvm::SmallVector<mlir::Value> buffers;
  /// The number of layout.async_dma ops in an iteration, or 0 if any tile is
  /// fetched by loads and stores, which need no wait.
  int64_t transfers = 0;
};

/// One iteration.
struct BufferedIteration {
  /// The induction variable, and the index of the buffer that holds the
  /// iteration's tiles.
  mlir::Value iv, buffer;
  /// The same values for the iteration whose tiles are fetched in this one.
  mlir::Value fetchedIv, fetchedBuffer;
  /// The values that the loop carries.
  mlir::ValueRange carried;
};

/// Builds the loop at the insertion point. `fetch` fetches the tiles of
/// iteration `iv` into a buffer; it is called for the first iterations, before
/// the loop. `build` emits the body of an iteration, including the fetch for a
/// later one, and returns the values to carry.
mlir::scf::ForOp createBufferedLoop(
    mlir::OpBuilder &b, mlir::Location loc, const BufferedLoop &loop,
    llvm::function_ref<void(mlir::Value iv, mlir::Value buffer)> fetch,
    llvm::function_ref<
        llvm::SmallVector<mlir::Value>(const BufferedIteration &)>
        build);

} // namespace aircc::hierarchy

#endif // AIRCC_PIPELINE_HIERARCHY_TILES_BUFFEREDLOOP_H
