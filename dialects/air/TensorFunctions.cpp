//===- TensorFunctions.cpp - Functions on tensors -------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/air/TensorFunctions.h"

#include "dialects/air/AIRDialect.h"

#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;

static bool hasTensors(TypeRange types) {
  return llvm::any_of(types, llvm::IsaPred<TensorType>);
}

static bool hasTensors(FunctionType type) {
  return hasTensors(type.getInputs()) || hasTensors(type.getResults());
}

bool aircc::air::usesTensors(func::FuncOp function) {
  if (hasTensors(function.getFunctionType()))
    return true;
  return function
      .walk([](Operation *op) {
        return hasTensors(op->getResultTypes()) ? WalkResult::interrupt()
                                                : WalkResult::advance();
      })
      .wasInterrupted();
}

bool aircc::air::isProgramStart(func::FuncOp function) {
  return function.getSymName() == "main" &&
         !hasTensors(function.getFunctionType());
}

bool aircc::air::isDonated(func::FuncOp function, unsigned argument) {
  auto donor = function.getArgAttrOfType<BoolAttr>(argument, kBufferDonorName);
  return (donor && donor.getValue()) ||
         function.getArgAttr(argument, kAliasingOutputName) ||
         function.getArgAttr(argument,
                             AIRDialect::DonatedAttrHelper::getNameStr());
}
