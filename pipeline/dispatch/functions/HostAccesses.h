//===- HostAccesses.h - Accesses of the host to arguments -------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Code outside kernels can access only memory that host and device share.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_DISPATCH_FUNCTIONS_HOSTACCESSES_H
#define AIRCC_PIPELINE_DISPATCH_FUNCTIONS_HOSTACCESSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"

namespace aircc::dispatch {

/// The memory whose elements the host code of a function accesses: that of some
/// arguments, or any memory.
struct HostAccesses {
  llvm::BitVector arguments;
  bool any = false;
};

/// Finds the accesses of functions after bufferization.
class HostAccessAnalysis {
public:
  const HostAccesses &get(mlir::func::FuncOp function);

private:
  void visit(mlir::Operation *op, HostAccesses &accesses);
  void visitCall(mlir::func::CallOp call, HostAccesses &accesses);
  void addAccess(mlir::Value memref, HostAccesses &accesses);

  llvm::DenseMap<mlir::Operation *, HostAccesses> known;
};

} // namespace aircc::dispatch

#endif // AIRCC_PIPELINE_DISPATCH_FUNCTIONS_HOSTACCESSES_H
