//===- Selection.cpp - Reductions that select an index --------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/dispatch/reductions/Selection.h"

#include "pipeline/dispatch/KernelRegion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace aircc;
using aircc::dispatch::NaNs;
using aircc::dispatch::Selection;

bool dispatch::isIndependent(linalg::GenericOp op, Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return argument.getOwner() != op.getBody() ||
           argument.getArgNumber() < op.getNumDpsInputs();
  Operation *def = value.getDefiningOp();
  return def->getBlock() != op.getBody() ||
         llvm::all_of(def->getOperands(), [&](Value operand) {
           return isIndependent(op, operand);
         });
}

namespace {

/// Matches the body of a reduction.
class BodyMatcher {
public:
  explicit BodyMatcher(Selection &selection)
      : selection(selection), op(selection.op),
        lastElement(op.getRegionOutputArgs()[1 - selection.output]),
        lastIndex(op.getRegionOutputArgs()[selection.output]) {}

  bool match();

private:
  bool matchIndex();
  bool matchElement(Value condition);
  bool matchCombiner(Operation *combiner);
  bool matchBetter(Value condition);
  bool matchKept(Value condition);
  bool matchIntegers(Value condition, Value better, Value worse);
  template <typename Compare, typename Predicate>
  bool matchOrder(Value condition, Value better, Value worse, Predicate greater,
                  Predicate less);

  Selection &selection;
  linalg::GenericOp op;
  /// The element that was selected so far, and its index.
  Value lastElement, lastIndex;
};

} // namespace

/// Calls `match` with the two operands of the `Op` that defines `value`, in
/// both orders.
template <typename Op>
static bool matchOperands(Value value,
                          llvm::function_ref<bool(Value, Value)> match) {
  auto op = value.getDefiningOp<Op>();
  return op &&
         (match(op.getLhs(), op.getRhs()) || match(op.getRhs(), op.getLhs()));
}

template <typename Compare, typename Predicate>
static bool matchCompare(Value value, Predicate predicate, Value x, Value y) {
  auto compare = value.getDefiningOp<Compare>();
  return compare && compare.getPredicate() == predicate &&
         compare.getLhs() == x && compare.getRhs() == y;
}

/// Matches a condition under which `better` precedes `worse` in the order.
template <typename Compare, typename Predicate>
bool BodyMatcher::matchOrder(Value condition, Value better, Value worse,
                             Predicate greater, Predicate less) {
  auto isCompare = [&](Predicate predicate, Value x, Value y) {
    return matchCompare<Compare>(condition, predicate, x, y);
  };
  bool isMaximum =
      isCompare(greater, better, worse) || isCompare(less, worse, better);
  selection.isMinimum =
      isCompare(less, better, worse) || isCompare(greater, worse, better);
  return isMaximum || selection.isMinimum;
}

/// Matches a condition that is true if `better` is greater or less, as signed
/// or unsigned numbers.
bool BodyMatcher::matchIntegers(Value condition, Value better, Value worse) {
  using Predicate = arith::CmpIPredicate;
  selection.isSigned = matchOrder<arith::CmpIOp>(
      condition, better, worse, Predicate::sgt, Predicate::slt);
  return selection.isSigned ||
         matchOrder<arith::CmpIOp>(condition, better, worse, Predicate::ugt,
                                   Predicate::ult);
}

/// Matches a condition under which an element replaces the last one.
bool BodyMatcher::matchBetter(Value condition) {
  Value element = selection.element;
  if (isa<IntegerType>(element.getType()))
    return matchIntegers(condition, element, lastElement);
  using Predicate = arith::CmpFPredicate;
  if (matchOrder<arith::CmpFOp>(condition, element, lastElement, Predicate::OGT,
                                Predicate::OLT))
    return true;
  // NaNs are unordered, and thus replace elements that are not NaN.
  selection.nans = NaNs::Selected;
  return matchOperands<arith::AndIOp>(
      condition, [&](Value order, Value isKnown) {
        return matchCompare<arith::CmpFOp>(isKnown, Predicate::ORD, lastElement,
                                           lastElement) &&
               matchOrder<arith::CmpFOp>(order, element, lastElement,
                                         Predicate::UGT, Predicate::ULT);
      });
}

/// Matches a condition under which the last element is kept, except when both
/// are equal.
bool BodyMatcher::matchKept(Value condition) {
  Value element = selection.element;
  if (isa<IntegerType>(element.getType()))
    return matchIntegers(condition, lastElement, element);
  using Predicate = arith::CmpFPredicate;
  selection.nans = NaNs::Selected;
  return matchOperands<arith::OrIOp>(condition, [&](Value order, Value isNaN) {
    return (matchCompare<arith::CmpFOp>(isNaN, Predicate::UNE, lastElement,
                                        lastElement) ||
            matchCompare<arith::CmpFOp>(isNaN, Predicate::UNO, lastElement,
                                        lastElement)) &&
           matchOrder<arith::CmpFOp>(order, lastElement, element,
                                     Predicate::OGT, Predicate::OLT);
  });
}

/// Matches an op that combines elements in the order of the condition.
bool BodyMatcher::matchCombiner(Operation *combiner) {
  if (!combiner || combiner->getNumOperands() != 2 ||
      !llvm::is_contained(combiner->getOperands(), lastElement))
    return false;
  bool isFirst = combiner->getOperand(0) == lastElement;
  selection.element = combiner->getOperand(isFirst ? 1 : 0);
  selection.combiner = combiner;
  return isa<arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp,
             arith::MinNumFOp, arith::MaxSIOp, arith::MinSIOp, arith::MaxUIOp,
             arith::MinUIOp>(combiner);
}

/// Returns whether the combiner combines elements in the order of the
/// condition, and updates the treatment of NaNs accordingly.
static bool hasSameOrder(Selection &selection) {
  Operation *combiner = selection.combiner;
  if (isa<IntegerType>(selection.element.getType())) {
    if (selection.isSigned)
      return selection.isMinimum ? isa<arith::MinSIOp>(combiner)
                                 : isa<arith::MaxSIOp>(combiner);
    return selection.isMinimum ? isa<arith::MinUIOp>(combiner)
                               : isa<arith::MaxUIOp>(combiner);
  }
  bool isNumber = selection.isMinimum ? isa<arith::MinNumFOp>(combiner)
                                      : isa<arith::MaxNumFOp>(combiner);
  if (isNumber)
    return selection.nans == NaNs::Skipped;
  // The result remains NaN, because no element is greater.
  auto flags = dyn_cast<arith::ArithFastMathInterface>(combiner);
  bool hasNaNs =
      !flags || !bitEnumContainsAll(flags.getFastMathFlagsAttr().getValue(),
                                    arith::FastMathFlags::nnan);
  if (selection.nans == NaNs::Skipped && hasNaNs)
    selection.nans = NaNs::End;
  return selection.isMinimum ? isa<arith::MinimumFOp>(combiner)
                             : isa<arith::MaximumFOp>(combiner);
}

/// Matches the index of the loop as the index in the body.
bool BodyMatcher::matchIndex() {
  Value loop = selection.index;
  if (auto cast = loop.getDefiningOp<arith::IndexCastOp>())
    loop = cast.getIn();
  auto position = loop.getDefiningOp<linalg::IndexOp>();
  return position && position.getDim() == selection.loop;
}

bool BodyMatcher::match() {
  Operation *yield = op.getBody()->getTerminator();
  auto index =
      yield->getOperand(selection.output).getDefiningOp<arith::SelectOp>();
  if (!index)
    return false;
  bool isKept = index.getTrueValue() == lastIndex;
  if (!isKept && index.getFalseValue() != lastIndex)
    return false;
  selection.index = isKept ? index.getFalseValue() : index.getTrueValue();
  Value condition = index.getCondition();
  return matchIndex() && matchElement(condition);
}

/// Matches the element and the condition that selects its index.
bool BodyMatcher::matchElement(Value condition) {
  Operation *yield = op.getBody()->getTerminator();
  Value best = yield->getOperand(1 - selection.output);
  auto element = best.getDefiningOp<arith::SelectOp>();
  auto isSupported = [&] {
    Type type = selection.element.getType();
    return isa<FloatType, IntegerType>(type) &&
           type.getIntOrFloatBitWidth() >= 8 &&
           type.getIntOrFloatBitWidth() <= 32 &&
           dispatch::isIndependent(op, selection.element);
  };
  if (!element)
    return matchCombiner(best.getDefiningOp()) && isSupported() &&
           matchBetter(condition) && hasSameOrder(selection);
  if (element.getFalseValue() == lastElement) {
    selection.element = element.getTrueValue();
    return element.getCondition() == condition && isSupported() &&
           matchBetter(condition);
  }
  // The last element is kept, and so is its index if the elements are equal and
  // its index is the smaller one.
  selection.isKeptIfEqual = true;
  selection.element = element.getFalseValue();
  Value kept = element.getCondition();
  return element.getTrueValue() == lastElement && isSupported() &&
         matchOperands<arith::OrIOp>(
             condition,
             [&](Value first, Value second) {
               bool isFloat = isa<FloatType>(lastElement.getType());
               return first == kept &&
                      matchOperands<arith::AndIOp>(second, [&](Value e,
                                                               Value less) {
                        return matchCompare<arith::CmpIOp>(
                                   less, arith::CmpIPredicate::slt, lastIndex,
                                   selection.index) &&
                               (isFloat ? matchCompare<arith::CmpFOp>(
                                              e, arith::CmpFPredicate::OEQ,
                                              lastElement, selection.element)
                                        : matchCompare<arith::CmpIOp>(
                                              e, arith::CmpIPredicate::eq,
                                              lastElement, selection.element));
                      });
             }) &&
         matchKept(kept);
}

/// Returns the constant with which output `number` begins; null if there is
/// none.
static Value getStart(linalg::GenericOp op, unsigned number) {
  auto fill = op.getDpsInits()[number].getDefiningOp<linalg::FillOp>();
  if (!fill)
    return nullptr;
  Value value = fill.getInputs()[0];
  APFloat constant = APFloat(0.0f);
  if (matchPattern(value, m_ConstantFloat(&constant)))
    return constant.isNaN() ? Value() : value;
  return matchPattern(value, m_Constant()) ? value : Value();
}

/// Returns whether keys can represent the selection: the index fits into half
/// of a key, and the initial index precedes those of the loop.
static bool hasKeys(Selection &selection) {
  if (!selection.firstIndex || !selection.firstElement)
    return false;
  APInt first;
  if (selection.isKeptIfEqual &&
      (!matchPattern(selection.firstIndex, m_ConstantInt(&first)) ||
       first.isStrictlyPositive()))
    return false;
  linalg::GenericOp op = selection.op;
  int64_t size = op.getStaticLoopRanges()[selection.loop];
  Type type = selection.index.getType();
  bool isShort = type.isInteger() && type.getIntOrFloatBitWidth() <= 32;
  // The sign of an element leaves one bit less for an index. If the size of a
  // row is unknown, indices fit if they are compared, which makes them signed.
  if (selection.usesElement() && !selection.combiner)
    return ShapedType::isDynamic(size) ? isShort && selection.isKeptIfEqual
                                       : size < dispatch::kNoSignedIndex;
  return ShapedType::isDynamic(size) ? isShort : size < dispatch::kNoIndex;
}

std::optional<Selection> dispatch::matchSelection(linalg::GenericOp op) {
  if (op.getNumDpsInits() != 2 || op.getNumReductionLoops() != 1 ||
      op.getNumParallelLoops() == 0 || !op.hasPureTensorSemantics() ||
      dispatch::isInKernel(op))
    return std::nullopt;
  SmallVector<unsigned> loops;
  op.getReductionDims(loops);
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  if (map != op.getMatchingIndexingMap(op.getDpsInitOperand(1)) ||
      !map.isProjectedPermutation() ||
      map.getNumResults() != op.getNumParallelLoops())
    return std::nullopt;
  for (unsigned output : {0, 1}) {
    Selection selection;
    selection.op = op;
    selection.output = output;
    selection.loop = loops.front();
    if (!BodyMatcher(selection).match())
      continue;
    selection.firstIndex = getStart(op, output);
    selection.firstElement = getStart(op, 1 - output);
    if (hasKeys(selection))
      return selection;
  }
  return std::nullopt;
}
