//===- MatrixAnchors.cpp - Contractions by matrix instructions ------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/layout/MatrixAnchors.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/OpDefinition.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace aircc::layout {

/// Returns the name of a type in profiles, which do not distinguish signedness.
static std::string getProfileName(Type type) {
  type = getElementTypeOrSelf(type);
  if (auto integer = dyn_cast<IntegerType>(type))
    type = IntegerType::get(type.getContext(), integer.getWidth());
  std::string name;
  llvm::raw_string_ostream(name) << type;
  return name;
}

bool multipliesUnsigned(const MatrixOp &op, const TargetProfile &profile) {
  return profile.backend == Backend::XeVM &&
         (op.getLhs().getDefiningOp<arith::ExtUIOp>() ||
          op.getRhs().getDefiningOp<arith::ExtUIOp>());
}

Value getNarrow(Value value, bool isUnsigned) {
  Operation *ext = value.getDefiningOp();
  return isa_and_nonnull<arith::ExtFOp, arith::ExtSIOp>(ext) ||
                 (isUnsigned && isa_and_nonnull<arith::ExtUIOp>(ext))
             ? ext->getOperand(0)
             : value;
}

Result<ContractionStrategy> chooseMatrixAnchor(const MatrixOp &op,
                                               const AnchorRequest &request,
                                               const TargetProfile &profile,
                                               const Workgroup &workgroup) {
  Type accElement = getElementTypeOrSelf(op.getAcc().getType());
  strategy::MatrixTypes types{getProfileName(request.lhsElement),
                              getProfileName(request.rhsElement),
                              getProfileName(accElement)};
  std::optional<strategy::ContractionShape> shape = getContractionShape(op);
  auto isNumber = [](Type type) { return type.isIntOrFloat(); };
  if (!shape || !isNumber(request.lhsElement) ||
      !isNumber(request.rhsElement) || !isNumber(accElement))
    return Error{"no matrix instruction of " + profile.name + " multiplies " +
                 types.str() + " in tiles of these sizes"};
  strategy::ContractionRequest wanted;
  wanted.shape = *shape;
  wanted.types = types;
  wanted.bits = {request.lhsElement.getIntOrFloatBitWidth(),
                 request.rhsElement.getIntOrFloatBitWidth(),
                 accElement.getIntOrFloatBitWidth()};
  wanted.waves = workgroup.waves;
  wanted.blockIO = workgroup.blockIO;
  wanted.keepRows = request.keepRows;
  wanted.constraints = request.constraints;
  return strategy::chooseContraction(wanted, profile);
}

const MatrixInstruction *
matchMatrixInstruction(const MatrixOp &op, StringRef name,
                       const NestedLayout &lhs, const NestedLayout &rhs,
                       const NestedLayout &acc, const TargetProfile &profile) {
  std::optional<strategy::ContractionShape> shape = getContractionShape(op);
  if (!shape)
    return nullptr;
  bool isUnsigned = multipliesUnsigned(op, profile);
  auto typeOf = [&](Value value) {
    if (isUnsigned)
      value = getNarrow(value, /*isUnsigned=*/true);
    return getProfileName(value.getType());
  };
  return strategy::matchMatrixInstruction(
      *shape, {typeOf(op.getLhs()), typeOf(op.getRhs()), typeOf(op.getAcc())},
      name, {&lhs, &rhs, &acc}, profile);
}

} // namespace aircc::layout
