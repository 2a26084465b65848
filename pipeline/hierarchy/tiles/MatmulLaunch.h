//===- MatmulLaunch.h - Launches that contain a matmul ----------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_HIERARCHY_TILES_MATMULLAUNCH_H
#define AIRCC_PIPELINE_HIERARCHY_TILES_MATMULLAUNCH_H

#include "pipeline/hierarchy/tiles/MatchMatmul.h"

#include "dialects/air/AIROps.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace aircc::hierarchy {

/// A launch that computes a matmul and nothing else except its initial value,
/// elementwise ops that compute its factors, and an elementwise op that uses
/// the result.
struct MatmulLaunch {
  Matmul matmul;
  /// The op that initially fills C; null if there is none.
  mlir::linalg::FillOp fill;
  /// The buffers of the launch, each of which holds a factor, or C until the
  /// epilogue. Without an epilogue, C is in global memory.
  llvm::SmallVector<mlir::memref::AllocOp> buffers;

  /// Erases the ops of the launch, which a kernel replaces, and its buffers.
  void erase();

  /// Returns the memref that the launch writes.
  mlir::Value getResult() const {
    mlir::linalg::GenericOp epilogue = matmul.epilogue;
    return epilogue ? epilogue.getDpsInits()[0] : matmul.c.memref;
  }
  /// Returns the ops on memrefs, in their order.
  llvm::SmallVector<mlir::Operation *> getOps() const;
};

/// Returns whether the dispatch stage created the function of `op`, so that the
/// compiler chooses which ops share a launch.
bool isInDispatchedFunction(mlir::Operation *op);

/// Matches a launch with one workgroup. Emits a remark at a contraction that
/// does not become a kernel.
std::optional<MatmulLaunch> matchMatmulLaunch(air::LaunchOp launch);

/// Moves the ops of the launch out of it, so that the kernel can be created at
/// the matmul op.
void unwrapMatmulLaunch(air::LaunchOp launch, MatmulLaunch &match);

} // namespace aircc::hierarchy

#endif // AIRCC_PIPELINE_HIERARCHY_TILES_MATMULLAUNCH_H
