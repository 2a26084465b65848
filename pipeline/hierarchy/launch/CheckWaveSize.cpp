//===- CheckWaveSize.cpp - Find assumed wave sizes ------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// SIMT code that assumes 64 lanes in a wave skips elements if a wave has 32.
// Such code is legal, so it gets a remark instead of an error.
//
//===----------------------------------------------------------------------===//

#include "pipeline/hierarchy/Passes.h"

#include "dialects/air/AIROps.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

namespace aircc::hierarchy {
#define GEN_PASS_DEF_CHECKWAVESIZE
#include "pipeline/hierarchy/Passes.h.inc"
} // namespace aircc::hierarchy

using namespace mlir;
using namespace aircc;

namespace {

/// The wave sizes for which code is commonly written.
constexpr int64_t kUsualSizes[] = {32, 64};

struct CheckWaveSize : hierarchy::impl::CheckWaveSizeBase<CheckWaveSize> {
  using CheckWaveSizeBase::CheckWaveSizeBase;

  void runOnOperation() override {
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (!isa<air::HerdOp, gpu::LaunchOp, gpu::GPUFuncOp>(op))
        return WalkResult::advance();
      op->walk([&](Operation *inner) {
        int64_t assumed = findAssumedSize(inner);
        if (assumed <= waveSize)
          return WalkResult::advance();
        inner->emitRemark("this code assumes ")
            << assumed << " lanes in a wave, but the target's waves have "
            << waveSize.getValue()
            << ", so lanes would access the wrong elements; use "
               "gpu.subgroup_size or block sizes instead";
        return WalkResult::interrupt();
      });
      return WalkResult::skip();
    });
  }

  /// Returns whether `value` is the id of a wave in its workgroup.
  static bool isWave(Value value) {
    if (value.getDefiningOp<gpu::SubgroupIdOp>())
      return true;
    auto argument = dyn_cast<BlockArgument>(value);
    auto herd = argument
                    ? dyn_cast<air::HerdOp>(argument.getOwner()->getParentOp())
                    : air::HerdOp();
    return herd && llvm::is_contained(herd.getIds(), value);
  }
  static bool isLane(Value value) {
    return value.getDefiningOp<gpu::LaneIdOp>() != nullptr;
  }

  /// Returns the factor of `value` if it is a wave id times a common wave size,
  /// or 0.
  static int64_t getWaveFactor(Value value) {
    auto product = value.getDefiningOp<arith::MulIOp>();
    if (!product)
      return 0;
    for (auto [wave, factor] : {std::pair(product.getLhs(), product.getRhs()),
                                std::pair(product.getRhs(), product.getLhs())})
      if (std::optional<int64_t> size = getConstantIntValue(factor);
          isWave(wave) && size && llvm::is_contained(kUsualSizes, *size))
        return *size;
    return 0;
  }

  /// Returns the wave size in a sum of the form `wave * size + lane`, or 0.
  static int64_t findAssumedSize(Operation *op) {
    if (auto sum = dyn_cast<arith::AddIOp>(op)) {
      if (isLane(sum.getRhs()))
        return getWaveFactor(sum.getLhs());
      return isLane(sum.getLhs()) ? getWaveFactor(sum.getRhs()) : 0;
    }
    auto apply = dyn_cast<affine::AffineApplyOp>(op);
    if (!apply)
      return 0;
    OperandRange operands = apply.getMapOperands();
    if (llvm::none_of(operands, isLane))
      return 0;
    AffineMap map = apply.getAffineMap();
    int64_t found = 0;
    map.getResult(0).walk([&](AffineExpr expr) {
      auto product = dyn_cast<AffineBinaryOpExpr>(expr);
      if (!product || product.getKind() != AffineExprKind::Mul)
        return;
      auto size = dyn_cast<AffineConstantExpr>(product.getRHS());
      if (!size || !llvm::is_contained(kUsualSizes, size.getValue()))
        return;
      unsigned position;
      if (auto dim = dyn_cast<AffineDimExpr>(product.getLHS()))
        position = dim.getPosition();
      else if (auto symbol = dyn_cast<AffineSymbolExpr>(product.getLHS()))
        position = map.getNumDims() + symbol.getPosition();
      else
        return;
      if (isWave(operands[position]))
        found = size.getValue();
    });
    return found;
  }
};

} // namespace
