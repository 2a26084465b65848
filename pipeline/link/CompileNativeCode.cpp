//===- CompileNativeCode.cpp - SPIR-V to native code of Intel GPUs --------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/llvm/spirv/SPIRVModule.h"
#include "pipeline/common/Dependency.h"
#include "pipeline/link/ChildProcess.h"
#include "pipeline/link/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/XeVMDialect.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Object/ELF.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace aircc {
#define GEN_PASS_DEF_COMPILENATIVECODE
#include "pipeline/link/Passes.h.inc"
} // namespace aircc

/// The compiler resolves calls to unknown functions to nothing, and only the
/// symbol table indicates this.
static llvm::Error checkSymbols(StringRef code) {
  auto file = llvm::object::ELFObjectFileBase::createELFObjectFile(
      llvm::MemoryBufferRef(code, "native code"));
  if (!file)
    return llvm::joinErrors(
        llvm::createStringError("the offline compiler wrote no native code:"),
        file.takeError());
  auto *elf = dyn_cast<llvm::object::ELFObjectFileBase>(file->get());
  std::vector<std::string> missing;
  for (const llvm::object::ELFSymbolRef &symbol : elf->symbols()) {
    llvm::Expected<uint32_t> flags = symbol.getFlags();
    llvm::Expected<StringRef> name = symbol.getName();
    if (!flags)
      return flags.takeError();
    if (!name)
      return name.takeError();
    if ((*flags & llvm::object::SymbolRef::SF_Undefined) &&
        name->starts_with("_Z"))
      missing.push_back(name->str());
  }
  if (missing.empty())
    return llvm::Error::success();
  return llvm::createStringError(
      "the offline compiler does not provide functions that the code calls: '" +
      llvm::join(missing, "', '") + "'");
}

namespace {

struct CompileNativeCode
    : aircc::impl::CompileNativeCodeBase<CompileNativeCode> {
  using CompileNativeCodeBase::CompileNativeCodeBase;

  void runOnOperation() override {
    auto binaries = llvm::to_vector(getOperation().getOps<gpu::BinaryOp>());
    if (binaries.empty())
      return;
    auto compiler = llvm::sys::findProgramByName("ocloc");
    if (!compiler) {
      (void)aircc::markMissingDependency(
          binaries.front().emitError()
          << "native code for Intel GPUs requires Intel's offline compiler, "
             "but 'ocloc' is not on PATH; install the package intel-ocloc, or "
             "emit SPIR-V, which the driver compiles");
      return signalPassFailure();
    }
    for (gpu::BinaryOp binary : binaries) {
      SmallVector<Attribute> objects;
      for (Attribute attr : binary.getObjects()) {
        FailureOr<Attribute> native =
            compile(*compiler, binary, cast<gpu::ObjectAttr>(attr));
        if (failed(native))
          return signalPassFailure();
        objects.push_back(*native);
      }
      binary.setObjectsAttr(ArrayAttr::get(&getContext(), objects));
    }
  }

  FailureOr<Attribute> compile(const std::string &compiler,
                               gpu::BinaryOp binary, gpu::ObjectAttr object) {
    StringRef spirv = object.getObject();
    auto target = dyn_cast<xevm::XeVMTargetAttr>(object.getTarget());
    if (!target || !aircc::isSPIRV(spirv))
      return binary.emitOpError("contains no SPIR-V to compile to native code");
    llvm::Expected<std::string> code =
        runCompiler(compiler, target.getChip(), spirv);
    llvm::Error error = code ? checkSymbols(*code) : code.takeError();
    if (error)
      return binary.emitError() << llvm::toString(std::move(error));
    return Attribute(
        gpu::ObjectAttr::get(target, gpu::CompilationTarget::Binary,
                             StringAttr::get(&getContext(), *code),
                             object.getProperties(), object.getKernels()));
  }

  llvm::Expected<std::string> runCompiler(const std::string &compiler,
                                          StringRef chip, StringRef spirv) {
    // The compiler chooses the names of its output files in a given directory.
    llvm::SmallString<128> folder;
    if (std::error_code ec =
            llvm::sys::fs::createUniqueDirectory("aircc-ocloc", folder))
      return llvm::createStringError("cannot create a temporary directory: " +
                                     ec.message());
    // A temporary directory that cannot be removed is not an error of the
    // program.
    llvm::scope_exit remove(
        [&] { (void)llvm::sys::fs::remove_directories(folder); });
    auto getPath = [&](StringRef name) {
      llvm::SmallString<128> path(folder);
      llvm::sys::path::append(path, name);
      return std::string(path);
    };
    if (llvm::Error error = llvm::writeToOutput(getPath("kernels.spv"),
                                                [&](llvm::raw_ostream &os) {
                                                  os << spirv;
                                                  return llvm::Error::success();
                                                }))
      return std::move(error);
    std::vector<std::string> command = {compiler,
                                        "compile",
                                        "-file",
                                        getPath("kernels.spv"),
                                        "-spirv_input",
                                        "-device",
                                        chip.str(),
                                        "-options",
                                        chooseFlags(spirv),
                                        "-out_dir",
                                        std::string(folder),
                                        "-output",
                                        "kernels",
                                        "-output_no_suffix"};
    llvm::Expected<aircc::ProcessResult> result = aircc::runProcess(command);
    if (!result)
      return result.takeError();
    auto code = llvm::MemoryBuffer::getFile(getPath("kernels.bin"));
    if (result->status == 0 && code)
      return (*code)->getBuffer().str();
    return llvm::createStringError(
        "the offline compiler 'ocloc' failed for '" + chip + "'" +
        (result->problem.empty() ? "" : ": " + result->problem) +
        (result->text.empty() ? ""
                              : ":\n" + StringRef(result->text).trim().str()));
  }

  /// Returns the options that the runtime also uses for SPIR-V: buffers may be
  /// large, and loops of matrix instructions need more registers than the
  /// default, which halves the maximum number of lanes in a workgroup.
  std::string chooseFlags(StringRef spirv) {
    std::string flags = "-ze-opt-greater-than-4GB-buffer-required";
    bool multiplies = llvm::any_of(
        aircc::getSPIRVImports(spirv), [](const std::string &name) {
          return StringRef(name).contains("_matrix_mad_");
        });
    std::optional<uint64_t> lanes = aircc::getLargestWorkgroup(spirv);
    if (multiplies && lanes && *lanes <= maxThreads / 2)
      flags += " -ze-opt-large-register-file";
    return flags;
  }
};

} // namespace
