//===- BufferedLoop.h - Loops that fetch tiles ahead ------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop each of whose turns works on tiles in LDS, while those of later turns
// are on their way to other buffers. With N buffers for each tile, which the
// turns take one after another, and tiles that are fetched `ahead` turns before
// they are used (ahead < N):
//
//   fetch the tiles of turns 0 … ahead - 1
//   for each turn t:
//     wait for what this worker fetched for turn t, but not for later turns'
//     state that the workers access the buffers, for which they need a barrier:
//       all have fetched for turn t, and are done with turn t - 1
//     fetch the tiles of turn t + ahead, to the buffer of turn t + ahead - N
//     compute
//
// The last turns fetch the last turn's tiles once more, to buffers that nobody
// looks at: so every turn has equally many transfers under way, which is what a
// wait counts.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_HIERARCHY_TILES_BUFFEREDLOOP_H
#define AIRCC_PIPELINE_HIERARCHY_TILES_BUFFEREDLOOP_H

#include "pipeline/analysis/ExecutionModel.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace aircc::hierarchy {

/// How many buffers a tile gets.
struct BufferCount {
  /// 2 or more.
  int64_t buffers = 2;
  /// By so many turns tiles are fetched ahead: 1 to buffers - 1.
  int64_t distance = 1;
};

/// The loop, of index values with `lower` < `upper`, or with fetches that do no
/// harm at `lower`. The step is positive.
struct BufferedLoop {
  mlir::Value lower, upper, step;
  /// The last turn's variable.
  mlir::Value last;
  mlir::ValueRange inits;
  BufferCount count;
  /// Who shares the tiles: the workgroup, or a wave for itself.
  Scope scope = Scope::Workgroup;
  /// All buffers of each tile.
  llvm::SmallVector<mlir::Value> buffers;
  /// How many layout.async_dma each turn fetches with; 0 if any tile goes
  /// another way, for then the loads and stores wait for themselves.
  int64_t transfers = 0;
};

/// One turn.
struct BufferedIteration {
  /// The loop's variable, and the number of the buffer that has its tiles.
  mlir::Value iv, buffer;
  /// Of the turn whose tiles are fetched in this one.
  mlir::Value fetchedIv, fetchedBuffer;
  /// What the loop carries.
  mlir::ValueRange carried;
};

/// Builds the loop at the builder's place. `fetch` fetches the tiles of the
/// turn with a given variable to a given buffer; it is called for the turns
/// before the loop. `build` fills a turn's body, with the fetch of the later
/// turn's tiles where it suits, and gives what is carried on.
mlir::scf::ForOp createBufferedLoop(
    mlir::OpBuilder &b, mlir::Location loc, const BufferedLoop &loop,
    llvm::function_ref<void(mlir::Value iv, mlir::Value buffer)> fetch,
    llvm::function_ref<
        llvm::SmallVector<mlir::Value>(const BufferedIteration &)>
        build);

} // namespace aircc::hierarchy

#endif // AIRCC_PIPELINE_HIERARCHY_TILES_BUFFEREDLOOP_H
