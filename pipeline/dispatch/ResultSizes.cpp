//===- ResultSizes.cpp - Sizes of a function's results --------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/dispatch/ResultSizes.h"

#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

/// Whether a loop starts with a tensor whose static size was cast away.
/// Upstream restores such a size for all iterations, though later ones may have
/// others.
static bool startsWithCast(scf::ForOp loop) {
  return llvm::any_of(loop.getInitArgs(), [](Value init) {
    return init.getDefiningOp<tensor::CastOp>() != nullptr;
  });
}

/// Expresses sizes of results by sizes of operands, and removes what is then
/// unused.
static void simplify(func::FuncOp function) {
  MLIRContext *context = function.getContext();
  RewritePatternSet patterns(context);
  memref::populateResolveRankedShapedTypeResultDimsPatterns(patterns);
  memref::populateResolveShapedTypeResultDimsPatterns(patterns);
  tensor::DimOp::getCanonicalizationPatterns(patterns, context);
  bool castsSizes = false;
  function.walk([&](scf::ForOp loop) { castsSizes |= startsWithCast(loop); });
  if (!castsSizes)
    scf::ForOp::getCanonicalizationPatterns(patterns, context);
  scf::ForallOp::getCanonicalizationPatterns(patterns, context);
  (void)applyPatternsGreedily(function, std::move(patterns));
}

func::FuncOp aircc::dispatch::createResultSizes(func::FuncOp function,
                                                StringRef name) {
  auto isDynamic = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && !tensor.hasStaticShape();
  };
  if (llvm::none_of(function.getResultTypes(), isDynamic) ||
      !llvm::hasSingleElement(function.getBody()))
    return nullptr;
  OpBuilder b(function);
  func::FuncOp sizes = function.clone();
  b.insert(sizes);
  sizes.setName(name);
  sizes.removeResAttrsAttr();
  Operation *terminator = sizes.front().getTerminator();
  Location loc = terminator->getLoc();
  b.setInsertionPoint(terminator);
  SmallVector<Value> dims;
  for (Value result : terminator->getOperands()) {
    auto type = dyn_cast<RankedTensorType>(result.getType());
    for (int64_t dim = 0; type && dim < type.getRank(); ++dim)
      if (type.isDynamicDim(dim))
        dims.push_back(tensor::DimOp::create(b, loc, result, dim));
  }
  Value all = tensor::FromElementsOp::create(b, loc, dims);
  terminator->setOperands(all);
  sizes.setFunctionType(
      b.getFunctionType(sizes.getArgumentTypes(), all.getType()));
  simplify(sizes);
  return sizes;
}
