//===- PrepareLoops.cpp - Bring loops into the form that folds ------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/npu/ShimLoops.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"

using namespace mlir;
using namespace aircc;
using namespace aircc::npu;

static bool holdsTransfer(Operation *op) {
  return op
      ->walk(
          [](air::ChannelAccessInterface) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

//===----------------------------------------------------------------------===//
// Parallel loops
//===----------------------------------------------------------------------===//

namespace {
/// The points of an scf.parallel with constant bounds.
struct ParallelSpace {
  SmallVector<int64_t> lower, step, tripCounts;
  int64_t numPoints = 1;
};
} // namespace

static std::optional<ParallelSpace> getSpace(scf::ParallelOp loop) {
  ParallelSpace space;
  for (auto [lower, upper, step] : llvm::zip_equal(
           loop.getLowerBound(), loop.getUpperBound(), loop.getStep())) {
    std::optional<int64_t> from = getConstantIntValue(lower);
    std::optional<int64_t> to = getConstantIntValue(upper);
    std::optional<int64_t> by = getConstantIntValue(step);
    if (!from || !to || !by || *by < 1)
      return std::nullopt;
    space.lower.push_back(*from);
    space.step.push_back(*by);
    space.tripCounts.push_back(*to > *from ? llvm::divideCeil(*to - *from, *by)
                                           : 0);
    if (llvm::MulOverflow(space.numPoints, space.tripCounts.back(),
                          space.numPoints))
      return std::nullopt;
  }
  return space;
}

static void unrollParallel(scf::ParallelOp loop) {
  std::optional<ParallelSpace> space = getSpace(loop);
  auto isTokenType = [](Type type) { return isa<air::AsyncTokenType>(type); };
  if (!space || !llvm::all_of(loop.getResultTypes(), isTokenType))
    return;
  OpBuilder b(loop);
  Operation *reduce = loop.getBody()->getTerminator();
  SmallVector<SmallVector<Value>> tokens;
  for (Value init : loop.getInitVals())
    tokens.push_back({init});
  for (int64_t point = 0; point < space->numPoints; ++point) {
    IRMapping mapping;
    int64_t rest = point;
    for (size_t dim = space->lower.size(); dim-- > 0;) {
      int64_t i = rest % space->tripCounts[dim];
      rest /= space->tripCounts[dim];
      mapping.map(loop.getInductionVars()[dim],
                  arith::ConstantIndexOp::create(b, loop.getLoc(),
                                                 space->lower[dim] +
                                                     i * space->step[dim]));
    }
    for (Operation &op : loop.getBody()->without_terminator())
      b.clone(op, mapping);
    for (auto [index, operand] : llvm::enumerate(reduce->getOperands()))
      tokens[index].push_back(mapping.lookupOrDefault(operand));
  }
  for (auto [result, joined] : llvm::zip_equal(loop.getResults(), tokens))
    result.replaceAllUsesWith(joinTokens(b, loop.getLoc(), joined));
  loop.erase();
}

static void unrollParallelLoops(Region &scope) {
  SmallVector<scf::ParallelOp> loops;
  walkShimOps(scope, [&](Operation *op) {
    if (auto loop = dyn_cast<scf::ParallelOp>(op); loop && holdsTransfer(op))
      loops.push_back(loop);
  });
  // Visit inner loops first, so that copies of the outer ones contain none.
  for (scf::ParallelOp loop : llvm::reverse(loops))
    unrollParallel(loop);
}

//===----------------------------------------------------------------------===//
// Affine loops
//===----------------------------------------------------------------------===//

/// Returns whether the op can be in an scf.for, that is, whether it does not
/// require its operands to be variables of affine loops.
static bool isConvertible(Operation &op) {
  if (isa<affine::AffineForOp, scf::ForOp>(op))
    return llvm::all_of(op.getRegion(0).front().without_terminator(),
                        isConvertible);
  return isa<air::ChannelAccessInterface>(op) || isFree(op);
}

static void convertAffineLoop(affine::AffineForOp loop) {
  OpBuilder b(loop);
  Location loc = loop.getLoc();
  auto constant = [&](int64_t value) {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  Value lower = constant(loop.getConstantLowerBound());
  Value upper = constant(loop.getConstantUpperBound());
  Value step = constant(loop.getStepAsInt());
  auto result = scf::ForOp::create(b, loc, lower, upper, step,
                                   ValueRange(loop.getInits()));
  if (!result.getBody()->empty())
    result.getBody()->getTerminator()->erase();
  Block *from = loop.getBody(), *to = result.getBody();
  for (auto [old, now] :
       llvm::zip_equal(from->getArguments(), to->getArguments()))
    old.replaceAllUsesWith(now);
  Operation *yield = from->getTerminator();
  b.setInsertionPoint(yield);
  scf::YieldOp::create(b, loc, yield->getOperands());
  yield->erase();
  to->getOperations().splice(to->end(), from->getOperations());
  loop.replaceAllUsesWith(result.getResults());
  loop.erase();
}

static void convertAffineLoops(Region &scope) {
  SmallVector<affine::AffineForOp> loops;
  walkShimOps(scope, [&](Operation *op) {
    if (auto loop = dyn_cast<affine::AffineForOp>(op);
        loop && loop.hasConstantBounds() && holdsTransfer(op) &&
        isConvertible(*op))
      loops.push_back(loop);
  });
  for (affine::AffineForOp loop : llvm::reverse(loops))
    convertAffineLoop(loop);
}

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

/// If the loop variable is used only in one linear function with a positive
/// coefficient, makes that function the loop variable.
static bool moveIntoBounds(scf::ForOp loop) {
  Value variable = loop.getInductionVar();
  std::optional<LoopBounds> bounds = getBounds(loop);
  if (!bounds || !bounds->lowerBound.isConstant() || variable.use_empty())
    return false;
  std::optional<air::LinearIndex> function;
  for (Operation *user : variable.getUsers()) {
    if (user->getNumResults() != 1 || user->getNumRegions() != 0)
      return false;
    if (!isa<affine::AffineApplyOp, arith::MulIOp, arith::AddIOp,
             arith::IndexCastOp>(user))
      return false;
    air::LinearIndex index = air::LinearIndex::get(user->getResult(0));
    if (index.getTerms().size() != 1 || index.getCoefficient(variable) < 1 ||
        (function && !(*function == index)))
      return false;
    function = index;
  }
  Operation *first = *variable.getUsers().begin();
  Type type = first->getResult(0).getType();
  if (llvm::any_of(variable.getUsers(), [&](Operation *user) {
        return user->getResult(0).getType() != type;
      }))
    return false;

  int64_t factor = function->getCoefficient(variable);
  int64_t lower = bounds->lowerBound.getConstant();
  int64_t upper = lower + bounds->step * bounds->tripCount;
  if (std::optional<int64_t> known = getConstantIntValue(loop.getUpperBound()))
    upper = std::max(*known, lower);
  OpBuilder b(loop);
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(b, loop.getLoc(),
                                     b.getIntegerAttr(type, value));
  };
  loop.setLowerBound(constant(lower * factor + function->getConstant()));
  loop.setUpperBound(constant(upper * factor + function->getConstant()));
  loop.setStep(constant(bounds->step * factor));
  SmallVector<Operation *> users(variable.getUsers());
  llvm::SmallSetVector<Operation *, 4> distinct(users.begin(), users.end());
  variable.setType(type);
  for (Operation *user : distinct) {
    user->getResult(0).replaceAllUsesWith(variable);
    user->erase();
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

/// Makes a loop that carries nothing carry the tokens of its ops, so that ops
/// after the loop can wait for them.
static void carryTokens(scf::ForOp loop) {
  if (loop.getNumRegionIterArgs() != 0)
    return;
  SmallVector<Value> tokens = getUnusedTokens(*loop.getBody());
  if (tokens.empty())
    return;
  IRRewriter rewriter(loop.getContext());
  rewriter.setInsertionPoint(loop);
  Value init = air::WaitAllOp::create(rewriter, loop.getLoc(), ValueRange(),
                                      /*isAsync=*/true)
                   .getAsyncToken();
  auto createYield = [&](OpBuilder &b, Location loc,
                         ArrayRef<BlockArgument> carried) {
    SmallVector<Value> joined(carried.begin(), carried.end());
    llvm::append_range(joined, tokens);
    return SmallVector<Value>{
        air::WaitAllOp::create(b, loc, joined, /*isAsync=*/true)
            .getAsyncToken()};
  };
  (void)loop.replaceWithAdditionalYields(rewriter, init,
                                         /*replaceInitOperandUsesInLoop=*/false,
                                         createYield);
}

void npu::prepareLoops(Region &scope) {
  unrollParallelLoops(scope);
  convertAffineLoops(scope);
  SmallVector<scf::ForOp> loops;
  walkShimOps(scope, [&](Operation *op) {
    if (auto loop = dyn_cast<scf::ForOp>(op))
      loops.push_back(loop);
  });
  for (scf::ForOp loop : llvm::reverse(loops)) {
    if (!holdsTransfer(loop))
      continue;
    moveLoopInvariantCode(loop);
    while (moveIntoBounds(loop))
      ;
    carryTokens(loop);
  }
}
