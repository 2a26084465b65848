//===- SmallFloatsTest.cpp - 8-bit floats in software, every value --------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/common/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/APFloat.h"
#include "gtest/gtest.h"

#include <bit>
#include <cmath>
#include <vector>

using namespace mlir;
using llvm::APFloat;

namespace {

/// Converts `input`, a dense constant, to `type` with the code that the pass
/// generates: expands the conversion of an unknown operand, then replaces the
/// operand with the constant, which folds the code.
DenseElementsAttr convert(MLIRContext &ctx, DenseElementsAttr input,
                          Type element) {
  OpBuilder b(&ctx);
  Location loc = b.getUnknownLoc();
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  b.setInsertionPointToEnd(module->getBody());
  Type source = input.getType();
  Type target = cast<ShapedType>(source).clone(element);
  auto function =
      func::FuncOp::create(b, loc, "f", b.getFunctionType({source}, {target}));
  Block *entry = function.addEntryBlock();
  b.setInsertionPointToEnd(entry);
  Value in = entry->getArgument(0), out;
  if (getElementTypeOrSelf(source).getIntOrFloatBitWidth() <
      element.getIntOrFloatBitWidth())
    out = arith::ExtFOp::create(b, loc, target, in);
  else
    out = arith::TruncFOp::create(b, loc, target, in);
  func::ReturnOp::create(b, loc, out);

  PassManager expand(&ctx);
  expand.addPass(aircc::createExpandSmallFloats());
  EXPECT_TRUE(succeeded(expand.run(*module)));
  b.setInsertionPointToStart(entry);
  in.replaceAllUsesWith(arith::ConstantOp::create(b, loc, input));
  PassManager fold(&ctx);
  fold.addPass(createCanonicalizerPass());
  EXPECT_TRUE(succeeded(fold.run(*module)));
  Operation *result = entry->getTerminator()->getOperand(0).getDefiningOp();
  auto constant = dyn_cast_or_null<arith::ConstantOp>(result);
  EXPECT_TRUE(constant);
  return constant ? cast<DenseElementsAttr>(constant.getValue())
                  : DenseElementsAttr();
}

class SmallFloats : public testing::TestWithParam<const llvm::fltSemantics *> {
protected:
  SmallFloats() {
    ctx.loadDialect<arith::ArithDialect, func::FuncDialect>();
    ctx.disableMultithreading();
  }

  FloatType getType() {
    for (FloatType type : std::initializer_list<FloatType>{
             Float4E2M1FNType::get(&ctx), Float6E2M3FNType::get(&ctx),
             Float6E3M2FNType::get(&ctx), Float8E3M4Type::get(&ctx),
             Float8E4M3Type::get(&ctx), Float8E4M3FNType::get(&ctx),
             Float8E5M2Type::get(&ctx), Float8E4M3FNUZType::get(&ctx),
             Float8E4M3B11FNUZType::get(&ctx)})
      if (&type.getFloatSemantics() == GetParam())
        return type;
    return Float8E5M2FNUZType::get(&ctx);
  }

  std::vector<APFloat> getAllValues() {
    unsigned width = APFloat::semanticsSizeInBits(*GetParam());
    std::vector<APFloat> values;
    for (unsigned bits = 0; bits != 1u << width; ++bits)
      values.emplace_back(*GetParam(), llvm::APInt(width, bits));
    return values;
  }

  MLIRContext ctx;
};

TEST_P(SmallFloats, ExtensionIsExact) {
  std::vector<APFloat> values = getAllValues();
  auto input = DenseElementsAttr::get(
      VectorType::get({static_cast<int64_t>(values.size())}, getType()),
      ArrayRef<APFloat>(values));
  DenseElementsAttr result = convert(ctx, input, Float32Type::get(&ctx));
  ASSERT_TRUE(result);
  for (auto [value, got] :
       llvm::zip_equal(values, result.getValues<APFloat>())) {
    APFloat expected = value;
    bool losesInfo = false;
    expected.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven,
                     &losesInfo);
    if (expected.isNaN())
      EXPECT_TRUE(got.isNaN());
    else
      EXPECT_TRUE(got.bitwiseIsEqual(expected))
          << expected.convertToFloat() << " " << got.convertToFloat();
  }
}

template <typename T>
void checkTruncation(MLIRContext &ctx, FloatType type,
                     const std::vector<APFloat> &values, FloatType wide) {
  // Every value, the middles between neighbors, and the values next to the
  // middles.
  std::vector<APFloat> inputs;
  auto add = [&](T value) {
    for (T signedValue : {value, -value})
      inputs.emplace_back(signedValue);
  };
  std::vector<T> finite;
  for (APFloat value : values) {
    bool losesInfo = false;
    value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                  &losesInfo);
    if (value.isFinite() && !value.isNegative())
      finite.push_back(static_cast<T>(value.convertToDouble()));
  }
  llvm::sort(finite);
  T last = finite.back(), step = last - finite[finite.size() - 2];
  finite.push_back(last + step);
  for (size_t i = 0; i + 1 < finite.size(); ++i) {
    T middle = (finite[i] + finite[i + 1]) / 2;
    for (T value : {finite[i], middle, std::nextafter(middle, T(0)),
                    std::nextafter(middle, T(1e30))})
      add(value);
  }
  for (double value : {1e-30, 1e30, 65536.0, 500.0})
    add(static_cast<T>(value));
  add(std::numeric_limits<T>::infinity());
  if (APFloat::semanticsHasNaN(type.getFloatSemantics()))
    add(std::numeric_limits<T>::quiet_NaN());

  auto input = DenseElementsAttr::get(
      VectorType::get({static_cast<int64_t>(inputs.size())}, wide),
      ArrayRef<APFloat>(inputs));
  DenseElementsAttr result = convert(ctx, input, type);
  ASSERT_TRUE(result);
  for (auto [value, got] :
       llvm::zip_equal(inputs, result.getValues<APFloat>())) {
    APFloat expected = value;
    bool losesInfo = false;
    expected.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                     &losesInfo);
    // APFloat converts what a type cannot represent to zero.
    if (value.isInfinity() &&
        !APFloat::semanticsHasNaN(type.getFloatSemantics()))
      expected =
          APFloat::getLargest(type.getFloatSemantics(), value.isNegative());
    if (expected.isNaN())
      EXPECT_TRUE(got.isNaN()) << value.convertToDouble();
    else
      EXPECT_TRUE(got.bitwiseIsEqual(expected))
          << value.convertToDouble() << " gave "
          << got.bitcastToAPInt().getZExtValue() << ", not "
          << expected.bitcastToAPInt().getZExtValue();
  }
}

TEST_P(SmallFloats, TruncationRoundsToNearestEven) {
  checkTruncation<float>(ctx, getType(), getAllValues(),
                         Float32Type::get(&ctx));
  checkTruncation<double>(ctx, getType(), getAllValues(),
                          Float64Type::get(&ctx));
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, SmallFloats,
    testing::Values(&APFloat::Float4E2M1FN(), &APFloat::Float6E2M3FN(),
                    &APFloat::Float6E3M2FN(), &APFloat::Float8E3M4(),
                    &APFloat::Float8E4M3(), &APFloat::Float8E4M3FN(),
                    &APFloat::Float8E5M2(), &APFloat::Float8E4M3FNUZ(),
                    &APFloat::Float8E5M2FNUZ(), &APFloat::Float8E4M3B11FNUZ()));

} // namespace
