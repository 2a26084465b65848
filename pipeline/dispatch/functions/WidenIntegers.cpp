//===- WidenIntegers.cpp - Whole bytes for integers of callers ------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/dispatch/Passes.h"
#include "pipeline/dispatch/TensorFunctions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/MathExtras.h"

namespace aircc::dispatch {
#define GEN_PASS_DEF_WIDENINTEGERS
#include "pipeline/dispatch/Passes.h.inc"
} // namespace aircc::dispatch

using namespace mlir;
using namespace aircc;

namespace {

/// Whether a value is an argument of a function or a result. Entry points check
/// that numbers that are arguments are in the range of their type, so these
/// keep their types.
enum class Role { Argument, Result };

/// Returns the type that callers use for `type`: integers that neither C nor
/// numpy has become signless integers of the next width that both have.
Type getWideType(Type type, Role role) {
  auto integer = dyn_cast<IntegerType>(getElementTypeOrSelf(type));
  if (!integer || !integer.isSignless() || integer.getWidth() == 1)
    return type;
  unsigned width =
      std::max<unsigned>(8, llvm::PowerOf2Ceil(integer.getWidth()));
  auto wide = IntegerType::get(type.getContext(), width);
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return tensor.clone(wide);
  return isa<IntegerType>(type) && role == Role::Result ? wide : type;
}

SmallVector<Type> getWideTypes(TypeRange types, Role role) {
  return llvm::map_to_vector(
      types, [&](Type type) { return getWideType(type, role); });
}

/// Gives `value` the type that callers use, and its users the integers of its
/// previous type.
void widenDefinition(OpBuilder &b, Value value, Role role) {
  Type type = value.getType(), wide = getWideType(type, role);
  if (wide == type)
    return;
  SmallVector<OpOperand *> uses;
  for (OpOperand &use : value.getUses())
    if (!isa<tensor::DimOp>(use.getOwner()))
      uses.push_back(&use);
  value.setType(wide);
  Value narrow = arith::TruncIOp::create(b, value.getLoc(), type, value);
  for (OpOperand *use : uses)
    use->set(narrow);
}

void widenOperands(Operation *op, Role role) {
  OpBuilder b(op);
  for (OpOperand &operand : op->getOpOperands()) {
    Type type = operand.get().getType(), wide = getWideType(type, role);
    if (wide != type)
      operand.set(arith::ExtSIOp::create(b, op->getLoc(), wide, operand.get()));
  }
}

void widenFunction(func::FuncOp function) {
  FunctionType type = function.getFunctionType();
  function.setType(FunctionType::get(
      function.getContext(), getWideTypes(type.getInputs(), Role::Argument),
      getWideTypes(type.getResults(), Role::Result)));
  OpBuilder b = OpBuilder::atBlockBegin(&function.getBody().front());
  for (BlockArgument argument : function.getArguments())
    widenDefinition(b, argument, Role::Argument);
  function.walk([](func::ReturnOp op) { widenOperands(op, Role::Result); });
}

class WidenIntegers : public dispatch::impl::WidenIntegersBase<WidenIntegers> {
  void runOnOperation() final {
    SmallPtrSet<StringAttr, 8> names;
    for (func::FuncOp function : dispatch::getTensorFunctions(getOperation()))
      if (!function.isExternal()) {
        names.insert(function.getSymNameAttr());
        widenFunction(function);
      }
    getOperation().walk([&](func::CallOp call) {
      if (!names.contains(call.getCalleeAttr().getAttr()))
        return;
      widenOperands(call, Role::Argument);
      OpBuilder b(call->getContext());
      b.setInsertionPointAfter(call);
      for (OpResult result : call->getResults())
        widenDefinition(b, result, Role::Result);
    });
  }
};

} // namespace
