//===- OpenCLMath.cpp - Lower the math dialect to OpenCL's functions ------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/xevm/OpenCLMath.h"

#include "pipeline/codegen/common/DeviceFunctions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace aircc {

/// Returns OpenCL's name for a math op, or "" if LLVM has an intrinsic for it.
static StringRef getOpenCLName(StringRef op) {
  return llvm::StringSwitch<StringRef>(op)
      .Case("math.atan2", "atan2")
      .Case("math.fpowi", "pown")
      .Case("math.powf", "pow")
      .Cases({"math.acos", "math.acosh", "math.asin", "math.asinh"},
             op.drop_front(5))
      .Cases({"math.atan", "math.atanh", "math.cbrt", "math.cos"},
             op.drop_front(5))
      .Cases({"math.cosh", "math.erf", "math.erfc", "math.exp"},
             op.drop_front(5))
      .Cases({"math.exp2", "math.expm1", "math.log", "math.log10"},
             op.drop_front(5))
      .Cases({"math.log1p", "math.log2", "math.rsqrt", "math.sin"},
             op.drop_front(5))
      .Cases({"math.sinh", "math.tan", "math.tanh"}, op.drop_front(5))
      .Default("");
}

/// Mangles a scalar type. Returns "" if OpenCL's functions do not support it.
static StringRef mangle(Type type) {
  if (type.isF16())
    return "Dh";
  if (type.isF32())
    return "f";
  if (type.isF64())
    return "d";
  return type.isInteger(32) ? "i" : "";
}

/// Calls `function` on scalars.
static Value call(OpBuilder &b, Location loc, gpu::GPUModuleOp module,
                  StringRef function, Type result, ValueRange args) {
  std::string name = ("_Z" + Twine(function.size()) + function).str();
  for (Value arg : args)
    name += mangle(arg.getType());
  return callDeviceFunction(b, loc, module, name, result, args,
                            {/*isConvergent=*/false, /*isPure=*/true});
}

/// Applies `make` to the operands of `op`, or to each of their elements. `type`
/// is the result type.
static Value forEachElement(OpBuilder &b, Operation *op, Type type,
                            function_ref<Value(ValueRange)> make) {
  Location loc = op->getLoc();
  auto vector = dyn_cast<VectorType>(type);
  if (!vector)
    return make(op->getOperands());
  SmallVector<Value> elements;
  for (int64_t i = 0; i < vector.getNumElements(); ++i) {
    SmallVector<Value> args;
    for (Value operand : op->getOperands())
      args.push_back(
          isa<VectorType>(operand.getType())
              ? vector::ExtractOp::create(b, loc, operand, i).getResult()
              : operand);
    elements.push_back(make(args));
  }
  return vector::FromElementsOp::create(b, loc, vector, elements);
}

/// Computes the double-width product of two integers by calling a function for
/// the upper half. LLVM would use a type twice as wide instead.
template <typename Op> static void lowerWideProduct(Op op, StringRef letter) {
  Type type = op.getLhs().getType();
  Type element = getElementTypeOrSelf(type);
  if (!element.isInteger(64) && !element.isIndex())
    return;
  OpBuilder b(op);
  auto module = op->template getParentOfType<gpu::GPUModuleOp>();
  if (element.isIndex()) {
    Type bits = b.getI64Type();
    if (auto vector = dyn_cast<VectorType>(type))
      bits = vector.clone(bits);
    auto cast = [&](Value value, Type to) -> Value {
      return arith::IndexCastOp::create(b, op.getLoc(), to, value);
    };
    auto wide = Op::create(b, op.getLoc(), cast(op.getLhs(), bits),
                           cast(op.getRhs(), bits));
    op->replaceAllUsesWith(
        ValueRange{cast(wide.getLow(), type), cast(wide.getHigh(), type)});
    op->erase();
    return lowerWideProduct(wide, letter);
  }
  std::string function = ("_Z6mul_hi" + letter + letter).str();
  auto multiply = [&](ValueRange args) {
    return callDeviceFunction(b, op.getLoc(), module, function, b.getI64Type(),
                              args, {/*isConvergent=*/false, /*isPure=*/true});
  };
  Value low = arith::MulIOp::create(b, op.getLoc(), op.getLhs(), op.getRhs());
  Value high = forEachElement(b, op, type, multiply);
  op->replaceAllUsesWith(ValueRange{low, high});
  op->erase();
}

void callOpenCLMath(gpu::GPUModuleOp module) {
  module.walk([](arith::MulSIExtendedOp op) { lowerWideProduct(op, "l"); });
  module.walk([](arith::MulUIExtendedOp op) { lowerWideProduct(op, "m"); });
  module.walk([&](Operation *op) {
    StringRef function = getOpenCLName(op->getName().getStringRef());
    if (function.empty())
      return;
    for (Type type : op->getOperandTypes())
      if (mangle(getElementTypeOrSelf(type)).empty())
        return; // An op that is not lowered is reported later.
    auto vector = dyn_cast<VectorType>(op->getResult(0).getType());
    if (vector && (vector.isScalable() || vector.getRank() != 1))
      return;
    OpBuilder b(op);
    Type type = op->getResult(0).getType();
    auto make = [&](ValueRange args) {
      return call(b, op->getLoc(), module, function, getElementTypeOrSelf(type),
                  args);
    };
    op->getResult(0).replaceAllUsesWith(forEachElement(b, op, type, make));
    op->erase();
  });
}

} // namespace aircc
