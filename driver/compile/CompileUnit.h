//===- CompileUnit.h - One input of a compile job ---------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DRIVER_COMPILE_COMPILEUNIT_H
#define AIRCC_DRIVER_COMPILE_COMPILEUNIT_H

#include "driver/compile/CompileJob.h"

#include "mlir/IR/MLIRContext.h"

namespace aircc {

/// An input that is being compiled. The context outlives all objects that use
/// it.
struct CompileJob::Unit {
  Unit(llvm::StringRef input, const mlir::DialectRegistry &registry,
       Diagnostics &diagnostics)
      : input(input), context(registry, mlir::MLIRContext::Threading::DISABLED),
        scope(diagnostics, context, *sources) {
    // The source line shows the location, and the printed op can be megabytes
    // long.
    context.printOpOnDiagnostic(false);
  }

  /// Returns a failure that MLIR has already reported.
  llvm::Error failed() const { return fail(scope.getExitCode()); }

  std::string input;
  std::shared_ptr<llvm::SourceMgr> sources =
      std::make_shared<llvm::SourceMgr>();
  mlir::MLIRContext context;
  Diagnostics::Scope scope;
  mlir::OwningOpRef<mlir::ModuleOp> module; ///< Null if there are results.
  /// The modules of the targets after their stages.
  std::vector<mlir::OwningOpRef<mlir::ModuleOp>> results;
  CompileResult result; ///< Collects what the cache stores.
};

} // namespace aircc

#endif // AIRCC_DRIVER_COMPILE_COMPILEUNIT_H
