//===- AIRCanonicalization.cpp - Canonical forms of AIR ops ---------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The canonicalize method of each op is a list of steps; the first that applies
// ends it.
//
// - Dependencies: remove duplicates, and replace a join with the tokens that it
//   joins.
// - Hierarchy ops: remove unused, duplicate and constant kernel operands;
//   propagate known sizes and ids.
// - Transfers: fold constants into integers, replace lists that describe the
//   whole memref in row-major order by empty ones, remove copies of a buffer
//   onto itself.
// - wait_all: remove it if there is nothing to wait for.
// - execute: remove unused results and empty regions.
//
//===----------------------------------------------------------------------===//

#include "dialects/air/AIROps.h"
#include "dialects/air/Descriptor.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace aircc::air;

//===----------------------------------------------------------------------===//
// Dependencies
//===----------------------------------------------------------------------===//

/// Removes duplicate dependencies, and replaces a join with the tokens that it
/// joins: the token of the join adds nothing to them.
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

/// Returns whether the body may be defined elsewhere: an op with a name and an
/// empty body can be the declaration of an op that another tool defines.
static bool mayBeDeclaration(HierarchyInterface op) {
  return op.getSymName() &&
         llvm::hasSingleElement(op.getBodyBlock()->getOperations());
}

/// Drops kernel operands that are unused or duplicates, and moves constants
/// into the body.
static LogicalResult simplifyKernelOperands(HierarchyInterface op,
                                            PatternRewriter &rewriter) {
  if (mayBeDeclaration(op))
    return failure();

  bool changed = false;
  // Erase operands one at a time, from the back, so that the indices of the
  // remaining ones do not change.
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

/// Replaces known sizes in the body with constants, and ids in dimensions of
/// size 1 with 0.
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

/// Folds constants in the lists of a pattern into integers.
static bool foldPattern(AccessPattern &pattern) {
  bool changed = succeeded(foldDynamicIndexList(pattern.offsets));
  changed |=
      succeeded(foldDynamicIndexList(pattern.sizes, /*onlyNonNegative=*/true));
  changed |= succeeded(foldDynamicIndexList(pattern.strides));
  return changed;
}

/// Empties lists that describe all elements of the memref in row-major order.
static bool foldWholeMemref(AccessPattern &pattern) {
  if (pattern.sizes.empty() || !getVolume(pattern.getType()) ||
      !llvm::all_of(pattern.offsets, [](OpFoldResult offset) {
        return getConstantIntValue(offset) == 0;
      }))
    return false;
  AccessPattern whole = pattern;
  whole.offsets.clear();
  std::optional<Descriptor> descriptor = Descriptor::get(whole);
  if (!descriptor)
    return false;
  descriptor->canonicalize(DescriptorLimits(), /*elementBits=*/32,
                           getVolume(pattern.getType()));
  if (!descriptor->isEmpty())
    return false;
  pattern.offsets.clear();
  pattern.sizes.clear();
  pattern.strides.clear();
  return true;
}

static LogicalResult foldPatterns(TransferInterface op,
                                  PatternRewriter &rewriter) {
  AccessPattern source = op.getSourcePattern();
  AccessPattern target = op.getTargetPattern();
  bool sourceChanged = source.memref && foldPattern(source);
  bool targetChanged = target.memref && foldPattern(target);
  // Empty lists mean the whole memref only if the other side has as many
  // elements. Padding refers to the dimensions of the lists.
  bool sameCount = !source.memref || !target.memref ||
                   (source.getNumElements() &&
                    source.getNumElements() == target.getNumElements());
  if (sameCount && !op.getPadBefore() && !op.getPadAfter()) {
    sourceChanged |= source.memref && foldWholeMemref(source);
    targetChanged |= target.memref && foldWholeMemref(target);
  }
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

/// Removes an op that does nothing. Ops that depend on it then depend on its
/// dependencies.
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
  // The op copies elements onto themselves. If it has a `dest`, the consumer
  // that gets them is known only where the channel is.
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

  // Drop unused results, and results that are defined outside the region.
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

  // The region is empty.
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
