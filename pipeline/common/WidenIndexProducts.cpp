//===- WidenIndexProducts.cpp - Widen mulsi_extended on index to i64 ------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/common/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

namespace aircc {
#define GEN_PASS_DEF_WIDENINDEXPRODUCTS
#include "pipeline/common/Passes.h.inc"
} // namespace aircc

using namespace mlir;

namespace {

struct WidenIndexProducts
    : aircc::impl::WidenIndexProductsBase<WidenIndexProducts> {
  void runOnOperation() override {
    getOperation()->walk([](arith::MulSIExtendedOp op) {
      Type type = op.getLhs().getType();
      if (!getElementTypeOrSelf(type).isIndex())
        return;
      OpBuilder b(op);
      Location loc = op.getLoc();
      auto vector = dyn_cast<VectorType>(type);
      Type wide = vector ? Type(vector.clone(b.getI64Type())) : b.getI64Type();
      auto product = arith::MulSIExtendedOp::create(
          b, loc, arith::IndexCastOp::create(b, loc, wide, op.getLhs()),
          arith::IndexCastOp::create(b, loc, wide, op.getRhs()));
      for (auto [result, part] :
           llvm::zip_equal(op.getResults(), product.getResults()))
        result.replaceAllUsesWith(
            arith::IndexCastOp::create(b, loc, type, part));
      op.erase();
    });
  }
};

} // namespace
