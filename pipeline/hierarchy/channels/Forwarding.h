//===- Forwarding.h - Puts and gets as one transfer -------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_HIERARCHY_CHANNELS_FORWARDING_H
#define AIRCC_PIPELINE_HIERARCHY_CHANNELS_FORWARDING_H

#include "pipeline/hierarchy/channels/AffineFit.h"
#include "pipeline/hierarchy/channels/ChannelTrace.h"

#include "mlir/IR/IRMapping.h"

namespace aircc::hierarchy {

/// An execution of an op, the local one, paired with the execution of the op at
/// the other end of the channel.
struct EventPair {
  const ChannelEvent *local, *remote;
};

/// Maps each execution of a local op to an execution of a remote op, as a
/// function of the local op's variables.
struct RemotePlan {
  mutable air::ChannelAccessInterface remote;
  /// The values of getVariables(remote).
  llvm::SmallVector<AffineFunction> functions;
  /// If there is no single function: the local variable that selects among
  /// them, and a plan for each of its values.
  std::optional<unsigned> selector;
  llvm::SmallVector<int64_t> caseValues;
  std::vector<RemotePlan> cases;
};

/// Finds the plan for the executions of one local op.
std::optional<RemotePlan> findRemotePlan(llvm::ArrayRef<EventPair> pairs);

/// Computes values from one program point of a launch at another program point.
class ValueCloner {
public:
  /// Returns true if `value` can be computed at `at` once `variables`, which
  /// belong to its own program point, are known.
  static bool canClone(mlir::Value value, llvm::ArrayRef<mlir::Value> variables,
                       mlir::Operation *at);
  /// Returns true if canClone is true for all values of a pattern.
  static bool canClone(const air::AccessPattern &pattern,
                       llvm::ArrayRef<mlir::Value> variables,
                       mlir::Operation *at);
  /// Computes `value` at the insertion point of `b`, which is in the same
  /// hierarchy op as `at`. `mapping` contains the variables.
  mlir::Value clone(mlir::Value value, mlir::Operation *at, mlir::OpBuilder &b,
                    mlir::IRMapping &mapping);
  /// Clones all values of a pattern.
  air::AccessPattern clone(const air::AccessPattern &pattern,
                           mlir::Operation *at, mlir::OpBuilder &b,
                           mlir::IRMapping &mapping);
  /// Passes `value`, which is defined outside the hierarchy ops that contain
  /// `at`, into these ops.
  mlir::Value bring(mlir::Value value, mlir::Operation *at);

private:
  /// The argument inside, indexed by the hierarchy op and the value outside.
  llvm::DenseMap<std::pair<mlir::Operation *, mlir::Value>, mlir::Value> inside;
};

/// Returns a pattern that does not depend on the other side of a transfer, in
/// which the lists of a whole memref are written out.
air::AccessPattern makeExplicit(air::AccessPattern pattern, mlir::OpBuilder &b);

/// The pairs of a channel's events, indexed by local op: its gets with `pull`,
/// otherwise its puts.
using EventGroups =
    llvm::MapVector<mlir::Operation *, llvm::SmallVector<EventPair>>;

/// Pairs each put with its get. Returns nullopt if messages differ in size.
std::optional<EventGroups> pairEvents(const ChannelEnds &ends, bool pull);

/// Returns true if the values of all remote ops of a plan can be computed at
/// the local op.
bool isPossible(const RemotePlan &plan, mlir::Operation *local);

/// Creates the transfers between the local op's memref and those of the remote
/// ops: to the local memref with `pull`, otherwise from it.
void emitTransfers(const RemotePlan &plan, air::ChannelAccessInterface local,
                   bool pull, mlir::OpBuilder &b, ValueCloner &cloner);

/// Replaces the puts and gets of channels with transfers between the memrefs of
/// both ends. Does this for each channel of `trace` one end of which is code of
/// the launch or a segment with a memref that does not change in between.
/// Returns the number of channels.
unsigned forwardChannels(air::LaunchOp launch, LaunchTrace &trace);

} // namespace aircc::hierarchy

#endif // AIRCC_PIPELINE_HIERARCHY_CHANNELS_FORWARDING_H
