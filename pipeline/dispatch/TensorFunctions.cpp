//===- TensorFunctions.cpp - Functions on tensors -------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/dispatch/TensorFunctions.h"

#include "dialects/air/TensorFunctions.h"

using namespace mlir;

SmallVector<func::FuncOp> aircc::dispatch::getTensorFunctions(ModuleOp module) {
  return llvm::filter_to_vector(module.getOps<func::FuncOp>(),
                                air::usesTensors);
}
