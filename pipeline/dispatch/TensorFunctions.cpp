//===- TensorFunctions.cpp - Functions on tensors -------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/dispatch/TensorFunctions.h"

#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;

bool aircc::dispatch::usesTensors(func::FuncOp function) {
  auto isTensor = [](Type type) { return isa<TensorType>(type); };
  if (llvm::any_of(function.getArgumentTypes(), isTensor) ||
      llvm::any_of(function.getResultTypes(), isTensor))
    return true;
  return function
      .walk([&](Operation *op) {
        return llvm::any_of(op->getResultTypes(), isTensor)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

SmallVector<func::FuncOp> aircc::dispatch::getTensorFunctions(ModuleOp module) {
  SmallVector<func::FuncOp> functions;
  for (auto function : module.getOps<func::FuncOp>())
    if (usesTensors(function))
      functions.push_back(function);
  return functions;
}

bool aircc::dispatch::isProgramStart(func::FuncOp function) {
  auto isTensor = [](Type type) { return isa<TensorType>(type); };
  return function.getSymName() == "main" &&
         llvm::none_of(function.getArgumentTypes(), isTensor) &&
         llvm::none_of(function.getResultTypes(), isTensor);
}
