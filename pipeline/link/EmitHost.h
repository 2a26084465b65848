//===- EmitHost.h - Host machine code ---------------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_LINK_EMITHOST_H
#define AIRCC_PIPELINE_LINK_EMITHOST_H

#include "pipeline/link/Link.h"

#include "llvm/ADT/SmallString.h"

#include <memory>
#include <string>

namespace llvm {
class Module;
} // namespace llvm

namespace aircc {

/// Generates host code for a module without pending device code, in three
/// steps. The second step does not use MLIR and may run in any thread.
class HostCompiler {
public:
  HostCompiler(const HostSpec &host, const HostCodeOptions &options,
               HostFormat format);
  ~HostCompiler();

  /// Creates the LLVM module. Errors are reported.
  mlir::LogicalResult translate(mlir::ModuleOp module);

  /// Returns the LLVM module between translate() and compile(), for changes.
  llvm::Module &getModule();

  /// Optimizes and generates code. Keeps errors for report().
  void compile();

  /// Reports the errors of compile().
  mlir::LogicalResult report(mlir::Location loc);

  llvm::SmallString<0> takeCode() { return std::move(code); }

private:
  struct LLVMState;
  const HostSpec &host;
  const HostCodeOptions &options;
  HostFormat format;
  std::unique_ptr<LLVMState> state;
  std::string problem;
  llvm::SmallString<0> code;
};

} // namespace aircc

#endif // AIRCC_PIPELINE_LINK_EMITHOST_H
