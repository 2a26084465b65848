//===- EmitHost.cpp - Host machine code -----------------------------------===//
//
// Part of the aircc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/LLVMBackend.h"
#include "pipeline/link/Link.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/IPO/Internalize.h"

using namespace mlir;

namespace aircc {

bool hasMain(ModuleOp module) {
  Operation *main = module.lookupSymbol("main");
  if (auto function = dyn_cast_or_null<FunctionOpInterface>(main))
    return !function.isExternal();
  return false;
}

LogicalResult emitHost(ModuleOp module, const HostSpec &host,
                       const HostCodeOptions &options, HostFormat format,
                       llvm::raw_pwrite_stream &os) {
  auto machine =
      createTargetMachine({host.triple, /*cpu=*/"", /*features=*/"",
                           options.optLevel});
  if (!machine)
    return module.emitError() << llvm::toString(machine.takeError());

  llvm::LLVMContext context;
  DiagnosticForwarder diagnostics(context, module.getLoc());
  // The name ends up in the object: it must not depend on where the input lies.
  std::unique_ptr<llvm::Module> llvmModule =
      translateModuleToLLVMIR(module, context, "aircc_host");
  if (!llvmModule)
    return failure();
  llvmModule->setTargetTriple(llvm::Triple(host.triple));
  llvmModule->setDataLayout((*machine)->createDataLayout());
  llvmModule->setPICLevel(llvm::PICLevel::BigPIC);
  if (options.wholeProgram)
    llvm::internalizeModule(*llvmModule, [](const llvm::GlobalValue &value) {
      return value.getName() == "main";
    });

  optimizeModule(*llvmModule, **machine, options.optLevel);
  if (diagnostics.hadError())
    return failure();
  if (format == HostFormat::LLVM) {
    llvmModule->print(os, nullptr);
    return success();
  }
  llvm::SmallString<0> code;
  llvm::CodeGenFileType kind = format == HostFormat::Assembly
                                   ? llvm::CodeGenFileType::AssemblyFile
                                   : llvm::CodeGenFileType::ObjectFile;
  if (llvm::Error error = emitMachineCode(*llvmModule, **machine, kind, code))
    return module.emitError() << llvm::toString(std::move(error));
  os << code;
  return failure(diagnostics.hadError());
}

} // namespace aircc
