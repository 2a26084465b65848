//===- FuseAttention.cpp - Attention to one kernel ------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/common/kernels/Attention.h"
#include "pipeline/dispatch/KernelRegion.h"
#include "pipeline/dispatch/Passes.h"
#include "pipeline/dispatch/TensorFunctions.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace aircc::dispatch {
#define GEN_PASS_DEF_FUSEATTENTION
#include "pipeline/dispatch/Passes.h.inc"
} // namespace aircc::dispatch

using namespace mlir;
using namespace aircc;

namespace {

class TensorProducers : public ProducerMap {
public:
  linalg::LinalgOp getProducer(Value value) const final {
    return value.getDefiningOp<linalg::LinalgOp>();
  }
  linalg::FillOp getFill(linalg::LinalgOp op) const final {
    return op.getDpsInits()[0].getDefiningOp<linalg::FillOp>();
  }
};

class FuseAttention : public dispatch::impl::FuseAttentionBase<FuseAttention> {
public:
  using FuseAttentionBase::FuseAttentionBase;

  void runOnOperation() final {
    for (func::FuncOp function : dispatch::getTensorFunctions(getOperation()))
      fuse(function);
  }

private:
  bool isSupported(const Attention &attention);
  void fuse(func::FuncOp function);
};

/// Returns whether the values between the operands and the result of the kernel
/// are used only in the kernel.
bool isClosed(ArrayRef<Operation *> ops) {
  return llvm::all_of(ops.drop_back(), [&](Operation *op) {
    return op->getBlock() == ops.back()->getBlock() &&
           cast<linalg::LinalgOp>(op).hasPureTensorSemantics() &&
           llvm::all_of(op->getUsers(), [&](Operation *user) {
             return llvm::is_contained(ops, user);
           });
  });
}

bool FuseAttention::isSupported(const Attention &attention) {
  auto getType = [](OpOperand *operand) {
    return cast<RankedTensorType>(operand->get().getType());
  };
  RankedTensorType q = getType(attention.q), k = getType(attention.k),
                   v = getType(attention.v);
  Type element = q.getElementType();
  std::string name;
  llvm::raw_string_ostream(name) << element;
  if (k.getElementType() != element || v.getElementType() != element ||
      !llvm::is_contained(matrixTypes, name))
    return false;
  auto getSize = [](RankedTensorType type, AffineMap map, unsigned dim) {
    return type.getDimSize(
        *map.getResultPosition(getAffineDimExpr(dim, map.getContext())));
  };
  int64_t depth = getSize(q, attention.mapOfQ, attention.getDepthDim());
  int64_t features = getSize(v, attention.mapOfV, attention.getFeatureDim());
  auto isSmall = [&](int64_t size) {
    return !ShapedType::isDynamic(size) && size > 0 && size <= maxHeadSize;
  };
  return isSmall(depth) && isSmall(features);
}

void FuseAttention::fuse(func::FuncOp function) {
  dispatch::resolveSizes(function);
  SmallVector<linalg::LinalgOp> contractions;
  function.walk([&](linalg::LinalgOp op) {
    if (op.hasPureTensorSemantics() && linalg::isaContractionOpInterface(op))
      contractions.push_back(op);
  });
  DenseSet<Operation *> fused;
  for (linalg::LinalgOp op : llvm::reverse(contractions)) {
    if (fused.contains(op))
      continue;
    std::optional<Attention> attention = matchAttention(op, TensorProducers());
    if (!attention || !isSupported(*attention))
      continue;
    SmallVector<Operation *> ops = attention->getOps();
    if (!isClosed(ops))
      continue;
    if (linalg::GenericOp epilogue = dispatch::findEpilogue(op))
      ops.push_back(epilogue);
    fused.insert(attention->scores);
    dispatch::createKernelRegion(ops);
  }
  if (!fused.empty())
    dispatch::resolveSizes(function);
}

} // namespace
