//===- DeviceBackend.h - From an LLVM module to device code -----*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Each kind of target attribute has a backend: AMDGPU for #rocdl.target, SPIR-V
// for #xevm.target. A backend stores the attribute as plain data, so that it
// can run in any thread while other threads use MLIR.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_CODEGEN_LLVM_DEVICEBACKEND_H
#define AIRCC_PIPELINE_CODEGEN_LLVM_DEVICEBACKEND_H

#include "pipeline/codegen/Codegen.h"
#include "pipeline/common/CodeCache.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/LLVMIR/XeVMDialect.h"
#include "llvm/ADT/SmallString.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class LLVMContext;
class Module;
class TargetMachine;
} // namespace llvm

namespace aircc {

class MachinePool;

class DeviceBackend {
public:
  /// An error, and the function or intrinsic whose call caused it ("" if none).
  struct Failure {
    /// Returns the failure for an error of emitMachineCode.
    static Failure of(llvm::Error error);

    std::string message;
    std::string callee;
    bool isMissingDependency = false;
  };

  virtual ~DeviceBackend() = default;

  /// Called for a new context before a module is created in it.
  virtual void prepareContext(llvm::LLVMContext &context) {}

  /// Links, optimizes, and appends to `code` the output in `format`: text, or
  /// an object. Errors that LLVM reports go to the context of the module.
  virtual std::optional<Failure> compile(llvm::Module &module,
                                         DeviceFormat format,
                                         MachinePool &machines,
                                         llvm::SmallVectorImpl<char> &code) = 0;

  /// Lets other modules use the machine of a successful compile(). The passes
  /// of the machine refer to the module until it is destroyed, so this must be
  /// called after that.
  virtual void releaseMachine(MachinePool &machines) {}

  /// Adds to `key` everything besides the module and the format on which the
  /// output of compile() depends.
  virtual void addToKey(CacheKey &key, const llvm::Module &module,
                        CodeCache &cache) const = 0;

  /// Returns the device libraries that compile() linked.
  const std::vector<std::string> &getUsedLibraries() const {
    return usedLibraries;
  }
  void setUsedLibraries(std::vector<std::string> files) {
    usedLibraries = std::move(files);
  }

protected:
  /// Appends the module as text to `code`.
  static void print(const llvm::Module &module,
                    llvm::SmallVectorImpl<char> &code);

  std::vector<std::string> usedLibraries;
};

/// Returns the chip of a target attribute ("" if no backend supports the
/// attribute).
llvm::StringRef getTargetChip(mlir::Attribute target);

/// Creates a backend. Fails, with an error at the op, for an invalid target
/// attribute.
mlir::FailureOr<std::unique_ptr<DeviceBackend>>
createAMDGPUBackend(mlir::gpu::GPUModuleOp gpuModule,
                    mlir::ROCDL::ROCDLTargetAttr target,
                    const DeviceLibraryOptions &libraries);
mlir::FailureOr<std::unique_ptr<DeviceBackend>>
createSPIRVBackend(mlir::gpu::GPUModuleOp gpuModule,
                   mlir::xevm::XeVMTargetAttr target);

} // namespace aircc

#endif // AIRCC_PIPELINE_CODEGEN_LLVM_DEVICEBACKEND_H
