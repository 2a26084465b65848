//===- XeGPUOps.h - Layouts of XeGPU ops ------------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// XeGPU ops exist at three levels: on vectors of a workgroup, of a subgroup,
// and of a lane. The shapes of their vectors distinguish the levels; vectors of
// the first two levels are undistributed vectors in this stage.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_LAYOUT_XEGPUOPS_H
#define AIRCC_PIPELINE_LAYOUT_XEGPUOPS_H

#include "dialects/layout/LayoutDialect.h"
#include "dialects/layout/algebra/XeGPULayout.h"
#include "pipeline/layout/VectorScopes.h"

#include "mlir/Dialect/XeGPU/IR/XeGPU.h"
#include "mlir/IR/Operation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace aircc::layout {

/// Returns whether `op` is an XeGPU op that loads, stores or computes vectors
/// (or prefetches the memory of one) that belong to a subgroup or a workgroup.
/// An nd prefetch, which has no vector, is such an op if it has a layout.
bool isUndistributedXeGPUOp(mlir::Operation *op);

/// An attribute of an op that specifies the layout of one of its vectors.
struct XeGPUAnchor {
  mlir::StringRef name;
  /// The vector; null for a prefetch.
  mlir::Value value;
  /// The shape of the vector or, for a prefetch, that of the descriptor.
  llvm::SmallVector<int64_t> shape;

  mlir::xegpu::DistributeLayoutAttr getLayout(mlir::Operation *op) const {
    return op->getAttrOfType<mlir::xegpu::DistributeLayoutAttr>(name);
  }
};

/// Returns the anchors of `op`, empty for ops without such attributes.
llvm::SmallVector<XeGPUAnchor> getXeGPUAnchors(mlir::Operation *op);

/// Returns the constraints of `layout` on a vector of shape `shape`. A vector
/// may have an additional leading dimension for several adjacent blocks
/// (array_length), all of which are in every lane.
Result<PartialLayout> getPartialLayout(mlir::xegpu::DistributeLayoutAttr layout,
                                       llvm::ArrayRef<int64_t> shape);

/// Does the same for the anchor of an op. Returns nullopt if there is none.
/// Fails after an error at the op if the vector cannot have that layout.
mlir::FailureOr<std::optional<PartialLayout>>
getPartialLayout(mlir::Operation *op, const XeGPUAnchor &anchor);

/// Returns an #xegpu.layout that denotes `layout`; null if there is none.
mlir::xegpu::LayoutAttr getXeGPULayout(mlir::MLIRContext *context,
                                       const NestedLayout &layout,
                                       const Workgroup &workgroup);

/// Returns the layout of a vector that one access transfers as blocks of
/// memory: adjacent lanes along the last dimension, as far as its size allows,
/// and waves distributed over the other dimensions, starting with the first.
/// 8-bit elements come in pairs.
NestedLayout getBlockLayout(llvm::ArrayRef<int64_t> shape, unsigned elementBits,
                            const Workgroup &workgroup);

/// Whether and how a block access can transfer a vector of that layout: with
/// lanes along the last dimension or, transposed, along the one before. Loads
/// also support a column of bytes for each lane.
enum class BlockFit { None, Rows, Transposed };
BlockFit getBlockFit(NestedLayoutAttr layout, unsigned elementBits,
                     const Workgroup &workgroup, bool isLoad);
/// Returns the cost in cycles of such an access, which fits, in a lane.
double getBlockCost(NestedLayoutAttr layout, unsigned elementBits,
                    BlockFit fit);

} // namespace aircc::layout

#endif // AIRCC_PIPELINE_LAYOUT_XEGPUOPS_H
