//===- AsyncWaits.h - Waits for direct transfers ----------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_DISTRIBUTION_ASYNC_ASYNCWAITS_H
#define AIRCC_PIPELINE_DISTRIBUTION_ASYNC_ASYNCWAITS_H

#include "dialects/layout/LayoutOps.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/ADT/DenseMap.h"

namespace aircc::distribution {

/// Creates the waits for the transfers of a kernel.
class AsyncWaits {
public:
  /// Analyzes the kernel before its transfers are lowered.
  explicit AsyncWaits(mlir::gpu::GPUFuncOp kernel);

  /// Sets the number of loads of each wave for a transfer; 0 if it differs
  /// between waves.
  void setLoads(layout::AsyncDmaOp op, int64_t loads) {
    loadsOf[op.getOperation()] = loads;
  }

  /// Lowers layout.async_wait, and inserts a wait before each barrier at which
  /// loads may be outstanding, unless the program has already waited. Barriers
  /// at which only counted loads are outstanding do not wait for them.
  void lower();

  /// Removes the waits, for targets without direct loads.
  void erase();
  bool empty() const { return waits.empty(); }

private:
  using Path = llvm::SmallVector<mlir::Operation *>;

  /// A layout.async_wait, and the transfers that may be outstanding after it,
  /// for each control-flow path that reaches it.
  struct Wait {
    layout::AsyncWaitOp op;
    llvm::SmallVector<Path> paths;
  };
  /// A loop whose body was visited, and the number of transfers found before.
  using LoopVisit = std::pair<mlir::Operation *, size_t>;
  void collectTransfers(mlir::Operation *before, mlir::Block *block, Path path,
                        llvm::ArrayRef<LoopVisit> loops, Wait &wait);

  mlir::gpu::GPUFuncOp kernel;
  llvm::SmallVector<Wait> waits;
  llvm::DenseMap<mlir::Operation *, int64_t> loadsOf;
};

} // namespace aircc::distribution

#endif // AIRCC_PIPELINE_DISTRIBUTION_ASYNC_ASYNCWAITS_H
