//===- LLVMBackend.cpp - Optimize LLVM IR and generate code ---------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/llvm/LLVMBackend.h"

#include "pipeline/codegen/llvm/CrowdedRegisters.h"
#include "pipeline/codegen/llvm/FatalErrors.h"
#include "pipeline/codegen/llvm/amdgpu/BackendGate.h"
#include "pipeline/codegen/llvm/amdgpu/machine/MachinePasses.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Triple.h"

#include <mutex>

// Initialize only the backends that are needed, because registering all of them
// would cost start-up time.
#define AIRCC_FOR_EACH_BACKEND(X) X(AMDGPU) X(SPIRV) X(X86)
#define AIRCC_DECLARE_BACKEND(NAME)                                            \
  extern "C" void LLVMInitialize##NAME##TargetInfo();                          \
  extern "C" void LLVMInitialize##NAME##Target();                              \
  extern "C" void LLVMInitialize##NAME##TargetMC();                            \
  extern "C" void LLVMInitialize##NAME##AsmPrinter();
AIRCC_FOR_EACH_BACKEND(AIRCC_DECLARE_BACKEND)
extern "C" void LLVMInitializeAMDGPUAsmParser();
extern "C" void LLVMInitializeX86AsmParser();

namespace aircc {

/// Enables the SPIR-V extensions that programs may need and that both Intel's
/// compiler and the simulated device support. LLVM offers only a command-line
/// flag for this.
static void allowSPIRVExtensions() {
  auto &known = llvm::cl::getRegisteredOptions();
  auto option = known.find("spirv-ext");
  if (option != known.end())
    option->second->addOccurrence(
        /*pos=*/1, "spirv-ext",
        "+SPV_EXT_relaxed_printf_string_address_space,"
        "+SPV_EXT_shader_atomic_float_add,+SPV_INTEL_cache_controls,"
        "+SPV_INTEL_subgroups,+SPV_KHR_expect_assume");
}

/// Limits the search of GVN, which examines this many earlier accesses in the
/// block for each load. LLVM's limit of 100 takes a fifth of the compile time
/// of unrolled loops, and finds nothing more.
static void limitLoadSearch() {
  auto &known = llvm::cl::getRegisteredOptions();
  auto option = known.find("memdep-block-scan-limit");
  if (option != known.end() && option->second->getNumOccurrences() == 0)
    option->second->addOccurrence(/*pos=*/1, "memdep-block-scan-limit", "20");
}

static void initializeBackends() {
  static std::once_flag once;
  std::call_once(once, [] {
#define AIRCC_INITIALIZE_BACKEND(NAME)                                         \
  LLVMInitialize##NAME##TargetInfo();                                          \
  LLVMInitialize##NAME##Target();                                              \
  LLVMInitialize##NAME##TargetMC();                                            \
  LLVMInitialize##NAME##AsmPrinter();
    AIRCC_FOR_EACH_BACKEND(AIRCC_INITIALIZE_BACKEND)
    // SPIR-V has no assembly parser.
    LLVMInitializeAMDGPUAsmParser();
    LLVMInitializeX86AsmParser();
    amdgpu::addMachinePasses();
    allowSPIRVExtensions();
    limitLoadSearch();
  });
}

static llvm::CodeGenOptLevel getCodeGenLevel(unsigned optLevel) {
  switch (optLevel) {
  case 0:
    return llvm::CodeGenOptLevel::None;
  case 1:
    return llvm::CodeGenOptLevel::Less;
  case 2:
    return llvm::CodeGenOptLevel::Default;
  default:
    return llvm::CodeGenOptLevel::Aggressive;
  }
}

llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createTargetMachine(const MachineOptions &options) {
  initializeBackends();
  llvm::Triple triple(options.triple);
  std::string error;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return llvm::createStringError("no code generator for '" + options.triple +
                                   "': " + error);
  llvm::TargetOptions targetOptions;
  // Put constructors in the section that every linker supports.
  targetOptions.UseInitArray = true;
  std::unique_ptr<llvm::TargetMachine> machine(target->createTargetMachine(
      triple, options.cpu, options.features, targetOptions, llvm::Reloc::PIC_,
      std::nullopt, getCodeGenLevel(options.optLevel)));
  if (!machine)
    return llvm::createStringError("cannot generate code for '" +
                                   options.triple + "'");
  if (!options.cpu.empty() &&
      !machine->getMCSubtargetInfo()->isCPUStringValid(options.cpu))
    return llvm::createStringError("unknown processor '" + options.cpu +
                                   "' for '" + options.triple + "'");
  return machine;
}

//===----------------------------------------------------------------------===//
// Diagnostics
//===----------------------------------------------------------------------===//

struct CollectingHandler : llvm::DiagnosticHandler {
  explicit CollectingHandler(DiagnosticCollector &owner) : owner(owner) {}

  bool handleDiagnostics(const llvm::DiagnosticInfo &info) override {
    // Missed-optimization warnings mention passes and pragmas that the user has
    // never seen. Remarks from LLVM's passes differ in kind from aircc's.
    bool isOwnRemark = info.getSeverity() == llvm::DS_Remark &&
                       info.getKind() == llvm::DK_Generic;
    if ((info.getSeverity() != llvm::DS_Error &&
         info.getSeverity() != llvm::DS_Warning && !isOwnRemark) ||
        info.getKind() == llvm::DK_OptimizationFailure)
      return true;
    std::string text;
    llvm::raw_string_ostream os(text);
    llvm::DiagnosticPrinterRawOStream printer(os);
    info.print(printer);
    owner.messages.push_back({info.getSeverity(), text});
    return true;
  }

  DiagnosticCollector &owner;
};

DiagnosticCollector::DiagnosticCollector(llvm::LLVMContext &context)
    : context(context) {
  context.setDiagnosticHandler(std::make_unique<CollectingHandler>(*this));
}

DiagnosticCollector::~DiagnosticCollector() {
  context.setDiagnosticHandler(std::make_unique<llvm::DiagnosticHandler>());
}

bool DiagnosticCollector::hadError() const {
  return llvm::any_of(messages,
                      [](const LLVMMessage &m) { return m.isError(); });
}

mlir::LogicalResult report(llvm::ArrayRef<LLVMMessage> messages,
                           mlir::Location loc) {
  bool failed = false;
  for (const LLVMMessage &message : messages) {
    failed |= message.isError();
    if (message.isError())
      mlir::emitError(loc) << message.text;
    else if (message.severity == llvm::DS_Remark)
      mlir::emitRemark(loc) << message.text;
    else
      mlir::emitWarning(loc) << message.text;
  }
  return mlir::failure(failed);
}

mlir::LogicalResult DiagnosticCollector::report(mlir::Location loc) {
  return aircc::report(takeMessages(), loc);
}

//===----------------------------------------------------------------------===//
// Passes
//===----------------------------------------------------------------------===//

llvm::Error runBackendPasses(llvm::Module &module, llvm::TargetMachine &machine,
                             std::unique_ptr<llvm::legacy::PassManager> &passes,
                             std::unique_ptr<llvm::raw_svector_ostream> &os) {
  llvm::Error error =
      runBackend(machine.getTargetCPU(), [&] { passes->run(module); });
  if (error) {
    // The passes cannot be destroyed while they run.
    (void)passes.release();
    (void)os.release();
  }
  return error;
}

llvm::Error emitMachineCode(llvm::Module &module, llvm::TargetMachine &machine,
                            llvm::CodeGenFileType kind,
                            llvm::SmallVectorImpl<char> &output) {
  auto os = std::make_unique<llvm::raw_svector_ostream>(output);
  auto passes = std::make_unique<llvm::legacy::PassManager>();
  addCrowdedRegisterAdvisors(*passes);
  if (machine.addPassesToEmitFile(*passes, *os, nullptr, kind,
                                  /*DisableVerify=*/true))
    return llvm::createStringError("the backend cannot emit this kind of file");
  amdgpu::BackendGate gate(module);
  return runBackendPasses(module, machine, passes, os);
}

} // namespace aircc
