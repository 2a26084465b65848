//===- AsyncWaits.h - Waits for transfers to LDS ----------------*- C++ -*-===//
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

/// The waits for the transfers of a kernel.
class AsyncWaits {
public:
  /// Looks at the program while its transfers are still ops.
  explicit AsyncWaits(mlir::gpu::GPUFuncOp kernel);

  /// Says how many loads each wave makes for a transfer; 0 where not all make
  /// as many.
  void setLoads(layout::AsyncDmaOp op, int64_t loads) {
    loadsOf[op.getOperation()] = loads;
  }

  /// Makes waits of layout.async_wait, and puts one before each barrier that
  /// loads may be under way at, unless the program has waited since. Barriers
  /// that only counted loads are under way at wait for none of them.
  void lower();

  /// Removes the ops, where no transfer is a load to wait for.
  void erase();
  bool empty() const { return waits.empty(); }

private:
  using Path = llvm::SmallVector<mlir::Operation *>;

  /// A layout.async_wait, and the transfers that may be under way after it, for
  /// each way that leads there.
  struct Wait {
    layout::AsyncWaitOp op;
    llvm::SmallVector<Path> paths;
  };
  /// A loop whose turn was gone back over, and the transfers known before.
  using LoopVisit = std::pair<mlir::Operation *, size_t>;
  void collectTransfers(mlir::Operation *before, mlir::Block *block, Path path,
                        llvm::ArrayRef<LoopVisit> loops, Wait &wait);

  mlir::gpu::GPUFuncOp kernel;
  llvm::SmallVector<Wait> waits;
  llvm::DenseMap<mlir::Operation *, int64_t> loadsOf;
};

} // namespace aircc::distribution

#endif // AIRCC_PIPELINE_DISTRIBUTION_ASYNC_ASYNCWAITS_H
