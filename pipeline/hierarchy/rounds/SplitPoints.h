//===- SplitPoints.h - Where herds are split into rounds --------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A herd with more PEs than a workgroup has waves runs in rounds. At a barrier,
// all rounds must reach the same point before the first one continues, so the
// body of the herd is split there into pieces, each of which becomes a loop
// over the rounds.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_HIERARCHY_ROUNDS_SPLITPOINTS_H
#define AIRCC_PIPELINE_HIERARCHY_ROUNDS_SPLITPOINTS_H

#include "dialects/air/AIROps.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"

#include <list>

namespace aircc::hierarchy {

/// Returns true for a barrier of all PEs of a herd.
bool isSplitPoint(mlir::Operation *op);
/// Returns true if `op` is or contains a barrier of all PEs of a herd.
bool holdsSplitPoint(mlir::Operation *op);

/// A part of a block of a herd's body.
struct Piece {
  enum class Kind {
    Group,     ///< Ops that each PE executes; they become a loop over rounds.
    Barrier,   ///< A barrier of all PEs.
    Uniform,   ///< A read that controls the control flow around a barrier.
    Structure, ///< A loop or branch that contains barriers.
  };
  Kind kind = Kind::Group;
  /// The ops of a group, or the only op of another piece.
  llvm::SmallVector<mlir::Operation *> ops;
  /// Values that a group stores at its end, and the values whose slots receive
  /// them: initial values of loops, and yielded values.
  llvm::SmallVector<std::pair<mlir::Value, mlir::Value>> stores;
};

/// The pieces of a herd's body. Blocks without barriers are not split.
class HerdPieces {
public:
  /// Finds the pieces. Emits an error at a loop or branch whose barriers cannot
  /// be proven to be reached by all PEs together.
  static mlir::FailureOr<HerdPieces> find(air::HerdOp herd);

  HerdPieces(HerdPieces &&) = default;
  // Groups are identified by their addresses.
  HerdPieces(const HerdPieces &) = delete;

  /// Returns the pieces of a block with barriers, in program order.
  std::list<Piece> &of(mlir::Block *block) { return blocks[block]; }
  /// Returns the group that directly contains `op`; null for ops of other
  /// pieces.
  const Piece *getGroup(mlir::Operation *op) const {
    return groupOf.lookup(op);
  }
  /// Returns true for a read that all PEs execute with the same result.
  bool isUniformRead(mlir::Operation *op) const {
    return uniformReads.contains(op);
  }
  void forEachGroup(llvm::function_ref<void(Piece &)> visit);

private:
  HerdPieces() = default;
  mlir::LogicalResult checkControl(air::HerdOp herd);
  bool isUniform(mlir::Value value, air::HerdOp herd);
  void split(mlir::Block &block);
  Piece &openGroup(std::list<Piece> &pieces);

  llvm::MapVector<mlir::Block *, std::list<Piece>> blocks;
  llvm::DenseMap<mlir::Operation *, const Piece *> groupOf;
  llvm::SetVector<mlir::Operation *> uniformReads;
};

} // namespace aircc::hierarchy

#endif // AIRCC_PIPELINE_HIERARCHY_ROUNDS_SPLITPOINTS_H
