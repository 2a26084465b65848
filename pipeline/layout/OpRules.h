//===- OpRules.h - The possible layouts of an op ----------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// If every lane of an op computes its own part, only one choice is left: the
// layout of one of its vectors determines those of all others. This choice is
// the key of the op: the layout of the result or of the operand with the most
// dimensions. Each kind of op has a rule that maps the layout of any operand or
// result to the key, and the key to the layouts of all.
//
// To support undistributed vectors in another op, list it in
// pipeline/analysis/UndistributedVectors.cpp, return a rule for it from
// findRule (an elementwise op has one already) or from the function of its
// topic below. Then make the function of the same topic in
// pipeline/distribution/Patterns.h distribute it: distributeShape for
// findShapeRule, distributeTransfer for findMemoryRule, and so on.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_LAYOUT_OPRULES_H
#define AIRCC_PIPELINE_LAYOUT_OPRULES_H

#include "dialects/layout/LayoutDialect.h"
#include "dialects/layout/algebra/XeGPULayout.h"
#include "pipeline/layout/VectorScopes.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/SmallVector.h"

namespace aircc::layout {

using Layout = NestedLayoutAttr;

/// The layouts of the vectors of an op. Null entries represent scalars, or
/// vectors that may have any layout.
struct OpLayouts {
  llvm::SmallVector<Layout> operands; ///< One for each operand.
  llvm::SmallVector<Layout> results;  ///< One for each result.
  Layout mask; ///< For the mask of a vector.mask around the op.

  explicit OpLayouts(mlir::Operation *op)
      : operands(op->getNumOperands()), results(op->getNumResults()) {}
};

/// The rule of one kind of op.
class OpRule {
public:
  virtual ~OpRule() = default;

  /// Returns the shape of the keys.
  virtual llvm::SmallVector<int64_t> getKeyShape(mlir::Operation *op) const = 0;

  /// Returns the key for which operand `number` has `layout`; null if there is
  /// none. `lanes` is the size of a wave: dimensions of the key that the
  /// operand lacks may be distributed over lanes that hold copies.
  virtual Layout fromOperand(mlir::Operation *op, unsigned number,
                             Layout layout, int64_t lanes) const = 0;
  virtual Layout fromResult(mlir::Operation *op, unsigned number, Layout layout,
                            int64_t lanes) const = 0;

  /// Returns the layouts of all vectors, or nullopt if one does not exist.
  virtual std::optional<OpLayouts> expand(mlir::Operation *op,
                                          Layout key) const = 0;

  /// Returns the approximate cost of the op in one lane, in cycles.
  virtual double getCost(mlir::Operation *op, Layout key,
                         const Workgroup &workgroup) const;

  /// Returns the layout that the memory access of the op prefers; null if it
  /// has no access.
  virtual Layout getPreferred(mlir::Operation *op,
                              const Workgroup &workgroup) const {
    return {};
  }

  /// Returns the user constraint on the key; nullopt if there is none. Fails
  /// after an error at the op if its vectors cannot have that layout.
  virtual mlir::FailureOr<std::optional<PartialLayout>>
  getUserConstraint(mlir::Operation *op) const {
    return std::optional<PartialLayout>();
  }
};

/// Elementwise ops, and ops that create or use vectors of any shape. The key is
/// the layout of all operands and results that have the shape of the key.
class SameLayoutRule : public OpRule {
public:
  llvm::SmallVector<int64_t> getKeyShape(mlir::Operation *op) const override;
  Layout fromOperand(mlir::Operation *, unsigned, Layout layout,
                     int64_t) const override {
    return layout;
  }
  Layout fromResult(mlir::Operation *, unsigned, Layout layout,
                    int64_t) const override {
    return layout;
  }
  std::optional<OpLayouts> expand(mlir::Operation *op,
                                  Layout key) const override;
};

/// Returns the rule of `op`; null if it does not support undistributed vectors.
const OpRule *findRule(mlir::Operation *op);

/// Return the rules of findRule for ops of one topic.
const OpRule *findShapeRule(mlir::Operation *op);
const OpRule *findContractRule(mlir::Operation *op);
const OpRule *findMemoryRule(mlir::Operation *op);
const OpRule *findXeGPURule(mlir::Operation *op);

/// Returns whether `op` is rematerialized in another layout instead of
/// converted.
bool isRematerializable(mlir::Operation *op);

/// Returns the layout with every element in every lane.
Layout getReplicated(mlir::MLIRContext *context, llvm::ArrayRef<int64_t> shape);

/// Returns a layout for a vector whose consecutive elements along dimension
/// `order[0]` are adjacent in memory, then those along order[1], and so on.
/// Lanes are distributed over the first dimensions, waves over the last. The
/// piece of a lane has at most 128 bits; if there are few elements, it is
/// shorter so that all lanes participate. If the sizes do not divide evenly,
/// lanes hold copies.
Layout getSideBySide(mlir::MLIRContext *context, llvm::ArrayRef<int64_t> shape,
                     llvm::ArrayRef<int64_t> order, unsigned elementBits,
                     const Workgroup &workgroup);

/// Returns the shape of a vector; empty for anything else.
llvm::SmallVector<int64_t> shapeOf(mlir::Value value);

/// Returns the number of values that a lane holds.
int64_t countValues(Layout layout);

/// Returns the number of bits in an element, where index counts as 64.
unsigned getElementBits(mlir::Type type);

/// Returns the number of 32-bit registers of the distributed vector.
double getRegisters(mlir::Type elementType, Layout layout);

/// Returns the approximate cost of a conversion in cycles: zero if nothing
/// moves, less within a lane than within a wave than through LDS, and more for
/// each register. A vector that is too large for LDS costs as much as its
/// pieces that fit.
double getConversionCost(const ConversionCost &cost, mlir::Type type,
                         const Workgroup &workgroup);

} // namespace aircc::layout

#endif // AIRCC_PIPELINE_LAYOUT_OPRULES_H
