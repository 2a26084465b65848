//===- QueueChannels.cpp - Channels through queues in L2 ------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The general case of a channel whose puts do not depend on its gets: a queue
// for each element of the array of channels, with room for all its messages.
// All puts execute before the gets.
//
//===----------------------------------------------------------------------===//

#include "pipeline/analysis/BufferLevels.h"
#include "pipeline/hierarchy/channels/ChannelPasses.h"
#include "pipeline/hierarchy/channels/Forwarding.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"

using namespace mlir;

namespace aircc::hierarchy {

namespace {

/// The queues of one channel, one after another in one buffer.
class ChannelQueues {
public:
  ChannelQueues(air::LaunchOp launch, LaunchTrace &trace, ChannelEnds &ends)
      : launch(launch), trace(trace), ends(ends) {}

  LogicalResult run();
  Value getBuffer() const { return buffer; }

private:
  LogicalResult findPositions();
  LogicalResult plan();
  Value createPosition(const RemotePlan &plan, OpBuilder &b, Location loc,
                       ValueRange variables);
  Value createElement(OpBuilder &b, air::ChannelAccessInterface access);

  air::LaunchOp launch;
  LaunchTrace &trace;
  ChannelEnds &ends;
  /// For each op: its executions, and pseudo-events with the position of the
  /// message in its queue as their only variable.
  EventGroups groups;
  std::deque<ChannelEvent> positions;
  SmallVector<std::pair<Operation *, RemotePlan>> plans;
  /// The extents of the array of queues, and the elements of a queue.
  SmallVector<int64_t> extents;
  int64_t capacity = 0;
  Value buffer;
};

/// Computes where in its queue each message is.
LogicalResult ChannelQueues::findPositions() {
  air::ChannelAccessInterface first = ends.getAccesses().front();
  extents = ends.channel ? ends.channel.getSizes() : SmallVector<int64_t>();
  if (!ends.channel)
    extents.assign(first.getIndices().size(), 1);
  for (auto &[target, stream] : ends.streams) {
    if (!ends.channel)
      for (auto [extent, index] :
           llvm::zip_equal(extents, ArrayRef(target).drop_front()))
        extent = std::max(extent, index + 1);
    for (const auto *list : {&stream.puts, &stream.gets}) {
      int64_t position = 0;
      for (const ChannelEvent *event : *list) {
        std::optional<int64_t> size = getMessageSize(event->access);
        if (!size)
          return event->access->emitOpError(
              "moves a number of elements that is unknown at compile time, "
              "which a channel can do only if the memref at one end is in L3, "
              "or in L2 and filled before the herd");
        positions.push_back({event->access, {}, {position}, 0, 0});
        groups[event->access].push_back({event, &positions.back()});
        position += *size;
      }
      capacity = std::max(capacity, position);
    }
  }
  return success();
}

LogicalResult ChannelQueues::plan() {
  for (auto &[op, pairs] : groups) {
    std::optional<RemotePlan> plan = findRemotePlan(pairs);
    if (!plan)
      return op->emitOpError(
          "accesses a channel whose messages have no regular order: the number "
          "of earlier messages is not an affine function of ids and loop "
          "variables");
    plans.push_back({op, std::move(*plan)});
  }
  return success();
}

Value ChannelQueues::createPosition(const RemotePlan &plan, OpBuilder &b,
                                    Location loc, ValueRange variables) {
  if (!plan.selector)
    return plan.functions.front().create(b, loc, variables);
  Value result;
  for (size_t i = plan.cases.size(); i-- > 0;) {
    const RemotePlan &part = plan.cases[i];
    Value position = createPosition(part, b, loc, variables);
    if (!result) {
      result = position;
      continue;
    }
    Value number = arith::ConstantIndexOp::create(b, loc, plan.caseValues[i]);
    Value isCase = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                         variables[*plan.selector], number);
    result = arith::SelectOp::create(b, loc, isCase, position, result);
  }
  return result;
}

/// The number of the queue that an op uses. All destinations of a broadcast
/// read the same queue.
Value ChannelQueues::createElement(OpBuilder &b,
                                   air::ChannelAccessInterface access) {
  Location loc = access.getLoc();
  Value element;
  for (auto [index, extent] : llvm::zip_equal(access.getIndices(), extents)) {
    if (extent == 1)
      continue;
    Value size = arith::ConstantIndexOp::create(b, loc, extent);
    element =
        element
            ? b.createOrFold<arith::AddIOp>(
                  loc, b.createOrFold<arith::MulIOp>(loc, element, size), index)
            : index;
  }
  return element ? element : arith::ConstantIndexOp::create(b, loc, 0);
}

LogicalResult ChannelQueues::run() {
  if (trace.hasAssumedTripCounts)
    return ends.getAccesses().front()->emitOpError(
        "needs a queue, whose size depends on a number of iterations that is "
        "unknown at compile time");
  if (failed(findPositions()) || failed(plan()))
    return failure();
  Type type = ends.getAccesses().front().getMemref().getType().getElementType();
  int64_t count = capacity;
  for (int64_t extent : extents)
    count *= extent;
  OpBuilder b = OpBuilder::atBlockBegin(launch.getBodyBlock());
  auto bufferType =
      MemRefType::get({count}, type, MemRefLayoutAttrInterface(),
                      b.getI64IntegerAttr(int64_t(air::MemorySpace::L2)));
  buffer = memref::AllocOp::create(b, launch.getLoc(), bufferType);
  int64_t bits = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  ends.getAccesses().front()->emitRemark("channel ")
      << ends.getAccesses().front().getChanNameAttr()
      << " keeps all its messages in a queue of "
      << count * llvm::divideCeil(bits, 8)
      << " bytes, because no memref of its ends keeps them";
  ValueCloner cloner;
  for (auto &[op, plan] : plans) {
    OpBuilder at(op);
    Location loc = op->getLoc();
    auto access = cast<air::ChannelAccessInterface>(op);
    Value position = createPosition(plan, at, loc, getVariables(op));
    Value element = createElement(at, access);
    Value start = at.createOrFold<arith::AddIOp>(
        loc,
        at.createOrFold<arith::MulIOp>(
            loc, element, arith::ConstantIndexOp::create(at, loc, capacity)),
        position);
    air::AccessPattern queue;
    queue.memref = cloner.bring(buffer, op);
    queue.offsets = {getAsOpFoldResult(start)};
    queue.sizes = {at.getIndexAttr(*getMessageSize(access))};
    queue.strides = {at.getIndexAttr(1)};
    air::AccessPattern own = makeExplicit(access.getPattern(), at);
    bool isPut = isa<air::ChannelPutOp>(op);
    auto dma = air::DmaMemcpyNdOp::create(
        at, loc, ValueRange(), isPut ? queue : own, isPut ? own : queue);
    if (auto put = dyn_cast<air::ChannelPutOp>(op)) {
      dma.setPadBeforeAttr(put.getPadBeforeAttr());
      dma.setPadAfterAttr(put.getPadAfterAttr());
    }
    op->erase();
  }
  return success();
}

} // namespace

LogicalResult queueChannels(air::LaunchOp launch, LaunchTrace &trace) {
  SmallVector<Value> queues;
  for (auto &[name, ends] : trace.channels) {
    ChannelQueues channel(launch, trace, ends);
    if (failed(channel.run()))
      return failure();
    queues.push_back(channel.getBuffer());
  }
  trace.channels.clear();
  eraseDeadCode(launch);
  if (!orderStatements(launch, queues))
    return launch.emitOpError(
        "has code that needs data of later code through channels, and there is "
        "no order in which each part of the launch could run to its end");
  return success();
}

} // namespace aircc::hierarchy
