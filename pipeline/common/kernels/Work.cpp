//===- Work.cpp - What an op computes, for reports ------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/common/kernels/Work.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Interfaces/CastInterfaces.h"

using namespace mlir;
using namespace aircc;

/// Returns whether `op` computes, rather than converts, compares or selects.
static bool isArithmetic(Operation *op) {
  if (!isa_and_nonnull<arith::ArithDialect, math::MathDialect>(
          op->getDialect()) ||
      op->getNumResults() != 1 || op->hasTrait<OpTrait::ConstantLike>() ||
      isa<CastOpInterface, arith::SelectOp, arith::CmpFOp, arith::CmpIOp>(op))
    return false;
  Type type = getElementTypeOrSelf(op->getResult(0).getType());
  return !type.isIndex() && !type.isInteger(1);
}

/// Returns the number of arithmetic operations in one execution of the body.
static int64_t countOperations(linalg::LinalgOp op) {
  int64_t count = 0;
  op.getBlock()->walk([&](Operation *inner) {
    if (isArithmetic(inner))
      count += isa<math::FmaOp>(inner) ? 2 : 1;
  });
  return count;
}

/// Returns the names of the ops in the body, without duplicates.
static ArrayAttr getBodyOps(linalg::LinalgOp op) {
  SetVector<Attribute> names;
  op.getBlock()->walk([&](Operation *inner) {
    if (!inner->hasTrait<OpTrait::IsTerminator>() &&
        !inner->hasTrait<OpTrait::ConstantLike>())
      names.insert(inner->getName().getIdentifier());
  });
  return ArrayAttr::get(op.getContext(), names.getArrayRef());
}

static StringRef getKind(linalg::LinalgOp op) {
  if (isa<linalg::FillOp>(op.getOperation()))
    return "fill";
  if (linalg::isaContractionOpInterface(op))
    return "contraction";
  if (linalg::isaConvolutionOpInterface(op) && op.getNumReductionLoops() > 0)
    return "convolution";
  return op.getNumReductionLoops() > 0 ? "reduction" : "elementwise";
}

/// Returns why no matrix instruction can compute `op`, as far as its form
/// determines this.
static StringRef getReason(linalg::LinalgOp op, StringRef kind) {
  if (kind == "convolution")
    return "it is a convolution";
  FailureOr<linalg::ContractionDimensions> dims =
      linalg::inferContractionDims(op);
  if (kind == "contraction" && succeeded(dims) &&
      (dims->m.empty() || dims->n.empty()))
    return "it multiplies by a vector, not by a matrix";
  return "";
}

air::WorkAttr aircc::describeWork(linalg::LinalgOp op) {
  MLIRContext *context = op.getContext();
  Builder b(context);
  StringRef kind = getKind(op);
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  int64_t operations = countOperations(op);
  for (int64_t &size : sizes) {
    if (ShapedType::isDynamic(size))
      size = -1;
    // A number with an unknown factor is unknown, unless it is zero.
    operations = size < 0 && operations != 0 ? -1
                 : operations < 0            ? operations
                                             : operations * size;
  }
  SmallVector<Type> types;
  for (Value operand : op->getOperands())
    types.push_back(getElementTypeOrSelf(operand.getType()));
  StringRef reason = getReason(op, kind);
  return air::WorkAttr::get(
      context, b.getStringAttr(kind), getBodyOps(op), b.getTypeArrayAttr(types),
      b.getDenseI64ArrayAttr(sizes), operations, LocationAttr(op.getLoc()),
      reason.empty() ? StringAttr() : b.getStringAttr(reason));
}

void aircc::setWork(linalg::LinalgOp op) {
  op->setDiscardableAttr(air::AIRDialect::WorkAttrHelper::getNameStr(),
                         describeWork(op));
}

SmallVector<air::WorkAttr> aircc::getWorks(Operation *op) {
  Attribute attribute =
      op->getDiscardableAttr(air::AIRDialect::WorkAttrHelper::getNameStr());
  if (auto work = dyn_cast_or_null<air::WorkAttr>(attribute))
    return {work};
  SmallVector<air::WorkAttr> works;
  if (auto list = dyn_cast_or_null<ArrayAttr>(attribute))
    llvm::append_range(works, list.getAsRange<air::WorkAttr>());
  return works;
}

void aircc::moveWorks(ArrayRef<Operation *> ops, Operation *launch) {
  SmallVector<Attribute> works;
  for (Operation *op : ops)
    llvm::append_range(works, getWorks(op));
  if (!works.empty())
    launch->setDiscardableAttr(air::AIRDialect::WorkAttrHelper::getNameStr(),
                               ArrayAttr::get(launch->getContext(), works));
}

void aircc::setFactorTypes(Operation *op, Type lhs, Type rhs) {
  auto name = air::AIRDialect::WorkAttrHelper::getNameStr();
  auto work = dyn_cast_or_null<air::WorkAttr>(op->getDiscardableAttr(name));
  if (!work || work.getTypes().size() < 2)
    return;
  SmallVector<Attribute> types(work.getTypes().getValue());
  types[0] = TypeAttr::get(lhs);
  types[1] = TypeAttr::get(rhs);
  MLIRContext *context = op->getContext();
  op->setDiscardableAttr(
      name, air::WorkAttr::get(context, work.getKind(), work.getOps(),
                               ArrayAttr::get(context, types), work.getSizes(),
                               work.getOperations(), work.getPlace(),
                               work.getReason()));
}

void aircc::setMatrixReason(Operation *op, StringRef reason) {
  auto name = air::AIRDialect::WorkAttrHelper::getNameStr();
  auto work = dyn_cast_or_null<air::WorkAttr>(op->getDiscardableAttr(name));
  if (!work)
    return;
  MLIRContext *context = op->getContext();
  op->setDiscardableAttr(
      name,
      air::WorkAttr::get(context, work.getKind(), work.getOps(),
                         work.getTypes(), work.getSizes(), work.getOperations(),
                         work.getPlace(), StringAttr::get(context, reason)));
}
