//===- CheckDefinitions.cpp - One definition of each linked function ------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/link/Link.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

/// Returns whether the linker sees `function` as a definition.
static bool isVisibleDefinition(FunctionOpInterface function) {
  if (function.isExternal())
    return false;
  if (function.isPrivate() && function.getName() != "main")
    return false;
  auto llvmFunction = dyn_cast<LLVM::LLVMFuncOp>(*function);
  return !llvmFunction || llvmFunction.getLinkage() == LLVM::Linkage::External;
}

LogicalResult aircc::checkDefinitions(ModuleOp module, StringRef input,
                                      Definitions &definitions) {
  for (auto function : module.getOps<FunctionOpInterface>()) {
    if (!isVisibleDefinition(function))
      continue;
    auto [definition, isNew] =
        definitions.try_emplace(function.getName().str(), input.str());
    if (!isNew)
      return function.emitOpError("is defined in '")
             << definition->second
             << "', too, but both are linked into one file; rename one of "
                "them, or make it private";
  }
  return success();
}
