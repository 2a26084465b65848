//===- ChannelPasses.h - Steps of hierarchy-lower-channels ------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_HIERARCHY_CHANNELS_CHANNELPASSES_H
#define AIRCC_PIPELINE_HIERARCHY_CHANNELS_CHANNELPASSES_H

#include "pipeline/hierarchy/channels/ChannelTrace.h"

namespace aircc::hierarchy {

/// Inlines the segments without a space into the launch, and moves allocations
/// outside herds to the start of the launch and erases deallocations, so that
/// the code at both ends of a channel can use the buffers.
void flattenLaunch(air::LaunchOp launch);

/// Merges herds that need messages from each other into one herd, whose PEs
/// wait for each other. Emits an error if they need more than the `maxWaves`
/// waves of a workgroup.
mlir::LogicalResult mergeHerds(air::LaunchOp launch, int64_t maxWaves);

/// Splits messages so that all messages of a channel have the same number of
/// elements, if the access patterns allow it.
void splitMessages(air::LaunchOp launch);

/// Merges a loop in the launch's code with the loop of a herd with which it
/// exchanges tiles through channels. Returns true if there was one.
bool sinkLoops(air::LaunchOp launch, LaunchTrace &trace);

/// Replaces the puts and gets of channels whose ends are in different ops of
/// the launch with transfers to and from queues in L2, which have room for all
/// messages. If PEs of the same herd wait for each other, each needs one of the
/// `maxWaves` waves of a workgroup.
mlir::LogicalResult queueChannels(air::LaunchOp launch, LaunchTrace &trace,
                                  int64_t maxWaves);

/// Emits an error if the processes of a launch wait for each other forever.
mlir::LogicalResult checkDeadlock(const LaunchTrace &trace);

/// Emits an error if not all PEs of the herd have their own wave.
mlir::LogicalResult checkWaves(air::LaunchOp launch, air::HerdOp herd,
                               int64_t maxWaves);

/// Reorders the ops of the launch so that each op that writes one of `queues`
/// precedes those that read it; other ops that use the same memory keep their
/// order. Splits loops where necessary. Returns false if there is no such
/// order. A single op may write and read each of `counted`.
bool orderStatements(air::LaunchOp launch, llvm::ArrayRef<mlir::Value> queues,
                     llvm::ArrayRef<mlir::Value> counted);

/// Erases loops and branches in the launch that have no effects.
void eraseDeadCode(air::LaunchOp launch);

} // namespace aircc::hierarchy

#endif // AIRCC_PIPELINE_HIERARCHY_CHANNELS_CHANNELPASSES_H
