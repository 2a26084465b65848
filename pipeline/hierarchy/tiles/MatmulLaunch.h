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

/// A launch that computes a matmul and nothing else, but for the initial value
/// of its result and an elementwise op that uses the result.
struct MatmulLaunch {
  Matmul matmul;
  /// The op that fills C before; null if there is none.
  mlir::linalg::FillOp fill;
  /// The buffer of the launch that holds C until the epilogue; null if C is in
  /// global memory, and there is no epilogue.
  mlir::memref::AllocOp tile;
  mlir::memref::DeallocOp dealloc;

  /// The memref that the launch writes.
  mlir::Value getResult() const {
    mlir::linalg::GenericOp epilogue = matmul.epilogue;
    return epilogue ? epilogue.getDpsInits()[0] : matmul.c.memref;
  }
  /// The ops on memrefs, in their order.
  llvm::SmallVector<mlir::Operation *> getOps() const;
};

/// Whether the dispatch stage made the function of `op`, so that the compiler
/// chooses which ops share a launch.
bool isInDispatchedFunction(mlir::Operation *op);

/// Matches a launch with one workgroup. A contraction that does not become a
/// kernel gets a remark.
std::optional<MatmulLaunch> matchMatmulLaunch(air::LaunchOp launch);

/// Moves the ops of the launch out of it, so that the kernel can be created at
/// the op of the matmul.
void unwrapMatmulLaunch(air::LaunchOp launch, MatmulLaunch &match);

} // namespace aircc::hierarchy

#endif // AIRCC_PIPELINE_HIERARCHY_TILES_MATMULLAUNCH_H
