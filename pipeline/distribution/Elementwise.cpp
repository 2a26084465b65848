//===- Elementwise.cpp - Ops that act on each element alone ---------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/distribution/Patterns.h"

#include "dialects/layout/LayoutValues.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using aircc::layout::NestedLayout;

namespace aircc::distribution {

InFlightDiagnostic misfit(Operation *op, StringRef what,
                          const NestedLayout &actual,
                          const NestedLayout &expected) {
  InFlightDiagnostic diag = op->emitOpError("has a ")
                            << what << " whose layout does not fit: it is "
                            << actual.str();
  diag.attachNote() << "it would have to be " << expected.str()
                    << "; a layout.to_layout converts it";
  return diag;
}

Value conjunction(OpBuilder &b, Location loc, Value lhs, Value rhs) {
  if (!lhs || !rhs)
    return lhs ? lhs : rhs;
  return b.createOrFold<arith::AndIOp>(loc, lhs, rhs);
}

Operation *cloneForLane(Distributor &d, Operation *op) {
  IRMapping mapping;
  for (Value operand : op->getOperands())
    mapping.map(operand, d.share(operand));
  Operation *clone = d.b.clone(*op, mapping);
  for (auto [whole, result] :
       llvm::zip_equal(op->getResults(), clone->getResults()))
    result.setType(d.shareType(whole));
  layout::dropLayoutAttrs(clone);
  return clone;
}

Distributed distributeElementwise(Distributor &d, Operation *op) {
  if (!OpTrait::hasElementwiseMappableTraits(op))
    return std::nullopt;
  const NestedLayout *layout = nullptr;
  for (Value result : op->getResults())
    if (const NestedLayout *own = d.layoutOf(result))
      layout = own;
  if (!layout)
    return op->emitOpError("has no result with a layout");
  for (Value value : llvm::concat<Value>(op->getOperands(), op->getResults())) {
    if (!isa<VectorType>(value.getType()))
      continue;
    const NestedLayout *own = d.layoutOf(value);
    if (!own)
      return op->emitOpError("has a vector without a layout beside one that "
                             "is spread over lanes");
    if (*own != *layout)
      return misfit(op, "operand or result", *own, *layout);
  }
  d.replace(op, cloneForLane(d, op)->getResults());
  return success();
}

} // namespace aircc::distribution
