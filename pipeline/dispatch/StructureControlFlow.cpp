//===- StructureControlFlow.cpp - Control flow of tensor functions --------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/dispatch/Passes.h"
#include "pipeline/dispatch/TensorFunctions.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/ControlFlowToSCF/ControlFlowToSCF.h"
#include "mlir/Conversion/ShapeToStandard/ShapeToStandard.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Shape/IR/Shape.h"
#include "mlir/Dialect/Shape/Transforms/Passes.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/PassManager.h"

namespace aircc::dispatch {
#define GEN_PASS_DEF_STRUCTURECONTROLFLOW
#include "pipeline/dispatch/Passes.h.inc"
} // namespace aircc::dispatch

using namespace mlir;
using namespace aircc;

namespace {

bool contains(Operation *root, function_ref<bool(Operation *)> matches) {
  return root
      ->walk([&](Operation *op) {
        return matches(op) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

bool isShapeOp(Operation *op) {
  return isa_and_nonnull<shape::ShapeDialect>(op->getDialect());
}

/// Affine loops and branches that carry tensors have no bufferization.
bool isAffineOnTensors(Operation *op) {
  return isa<affine::AffineForOp, affine::AffineIfOp, affine::AffineParallelOp>(
             op) &&
         llvm::any_of(op->getResultTypes(), llvm::IsaPred<TensorType>);
}

/// Lifting branches creates poison for values of paths that are not taken.
/// Poison cannot be bufferized, so tensors get another value.
void replacePoison(func::FuncOp function) {
  SmallVector<ub::PoisonOp> poisons;
  function.walk([&](ub::PoisonOp op) {
    if (isa<RankedTensorType>(op.getType()))
      poisons.push_back(op);
  });
  for (ub::PoisonOp op : poisons) {
    OpBuilder b(op);
    auto type = cast<RankedTensorType>(op.getType());
    Value zero = arith::ConstantIndexOp::create(b, op.getLoc(), 0);
    SmallVector<Value> sizes(type.getNumDynamicDims(), zero);
    op.replaceAllUsesWith(
        tensor::EmptyOp::create(b, op.getLoc(), type, sizes).getResult());
    op.erase();
  }
}

/// Inlines the regions of shape.assuming. Their witnesses are constant at this
/// point, because the constraints have become assertions.
void inlineAssumptions(ModuleOp module) {
  SmallVector<shape::AssumingOp> assumptions;
  module.walk([&](shape::AssumingOp op) { assumptions.push_back(op); });
  PatternRewriter rewriter(module.getContext());
  for (shape::AssumingOp op : assumptions) {
    rewriter.setInsertionPoint(op);
    shape::AssumingOp::inlineRegionIntoParent(op, rewriter);
  }
  SmallVector<Operation *> witnesses;
  module.walk([&](Operation *op) {
    if (isa<shape::AssumingAllOp, shape::ConstWitnessOp>(op))
      witnesses.push_back(op);
  });
  for (Operation *op : llvm::reverse(witnesses))
    if (op->use_empty())
      op->erase();
}

class StructureControlFlow
    : public dispatch::impl::StructureControlFlowBase<StructureControlFlow> {
public:
  void runOnOperation() final {
    SmallVector<func::FuncOp> functions =
        dispatch::getTensorFunctions(getOperation());
    for (func::FuncOp function : functions)
      if (failed(structure(function)))
        return signalPassFailure();
    if (!functions.empty() && contains(getOperation(), isShapeOp) &&
        failed(lowerShapes()))
      signalPassFailure();
  }

private:
  LogicalResult lowerShapes() {
    OpPassManager constraints(ModuleOp::getOperationName());
    constraints.addNestedPass<func::FuncOp>(
        createConvertShapeConstraintsPass());
    if (failed(runPipeline(constraints, getOperation())))
      return failure();
    inlineAssumptions(getOperation());
    OpPassManager shapes(ModuleOp::getOperationName());
    shapes.addNestedPass<func::FuncOp>(createShapeToShapeLoweringPass());
    shapes.addPass(createConvertShapeToStandardPass());
    return runPipeline(shapes, getOperation());
  }

  LogicalResult structure(func::FuncOp function) {
    OpPassManager pm(func::FuncOp::getOperationName());
    bool hasBranches = !function.isDeclaration() &&
                       !llvm::hasSingleElement(function.getBody());
    if (hasBranches)
      pm.addPass(createLiftControlFlowToSCFPass());
    if (contains(function, isAffineOnTensors))
      pm.addPass(createLowerAffinePass());
    if (pm.empty())
      return success();
    if (failed(runPipeline(pm, function)))
      return failure();
    replacePoison(function);
    return success();
  }
};

} // namespace
