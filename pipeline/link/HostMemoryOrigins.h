//===- HostMemoryOrigins.h - Where a buffer was allocated -------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A forward data-flow analysis that computes, for each memref in host code, the
// ops that may have allocated its memory. It looks through views, casts,
// selects, control flow, and calls and returns within the module.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_LINK_HOSTMEMORYORIGINS_H
#define AIRCC_PIPELINE_LINK_HOSTMEMORYORIGINS_H

#include "mlir/Analysis/DataFlow/SparseAnalysis.h"
#include "llvm/ADT/SetVector.h"

namespace aircc {

/// The ops that may have allocated the memory of one value.
class MemoryOrigins : public mlir::dataflow::AbstractSparseLattice {
public:
  using AbstractSparseLattice::AbstractSparseLattice;

  /// Returns allocations, and ops that return other memory (memref.get_global).
  llvm::ArrayRef<mlir::Operation *> getOps() const { return ops.getArrayRef(); }
  /// Returns whether the memory may also come from outside the module.
  bool isUnknown() const { return unknown; }

  mlir::ChangeResult add(mlir::Operation *op);
  mlir::ChangeResult addUnknown();
  mlir::ChangeResult
  join(const mlir::dataflow::AbstractSparseLattice &other) override;
  void print(llvm::raw_ostream &os) const override;

private:
  llvm::SmallSetVector<mlir::Operation *, 2> ops;
  bool unknown = false;
};

class MemoryOriginAnalysis
    : public mlir::dataflow::SparseForwardDataFlowAnalysis<MemoryOrigins> {
public:
  /// With `wholeProgram`, nothing outside the module calls its functions.
  MemoryOriginAnalysis(mlir::DataFlowSolver &solver, bool wholeProgram)
      : SparseForwardDataFlowAnalysis(solver), wholeProgram(wholeProgram) {}

  mlir::LogicalResult
  visitOperation(mlir::Operation *op,
                 llvm::ArrayRef<const MemoryOrigins *> operands,
                 llvm::ArrayRef<MemoryOrigins *> results) override;
  void setToEntryState(MemoryOrigins *lattice) override;

protected:
  /// Unlike the upstream function, also joins the calls within the module into
  /// the arguments of functions that external code may call.
  void
  visitCallableOperation(mlir::CallableOpInterface callable,
                         llvm::ArrayRef<mlir::dataflow::AbstractSparseLattice *>
                             arguments) override;

private:
  bool wholeProgram;
};

} // namespace aircc

#endif // AIRCC_PIPELINE_LINK_HOSTMEMORYORIGINS_H
