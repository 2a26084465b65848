//===- HoistAccumulators.cpp - Accumulate in registers --------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/hierarchy/tiles/HoistAccumulators.h"
#include "pipeline/analysis/BufferLevels.h"
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

/// A read and a write of the same elements, which the loop does not access
/// otherwise.
struct Accumulator {
  vector::TransferReadOp read;
  vector::TransferWriteOp write;
  layout::Scope scope;
};

/// A range of bytes of LDS or of an arena.
struct Range {
  int64_t first, last;
  bool isInArena;
  bool overlaps(const Range &other) const {
    return isInArena == other.isInArena && first < other.last &&
           other.first < last;
  }
};

/// Returns the bytes of the L1 or L2 buffer that `memref` views; nullopt for
/// other memory.
std::optional<Range> getRange(Value memref) {
  Value buffer = getBuffer(memref);
  Operation *def = buffer ? buffer.getDefiningOp() : nullptr;
  auto range =
      def ? def->getAttrOfType<DenseI64ArrayAttr>(
                kernel::KernelDialect::LdsRangeAttrHelper::getNameStr())
          : DenseI64ArrayAttr();
  if (!range)
    return std::nullopt;
  return Range{range[0], range[1], isInArena(memref)};
}

/// Returns true if `op` declares the accesses of `accumulator`, which was
/// hoisted out of an inner loop.
bool declaresAccessOf(Operation *op, Accumulator accumulator) {
  return isa<kernel::AccessOp>(op) && llvm::all_equal(op->getOperands()) &&
         op->getOperand(0) == accumulator.write.getBase();
}

/// Returns true if the bytes of the accumulator are accessed in the loop only
/// by its read and its write.
bool hasExclusiveAccess(scf::ForOp loop, const Accumulator &accumulator,
                        const Range &bytes) {
  WalkResult result = loop.getBody()->walk([&](Operation *op) {
    if (op == accumulator.read || op == accumulator.write ||
        op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() ||
        isa<kernel::BarrierOp, kernel::FenceOp, layout::AsyncWaitOp>(op) ||
        declaresAccessOf(op, accumulator) || getVendorFenceScope(op))
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
      BufferLevel level = getBufferLevel(value);
      if (level == BufferLevel::Global || level == BufferLevel::PerLane)
        continue;
      std::optional<Range> other = getRange(value);
      if (!other || other->overlaps(bytes))
        return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return !result.wasInterrupted();
}

std::optional<Accumulator> findAccumulator(scf::ForOp loop) {
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
    // The scope of the vector must be that of the buffer.
    if ((getBufferLevel(write.getBase()) == BufferLevel::PerWave) !=
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
      Accumulator accumulator{read, write, *scope};
      if (hasExclusiveAccess(loop, accumulator, *bytes))
        return accumulator;
    }
  }
  return std::nullopt;
}

/// Declares the access before the loop, or its end after the loop. After the
/// loop, each worker writes the elements that it read before, so the two form
/// one access; if their layouts differ, the value is exchanged in between,
/// which includes barriers. After the second declaration, any worker may access
/// any element.
void declareAccess(OpBuilder &b, Location loc, Accumulator accumulator) {
  kernel::AccessOp::create(
      b, loc,
      accumulator.scope == layout::Scope::Wave ? Scope::Wave : Scope::Workgroup,
      /*written=*/accumulator.write.getBase(), /*read=*/ValueRange());
}

scf::ForOp hoist(IRRewriter &rewriter, scf::ForOp loop,
                 Accumulator accumulator) {
  Location loc = loop.getLoc();
  for (Operation &op : llvm::make_early_inc_range(*loop.getBody()))
    if (declaresAccessOf(&op, accumulator))
      rewriter.eraseOp(&op);
  rewriter.setInsertionPoint(loop);
  declareAccess(rewriter, loc, accumulator);
  Value before = rewriter.clone(*accumulator.read)->getResult(0);
  Value stored = accumulator.write.getVector();
  FailureOr<LoopLikeOpInterface> replaced = loop.replaceWithAdditionalYields(
      rewriter, before, /*replaceInitOperandUsesInLoop=*/false,
      [&](OpBuilder &, Location, ArrayRef<BlockArgument>) {
        return SmallVector<Value>{stored};
      });
  // scf.for can always carry another value.
  auto carrying = cast<scf::ForOp>(replaced->getOperation());
  rewriter.replaceAllUsesWith(accumulator.read.getResult(),
                              carrying.getRegionIterArgs().back());
  rewriter.setInsertionPointAfter(carrying);
  IRMapping mapping;
  mapping.map(stored, carrying.getResults().back());
  rewriter.clone(*accumulator.write, mapping);
  declareAccess(rewriter, loc, accumulator);
  rewriter.eraseOp(accumulator.write);
  rewriter.eraseOp(accumulator.read);
  return carrying;
}

} // namespace

void hoistAccumulators(gpu::GPUFuncOp kernel) {
  // The body of an inlined herd has constants inside loops.
  Block &entry = kernel.getBody().front();
  kernel.walk([&](Operation *op) {
    if (op->hasTrait<OpTrait::ConstantLike>() && op->getBlock() != &entry)
      op->moveBefore(&entry, entry.begin());
  });
  SmallVector<scf::ForOp> loops;
  kernel.walk([&](scf::ForOp loop) { loops.push_back(loop); });
  IRRewriter rewriter(kernel.getContext());
  // Visit inner loops first, because a hoisted accumulator may be hoisted
  // again.
  for (scf::ForOp loop : loops)
    while (std::optional<Accumulator> accumulator = findAccumulator(loop))
      loop = hoist(rewriter, loop, *accumulator);
}

} // namespace aircc::hierarchy
