//===- ChannelUses.h - The puts and gets of each channel --------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_CHANNELS_CHANNELUSES_H
#define AIRCC_PIPELINE_CHANNELS_CHANNELUSES_H

#include "pipeline/channels/RankTrace.h"

#include "dialects/air/MessageSize.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/SetVector.h"

#include <map>

namespace aircc::channels {

/// The uses of one destination of a channel: an array element that gets index.
/// The array has the shape `broadcast_shape` if there is one; otherwise, it has
/// the channel's own sizes.
struct ElementUse {
  llvm::SmallSetVector<int64_t, 4> putRanks, getRanks;
  /// The number of executions by all ranks together.
  int64_t puts = 0, gets = 0;
  /// The ops, once per execution; in program order if `isOrdered` is set.
  llvm::SmallVector<mlir::Operation *, 0> putOps, getOps;
  /// Whether the order of each rank's puts and gets is known.
  bool isOrdered = true;
  /// The first ops found, for use in messages.
  mlir::Operation *put = nullptr, *get = nullptr;
};

/// All uses of one channel by ranks.
struct ChannelUses {
  air::ChannelOp channel;
  llvm::SmallVector<air::ChannelPutOp> puts;
  llvm::SmallVector<air::ChannelGetOp> gets;
  /// The air.rank ops that contain the ops.
  llvm::SmallSetVector<mlir::Operation *, 2> ranks;
  /// Whether the ops are in kernels rather than in host code.
  bool inKernel = false;
  /// Whether `elements` contains all uses.
  bool isComplete = true;
  /// Whether the counts in `elements` are exact.
  bool isCounted = true;
  /// Whether the points of herds are lanes.
  bool peIsLane = false;
  /// Whether it is known which ranks execute each op.
  bool isTold = true;
  /// Indexed by the row-major number of the destination.
  std::vector<ElementUse> elements;
  /// Used if the number of ranks is known only at run time: the uses for each
  /// number of ranks for which puts and gets match.
  std::map<int64_t, std::vector<ElementUse>> elementsByCount;

  /// Returns the puts, then the gets.
  llvm::SmallVector<air::ChannelAccessInterface> getAccesses();
};

/// Finds the uses of all channels in a module. Emits an error, with a note at
/// the other end, if puts and gets do not match or deadlock. With `peIsLane`,
/// the points of herds are lanes, which execute each put and get together.
mlir::FailureOr<std::vector<ChannelUses>> findChannelUses(mlir::ModuleOp module,
                                                          bool peIsLane);

/// Returns the number of slots of a channel in kernels: its depth, rounded up
/// to a power of two.
int64_t getNumSlots(air::ChannelOp channel);

/// Returns the numbers of the destinations that a put with these indices
/// reaches, or of the one that a get with these indices reads.
llvm::SmallVector<int64_t> getTargets(air::ChannelOp channel, bool isPut,
                                      llvm::ArrayRef<int64_t> indices);

} // namespace aircc::channels

#endif // AIRCC_PIPELINE_CHANNELS_CHANNELUSES_H
