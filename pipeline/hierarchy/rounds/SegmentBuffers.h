//===- SegmentBuffers.h - L1 buffers of segments, for rounds ----*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Each PE has its own copy of an L1 buffer that the segment allocates and
// passes to herds. If herds run in rounds, a wave holds the copies of all its
// PEs, and segment code that accesses the buffer is repeated for each of them.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_HIERARCHY_ROUNDS_SEGMENTBUFFERS_H
#define AIRCC_PIPELINE_HIERARCHY_ROUNDS_SEGMENTBUFFERS_H

#include "pipeline/hierarchy/rounds/RoundValues.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace aircc::hierarchy {

/// For each herd, the kernel operands that have a copy for each round, indexed
/// by number.
using HerdBuffers =
    llvm::MapVector<mlir::Operation *, llvm::MapVector<unsigned, RoundBuffer>>;

/// Replaces the L1 buffers that `launch` allocates outside herds and passes to
/// one of `herds`, which run in at most `rounds` rounds. Other herds get the
/// copy of round 0. Emits an error at an op for which this is not possible.
mlir::FailureOr<HerdBuffers>
expandSegmentBuffers(air::LaunchOp launch,
                     const llvm::SetVector<mlir::Operation *> &herds,
                     int64_t rounds);

} // namespace aircc::hierarchy

#endif // AIRCC_PIPELINE_HIERARCHY_ROUNDS_SEGMENTBUFFERS_H
