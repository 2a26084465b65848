//===- LLVMPassRegistry.h - Names of LLVM passes ----------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_CODEGEN_LLVM_LLVMPASSREGISTRY_H
#define AIRCC_PIPELINE_CODEGEN_LLVM_LLVMPASSREGISTRY_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/Passes/PassBuilder.h"

#include <vector>

namespace aircc {

/// The base class of aircc's passes on LLVM IR. They are required for correct
/// code, so neither `optnone` nor -opt-bisect-limit skips them.
template <typename Pass> struct LLVMPass : llvm::PassInfoMixin<Pass> {
  static bool isRequired() { return true; }
};

/// A pass in the list of `aircc opt-llvm --print-passes`.
struct LLVMPassInfo {
  enum class Kind {
    Pass,    ///< `--passes=` runs it.
    Filter,  ///< Prevents one of LLVM's passes from running on some code.
    Machine, ///< The backend runs it, on machine instructions.
  };
  Kind kind;
  llvm::StringRef name;
  llvm::StringRef summary;
};

/// Registers the names of passes with a PassBuilder: for `--passes=`, for
/// printed pipelines and for LLVM's options such as -print-after=PASS.
class LLVMPassRegistry {
public:
  explicit LLVMPassRegistry(llvm::PassBuilder &builder) : builder(builder) {}

  /// Adds the module pass that `create` returns.
  template <typename Create>
  void addModulePass(llvm::StringLiteral name, llvm::StringLiteral summary,
                     Create create) {
    add<llvm::ModulePassManager>(name, summary, create);
  }

  /// Adds the function pass that `create` returns.
  template <typename Create>
  void addFunctionPass(llvm::StringLiteral name, llvm::StringLiteral summary,
                       Create create) {
    add<llvm::FunctionPassManager>(name, summary, create);
  }

  /// Adds a filter, which `install` activates.
  void addFilter(
      llvm::StringLiteral name, llvm::StringLiteral summary,
      llvm::function_ref<void(llvm::PassInstrumentationCallbacks &)> install) {
    install(*builder.getPassInstrumentationCallbacks());
    passes.push_back({LLVMPassInfo::Kind::Filter, name, summary});
  }

  /// Lists a filter of passes of the backend.
  void addBackendFilter(llvm::StringLiteral name, llvm::StringLiteral summary) {
    passes.push_back({LLVMPassInfo::Kind::Filter, name, summary});
  }

  /// Lists a pass that the backend runs.
  void addMachinePass(llvm::StringLiteral name, llvm::StringLiteral summary) {
    passes.push_back({LLVMPassInfo::Kind::Machine, name, summary});
  }

  llvm::ArrayRef<LLVMPassInfo> getPasses() const { return passes; }

private:
  template <typename Manager, typename Create>
  void add(llvm::StringLiteral name, llvm::StringLiteral summary,
           Create create) {
    passes.push_back({LLVMPassInfo::Kind::Pass, name, summary});
    builder.getPassInstrumentationCallbacks()->addClassToPassName(
        decltype(create())::name(), name);
    builder.registerPipelineParsingCallback(
        [name, create](llvm::StringRef wanted, Manager &manager,
                       llvm::ArrayRef<llvm::PassBuilder::PipelineElement>) {
          if (wanted != name)
            return false;
          manager.addPass(create());
          return true;
        });
  }

  llvm::PassBuilder &builder;
  std::vector<LLVMPassInfo> passes;
};

} // namespace aircc

#endif // AIRCC_PIPELINE_CODEGEN_LLVM_LLVMPASSREGISTRY_H
