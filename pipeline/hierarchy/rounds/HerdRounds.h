//===- HerdRounds.h - Run the PEs of a herd in rounds -----------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_HIERARCHY_ROUNDS_HERDROUNDS_H
#define AIRCC_PIPELINE_HIERARCHY_ROUNDS_HERDROUNDS_H

#include "pipeline/hierarchy/rounds/RoundValues.h"

namespace aircc::hierarchy {

/// Replaces `herd`, which has a constant number of PEs, with a herd of as many
/// PEs as `shape` has waves, each of which runs the PEs of all rounds.
/// `segmentBuffers` contains the operands that the segment has allocated with a
/// copy for each round, indexed by their number among the kernel operands;
/// their operand is RoundBuffer::bytes. Emits a remark with the number of
/// rounds, or an error at an op that cannot run in rounds.
mlir::LogicalResult
runInRounds(air::HerdOp herd, const RoundShape &shape, int64_t waveSize,
            const llvm::MapVector<unsigned, RoundBuffer> &segmentBuffers);

} // namespace aircc::hierarchy

#endif // AIRCC_PIPELINE_HIERARCHY_ROUNDS_HERDROUNDS_H
