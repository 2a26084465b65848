//===- TransferOrder.cpp - Transfers whose order is preserved -------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/npu/ShimLoops.h"

#include "mlir/IR/SymbolTable.h"

#include <set>

using namespace mlir;
using namespace aircc;
using namespace aircc::npu;

namespace {

/// How data moves through the channels of a launch.
class ChannelGraph {
public:
  explicit ChannelGraph(air::LaunchOp launch);

  /// Returns whether data that is put into `channel` reaches a herd that also
  /// gets from a broadcast channel, directly or through other channels.
  bool reachesBroadcastHerd(StringRef channel) const {
    return reaching.count(channel.str());
  }

private:
  /// For each channel, the channels into which data received from it is put.
  std::map<std::string, std::set<std::string>> feeds;
  std::set<std::string> reaching;
};

/// Returns the memref outside segments and herds that is passed into them as
/// `memref`.
Value getOrigin(Value memref) {
  while (auto argument = dyn_cast<BlockArgument>(memref)) {
    auto hierarchy =
        dyn_cast<air::HierarchyInterface>(argument.getOwner()->getParentOp());
    Value operand =
        hierarchy ? hierarchy.getTiedKernelOperand(argument) : Value();
    if (!operand)
      break;
    memref = operand;
  }
  return memref;
}

ChannelGraph::ChannelGraph(air::LaunchOp launch) {
  llvm::DenseMap<Value, std::set<std::string>> filledFrom;
  llvm::DenseMap<Operation *, std::set<std::string>> herdGets;
  llvm::SmallSetVector<Operation *, 4> broadcastHerds;
  launch.walk([&](air::ChannelGetOp get) {
    std::string name = get.getChanName().str();
    filledFrom[getOrigin(get.getDst())].insert(name);
    auto herd = get->getParentOfType<air::HerdOp>();
    if (!herd)
      return;
    herdGets[herd].insert(name);
    air::ChannelOp channel = air::lookupChannel(get, get.getChanNameAttr());
    if (channel && channel.isBroadcast())
      broadcastHerds.insert(herd);
  });
  launch.walk([&](air::ChannelPutOp put) {
    auto filled = filledFrom.find(getOrigin(put.getSrc()));
    if (filled == filledFrom.end())
      return;
    for (const std::string &name : filled->second)
      feeds[name].insert(put.getChanName().str());
  });
  for (Operation *herd : broadcastHerds)
    reaching.insert(herdGets[herd].begin(), herdGets[herd].end());
  size_t before;
  do {
    before = reaching.size();
    for (const auto &[name, targets] : feeds)
      if (llvm::any_of(targets, [&](const std::string &target) {
            return reaching.count(target);
          }))
        reaching.insert(name);
  } while (reaching.size() != before);
}

} // namespace

void npu::markOrderedTransfers(air::LaunchOp launch) {
  if (!launch->hasAttr(kPreserveOrder))
    return;
  ChannelGraph graph(launch);
  Builder b(launch.getContext());
  walkShimOps(launch.getRegion(), [&](Operation *op) {
    auto access = dyn_cast<air::ChannelAccessInterface>(op);
    if (!access)
      return;
    bool isHostFeed = isa<air::ChannelPutOp>(op) &&
                      air::getMemorySpace(
                          cast<BaseMemRefType>(access.getMemref().getType())) ==
                          air::MemorySpace::L3;
    if (!isHostFeed ||
        graph.reachesBroadcastHerd(access.getChanNameAttr().getValue()))
      op->setAttr(kPreserveOrder, b.getUnitAttr());
  });
}
