//===- ShimLoops.h - Loops around the transfers of shim DMAs ----*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The steps of pass air-opt-shim-dma-bds. A scope is a region that controls
// shim DMAs: the body of a function, an air.rank or an air.launch. Its shim ops
// are those outside nested scopes and outside the array, which segments and
// herds describe.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_NPU_SHIMLOOPS_H
#define AIRCC_PIPELINE_NPU_SHIMLOOPS_H

#include "targets/NpuProfile.h"

#include "dialects/air/AIROps.h"
#include "dialects/air/Descriptor.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <map>
#include <optional>

namespace aircc::npu {

//===----------------------------------------------------------------------===//
// Scopes and loops (ShimLoops.cpp)
//===----------------------------------------------------------------------===//

/// The unit attribute of the wait that ends a group of transfers.
inline constexpr llvm::StringLiteral kLaunchEnd = "air.launch_end";
/// The attribute of a launch whose space has become loops.
inline constexpr llvm::StringLiteral kDummyLaunch = "dummyLaunch";
/// The attribute of a launch that holds an array of tile sizes.
inline constexpr llvm::StringLiteral kTileSizes = "air.shim_dma_tile_sizes";
/// The unit attribute of a launch, and of transfers, whose order must be
/// preserved.
inline constexpr llvm::StringLiteral kPreserveOrder =
    "air.preserve_shim_dma_order";

/// Calls `visit` for each shim op of a scope, before the ops in its regions.
/// `visit` must not erase ops.
void walkShimOps(mlir::Region &scope,
                 llvm::function_ref<void(mlir::Operation *)> visit);

/// Returns the loops of a scope that no other loop contains.
llvm::SmallVector<mlir::scf::ForOp> getOutermostLoops(mlir::Region &scope);

/// Returns the scf.for directly in the body of the scope.
llvm::SmallVector<mlir::scf::ForOp> getShimLoops(mlir::Region &scope);

/// The bounds of a loop, if its trip count and its step are constant.
struct LoopBounds {
  air::LinearIndex lowerBound;
  int64_t step = 1;
  int64_t tripCount = 0;
};
std::optional<LoopBounds> getBounds(mlir::scf::ForOp loop);

bool isToken(mlir::Value value);

/// Returns whether the loop carries nothing, or one token.
bool carriesAtMostOneToken(mlir::scf::ForOp loop);

/// Returns whether the op moves no data and has no effects, so that it can be
/// copied and erased. Joins of tokens are such ops.
bool isFree(mlir::Operation &op);

/// Returns whether the op contains a segment or a herd, or is one.
bool holdsArrayCode(mlir::Operation *op);

/// Returns the tokens of the block that no op waits for.
llvm::SmallVector<mlir::Value> getUnusedTokens(mlir::Block &block);

/// Returns a token for all of `tokens`. Creates a join if necessary.
mlir::Value joinTokens(mlir::OpBuilder &b, mlir::Location loc,
                       mlir::ValueRange tokens);

/// Creates a wait that ends a group of transfers.
void createGroupEnd(mlir::OpBuilder &b, mlir::Location loc,
                    mlir::ValueRange tokens);

/// A channel, its indices as text, and whether data is put into it.
using ChannelElement = std::tuple<std::string, std::string, bool>;
ChannelElement getChannelElement(air::ChannelAccessInterface access);

//===----------------------------------------------------------------------===//
// The steps
//===----------------------------------------------------------------------===//

/// For each scf.index_switch directly in the launch with unused tokens in some
/// branch, adds a result token that waits for the tokens of the branch
/// (LaunchLoops.cpp).
void yieldBranchTokens(air::LaunchOp launch);

/// Converts the space of a launch to a nest of loops in a launch without space.
/// Returns the new launch, or `launch` if it has no space. Emits an error for
/// sizes that are not constant (LaunchLoops.cpp).
mlir::FailureOr<air::LaunchOp> convertLaunch(air::LaunchOp launch);

/// Unrolls parallel loops, converts affine loops to scf.for, moves linear
/// functions of loop variables into the bounds of the loops, and makes loops
/// carry the tokens of their ops (PrepareLoops.cpp).
void prepareLoops(mlir::Region &scope);

/// Splits loops with several independent async ops (SplitLoops.cpp).
void splitLoops(mlir::Region &scope);

/// Replaces the loop with copies of its body, and appends these ops to
/// `copies`. If `reduceHerds` is set, herds of all copies but the first keep
/// only transfers and what these need. Requires constant bounds
/// (UnrollLoops.cpp).
void unrollLoop(mlir::scf::ForOp loop, bool reduceHerds,
                llvm::SmallVectorImpl<mlir::Operation *> &copies);

struct ShimDmaOptions {
  air::DescriptorLimits limits;
  const NpuProfile *profile = nullptr;
  /// Whether loops may become dimensions; otherwise, they are only unrolled.
  bool fold = true;
  /// Whether to report what cannot be lowered well.
  bool report = true;
};

/// Returns the side of a put or get that is in memory (FoldNest.cpp).
air::AccessPattern getPattern(air::TransferInterface op);

/// Canonicalizes the lists of a transfer. Emits an error for a transfer that
/// leaves its memref or walks backward (FoldNest.cpp).
mlir::LogicalResult canonicalizeTransfer(air::ChannelAccessInterface access,
                                         const ShimDmaOptions &options);

/// If `root` begins a perfect nest of loops around one transfer that one
/// descriptor can express, replaces the nest with that transfer and returns
/// true. Fails like canonicalizeTransfer (FoldNest.cpp).
mlir::FailureOr<bool> foldNest(mlir::scf::ForOp root,
                               const ShimDmaOptions &options);

/// Turns loops into dimensions of the transfers in them, and unrolls other
/// loops around transfers. Canonicalizes all transfers (FoldLoops.cpp).
mlir::LogicalResult foldLoops(mlir::Region &scope,
                              const ShimDmaOptions &options);
/// Returns the loops of the perfect nest that begins with `loop`, outermost
/// first.
llvm::SmallVector<mlir::scf::ForOp> getPerfectNest(mlir::scf::ForOp loop);

/// Tiles the perfect nest `loops` and unrolls the loops over tiles, so that a
/// blocking wait follows the transfers of each tile. `sizes` has an entry for
/// each of the first loops (TileLoops.cpp).
void tileNest(llvm::MutableArrayRef<mlir::scf::ForOp> loops,
              llvm::ArrayRef<int64_t> sizes);

/// Chooses the largest tile sizes with which each group of transfers has
/// enough descriptors (DescriptorBudget.cpp).
mlir::FailureOr<llvm::SmallVector<int64_t>>
chooseTileSizes(llvm::MutableArrayRef<mlir::scf::ForOp> loops,
                const ShimDmaOptions &options);

/// Emits a remark at the first transfer of each group that has more descriptors
/// than the NPU provides (DescriptorBudget.cpp).
void reportDescriptors(mlir::Region &scope, const ShimDmaOptions &options);

/// Marks the transfers of a launch whose order must be preserved
/// (TransferOrder.cpp).
void markOrderedTransfers(air::LaunchOp launch);

} // namespace aircc::npu

#endif // AIRCC_PIPELINE_NPU_SHIMLOOPS_H
