//===- LayoutValues.h - Layouts of values -----------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The layout of a value is stored on its defining op or, for loop arguments, on
// the loop; see the description of the dialect.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DIALECTS_LAYOUT_LAYOUTVALUES_H
#define AIRCC_DIALECTS_LAYOUT_LAYOUTVALUES_H

#include "dialects/layout/LayoutDialect.h"

#include "mlir/IR/Operation.h"
#include "mlir/IR/Value.h"

namespace aircc::layout {

/// Returns the layout of `value`; null if it is not an undistributed vector, or
/// if stage `layout` has not assigned a layout to it. Iteration arguments of
/// scf.for and the "after" arguments of scf.while have the layout of the
/// corresponding loop result; the "before" arguments of scf.while have the
/// layout of their init.
NestedLayoutAttr getLayout(mlir::Value value);

/// Returns whether a result or an operand of the op has a layout.
bool hasLayouts(mlir::Operation *op);

/// Sets the layout of one result. The entries of results without a layout are
/// `unit`.
void setLayout(mlir::OpResult result, NestedLayoutAttr layout);
/// Sets the layouts of all results; null entries become `unit`.
void setLayouts(mlir::Operation *op, llvm::ArrayRef<NestedLayoutAttr> layouts);

/// Returns the distributed type of an undistributed vector of type `type`.
mlir::VectorType getDistributedType(mlir::VectorType type,
                                    NestedLayoutAttr layout);

/// Returns the `layout.scope` of `op`, or nothing if it has no such attribute.
std::optional<Scope> getScope(mlir::Operation *op);

/// Drops the attributes of this dialect from `op`, but not from nested ops.
void dropLayoutAttrs(mlir::Operation *op);

} // namespace aircc::layout

#endif // AIRCC_DIALECTS_LAYOUT_LAYOUTVALUES_H
