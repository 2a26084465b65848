//===- LowerMessages.cpp - Lower messages between ranks -------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/analysis/BufferLevels.h"
#include "pipeline/analysis/ExecutionModel.h"
#include "pipeline/analysis/MemoryAccess.h"
#include "pipeline/analysis/Uniformity.h"
#include "pipeline/hierarchy/Passes.h"
#include "pipeline/hierarchy/execution/Workers.h"
#include "pipeline/hierarchy/transfers/ChannelEndpointEmitter.h"

#include "dialects/kernel/KernelOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace aircc::hierarchy {
#define GEN_PASS_DEF_LOWERMESSAGES
#include "pipeline/hierarchy/Passes.h.inc"
} // namespace aircc::hierarchy

using namespace mlir;
using namespace aircc;
using namespace aircc::hierarchy;

namespace {

/// Emits an error that names the op that the user wrote.
InFlightDiagnostic emitUserError(Operation *op, const Twine &message) {
  StringRef name = isa<air::MessageSendOp>(op)
                       ? air::ChannelPutOp::getOperationName()
                       : air::ChannelGetOp::getOperationName();
  return emitError(op->getLoc()) << "'" << name << "' op " << message;
}

struct LowerMessagesPass
    : hierarchy::impl::LowerMessagesBase<LowerMessagesPass> {
  void runOnOperation() override {
    for (gpu::GPUFuncOp kernel : getUnfinishedKernels(getOperation())) {
      SmallVector<air::TransferInterface> ops;
      kernel.walk([&](air::TransferInterface op) {
        if (isa<air::MessageSendOp, air::MessageReceiveOp>(op))
          ops.push_back(op);
      });
      if (ops.empty())
        continue;
      Uniformity uniformity(kernel);
      SmallVector<std::pair<air::TransferInterface, Scope>> messages;
      for (air::TransferInterface op : ops)
        messages.push_back({op, getMessageScope(op, uniformity)});
      for (auto [op, scope] : messages)
        if (failed(check(op, scope, uniformity)))
          return signalPassFailure();
      for (auto [op, scope] : messages)
        if (failed(lower(op, scope)))
          return signalPassFailure();
    }
  }

  static air::AccessPattern getPattern(air::TransferInterface op) {
    air::AccessPattern source = op.getSourcePattern();
    return source.memref ? source : op.getTargetPattern();
  }

  /// If a PE is a lane, all lanes of the herd transfer a message together,
  /// provided that it is uniform.
  static Scope getMessageScope(air::TransferInterface op,
                               const Uniformity &uniformity) {
    Scope scope = getTransferScope(op, uniformity);
    if (scope != Scope::Lane ||
        !getKernel(op)->hasAttr(
            kernel::KernelDialect::PeIsLaneAttrHelper::getNameStr()))
      return scope;
    Scope uniform = uniformity.getControlScope(op);
    for (Value operand : op->getOperands())
      uniform = std::min(uniform, uniformity.getUniformScope(operand));
    return uniform >= Scope::Workgroup ? Scope::Wave : Scope::Lane;
  }

  static std::optional<int64_t> getBlockSize(Operation *op) {
    int64_t threads = 1;
    for (unsigned dim = 0; dim < 3; ++dim) {
      std::optional<int64_t> size = getKnownBlockDim(op, dim);
      if (!size)
        return std::nullopt;
      threads *= *size;
    }
    return threads;
  }

  /// Returns the number of lanes, from lane 0 on, that transfer the message.
  static FailureOr<int64_t> getLanes(air::TransferInterface op, Scope scope) {
    int64_t waveSize = getWaveSize(op);
    if (!getKernel(op)->hasAttr(
            kernel::KernelDialect::PeIsLaneAttrHelper::getNameStr()))
      return waveSize;
    std::optional<int64_t> threads = getBlockSize(op);
    auto herd = op->getParentOfType<air::HerdOp>();
    int64_t points = herd ? 1 : threads.value_or(0);
    if (herd)
      for (int64_t size : herd.getStaticSizes())
        points = ShapedType::isDynamic(size) ? 0 : points * size;
    bool isInOneWave = points <= waveSize || scope == Scope::Workgroup;
    if (threads && points == *threads && isInOneWave)
      return std::min(points, waveSize);
    InFlightDiagnostic diag =
        emitUserError(op, "is executed by all lanes of a herd together, so the "
                          "herd must be one wave of at most ");
    diag << waveSize << " lanes, and the whole workgroup";
    if (herd)
      diag.attachNote(herd.getLoc()) << "the herd is here";
    return diag;
  }

  static LogicalResult check(air::TransferInterface op, Scope scope,
                             const Uniformity &uniformity) {
    int64_t waveSize = getWaveSize(op);
    if (waveSize != abi::kLineWords && waveSize != 2 * abi::kLineWords)
      return emitUserError(op,
                           "requires waves of 32 or 64 lanes, because a wave "
                           "writes a line of a channel with one store");
    if (scope != Scope::Lane && failed(getLanes(op, scope)))
      return failure();
    BufferLevel level = getBufferLevel(getPattern(op).memref);
    if (level == BufferLevel::PerLane)
      return emitUserError(
          op, "transfers a buffer of which each lane has its own copy, but a "
              "wave transfers a message together; use a buffer in L2 or L3, or "
              "code that does not use lane ids");
    if (getScope(op) == Scope::Workgroup && level == BufferLevel::PerWave)
      return emitUserError(
          op,
          "transfers a buffer of which each PE has its own copy, in code of "
          "the segment; move the op into a herd, or use a buffer in L2 or L3");
    if (scope == Scope::Lane)
      return emitUserError(
          op, "must be executed by all lanes of a wave together, but its "
              "operands or an enclosing condition differ between lanes");
    return checkSameForWorkers(op, scope, uniformity);
  }

  static LogicalResult lower(air::TransferInterface op, Scope scope) {
    OpBuilder b(op);
    Location loc = op.getLoc();
    FailureOr<TransferSide> side = createTransferSide(b, op);
    if (failed(side))
      return failure();
    if (!side->getCount())
      return emitUserError(op, "has a size that is unknown at compile time");
    int64_t waveSize = getWaveSize(op);
    FailureOr<int64_t> lanes = getLanes(op, scope);
    if (failed(lanes))
      return failure();
    // In per-lane code, each lane may access any element before and after the
    // message, so accesses of the whole wave are declared around it.
    bool isInLaneCode = scope == Scope::Wave && getScope(op) == Scope::Lane;
    Value memref = getPattern(op).memref;
    ValueRange accessed(memref), none;
    bool writes = isa<air::MessageReceiveOp>(op);
    if (isInLaneCode)
      kernel::AccessOp::create(b, loc, Scope::Wave, writes ? accessed : none,
                               writes ? none : accessed);
    auto region = scf::ExecuteRegionOp::create(b, loc, TypeRange());
    region->setAttr(kernel::KernelDialect::EveryLaneAttrHelper::getNameStr(),
                    b.getUnitAttr());
    if (isInLaneCode)
      kernel::AccessOp::create(b, loc, Scope::Wave, accessed, none);
    b.createBlock(&region.getRegion());
    auto end = scf::YieldOp::create(b, loc);
    b.setInsertionPoint(end);
    // The first wave transfers the messages of a workgroup.
    if (scope == Scope::Workgroup && getWorkerCount(op, scope) != *lanes) {
      Value thread = getWorkers(b, loc, scope).id;
      Value isFirst = arith::CmpIOp::create(
          b, loc, arith::CmpIPredicate::ult, thread,
          arith::ConstantIndexOp::create(b, loc, waveSize));
      auto guard = scf::IfOp::create(b, loc, isFirst);
      b.setInsertionPoint(guard.thenBlock()->getTerminator());
    }
    Type elementType = cast<BaseMemRefType>(memref.getType()).getElementType();
    ChannelEndpoint endpoint{*side, elementType};
    endpoint.waveSize = waveSize;
    endpoint.lanes = *lanes;
    auto setChannel = [&](auto message) {
      endpoint.depth = message.getDepth();
      endpoint.slotLines = message.getLines();
      endpoint.isSingleLine = message.getSingleLine();
    };
    if (auto send = dyn_cast<air::MessageSendOp>(*op)) {
      setChannel(send);
      ChannelEndpointEmitter(b, loc, endpoint)
          .emitSend(send.getLinesRing(), send.getCreditRing(),
                    send.getShared());
    } else if (auto receive = dyn_cast<air::MessageReceiveOp>(*op)) {
      setChannel(receive);
      ChannelEndpointEmitter(b, loc, endpoint)
          .emitReceive(receive.getLinesRing(), receive.getCreditRing(),
                       receive.getShared());
    }
    op->erase();
    return success();
  }
};

} // namespace
