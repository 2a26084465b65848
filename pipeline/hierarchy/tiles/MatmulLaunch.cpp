//===- MatmulLaunch.cpp - Launches that contain a matmul ------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/hierarchy/tiles/MatmulLaunch.h"

#include "pipeline/common/kernels/ElementwiseTile.h"
#include "pipeline/common/kernels/Work.h"
#include "pipeline/hierarchy/launch/WrapLaunch.h"

#include "mlir/Dialect/Linalg/Transforms/Transforms.h"

using namespace mlir;
using namespace aircc;
using namespace aircc::hierarchy;

SmallVector<Operation *> MatmulLaunch::getOps() const {
  SmallVector<Operation *> ops{fill, matmul.init, matmul.op, matmul.epilogue};
  llvm::erase(ops, nullptr);
  return ops;
}

namespace {

/// Sorts the ops of a launch into those of a matmul launch.
class Matcher {
public:
  std::optional<MatmulLaunch> match(air::LaunchOp launch);

private:
  bool add(Operation *op);
  bool isComplete() const;

  MatmulLaunch result;
  bool hasMatmul = false;
  /// The compiler made the launch, so it may compute an initial value in it.
  bool isFromDispatch = false;
};

bool Matcher::add(Operation *op) {
  MatmulLaunch &r = result;
  if (auto fill = dyn_cast<linalg::FillOp>(op); fill && !hasMatmul && !r.fill) {
    r.fill = fill;
    return true;
  }
  if (auto alloc = dyn_cast<memref::AllocOp>(op); alloc && !r.tile) {
    r.tile = alloc;
    return true;
  }
  if (auto dealloc = dyn_cast<memref::DeallocOp>(op); dealloc && r.tile) {
    r.dealloc = dealloc;
    return dealloc.getMemref() == r.tile.getMemref();
  }
  std::string why;
  if (!hasMatmul) {
    if (auto matmul = matchMatmul(op, &why, /*storesResult=*/!r.tile)) {
      linalg::GenericOp init = r.matmul.init;
      r.matmul = *matmul;
      r.matmul.init = init;
      hasMatmul = true;
      return true;
    }
    // Without a kernel for all of the launch, the op gets a launch of its own.
    if (!why.empty())
      setMatrixReason(op, why);
    if (!why.empty() && !r.tile)
      op->emitRemark("does not become a matmul kernel: ") << why;
  }
  auto generic = dyn_cast<linalg::GenericOp>(op);
  bool fits = r.tile || (!hasMatmul && isFromDispatch);
  if (generic && fits && generic.hasPureBufferSemantics() &&
      isElementwiseOnTiles(generic)) {
    linalg::GenericOp &place = hasMatmul ? r.matmul.epilogue : r.matmul.init;
    if (place)
      return false;
    place = generic;
    return true;
  }
  return isHostComputable(op);
}

/// Whether each op works on the result of the one before.
bool Matcher::isComplete() const {
  const Matmul &matmul = result.matmul;
  Value c = matmul.c.memref;
  linalg::FillOp fill = result.fill;
  linalg::GenericOp init = matmul.init, epilogue = matmul.epilogue;
  if (fill &&
      (fill.getOutputs()[0] != c ||
       fill.getInputs()[0].getType() != getMemRefType(c).getElementType()))
    return false;
  auto isInGlobalMemory = [&](Value operand) {
    auto type = dyn_cast<MemRefType>(operand.getType());
    return !type || operand == c || isGlobal(type);
  };
  memref::AllocOp tile = result.tile;
  if (!tile)
    return !init || (!fill && init.getDpsInits()[0] == c &&
                     llvm::all_of(init->getOperands(), isInGlobalMemory));
  if (tile.getMemref() != c || !epilogue || bool(fill) == bool(init) ||
      (init && init.getDpsInits()[0] != c))
    return false;
  unsigned numReads = 0;
  for (OpOperand *input : epilogue.getDpsInputOperands())
    if (input->get() == c) {
      if (!epilogue.getMatchingIndexingMap(input).isPermutation())
        return false;
      ++numReads;
    }
  if (numReads != 1)
    return false;
  return llvm::all_of(epilogue->getOperands(), isInGlobalMemory) &&
         epilogue.getDpsInits()[0] != c &&
         (!init || llvm::all_of(init->getOperands(), isInGlobalMemory));
}

std::optional<MatmulLaunch> Matcher::match(air::LaunchOp launch) {
  isFromDispatch = isInDispatchedFunction(launch);
  for (Operation &op : launch.getBodyBlock()->without_terminator())
    if (!add(&op))
      return std::nullopt;
  if (!hasMatmul || !isComplete())
    return std::nullopt;
  return result;
}

} // namespace

bool hierarchy::isInDispatchedFunction(Operation *op) {
  auto function = op->getParentOfType<FunctionOpInterface>();
  return function &&
         function->hasAttr(
             air::AIRDialect::MergeLaunchesAttrHelper::getNameStr());
}

std::optional<MatmulLaunch> hierarchy::matchMatmulLaunch(air::LaunchOp launch) {
  // Copies to the buffer of the launch are elementwise, too.
  IRRewriter rewriter(launch.getContext());
  for (Operation &op : llvm::make_early_inc_range(*launch.getBodyBlock())) {
    auto copy = dyn_cast<linalg::CopyOp>(op);
    if (!copy || !copy.getOutputs()[0].getDefiningOp<memref::AllocOp>())
      continue;
    rewriter.setInsertionPoint(copy);
    (void)linalg::generalizeNamedOp(rewriter, copy);
  }
  return Matcher().match(launch);
}

void hierarchy::unwrapMatmulLaunch(air::LaunchOp launch, MatmulLaunch &match) {
  unwrapLaunch(launch);
  Matmul old = match.matmul;
  match.matmul = *matchMatmul(old.op, nullptr, /*storesResult=*/false);
  match.matmul.init = old.init;
  match.matmul.epilogue = old.epilogue;
  match.matmul.accumulator = old.accumulator;
}
