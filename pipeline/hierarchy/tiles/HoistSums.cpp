//===- HoistSums.cpp - Keep sums in registers around loops ----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/hierarchy/tiles/HoistSums.h"
#include "pipeline/analysis/BufferPlaces.h"
#include "pipeline/analysis/VendorBarriers.h"
#include "pipeline/hierarchy/execution/Workers.h"

#include "pipeline/analysis/ExecutionModel.h"

#include "dialects/kernel/KernelOps.h"
#include "dialects/layout/LayoutOps.h"
#include "dialects/layout/LayoutValues.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace aircc::hierarchy {

namespace {

/// A read and a write of one place that are all a loop does with it.
struct Sum {
  vector::TransferReadOp read;
  vector::TransferWriteOp write;
  layout::Scope scope;
};

/// Bytes of LDS.
struct Range {
  int64_t first, last;
  bool overlaps(const Range &other) const {
    return first < other.last && other.first < last;
  }
};

/// The bytes of the buffer in LDS that `memref` shows, if it is one.
std::optional<Range> getRange(Value memref) {
  Value buffer = getBuffer(memref);
  Operation *def = buffer ? buffer.getDefiningOp() : nullptr;
  auto range =
      def ? def->getAttrOfType<DenseI64ArrayAttr>(
                kernel::KernelDialect::LdsRangeAttrHelper::getNameStr())
          : DenseI64ArrayAttr();
  if (!range)
    return std::nullopt;
  return Range{range[0], range[1]};
}

/// True if `op` states the accesses of `sum`, which has come out of an inner
/// loop.
bool isStatementOf(Operation *op, Sum sum) {
  return isa<kernel::AccessOp>(op) && llvm::all_equal(op->getOperands()) &&
         op->getOperand(0) == sum.write.getBase();
}

/// True if nothing in the loop but the sum's own two ops may touch its bytes.
bool isAlone(scf::ForOp loop, const Sum &sum, const Range &bytes) {
  WalkResult result = loop.getBody()->walk([&](Operation *op) {
    if (op == sum.read || op == sum.write ||
        op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() ||
        isa<kernel::BarrierOp, kernel::FenceOp, layout::AsyncWaitOp>(op) ||
        isStatementOf(op, sum) || getVendorFenceScope(op))
      return WalkResult::advance();
    auto interface = dyn_cast<MemoryEffectOpInterface>(op);
    if (!interface)
      return op->getNumRegions() || isMemoryEffectFree(op)
                 ? WalkResult::advance()
                 : WalkResult::interrupt();
    SmallVector<MemoryEffects::EffectInstance> effects;
    interface.getEffects(effects);
    for (const MemoryEffects::EffectInstance &effect : effects) {
      Value value = effect.getValue();
      if (!value || !isa<BaseMemRefType>(value.getType()))
        return WalkResult::interrupt();
      Place place = getPlace(value);
      if (place == Place::Global || place == Place::PerLane)
        continue;
      std::optional<Range> other = getRange(value);
      if (!other || other->overlaps(bytes))
        return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return !result.wasInterrupted();
}

std::optional<Sum> findSum(scf::ForOp loop) {
  for (auto write : loop.getBody()->getOps<vector::TransferWriteOp>()) {
    std::optional<layout::Scope> scope = layout::getScope(write);
    if (!scope || write.getMask() || write.hasOutOfBoundsDim() ||
        !loop.isDefinedOutsideOfLoop(write.getBase()) ||
        !llvm::all_of(write.getIndices(), [&](Value index) {
          return loop.isDefinedOutsideOfLoop(index);
        }))
      continue;
    std::optional<Range> bytes = getRange(write.getBase());
    if (!bytes)
      continue;
    // A buffer of each wave is for what a wave does, one of all for what all
    // do.
    if ((getPlace(write.getBase()) == Place::PerWave) !=
        (*scope == layout::Scope::Wave))
      continue;
    for (auto read : loop.getBody()->getOps<vector::TransferReadOp>()) {
      if (read.getBase() != write.getBase() || read.getMask() ||
          read.hasOutOfBoundsDim() || layout::getScope(read) != scope ||
          read.getVectorType() != write.getVectorType() ||
          read.getPermutationMap() != write.getPermutationMap() ||
          !llvm::equal(read.getIndices(), write.getIndices()) ||
          !read->isBeforeInBlock(write))
        continue;
      Sum sum{read, write, *scope};
      if (isAlone(loop, sum, *bytes))
        return sum;
    }
  }
  return std::nullopt;
}

/// States the access before the loop, or the end of the one after it. Each
/// worker reads the elements before the loop that it writes after it, so that
/// the two are one access: if their layouts differ, the value is exchanged in
/// between, which has barriers. Behind the second statement, any worker may
/// access any element, as the program says.
void stateAccess(OpBuilder &b, Location loc, Sum sum) {
  kernel::AccessOp::create(
      b, loc, sum.scope == layout::Scope::Wave ? Scope::Wave : Scope::Workgroup,
      /*written=*/sum.write.getBase(), /*read=*/ValueRange());
}

scf::ForOp hoist(IRRewriter &rewriter, scf::ForOp loop, Sum sum) {
  Location loc = loop.getLoc();
  for (Operation &op : llvm::make_early_inc_range(*loop.getBody()))
    if (isStatementOf(&op, sum))
      rewriter.eraseOp(&op);
  rewriter.setInsertionPoint(loop);
  stateAccess(rewriter, loc, sum);
  Value before = rewriter.clone(*sum.read)->getResult(0);
  Value stored = sum.write.getVector();
  FailureOr<LoopLikeOpInterface> replaced = loop.replaceWithAdditionalYields(
      rewriter, before, /*replaceInitOperandUsesInLoop=*/false,
      [&](OpBuilder &, Location, ArrayRef<BlockArgument>) {
        return SmallVector<Value>{stored};
      });
  // A loop can always carry more.
  auto carrying = cast<scf::ForOp>(replaced->getOperation());
  rewriter.replaceAllUsesWith(sum.read.getResult(),
                              carrying.getRegionIterArgs().back());
  rewriter.setInsertionPointAfter(carrying);
  IRMapping mapping;
  mapping.map(stored, carrying.getResults().back());
  rewriter.clone(*sum.write, mapping);
  stateAccess(rewriter, loc, sum);
  rewriter.eraseOp(sum.write);
  rewriter.eraseOp(sum.read);
  return carrying;
}

} // namespace

void hoistSums(gpu::GPUFuncOp kernel) {
  // What came out of a herd in a loop has its constants there.
  Block &entry = kernel.getBody().front();
  kernel.walk([&](Operation *op) {
    if (op->hasTrait<OpTrait::ConstantLike>() && op->getBlock() != &entry)
      op->moveBefore(&entry, entry.begin());
  });
  SmallVector<scf::ForOp> loops;
  kernel.walk([&](scf::ForOp loop) { loops.push_back(loop); });
  IRRewriter rewriter(kernel.getContext());
  // Innermost first: what comes out of one may come out of the next.
  for (scf::ForOp loop : loops)
    while (std::optional<Sum> sum = findSum(loop))
      loop = hoist(rewriter, loop, *sum);
}

} // namespace aircc::hierarchy
