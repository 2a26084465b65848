//===- ExpandPublications.cpp - Gets that name the putting rank -----------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/channels/Passes.h"
#include "pipeline/channels/RankLevel.h"
#include "pipeline/channels/RankTrace.h"

#include "dialects/air/AIROps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/SetVector.h"

#include <map>
#include <set>

namespace aircc::channels {
#define GEN_PASS_DEF_EXPANDPUBLICATIONS
#include "pipeline/channels/Passes.h.inc"
} // namespace aircc::channels

using namespace mlir;
using namespace aircc;
using namespace aircc::channels;

namespace {

/// Rewrites a dimensionless channel whose gets name the rank that puts: gives
/// it one element for each pair of ranks.
class Publication {
public:
  Publication(air::ChannelOp channel, bool peIsLane)
      : channel(channel), peIsLane(peIsLane) {}

  /// Returns whether the channel has this form.
  bool find(ModuleOp module);
  LogicalResult expand();

private:
  LogicalResult findReaders();
  Value getRankAt(Operation *op);
  void expandPut(air::ChannelPutOp put);
  void expandGet(air::ChannelGetOp get);

  air::ChannelOp channel;
  const bool peIsLane;
  SmallVector<air::ChannelPutOp> puts;
  SmallVector<air::ChannelGetOp> gets;
  llvm::SmallSetVector<Operation *, 2> ranks;
  int64_t count = 0;
  /// Maps each putting rank to the ranks that get from it.
  std::map<int64_t, std::set<int64_t>> readers;
  std::map<Operation *, Value> numbers; ///< The number of this rank, by
                                        ///< air.rank.
};

bool Publication::find(ModuleOp module) {
  if (channel.getChannelType() != air::ChannelOp::kGpuSymmetricHeap ||
      !channel.getSizes().empty() || channel.isBroadcast())
    return false;
  bool isFit = true;
  module.walk([&](air::ChannelAccessInterface access) {
    Operation *op = access;
    if (air::lookupChannel(op, access.getChanNameAttr()) != channel)
      return;
    auto rank = op->getParentOfType<air::RankOp>();
    auto put = dyn_cast<air::ChannelPutOp>(op);
    isFit &= rank && access.getIndices().size() == (put ? 0u : 1u);
    ranks.insert(rank);
    if (put)
      puts.push_back(put);
    else
      gets.push_back(cast<air::ChannelGetOp>(op));
  });
  // The channel checks report errors in other forms.
  return isFit && !puts.empty() && !gets.empty();
}

LogicalResult Publication::findReaders() {
  for (Operation *op : ranks) {
    auto rank = cast<air::RankOp>(op);
    std::optional<SmallVector<RankTrace>> traces = traceRanks(rank, peIsLane);
    int64_t size = traces ? int64_t(traces->size()) : 0;
    if (!size || (count && size != count)) {
      InFlightDiagnostic diag =
          gets.front().emitOpError("names the rank that puts into channel @")
          << channel.getSymName()
          << ", which requires a number of ranks that is known at compile time "
             "and the same at all uses of the channel";
      diag.attachNote(rank.getLoc()) << "the ranks are here";
      return diag;
    }
    count = size;
    for (const RankTrace &trace : *traces)
      for (AccessEvent event : trace.events) {
        auto get = dyn_cast<air::ChannelGetOp>(event.op.getOperation());
        if (!get || !llvm::is_contained(gets, get))
          continue;
        if (!event.indices)
          return get.emitOpError("names a rank that cannot be determined at "
                                 "compile time on rank ")
                 << trace.rank
                 << "; compute it from constants, the rank's id, ids of "
                    "enclosing AIR ops, and induction variables of loops with "
                    "constant bounds";
        int64_t from = event.indices->front();
        if (from < 0 || from >= count)
          return get.emitOpError("names rank ")
                 << from << ", but there are only " << count << " ranks";
        readers[from].insert(trace.rank);
      }
  }
  return success();
}

/// Returns the number of this rank, which is computed once in the body of the
/// air.rank.
Value Publication::getRankAt(Operation *op) {
  auto rank = op->getParentOfType<air::RankOp>();
  Value &number = numbers[rank];
  if (!number) {
    OpBuilder b = OpBuilder::atBlockBegin(rank.getBodyBlock());
    Location loc = rank.getLoc();
    // The first dimension varies fastest.
    for (unsigned dim = rank.getNumDims(); dim-- > 0;) {
      Value id = rank.getIds()[dim];
      if (!number) {
        number = id;
        continue;
      }
      number = arith::MulIOp::create(b, loc, number, rank.getSizes()[dim]);
      number = arith::AddIOp::create(b, loc, number, id);
    }
  }
  return bringIntoKernel(op, number);
}

void Publication::expandPut(air::ChannelPutOp put) {
  OpBuilder b(put);
  Location loc = put.getLoc();
  if (!put.getAsyncDependencies().empty())
    air::WaitAllOp::create(b, loc, put.getAsyncDependencies(),
                           /*isAsync=*/false);
  auto access = cast<air::ChannelAccessInterface>(put.getOperation());
  air::AccessPattern pattern = access.getPattern();
  Value number = getRankAt(put);
  for (auto &[from, to] : readers) {
    Value own = arith::ConstantIndexOp::create(b, loc, from);
    Value isOwn =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, number, own);
    auto guard = scf::IfOp::create(b, loc, isOwn);
    OpBuilder::InsertionGuard restore(b);
    b.setInsertionPoint(guard.thenBlock()->getTerminator());
    for (int64_t reader : to) {
      Value other = arith::ConstantIndexOp::create(b, loc, reader);
      auto copy = air::ChannelPutOp::create(
          b, loc, ValueRange(), put.getChanNameAttr(), ValueRange{own, other},
          pattern, /*isAsync=*/false);
      copy.setPadBeforeAttr(put.getPadBeforeAttr());
      copy.setPadAfterAttr(put.getPadAfterAttr());
    }
  }
  if (Value token = put.getAsyncToken())
    token.replaceAllUsesWith(
        air::WaitAllOp::create(b, loc, ValueRange(), /*isAsync=*/true)
            .getAsyncToken());
  put.erase();
}

void Publication::expandGet(air::ChannelGetOp get) {
  Value number = getRankAt(get);
  OpBuilder b(get);
  SmallVector<Value> indices(get.getIndices());
  indices.push_back(number);
  get.getIndicesMutable().assign(indices);
}

LogicalResult Publication::expand() {
  if (failed(findReaders()))
    return failure();
  OpBuilder b(channel);
  channel.setSizeAttr(b.getI64ArrayAttr({count, count}));
  for (air::ChannelPutOp put : puts)
    expandPut(put);
  for (air::ChannelGetOp get : gets)
    expandGet(get);
  return success();
}

struct ExpandPublicationsPass
    : channels::impl::ExpandPublicationsBase<ExpandPublicationsPass> {
  using ExpandPublicationsBase::ExpandPublicationsBase;

  void runOnOperation() override {
    SmallVector<air::ChannelOp> channels;
    getOperation().walk(
        [&](air::ChannelOp channel) { channels.push_back(channel); });
    for (air::ChannelOp channel : channels) {
      Publication publication(channel, peIsLane);
      if (publication.find(getOperation()) && failed(publication.expand()))
        return signalPassFailure();
    }
  }
};

} // namespace
