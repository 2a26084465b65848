//===- MergeHerds.cpp - Herds that exchange messages run together ---------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Herds that need messages from each other cannot run one after the other. They
// are merged into one herd, each of whose PEs executes the body of one of them.
// Its PEs are waves of a workgroup, and wait for each other's messages.
//
//===----------------------------------------------------------------------===//

#include "pipeline/analysis/ExecutionModel.h"
#include "pipeline/hierarchy/channels/BufferAccesses.h"
#include "pipeline/hierarchy/channels/ChannelPasses.h"

#include "dialects/kernel/KernelOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <set>

using namespace mlir;

namespace aircc::hierarchy {

namespace {

/// The channels between the herds in a launch's block, by position.
class HerdGraph {
public:
  explicit HerdGraph(air::LaunchOp launch);

  /// Returns the first set of herds that need messages from each other, in
  /// program order.
  SmallVector<air::HerdOp> findCycle();

private:
  void close();

  SmallVector<air::HerdOp> herds;
  std::vector<std::vector<bool>> reaches;
};

HerdGraph::HerdGraph(air::LaunchOp launch) {
  llvm::append_range(herds, launch.getBodyBlock()->getOps<air::HerdOp>());
  reaches.assign(herds.size(), std::vector<bool>(herds.size(), false));
  llvm::MapVector<StringAttr, std::pair<std::set<size_t>, std::set<size_t>>>
      ends;
  for (auto [i, herd] : llvm::enumerate(herds))
    herd.walk([&, i = i](air::ChannelAccessInterface access) {
      auto &[puts, gets] = ends[access.getChanNameAttr().getAttr()];
      (isa<air::ChannelPutOp>(access.getOperation()) ? puts : gets).insert(i);
    });
  for (auto &[name, sets] : ends)
    for (size_t from : sets.first)
      for (size_t to : sets.second)
        reaches[from][to] = true;
  close();
}

void HerdGraph::close() {
  for (size_t k = 0; k < herds.size(); ++k)
    for (size_t i = 0; i < herds.size(); ++i)
      for (size_t j = 0; j < herds.size(); ++j)
        if (reaches[i][k] && reaches[k][j])
          reaches[i][j] = true;
}

SmallVector<air::HerdOp> HerdGraph::findCycle() {
  for (size_t i = 0; i < herds.size(); ++i) {
    SmallVector<air::HerdOp> cycle = {herds[i]};
    for (size_t j = i + 1; j < herds.size(); ++j)
      if (reaches[i][j] && reaches[j][i])
        cycle.push_back(herds[j]);
    if (cycle.size() > 1)
      return cycle;
  }
  return {};
}

} // namespace

/// Returns the dimension along which the herds can be placed side by side.
static std::optional<unsigned> findDimension(ArrayRef<air::HerdOp> herds) {
  air::HerdOp front = herds.front();
  SmallVector<int64_t> first = front.getStaticSizes();
  for (unsigned dim = 0; dim < first.size(); ++dim)
    if (llvm::all_of(herds, [&](air::HerdOp herd) {
          SmallVector<int64_t> sizes = herd.getStaticSizes();
          if (sizes.size() != first.size() ||
              llvm::is_contained(sizes, ShapedType::kDynamic))
            return false;
          sizes[dim] = first[dim];
          return sizes == first;
        }))
      return dim;
  return std::nullopt;
}

/// Returns true if the ops between the herds do not access memory that the
/// herds use, so that the earlier herds may move down to the last one.
static bool canMoveDown(ArrayRef<air::HerdOp> herds) {
  SmallPtrSet<Value, 8> buffers;
  for (air::HerdOp herd : herds)
    for (Value operand : herd.getKernelOperands())
      if (isa<BaseMemRefType>(operand.getType()))
        buffers.insert(getRootBuffer(operand));
  Operation *first = herds.front(), *last = herds.back();
  for (Operation *op = first; op != last; op = op->getNextNode()) {
    if (llvm::is_contained(herds, op) || isMemoryEffectFree(op))
      continue;
    WalkResult result = op->walk([&](Operation *inner) {
      bool isShared = llvm::any_of(inner->getOperands(), [&](Value operand) {
        return isa<BaseMemRefType>(operand.getType()) &&
               buffers.contains(getRootBuffer(operand));
      });
      return isShared || isa<CallOpInterface>(inner) ? WalkResult::interrupt()
                                                     : WalkResult::advance();
    });
    if (result.wasInterrupted())
      return false;
  }
  return true;
}

/// Returns true if each PE can execute the herds' bodies in a branch.
static bool canBranch(ArrayRef<air::HerdOp> herds) {
  return llvm::none_of(herds, [](air::HerdOp herd) {
    return codeNamesLanes(herd) || herd->getNumResults() ||
           codeHolds(herd, /*intoHerds=*/true, [](Operation *op) {
             return isa<gpu::BarrierOp, kernel::BarrierOp>(op);
           });
  });
}

/// Moves the body of `herd` to the insertion point. Its PEs are those of
/// `merged` that start at `offset` in dimension `dim`.
static void moveBody(OpBuilder &b, air::HerdOp herd, air::HerdOp merged,
                     unsigned dim, int64_t offset) {
  Location loc = herd.getLoc();
  SmallVector<int64_t> sizes = herd.getStaticSizes();
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  for (unsigned i = 0; i < sizes.size(); ++i) {
    Value id = merged.getIds()[i];
    if (i == dim && offset)
      id = arith::SubIOp::create(b, loc, id, number(offset));
    herd.getIds()[i].replaceAllUsesWith(id);
    herd.getSizes()[i].replaceAllUsesWith(number(sizes[i]));
  }
  for (auto [arg, replacement] :
       llvm::zip_equal(herd.getKernelArguments(),
                       merged.appendKernelOperands(herd.getKernelOperands())))
    arg.replaceAllUsesWith(replacement);
  Block *body = herd.getBodyBlock();
  body->getTerminator()->erase();
  b.getInsertionBlock()->getOperations().splice(b.getInsertionPoint(),
                                                body->getOperations());
}

/// Replaces the herds with one whose PEs are side by side in dimension `dim`.
static void merge(ArrayRef<air::HerdOp> herds, unsigned dim) {
  air::HerdOp last = herds.back();
  OpBuilder b(last);
  Location loc = last.getLoc();
  SmallVector<int64_t> sizes = last.getStaticSizes();
  sizes[dim] = 0;
  for (air::HerdOp herd : herds)
    sizes[dim] += herd.getStaticSizes()[dim];
  SmallVector<Value> sizeValues;
  for (int64_t size : sizes)
    sizeValues.push_back(arith::ConstantIndexOp::create(b, loc, size));
  auto merged = air::HerdOp::create(b, loc, sizeValues, ValueRange());
  b.setInsertionPoint(merged.getBodyBlock()->getTerminator());
  int64_t offset = 0;
  for (air::HerdOp herd : herds) {
    int64_t end = offset + herd.getStaticSizes()[dim];
    if (herd == last) {
      moveBody(b, herd, merged, dim, offset);
      break;
    }
    Value bound = arith::ConstantIndexOp::create(b, herd.getLoc(), end);
    Value isOwn =
        arith::CmpIOp::create(b, herd.getLoc(), arith::CmpIPredicate::ult,
                              merged.getIds()[dim], bound);
    auto branch = scf::IfOp::create(b, herd.getLoc(), isOwn,
                                    /*withElseRegion=*/true);
    b.setInsertionPoint(branch.thenYield());
    moveBody(b, herd, merged, dim, offset);
    b.setInsertionPoint(branch.elseYield());
    offset = end;
  }
  for (air::HerdOp herd : herds)
    herd.erase();
}

LogicalResult mergeHerds(air::LaunchOp launch, int64_t maxWaves) {
  while (true) {
    SmallVector<air::HerdOp> herds = HerdGraph(launch).findCycle();
    if (herds.empty())
      return success();
    std::optional<unsigned> dim = findDimension(herds);
    if (!dim || !canMoveDown(herds) || !canBranch(herds))
      return success();
    int64_t numPEs = 0;
    for (air::HerdOp herd : herds)
      numPEs += llvm::product_of(herd.getStaticSizes());
    if (numPEs > maxWaves) {
      InFlightDiagnostic diag =
          herds.front().emitOpError(
              "exchanges messages with another herd in both directions, so "
              "they must run together and need ")
          << numPEs << " waves, but a workgroup has at most " << maxWaves
          << " waves; use smaller herds";
      for (air::HerdOp herd : ArrayRef(herds).drop_front())
        diag.attachNote(herd.getLoc()) << "the other herd is here";
      return diag;
    }
    merge(herds, *dim);
  }
}

} // namespace aircc::hierarchy
