//===- FuseNestedHerds.cpp - A herd in a herd becomes one herd ------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/hierarchy/launch/FuseNestedHerds.h"

#include "dialects/air/AIROps.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace aircc::hierarchy {

/// Returns the herd in `outer` if each point of `outer` only computes values
/// and runs that herd.
static air::HerdOp getOnlyHerd(air::HerdOp outer) {
  air::HerdOp inner;
  for (Operation &op : outer.getBodyBlock()->without_terminator()) {
    if (auto herd = dyn_cast<air::HerdOp>(op)) {
      if (inner)
        return nullptr;
      inner = herd;
    } else if (!isa<air::WaitAllOp>(op) && !isPure(&op)) {
      return nullptr;
    }
  }
  return inner;
}

/// Returns the sizes of `inner`, which may be those of `outer`; an empty list
/// if one is unknown.
static SmallVector<int64_t> getInnerSizes(air::HerdOp outer,
                                          air::HerdOp inner) {
  SmallVector<int64_t> outerSizes = outer.getStaticSizes();
  SmallVector<int64_t> sizes = inner.getStaticSizes();
  for (auto [value, size] : llvm::zip_equal(inner.getSizeOperands(), sizes))
    for (auto [arg, outerSize] : llvm::zip_equal(outer.getSizes(), outerSizes))
      if (value == arg)
        size = outerSize;
  if (llvm::is_contained(sizes, ShapedType::kDynamic))
    return {};
  return sizes;
}

/// Replaces the ids and sizes of `herd`. Its points are functions of `ids`.
static void replaceSpace(OpBuilder &b, air::HerdOp herd, ValueRange ids,
                         ArrayRef<int64_t> sizes, ArrayRef<AffineExpr> points) {
  Location loc = herd.getLoc();
  for (auto [dim, size] : llvm::enumerate(sizes)) {
    Value id = affine::AffineApplyOp::create(
        b, loc, AffineMap::get(0, 1, points[dim]), ids[dim]);
    herd.getIds()[dim].replaceAllUsesWith(id);
    herd.getSizes()[dim].replaceAllUsesWith(
        arith::ConstantIndexOp::create(b, loc, size));
  }
}

/// Replaces both herds with one that has a PE for each point of `inner` at each
/// point of `outer`.
static void fuse(air::HerdOp outer, air::HerdOp inner,
                 ArrayRef<int64_t> outerSizes, ArrayRef<int64_t> innerSizes) {
  size_t rank = std::max(outerSizes.size(), innerSizes.size());
  OpBuilder b(outer);
  SmallVector<Value> sizes;
  SmallVector<AffineExpr> outerPoints, innerPoints;
  for (size_t dim = 0; dim < rank; ++dim) {
    int64_t outerSize = dim < outerSizes.size() ? outerSizes[dim] : 1;
    int64_t innerSize = dim < innerSizes.size() ? innerSizes[dim] : 1;
    sizes.push_back(arith::ConstantIndexOp::create(b, outer.getLoc(),
                                                   outerSize * innerSize));
    AffineExpr id = b.getAffineSymbolExpr(0);
    outerPoints.push_back(id.floorDiv(innerSize));
    innerPoints.push_back(id % innerSize);
  }
  SmallVector<NamedAttribute> attrs(outer->getDiscardableAttrs());
  if (StringAttr name = outer.getSymNameAttr())
    attrs.emplace_back(outer.getSymNameAttrName(), name);
  auto fused = air::HerdOp::create(
      b, outer.getLoc(), outer.getAsyncDependencies(), sizes,
      outer.getKernelOperands(), outer.isAsync(), attrs);

  b.setInsertionPointToStart(fused.getBodyBlock());
  replaceSpace(b, outer, fused.getIds(), outerSizes, outerPoints);
  replaceSpace(b, inner, fused.getIds(), innerSizes, innerPoints);
  for (auto [arg, value] :
       llvm::zip_equal(outer.getKernelArguments(), fused.getKernelArguments()))
    arg.replaceAllUsesWith(value);
  for (auto [arg, value] :
       llvm::zip_equal(inner.getKernelArguments(), inner.getKernelOperands()))
    arg.replaceAllUsesWith(value);
  if (Value token = inner.getAsyncToken()) {
    b.setInsertionPoint(inner);
    token.replaceAllUsesWith(air::WaitAllOp::create(b, inner.getLoc(),
                                                    ValueRange(),
                                                    /*isAsync=*/true)
                                 .getAsyncToken());
  }
  inner.getBodyBlock()->getTerminator()->erase();
  inner->getBlock()->getOperations().splice(
      inner->getIterator(), inner.getBodyBlock()->getOperations());
  inner.erase();
  outer.getBodyBlock()->getTerminator()->erase();
  fused.getBodyBlock()->getOperations().splice(
      fused.getBodyBlock()->getTerminator()->getIterator(),
      outer.getBodyBlock()->getOperations());
  if (outer.isAsync())
    outer.getAsyncToken().replaceAllUsesWith(fused.getAsyncToken());
  outer.erase();
}

void fuseNestedHerds(Operation *root) {
  // Innermost herds first, so that the loop also fuses deeper nests.
  SmallVector<air::HerdOp> herds;
  root->walk([&](air::HerdOp herd) { herds.push_back(herd); });
  for (air::HerdOp outer : herds) {
    air::HerdOp inner = getOnlyHerd(outer);
    if (!inner ||
        llvm::is_contained(outer.getStaticSizes(), ShapedType::kDynamic))
      continue;
    SmallVector<int64_t> innerSizes = getInnerSizes(outer, inner);
    if (innerSizes.size() != inner.getNumDims())
      continue;
    fuse(outer, inner, outer.getStaticSizes(), innerSizes);
  }
}

} // namespace aircc::hierarchy
