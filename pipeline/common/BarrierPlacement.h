//===- BarrierPlacement.h - Find the ops that need a barrier ----*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Walks a program, tracks the accesses since the last barrier, and finds the
// ops that conflict with one of them.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_COMMON_BARRIERPLACEMENT_H
#define AIRCC_PIPELINE_COMMON_BARRIERPLACEMENT_H

#include "pipeline/analysis/MemoryAccess.h"

#include "llvm/ADT/SetVector.h"

namespace aircc {

/// An access that is pending, which means made since the last barrier, or the
/// next access.
struct Access : MemoryAccess {
  explicit Access(const MemoryAccess &access) : MemoryAccess(access) {}

  mlir::Operation *herd = nullptr; ///< The herd that contains lane code.
  /// Whether the access was made in an earlier iteration of a loop, and hence
  /// by an earlier execution of `herd`.
  bool earlier = false;
  /// Whether all accesses to the buffer are known, because only ops with the
  /// buffer or a view of it as an operand access it.
  bool isTraced = false;

  bool operator==(const Access &) const = default;
};

/// The accesses since the last barrier.
class Pending {
public:
  void clear() { accesses.clear(); }
  /// Like clear(), but for a barrier that orders only LDS or only global
  /// memory.
  void order(bool lds, bool global);
  /// Returns true if a pending access must be ordered with one of `others`.
  bool conflictsWith(llvm::ArrayRef<Access> others) const;
  /// Adds accesses. Returns true if one of them is new.
  bool add(llvm::ArrayRef<Access> others) {
    bool isNew = false;
    for (const Access &access : others)
      if (!llvm::is_contained(accesses, access)) {
        accesses.push_back(access);
        isNew = true;
      }
    return isNew;
  }
  llvm::ArrayRef<Access> get() const { return accesses; }
  /// Returns the pending accesses as the next iteration of a loop sees them.
  llvm::SmallVector<Access> getForNextIteration() const {
    llvm::SmallVector<Access> earlier(accesses);
    for (Access &access : earlier)
      access.earlier = true;
    return earlier;
  }

private:
  llvm::SmallVector<Access> accesses;
};

/// Finds the ops that need a barrier before them.
class BarrierPlacement {
public:
  virtual ~BarrierPlacement() = default;

  void walk(mlir::Region &region, Pending &pending);
  /// Returns the ops that need a barrier before them, in the order found.
  llvm::ArrayRef<mlir::Operation *> getPlaces() const {
    return places.getArrayRef();
  }

protected:
  /// Updates `pending` for an op of the program.
  virtual void visit(mlir::Operation *op, Pending &pending) = 0;
  /// Visits an op whose regions all workers execute together.
  void visitStructure(mlir::Operation *op, Pending &pending);
  /// Visits an op that makes `accesses` in any order.
  void add(mlir::Operation *op, llvm::ArrayRef<Access> accesses,
           Pending &pending);

private:
  llvm::SetVector<mlir::Operation *> places;
};

} // namespace aircc

#endif // AIRCC_PIPELINE_COMMON_BARRIERPLACEMENT_H
