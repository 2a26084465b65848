//===- SizeRequirements.h - What ops require of sizes -----------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Ops on tensors of dynamic size are only defined if certain sizes agree. For
// example, the operands of an addition must have the same shape, a slice must
// be within its source, and the inner dimensions of two multiplied matrices
// must match.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_DISPATCH_FUNCTIONS_SIZEREQUIREMENTS_H
#define AIRCC_PIPELINE_DISPATCH_FUNCTIONS_SIZEREQUIREMENTS_H

#include "dialects/air/AIRDialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"
#include "llvm/ADT/SmallVector.h"

namespace aircc::dispatch {

/// A relation that must hold between two sizes, each a constant or a value of
/// type index.
struct SizeRequirement {
  air::SizeRelation relation;
  mlir::OpFoldResult left, right;
};

/// Returns what `op` requires of sizes that are not constant. Creates ops at
/// the insertion point of `b`, where all operands of `op` must be visible.
llvm::SmallVector<SizeRequirement> getSizeRequirements(mlir::OpBuilder &b,
                                                       mlir::Operation *op);

} // namespace aircc::dispatch

#endif // AIRCC_PIPELINE_DISPATCH_FUNCTIONS_SIZEREQUIREMENTS_H
