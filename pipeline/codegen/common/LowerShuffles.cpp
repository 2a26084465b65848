//===- LowerShuffles.cpp - Lower shuffles between lanes of a wave ---------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/Passes.h"
#include "pipeline/codegen/common/CrossLane.h"

#include "dialects/kernel/LaneOps.h"
#include "pipeline/analysis/ExecutionModel.h"
#include "pipeline/analysis/Uniformity.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"

#include <optional>

using namespace mlir;

namespace aircc {
#define GEN_PASS_DEF_LOWERSHUFFLES
#include "pipeline/codegen/Passes.h.inc"
} // namespace aircc

namespace {

/// The parts into which a wave is divided, and the lane's position in its part.
struct Parts {
  Value width; ///< The number of lanes in a part.
  Value first; ///< The first lane of this lane's part.
  Value place; ///< This lane's number in its part.
  Value isIn;  ///< Whether this lane participates; null if all lanes do.
};

struct LowerShuffles : aircc::impl::LowerShufflesBase<LowerShuffles> {
  using LowerShufflesBase::LowerShufflesBase;

  void runOnOperation() override {
    lanes = aircc::createCrossLane(backend, getOperation(), chip, waveSize);
    if (!lanes)
      return signalPassFailure();
    byWholeWaves.clear();
    SmallVector<Operation *> ops;
    getOperation().walk([&](Operation *op) {
      if (isa<gpu::ShuffleOp, gpu::RotateOp, gpu::SubgroupBroadcastOp,
              aircc::kernel::PermuteLanesOp>(op))
        ops.push_back(op);
    });
    findActiveLanes(ops);
    bool failedAny = false;
    for (Operation *op : ops)
      if (failed(check(op)) || failed(lower(op)))
        failedAny = true;
    if (failedAny)
      signalPassFailure();
  }

  LogicalResult check(Operation *op) {
    auto vector = dyn_cast<VectorType>(op->getResult(0).getType());
    if (vector && (vector.isScalable() || vector.getRank() != 1))
      return op->emitOpError("shuffles a ")
             << vector
             << " between lanes; cast it to a 1-D vector of a fixed size";
    if (!getElementTypeOrSelf(op->getResult(0)).isIntOrIndexOrFloat())
      return op->emitOpError("shuffles a value of type ")
             << op->getResult(0).getType()
             << " between lanes; shuffle the integers or floats in it";
    if (!lanes->reachesWholeWave() && !isa<gpu::SubgroupBroadcastOp>(op))
      return op->emitOpError(
                 "cannot shuffle values between the lanes of a wave of ")
             << waveSize.getValue() << " on " << chip.getValue()
             << "; compile for waves of 32";
    return success();
  }

  /// Determines which moves are executed by all lanes of each wave. Runs before
  /// functions are changed.
  void findActiveLanes(ArrayRef<Operation *> ops) {
    std::optional<aircc::Uniformity> uniformity;
    FunctionOpInterface analyzed;
    for (Operation *op : ops) {
      auto function = op->getParentOfType<FunctionOpInterface>();
      if (!function || !aircc::hasWholeWaves(op, waveSize))
        continue;
      if (function != analyzed) {
        // Reads are not assumed to be uniform, because the program may have
        // races.
        uniformity.emplace(
            function.getOperation(),
            aircc::UniformityOptions{waveSize, /*readsAreUniform=*/false});
        analyzed = function;
      }
      if (uniformity->getControlScope(op) >= aircc::Scope::Wave)
        byWholeWaves.insert(op);
    }
  }

  aircc::ActiveLanes getActiveLanes(Operation *op) const {
    return byWholeWaves.contains(op) ? aircc::ActiveLanes::All
                                     : aircc::ActiveLanes::Some;
  }

  LogicalResult lower(Operation *op) {
    OpBuilder b(op);
    if (auto shuffle = dyn_cast<gpu::ShuffleOp>(op))
      return lowerShuffle(b, shuffle);
    if (auto rotate = dyn_cast<gpu::RotateOp>(op))
      return lowerRotate(b, rotate);
    if (auto permute = dyn_cast<aircc::kernel::PermuteLanesOp>(op)) {
      permute.replaceAllUsesWith(lanes->permuteRow(
          b, op->getLoc(), permute.getValue(), permute.getLanes()));
      permute.erase();
      return success();
    }
    auto broadcast = cast<gpu::SubgroupBroadcastOp>(op);
    Value result =
        broadcast.getBroadcastType() == gpu::BroadcastType::first_active_lane
            ? lanes->broadcastFirst(b, op->getLoc(), broadcast.getSrc())
            : lanes->broadcastLane(b, op->getLoc(), broadcast.getSrc(),
                                   broadcast.getLane());
    broadcast.replaceAllUsesWith(result);
    broadcast.erase();
    return success();
  }

  static Value i32(OpBuilder &b, Location loc, int64_t value) {
    return arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(value));
  }

  LogicalResult checkWidth(Operation *op, int64_t width) {
    if (width >= 1 && width <= waveSize)
      return success();
    return op->emitOpError("has a width of ")
           << width << " lanes, but the waves of this target have "
           << waveSize.getValue();
  }

  /// Returns the parts of a wave. A width that is a power of two divides the
  /// wave into parts of that many lanes. With other widths, only the first
  /// lanes participate.
  static Parts getParts(OpBuilder &b, Location loc, Value width) {
    Value lane = aircc::getLane(b, loc), zero = i32(b, loc, 0);
    Value mask =
        arith::SubIOp::create(b, loc, width, i32(b, loc, 1)).getResult();
    auto alignDown = [&]() -> Value {
      return arith::AndIOp::create(b, loc, lane,
                                   arith::SubIOp::create(b, loc, zero, width));
    };
    auto isBelowWidth = [&]() -> Value {
      return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, lane,
                                   width);
    };
    if (std::optional<int64_t> known = getConstantIntValue(width)) {
      if (!llvm::isPowerOf2_64(*known))
        return {width, zero, lane, isBelowWidth()};
      return {width, alignDown(), arith::AndIOp::create(b, loc, lane, mask),
              Value()};
    }
    Value common = arith::AndIOp::create(b, loc, width, mask);
    Value isPower =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, common, zero);
    Value first = arith::SelectOp::create(b, loc, isPower, alignDown(), zero);
    Value isIn = arith::OrIOp::create(b, loc, isPower, isBelowWidth());
    return {width, first, arith::SubIOp::create(b, loc, lane, first), isIn};
  }

  LogicalResult lowerShuffle(OpBuilder &b, gpu::ShuffleOp op) {
    Location loc = op.getLoc();
    std::optional<int64_t> width = getConstantIntValue(op.getWidth());
    if (width && failed(checkWidth(op, *width)))
      return failure();
    std::optional<int64_t> offset = getConstantIntValue(op.getOffset());
    // These are fixed patterns, which require no lane number.
    if (op.getMode() == gpu::ShuffleMode::XOR && width && offset &&
        llvm::isPowerOf2_64(*width) && llvm::isPowerOf2_64(*offset) &&
        *offset < *width) {
      Value moved = lanes->moveAcross(b, loc, op.getValue(), *offset);
      Value valid = arith::ConstantOp::create(b, loc, b.getBoolAttr(true));
      op->replaceAllUsesWith(ValueRange{moved, valid});
      op->erase();
      return success();
    }

    Parts parts = getParts(b, loc, op.getWidth());
    Value place;
    switch (op.getMode()) {
    case gpu::ShuffleMode::XOR:
      place = arith::XOrIOp::create(b, loc, parts.place, op.getOffset());
      break;
    case gpu::ShuffleMode::DOWN:
      place = arith::AddIOp::create(b, loc, parts.place, op.getOffset());
      break;
    case gpu::ShuffleMode::UP:
      place = arith::SubIOp::create(b, loc, parts.place, op.getOffset());
      break;
    case gpu::ShuffleMode::IDX:
      place = op.getOffset();
      break;
    }
    // A position before the part's first lane is very large as unsigned.
    Value valid = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult,
                                        place, parts.width);
    if (parts.isIn)
      valid = arith::AndIOp::create(b, loc, valid, parts.isIn);
    Value taken = arith::SelectOp::create(b, loc, valid, place, parts.place);
    Value source = arith::AddIOp::create(b, loc, parts.first, taken);
    Value moved =
        lanes->moveFromLane(b, loc, op.getValue(), source, getActiveLanes(op));
    op->replaceAllUsesWith(ValueRange{moved, valid});
    op->erase();
    return success();
  }

  LogicalResult lowerRotate(OpBuilder &b, gpu::RotateOp op) {
    Location loc = op.getLoc();
    if (failed(checkWidth(op, op.getWidth())))
      return failure();
    Value lane = aircc::getLane(b, loc);
    Value width = i32(b, loc, op.getWidth());
    Value mask = i32(b, loc, op.getWidth() - 1);
    Value first = arith::AndIOp::create(b, loc, lane,
                                        i32(b, loc, -int64_t(op.getWidth())));
    Value place =
        arith::AddIOp::create(b, loc, lane, i32(b, loc, op.getOffset()));
    place = arith::AndIOp::create(b, loc, place, mask);
    Value source = arith::OrIOp::create(b, loc, first, place);
    Value moved =
        lanes->moveFromLane(b, loc, op.getValue(), source, getActiveLanes(op));
    Value valid =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, lane, width);
    op->replaceAllUsesWith(ValueRange{moved, valid});
    op->erase();
    return success();
  }

  std::shared_ptr<aircc::CrossLane> lanes;
  DenseSet<Operation *> byWholeWaves;
};

} // namespace
