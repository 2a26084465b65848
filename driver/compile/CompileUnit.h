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

/// One input on its way. The context outlives everything that lives in it.
struct CompileJob::Unit {
  Unit(llvm::StringRef input, const mlir::DialectRegistry &registry,
       Diagnostics &diagnostics)
      : input(input), context(registry, mlir::MLIRContext::Threading::DISABLED),
        scope(diagnostics, context, *sources) {
    // The source line says where; the op as text can be megabytes of code.
    context.printOpOnDiagnostic(false);
  }

  /// A failure whose reason MLIR has reported.
  llvm::Error failed() const { return fail(scope.getExitCode()); }

  std::string input;
  std::shared_ptr<llvm::SourceMgr> sources =
      std::make_shared<llvm::SourceMgr>();
  mlir::MLIRContext context;
  Diagnostics::Scope scope;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

} // namespace aircc

#endif // AIRCC_DRIVER_COMPILE_COMPILEUNIT_H
