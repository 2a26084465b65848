//===- EmitHost.cpp - Host machine code -----------------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/link/EmitHost.h"

#include "pipeline/codegen/DeviceCodeJobs.h"
#include "pipeline/codegen/llvm/LLVMBackend.h"
#include "pipeline/codegen/llvm/LLVMPassRunner.h"
#include "pipeline/link/EmitHostObject.h"
#include "pipeline/link/HostPipeline.h"
#include "pipeline/link/Link.h"
#include "pipeline/link/constants/ConstantBytes.h"
#include "pipeline/link/constants/LargeConstants.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Triple.h"

using namespace mlir;

namespace aircc {

bool hasMain(ModuleOp module) {
  Operation *main = module.lookupSymbol("main");
  if (auto function = dyn_cast_or_null<FunctionOpInterface>(main))
    return !function.isExternal();
  return false;
}

struct HostCompiler::LLVMState {
  llvm::LLVMContext context;
  DiagnosticCollector diagnostics{context};
  std::unique_ptr<llvm::Module> module;
  std::unique_ptr<llvm::TargetMachine> machine;
};

HostCompiler::HostCompiler(const HostSpec &host, const HostCodeOptions &options,
                           HostFormat format)
    : host(host), options(options), format(format) {}
HostCompiler::~HostCompiler() = default;

LogicalResult HostCompiler::translate(ModuleOp module) {
  state = std::make_unique<LLVMState>();
  auto machine = createTargetMachine(
      {host.triple, /*cpu=*/"", /*features=*/"", options.optLevel});
  if (!machine)
    return module.emitError() << llvm::toString(machine.takeError());
  state->machine = std::move(*machine);
  for (auto global : module.getOps<LLVM::GlobalOp>())
    if (Attribute value = getTranslatableForm(global.getValueOrNull()))
      global.setValueAttr(value);
  // The name is stored in the object, so it must not depend on the input's
  // directory.
  state->module = translateModuleToLLVMIR(module, state->context, "aircc_host");
  if (!state->module)
    return failure();
  state->module->setTargetTriple(llvm::Triple(host.triple));
  state->module->setDataLayout(state->machine->createDataLayout());
  state->module->setPICLevel(llvm::PICLevel::BigPIC);
  return success();
}

llvm::Module &HostCompiler::getModule() { return *state->module; }

void HostCompiler::compile() {
  llvm::Module &module = *state->module;
  LLVMPassRunner runner(module, state->machine.get());
  registerHostPasses(runner.getRegistry());
  llvm::ModulePassManager passes = buildHostPipeline(
      runner.getBuilder(), options.optLevel, options.wholeProgram);
  runner.run(passes);
  if (state->diagnostics.hadError())
    return;
  if (format == HostFormat::LLVM) {
    llvm::raw_svector_ostream os(code);
    module.print(os, nullptr);
    return;
  }
  llvm::CodeGenFileType kind = format == HostFormat::Assembly
                                   ? llvm::CodeGenFileType::AssemblyFile
                                   : llvm::CodeGenFileType::ObjectFile;
  if (llvm::Error error = emitMachineCode(module, *state->machine, kind, code))
    problem = llvm::toString(std::move(error));
}

LogicalResult HostCompiler::report(Location loc) {
  LogicalResult result = state->diagnostics.report(loc);
  if (problem.empty())
    return result;
  return emitError(loc) << problem;
}

std::vector<StringRef> HostCode::getPieces() const {
  std::vector<StringRef> pieces = {start.str()};
  llvm::append_range(pieces, rest);
  return pieces;
}

LogicalResult emitHost(ModuleOp module, const HostSpec &host,
                       const HostCodeOptions &options, HostFormat format,
                       HostCode &code) {
  for (auto gpuModule : module.getOps<gpu::GPUModuleOp>())
    return gpuModule.emitOpError(
        "is not compiled; run stage 'codegen' before compiling host code");
  if (format == HostFormat::Object)
    return emitHostObject(module, host, options, code);
  // The LLVM IR contains the code objects.
  if (failed(finishDeviceCode(module)))
    return failure();
  LargeConstants constants(module);
  HostCompiler compiler(host, options, format);
  if (failed(compiler.translate(module)))
    return failure();
  constants.declare(compiler.getModule());
  compiler.compile();
  if (failed(compiler.report(module.getLoc())))
    return failure();
  code.start = compiler.takeCode();
  return success();
}

} // namespace aircc
