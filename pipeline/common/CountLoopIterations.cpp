//===- CountLoopIterations.cpp - Rewrite loops that would wrap ------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/common/Passes.h"

#include "mlir/Analysis/DataFlow/IntegerRangeAnalysis.h"
#include "mlir/Analysis/DataFlow/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

namespace aircc {
#define GEN_PASS_DEF_COUNTLOOPITERATIONS
#include "pipeline/common/Passes.h.inc"
} // namespace aircc

namespace {

/// Returns the bit width of a type; an `index` has 64 bits on every target.
unsigned getWidth(Type type) {
  return type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
}

Value makeConstant(OpBuilder &b, Location loc, Type type, const APInt &value) {
  return arith::ConstantOp::create(b, loc, b.getIntegerAttr(type, value));
}

Value makeConstant(OpBuilder &b, Location loc, Type type, uint64_t value) {
  return makeConstant(b, loc, type, APInt(getWidth(type), value));
}

//===----------------------------------------------------------------------===//
// Constant bounds
//===----------------------------------------------------------------------===//

struct ConstantBounds {
  APInt lower, upper;
  APInt step; ///< Positive by definition, so it is read as unsigned.
  bool isSigned;

  static std::optional<ConstantBounds> get(scf::ForOp loop) {
    ConstantBounds bounds;
    if (!matchPattern(loop.getLowerBound(), m_ConstantInt(&bounds.lower)) ||
        !matchPattern(loop.getUpperBound(), m_ConstantInt(&bounds.upper)) ||
        !matchPattern(loop.getStep(), m_ConstantInt(&bounds.step)))
      return std::nullopt;
    bounds.isSigned = !loop.getUnsignedCmp();
    return bounds;
  }

  unsigned getWidth() const { return lower.getBitWidth(); }
  /// Extends `value` by two bits, which is sufficient for all sums and
  /// differences here.
  APInt widen(const APInt &value) const {
    return isSigned ? value.sext(getWidth() + 2) : value.zext(getWidth() + 2);
  }

  /// Returns the number of iterations; 0 for a loop that is empty or has step
  /// 0.
  APInt getCount() const {
    APInt distance = widen(upper) - widen(lower);
    if (!distance.isStrictlyPositive() || step.isZero())
      return APInt::getZero(getWidth() + 2);
    return llvm::APIntOps::RoundingUDiv(distance, step.zext(getWidth() + 2),
                                        APInt::Rounding::UP);
  }

  /// Returns true if the step after the last iteration overflows the type, so
  /// that the comparison with the upper bound does not end the loop.
  bool wraps() const {
    APInt last = isSigned ? APInt::getSignedMaxValue(getWidth())
                          : APInt::getMaxValue(getWidth());
    return (widen(lower) + getCount() * step.zext(getWidth() + 2))
        .sgt(widen(last));
  }

  /// Returns true if MLIR's `constantTripCount` (22.1) considers the loop
  /// empty, because it computes the distance in the type and reads the step as
  /// signed.
  bool isMiscounted() const {
    if (getCount().isZero())
      return false;
    APInt distance = widen(upper) - widen(lower);
    return step.isNegative() ||
           (isSigned &&
            distance.sgt(
                APInt::getSignedMaxValue(getWidth()).sext(getWidth() + 2)));
  }
};

/// Makes `loop` count its iterations from 0. Counts of types narrower than 32
/// bits use i32, which is as fast and always large enough.
void countIterations(scf::ForOp loop, const ConstantBounds &bounds) {
  OpBuilder b(loop);
  Location loc = loop.getLoc();
  Type type = loop.getInductionVar().getType();
  bool isNarrow = getWidth(type) < 32;
  Type counterType = isNarrow ? b.getI32Type() : type;
  APInt count = bounds.getCount().zextOrTrunc(getWidth(counterType));
  Value lower = loop.getLowerBound(), step = loop.getStep();
  loop.setLowerBound(makeConstant(b, loc, counterType, uint64_t(0)));
  loop.setUpperBound(makeConstant(b, loc, counterType, count));
  loop.setStep(makeConstant(b, loc, counterType, uint64_t(1)));
  loop.setUnsignedCmp(count.isNegative());

  b.setInsertionPointToStart(loop.getBody());
  Value counter = loop.getInductionVar();
  counter.setType(counterType);
  Value factor =
      isNarrow ? arith::TruncIOp::create(b, loc, type, counter) : counter;
  Value offset = arith::MulIOp::create(b, loc, factor, step);
  Value value = arith::AddIOp::create(b, loc, lower, offset);
  counter.replaceUsesWithIf(value, [&](OpOperand &use) {
    return use.getOwner() != factor.getDefiningOp() &&
           use.getOwner() != offset.getDefiningOp();
  });
}

//===----------------------------------------------------------------------===//
// Other bounds
//===----------------------------------------------------------------------===//

/// Computes ranges of integers, including the results of memref.dim. Those are
/// bounded by assuming that addresses have at most 57 bits.
class SizeRangeAnalysis : public dataflow::IntegerRangeAnalysis {
public:
  using IntegerRangeAnalysis::IntegerRangeAnalysis;

  LogicalResult visitOperation(
      Operation *op,
      ArrayRef<const dataflow::IntegerValueRangeLattice *> operands,
      ArrayRef<dataflow::IntegerValueRangeLattice *> results) override {
    if (!isa<memref::DimOp>(op))
      return IntegerRangeAnalysis::visitOperation(op, operands, results);
    auto range = ConstantIntRanges::fromSigned(APInt(64, 0),
                                               APInt::getOneBitSet(64, 57));
    propagateIfChanged(results[0], results[0]->join(IntegerValueRange(range)));
    return success();
  }
};

/// The known ranges of loop bounds.
class Ranges {
public:
  explicit Ranges(Operation *root) : root(root) {}

  /// Returns true if the induction variable of such a loop reaches the upper
  /// bound before it overflows.
  bool isInside(Value lower, Value upper, Value step, bool isSigned) {
    APInt one;
    if (matchPattern(step, m_ConstantInt(&one)) && one.isOne())
      return true;
    std::optional<ConstantIntRanges> lowers = get(lower), uppers = get(upper),
                                     steps = get(step);
    if (!uppers || !steps)
      return false;
    unsigned width = getWidth(step.getType());
    APInt largest = isSigned ? uppers->smax().sext(width + 2)
                             : uppers->umax().zext(width + 2);
    APInt last =
        isSigned ? APInt::getSignedMaxValue(width) : APInt::getMaxValue(width);
    if ((largest + steps->umax().zext(width + 2) - 1).sle(last.zext(width + 2)))
      return true;
    // A 64-bit loop that starts in the lower half of the range would take weeks
    // to overflow.
    constexpr uint64_t kSmallStep = 4096;
    return width >= 64 && lowers && steps->umax().ule(kSmallStep) &&
           (isSigned ? lowers->smax() : lowers->umax())
               .sle(APInt::getOneBitSet(width, width - 2));
  }

private:
  std::optional<ConstantIntRanges> get(Value value) {
    APInt constant;
    if (matchPattern(value, m_ConstantInt(&constant)))
      return ConstantIntRanges::constant(constant);
    // The analysis is slow, and few loops need it.
    if (!solver) {
      solver = std::make_unique<DataFlowSolver>();
      dataflow::loadBaselineAnalyses(*solver);
      solver->load<SizeRangeAnalysis>();
      if (failed(solver->initializeAndRun(root)))
        return std::nullopt;
    }
    auto *range =
        solver->lookupState<dataflow::IntegerValueRangeLattice>(value);
    if (!range || range->getValue().isUninitialized())
      return std::nullopt;
    return range->getValue().getValue();
  }

  Operation *root;
  std::unique_ptr<DataFlowSolver> solver;
};

/// Makes `loop` end before it adds the step if at most one step remains between
/// the induction variable and the upper bound.
void endBeforeLastStep(scf::ForOp loop) {
  IRRewriter b(loop.getContext());
  b.setInsertionPoint(loop);
  Location loc = loop.getLoc();
  Value lower = loop.getLowerBound(), upper = loop.getUpperBound();
  Value isEntered =
      arith::CmpIOp::create(b, loc,
                            loop.getUnsignedCmp() ? arith::CmpIPredicate::ult
                                                  : arith::CmpIPredicate::slt,
                            lower, upper);
  // The condition, the induction variable, and the iteration arguments.
  SmallVector<Value> inits{isEntered, lower};
  llvm::append_range(inits, loop.getInitArgs());
  SmallVector<Type> types = llvm::to_vector(ValueRange(inits).getTypes());
  auto result = scf::WhileOp::create(
      b, loc, ArrayRef<Type>(types).drop_front(), inits,
      [](OpBuilder &b, Location loc, ValueRange args) {
        scf::ConditionOp::create(b, loc, args[0], args.drop_front());
      },
      /*afterBuilder=*/nullptr);
  Block *body = result.getAfterBody();
  auto yield = cast<scf::YieldOp>(loop.getBody()->getTerminator());
  b.mergeBlocks(loop.getBody(), body, body->getArguments());
  b.setInsertionPoint(yield);
  Value current = body->getArgument(0);
  Value left = arith::SubIOp::create(b, loc, upper, current);
  SmallVector<Value> next{
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ugt, left,
                            loop.getStep()),
      arith::AddIOp::create(b, loc, current, loop.getStep())};
  llvm::append_range(next, yield.getResults());
  b.replaceOpWithNewOp<scf::YieldOp>(yield, next);
  b.replaceOp(loop, result.getResults().drop_front());
}

/// Makes dimension `dim` of `loop` count its iterations from 0.
void countIterations(scf::ParallelOp loop, unsigned dim) {
  OpBuilder b(loop);
  Location loc = loop.getLoc();
  Type type = b.getIndexType();
  Value lower = loop.getLowerBound()[dim], upper = loop.getUpperBound()[dim];
  Value step = loop.getStep()[dim];
  Value zero = makeConstant(b, loc, type, uint64_t(0));
  Value one = makeConstant(b, loc, type, uint64_t(1));
  // The step of an empty loop may be 0.
  Value divisor = arith::MaxUIOp::create(b, loc, step, one);
  Value isEntered =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, lower, upper);
  Value distance = arith::SubIOp::create(
      b, loc, arith::SubIOp::create(b, loc, upper, lower), one);
  Value count = arith::AddIOp::create(
      b, loc, arith::DivUIOp::create(b, loc, distance, divisor), one);
  count = arith::SelectOp::create(b, loc, isEntered, count, zero);
  loop.getLowerBoundMutable()[dim].set(zero);
  loop.getUpperBoundMutable()[dim].set(count);
  loop.getStepMutable()[dim].set(one);

  b.setInsertionPointToStart(loop.getBody());
  Value counter = loop.getInductionVars()[dim];
  Value offset = arith::MulIOp::create(b, loc, counter, step);
  Value value = arith::AddIOp::create(b, loc, lower, offset);
  counter.replaceAllUsesExcept(value, offset.getDefiningOp());
}

struct CountLoopIterations
    : aircc::impl::CountLoopIterationsBase<CountLoopIterations> {
  using CountLoopIterationsBase::CountLoopIterationsBase;

  void runOnOperation() override {
    SmallVector<scf::ForOp> open;
    SmallVector<std::pair<scf::ParallelOp, unsigned>> openDims;
    Ranges ranges(getOperation());
    getOperation()->walk([&](Operation *op) {
      if (auto loop = dyn_cast<scf::ForOp>(op)) {
        std::optional<ConstantBounds> bounds = ConstantBounds::get(loop);
        if (bounds && (bounds->wraps() || bounds->isMiscounted()))
          countIterations(loop, *bounds);
        else if (!bounds && !onlyConstant &&
                 !ranges.isInside(loop.getLowerBound(), loop.getUpperBound(),
                                  loop.getStep(), !loop.getUnsignedCmp()))
          open.push_back(loop);
      } else if (auto loop = dyn_cast<scf::ParallelOp>(op);
                 loop && !onlyConstant) {
        for (unsigned dim = 0; dim < loop.getNumLoops(); ++dim)
          if (!ranges.isInside(loop.getLowerBound()[dim],
                               loop.getUpperBound()[dim], loop.getStep()[dim],
                               /*isSigned=*/true))
            openDims.push_back({loop, dim});
      }
    });
    for (auto [loop, dim] : openDims)
      countIterations(loop, dim);
    for (scf::ForOp loop : open)
      endBeforeLastStep(loop);
  }
};

} // namespace
