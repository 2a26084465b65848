//===- BufferAccesses.h - Reads and writes of buffers in a launch -*- C++ -*-=//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_HIERARCHY_CHANNELS_BUFFERACCESSES_H
#define AIRCC_PIPELINE_HIERARCHY_CHANNELS_BUFFERACCESSES_H

#include "dialects/air/AIROps.h"

#include "llvm/ADT/DenseMap.h"

namespace aircc::hierarchy {

/// How two ops of a launch execute relative to each other.
enum class ProgramOrder {
  Before,
  After,
  /// In the same loop or herd, so that each may precede the other.
  Interleaved
};

/// Returns when `a` executes relative to `b`.
ProgramOrder getProgramOrder(mlir::Operation *a, mlir::Operation *b);

/// Returns the buffer that a memref is a view of: an allocation, or a memref
/// that the host passes to the launch. Looks through views and arguments of
/// hierarchy ops; returns another value if the buffer is unknown.
mlir::Value getRootBuffer(mlir::Value memref);

/// The ops that read or write each buffer of a launch.
class BufferAccesses {
public:
  struct Entry {
    mlir::Operation *op;
    bool reads, writes;
  };

  explicit BufferAccesses(air::LaunchOp launch);

  /// Returns the ops that may access `root`.
  llvm::ArrayRef<Entry> lookup(mlir::Value root) const;

private:
  llvm::DenseMap<mlir::Value, llvm::SmallVector<Entry, 4>> entries;
};

} // namespace aircc::hierarchy

#endif // AIRCC_PIPELINE_HIERARCHY_CHANNELS_BUFFERACCESSES_H
