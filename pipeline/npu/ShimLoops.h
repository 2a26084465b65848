//===- ShimLoops.h - Loops around the transfers of shim DMAs ----*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The steps of pass air-opt-shim-dma-bds. A scope is a region that controls
// shim DMAs: the body of a function, an air.rank or an air.launch. Its shim ops
// are those outside of nested scopes and of the array, which segments and herds
// describe.
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

/// Unit attribute of the wait that ends a group of transfers.
inline constexpr llvm::StringLiteral kLaunchEnd = "air.launch_end";
/// Attribute of a launch whose space has become loops.
inline constexpr llvm::StringLiteral kDummyLaunch = "dummyLaunch";
/// Attribute of a launch: an array of tile sizes.
inline constexpr llvm::StringLiteral kTileSizes = "air.shim_dma_tile_sizes";
/// Unit attribute of a launch, and of transfers.
inline constexpr llvm::StringLiteral kPreserveOrder =
    "air.preserve_shim_dma_order";

/// Calls `visit` for each shim op of a scope, before the ops in its regions.
/// `visit` must not erase ops.
void walkShimOps(mlir::Region &scope,
                 llvm::function_ref<void(mlir::Operation *)> visit);

/// The loops of a scope that no other loop contains.
llvm::SmallVector<mlir::scf::ForOp> getOutermostLoops(mlir::Region &scope);

/// The scf.for directly in the body of the scope.
llvm::SmallVector<mlir::scf::ForOp> getShimLoops(mlir::Region &scope);

/// The bounds of a loop, if its trip count and its step are constant.
struct LoopBounds {
  air::LinearIndex lowerBound;
  int64_t step = 1;
  int64_t tripCount = 0;
};
std::optional<LoopBounds> getBounds(mlir::scf::ForOp loop);

bool isToken(mlir::Value value);

/// Whether the loop carries nothing, or one token.
bool carriesAtMostOneToken(mlir::scf::ForOp loop);

/// Whether the op moves no data and has no effects: it can be copied and
/// erased. Joins of tokens are such ops.
bool isFree(mlir::Operation &op);

/// Whether the op contains a segment or a herd, or is one.
bool holdsArrayCode(mlir::Operation *op);

/// The tokens of the block that no op waits for.
llvm::SmallVector<mlir::Value> getUnusedTokens(mlir::Block &block);

/// Returns a token for all of `tokens`; creates a join unless there is one.
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

/// Gives each scf.index_switch directly in the launch, some branch of which has
/// unused tokens, a token for the tokens of its branch (LaunchLoops.cpp).
void yieldBranchTokens(air::LaunchOp launch);

/// Makes the space of a launch a nest of loops in a launch without space.
/// Returns the new launch, or `launch` if it has no space. Fails with an error
/// for sizes that are not constant (LaunchLoops.cpp).
mlir::FailureOr<air::LaunchOp> convertLaunch(air::LaunchOp launch);

/// Unrolls parallel loops, converts affine loops to scf.for, moves linear
/// functions of loop variables into the bounds of the loops, and makes loops
/// carry the tokens of their ops (PrepareLoops.cpp).
void prepareLoops(mlir::Region &scope);

/// Splits loops with several independent async ops (SplitLoops.cpp).
void splitLoops(mlir::Region &scope);

/// Replaces the loop by copies of its body, and appends these ops to `copies`.
/// If `reduceHerds`, herds of all copies but the first keep only transfers and
/// what these need. Requires constant bounds (UnrollLoops.cpp).
void unrollLoop(mlir::scf::ForOp loop, bool reduceHerds,
                llvm::SmallVectorImpl<mlir::Operation *> &copies);

struct ShimDmaOptions {
  air::DescriptorLimits limits;
  const NpuProfile *profile = nullptr;
  /// Whether loops may become dimensions; if not, they are only unrolled.
  bool fold = true;
  /// Whether to report what cannot be lowered well.
  bool report = true;
};

/// The side of a put or get that is in memory (FoldNest.cpp).
air::AccessPattern getPattern(air::TransferInterface op);

/// Makes the lists of a transfer canonical. Fails with an error for a transfer
/// that leaves its memref or walks backward (FoldNest.cpp).
mlir::LogicalResult canonicalizeTransfer(air::ChannelAccessInterface access,
                                         const ShimDmaOptions &options);

/// If `root` begins a perfect nest of loops around one transfer that one
/// descriptor can express, replaces the nest by that transfer and returns true.
/// Fails with an error like canonicalizeTransfer (FoldNest.cpp).
mlir::FailureOr<bool> foldNest(mlir::scf::ForOp root,
                               const ShimDmaOptions &options);

/// Makes loops dimensions of the transfers in them, and unrolls other loops
/// around transfers. Makes all transfers canonical (FoldLoops.cpp).
mlir::LogicalResult foldLoops(mlir::Region &scope,
                              const ShimDmaOptions &options);
/// The loops of the perfect nest that begins with `loop`, outermost first.
llvm::SmallVector<mlir::scf::ForOp> getPerfectNest(mlir::scf::ForOp loop);

/// Tiles the perfect nest `loops` and unrolls the loops over tiles, so that a
/// blocking wait is after the transfers of each tile. `sizes` has an entry for
/// each of the first loops (TileLoops.cpp).
void tileNest(llvm::MutableArrayRef<mlir::scf::ForOp> loops,
              llvm::ArrayRef<int64_t> sizes);

/// Chooses the largest tile sizes with which each group of transfers has
/// enough descriptors (DescriptorBudget.cpp).
mlir::FailureOr<llvm::SmallVector<int64_t>>
chooseTileSizes(llvm::MutableArrayRef<mlir::scf::ForOp> loops,
                const ShimDmaOptions &options);

/// Emits a remark at the first transfer of each group with more descriptors
/// than the NPU has (DescriptorBudget.cpp).
void reportDescriptors(mlir::Region &scope, const ShimDmaOptions &options);

/// Marks the transfers of a launch whose order must be preserved
/// (TransferOrder.cpp).
void markOrderedTransfers(air::LaunchOp launch);

} // namespace aircc::npu

#endif // AIRCC_PIPELINE_NPU_SHIMLOOPS_H
