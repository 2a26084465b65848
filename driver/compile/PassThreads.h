//===- PassThreads.h - Threads for passes on kernels ------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DRIVER_COMPILE_PASSTHREADS_H
#define AIRCC_DRIVER_COMPILE_PASSTHREADS_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/ThreadPool.h"

namespace aircc {

/// Returns whether passes that run on one kernel at a time can run concurrently
/// on kernels of `module`.
bool hasSeveralKernels(mlir::ModuleOp module);

/// The threads that run passes on several kernels of a program. A crash in one
/// of them is reported like a crash in the main thread and terminates the
/// process.
class PassThreads final : public llvm::ThreadPoolInterface {
public:
  explicit PassThreads(unsigned threads)
      : pool(llvm::hardware_concurrency(threads)) {}

  void wait() override { pool.wait(); }
  void wait(llvm::ThreadPoolTaskGroup &group) override { pool.wait(group); }
  unsigned getMaxConcurrency() const override {
    return pool.getMaxConcurrency();
  }

private:
  void asyncEnqueue(llvm::unique_function<void()> task,
                    llvm::ThreadPoolTaskGroup *group) override;

  llvm::StdThreadPool pool;
};

/// While this object exists, MLIR runs passes of `context` in `threads`, unless
/// that is null.
class ConcurrentPasses {
public:
  ConcurrentPasses(mlir::MLIRContext &context, PassThreads *threads);
  ConcurrentPasses(const ConcurrentPasses &) = delete;
  ~ConcurrentPasses();

private:
  mlir::MLIRContext *context;
};

} // namespace aircc

#endif // AIRCC_DRIVER_COMPILE_PASSTHREADS_H
