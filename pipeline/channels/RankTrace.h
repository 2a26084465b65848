//===- RankTrace.h - The puts and gets that a rank executes -----*- C++ -*-===//
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
  /// The indices of the channel's element; nullopt if they are unknown.
  std::optional<llvm::SmallVector<int64_t>> indices;
  /// Whether the op is known to execute exactly once for this event.
  bool certain;
};

/// One execution, by one rank, of a barrier or of an op that changes the
/// allocations in the symmetric heap.
struct HeapEvent {
  enum Kind { Alloc, Free, Barrier } kind;
  mlir::Operation *op;
  /// The size of an allocation.
  int64_t bytes = 0;
  /// The op whose last allocation is freed.
  mlir::Operation *alloc = nullptr;
};

/// The events of one rank in the body of an air.rank, as far as they are known
/// at compile time.
struct RankTrace {
  int64_t rank = 0;
  llvm::SmallVector<AccessEvent> events;
  llvm::SmallVector<HeapEvent> heapEvents;
  /// Whether `events` contains each op as often as it executes.
  bool counted = true;
  /// Whether the order of the events is known.
  bool ordered = true;
};

/// The maximum number of ranks whose puts and gets are traced.
constexpr int64_t kMaxRanks = 1024;

/// Returns the number of ranks of an air.rank, if it is constant.
std::optional<int64_t> getRankCount(air::RankOp rank);

/// The maximum number of ranks of a program that has channels in kernels and a
/// number of ranks known only at run time.
inline constexpr int64_t kMaxDynamicRanks = 16;

/// Returns true if the launch around `herd` is marked, which means that the
/// herd's points are lanes.
bool hasLanePEs(air::HerdOp herd);

/// Returns the traces of all ranks of `rank`. The body is interpreted once for
/// each rank: known conditions select a branch, and loops and spaces of known
/// size are unrolled. If the size of a one-dimensional space is unknown,
/// it is `assumed`. A herd whose points are lanes (`peIsLane`) is visited
/// once, because lanes execute each put and get together. Returns nullopt if
/// the number of ranks is unknown or above 1024.
std::optional<llvm::SmallVector<RankTrace>>
traceRanks(air::RankOp rank, bool peIsLane,
           std::optional<int64_t> assumed = std::nullopt);

/// Like traceRanks, but records the events of the symmetric heap.
std::optional<llvm::SmallVector<RankTrace>> traceHeap(air::RankOp rank);

} // namespace aircc::channels

#endif // AIRCC_PIPELINE_CHANNELS_RANKTRACE_H
