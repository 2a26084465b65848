//===- RankTrace.h - Which puts and gets a rank carries out -----*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_CHANNELS_RANKTRACE_H
#define AIRCC_PIPELINE_CHANNELS_RANKTRACE_H

#include "dialects/air/AIROps.h"

#include <optional>

namespace aircc::channels {

/// One execution of a put or a get by one rank.
struct AccessEvent {
  air::ChannelAccessInterface op;
  /// The indices of the channel's element; none where they cannot be told.
  std::optional<llvm::SmallVector<int64_t>> indices;
  /// Whether it is known that the op is carried out, and just once for this
  /// event.
  bool certain;
};

/// One execution by one rank of an op that changes what is allocated in the
/// symmetric heap, or of a barrier.
struct HeapEvent {
  enum Kind { Alloc, Free, Barrier } kind;
  mlir::Operation *op;
  /// Of an allocation.
  int64_t bytes = 0;
  /// Which allocation is freed, the last one of this op.
  mlir::Operation *alloc = nullptr;
};

/// What one rank does in the body of an air.rank, as far as it can be told at
/// compile time.
struct RankTrace {
  int64_t rank = 0;
  llvm::SmallVector<AccessEvent> events;
  llvm::SmallVector<HeapEvent> heapEvents;
  /// True if `events` holds neither too few nor too many of any op.
  bool counted = true;
  /// True if the events come in this order.
  bool ordered = true;
};

/// The most ranks whose puts and gets are traced.
constexpr int64_t kMaxRanks = 1024;

/// How many ranks an air.rank has, where that is known.
std::optional<int64_t> getRankCount(air::RankOp rank);

/// The largest number of ranks that programs are compiled for which say it at
/// run time only.
inline constexpr int64_t kMaxDynamicRanks = 16;

/// True if a launch around `herd` is marked: the herd's points are lanes.
bool hasLanePEs(air::HerdOp herd);

/// The traces of all ranks of `rank`. The body is followed once for each with
/// the ids that belong to it: branches on conditions that are then known are
/// decided, loops and spaces of known size are gone through point by point.
/// A space of one dimension whose size is not known is taken to have `count`
/// ranks. A herd is gone through once if its points are lanes (`peIsLane`):
/// these put and get together. None where the number of ranks is not known or
/// above 1024.
std::optional<llvm::SmallVector<RankTrace>>
traceRanks(air::RankOp rank, bool peIsLane,
           std::optional<int64_t> count = std::nullopt);

/// As traceRanks, but what the ranks do to the symmetric heap.
std::optional<llvm::SmallVector<RankTrace>> traceHeap(air::RankOp rank);

} // namespace aircc::channels

#endif // AIRCC_PIPELINE_CHANNELS_RANKTRACE_H
