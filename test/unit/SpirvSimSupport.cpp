//===- SpirvSimSupport.cpp - SPIR-V kernels in tests ----------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/unit/SpirvSimSupport.h"

#include "test/unit/SimTestSupport.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Triple.h"

extern "C" {
void LLVMInitializeSPIRVTargetInfo();
void LLVMInitializeSPIRVTarget();
void LLVMInitializeSPIRVTargetMC();
void LLVMInitializeSPIRVAsmPrinter();
}

using namespace aircc::sim;
using namespace aircc::sim::test;

const char *const aircc::sim::test::kSpirvPrelude = R"(
declare spir_func i64 @_Z12get_group_idj(i32)
declare spir_func i64 @_Z12get_local_idj(i32)
declare spir_func i64 @_Z13get_global_idj(i32)
declare spir_func i64 @_Z14get_local_sizej(i32)
declare spir_func i32 @_Z16get_sub_group_id()
declare spir_func i32 @_Z22get_sub_group_local_id()
declare spir_func void @_Z7barrierj(i32)
)";

/// LLVM's SPIR-V backend, with extensions that not every kernel needs.
static llvm::TargetMachine &spirvMachine() {
  static std::unique_ptr<llvm::TargetMachine> machine = [] {
    LLVMInitializeSPIRVTargetInfo();
    LLVMInitializeSPIRVTarget();
    LLVMInitializeSPIRVTargetMC();
    LLVMInitializeSPIRVAsmPrinter();
    // The backend's options are the process's.
    llvm::cl::Option *option =
        llvm::cl::getRegisteredOptions().lookup("spirv-ext");
    if (!option ||
        option->addOccurrence(0, "spirv-ext",
                              "+SPV_EXT_shader_atomic_float_add,"
                              "+SPV_EXT_shader_atomic_float_min_max,"
                              "+SPV_INTEL_subgroups,+SPV_KHR_bfloat16,"
                              "+SPV_KHR_uniform_group_instructions"))
      llvm::report_fatal_error("the SPIR-V backend takes no extensions");
    const llvm::Triple triple("spirv64-unknown-unknown");
    std::string error;
    const llvm::Target *target =
        llvm::TargetRegistry::lookupTarget(triple, error);
    if (!target)
      llvm::report_fatal_error(llvm::Twine(error));
    return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
        triple, "", "", llvm::TargetOptions(), std::nullopt, std::nullopt,
        llvm::CodeGenOptLevel::None));
  }();
  return *machine;
}

std::string aircc::sim::test::compileSpirv(const std::string &ir) {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module = parseIR(ir, context);
  llvm::TargetMachine &machine = spirvMachine();
  module->setTargetTriple(machine.getTargetTriple());
  module->setDataLayout(machine.createDataLayout());
  llvm::SmallString<0> spirv;
  llvm::raw_svector_ostream stream(spirv);
  llvm::legacy::PassManager passes;
  if (machine.addPassesToEmitFile(passes, stream, nullptr,
                                  llvm::CodeGenFileType::ObjectFile))
    llvm::report_fatal_error("no output of this kind");
  passes.run(*module);
  return spirv.str().str();
}

SpirvRunner::SpirvRunner(const std::string &spirv) {
  rt::Status status = device.loadModule(spirv.data(), spirv.size(), module);
  if (!status.ok())
    error = status.message();
}

std::string SpirvRunner::run(const SpirvLaunch &launch) {
  if (!error.empty())
    return error;
  rt::FunctionHandle function = nullptr;
  rt::Status status =
      device.getFunction(module, launch.kernel.c_str(), function);
  if (status.ok()) {
    std::vector<void *> arguments = launch.arguments;
    status =
        device.launch(function, launch.grid, launch.block, launch.dynamicBytes,
                      nullptr, arguments.data(), arguments.size());
  }
  return status.ok() ? "" : status.message();
}

std::string aircc::sim::test::runSpirv(SpirvRunner &runner,
                                       const std::vector<void *> &buffers,
                                       rt::Dim3 block, rt::Dim3 grid) {
  SpirvLaunch launch;
  launch.block = block;
  launch.grid = grid;
  std::vector<void *> values = buffers;
  for (void *&value : values)
    launch.arguments.push_back(&value);
  return runner.run(launch);
}
