//===- OuterProducts.cpp - Outer products as elementwise ops --------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/layout/OuterProducts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Utils/VectorUtils.h"
#include "mlir/IR/Builders.h"

using namespace mlir;

/// Multiplies rows by columns, or a vector by a scalar, and adds `acc` if it is
/// not null.
static Value createElementwise(OpBuilder &b, vector::OuterProductOp op) {
  Location loc = op.getLoc();
  VectorType type = op.getResultVectorType();
  Value lhs = op.getLhs();
  if (type.getRank() == 2) {
    auto shape = llvm::to_vector(llvm::reverse(type.getShape()));
    lhs = vector::BroadcastOp::create(
        b, loc, VectorType::get(shape, type.getElementType()), lhs);
    lhs = vector::TransposeOp::create(b, loc, lhs, ArrayRef<int64_t>{1, 0});
  }
  Value rhs = vector::BroadcastOp::create(b, loc, type, op.getRhs());
  Value acc = op.getAcc();
  const bool isFloat = isa<FloatType>(type.getElementType());
  // Use an FMA, as the lowering of the op does, so that the product is not
  // rounded.
  if (acc && isFloat && op.getKind() == vector::CombiningKind::ADD)
    return vector::FMAOp::create(b, loc, lhs, rhs, acc);
  Value product = isFloat ? arith::MulFOp::create(b, loc, lhs, rhs).getResult()
                          : arith::MulIOp::create(b, loc, lhs, rhs).getResult();
  return acc ? vector::makeArithReduction(b, loc, op.getKind(), product, acc)
             : product;
}

void aircc::layout::expandOuterProducts(gpu::GPUFuncOp function) {
  SmallVector<vector::OuterProductOp> products;
  function.walk([&](vector::OuterProductOp op) { products.push_back(op); });
  for (vector::OuterProductOp op : products) {
    auto mask = dyn_cast<vector::MaskOp>(op->getParentOp());
    Operation *replaced = mask ? mask.getOperation() : op.getOperation();
    OpBuilder b(replaced);
    Value result = createElementwise(b, op);
    // Keep the scope and layouts that the user wrote.
    result.getDefiningOp()->setDiscardableAttrs(
        op->getDiscardableAttrDictionary());
    // Masked elements keep the passthru; without one they are undefined.
    Value kept = mask && mask.hasPassthru() ? mask.getPassthru() : op.getAcc();
    if (mask && kept)
      result =
          arith::SelectOp::create(b, op.getLoc(), mask.getMask(), result, kept);
    replaced->replaceAllUsesWith(ValueRange(result));
    replaced->erase();
  }
}
