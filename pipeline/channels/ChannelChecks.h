//===- ChannelChecks.h - Whether puts and gets meet -------------*- C++ -*-===//
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

/// What can be said about each use by itself.
mlir::LogicalResult checkAccess(air::ChannelAccessInterface access,
                                ChannelUses &uses);

/// Whether all puts and gets of a channel meet, and move the same.
mlir::LogicalResult checkUses(ChannelUses &uses);

/// Lets ranks carry out their puts and gets until none can go on: an error at
/// the ops that then wait for each other. The events of all ranks must be known
/// in full and in order, and each destination have one rank that gets.
mlir::LogicalResult checkDeadlock(llvm::ArrayRef<RankTrace> traces);

} // namespace aircc::channels

#endif // AIRCC_PIPELINE_CHANNELS_CHANNELCHECKS_H
