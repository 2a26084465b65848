//===- CastIndexVectors.cpp - Casts of vectors of indices -----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace aircc {
#define GEN_PASS_DEF_CASTINDEXVECTORS
#include "pipeline/codegen/Passes.h.inc"
} // namespace aircc

namespace {

struct CastIndexVectors : aircc::impl::CastIndexVectorsBase<CastIndexVectors> {
  void runOnOperation() override {
    getOperation().walk([](vector::BitCastOp cast) {
      if (!cast.getSourceVectorType().getElementType().isIndex() &&
          !cast.getResultVectorType().getElementType().isIndex())
        return;
      OpBuilder b(cast);
      Value value = arith::IndexCastOp::create(
          b, cast.getLoc(), cast.getResultVectorType(), cast.getSource());
      cast.replaceAllUsesWith(value);
      cast.erase();
    });
  }
};

} // namespace
