//===- GPUModuleCompiler.h - One gpu.module through LLVM --------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a job of DeviceCodeJobs.h does.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_CODEGEN_LLVM_GPUMODULECOMPILER_H
#define AIRCC_PIPELINE_CODEGEN_LLVM_GPUMODULECOMPILER_H

#include "pipeline/codegen/llvm/DeviceBackend.h"

#include "dialects/kernel/KernelDialect.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/ADT/SmallString.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace aircc {

/// Takes one gpu.module in the LLVM dialect through LLVM, in three steps of
/// which the middle one, by far the longest, needs no MLIR and may run in any
/// thread. The gpu.module is used by the first step alone.
class GPUModuleCompiler {
public:
  /// Fails, with an error at the op, unless the module has one target that
  /// there is a backend for.
  static mlir::FailureOr<GPUModuleCompiler>
  create(mlir::gpu::GPUModuleOp gpuModule, DeviceFormat format,
         const DeviceLibraryOptions &libraries);
  GPUModuleCompiler(GPUModuleCompiler &&);
  ~GPUModuleCompiler();

  /// Makes the LLVM module. Errors are reported.
  mlir::LogicalResult translate(mlir::gpu::GPUModuleOp gpuModule);

  /// Links, optimises, generates code. Keeps what goes wrong for report().
  void compile();

  /// Reports what went wrong in compile(), at the op that it is about.
  mlir::LogicalResult report();

  /// What compile() made: text, or an object.
  llvm::SmallString<0> &getCode() { return code; }
  mlir::Location getLoc() const { return loc; }

  /// getCode() as what a gpu.binary holds.
  mlir::ArrayAttr getObjects() const;

  /// The files of device libraries that compile() linked, or null.
  mlir::ArrayAttr getUsedLibraries() const;

private:
  GPUModuleCompiler(mlir::Location loc, mlir::Attribute target,
                    std::unique_ptr<DeviceBackend> backend,
                    DeviceFormat format);

  /// LLVM's side, in an order in which it can be destroyed.
  struct LLVMState;

  mlir::Location findCall(llvm::StringRef callee) const;

  mlir::Location loc;
  mlir::Attribute target;
  /// The first call of each function and intrinsic, by the name it has in LLVM
  /// IR; the names are the context's.
  std::vector<std::pair<llvm::StringRef, mlir::Location>> calls;
  std::unique_ptr<DeviceBackend> backend;
  DeviceFormat format;
  std::unique_ptr<LLVMState> state;
  std::optional<DeviceBackend::Failure> failure;
  llvm::SmallString<0> code;
};

} // namespace aircc

#endif // AIRCC_PIPELINE_CODEGEN_LLVM_GPUMODULECOMPILER_H
