//===- DeviceCodeJobs.h - Background compilation of kernels -----*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// LLVM's backends take most of the compile time and do not use MLIR, so
// background threads compile gpu.modules while passes lower the host code.
// Until its code is available, a gpu.binary holds an object without bytes and
// names its job:
//
//   gpu.binary @kernels {air.device_code_job = distinct[0]<>}
//       [#gpu.object<#rocdl.target, bin = "">]
//
// Stage codegen starts the jobs; a consumer of the bytes finishes them. The
// jobs belong to the MLIR context. A distinct attribute that is parsed is
// always a new one, so text can never name a job of another module.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_CODEGEN_DEVICECODEJOBS_H
#define AIRCC_PIPELINE_CODEGEN_DEVICECODEJOBS_H

#include "pipeline/codegen/llvm/GPUModuleCompiler.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/ThreadPool.h"
#include "llvm/Support/Threading.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace aircc {

/// Replaces the code that a job has produced, for instance with a linked form
/// of it.
using DeviceCodeStep =
    std::function<llvm::Error(llvm::SmallVectorImpl<char> &code)>;

/// How the jobs of a context run. The generated code does not depend on it.
struct DeviceCodeSettings {
  /// The number of threads that compile at the same time, including the one
  /// that finishes the jobs. With 1, that thread runs all jobs.
  unsigned threads = llvm::hardware_concurrency().compute_thread_count();
  /// The other threads, which several contexts may share. If null, a pool is
  /// created when threads are needed.
  std::shared_ptr<llvm::DefaultThreadPool> pool;
  /// Called after each job, in any thread, with the number of finished jobs and
  /// the total number of jobs.
  std::function<void(unsigned done, unsigned total)> onProgress;
  /// The cache with the results of earlier jobs; null for no cache.
  std::shared_ptr<CodeCache> cache;
};

/// Must be called before the first job is started.
void configureDeviceCodeJobs(mlir::MLIRContext &context,
                             DeviceCodeSettings settings);

/// Increases the number of jobs that onProgress reports.
void announceDeviceCodeJobs(mlir::MLIRContext &context, unsigned count);

/// Replaces the compiler's gpu.module with a gpu.binary and compiles it as soon
/// as a thread is free. The module must have been translated. If many jobs are
/// waiting, runs one of them.
mlir::gpu::BinaryOp startDeviceCodeJob(mlir::gpu::GPUModuleOp gpuModule,
                                       GPUModuleCompiler compiler);

/// Replaces `gpuModule` with a gpu.binary that gets the code of `binary`, which
/// startDeviceCodeJob returned for a gpu.module that differs only in its name.
void shareDeviceCodeJob(mlir::gpu::GPUModuleOp gpuModule,
                        mlir::gpu::BinaryOp binary);

/// Returns whether an unfinished job produces the code of `binary`.
bool isPending(mlir::gpu::BinaryOp binary);

/// Returns whether isPending() is true for any gpu.binary of `module`.
bool hasPendingCode(mlir::ModuleOp module);

/// The CPU time of a finished job, in seconds.
struct DeviceCodeTime {
  std::string module;
  double seconds;
};

/// Returns the times of the finished jobs, in the order in which they were
/// finished.
std::vector<DeviceCodeTime> getDeviceCodeTimes(mlir::MLIRContext &context);

/// Makes the job of `binary` apply `step` to the code, unless compilation
/// fails. finishDeviceCode reports an error of the step. Steps do not use MLIR
/// and run in any thread.
mlir::LogicalResult addDeviceCodeStep(mlir::gpu::BinaryOp binary,
                                      DeviceCodeStep step);

/// Waits for the jobs of all gpu.binary ops of `module`, in the order of the
/// ops, reports their errors and warnings, and puts the code into the
/// gpu.binary ops. A crash in a job is reported at its gpu.module and then
/// repeated here, where the caller guards against crashes.
mlir::LogicalResult finishDeviceCode(mlir::ModuleOp module);

/// Enables contexts of `registry` to have jobs.
void registerDeviceCodeJobs(mlir::DialectRegistry &registry);

} // namespace aircc

#endif // AIRCC_PIPELINE_CODEGEN_DEVICECODEJOBS_H
