//===- QueueChannels.cpp - Channels through queues in L2 ------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The general case: a queue for each element of the channel array, with room
// for all its messages. Puts execute before gets, except between PEs of the
// same herd, where a counter for each queue holds how many elements have been
// put, and a get waits for its elements.
//
//===----------------------------------------------------------------------===//

#include "pipeline/analysis/BufferLevels.h"
#include "pipeline/hierarchy/channels/ChannelPasses.h"
#include "pipeline/hierarchy/channels/Forwarding.h"

#include "dialects/kernel/KernelOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace aircc::hierarchy {

namespace {

/// The queues of one channel, consecutive in one buffer.
class ChannelQueues {
public:
  ChannelQueues(air::LaunchOp launch, LaunchTrace &trace, ChannelEnds &ends)
      : launch(launch), trace(trace), ends(ends) {}

  LogicalResult run();
  Value getBuffer() const { return buffer; }
  /// Returns true if both ends are in the same herd, so that its PEs wait for
  /// each other.
  bool isWithinHerd();

private:
  LogicalResult findPositions();
  LogicalResult plan();
  Value createPosition(const RemotePlan &plan, OpBuilder &b, Location loc,
                       air::ChannelAccessInterface access);
  Value createElement(OpBuilder &b, air::ChannelAccessInterface access);
  void createBuffers();
  void createWait(OpBuilder &b, Location loc, Value counter, Value element,
                  Value count);
  void replace(air::ChannelAccessInterface access, const RemotePlan &plan);

  air::LaunchOp launch;
  LaunchTrace &trace;
  ChannelEnds &ends;
  /// For each op, its executions, and pseudo-events whose only variable is the
  /// position of the message in its queue.
  EventGroups groups;
  std::deque<ChannelEvent> positions;
  SmallVector<std::pair<Operation *, RemotePlan>> plans;
  /// The sizes of the queue array, and the number of elements in a queue.
  SmallVector<int64_t> extents;
  int64_t capacity = 0;
  Value buffer, counters;
  ValueCloner cloner;
};

/// Computes the position of each message in its queue.
LogicalResult ChannelQueues::findPositions() {
  extents = ends.channel ? ends.channel.getSizes()
                         : SmallVector<int64_t>(ends.numDims, 1);
  for (auto &[target, stream] : ends.streams) {
    if (!ends.channel)
      for (auto [extent, index] :
           llvm::zip_equal(extents, ArrayRef(target).drop_front().drop_back()))
        extent = std::max(extent, index + 1);
    for (const auto *list : {&stream.puts, &stream.gets}) {
      int64_t position = 0;
      for (const ChannelEvent *event : *list) {
        std::optional<int64_t> size = air::getMessageSize(event->access);
        if (!size)
          return event->access->emitOpError(
              "transfers a number of elements that is unknown at compile time, "
              "which is supported only if the memref at one end is in L3, or "
              "in L2 and filled before the herd");
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
          "accesses a channel whose messages have no regular order, because "
          "the number of earlier messages is not an affine function of ids and "
          "loop variables");
    plans.push_back({op, std::move(*plan)});
  }
  return success();
}

Value ChannelQueues::createPosition(const RemotePlan &plan, OpBuilder &b,
                                    Location loc,
                                    air::ChannelAccessInterface access) {
  auto getVariable = [&](unsigned number) {
    return cloner.bring(getVariables(access)[number], access);
  };
  if (!plan.selector)
    return plan.functions.front().create(b, loc, getVariable);
  Value result;
  for (size_t i = plan.cases.size(); i-- > 0;) {
    const RemotePlan &part = plan.cases[i];
    Value position = createPosition(part, b, loc, access);
    if (!result) {
      result = position;
      continue;
    }
    Value number = arith::ConstantIndexOp::create(b, loc, plan.caseValues[i]);
    Value isCase = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                         getVariable(*plan.selector), number);
    result = arith::SelectOp::create(b, loc, isCase, position, result);
  }
  return result;
}

/// Returns the number of the queue that an op uses. All destinations of a
/// broadcast read the same queue.
Value ChannelQueues::createElement(OpBuilder &b,
                                   air::ChannelAccessInterface access) {
  Location loc = access.getLoc();
  Value element;
  for (auto [index, extent] : llvm::zip(access.getIndices(), extents)) {
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

bool ChannelQueues::isWithinHerd() {
  for (air::ChannelPutOp put : ends.puts)
    for (air::ChannelGetOp get : ends.gets)
      if (auto herd = put->getParentOfType<air::HerdOp>();
          herd && herd->isAncestor(get))
        return true;
  return false;
}

void ChannelQueues::createBuffers() {
  Type type = ends.getAccesses().front().getMemref().getType().getElementType();
  int64_t numQueues = 1;
  for (int64_t extent : extents)
    numQueues *= extent;
  OpBuilder b = OpBuilder::atBlockBegin(launch.getBodyBlock());
  Location loc = launch.getLoc();
  auto createBuffer = [&](int64_t count, Type elementType) -> Value {
    return memref::AllocOp::create(
        b, loc,
        MemRefType::get({count}, elementType, MemRefLayoutAttrInterface(),
                        b.getI64IntegerAttr(int64_t(air::MemorySpace::L2))));
  };
  buffer = createBuffer(numQueues * capacity, type);
  int64_t bits = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  air::ChannelAccessInterface first = ends.getAccesses().front();
  first->emitRemark("channel ")
      << first.getChanNameAttr() << " keeps all its messages in a queue of "
      << numQueues * capacity * llvm::divideCeil(bits, 8)
      << " bytes, because neither end has a memref that holds them all";
  if (!isWithinHerd())
    return;
  counters = createBuffer(numQueues, b.getI32Type());
  Value zero = arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(0));
  linalg::FillOp::create(b, loc, zero, counters);
}

/// Waits until `count` elements have been put into a queue.
void ChannelQueues::createWait(OpBuilder &b, Location loc, Value counter,
                               Value element, Value count) {
  Value needed = arith::IndexCastOp::create(b, loc, b.getI32Type(), count);
  Value zero = arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(0));
  auto loop = scf::WhileOp::create(b, loc, TypeRange(), ValueRange());
  OpBuilder::InsertionGuard restore(b);
  b.createBlock(&loop.getBefore());
  Value done = memref::AtomicRMWOp::create(b, loc, arith::AtomicRMWKind::addi,
                                           zero, counter, element);
  Value isMissing =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, done, needed);
  scf::ConditionOp::create(b, loc, isMissing, ValueRange());
  b.createBlock(&loop.getAfter());
  scf::YieldOp::create(b, loc);
  // One lane waits; the others must not read before it has finished.
  b.setInsertionPointAfter(loop);
  kernel::AccessOp::create(b, loc, kernel::Scope::Wave, /*written=*/counter,
                           /*read=*/ValueRange());
}

void ChannelQueues::replace(air::ChannelAccessInterface access,
                            const RemotePlan &plan) {
  Operation *op = access;
  OpBuilder b(op);
  Location loc = op->getLoc();
  int64_t size = *air::getMessageSize(access);
  Value position = createPosition(plan, b, loc, access);
  Value element = createElement(b, access);
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  Value start = b.createOrFold<arith::AddIOp>(
      loc, b.createOrFold<arith::MulIOp>(loc, element, number(capacity)),
      position);
  bool isPut = isa<air::ChannelPutOp>(op);
  Value counter = counters ? cloner.bring(counters, op) : Value();
  if (counter && !isPut)
    createWait(b, loc, counter, element,
               b.createOrFold<arith::AddIOp>(loc, position, number(size)));
  air::AccessPattern queue;
  queue.memref = cloner.bring(buffer, op);
  queue.offsets = {getAsOpFoldResult(start)};
  queue.sizes = {b.getIndexAttr(size)};
  queue.strides = {b.getIndexAttr(1)};
  air::AccessPattern own = makeExplicit(access.getPattern(), b);
  auto dma = air::DmaMemcpyNdOp::create(
      b, loc, ValueRange(), isPut ? queue : own, isPut ? own : queue);
  if (auto put = dyn_cast<air::ChannelPutOp>(op)) {
    dma.setPadBeforeAttr(put.getPadBeforeAttr());
    dma.setPadAfterAttr(put.getPadAfterAttr());
  }
  if (counter && isPut) {
    // One lane increments the counter after all lanes have written.
    kernel::AccessOp::create(b, loc, kernel::Scope::Wave,
                             /*written=*/queue.memref, /*read=*/ValueRange());
    Value more = arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(size));
    memref::AtomicRMWOp::create(b, loc, arith::AtomicRMWKind::addi, more,
                                counter, element);
  }
  op->erase();
}

LogicalResult ChannelQueues::run() {
  if (trace.hasAssumedTripCounts)
    return ends.getAccesses().front()->emitOpError(
        "requires a queue whose size depends on a number of iterations that is "
        "unknown at compile time");
  if (failed(findPositions()) || failed(plan()))
    return failure();
  createBuffers();
  for (auto &[op, plan] : plans)
    replace(cast<air::ChannelAccessInterface>(op), plan);
  return success();
}

} // namespace

LogicalResult queueChannels(air::LaunchOp launch, LaunchTrace &trace,
                            int64_t maxWaves) {
  SmallVector<Value> queues, counted;
  std::vector<std::unique_ptr<ChannelQueues>> channels;
  for (auto &[name, ends] : trace.channels)
    channels.push_back(std::make_unique<ChannelQueues>(launch, trace, ends));
  auto waits = [](auto &channel) { return channel->isWithinHerd(); };
  if (llvm::any_of(channels, waits) && failed(checkDeadlock(trace)))
    return failure();
  for (auto &[name, ends] : trace.channels)
    if (ChannelQueues(launch, trace, ends).isWithinHerd())
      for (air::ChannelPutOp put : ends.puts)
        if (auto herd = put->getParentOfType<air::HerdOp>();
            herd && failed(checkWaves(launch, herd, maxWaves)))
          return failure();
  for (auto &channel : channels) {
    bool isCounted = channel->isWithinHerd();
    if (failed(channel->run()))
      return failure();
    (isCounted ? counted : queues).push_back(channel->getBuffer());
  }
  trace.channels.clear();
  eraseDeadCode(launch);
  if (orderStatements(launch, queues, counted))
    return success();
  return launch.emitOpError(
      "has code that depends, through channels, on data from later code, and "
      "no order lets all parts of the launch complete");
}

} // namespace aircc::hierarchy
