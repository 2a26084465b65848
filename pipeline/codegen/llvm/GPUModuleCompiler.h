//===- GPUModuleCompiler.h - One gpu.module through LLVM --------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Used by the pass that makes gpu.binary ops, and by the link stage where it
// compiles device and host code at the same time.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_CODEGEN_LLVM_GPUMODULECOMPILER_H
#define AIRCC_PIPELINE_CODEGEN_LLVM_GPUMODULECOMPILER_H

#include "pipeline/codegen/llvm/DeviceBackend.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/ADT/SmallString.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace aircc {

/// Takes one gpu.module in the LLVM dialect through LLVM, in three
/// steps of which the middle one, by far the longest, does without MLIR and may
/// run in any thread. The module is not changed by them.
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
  mlir::LogicalResult translate();

  /// Links, optimises, generates code. Keeps what goes wrong for report().
  void compile();

  /// Reports what went wrong in compile(), at the op that it is about.
  mlir::LogicalResult report();

  /// What compile() made: text, or an object.
  llvm::SmallString<0> &getCode() { return code; }
  mlir::gpu::GPUModuleOp getModule() { return gpuModule; }

  /// Puts a gpu.binary with getCode() in the module's place.
  void replaceModule();

private:
  GPUModuleCompiler(mlir::gpu::GPUModuleOp gpuModule,
                    std::unique_ptr<DeviceBackend> backend,
                    DeviceFormat format);

  /// LLVM's side, in an order in which it can be destroyed.
  struct LLVMState;

  mlir::Location findCall(llvm::StringRef callee);

  mlir::gpu::GPUModuleOp gpuModule;
  std::unique_ptr<DeviceBackend> backend;
  DeviceFormat format;
  std::unique_ptr<LLVMState> state;
  std::optional<DeviceBackend::Failure> failure;
  llvm::SmallString<0> code;
};

} // namespace aircc

#endif // AIRCC_PIPELINE_CODEGEN_LLVM_GPUMODULECOMPILER_H
