//===- LLVMBackend.h - Optimise LLVM IR and make machine code ---*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What host and device code generation share. Everything happens in memory and
// in this process; several modules may be compiled at once, each with an
// LLVMContext of its own.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_CODEGEN_LLVM_LLVMBACKEND_H
#define AIRCC_PIPELINE_CODEGEN_LLVM_LLVMBACKEND_H

#include "mlir/IR/Location.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/CodeGen.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <string>
#include <vector>

namespace llvm {
class LLVMContext;
class Module;
class TargetMachine;
class raw_svector_ostream;
namespace legacy {
class PassManager;
} // namespace legacy
} // namespace llvm

namespace aircc {

struct MachineOptions {
  std::string triple;
  std::string cpu;
  std::string features;
  unsigned optLevel = 2;
};

/// A machine for position-independent code. Fails for a triple that this build
/// has no backend for and for a cpu that the backend does not know.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createTargetMachine(const MachineOptions &options);

/// Keeps what LLVM reports about a module until it can be reported as MLIR
/// diagnostics: LLVM's own handler would print an error and end the process,
/// and the thread that LLVM runs in may not be one that MLIR is used from.
class DiagnosticCollector {
public:
  explicit DiagnosticCollector(llvm::LLVMContext &context);
  ~DiagnosticCollector();

  bool hadError() const;
  /// Reports everything at `loc`; fails if there was an error.
  mlir::LogicalResult report(mlir::Location loc);

private:
  struct Message {
    bool isError;
    std::string text;
  };
  friend struct CollectingHandler;
  llvm::LLVMContext &context;
  std::vector<Message> messages;
};

/// Runs the passes of a backend, which write to `os`. After a fatal error both
/// are left alive, and null here.
llvm::Error runBackendPasses(llvm::Module &module, llvm::TargetMachine &machine,
                             std::unique_ptr<llvm::legacy::PassManager> &passes,
                             std::unique_ptr<llvm::raw_svector_ostream> &os);

/// Runs the backend. `kind` is assembly or object. After a failure the module
/// is in no state to be used; an intrinsic that the processor lacks is reported
/// as MissingIntrinsic (FatalErrors.h).
llvm::Error emitMachineCode(llvm::Module &module, llvm::TargetMachine &machine,
                            llvm::CodeGenFileType kind,
                            llvm::SmallVectorImpl<char> &output);

} // namespace aircc

#endif // AIRCC_PIPELINE_CODEGEN_LLVM_LLVMBACKEND_H
