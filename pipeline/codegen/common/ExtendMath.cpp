//===- ExtendMath.cpp - Compute math functions in wider floats ------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Transforms/DialectConversion.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace aircc {
#define GEN_PASS_DEF_EXTENDMATH
#include "pipeline/codegen/Passes.h.inc"
} // namespace aircc

namespace {

struct ExtendMath : aircc::impl::ExtendMathBase<ExtendMath> {
  void runOnOperation() override {
    MLIRContext *ctx = &getContext();
    Type f32 = Float32Type::get(ctx);
    llvm::SetVector<Type> native;
    native.insert(f32);
    native.insert(Float64Type::get(ctx));
    TypeConverter converter;
    math::populateExtendToSupportedTypesTypeConverter(converter, native, f32);
    ConversionTarget target(*ctx);
    math::populateExtendToSupportedTypesConversionTarget(target, converter);
    target.addDynamicallyLegalOp<math::AbsFOp, math::CeilOp, math::CopySignOp,
                                 math::Exp2Op, math::FloorOp, math::FmaOp,
                                 math::Log2Op, math::RoundEvenOp, math::SqrtOp,
                                 math::TruncOp>([&](Operation *op) {
      return getElementTypeOrSelf(op->getResult(0)).isF16() ||
             converter.isLegal(op);
    });
    RewritePatternSet patterns(ctx);
    math::populateExtendToSupportedTypesPatterns(patterns, converter);
    if (failed(applyPartialConversion(getOperation(), target,
                                      std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
