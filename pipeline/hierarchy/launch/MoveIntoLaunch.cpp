//===- MoveIntoLaunch.cpp - Make launches of host code --------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/hierarchy/launch/MoveIntoLaunch.h"

#include "pipeline/hierarchy/launch/LaunchableOps.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

namespace aircc::hierarchy {

static bool isToken(Value value) {
  return isa<air::AsyncTokenType>(value.getType());
}

/// Passes the values that the body of `launch` uses to it. Copies constants
/// into the body. Tokens become dependencies of the launch; in the body, they
/// are already complete.
static void isolate(air::LaunchOp launch) {
  Region &region = launch.getRegion();
  SetVector<Value> used;
  getUsedValuesDefinedAbove(region, used);
  OpBuilder b = OpBuilder::atBlockBegin(launch.getBodyBlock());
  Value done;
  SmallVector<Value> captured;
  for (Value value : used) {
    if (isToken(value)) {
      if (!done)
        done = air::WaitAllOp::create(b, launch.getLoc(), ValueRange(),
                                      /*isAsync=*/true)
                   .getAsyncToken();
      replaceAllUsesInRegionWith(value, done, region);
      launch.addAsyncDependency(value);
    } else if (Operation *def = value.getDefiningOp();
               def && def->hasTrait<OpTrait::ConstantLike>()) {
      replaceAllUsesInRegionWith(value, b.clone(*def)->getResult(0), region);
    } else {
      captured.push_back(value);
    }
  }
  for (auto [value, arg] :
       llvm::zip_equal(captured, launch.appendKernelOperands(captured)))
    replaceAllUsesInRegionWith(value, arg, region);
}

/// Replaces `tokens` outside `launch` with its token, or with a completed token
/// where the launch blocks.
static void replaceTokens(air::LaunchOp launch, ArrayRef<Value> tokens) {
  if (tokens.empty())
    return;
  Value replacement = launch.getAsyncToken();
  if (!replacement) {
    OpBuilder b(launch->getContext());
    b.setInsertionPointAfter(launch);
    replacement = air::WaitAllOp::create(b, launch.getLoc(), ValueRange(),
                                         /*isAsync=*/true)
                      .getAsyncToken();
  }
  for (Value token : tokens)
    token.replaceUsesWithIf(replacement, [&](OpOperand &use) {
      return !launch->isProperAncestor(use.getOwner());
    });
}

/// Returns the location of the first op in `ops` that needs the launch.
static Location findLocation(ArrayRef<Operation *> ops) {
  for (Operation *op : ops)
    if (containsLaunchableWork(op))
      return op->getLoc();
  return ops.front()->getLoc();
}

air::LaunchOp moveIntoLaunch(ArrayRef<Operation *> ops) {
  SmallPtrSet<Operation *, 16> moved(llvm::from_range, ops);
  Block *block = ops.front()->getBlock();
  SmallVector<Value> escaping;
  for (Operation *op : ops)
    for (Value result : op->getResults())
      if (isToken(result) &&
          llvm::any_of(result.getUsers(), [&](Operation *user) {
            return !moved.contains(block->findAncestorOpInBlock(*user));
          }))
        escaping.push_back(result);
  bool isAsync = !escaping.empty() && llvm::none_of(ops, blocks);
  OpBuilder b(ops.back());
  auto launch = air::LaunchOp::create(b, findLocation(ops), ValueRange(),
                                      ValueRange(), ValueRange(), isAsync);
  for (Operation *op : ops)
    op->moveBefore(launch.getBodyBlock()->getTerminator());
  replaceTokens(launch, escaping);
  isolate(launch);
  return launch;
}

void moveBuffersIntoLaunch(air::LaunchOp launch,
                           ArrayRef<memref::AllocOp> allocs) {
  Block *body = launch.getBodyBlock();
  for (memref::AllocOp alloc : llvm::reverse(allocs)) {
    for (unsigned i = launch.getKernelOperands().size(); i-- > 0;)
      if (launch.getKernelOperands()[i] == alloc.getMemref()) {
        launch.getKernelArguments()[i].replaceAllUsesWith(alloc.getMemref());
        launch.eraseKernelOperand(i);
      }
    alloc->moveBefore(&body->front());
  }
  isolate(launch);
}

bool isSinglePoint(air::LaunchOp launch) {
  return llvm::all_of(launch.getSizeOperands(),
                      [](Value size) { return matchPattern(size, m_One()); });
}

void inlineSinglePoint(air::LaunchOp launch) {
  OpBuilder b(launch);
  Location loc = launch.getLoc();
  if (!launch.getAsyncDependencies().empty())
    air::WaitAllOp::create(b, loc, launch.getAsyncDependencies(),
                           /*isAsync=*/false);
  for (BlockArgument id : launch.getIds())
    if (!id.use_empty())
      id.replaceAllUsesWith(arith::ConstantIndexOp::create(b, loc, 0));
  for (auto [arg, size] :
       llvm::zip_equal(launch.getSizes(), launch.getSizeOperands()))
    arg.replaceAllUsesWith(size);
  for (auto [arg, operand] :
       llvm::zip_equal(launch.getKernelArguments(), launch.getKernelOperands()))
    arg.replaceAllUsesWith(operand);
  SmallVector<Value> tokens;
  for (Operation &op : llvm::make_early_inc_range(
           launch.getBodyBlock()->without_terminator())) {
    llvm::append_range(tokens,
                       llvm::make_filter_range(op.getResults(), isToken));
    op.moveBefore(launch);
  }
  // The launch is complete when all ops of its body are.
  auto join =
      air::WaitAllOp::create(b, loc, tokens, launch.getAsyncToken() != nullptr);
  if (Value token = launch.getAsyncToken())
    token.replaceAllUsesWith(join.getAsyncToken());
  launch.erase();
}

//===----------------------------------------------------------------------===//
// Parallel loops
//===----------------------------------------------------------------------===//

bool isGridLoop(Operation *op) {
  if (!isa<scf::ParallelOp, affine::AffineParallelOp, scf::ForallOp>(op) ||
      !llvm::all_of(op->getResults(), isToken))
    return false;
  return !findHostOp(op) && hasLaunchSizes(op);
}

namespace {

/// The lower bound, upper bound and step of each dimension of a parallel loop.
struct LoopBounds {
  SmallVector<Value> lower, upper, step;
};

} // namespace

static LoopBounds getBounds(OpBuilder &b, Operation *op) {
  LoopBounds bounds;
  Location loc = op->getLoc();
  if (auto loop = dyn_cast<scf::ParallelOp>(op)) {
    bounds.lower = llvm::to_vector(loop.getLowerBound());
    bounds.upper = llvm::to_vector(loop.getUpperBound());
    bounds.step = llvm::to_vector(loop.getStep());
  } else if (auto loop = dyn_cast<scf::ForallOp>(op)) {
    bounds.lower = loop.getLowerBound(b);
    bounds.upper = loop.getUpperBound(b);
    bounds.step = loop.getStep(b);
  } else {
    auto affineLoop = cast<affine::AffineParallelOp>(op);
    for (unsigned i = 0; i < affineLoop.getNumDims(); ++i) {
      bounds.lower.push_back(
          affine::AffineMaxOp::create(b, loc, affineLoop.getLowerBoundMap(i),
                                      affineLoop.getLowerBoundsOperands()));
      bounds.upper.push_back(
          affine::AffineMinOp::create(b, loc, affineLoop.getUpperBoundMap(i),
                                      affineLoop.getUpperBoundsOperands()));
      bounds.step.push_back(
          arith::ConstantIndexOp::create(b, loc, affineLoop.getSteps()[i]));
    }
  }
  // Replace known bounds with constants.
  auto fold = [&](Value &value) {
    Operation *def = value.getDefiningOp();
    SmallVector<OpFoldResult> folded;
    if (def && isa<affine::AffineMaxOp, affine::AffineMinOp>(def) &&
        succeeded(def->fold(folded)) && !folded.empty()) {
      value = getValueOrCreateConstantIndexOp(b, loc, folded.front());
      if (def->use_empty())
        def->erase();
    }
  };
  llvm::for_each(bounds.lower, fold);
  llvm::for_each(bounds.upper, fold);
  return bounds;
}

air::LaunchOp convertToGrid(Operation *loop, ArrayRef<Operation *> allocs) {
  OpBuilder b(loop);
  Location loc = loop->getLoc();
  LoopBounds bounds = getBounds(b, loop);
  SmallVector<Value> grid;
  for (auto [lower, upper, step] :
       llvm::zip_equal(bounds.lower, bounds.upper, bounds.step)) {
    Value extent = b.createOrFold<arith::SubIOp>(loc, upper, lower);
    grid.push_back(b.createOrFold<arith::CeilDivSIOp>(loc, extent, step));
  }
  Block *body = &loop->getRegion(0).front();
  bool isAsync = loop->getNumResults() &&
                 llvm::none_of(body->without_terminator(),
                               [](Operation &op) { return blocks(&op); });
  auto launch =
      air::LaunchOp::create(b, loc, ValueRange(), grid, ValueRange(), isAsync);
  // The loop starts after the tokens with which it is initialized.
  for (Value operand : loop->getOperands())
    if (isToken(operand))
      launch.addAsyncDependency(operand);
  Operation *terminator = launch.getBodyBlock()->getTerminator();
  OpBuilder inner(terminator);
  for (auto [iv, id, lower, step] : llvm::zip_equal(
           body->getArguments(), launch.getIds(), bounds.lower, bounds.step)) {
    Value scaled = matchPattern(step, m_One())
                       ? Value(id)
                       : arith::MulIOp::create(inner, loc, id, step);
    iv.replaceAllUsesWith(
        matchPattern(lower, m_Zero())
            ? scaled
            : arith::AddIOp::create(inner, loc, lower, scaled).getResult());
  }
  for (Operation *alloc : allocs)
    alloc->moveBefore(terminator);
  for (Operation &op : llvm::make_early_inc_range(body->without_terminator()))
    op.moveBefore(terminator);
  replaceTokens(launch, llvm::to_vector_of<Value>(loop->getResults()));
  loop->erase();
  isolate(launch);
  return launch;
}

} // namespace aircc::hierarchy
