//===- Conversions.cpp - Distribute layout conversions --------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/layout/LayoutOps.h"
#include "pipeline/distribution/Patterns.h"
#include "pipeline/distribution/exchange/Exchange.h"

using namespace mlir;
using aircc::layout::NestedLayout;

namespace aircc::distribution {

static LogicalResult distributeToLayout(Distributor &d, layout::ToLayoutOp op) {
  const NestedLayout *from = d.getLayout(op.getInput());
  const NestedLayout *to = d.getLayout(op.getResult());
  if (!from || !to)
    return op.emitOpError(
        "has an input or a result without a layout; run stage 'layout' first");
  if (*from == *to && !op.getSharedMemoryConversion()) {
    d.replace(op, d.getDistributed(op.getInput()));
    return success();
  }
  Exchange exchange{
      op.getOperation(),
      d.getDistributed(op.getInput()),
      *from,
      *to,
      AffineMap::getMultiDimIdentityMap(from->rank(), op.getContext()),
      {},
      op.getSharedMemoryConversion()};
  FailureOr<SmallVector<Value>> elements = createExchange(d, exchange);
  if (failed(elements))
    return failure();
  d.replace(op, d.assembleDistributed(op.getResult(), *elements));
  return success();
}

Distributed distributeConversion(Distributor &d, Operation *op) {
  if (auto toLayout = dyn_cast<layout::ToLayoutOp>(op))
    return distributeToLayout(d, toLayout);
  return std::nullopt;
}

} // namespace aircc::distribution
