//===- Program.cpp - Compiled kernels of a module -------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Only optimizations that make the code much smaller are run, because
// compilation should be fast and kernels spend most of their time in collective
// operations.
//
//===----------------------------------------------------------------------===//

#include "simulator/exec/memory/GlobalMemory.h"
#include "simulator/launch/CoverageReport.h"
#include "simulator/spirv/HostFloats.h"
#include "simulator/spirv/Kernel.h"
#include "simulator/spirv/translate/Translator.h"

#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/PassManager.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Utils/Mem2Reg.h"

#include <cstdlib>
#include <mutex>

using namespace aircc::sim;
using namespace aircc::sim::spirv;
using llvm::orc::LLJIT;

struct SpirvProgram::Code {
  std::unique_ptr<LLJIT> jit;
  GlobalMemory *memory = nullptr;
  /// Registers the variables of the module that kernels may access.
  std::vector<void *> registered;

  ~Code() {
    for (void *variable : registered)
      memory->unregisterHost(variable);
  }
};

SpirvProgram::SpirvProgram() : code(std::make_unique<Code>()) {}
SpirvProgram::~SpirvProgram() = default;

static llvm::Expected<llvm::orc::JITTargetMachineBuilder> hostMachine() {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
  });
  auto machine = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!machine)
    return machine.takeError();
  // x86's conversion instructions to bfloat flush denormals.
  machine->addFeatures({"-avx512bf16", "-avxneconvert", "-avx10.2-512"});
  machine->setCodeGenOptLevel(llvm::CodeGenOptLevel::Less);
  // Do not fuse multiplications and additions.
  machine->getOptions().AllowFPOpFusion = llvm::FPOpFusion::Strict;
  return machine;
}

static void optimize(llvm::Module &module, llvm::TargetMachine &machine) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::PreserveCFG));
  passes.addPass(llvm::EarlyCSEPass());
  llvm::ModulePassManager all;
  all.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(passes)));
  all.run(module, modules);
}

namespace {
/// A SPIR-V module and its translation for the host.
struct Translation {
  std::unique_ptr<SpirvModule> source;
  std::optional<llvm::orc::JITTargetMachineBuilder> machine;
  std::unique_ptr<llvm::TargetMachine> target;
  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> module;

  /// Parses the bytes without translating them.
  static llvm::Expected<Translation> open(llvm::StringRef bytes);
  /// Translates the module. If `coverage` is given, adds instructions that are
  /// not simulated to it.
  llvm::Error run(SpirvProgram &program, bool traced,
                  aircc::simulator::Coverage *coverage = nullptr);
};
} // namespace

llvm::Expected<Translation> Translation::open(llvm::StringRef bytes) {
  Translation made;
  if (llvm::Error error = SpirvModule::read(bytes).moveInto(made.source))
    return error;
  if (llvm::Error error = hostMachine().moveInto(made.machine))
    return error;
  if (llvm::Error error =
          made.machine->createTargetMachine().moveInto(made.target))
    return error;
  made.context = std::make_unique<llvm::LLVMContext>();
  made.module = std::make_unique<llvm::Module>("spirv", *made.context);
  made.module->setDataLayout(made.target->createDataLayout());
  made.module->setTargetTriple(made.target->getTargetTriple());
  return made;
}

llvm::Error Translation::run(SpirvProgram &program, bool traced,
                             aircc::simulator::Coverage *coverage) {
  ModuleTranslator translator(*source, *module, program, traced);
  translator.coverage = coverage;
  try {
    translator.run();
  } catch (const Unsupported &error) {
    return llvm::createStringError(error.what());
  }
  return llvm::Error::success();
}

llvm::Expected<std::unique_ptr<SpirvProgram>>
SpirvProgram::create(llvm::StringRef bytes, GlobalMemory &memory, bool traced) {
  llvm::Expected<Translation> opened = Translation::open(bytes);
  if (!opened)
    return opened.takeError();
  auto &[source, machine, target, context, module] = *opened;
  std::unique_ptr<SpirvProgram> program(new SpirvProgram());
  if (llvm::Error error = opened->run(*program, traced))
    return error;
  std::string wrong;
  llvm::raw_string_ostream text(wrong);
  if (llvm::verifyModule(*module, &text))
    return llvm::createStringError(
        "SPIR-V: the module is invalid, or the simulator has a bug: " +
        text.str());
  optimize(*module, *target);
  if (std::getenv("AIRCC_SIM_SPIRV_DUMP"))
    module->print(llvm::errs(), nullptr);

  Code &code = *program->code;
  code.memory = &memory;
  auto jit = llvm::orc::LLJITBuilder()
                 .setJITTargetMachineBuilder(std::move(*machine))
                 .create();
  if (!jit)
    return jit.takeError();
  code.jit = std::move(*jit);
  llvm::orc::JITDylib &library = code.jit->getMainJITDylib();
  llvm::orc::SymbolMap own;
  for (auto [name, address] : libraryFunctions())
    own[code.jit->mangleAndIntern(name)] = {
        llvm::orc::ExecutorAddr::fromPtr(address),
        llvm::JITSymbolFlags::Exported};
  if (llvm::Error error =
          library.define(llvm::orc::absoluteSymbols(std::move(own))))
    return error;
  auto process = llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(
      code.jit->getDataLayout().getGlobalPrefix());
  if (!process)
    return process.takeError();
  library.addGenerator(std::move(*process));
  if (llvm::Error error = code.jit->addIRModule(
          llvm::orc::ThreadSafeModule(std::move(module), std::move(context))))
    return error;

  for (const Global &global : program->globals) {
    auto address = code.jit->lookup(global.symbol);
    if (!address)
      return address.takeError();
    void *variable = address->toPtr<void *>();
    memory.registerHost(variable, global.bytes);
    code.registered.push_back(variable);
  }
  for (SpirvKernel &kernel : program->kernels) {
    auto entry = code.jit->lookup("kernel." + kernel.name);
    if (!entry)
      return entry.takeError();
    kernel.entry = entry->toPtr<SpirvKernel::Entry>();
  }
  return program;
}

llvm::Error aircc::sim::spirv::addCoverage(llvm::StringRef image,
                                           simulator::Coverage &coverage) {
  llvm::Expected<Translation> opened = Translation::open(image);
  if (!opened)
    return opened.takeError();
  return opened->run(*SpirvProgram::createEmpty(), /*traced=*/false, &coverage);
}

std::unique_ptr<SpirvProgram> SpirvProgram::createEmpty() {
  return std::unique_ptr<SpirvProgram>(new SpirvProgram());
}

const SpirvKernel *SpirvProgram::findKernel(llvm::StringRef name) const {
  for (const SpirvKernel &kernel : kernels)
    if (kernel.name == name)
      return &kernel;
  return nullptr;
}
