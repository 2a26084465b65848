//===- LLVMBackend.h - Optimize LLVM IR and generate code -------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The common part of host and device code generation. Everything happens in
// memory and in this process; several modules may be compiled at the same time,
// each with its own LLVMContext.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_CODEGEN_LLVM_LLVMBACKEND_H
#define AIRCC_PIPELINE_CODEGEN_LLVM_LLVMBACKEND_H

#include "mlir/IR/Location.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/DiagnosticInfo.h"
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

/// Returns a machine for position-independent code. Fails if this build has no
/// backend for the triple, or if the backend does not know the cpu.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createTargetMachine(const MachineOptions &options);

/// An error or a warning of LLVM about a module.
struct LLVMMessage {
  llvm::DiagnosticSeverity severity;
  std::string text;

  bool isError() const { return severity == llvm::DS_Error; }
};

/// Reports the messages at `loc`; fails if one of them is an error.
mlir::LogicalResult report(llvm::ArrayRef<LLVMMessage> messages,
                           mlir::Location loc);

/// Collects LLVM's diagnostics about a module until they can be reported as
/// MLIR diagnostics. This is needed because LLVM's default handler would print
/// an error and terminate the process, and LLVM may run in a thread that must
/// not use MLIR.
class DiagnosticCollector {
public:
  explicit DiagnosticCollector(llvm::LLVMContext &context);
  ~DiagnosticCollector();

  bool hadError() const;
  std::vector<LLVMMessage> takeMessages() { return std::move(messages); }
  /// Reports everything at `loc`; fails if there was an error.
  mlir::LogicalResult report(mlir::Location loc);

private:
  friend struct CollectingHandler;
  llvm::LLVMContext &context;
  std::vector<LLVMMessage> messages;
};

/// Runs the passes of a backend, which write to `os`. After a fatal error, both
/// are leaked, and set to null here.
llvm::Error runBackendPasses(llvm::Module &module, llvm::TargetMachine &machine,
                             std::unique_ptr<llvm::legacy::PassManager> &passes,
                             std::unique_ptr<llvm::raw_svector_ostream> &os);

/// Runs the backend. `kind` is assembly or object. After a failure, the module
/// is unusable; an intrinsic that the processor lacks is reported as
/// MissingIntrinsic (FatalErrors.h).
llvm::Error emitMachineCode(llvm::Module &module, llvm::TargetMachine &machine,
                            llvm::CodeGenFileType kind,
                            llvm::SmallVectorImpl<char> &output);

} // namespace aircc

#endif // AIRCC_PIPELINE_CODEGEN_LLVM_LLVMBACKEND_H
