//===- RoundValues.h - Values of PEs across rounds --------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A value that a PE computes in one group and uses in another is either
// recomputed there or stored in a slot, which is an L1 buffer with one element
// for each round. An L1 buffer that several groups use gets one copy for each
// round.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_HIERARCHY_ROUNDS_ROUNDVALUES_H
#define AIRCC_PIPELINE_HIERARCHY_ROUNDS_ROUNDVALUES_H

#include "pipeline/hierarchy/rounds/SplitPoints.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/MapVector.h"

namespace aircc::hierarchy {

/// How a herd runs in rounds. PE number `round * waves + wave` runs in `round`
/// on `wave`; numbering varies the first dimension of the herd fastest.
struct RoundShape {
  int64_t pes = 0;
  int64_t waves = 0;
  int64_t rounds = 0;
};

/// The bytes of L1 that hold a wave's copies of a buffer for all rounds.
struct RoundBuffer {
  mlir::Value bytes;     ///< A memref<Nxi8>.
  int64_t perRound = 0;  ///< The bytes of one copy.
  mlir::MemRefType type; ///< The type of the buffer.
  /// The dynamic sizes of the buffer, as values in the old herd's body.
  llvm::SmallVector<mlir::Value> sizes;
};

/// Creates the allocation of a buffer of `type` for all rounds at the insertion
/// point of `b`. `alloc`, the buffer's allocation, determines its size. Emits
/// an error at `alloc` if the size has no known bound.
mlir::FailureOr<RoundBuffer>
createRoundBuffer(mlir::OpBuilder &b, mlir::Operation *alloc, int64_t rounds);
/// Creates a view of the copy for `round` that has the buffer's type.
mlir::Value createRoundView(mlir::OpBuilder &b, mlir::Location loc,
                            const RoundBuffer &buffer, mlir::Value round,
                            mlir::ValueRange sizes);

/// A group in the new herd, while its ops are moved there.
struct RoundGroup {
  const Piece *piece = nullptr;
  mlir::Value round;
  /// The ids of the PE, one for each dimension of the old herd.
  llvm::SmallVector<mlir::Value> ids;
  /// The values of other groups that are available in this one.
  mlir::IRMapping values;
};

/// The values of one herd.
class RoundValues {
public:
  RoundValues(air::HerdOp herd, HerdPieces &pieces, int64_t rounds)
      : herd(herd), pieces(pieces), rounds(rounds) {}

  /// Decides how to handle each value that is live across groups. Emits an
  /// error at a value that can be neither recomputed nor stored.
  mlir::LogicalResult analyze();
  /// Allocates slots and buffers at the insertion point of `b`.
  mlir::LogicalResult allocate(mlir::OpBuilder &b);

  /// Declares that `value` of the old herd is `outside` in all rounds. Used for
  /// arguments, induction variables and uniform reads.
  void setUniform(mlir::Value value, mlir::Value outside) {
    uniform.map(value, outside);
  }
  /// Declares that a kernel argument has a copy for each round.
  void setBuffer(mlir::Value argument, RoundBuffer buffer) {
    buffers[argument] = std::move(buffer);
  }

  /// Returns `value` of the old herd in `group`, at the insertion point of `b`.
  mlir::Value get(mlir::OpBuilder &b, mlir::Value value, RoundGroup &group);
  /// Returns a uniform value outside rounds.
  mlir::Value getUniform(mlir::OpBuilder &b, mlir::Value value);
  /// Stores `value` in the slot of `slot`, if that is used.
  void store(mlir::OpBuilder &b, mlir::Value value, mlir::Value slot,
             mlir::Value round);
  /// Returns true for allocations that allocate() has replaced.
  bool isBuffer(mlir::Operation *alloc) const {
    return alloc->getNumResults() && buffers.count(alloc->getResult(0));
  }
  bool hasSlot(mlir::Value value) const { return slots.count(value); }
  /// Returns the number of bytes of slots and buffers for one PE.
  int64_t getBytesPerPE() const { return bytesPerPE; }

private:
  mlir::LogicalResult require(mlir::Value value, const Piece *group,
                              mlir::Operation *user);
  bool isAvailable(mlir::Value value, const Piece *group);
  bool isCheap(mlir::Value value, unsigned &budget);
  mlir::LogicalResult requireSlot(mlir::Value value, mlir::Operation *user);
  bool isSinkable(mlir::Value buffer);
  mlir::Value createAgain(mlir::OpBuilder &b, mlir::Value value,
                          llvm::function_ref<mlir::Value(mlir::Value)> get);

  air::HerdOp herd;
  HerdPieces &pieces;
  const int64_t rounds;
  int64_t bytesPerPE = 0;
  /// The slots, which are null before allocate().
  llvm::MapVector<mlir::Value, mlir::Value> slots;
  /// The buffers that have a copy for each round.
  llvm::MapVector<mlir::Value, RoundBuffer> buffers;
  /// The groups that use the buffers, except those that allocate them.
  llvm::MapVector<mlir::Value, llvm::SetVector<const Piece *>> bufferGroups;
  /// The operands of ops in groups, before they were moved.
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<mlir::Value>> oldOperands;
  /// The ops that define recomputed values.
  llvm::SetVector<mlir::Operation *> recomputed;
  mlir::IRMapping uniform;
};

} // namespace aircc::hierarchy

#endif // AIRCC_PIPELINE_HIERARCHY_ROUNDS_ROUNDVALUES_H
