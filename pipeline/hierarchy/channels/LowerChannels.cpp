//===- LowerChannels.cpp - Channels inside one launch ---------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/hierarchy/Passes.h"
#include "pipeline/hierarchy/buffers/AssignBufferLevels.h"
#include "pipeline/hierarchy/channels/ChannelPasses.h"
#include "pipeline/hierarchy/channels/ChannelTrace.h"
#include "pipeline/hierarchy/channels/Forwarding.h"

#include "dialects/air/AIRDialect.h"
#include "dialects/kernel/LaneOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"

namespace aircc::hierarchy {
#define GEN_PASS_DEF_LOWERCHANNELS
#include "pipeline/hierarchy/Passes.h.inc"
} // namespace aircc::hierarchy

using namespace mlir;
using namespace aircc;
using namespace aircc::hierarchy;

namespace {

/// Verifies that all messages of a channel have the same element type.
LogicalResult checkTypes(const ChannelEnds &ends) {
  air::ChannelAccessInterface first = ends.getAccesses().front();
  auto getType = [](air::ChannelAccessInterface access) {
    return access.getMemref().getType().getElementType();
  };
  for (air::ChannelAccessInterface access : ends.getAccesses()) {
    if (getType(access) == getType(first))
      continue;
    InFlightDiagnostic diag =
        access->emitOpError("transfers elements of type ")
        << getType(access) << " through channel " << access.getChanNameAttr()
        << ", but another op on this channel transfers elements of type "
        << getType(first);
    diag.attachNote(first.getLoc()) << "the other op is here";
    return diag;
  }
  return success();
}

/// Erases the ops of channels that have only one end in the program. Data that
/// is never received is lost; a get without a put would wait forever.
void eraseOneEndedChannels(ModuleOp module) {
  llvm::MapVector<std::pair<Operation *, StringAttr>, ChannelEnds> channels;
  module.walk([&](air::ChannelAccessInterface access) {
    Operation *op = access;
    air::ChannelOp channel = air::lookupChannel(op, access.getChanNameAttr());
    if (channel && !channel.isNpu())
      return;
    ChannelEnds &ends = channels[{channel, access.getChanNameAttr().getAttr()}];
    if (auto put = dyn_cast<air::ChannelPutOp>(op))
      ends.puts.push_back(put);
    else
      ends.gets.push_back(cast<air::ChannelGetOp>(op));
  });
  for (auto &[key, ends] : channels) {
    if (!ends.puts.empty() && !ends.gets.empty())
      continue;
    air::ChannelAccessInterface first = ends.getAccesses().front();
    if (ends.gets.empty())
      first->emitWarning("puts into channel ")
          << first.getChanNameAttr()
          << ", but no op of the program gets from it; the data is lost";
    else
      first->emitWarning("gets from channel ")
          << first.getChanNameAttr()
          << ", but no op of the program puts into it; the kernel ends with an "
             "error here instead of waiting forever";
    for (air::ChannelAccessInterface access : ends.getAccesses()) {
      if (isa<air::ChannelGetOp>(access.getOperation())) {
        OpBuilder b(access);
        kernel::TrapOp::create(b, access.getLoc());
      }
      access->erase();
    }
  }
}

/// Erases puts and gets that no process executes, such as those in a branch
/// that no PE takes.
void eraseUnexecuted(air::LaunchOp launch, LaunchTrace &trace) {
  if (trace.hasAssumedTripCounts)
    return;
  SmallPtrSet<Operation *, 16> executed;
  for (const std::deque<ChannelEvent> &events : trace.getEvents())
    for (const ChannelEvent &event : events)
      executed.insert(event.access);
  auto isUnexecuted = [&](Operation *op) { return !executed.contains(op); };
  SmallVector<Operation *> unexecuted;
  launch.walk([&](air::ChannelAccessInterface access) {
    air::ChannelOp channel =
        air::lookupChannel(access, access.getChanNameAttr());
    if ((!channel || channel.isNpu()) && isUnexecuted(access))
      unexecuted.push_back(access);
  });
  for (auto &[name, ends] : trace.channels) {
    llvm::erase_if(ends.puts, isUnexecuted);
    llvm::erase_if(ends.gets, isUnexecuted);
  }
  trace.channels.remove_if(
      [](auto &entry) { return entry.second.getAccesses().empty(); });
  for (Operation *op : unexecuted)
    op->erase();
}

LogicalResult lowerLaunch(air::LaunchOp launch, int64_t maxWaves) {
  flattenLaunch(launch);
  if (failed(mergeHerds(launch, maxWaves)))
    return failure();
  splitMessages(launch);
  FailureOr<LaunchTrace> trace = LaunchTrace::create(launch);
  if (failed(trace))
    return failure();
  eraseUnexecuted(launch, *trace);
  for (auto &[name, ends] : trace->channels)
    if (failed(checkTypes(ends)))
      return failure();
  forwardChannels(launch, *trace);
  while (sinkLoops(launch, *trace)) {
  }
  return queueChannels(launch, *trace, maxWaves);
}

struct LowerChannelsPass
    : hierarchy::impl::LowerChannelsBase<LowerChannelsPass> {
  using LowerChannelsBase::LowerChannelsBase;

  void runOnOperation() override {
    if (failed(assignBufferLevels(getOperation())))
      return signalPassFailure();
    eraseOneEndedChannels(getOperation());
    SetVector<Operation *> launches;
    WalkResult result =
        getOperation().walk([&](air::ChannelAccessInterface access) {
          Operation *op = access;
          air::ChannelOp channel =
              air::lookupChannel(op, access.getChanNameAttr());
          if (channel && !channel.isNpu())
            return WalkResult::advance();
          auto launch = op->getParentOfType<air::LaunchOp>();
          if (launch) {
            launches.insert(launch);
            return WalkResult::advance();
          }
          op->emitOpError("is in host code; put it into the air.launch with "
                          "the other end of the channel");
          return WalkResult::interrupt();
        });
    if (result.wasInterrupted())
      return signalPassFailure();
    for (Operation *launch : launches)
      if (failed(lowerLaunch(cast<air::LaunchOp>(launch), maxWaves)))
        return signalPassFailure();
    for (auto channel :
         llvm::make_early_inc_range(getOperation().getOps<air::ChannelOp>()))
      if (SymbolTable::symbolKnownUseEmpty(channel, getOperation()))
        channel.erase();
  }
};

} // namespace
