//===- CreateLaunches.cpp - Loops over workgroups to launches -------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/dispatch/Passes.h"

#include "dialects/air/AIROps.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/RegionUtils.h"

namespace aircc::dispatch {
#define GEN_PASS_DEF_CREATELAUNCHES
#include "pipeline/dispatch/Passes.h.inc"
} // namespace aircc::dispatch

using namespace mlir;
using namespace aircc;

namespace {

/// Returns whether the iterations of `loop` are mapped to workgroups.
bool isOverWorkgroups(scf::ForallOp loop) {
  ArrayAttr mapping = loop.getMappingAttr();
  return mapping && mapping.size() == size_t(loop.getRank()) &&
         llvm::all_of(mapping, llvm::IsaPred<gpu::GPUBlockMappingAttr>) &&
         loop.getNumResults() == 0;
}

class CreateLaunches
    : public dispatch::impl::CreateLaunchesBase<CreateLaunches> {
public:
  void runOnOperation() final {
    SmallVector<scf::ForallOp> loops;
    getOperation().walk([&](scf::ForallOp loop) {
      if (isOverWorkgroups(loop) &&
          !loop->getParentOfType<air::HierarchyInterface>() &&
          !loop->getParentOfType<gpu::GPUModuleOp>())
        loops.push_back(loop);
    });
    for (scf::ForallOp loop : loops)
      convert(loop);
  }

private:
  void convert(scf::ForallOp loop);
};

/// Fills `grid` with the number of iterations along each dimension. Returns
/// whether none of them is zero; null if this is known.
Value createGrid(OpBuilder &b, scf::ForallOp loop, SmallVector<Value> &grid) {
  Location loc = loop.getLoc();
  Value nonEmpty;
  AffineExpr lower = b.getAffineSymbolExpr(0), upper = b.getAffineSymbolExpr(1),
             step = b.getAffineSymbolExpr(2);
  for (auto [from, to, by] :
       llvm::zip(loop.getMixedLowerBound(), loop.getMixedUpperBound(),
                 loop.getMixedStep())) {
    OpFoldResult trips = affine::makeComposedFoldedAffineApply(
        b, loc, (upper - lower).ceilDiv(step), {from, to, by});
    grid.push_back(getValueOrCreateConstantIndexOp(b, loc, trips));
    if (getConstantIntValue(trips))
      continue;
    Value isPositive =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sgt, grid.back(),
                              arith::ConstantIndexOp::create(b, loc, 0));
    nonEmpty = nonEmpty ? arith::AndIOp::create(b, loc, nonEmpty, isPositive)
                        : isPositive;
  }
  return nonEmpty;
}

void CreateLaunches::convert(scf::ForallOp loop) {
  OpBuilder b(loop);
  Location loc = loop.getLoc();
  SmallVector<Value> grid;
  // A device cannot launch an empty grid.
  if (Value nonEmpty = createGrid(b, loop, grid)) {
    auto guard = scf::IfOp::create(b, loc, nonEmpty);
    b.setInsertionPoint(guard.thenBlock()->getTerminator());
  }
  SetVector<Value> used;
  getUsedValuesDefinedAbove(loop.getRegion(), used);
  for (Value bound : loop->getOperands())
    used.insert(bound);
  auto launch = air::LaunchOp::create(b, loc, grid, used.getArrayRef());
  IRMapping mapping;
  mapping.map(used.getArrayRef(), ValueRange(launch.getKernelArguments()));
  b = OpBuilder::atBlockTerminator(launch.getBodyBlock());
  auto inside = [&](OpFoldResult value) -> OpFoldResult {
    if (auto outer = dyn_cast<Value>(value))
      return mapping.lookup(outer);
    return value;
  };
  AffineExpr id = b.getAffineDimExpr(0), lower = b.getAffineSymbolExpr(0),
             step = b.getAffineSymbolExpr(1);
  for (auto [iv, index, from, by] :
       llvm::zip(loop.getInductionVars(), launch.getIds(),
                 loop.getMixedLowerBound(), loop.getMixedStep())) {
    OpFoldResult value = affine::makeComposedFoldedAffineApply(
        b, loc, lower + id * step,
        {OpFoldResult(index), inside(from), inside(by)});
    mapping.map(iv, getValueOrCreateConstantIndexOp(b, loc, value));
  }
  for (Operation &op : loop.getBody()->without_terminator())
    b.clone(op, mapping);
  loop.erase();
}

} // namespace
