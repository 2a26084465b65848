//===- ChannelUses.h - Who is at the ends of each channel -------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_CHANNELS_CHANNELUSES_H
#define AIRCC_PIPELINE_CHANNELS_CHANNELUSES_H

#include "pipeline/channels/RankTrace.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/SetVector.h"

#include <map>

namespace aircc::channels {

/// What is done with one destination of a channel: an element of the array of
/// gets (of `broadcast_shape`, where there is one).
struct ElementUse {
  llvm::SmallSetVector<int64_t, 4> putRanks, getRanks;
  /// How often, by all ranks together.
  int64_t puts = 0, gets = 0;
  /// The ops, each as often as it is carried out; in order where `isOrdered`.
  llvm::SmallVector<mlir::Operation *, 0> putOps, getOps;
  /// Whether each rank's puts and gets are known to come in this order.
  bool isOrdered = true;
  /// The first ops found, for messages.
  mlir::Operation *put = nullptr, *get = nullptr;
};

/// All uses of one channel by ranks.
struct ChannelUses {
  air::ChannelOp channel;
  llvm::SmallVector<air::ChannelPutOp> puts;
  llvm::SmallVector<air::ChannelGetOp> gets;
  /// The air.ranks that the ops are in.
  llvm::SmallSetVector<mlir::Operation *, 2> ranks;
  /// True if the ops are in kernels, false if they are the host's.
  bool inKernel = false;
  /// True if `elements` holds all uses.
  bool isComplete = true;
  /// True if the counts in `elements` are exact.
  bool isCounted = true;
  /// Whether herds are of lanes.
  bool peIsLane = false;
  /// True if it is known of each op which ranks carry it out.
  bool isTold = true;
  /// By the row-major number of the destination.
  std::vector<ElementUse> elements;
  /// The same by the number of ranks, where that is known at run time only:
  /// those numbers for which puts and gets meet.
  std::map<int64_t, std::vector<ElementUse>> elementsByCount;

  /// Puts and gets in one list, puts first.
  llvm::SmallVector<air::ChannelAccessInterface> getAccesses();
};

/// Finds the uses of all channels in a module, and checks that puts and gets
/// meet and do not all wait for each other. Errors are given at the op, with
/// notes at its partner. `peIsLane`: herds are of lanes, which make their puts
/// and gets together.
mlir::FailureOr<std::vector<ChannelUses>> findChannelUses(mlir::ModuleOp module,
                                                          bool peIsLane);

/// How many slots a channel in kernels has: its depth, rounded up to a power of
/// two.
int64_t getNumSlots(air::ChannelOp channel);

/// The numbers of the destinations that the element with these indices reaches.
/// For a get, the one it is.
llvm::SmallVector<int64_t> getTargets(air::ChannelOp channel, bool isPut,
                                      llvm::ArrayRef<int64_t> indices);

/// How many elements a put or get moves, padding included, if that is known.
std::optional<int64_t> getNumElements(air::ChannelAccessInterface access);

} // namespace aircc::channels

#endif // AIRCC_PIPELINE_CHANNELS_CHANNELUSES_H
