//===- SpirvSimSupport.cpp - SPIR-V kernels in tests ----------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/unit/simulator/spirv/SpirvSimSupport.h"

#include "test/unit/simulator/SimTestSupport.h"

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

#include <cstdio>
#include <sys/wait.h>
#include <unistd.h>

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
static const llvm::Target &spirvTarget() {
  static const llvm::Target *target = [] {
    LLVMInitializeSPIRVTargetInfo();
    LLVMInitializeSPIRVTarget();
    LLVMInitializeSPIRVTargetMC();
    LLVMInitializeSPIRVAsmPrinter();
    // The options of the backend are global to the process.
    llvm::cl::Option *option =
        llvm::cl::getRegisteredOptions().lookup("spirv-ext");
    if (!option ||
        option->addOccurrence(0, "spirv-ext",
                              "+SPV_EXT_shader_atomic_float_add,"
                              "+SPV_EXT_shader_atomic_float_min_max,"
                              "+SPV_INTEL_subgroups,+SPV_KHR_bfloat16,"
                              "+SPV_KHR_uniform_group_instructions"))
      llvm::report_fatal_error("the SPIR-V backend takes no extensions");
    std::string error;
    const llvm::Target *found = llvm::TargetRegistry::lookupTarget(
        llvm::Triple("spirv64-unknown-unknown"), error);
    if (!found)
      llvm::report_fatal_error(llvm::Twine(error));
    return found;
  }();
  return *target;
}

static std::string compileHere(const std::string &ir) {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module = parseIR(ir, context);
  std::unique_ptr<llvm::TargetMachine> machine(
      spirvTarget().createTargetMachine(llvm::Triple("spirv64-unknown-unknown"),
                                        "", "", llvm::TargetOptions(),
                                        std::nullopt, std::nullopt,
                                        llvm::CodeGenOptLevel::None));
  module->setTargetTriple(machine->getTargetTriple());
  module->setDataLayout(machine->createDataLayout());
  llvm::SmallString<0> spirv;
  llvm::raw_svector_ostream stream(spirv);
  llvm::legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, stream, nullptr,
                                   llvm::CodeGenFileType::ObjectFile))
    llvm::report_fatal_error("no output of this kind");
  passes.run(*module);
  return spirv.str().str();
}

// Runs in a process of its own: the backend keeps tables of previous modules,
// and writes damaged modules if an address in these tables is reused.
std::string aircc::sim::test::compileSpirv(const std::string &ir) {
  (void)spirvTarget();
  int ends[2];
  if (pipe(ends))
    llvm::report_fatal_error("pipe");
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0)
    llvm::report_fatal_error("fork");
  if (!child) {
    close(ends[0]);
    const std::string spirv = compileHere(ir);
    for (size_t done = 0; done < spirv.size();) {
      const ssize_t n =
          write(ends[1], spirv.data() + done, spirv.size() - done);
      if (n <= 0)
        _exit(1);
      done += n;
    }
    _exit(0);
  }
  close(ends[1]);
  std::string spirv;
  char buffer[65536];
  for (ssize_t n; (n = read(ends[0], buffer, sizeof(buffer))) > 0;)
    spirv.append(buffer, n);
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (status)
    llvm::report_fatal_error("the SPIR-V backend does not compile a test");
  return spirv;
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
