//===- OpRules.h - Which layouts an op can have -----------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An op whose every lane works on its own share leaves no choice but one: when
// the layout of one of its vectors is known, those of all others follow. The
// choice is called the op's key. It is a layout, of the result or of the
// operand that has the most dimensions, and each kind of op has a rule that
// goes from the layout of any operand or result to the key, and from the key to
// the layouts of all.
//
// To let another op work on undistributed vectors, return a rule for it from
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
#include "pipeline/layout/WholeVectors.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/SmallVector.h"

namespace aircc::layout {

using Layout = NestedLayoutAttr;

/// What an op's vectors have. Null entries: a scalar, or a vector that may have
/// any layout.
struct OpLayouts {
  llvm::SmallVector<Layout> operands; ///< One an operand.
  llvm::SmallVector<Layout> results;  ///< One a result.
  Layout mask; ///< Of the mask of a vector.mask around the op.

  explicit OpLayouts(mlir::Operation *op)
      : operands(op->getNumOperands()), results(op->getNumResults()) {}
};

/// The rule of one kind of op.
class OpRule {
public:
  virtual ~OpRule() = default;

  /// The shape that keys have.
  virtual llvm::SmallVector<int64_t> getKeyShape(mlir::Operation *op) const = 0;

  /// The key for which operand `number` has `layout`; null if there is none.
  /// `lanes` is the size of a wave: where the key has dimensions that the
  /// operand lacks, these may be spread over lanes that hold copies.
  virtual Layout fromOperand(mlir::Operation *op, unsigned number,
                             Layout layout, int64_t lanes) const = 0;
  virtual Layout fromResult(mlir::Operation *op, unsigned number, Layout layout,
                            int64_t lanes) const = 0;

  /// The layouts of all, or nothing if one does not exist.
  virtual std::optional<OpLayouts> expand(mlir::Operation *op,
                                          Layout key) const = 0;

  /// What one lane does for its share, in cycles, roughly.
  virtual double getCost(mlir::Operation *op, Layout key,
                         const Workgroup &workgroup) const;

  /// The layout that the op's access to memory asks for, null where it has
  /// none.
  virtual Layout getPreferred(mlir::Operation *op,
                              const Workgroup &workgroup) const {
    return {};
  }

  /// What the op itself says of its key, nothing where it says nothing. Failure
  /// after an error at the op, if its vectors cannot be laid out so.
  virtual mlir::FailureOr<std::optional<PartialLayout>>
  getSaid(mlir::Operation *op) const {
    return std::optional<PartialLayout>();
  }
};

/// Elementwise ops, and ops that make or use vectors without a form of their
/// own. The key is the layout of all operands and results of the key's shape.
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

/// The rule of `op`, null if it cannot work on whole vectors.
const OpRule *findRule(mlir::Operation *op);

/// What findRule finds for ops of one topic.
const OpRule *findShapeRule(mlir::Operation *op);
const OpRule *findContractRule(mlir::Operation *op);
const OpRule *findMemoryRule(mlir::Operation *op);
const OpRule *findXeGPURule(mlir::Operation *op);

/// Whether `op` is rather made again in another layout than converted.
bool isRematerializable(mlir::Operation *op);

/// The layout with every element in every lane.
Layout getReplicated(mlir::MLIRContext *context, llvm::ArrayRef<int64_t> shape);

/// A layout for a vector of which consecutive elements along dimension
/// `order[0]` lie side by side in memory, then along order[1], and so on. Lanes
/// are dealt to the first dimensions, waves to the last. A lane's piece has at
/// most 128 bits; where there are few elements, it is shorter so that all lanes
/// take part. Where the sizes do not divide, lanes hold copies.
Layout getSideBySide(mlir::MLIRContext *context, llvm::ArrayRef<int64_t> shape,
                     llvm::ArrayRef<int64_t> order, unsigned elementBits,
                     const Workgroup &workgroup);

/// The shape of a vector; empty for anything else.
llvm::SmallVector<int64_t> shapeOf(mlir::Value value);

/// Values that a lane holds.
int64_t countValues(Layout layout);

/// Bits of an element; index counts 64.
unsigned getElementBits(mlir::Type type);

/// 32-bit registers of a lane's share.
double getRegisters(mlir::Type elementType, Layout layout);

/// Cycles of a conversion, roughly: nothing, then less within a lane than
/// within a wave than through LDS, and more with each register. What is too
/// large for the LDS costs as often as it has pieces that fit.
double getConversionCost(const ConversionCost &cost, mlir::Type type,
                         const Workgroup &workgroup);

} // namespace aircc::layout

#endif // AIRCC_PIPELINE_LAYOUT_OPRULES_H
