//===- GPUModuleCompiler.h - One gpu.module through LLVM --------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Does the work of a job of DeviceCodeJobs.h.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_CODEGEN_LLVM_GPUMODULECOMPILER_H
#define AIRCC_PIPELINE_CODEGEN_LLVM_GPUMODULECOMPILER_H

#include "pipeline/codegen/llvm/DeviceBackend.h"
#include "pipeline/codegen/llvm/LLVMBackend.h"

#include "dialects/kernel/KernelDialect.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/ADT/SmallString.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace aircc {

/// Compiles one gpu.module in the LLVM dialect with LLVM, in three steps. The
/// second step, by far the longest, does not need MLIR and may run in any
/// thread. Only the first step uses the gpu.module.
class GPUModuleCompiler {
public:
  /// Fails, with an error at the op, unless the module has exactly one target
  /// and a backend supports it.
  static mlir::FailureOr<GPUModuleCompiler>
  create(mlir::gpu::GPUModuleOp gpuModule, DeviceFormat format,
         const DeviceLibraryOptions &libraries);
  GPUModuleCompiler(GPUModuleCompiler &&) noexcept;
  ~GPUModuleCompiler();

  /// Creates the LLVM module. Errors are reported.
  mlir::LogicalResult translate(mlir::gpu::GPUModuleOp gpuModule);

  /// Links, optimizes, generates code, and destroys the LLVM module. Keeps
  /// errors for report(). If `cache` is not null, takes the result from it or
  /// stores it there.
  void compile(CodeCache *cache, MachinePool &machines);

  /// Reports the errors of compile() at the ops to which they refer.
  mlir::LogicalResult report();

  /// Returns the output of compile(): text, or an object.
  llvm::SmallString<0> &getCode() { return code; }
  mlir::Location getLoc() const { return loc; }

  /// Returns getCode() in the form for a gpu.binary.
  mlir::ArrayAttr getObjects() const;

  /// Returns the files of device libraries that compile() linked, or null.
  mlir::ArrayAttr getUsedLibraries() const;

private:
  GPUModuleCompiler(mlir::Location loc, mlir::Attribute target,
                    std::unique_ptr<DeviceBackend> backend,
                    DeviceFormat format);

  /// The LLVM objects, in an order in which they can be destroyed.
  struct LLVMState;

  std::string getCacheKey(CodeCache &cache) const;
  bool restore(llvm::StringRef entry);
  void store(CodeCache &cache, llvm::StringRef key) const;
  mlir::Location findCall(llvm::StringRef callee) const;

  mlir::Location loc;
  mlir::Attribute target;
  /// The first call of each function and intrinsic, by its name in LLVM IR; the
  /// context owns the names.
  std::vector<std::pair<llvm::StringRef, mlir::Location>> calls;
  std::unique_ptr<DeviceBackend> backend;
  DeviceFormat format;
  std::unique_ptr<LLVMState> state;
  std::optional<DeviceBackend::Failure> failure;
  std::vector<LLVMMessage> messages;
  llvm::SmallString<0> code;
};

} // namespace aircc

#endif // AIRCC_PIPELINE_CODEGEN_LLVM_GPUMODULECOMPILER_H
