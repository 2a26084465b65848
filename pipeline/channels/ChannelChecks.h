//===- ChannelChecks.h - Checks that puts and gets match --------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_CHANNELS_CHANNELCHECKS_H
#define AIRCC_PIPELINE_CHANNELS_CHANNELCHECKS_H

#include "pipeline/channels/ChannelUses.h"
#include "pipeline/channels/RankTrace.h"

#include <string>

namespace aircc::channels {

/// "[1, 2]".
std::string printIndices(llvm::ArrayRef<int64_t> indices);

/// Checks each use individually.
mlir::LogicalResult checkAccess(air::ChannelAccessInterface access,
                                ChannelUses &uses);

/// Checks that all puts and gets of a channel match in number, type and size.
mlir::LogicalResult checkUses(ChannelUses &uses);

/// Interprets the puts and gets of all ranks. On a deadlock, emits an error at
/// the ops that wait. The traces must contain all events of all ranks in order,
/// and a single rank must get the messages of each destination.
mlir::LogicalResult checkDeadlock(llvm::ArrayRef<RankTrace> traces);

} // namespace aircc::channels

#endif // AIRCC_PIPELINE_CHANNELS_CHANNELCHECKS_H
