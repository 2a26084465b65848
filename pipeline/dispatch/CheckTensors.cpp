//===- CheckTensors.cpp - Reject unsupported tensors ----------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/dispatch/Passes.h"

#include "dialects/air/AIROps.h"
#include "dialects/air/TensorFunctions.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Shape/IR/Shape.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"

namespace aircc::dispatch {
#define GEN_PASS_DEF_CHECKTENSORS
#include "pipeline/dispatch/Passes.h.inc"
} // namespace aircc::dispatch

using namespace mlir;
using namespace aircc;

namespace {

/// Returns the types of the op's results and of its regions' arguments.
SmallVector<Type> getDefinedTypes(Operation *op) {
  SmallVector<Type> types(op->getResultTypes());
  for (Region &region : op->getRegions())
    for (Block &block : region)
      llvm::append_range(types, block.getArgumentTypes());
  return types;
}

SmallVector<TensorType> getTensors(ArrayRef<Type> types) {
  SmallVector<TensorType> tensors;
  for (Type type : types)
    if (auto tensor = dyn_cast<TensorType>(type))
      tensors.push_back(tensor);
  return tensors;
}

/// Returns whether the op is in a function on tensors.
bool isInTensorFunction(Operation *op) {
  auto function = dyn_cast<func::FuncOp>(op);
  if (!function)
    function = op->getParentOfType<func::FuncOp>();
  return function && air::usesTensors(function);
}

/// Matrix instructions support tf32 operands, but memory does not.
LogicalResult checkPrecision(Operation *op, ArrayRef<Type> types) {
  bool isTF32 = llvm::any_of(types, [](Type type) {
    return isa<FloatTF32Type>(getElementTypeOrSelf(type));
  });
  if (isTF32 && isInTensorFunction(op))
    return op->emitOpError("uses 'tf32', which devices support neither in "
                           "memory nor in arithmetic; use f32");
  return success();
}

LogicalResult checkType(Operation *op, TensorType type) {
  Type element = type.getElementType();
  if (isa<UnrankedTensorType>(type))
    return op->emitOpError("has the unranked tensor type ")
           << type << "; only tensors of known rank are supported";
  if (cast<RankedTensorType>(type).getEncoding())
    return op->emitOpError("has the tensor type ")
           << type << ", whose encoding is not supported; use a dense tensor";
  if (auto integer = dyn_cast<IntegerType>(element);
      integer && integer.getWidth() > 64)
    return op->emitOpError("has a tensor of ")
           << element << "; integers may have at most 64 bits";
  if (!element.isIntOrIndexOrFloat() ||
      (isa<FloatType>(element) && element.getIntOrFloatBitWidth() > 64))
    return op->emitOpError("has a tensor of ")
           << element
           << "; elements must be integers or floating-point numbers of at "
              "most 64 bits"
           << (isa<ComplexType>(element)
                   ? "; split complex numbers into real and imaginary parts"
                   : "");
  return success();
}

/// Returns whether the op's dialect has ops on tensors that the stage lowers.
bool hasKnownDialect(Operation *op) {
  return isa_and_nonnull<
      affine::AffineDialect, arith::ArithDialect,
      bufferization::BufferizationDialect, cf::ControlFlowDialect,
      func::FuncDialect, linalg::LinalgDialect, math::MathDialect,
      ml_program::MLProgramDialect, scf::SCFDialect, shape::ShapeDialect,
      tensor::TensorDialect, tosa::TosaDialect, ub::UBDialect,
      vector::VectorDialect, BuiltinDialect>(op->getDialect());
}

class CheckTensors : public dispatch::impl::CheckTensorsBase<CheckTensors> {
public:
  void runOnOperation() final {
    WalkResult result = getOperation().walk([](Operation *op) {
      SmallVector<Type> defined = getDefinedTypes(op);
      if (failed(checkPrecision(op, defined)))
        return WalkResult::interrupt();
      SmallVector<TensorType> types = getTensors(defined);
      if (types.empty())
        return WalkResult::advance();
      if (!checkParent(op))
        return WalkResult::interrupt();
      for (TensorType type : types)
        if (failed(checkType(op, type)))
          return WalkResult::interrupt();
      if (!hasKnownDialect(op)) {
        op->emitOpError(
            "produces a tensor, but tensor ops of its dialect are not "
            "supported; use linalg, tensor, arith, math, scf or TOSA");
        return WalkResult::interrupt();
      }
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }

private:
  /// Rejects tensors in the code of kernels and ranks, which operates on
  /// memrefs.
  static bool checkParent(Operation *op) {
    Operation *parent = op->getParentOfType<air::HierarchyInterface>();
    if (!parent)
      parent = op->getParentOfType<gpu::LaunchOp>();
    if (!parent)
      parent = op->getParentOfType<gpu::GPUModuleOp>();
    if (!parent)
      return true;
    op->emitOpError("operates on tensors inside '")
        << parent->getName()
        << "'; use memrefs there, or move the op to a function on tensors, "
           "which aircc compiles to separate kernels";
    return false;
  }
};

} // namespace
