//===- MatchMatmul.cpp - Match contractions as matmuls --------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/hierarchy/tiles/MatchMatmul.h"

#include "dialects/air/AIROps.h"
#include "pipeline/common/kernels/ElementwiseTile.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;
using namespace aircc;
using namespace aircc::hierarchy;

namespace {

/// The loops along the two dimensions of a tile of C and along K.
struct Loops {
  unsigned m = 0, n = 0, k = 0;
};

/// Matches the operand `memref`, with indexing map `map`, as a matrix of the
/// loops `x` and `y` in memory. Sets `why` to the reason if it does not match.
std::optional<MatmulMatrix> matchMatrix(Value memref, AffineMap map, unsigned x,
                                        unsigned y, AffineMap mapOfC,
                                        std::string &why) {
  auto type = dyn_cast<MemRefType>(memref.getType());
  SmallVector<int64_t> strides;
  int64_t offset;
  if (!type || failed(type.getStridesAndOffset(strides, offset)))
    return std::nullopt;
  MatmulMatrix matrix;
  matrix.memref = memref;
  SmallVector<unsigned> inner;
  for (unsigned dim = 0; dim < map.getNumResults(); ++dim) {
    unsigned loop = map.getDimPosition(dim);
    if (loop == x || loop == y)
      inner.push_back(dim);
    else
      matrix.outer.push_back(*mapOfC.getResultPosition(map.getResult(dim)));
  }
  assert(inner.size() == 2 && "an operand must have both of its loops");
  matrix.first = inner[0];
  matrix.last = inner[1];
  if (strides[matrix.last] == 1)
    return matrix;
  why = "the rows of a matrix are not contiguous in memory";
  return std::nullopt;
}

} // namespace

bool hierarchy::isGlobal(MemRefType type) {
  Attribute space = type.getMemorySpace();
  if (!space)
    return true;
  if (auto level = dyn_cast<IntegerAttr>(space))
    return level.getInt() == int64_t(air::MemorySpace::L3);
  auto gpuSpace = dyn_cast<gpu::AddressSpaceAttr>(space);
  return gpuSpace && gpuSpace.getValue() == gpu::AddressSpace::Global;
}

std::optional<Matmul> hierarchy::matchMatmul(Operation *op, std::string *why,
                                             bool hasBuffers) {
  std::string ignored;
  std::string &reason = why ? *why : ignored;
  reason.clear();
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  if (!structured || !structured.hasPureBufferSemantics() ||
      !linalg::isaContractionOpInterface(structured))
    return std::nullopt;
  auto isInGlobalMemory = [](Value operand) {
    auto type = dyn_cast<MemRefType>(operand.getType());
    return type && isGlobal(type);
  };
  if (!hasBuffers && !llvm::all_of(structured->getOperands(), isInGlobalMemory))
    return std::nullopt;
  FailureOr<linalg::ContractionDimensions> found =
      linalg::inferContractionDims(structured);
  if (failed(found) || found->m.empty() || found->n.empty())
    return std::nullopt;
  if (!isProductOfElements(structured)) {
    reason = "its body does more than multiply and add";
    return std::nullopt;
  }
  if (found->k.size() != 1) {
    reason = "it sums over " + std::to_string(found->k.size()) + " dimensions";
    return std::nullopt;
  }
  SmallVector<AffineMap> maps = structured.getIndexingMapsArray();
  for (AffineMap map : maps)
    if (!map.isProjectedPermutation()) {
      reason = "its indexing maps are not projected permutations of the loops";
      return std::nullopt;
    }
  // If there are several row or column dimensions, the innermost one of C is
  // tiled, and the others are outer dimensions.
  auto innermost = [&](ArrayRef<unsigned> loops) {
    return *llvm::max_element(loops, [&](unsigned x, unsigned y) {
      auto place = [&](unsigned loop) {
        return *maps[2].getResultPosition(
            getAffineDimExpr(loop, op->getContext()));
      };
      return place(x) < place(y);
    });
  };
  Loops loops{innermost(found->m), innermost(found->n), found->k.front()};
  auto match = [&](OpOperand *operand, unsigned x, unsigned y) {
    return matchMatrix(operand->get(),
                       structured.getMatchingIndexingMap(operand), x, y,
                       maps[2], reason);
  };
  std::optional<MatmulMatrix> a =
      match(structured.getDpsInputOperand(0), loops.m, loops.k);
  std::optional<MatmulMatrix> b =
      match(structured.getDpsInputOperand(1), loops.n, loops.k);
  std::optional<MatmulMatrix> c =
      match(structured.getDpsInitOperand(0), loops.m, loops.n);
  if (!a || !b || !c)
    return std::nullopt;
  Matmul matmul;
  matmul.op = op;
  matmul.a = *a;
  matmul.b = *b;
  matmul.c = *c;
  auto isLast = [&](unsigned operand, const MatmulMatrix &matrix,
                    unsigned loop) {
    return maps[operand].getDimPosition(matrix.last) == loop;
  };
  matmul.aAlongK = isLast(0, *a, loops.k);
  matmul.bAlongK = isLast(1, *b, loops.k);
  matmul.cAlongN = isLast(2, *c, loops.n);
  // A matrix instruction reads adjacent elements along K. A should be
  // contiguous along K; otherwise, C should be contiguous along N.
  bool better = matmul.bAlongK && !matmul.aAlongK;
  bool equal = matmul.bAlongK == matmul.aAlongK;
  if (better || (equal && !matmul.cAlongN)) {
    std::swap(matmul.a, matmul.b);
    std::swap(matmul.aAlongK, matmul.bAlongK);
    matmul.cAlongN = !matmul.cAlongN;
  }
  return matmul;
}
