//===- RunIfUsed.h - Run passes only on code that needs them ----*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_COMMON_PASSES_RUNIFUSED_H
#define AIRCC_PIPELINE_COMMON_PASSES_RUNIFUSED_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace aircc {

/// Adds the passes that `addPasses` adds, such that they run only on code that
/// contains one of `ops`: names of dialects ("linalg") or of ops
/// ("memref.subview"). The passes must not depend on other ops.
void addPassesIfUsed(mlir::OpPassManager &pm,
                     llvm::ArrayRef<llvm::StringRef> ops,
                     llvm::function_ref<void(mlir::OpPassManager &)> addPasses);

/// Like addPassesIfUsed, for a single pass.
template <typename PassPtr>
void addPassIfUsed(mlir::OpPassManager &pm, llvm::ArrayRef<llvm::StringRef> ops,
                   PassPtr pass) {
  addPassesIfUsed(pm, ops, [&](mlir::OpPassManager &passes) {
    passes.addPass(std::move(pass));
  });
}

} // namespace aircc

#endif // AIRCC_PIPELINE_COMMON_PASSES_RUNIFUSED_H
