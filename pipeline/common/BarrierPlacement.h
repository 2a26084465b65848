//===- BarrierPlacement.h - Where accesses need barriers --------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Walks a program, keeps the accesses that no barrier separates from what comes
// next, and finds the ops whose accesses conflict with one of them.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_COMMON_BARRIERPLACEMENT_H
#define AIRCC_PIPELINE_COMMON_BARRIERPLACEMENT_H

#include "pipeline/analysis/MemoryAccess.h"

#include "llvm/ADT/SetVector.h"

namespace aircc {

/// An access that has been made since the last barrier, or that comes next.
struct Access : MemoryAccess {
  explicit Access(const MemoryAccess &access) : MemoryAccess(access) {}

  mlir::Operation *herd = nullptr; ///< The herd whose lane code it is in.
  /// Made in an earlier iteration of a loop: by an earlier run of `herd`.
  bool earlier = false;
  /// To a buffer of which all accesses are known: no op can access it but those
  /// that take it, or a view of it, as an operand.
  bool isTraced = false;

  bool operator==(const Access &) const = default;
};

/// The accesses that no barrier separates from what comes next.
class Pending {
public:
  void clear() { accesses.clear(); }
  /// The same as clear() for a barrier that orders only LDS, or only global
  /// memory.
  void order(bool lds, bool global);
  /// True if one of them and one of `others` must be ordered.
  bool conflictsWith(llvm::ArrayRef<Access> others) const;
  /// True if something was new.
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
  /// The same, seen from the next iteration of a loop.
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
  /// Ops that need a barrier before them, in the order they were found.
  llvm::ArrayRef<mlir::Operation *> getPlaces() const {
    return places.getArrayRef();
  }

protected:
  /// Updates `pending` for an op of the program.
  virtual void visit(mlir::Operation *op, Pending &pending) = 0;
  /// An op whose regions the workers run together.
  void visitStructure(mlir::Operation *op, Pending &pending);
  /// An op that makes `accesses`, in any order.
  void add(mlir::Operation *op, llvm::ArrayRef<Access> accesses,
           Pending &pending);

private:
  llvm::SetVector<mlir::Operation *> places;
};

} // namespace aircc

#endif // AIRCC_PIPELINE_COMMON_BARRIERPLACEMENT_H
