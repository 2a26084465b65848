//===- MatmulLaunch.cpp - Launches that contain a matmul ------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/hierarchy/tiles/MatmulLaunch.h"

#include "pipeline/common/kernels/ElementwiseTile.h"
#include "pipeline/common/kernels/Windows.h"
#include "pipeline/common/kernels/Work.h"
#include "pipeline/hierarchy/launch/WrapLaunch.h"

#include "mlir/Dialect/Linalg/Transforms/Transforms.h"

using namespace mlir;
using namespace aircc;
using namespace aircc::hierarchy;

SmallVector<Operation *> MatmulLaunch::getOps() const {
  SmallVector<Operation *> ops{fill,
                               matmul.a.padding,
                               matmul.a.producer,
                               matmul.b.padding,
                               matmul.b.producer,
                               matmul.init,
                               matmul.op,
                               matmul.epilogue};
  llvm::erase(ops, nullptr);
  return ops;
}

void MatmulLaunch::erase() {
  for (Operation *op : getOps())
    op->erase();
  for (memref::AllocOp buffer : buffers) {
    // Erase views and deallocations.
    for (Operation *user : llvm::make_early_inc_range(buffer->getUsers()))
      user->erase();
    buffer.erase();
  }
}

namespace {

/// Returns the buffer of the launch that `memref` is, or reshapes.
memref::AllocOp getBuffer(Value memref) {
  if (auto view = memref.getDefiningOp<memref::CollapseShapeOp>())
    memref = view.getSrc();
  return memref.getDefiningOp<memref::AllocOp>();
}

/// Determines the role of each op of a launch that computes a matmul.
class Matcher {
public:
  std::optional<MatmulLaunch> match(air::LaunchOp launch);

private:
  bool add(Operation *op);
  bool addMatmul(Operation *op);
  /// Determines which factor or initial value each op before the matmul
  /// computes.
  bool assignProducers();
  bool isComplete() const;

  MatmulLaunch result;
  /// The generic ops before the matmul, and those of them that add zeros around
  /// an image.
  SmallVector<linalg::GenericOp> producers, paddings;
  bool hasMatmul = false;
  /// Whether the compiler created the launch, so that an initial value may be
  /// computed in it.
  bool isFromDispatch = false;
};

bool Matcher::addMatmul(Operation *op) {
  std::string why;
  bool hasBuffers = !result.buffers.empty();
  if (auto matmul = matchMatmul(op, &why, hasBuffers)) {
    result.matmul = *matmul;
    hasMatmul = true;
    return true;
  }
  // If there is no kernel for the entire launch, the op is tried again in a
  // launch of its own, and the remark is emitted then.
  if (!why.empty())
    setMatrixReason(op, why);
  if (!why.empty() && !hasBuffers)
    op->emitRemark("is not compiled to a matmul kernel: ") << why;
  return false;
}

bool Matcher::add(Operation *op) {
  MatmulLaunch &r = result;
  if (auto fill = dyn_cast<linalg::FillOp>(op); fill && !hasMatmul && !r.fill) {
    r.fill = fill;
    return true;
  }
  if (auto alloc = dyn_cast<memref::AllocOp>(op)) {
    r.buffers.push_back(alloc);
    return true;
  }
  if (auto dealloc = dyn_cast<memref::DeallocOp>(op))
    return getBuffer(dealloc.getMemref()) != nullptr;
  if (!hasMatmul && addMatmul(op))
    return true;
  auto generic = dyn_cast<linalg::GenericOp>(op);
  bool fits = !r.buffers.empty() || (!hasMatmul && isFromDispatch);
  bool isImage =
      generic && !hasMatmul && (isWindowCopy(generic) || matchPadding(generic));
  if (!generic || !fits || !generic.hasPureBufferSemantics() ||
      !(isImage || isElementwiseOnTiles(generic)))
    return isHostComputable(op);
  if (!hasMatmul) {
    producers.push_back(generic);
    return true;
  }
  if (r.matmul.epilogue)
    return false;
  r.matmul.epilogue = generic;
  return true;
}

/// Matches `matrix` as the result of `producer`, or a view of it. If `producer`
/// is not elementwise, it copies windows, and the matrix must be contiguous
/// along K.
bool setProducer(MatmulMatrix &matrix, bool alongK,
                 linalg::GenericOp producer) {
  SmallVector<SmallVector<unsigned>> loops;
  for (AffineExpr loop :
       producer.getMatchingIndexingMap(producer.getDpsInitOperand(0))
           .getResults())
    loops.push_back({cast<AffineDimExpr>(loop).getPosition()});
  if (auto view = matrix.memref.getDefiningOp<memref::CollapseShapeOp>()) {
    SmallVector<SmallVector<unsigned>> merged;
    for (ArrayRef<int64_t> group : view.getReassociationIndices()) {
      merged.emplace_back();
      for (int64_t dim : group)
        merged.back().append(loops[dim]);
    }
    loops = std::move(merged);
  }
  // The edge of a tile covers inner loops completely and one loop partially, so
  // inner sizes must be powers of two. Tiles of windows may have any static
  // sizes.
  bool isElementwise = isElementwiseOnTiles(producer);
  SmallVector<int64_t> sizes = producer.getStaticLoopRanges();
  for (auto [dim, merged] : llvm::enumerate(loops)) {
    bool isTiled = dim == matrix.first || dim == matrix.last;
    for (unsigned loop : ArrayRef<unsigned>(merged).drop_front())
      if (!isTiled || (isElementwise ? !llvm::isPowerOf2_64(sizes[loop])
                                     : ShapedType::isDynamic(sizes[loop])))
        return false;
  }
  if (!isElementwise) {
    OpOperand *image = producer.getDpsInputOperand(0);
    if (!alongK || !isWithinReach(getMemRefType(image->get()),
                                  producer.getMatchingIndexingMap(image), sizes,
                                  loops[matrix.first], loops[matrix.last]))
      return false;
  }
  matrix.producer = producer;
  matrix.producerLoops = std::move(loops);
  return true;
}

bool Matcher::assignProducers() {
  Matmul &matmul = result.matmul;
  for (linalg::GenericOp producer : producers) {
    Value written = producer.getDpsInits()[0];
    if (written == matmul.c.memref && !matmul.init) {
      matmul.init = producer;
      continue;
    }
    bool isFactor = false;
    if (matchPadding(producer)) {
      paddings.push_back(producer);
      continue;
    }
    for (auto [matrix, alongK] : {std::pair(&matmul.a, matmul.aAlongK),
                                  std::pair(&matmul.b, matmul.bAlongK)}) {
      memref::AllocOp buffer = getBuffer(matrix->memref);
      if (!buffer || buffer.getMemref() != written || matrix->producer)
        continue;
      if (!setProducer(*matrix, alongK, producer))
        return false;
      isFactor = true;
    }
    if (!isFactor)
      return false;
  }
  return llvm::all_of(paddings, [&](linalg::GenericOp padding) {
    for (MatmulMatrix *matrix : {&matmul.a, &matmul.b})
      if (matrix->producer && !matrix->padding &&
          isWindowCopy(matrix->producer) &&
          matrix->producer.getDpsInputs()[0] == padding.getDpsInits()[0]) {
        matrix->padding = padding;
        return true;
      }
    return false;
  });
}

/// Returns whether the ops form a chain in which each uses the results of
/// earlier ones.
bool Matcher::isComplete() const {
  const Matmul &matmul = result.matmul;
  Value c = matmul.c.memref;
  linalg::FillOp fill = result.fill;
  linalg::GenericOp init = matmul.init, epilogue = matmul.epilogue;
  if (fill &&
      (fill.getOutputs()[0] != c ||
       fill.getInputs()[0].getType() != getMemRefType(c).getElementType()))
    return false;
  SmallVector<Value> held;
  for (const MatmulMatrix *matrix : {&matmul.a, &matmul.b}) {
    if (linalg::GenericOp padding = matrix->padding)
      held.push_back(padding.getDpsInits()[0]);
    if (matrix->producer)
      held.push_back(getBuffer(matrix->memref));
    else if (!isGlobal(getMemRefType(matrix->memref)))
      return false;
  }
  if (epilogue)
    held.push_back(c);
  // The ops must use each buffer of the launch.
  if (held.size() != result.buffers.size() ||
      !llvm::all_of(result.buffers, [&](memref::AllocOp buffer) {
        return llvm::is_contained(held, buffer.getMemref());
      }))
    return false;
  auto isImage = [&](linalg::GenericOp op, Value operand) {
    for (const MatmulMatrix *matrix : {&matmul.a, &matmul.b})
      if (linalg::GenericOp padding = matrix->padding;
          padding && matrix->producer == op &&
          operand == padding.getDpsInits()[0])
        return isGlobal(getMemRefType(matchPadding(padding)->source));
    return false;
  };
  auto readsGlobalMemory = [&](linalg::GenericOp op) {
    return llvm::all_of(op.getDpsInputs(), [&](Value operand) {
      auto type = dyn_cast<MemRefType>(operand.getType());
      return !type || (operand == c && op == epilogue) || isGlobal(type) ||
             isImage(op, operand);
    });
  };
  for (linalg::GenericOp op :
       {init, matmul.a.producer, matmul.b.producer, epilogue})
    if (op && !readsGlobalMemory(op))
      return false;
  if (init && (fill || init.getDpsInits()[0] != c))
    return false;
  if (!epilogue)
    return isGlobal(getMemRefType(c));
  if (bool(fill) == bool(init) || epilogue.getDpsInits()[0] == c ||
      !isGlobal(getMemRefType(epilogue.getDpsInits()[0])))
    return false;
  unsigned numReads = 0;
  for (OpOperand *input : epilogue.getDpsInputOperands())
    if (input->get() == c) {
      if (!epilogue.getMatchingIndexingMap(input).isPermutation())
        return false;
      ++numReads;
    }
  return numReads == 1;
}

std::optional<MatmulLaunch> Matcher::match(air::LaunchOp launch) {
  isFromDispatch = isInDispatchedFunction(launch);
  for (Operation &op : launch.getBodyBlock()->without_terminator())
    if (!add(&op))
      return std::nullopt;
  if (!hasMatmul || !assignProducers() || !isComplete())
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
  // Generalizes copies to buffers of the launch, because they are elementwise
  // ops, too.
  IRRewriter rewriter(launch.getContext());
  bool hasMatmul =
      isInDispatchedFunction(launch) &&
      llvm::any_of(launch.getBodyBlock()->getOps<linalg::LinalgOp>(),
                   [](linalg::LinalgOp op) {
                     return linalg::isaContractionOpInterface(op);
                   });
  for (Operation &op : llvm::make_early_inc_range(*launch.getBodyBlock())) {
    auto copy = dyn_cast<linalg::CopyOp>(op);
    if (!copy ||
        (!hasMatmul && !copy.getOutputs()[0].getDefiningOp<memref::AllocOp>()))
      continue;
    rewriter.setInsertionPoint(copy);
    (void)linalg::generalizeNamedOp(rewriter, copy);
  }
  return Matcher().match(launch);
}

void hierarchy::unwrapMatmulLaunch(air::LaunchOp launch, MatmulLaunch &match) {
  unwrapLaunch(launch);
  Matmul old = match.matmul;
  match.matmul = *matchMatmul(old.op, nullptr, /*hasBuffers=*/true);
  for (auto [matrix, before] : {std::pair(&match.matmul.a, &old.a),
                                std::pair(&match.matmul.b, &old.b)}) {
    matrix->producer = before->producer;
    matrix->padding = before->padding;
    matrix->producerLoops = before->producerLoops;
  }
  match.matmul.init = old.init;
  match.matmul.epilogue = old.epilogue;
  match.matmul.accumulator = old.accumulator;
}
