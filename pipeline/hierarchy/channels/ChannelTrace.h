//===- ChannelTrace.h - Executions of puts and gets in a launch -*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_HIERARCHY_CHANNELS_CHANNELTRACE_H
#define AIRCC_PIPELINE_HIERARCHY_CHANNELS_CHANNELTRACE_H

#include "dialects/air/AIROps.h"
#include "dialects/air/MessageSize.h"

#include "llvm/ADT/MapVector.h"

#include <deque>
#include <map>
#include <vector>

namespace aircc::hierarchy {

/// One execution of a put or a get. Missing indices of the channel are 0.
struct ChannelEvent {
  /// Mutable because accessors of op interfaces are not const.
  mutable air::ChannelAccessInterface access;
  /// The element of the array of channels.
  llvm::SmallVector<int64_t> indices;
  /// The values of getVariables(access).
  llvm::SmallVector<int64_t> variables;
  /// The sequential program that executes the op: a PE, or the code of the
  /// launch and its segments.
  int64_t process = 0;
  /// The number of the trace.
  int64_t assumption = 0;
};

/// The puts into one destination of a channel and the gets from it, in order.
/// The first get takes the data of the first put, and so on.
struct ChannelStream {
  llvm::SmallVector<const ChannelEvent *, 0> puts, gets;
};

/// The ops that access one channel in a launch.
struct ChannelEnds {
  /// Null if the channel is not declared.
  air::ChannelOp channel;
  /// The dimensions of the array of channels.
  size_t numDims = 0;
  llvm::SmallVector<air::ChannelPutOp> puts;
  llvm::SmallVector<air::ChannelGetOp> gets;
  /// The streams, indexed by the number of the trace, the indices of the
  /// destination and the process that gets. If sizes or trip counts are unknown
  /// at compile time, there are several traces for different assumptions.
  std::map<std::vector<int64_t>, ChannelStream> streams;
  /// Whether a put reaches several gets, because of `broadcast_shape` or
  /// because several PEs get from the same element.
  bool isBroadcast = false;

  llvm::SmallVector<air::ChannelAccessInterface> getAccesses() const;
};

/// Returns the ids of the spaces and the induction variables of the loops
/// around `op` up to its launch, outermost first.
llvm::SmallVector<mlir::Value> getVariables(mlir::Operation *op);

/// Records the puts and gets of a launch by executing its control flow for all
/// PEs.
class LaunchTrace {
public:
  /// Creates the trace. Emits an error if control flow or indices are unknown
  /// at compile time, if indices are out of bounds for a channel, or if puts
  /// and gets do not match.
  static mlir::FailureOr<LaunchTrace> create(air::LaunchOp launch);

  /// The ends of each channel, in the order in which they are first used.
  llvm::MapVector<mlir::StringAttr, ChannelEnds> channels;
  /// Whether trip counts are unknown at compile time.
  bool hasAssumedTripCounts = false;

  /// Returns the events of each trace, in the order that results if processes
  /// execute one after another.
  llvm::ArrayRef<std::deque<ChannelEvent>> getEvents() const { return events; }

private:
  friend class LaunchTracer;
  mlir::LogicalResult addStreams();
  mlir::LogicalResult addEvent(const ChannelEvent &event);
  /// Creates a separate stream for each process that gets all messages of an
  /// element.
  void splitStreams(ChannelEnds &ends);

  /// References to the events remain valid.
  std::vector<std::deque<ChannelEvent>> events;
};

} // namespace aircc::hierarchy

#endif // AIRCC_PIPELINE_HIERARCHY_CHANNELS_CHANNELTRACE_H
