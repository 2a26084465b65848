//===- OpenCLMath.cpp - Functions of the math dialect as OpenCL's ---------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/OpenCLMath.h"

#include "pipeline/codegen/DeviceFunctions.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace aircc {

/// OpenCL's name of an op of the math dialect ("": it has an intrinsic).
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

/// A scalar's letters in mangled names ("": OpenCL's functions take none such).
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
static Value call(OpBuilder &b, Location loc, StringRef function, Type result,
                  ValueRange args) {
  std::string name = ("_Z" + Twine(function.size()) + function).str();
  for (Value arg : args)
    name += mangle(arg.getType());
  return callDeviceFunction(b, loc, name, result, args,
                            {/*isConvergent=*/false, /*isPure=*/true});
}

/// Does `op` on the scalars that its operands hold.
static Value callEach(OpBuilder &b, Operation *op, StringRef function) {
  Location loc = op->getLoc();
  auto vector = dyn_cast<VectorType>(op->getResult(0).getType());
  if (!vector)
    return call(b, loc, function, op->getResult(0).getType(),
                op->getOperands());
  SmallVector<Value> elements;
  for (int64_t i = 0; i < vector.getNumElements(); ++i) {
    SmallVector<Value> args;
    for (Value operand : op->getOperands())
      args.push_back(
          isa<VectorType>(operand.getType())
              ? vector::ExtractOp::create(b, loc, operand, i).getResult()
              : operand);
    elements.push_back(call(b, loc, function, vector.getElementType(), args));
  }
  return vector::FromElementsOp::create(b, loc, vector, elements);
}

void callOpenCLMath(gpu::GPUModuleOp module) {
  module.walk([](Operation *op) {
    StringRef function = getOpenCLName(op->getName().getStringRef());
    if (function.empty())
      return;
    for (Type type : op->getOperandTypes())
      if (mangle(getElementTypeOrSelf(type)).empty())
        return; // Reported as what could not be lowered.
    auto vector = dyn_cast<VectorType>(op->getResult(0).getType());
    if (vector && (vector.isScalable() || vector.getRank() != 1))
      return;
    OpBuilder b(op);
    op->getResult(0).replaceAllUsesWith(callEach(b, op, function));
    op->erase();
  });
}

} // namespace aircc
