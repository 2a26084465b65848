//===- NormalizeTensors.cpp - Ops on tensors to structured ops ------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/dispatch/Passes.h"
#include "pipeline/dispatch/Relayouts.h"
#include "pipeline/dispatch/Slices.h"
#include "pipeline/dispatch/TensorFunctions.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace aircc::dispatch {
#define GEN_PASS_DEF_NORMALIZETENSORS
#include "pipeline/dispatch/Passes.h.inc"
} // namespace aircc::dispatch

using namespace mlir;
using namespace aircc;

namespace {

/// Returns whether a named op keeps its name. Contractions, convolutions and
/// poolings are recognized by name, and fills and copies are cheaper than
/// generic ops.
bool keepsName(linalg::LinalgOp op) {
  return isa<linalg::GenericOp, linalg::FillOp, linalg::CopyOp>(op) ||
         linalg::isaContractionOpInterface(op) ||
         linalg::isaConvolutionOpInterface(op);
}

/// Elementwise ops, reductions, broadcasts and transposes become generic ops,
/// because only these are fused.
struct GeneralizeNamedOps : OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const final {
    if (keepsName(op) || !op.hasPureTensorSemantics())
      return failure();
    return linalg::generalizeNamedOp(rewriter, op);
  }
};

struct DecomposeSoftmax : OpRewritePattern<linalg::SoftmaxOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::SoftmaxOp op,
                                PatternRewriter &rewriter) const final {
    if (!op.hasPureTensorSemantics())
      return failure();
    FailureOr<SmallVector<Value>> results = op.decomposeOperation(rewriter);
    if (failed(results))
      return failure();
    rewriter.replaceOp(op, *results);
    return success();
  }
};

/// Kernels cannot access globals, which are in host memory, so they use a copy
/// of the value.
struct CopyLoadedGlobals : OpRewritePattern<ml_program::GlobalLoadOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ml_program::GlobalLoadOp op,
                                PatternRewriter &rewriter) const final {
    auto type = dyn_cast<RankedTensorType>(op.getType());
    auto isCopy = [](Operation *user) {
      return isa<bufferization::AllocTensorOp>(user);
    };
    if (!type || llvm::all_of(op->getUsers(), isCopy))
      return failure();
    rewriter.setInsertionPointAfter(op);
    auto copy = bufferization::AllocTensorOp::create(
        rewriter, op.getLoc(), type, /*dynamicSizes=*/ValueRange(),
        op.getResult());
    rewriter.replaceAllUsesExcept(op.getResult(), copy.getResult(), copy);
    return success();
  }
};

/// Replaces loads of constant globals with constants.
struct LoadConstantGlobals : OpRewritePattern<ml_program::GlobalLoadConstOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ml_program::GlobalLoadConstOp op,
                                PatternRewriter &rewriter) const final {
    auto global = SymbolTable::lookupNearestSymbolFrom<ml_program::GlobalOp>(
        op, op.getGlobalAttr());
    auto value = dyn_cast_or_null<ElementsAttr>(global.getValueAttr());
    if (!value || value.getType() != op.getType())
      return failure();
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(op, value);
    return success();
  }
};

/// Returns an integer type without its sign; returns other types unchanged.
Type getSignless(Type type) {
  auto integer = dyn_cast<IntegerType>(type);
  return integer ? IntegerType::get(type.getContext(), integer.getWidth())
                 : type;
}

/// Returns the bits of an element as an element of another type.
Value castElement(OpBuilder &b, Location loc, Value element, Type type) {
  auto convert = [&](Value value, Type result) -> Value {
    return UnrealizedConversionCastOp::create(b, loc, result, value)
        .getResult(0);
  };
  if (Type signless = getSignless(element.getType());
      signless != element.getType())
    element = convert(element, signless);
  Type signless = getSignless(type);
  if (signless != element.getType())
    element = arith::BitcastOp::create(b, loc, signless, element);
  return signless == type ? element : convert(element, type);
}

/// Replaces a cast of a tensor's bits. `arith.bitcast` casts only between
/// signless types.
LogicalResult replaceCast(Operation *op, PatternRewriter &rewriter) {
  Value source = op->getOperand(0);
  auto from = cast<RankedTensorType>(source.getType());
  auto to = cast<RankedTensorType>(op->getResult(0).getType());
  Type element = to.getElementType();
  if (getSignless(element) == element &&
      getSignless(from.getElementType()) == from.getElementType()) {
    rewriter.replaceOpWithNewOp<arith::BitcastOp>(op, to, source);
    return success();
  }
  Location loc = op->getLoc();
  Value empty = tensor::EmptyOp::create(
      rewriter, loc, tensor::getMixedSizes(rewriter, loc, source), element);
  AffineMap map = rewriter.getMultiDimIdentityMap(from.getRank());
  SmallVector<utils::IteratorType> parallel(from.getRank(),
                                            utils::IteratorType::parallel);
  auto body = [&](OpBuilder &b, Location, ValueRange arguments) {
    linalg::YieldOp::create(b, loc, castElement(b, loc, arguments[0], element));
  };
  Value result =
      linalg::GenericOp::create(rewriter, loc, empty.getType(), source, empty,
                                ArrayRef<AffineMap>{map, map}, parallel, body)
          .getResult(0);
  if (result.getType() != to)
    result = tensor::CastOp::create(rewriter, loc, to, result);
  rewriter.replaceOp(op, result);
  return success();
}

struct LowerBitcast : OpRewritePattern<tensor::BitcastOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::BitcastOp op,
                                PatternRewriter &rewriter) const final {
    if (!isa<RankedTensorType>(op.getType()))
      return failure();
    return replaceCast(op, rewriter);
  }
};

/// Programs exported from StableHLO cast unsigned tensors this way.
struct LowerSignCast : OpRewritePattern<UnrealizedConversionCastOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(UnrealizedConversionCastOp op,
                                PatternRewriter &rewriter) const final {
    if (op->getNumOperands() != 1 || op->getNumResults() != 1)
      return failure();
    auto from = dyn_cast<RankedTensorType>(op->getOperand(0).getType());
    auto to = dyn_cast<RankedTensorType>(op->getResult(0).getType());
    if (!from || !to || from.getShape() != to.getShape() ||
        !isa<IntegerType>(from.getElementType()) ||
        getSignless(from.getElementType()) != getSignless(to.getElementType()))
      return failure();
    return replaceCast(op, rewriter);
  }
};

class NormalizeTensors
    : public dispatch::impl::NormalizeTensorsBase<NormalizeTensors> {
public:
  void runOnOperation() final {
    MLIRContext *context = &getContext();
    SmallVector<func::FuncOp> functions =
        dispatch::getTensorFunctions(getOperation());
    if (functions.empty())
      return;
    RewritePatternSet elementwise(context), patterns(context);
    linalg::populateElementwiseToLinalgConversionPatterns(elementwise);
    linalg::populateElementwiseToLinalgConversionPatterns(patterns);
    linalg::populateDecomposeWinogradOpsPatterns(patterns);
    dispatch::populateRelayoutPatterns(patterns);
    dispatch::populateSlicePatterns(patterns);
    dispatch::populateEmptyReshapePatterns(patterns);
    patterns.add<GeneralizeNamedOps, DecomposeSoftmax, CopyLoadedGlobals,
                 LoadConstantGlobals, LowerBitcast, LowerSignCast>(context);
    FrozenRewritePatternSet first(std::move(elementwise));
    FrozenRewritePatternSet frozen(std::move(patterns));
    for (func::FuncOp function : functions) {
      // Only loops that this stage creates are kernels.
      function.walk([](scf::ForallOp loop) {
        if (loop.getNumResults() > 0)
          loop.removeMappingAttr();
      });
      // Do not fold: upstream folds `x ^ x` of dynamic size to a constant of
      // dynamic size, which is invalid.
      walkAndApplyPatterns(function, first);
      if (failed(applyPatternsGreedily(function, frozen)))
        return signalPassFailure();
    }
  }
};

} // namespace
