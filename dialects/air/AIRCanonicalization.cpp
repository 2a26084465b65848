//===- AIRCanonicalization.cpp - Canonical forms of AIR ops ---------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each op's canonicalize method is a list of steps; the first that applies
// wins.
//
// - Dependencies: each once, and what a join joins instead of the join.
// - Hierarchy ops: kernel operands that are used, each once, no constants among
//   them; sizes and ids that are known.
// - Transfers: constants as integers, no copies of a buffer onto itself.
// - wait_all: nothing where there is nothing to wait for.
// - execute: results that are used, no empty regions.
//
//===----------------------------------------------------------------------===//

#include "dialects/air/AIROps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace aircc::air;

//===----------------------------------------------------------------------===//
// Dependencies
//===----------------------------------------------------------------------===//

/// Each dependency once, and in the place of a join what it joins: its token
/// says nothing that theirs do not.
static LogicalResult simplifyDependencies(AsyncOpInterface op,
                                          PatternRewriter &rewriter) {
  llvm::SmallSetVector<Value, 4> tokens;
  for (Value token : op.getAsyncDependencies()) {
    if (auto join = token.getDefiningOp<WaitAllOp>())
      tokens.insert_range(join.getAsyncDependencies());
    else
      tokens.insert(token);
  }
  if (llvm::equal(tokens, op.getAsyncDependencies()))
    return failure();
  rewriter.modifyOpInPlace(op, [&] {
    op.getAsyncDependenciesMutable().assign(tokens.getArrayRef());
  });
  return success();
}

//===----------------------------------------------------------------------===//
// Hierarchy ops
//===----------------------------------------------------------------------===//

/// True if the body may be somewhere else: an op with a name and nothing in it
/// can be the declaration of one that another tool has.
static bool mayBeDeclaration(HierarchyInterface op) {
  return op.getSymName() &&
         llvm::hasSingleElement(op.getBodyBlock()->getOperations());
}

/// Drops kernel operands that the body does not use or has already, and moves
/// constants into the body.
static LogicalResult simplifyKernelOperands(HierarchyInterface op,
                                            PatternRewriter &rewriter) {
  if (mayBeDeclaration(op))
    return failure();

  bool changed = false;
  // Erases one operand at a time; the indices before it stay as they are.
  for (unsigned i = op.getKernelOperands().size(); i-- > 0;) {
    Value operand = op.getKernelOperands()[i];
    BlockArgument argument = op.getKernelArguments()[i];
    if (!argument.use_empty()) {
      Attribute value;
      unsigned firstIndex = llvm::find(op.getKernelOperands(), operand) -
                            op.getKernelOperands().begin();
      if (firstIndex != i) {
        rewriter.replaceAllUsesWith(argument,
                                    op.getKernelArguments()[firstIndex]);
      } else if (matchPattern(operand, m_Constant(&value))) {
        OpBuilder::InsertionGuard guard(rewriter);
        rewriter.setInsertionPointToStart(op.getBodyBlock());
        Operation *constant = rewriter.clone(*operand.getDefiningOp());
        rewriter.replaceAllUsesWith(
            argument,
            constant->getResult(cast<OpResult>(operand).getResultNumber()));
      } else {
        continue;
      }
    }
    rewriter.modifyOpInPlace(op, [&] { op.eraseKernelOperand(i); });
    changed = true;
  }
  return success(changed);
}

/// Inside the body, a size that is constant is that constant, and an id in a
/// dimension of size 1 is 0.
static LogicalResult propagateConstantSizes(HierarchyInterface op,
                                            PatternRewriter &rewriter) {
  bool changed = false;
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToStart(op.getBodyBlock());
  auto replace = [&](BlockArgument argument, int64_t value) {
    if (argument.use_empty())
      return;
    rewriter.replaceAllUsesWith(
        argument,
        arith::ConstantIndexOp::create(rewriter, argument.getLoc(), value));
    changed = true;
  };
  for (auto [size, sizeArgument, id] :
       llvm::zip_equal(op.getStaticSizes(), op.getSizes(), op.getIds())) {
    if (ShapedType::isDynamic(size))
      continue;
    replace(sizeArgument, size);
    if (size == 1)
      replace(id, 0);
  }
  return success(changed);
}

template <typename OpTy>
static LogicalResult canonicalizeHierarchy(OpTy op, PatternRewriter &rewriter) {
  return success(succeeded(simplifyDependencies(op, rewriter)) ||
                 succeeded(simplifyKernelOperands(op, rewriter)) ||
                 succeeded(propagateConstantSizes(op, rewriter)));
}

LogicalResult RankOp::canonicalize(RankOp op, PatternRewriter &rewriter) {
  return canonicalizeHierarchy(op, rewriter);
}
LogicalResult LaunchOp::canonicalize(LaunchOp op, PatternRewriter &rewriter) {
  return canonicalizeHierarchy(op, rewriter);
}
LogicalResult SegmentOp::canonicalize(SegmentOp op, PatternRewriter &rewriter) {
  return canonicalizeHierarchy(op, rewriter);
}
LogicalResult HerdOp::canonicalize(HerdOp op, PatternRewriter &rewriter) {
  return canonicalizeHierarchy(op, rewriter);
}

//===----------------------------------------------------------------------===//
// Transfers
//===----------------------------------------------------------------------===//

/// Constants in the lists of a pattern become integers.
static bool foldPattern(AccessPattern &pattern) {
  bool changed = succeeded(foldDynamicIndexList(pattern.offsets));
  changed |=
      succeeded(foldDynamicIndexList(pattern.sizes, /*onlyNonNegative=*/true));
  changed |= succeeded(foldDynamicIndexList(pattern.strides));
  return changed;
}

static LogicalResult foldPatterns(TransferInterface op,
                                  PatternRewriter &rewriter) {
  AccessPattern source = op.getSourcePattern();
  AccessPattern target = op.getTargetPattern();
  bool sourceChanged = source.memref && foldPattern(source);
  bool targetChanged = target.memref && foldPattern(target);
  if (!sourceChanged && !targetChanged)
    return failure();
  rewriter.modifyOpInPlace(op, [&] {
    if (sourceChanged)
      op.setSourcePattern(source);
    if (targetChanged)
      op.setTargetPattern(target);
  });
  return success();
}

/// Replaces an op that turns out to do nothing: what waited for it waits for
/// what it waited for.
static void replaceWithWait(AsyncOpInterface op, PatternRewriter &rewriter) {
  if (!op.isAsync() && op.getAsyncDependencies().empty())
    return rewriter.eraseOp(op);
  auto wait = WaitAllOp::create(rewriter, op.getLoc(),
                                op.getAsyncDependencies(), op.isAsync());
  rewriter.replaceOp(op, wait);
}

LogicalResult DmaMemcpyNdOp::canonicalize(DmaMemcpyNdOp op,
                                          PatternRewriter &rewriter) {
  if (succeeded(simplifyDependencies(op, rewriter)) ||
      succeeded(foldPatterns(op, rewriter)))
    return success();
  // A copy of elements onto themselves. With a destination, which one they go
  // to is known only where the channel is.
  if (op.getSourcePattern() == op.getTargetPattern() && !op.hasPadding() &&
      !op.isCrossRank() && !op.getDest()) {
    replaceWithWait(op, rewriter);
    return success();
  }
  return failure();
}

LogicalResult ChannelPutOp::canonicalize(ChannelPutOp op,
                                         PatternRewriter &rewriter) {
  return success(succeeded(simplifyDependencies(op, rewriter)) ||
                 succeeded(foldPatterns(op, rewriter)));
}

LogicalResult ChannelGetOp::canonicalize(ChannelGetOp op,
                                         PatternRewriter &rewriter) {
  return success(succeeded(simplifyDependencies(op, rewriter)) ||
                 succeeded(foldPatterns(op, rewriter)));
}

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

LogicalResult WaitAllOp::canonicalize(WaitAllOp op, PatternRewriter &rewriter) {
  if (succeeded(simplifyDependencies(op, rewriter)))
    return success();
  OperandRange dependencies = op.getAsyncDependencies();
  if (!op.isAsync()) {
    if (!dependencies.empty())
      return failure();
    rewriter.eraseOp(op);
    return success();
  }
  if (dependencies.size() != 1)
    return failure();
  rewriter.replaceOp(op, dependencies.front());
  return success();
}

LogicalResult ExecuteOp::canonicalize(ExecuteOp op, PatternRewriter &rewriter) {
  if (succeeded(simplifyDependencies(op, rewriter)))
    return success();

  // Results that nobody uses, and those that come from outside anyway.
  Operation *terminator = op.getBody()->getTerminator();
  llvm::BitVector dead(op.getResults().size());
  for (auto [index, result, yielded] :
       llvm::enumerate(op.getResults(), terminator->getOperands())) {
    if (!op.getRegion().isAncestor(yielded.getParentRegion()))
      rewriter.replaceAllUsesWith(result, yielded);
    dead[index] = result.use_empty();
  }
  if (dead.any()) {
    SmallVector<Type> types;
    SmallVector<Value> kept;
    for (auto [index, result] : llvm::enumerate(op.getResults()))
      if (!dead[index]) {
        types.push_back(result.getType());
        kept.push_back(result);
      }
    rewriter.modifyOpInPlace(terminator,
                             [&] { terminator->eraseOperands(dead); });
    auto smaller =
        ExecuteOp::create(rewriter, op.getLoc(), op.getAsyncToken().getType(),
                          types, op.getAsyncDependencies());
    smaller->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    rewriter.inlineRegionBefore(op.getRegion(), smaller.getRegion(),
                                smaller.getRegion().begin());
    rewriter.replaceAllUsesWith(op.getAsyncToken(), smaller.getAsyncToken());
    rewriter.replaceAllUsesWith(kept, smaller.getResults());
    rewriter.eraseOp(op);
    return success();
  }

  // Nothing to run.
  if (op.getResults().empty() &&
      llvm::hasSingleElement(op.getBody()->getOperations())) {
    replaceWithWait(op, rewriter);
    return success();
  }
  return failure();
}

LogicalResult CustomOp::canonicalize(CustomOp op, PatternRewriter &rewriter) {
  return simplifyDependencies(op, rewriter);
}
