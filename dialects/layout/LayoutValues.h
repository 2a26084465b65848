//===- LayoutValues.h - The layouts that values carry -----------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A value's layout is kept on its defining op, or, for the arguments of loops,
// on the loop: see the description of the dialect.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DIALECTS_LAYOUT_LAYOUTVALUES_H
#define AIRCC_DIALECTS_LAYOUT_LAYOUTVALUES_H

#include "dialects/layout/LayoutDialect.h"

#include "mlir/IR/Operation.h"
#include "mlir/IR/Value.h"

namespace aircc::layout {

/// On an op: one entry for each result, a NestedLayoutAttr or `unit`.
inline constexpr llvm::StringLiteral kResultLayoutsAttr =
    LayoutDialect::ResultsAttrHelper::getNameStr();
/// On a gpu.func or an op: a ScopeAttr.
inline constexpr llvm::StringLiteral kScopeAttr =
    LayoutDialect::ScopeAttrHelper::getNameStr();
/// On a vector.contract, an xegpu.dpas or a layout.scaled_contract: a
/// StringAttr, the name of a matrix instruction in the target's profile.
inline constexpr llvm::StringLiteral kMatrixInstructionAttr =
    LayoutDialect::MatrixInstructionAttrHelper::getNameStr();

/// On an op that names a block of memory but no vector of it (a prefetch): a
/// NestedLayoutAttr, which worker accesses what part of the block.
inline constexpr llvm::StringLiteral kAccessLayoutAttr =
    LayoutDialect::AccessAttrHelper::getNameStr();
/// On an op with layout attributes of its dialect's own: an ArrayAttr, the
/// names of those that no user wrote.
inline constexpr llvm::StringLiteral kDefaultsAttr =
    LayoutDialect::DefaultsAttrHelper::getNameStr();
/// On a gpu.func: all its direct-to-LDS loads come from layout.async_dma, and
/// the waits for them have been placed. Whoever reads the tile elsewhere than
/// behind such a wait has no right to find it there.
inline constexpr llvm::StringLiteral kPlacedWaitsAttr =
    LayoutDialect::PlacedWaitsAttrHelper::getNameStr();

/// On an amdgpu.gather_to_lds: it comes from a transfer that is `counted`.
inline constexpr llvm::StringLiteral kCountedAttr =
    LayoutDialect::CountedAttrHelper::getNameStr();

/// On a vector.contract: a ContractionStrategyAttr. On a vector.transfer_read
/// or an xegpu.prefetch_nd: a TileTransferAttr. Stage layout derives layouts
/// from it and removes it.
inline constexpr llvm::StringLiteral kStrategyAttr =
    LayoutDialect::StrategyAttrHelper::getNameStr();

/// The layout of `value`, null where it has none: it is no whole vector, or the
/// stage `layout` has not seen it. Iteration arguments of scf.for and the
/// "after" arguments of scf.while have the layout of the loop's result, the
/// "before" arguments of scf.while that of their init.
NestedLayoutAttr getLayout(mlir::Value value);

/// Whether one of the op's results has a layout, or one of its operands.
bool hasLayouts(mlir::Operation *op);

/// Sets the layout of one result; the entries of results that have none are
/// `unit`.
void setLayout(mlir::OpResult result, NestedLayoutAttr layout);
/// Sets all of them; null entries are `unit`.
void setLayouts(mlir::Operation *op, llvm::ArrayRef<NestedLayoutAttr> layouts);

/// The type of a lane's share of a whole vector of type `type`.
mlir::VectorType getDistributedType(mlir::VectorType type,
                                    NestedLayoutAttr layout);

/// The scope that `op` is tagged with, nothing where it has no such attribute.
std::optional<Scope> getScope(mlir::Operation *op);

/// Drops the attributes of this dialect from `op` itself.
void dropLayoutAttrs(mlir::Operation *op);

} // namespace aircc::layout

#endif // AIRCC_DIALECTS_LAYOUT_LAYOUTVALUES_H
