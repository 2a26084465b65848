//===- XeGPUOps.h - What XeGPU ops say about layouts ------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// XeGPU ops exist at three levels: on vectors of a workgroup, of a subgroup, of
// a lane. What tells them apart are the shapes of their vectors; the former two
// are whole vectors in the sense of this stage.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_LAYOUT_XEGPUOPS_H
#define AIRCC_PIPELINE_LAYOUT_XEGPUOPS_H

#include "dialects/layout/LayoutDialect.h"
#include "dialects/layout/algebra/XeGPULayout.h"
#include "pipeline/layout/WholeVectors.h"

#include "mlir/Dialect/XeGPU/IR/XeGPU.h"
#include "mlir/IR/Operation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace aircc::layout {

/// Whether `op` is an XeGPU op that moves or computes vectors (or prefetches
/// what would be one) and these belong to a subgroup or a workgroup as a whole.
/// Of an nd prefetch, which has no vector, only its own layout tells.
bool isWholeXeGPUOp(mlir::Operation *op);

/// An attribute of an op that says how one of its vectors is laid out.
struct XeGPUAnchor {
  mlir::StringRef name;
  /// The vector; null for a prefetch.
  mlir::Value value;
  /// Its shape; of a prefetch that of the descriptor.
  llvm::SmallVector<int64_t> shape;

  mlir::xegpu::DistributeLayoutAttr getLayout(mlir::Operation *op) const {
    return op->getAttrOfType<mlir::xegpu::DistributeLayoutAttr>(name);
  }
};

/// The attributes of `op`, empty for ops that take none.
llvm::SmallVector<XeGPUAnchor> getXeGPUAnchors(mlir::Operation *op);

/// What `layout` says of a vector of shape `shape`. A vector may have one more
/// dimension in front, that of several blocks side by side (array_length),
/// which is in every lane.
Result<PartialLayout> getPartialLayout(mlir::xegpu::DistributeLayoutAttr layout,
                                       llvm::ArrayRef<int64_t> shape);

/// The same of an op's anchor; nothing if there is none, failure after an error
/// at the op if the vector cannot be laid out so.
mlir::FailureOr<std::optional<PartialLayout>>
getPartialLayout(mlir::Operation *op, const XeGPUAnchor &anchor);

/// An #xegpu.layout that means `layout`, null where there is none.
mlir::xegpu::LayoutAttr getXeGPULayout(mlir::MLIRContext *context,
                                       const NestedLayout &layout,
                                       const Workgroup &workgroup);

/// The layout of a vector that one access moves as blocks of memory: lanes side
/// by side along the last dimension, as far as it goes, and waves dealt to the
/// others, the first one first. Elements of 8 bits come in pairs.
NestedLayout getBlockLayout(llvm::ArrayRef<int64_t> shape, unsigned elementBits,
                            const Workgroup &workgroup);

/// Whether a block access moves a vector of that layout, and how: lanes along
/// the last dimension, or, transposed, along the one before.
enum class BlockFit { None, Rows, Transposed };
BlockFit getBlockFit(NestedLayoutAttr layout, unsigned elementBits,
                     const Workgroup &workgroup);
/// Cycles of a lane for such an access, which fits.
double getBlockCost(NestedLayoutAttr layout, unsigned elementBits,
                    BlockFit fit);

} // namespace aircc::layout

#endif // AIRCC_PIPELINE_LAYOUT_XEGPUOPS_H
