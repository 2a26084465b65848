//===- TensorProduct.cpp - Contractions as matrix products ----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/dispatch/contractions/TensorProduct.h"

#include "pipeline/common/kernels/ElementwiseTile.h"

using namespace mlir;
using namespace aircc;

/// Returns the loop of `loops` that is innermost in `map`; nullopt if there is
/// none.
static std::optional<unsigned> findInnermost(AffineMap map,
                                             ArrayRef<unsigned> loops) {
  for (AffineExpr index : llvm::reverse(map.getResults()))
    if (unsigned loop = cast<AffineDimExpr>(index).getPosition();
        llvm::is_contained(loops, loop))
      return loop;
  return std::nullopt;
}

/// Returns the element type and layout of a factor; nullopt if its rows are not
/// contiguous. `across` is its loop other than the reduced one.
static std::optional<strategy::MatmulOperand>
describeFactor(Value factor, AffineMap map, std::optional<unsigned> across,
               unsigned depth) {
  Type element = getElementTypeOrSelf(factor);
  strategy::MatmulOperand operand;
  llvm::raw_string_ostream(operand.type) << element;
  operand.bits = element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 0;
  unsigned last = map.getDimPosition(map.getNumResults() - 1);
  operand.alongK = last == depth;
  if (!operand.alongK && (!across || last != *across))
    return std::nullopt;
  return operand;
}

std::optional<dispatch::TensorProduct>
dispatch::describeProduct(linalg::LinalgOp op, const TargetProfile &profile) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  FailureOr<linalg::ContractionDimensions> dims =
      linalg::inferContractionDims(op);
  if (!linalg::isaContractionOpInterface(op) || !isProductOfElements(op) ||
      failed(dims) || dims->k.size() != 1 || maps[2].getNumResults() == 0 ||
      (dims->m.empty() && dims->n.empty()) ||
      !llvm::all_of(maps,
                    [](AffineMap map) { return map.isProjectedPermutation(); }))
    return std::nullopt;
  TensorProduct product;
  product.depth = dims->k.front();
  product.rows = findInnermost(maps[2], dims->m);
  product.columns = findInnermost(maps[2], dims->n);
  auto a = describeFactor(op.getDpsInputs()[0], maps[0], product.rows,
                          product.depth);
  auto b = describeFactor(op.getDpsInputs()[1], maps[1], product.columns,
                          product.depth);
  std::optional<unsigned> last =
      maps[2].getDimPosition(maps[2].getNumResults() - 1);
  if (!a || !b || (last != product.rows && last != product.columns))
    return std::nullopt;
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  auto getSize = [&](std::optional<unsigned> loop) -> std::optional<int64_t> {
    if (!loop)
      return 1;
    return ShapedType::isDynamic(sizes[*loop]) ? std::nullopt
                                               : std::optional(sizes[*loop]);
  };
  strategy::MatmulProblem &problem = product.problem;
  problem.m = getSize(product.rows);
  problem.n = getSize(product.columns);
  problem.k = getSize(product.depth);
  problem.a = *a;
  problem.b = *b;
  // Swap the factors as the kernel does: if one of them is along K, it is A.
  if ((b->alongK && !a->alongK) ||
      (b->alongK == a->alongK && last != product.columns)) {
    std::swap(problem.m, problem.n);
    std::swap(problem.a, problem.b);
  }
  product.matrices = 1;
  for (auto [loop, size] : llvm::enumerate(sizes)) {
    if (loop == product.rows || loop == product.columns ||
        loop == product.depth)
      continue;
    if (product.matrices && !ShapedType::isDynamic(size))
      product.matrices = *product.matrices * size;
    else
      product.matrices = std::nullopt;
  }
  problem.matrices = product.matrices;
  Type c = getElementTypeOrSelf(op.getDpsInits()[0]);
  if (!c.isIntOrFloat())
    return std::nullopt;
  std::string name;
  llvm::raw_string_ostream(name) << c;
  int64_t bits = c.getIntOrFloatBitWidth();
  problem.cType = strategy::chooseAccumulator(profile, problem.a.type,
                                              problem.b.type, name, bits);
  problem.cBits = problem.cType == name ? bits : 32;
  return product;
}
