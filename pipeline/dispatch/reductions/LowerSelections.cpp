//===- LowerSelections.cpp - Indices of largest elements ------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// An argmax carries the largest element and its index from element to element,
// so lanes cannot reduce parts of a row. This pass converts it to the maximum
// of 64-bit keys:
//
//   key (element) << 32 | (2^32 - 2 - index)
//
// Keys of elements are unsigned numbers in the order of the elements; among
// equal elements, the first has the largest key. The key of the initial element
// has 2^32 - 1 in place of an index, so that an element equal to it is not
// selected.
//
// If the element is used as well, a reduction of its own computes it: by the op
// that combines elements, or by keys if a condition selects them. Such a key
// has the sign in its lowest bit, because zeros of different signs are equal
// elements.
//
//===----------------------------------------------------------------------===//

#include "pipeline/common/kernels/Work.h"
#include "pipeline/dispatch/Passes.h"
#include "pipeline/dispatch/TensorFunctions.h"
#include "pipeline/dispatch/reductions/Selection.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

namespace aircc::dispatch {
#define GEN_PASS_DEF_LOWERSELECTIONS
#include "pipeline/dispatch/Passes.h.inc"
} // namespace aircc::dispatch

using namespace mlir;
using namespace aircc;
using aircc::dispatch::isIndependent;
using aircc::dispatch::kNoIndex;
using aircc::dispatch::kNoSignedIndex;
using aircc::dispatch::NaNs;
using aircc::dispatch::Selection;

namespace {

/// Creates integers of one type.
class Integers {
public:
  Integers(OpBuilder &b, Location loc, unsigned bits)
      : b(b), loc(loc), type(b.getIntegerType(bits)) {}

  Value constant(int64_t value) {
    return arith::ConstantOp::create(
        b, loc,
        b.getIntegerAttr(type, APInt(type.getWidth(), value, false,
                                     /*implicitTrunc=*/true)));
  }
  Value flip(Value value, int64_t by) {
    return b.createOrFold<arith::XOrIOp>(loc, value, constant(by));
  }
  Value select(arith::CmpIPredicate predicate, Value x, int64_t y, Value yes,
               Value no) {
    Value is = b.createOrFold<arith::CmpIOp>(loc, predicate, x, constant(y));
    return b.createOrFold<arith::SelectOp>(loc, is, yes, no);
  }

private:
  OpBuilder &b;
  Location loc;
  IntegerType type;
};

/// Returns the key of an element, an i32.
Value createKey(OpBuilder &b, Location loc, Value element,
                Selection &selection) {
  Integers words(b, loc, 32);
  constexpr int64_t sign = 0x80000000, infinity = 0x7F800000, ones = 0xFFFFFFFF;
  Type type = element.getType(), word = b.getI32Type();
  if (!isa<FloatType>(type)) {
    if (type != word)
      element = selection.isSigned
                    ? b.createOrFold<arith::ExtSIOp>(loc, word, element)
                    : b.createOrFold<arith::ExtUIOp>(loc, word, element);
    return words.flip(element, (selection.isSigned ? sign : 0) ^
                                   (selection.isMinimum ? ones : 0));
  }
  if (!type.isF32())
    element = b.createOrFold<arith::ExtFOp>(loc, b.getF32Type(), element);
  Value bits = b.createOrFold<arith::BitcastOp>(loc, word, element);
  using Predicate = arith::CmpIPredicate;
  Value size =
      b.createOrFold<arith::AndIOp>(loc, bits, words.constant(sign - 1));
  // The two zeros are equal.
  Value number = words.select(Predicate::eq, size, 0, size, bits);
  Value key = words.select(Predicate::slt, number, 0, words.flip(number, ones),
                           words.flip(number, sign));
  if (selection.isMinimum)
    key = words.flip(key, ones);
  Value ofNaN = words.constant(selection.nans == NaNs::Selected ? ones : 0);
  return words.select(Predicate::ugt, size, infinity, ofNaN, key);
}

/// Combines the key of an element and the number that encodes its index.
Value join(OpBuilder &b, Location loc, Value key, Value number) {
  Integers keys(b, loc, 64);
  Value upper = b.createOrFold<arith::ExtUIOp>(loc, b.getI64Type(), key);
  upper = b.createOrFold<arith::ShLIOp>(loc, upper, keys.constant(32));
  return b.createOrFold<arith::OrIOp>(loc, upper, number);
}

/// Creates a reduction of the elements that starts with `first`. `combine`
/// returns the new result from an element, elements of `others`, which have the
/// shape of the result, and the previous result.
linalg::GenericOp createReduction(
    OpBuilder &b, Selection &selection, ValueRange others, Value first,
    function_ref<Value(OpBuilder &, Location, Value, ValueRange)> combine) {
  linalg::GenericOp op = selection.op;
  Location loc = op.getLoc();
  OpOperand *out = op.getDpsInitOperand(selection.output);
  auto empty = tensor::EmptyOp::create(
      b, loc, tensor::getMixedSizes(b, loc, out->get()), first.getType());
  auto start =
      linalg::FillOp::create(b, loc, ValueRange{first}, ValueRange{empty});
  SmallVector<Value> inputs = op.getDpsInputs();
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  maps.resize(inputs.size());
  maps.append(others.size() + 1, op.getMatchingIndexingMap(out));
  llvm::append_range(inputs, others);
  auto reduction = linalg::GenericOp::create(
      b, loc, TypeRange{empty.getType()}, inputs, start.getResults(), maps,
      op.getIteratorTypesArray(),
      [&](OpBuilder &inner, Location loc, ValueRange values) {
        IRMapping mapping;
        for (auto [argument, value] :
             llvm::zip(op.getRegionInputArgs(), values))
          mapping.map(argument, value);
        for (Operation &scalar : op.getBody()->without_terminator())
          if (llvm::all_of(scalar.getResults(), [&](Value result) {
                return isIndependent(op, result);
              }))
            inner.clone(scalar, mapping);
        Value result =
            combine(inner, loc, mapping.lookupOrDefault(selection.element),
                    values.take_back(others.size() + 1));
        linalg::YieldOp::create(inner, loc, result);
      });
  for (Operation &scalar :
       llvm::make_early_inc_range(llvm::reverse(*reduction.getBody())))
    if (isOpTriviallyDead(&scalar))
      scalar.erase();
  if (!getWorks(op).empty())
    setWork(reduction);
  return reduction;
}

/// Creates the reduction of the elements without the indices.
Value createElements(OpBuilder &b, Selection &selection) {
  unsigned output = 1 - selection.output;
  linalg::GenericOp op = selection.op;
  return createReduction(
             b, selection, {}, selection.firstElement,
             [&](OpBuilder &inner, Location, Value element, ValueRange last) {
               IRMapping mapping;
               mapping.map(selection.element, element);
               mapping.map(op.getRegionOutputArgs()[output], last[0]);
               return inner.clone(*selection.combiner, mapping)->getResult(0);
             })
      .getResult(0);
}

/// Returns the index of the loop as an integer.
Value createIndex(OpBuilder &b, Location loc, Selection &selection,
                  unsigned bits) {
  Value index = linalg::IndexOp::create(b, loc, selection.loop);
  return arith::IndexCastOp::create(b, loc, b.getIntegerType(bits), index);
}

/// Creates the reduction that finds the index of the first NaN.
Value createEnds(OpBuilder &b, Selection &selection) {
  Value none = Integers(b, selection.op.getLoc(), 32).constant(kNoIndex);
  return createReduction(
             b, selection, {}, none,
             [&](OpBuilder &inner, Location loc, Value element,
                 ValueRange last) -> Value {
               Value isNaN = arith::CmpFOp::create(
                   inner, loc, arith::CmpFPredicate::UNO, element, element);
               Value index = createIndex(inner, loc, selection, 32);
               index = arith::SelectOp::create(inner, loc, isNaN, index, none);
               return arith::MinUIOp::create(inner, loc, index, last[0]);
             })
      .getResult(0);
}

/// The key by which a condition selects an element. `number` decides between
/// equal elements.
Value createSignedKey(OpBuilder &b, Location loc, Value element, Value number,
                      Selection &selection) {
  Integers keys(b, loc, 64);
  Value lower = b.createOrFold<arith::ShLIOp>(loc, number, keys.constant(1));
  if (isa<FloatType>(element.getType())) {
    Type type = b.getIntegerType(element.getType().getIntOrFloatBitWidth());
    Value bits = b.createOrFold<arith::BitcastOp>(loc, type, element);
    Integers elements(b, loc, type.getIntOrFloatBitWidth());
    Value sign = b.createOrFold<arith::ShRUIOp>(
        loc, bits, elements.constant(type.getIntOrFloatBitWidth() - 1));
    sign = b.createOrFold<arith::ExtUIOp>(loc, b.getI64Type(), sign);
    lower = b.createOrFold<arith::OrIOp>(loc, lower, sign);
  }
  return join(b, loc, createKey(b, loc, element, selection), lower);
}

/// The element of a key that createSignedKey returned.
Value decodeElement(OpBuilder &b, Location loc, Value key,
                    Selection &selection) {
  Integers words(b, loc, 32), keys(b, loc, 64);
  constexpr int64_t sign = 0x80000000, ones = 0xFFFFFFFF, nan = 0x7FC00000;
  Type type = selection.element.getType(), word = b.getI32Type();
  Value upper = arith::TruncIOp::create(
      b, loc, word, arith::ShRUIOp::create(b, loc, key, keys.constant(32)));
  Value ordered = selection.isMinimum ? words.flip(upper, ones) : upper;
  if (!isa<FloatType>(type)) {
    if (selection.isSigned)
      ordered = words.flip(ordered, sign);
    return type == word ? ordered
                        : b.createOrFold<arith::TruncIOp>(loc, type, ordered);
  }
  using Predicate = arith::CmpIPredicate;
  Value bits =
      words.select(Predicate::slt, ordered, 0, words.flip(ordered, sign),
                   words.flip(ordered, ones));
  // Only the lowest bit of a key tells the sign of a zero.
  Value lower = arith::TruncIOp::create(b, loc, word, key);
  lower = arith::ShLIOp::create(b, loc, lower, words.constant(31));
  bits = arith::OrIOp::create(b, loc, bits, lower);
  if (selection.nans == NaNs::Selected)
    bits = words.select(Predicate::eq, upper, ones, words.constant(nan), bits);
  Value element = arith::BitcastOp::create(b, loc, b.getF32Type(), bits);
  return type.isF32() ? element
                      : b.createOrFold<arith::TruncFOp>(loc, type, element);
}

/// Creates the reduction of the elements that a condition selects: the last one
/// of equal elements if they replace each other, or else the first one.
Value createSelectedElements(OpBuilder &b, Selection &selection) {
  Location loc = selection.op.getLoc();
  bool isLast = selection.isKeptIfEqual;
  Value first = createSignedKey(
      b, loc, selection.firstElement,
      Integers(b, loc, 64).constant(isLast ? 0 : kNoSignedIndex), selection);
  Value keys =
      createReduction(
          b, selection, {}, first,
          [&](OpBuilder &inner, Location loc, Value element,
              ValueRange last) -> Value {
            Integers numbers(inner, loc, 64);
            Value index = createIndex(inner, loc, selection, 64);
            Value number =
                isLast ? arith::AddIOp::create(inner, loc, index,
                                               numbers.constant(1))
                             .getResult()
                       : arith::SubIOp::create(
                             inner, loc, numbers.constant(kNoSignedIndex - 1),
                             index)
                             .getResult();
            Value key = createSignedKey(inner, loc, element, number, selection);
            return arith::MaxUIOp::create(inner, loc, key, last[0]);
          })
          .getResult(0);
  auto type = cast<RankedTensorType>(
      selection.op->getResult(1 - selection.output).getType());
  Value empty = tensor::EmptyOp::create(
      b, loc, tensor::getMixedSizes(b, loc, keys), type.getElementType());
  SmallVector<AffineMap> maps(2, b.getMultiDimIdentityMap(type.getRank()));
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             b, loc, type, keys, empty, maps, iterators,
             [&](OpBuilder &inner, Location loc, ValueRange values) {
               linalg::YieldOp::create(
                   inner, loc, decodeElement(inner, loc, values[0], selection));
             })
      .getResult(0);
}

/// Creates the reduction of the keys.
Value createMaxima(OpBuilder &b, Selection &selection) {
  Location loc = selection.op.getLoc();
  SmallVector<Value> ends;
  if (selection.nans == NaNs::End)
    ends.push_back(createEnds(b, selection));
  Value first =
      join(b, loc, createKey(b, loc, selection.firstElement, selection),
           Integers(b, loc, 64).constant(kNoIndex));
  return createReduction(
             b, selection, ends, first,
             [&](OpBuilder &inner, Location loc, Value element,
                 ValueRange values) -> Value {
               Value key = createKey(inner, loc, element, selection);
               if (!ends.empty()) {
                 Value isBefore = arith::CmpIOp::create(
                     inner, loc, arith::CmpIPredicate::ult,
                     createIndex(inner, loc, selection, 32), values[0]);
                 Value zero = Integers(inner, loc, 32).constant(0);
                 key = arith::SelectOp::create(inner, loc, isBefore, key, zero);
               }
               Value number = arith::SubIOp::create(
                   inner, loc, Integers(inner, loc, 64).constant(kNoIndex - 1),
                   createIndex(inner, loc, selection, 64));
               return arith::MaxUIOp::create(
                   inner, loc, join(inner, loc, key, number), values.back());
             })
      .getResult(0);
}

/// Creates the op that computes the indices from the largest keys. It also
/// copies the elements, if any, so that one kernel computes both.
linalg::GenericOp createIndices(OpBuilder &b, Selection &selection,
                                Value maxima, Value elements) {
  linalg::GenericOp op = selection.op;
  Location loc = op.getLoc();
  auto type = cast<RankedTensorType>(op->getResult(selection.output).getType());
  SmallVector<Value> inputs{maxima};
  SmallVector<Type> types{type};
  if (elements) {
    inputs.push_back(elements);
    types.push_back(elements.getType());
  }
  SmallVector<Value> empties;
  for (Type result : types)
    empties.push_back(
        tensor::EmptyOp::create(b, loc, tensor::getMixedSizes(b, loc, maxima),
                                getElementTypeOrSelf(result)));
  SmallVector<AffineMap> maps(2 * inputs.size(),
                              b.getMultiDimIdentityMap(type.getRank()));
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::parallel);
  return linalg::GenericOp::create(
      b, loc, types, inputs, empties, maps, iterators,
      [&](OpBuilder &inner, Location loc, ValueRange values) {
        Integers keys(inner, loc, 64);
        Value number = arith::AndIOp::create(inner, loc, values[0],
                                             keys.constant(kNoIndex));
        Value index = arith::SubIOp::create(
            inner, loc, keys.constant(kNoIndex - 1), number);
        Type element = type.getElementType();
        if (element.isIndex())
          index = arith::IndexCastOp::create(inner, loc, element, index);
        else if (element.getIntOrFloatBitWidth() < 64)
          index = arith::TruncIOp::create(inner, loc, element, index);
        Value isFirst =
            arith::CmpIOp::create(inner, loc, arith::CmpIPredicate::eq, number,
                                  keys.constant(kNoIndex));
        SmallVector<Value> results{arith::SelectOp::create(
            inner, loc, isFirst, selection.firstIndex, index)};
        if (elements)
          results.push_back(values[1]);
        linalg::YieldOp::create(inner, loc, results);
      });
}

class LowerSelections
    : public dispatch::impl::LowerSelectionsBase<LowerSelections> {
public:
  void runOnOperation() final {
    for (func::FuncOp function : dispatch::getTensorFunctions(getOperation())) {
      SmallVector<Selection> selections;
      function.walk([&](linalg::GenericOp op) {
        if (auto selection = dispatch::matchSelection(op))
          selections.push_back(*selection);
      });
      for (Selection &selection : selections)
        lower(selection);
    }
  }

private:
  void lower(Selection &selection) {
    linalg::GenericOp op = selection.op;
    OpBuilder b(op);
    Value index = op->getResult(selection.output),
          element = op->getResult(1 - selection.output);
    Value elements;
    if (selection.usesElement())
      elements = selection.combiner ? createElements(b, selection)
                                    : createSelectedElements(b, selection);
    if (!index.use_empty()) {
      linalg::GenericOp indices =
          createIndices(b, selection, createMaxima(b, selection), elements);
      index.replaceAllUsesWith(indices.getResult(0));
      if (elements)
        elements = indices.getResult(1);
    }
    if (elements)
      element.replaceAllUsesWith(elements);
    op->erase();
  }
};

} // namespace
