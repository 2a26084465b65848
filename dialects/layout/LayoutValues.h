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
