//===- IdenticalModules.cpp - gpu.modules with the same code --------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/IdenticalModules.h"

#include "pipeline/common/kernels/Equivalence.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace mlir;

namespace aircc {

static bool hasDebugInfo(gpu::GPUModuleOp module) {
  return llvm::any_of(module.getOps<LLVM::LLVMFuncOp>(), [](auto function) {
    return function->getLoc()
        ->template findInstanceOf<FusedLocWith<LLVM::DISubprogramAttr>>();
  });
}

llvm::DenseMap<Operation *, Operation *>
findIdenticalModules(ArrayRef<gpu::GPUModuleOp> modules) {
  llvm::DenseMap<Operation *, Operation *> identical;
  if (modules.size() < 2)
    return identical;
  llvm::DenseMap<size_t, SmallVector<gpu::GPUModuleOp, 1>> unique;
  for (gpu::GPUModuleOp module : modules) {
    if (hasDebugInfo(module))
      continue;
    auto &others = unique[hashExceptNames(module)];
    auto same = llvm::find_if(others, [&](gpu::GPUModuleOp other) {
      return isEquivalentExceptName(other, module);
    });
    if (same == others.end())
      others.push_back(module);
    else
      identical[module] = *same;
  }
  return identical;
}

} // namespace aircc
