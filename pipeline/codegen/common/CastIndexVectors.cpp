//===- CastIndexVectors.cpp - Casts of vectors of indices -----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/common/CastIndexVectors.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace {

struct CastIndexVectors
    : PassWrapper<CastIndexVectors, OperationPass<gpu::GPUModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CastIndexVectors)

  StringRef getArgument() const override {
    return "codegen-cast-index-vectors";
  }
  StringRef getDescription() const override {
    return "Replace bitcasts of index vectors by index casts";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect>();
  }

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

std::unique_ptr<Pass> aircc::createCastIndexVectors() {
  return std::make_unique<CastIndexVectors>();
}
