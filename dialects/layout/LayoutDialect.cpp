//===- LayoutDialect.cpp - The layout dialect -----------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/layout/LayoutDialect.h"
#include "dialects/common/DiscardableAttrs.h"
#include "dialects/layout/LayoutOps.h"
#include "dialects/layout/LayoutValues.h"

#include "mlir/IR/DialectImplementation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace aircc::layout;

#include "dialects/layout/LayoutDialect.cpp.inc"

#include "dialects/layout/LayoutEnums.cpp.inc"

namespace {
/// A function with these ops has the same meaning wherever it is inlined.
struct LayoutInlinerInterface : public DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Operation *op, Region *dest, bool wouldBeCloned,
                       IRMapping &mapping) const final {
    return true;
  }
};

/// Layouts are long and occur repeatedly, so give them aliases.
struct LayoutAsmInterface : public OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;

  AliasResult getAlias(Attribute attribute, raw_ostream &os) const final {
    if (!isa<NestedLayoutAttr>(attribute))
      return AliasResult::NoAlias;
    os << "nested";
    return AliasResult::OverridableAlias;
  }
};
} // namespace

void LayoutDialect::initialize() {
  registerAttributes();
  addOperations<
#define GET_OP_LIST
#include "dialects/layout/LayoutOps.cpp.inc"
      >();
  addInterfaces<LayoutAsmInterface, LayoutInlinerInterface>();
}

/// Verifies that `layout.results` matches the results of the op.
static LogicalResult verifyResultLayouts(Operation *op,
                                         NamedAttribute attribute) {
  auto layouts = dyn_cast<ArrayAttr>(attribute.getValue());
  if (!layouts || layouts.size() != op->getNumResults())
    return op->emitOpError("expects '")
           << attribute.getName().getValue() << "' to be a list of "
           << op->getNumResults() << " layouts, one for each result";
  for (auto [entry, result] : llvm::zip_equal(layouts, op->getResults())) {
    if (isa<UnitAttr>(entry))
      continue;
    auto layout = dyn_cast<NestedLayoutAttr>(entry);
    if (!layout)
      return op->emitOpError("expects each entry of '")
             << attribute.getName().getValue()
             << "' to be a layout or unit, but got " << entry;
    auto type = dyn_cast<VectorType>(result.getType());
    if (!type || type.isScalable() ||
        layout.getUndistributedShape() != llvm::to_vector(type.getShape()))
      return op->emitOpError("has the layout ")
             << layout << " on a result of type " << result.getType()
             << ", but their shapes differ";
  }
  return success();
}

static LogicalResult verifyStrategy(Operation *op, NamedAttribute attribute) {
  Attribute value = attribute.getValue();
  // Compare names, because this dialect does not depend on the dialects of
  // these ops.
  StringRef opName = op->getName().getStringRef();
  if (isa<ContractionStrategyAttr>(value) &&
      (opName == "vector.contract" || isa<ScaledContractOp>(op)))
    return success();
  bool isVector =
      op->getNumResults() == 1 && isa<VectorType>(op->getResult(0).getType());
  if (isa<TileTransferAttr>(value) &&
      (isVector || opName == "xegpu.prefetch_nd"))
    return success();
  return aircc::refuseValue(
      op, attribute,
      "#layout.contraction_strategy on a vector.contract or "
      "layout.scaled_contract, or #layout.tile_transfer on an op whose result "
      "is a vector or on an xegpu.prefetch_nd");
}

static LogicalResult verifyScope(Operation *op, NamedAttribute attribute) {
  if (isa<ScopeAttr>(attribute.getValue()))
    return success();
  return aircc::refuseValue(op, attribute,
                            "#layout.scope<wave> or #layout.scope<workgroup>");
}

static LogicalResult verifyMatrixInstruction(Operation *op,
                                             NamedAttribute attribute) {
  StringRef owner = op->getName().getStringRef();
  if (owner != "vector.contract" && owner != "xegpu.dpas" &&
      owner != "layout.scaled_contract")
    return aircc::refuseOp(
        op, attribute.getName(),
        "vector.contract, xegpu.dpas and layout.scaled_contract");
  if (isa<StringAttr>(attribute.getValue()))
    return success();
  return aircc::refuseValue(op, attribute, "the name of a matrix instruction");
}

static LogicalResult verifyAccess(Operation *op, NamedAttribute attribute) {
  if (isa<NestedLayoutAttr>(attribute.getValue()))
    return success();
  return aircc::refuseValue(op, attribute, "a layout");
}

static LogicalResult verifyDefaults(Operation *op, NamedAttribute attribute) {
  auto names = dyn_cast<ArrayAttr>(attribute.getValue());
  if (names && llvm::all_of(names, llvm::IsaPred<StringAttr>))
    return success();
  return aircc::refuseValue(op, attribute, "a list of attribute names");
}

static LogicalResult verifyCounted(Operation *op, NamedAttribute attribute) {
  if (op->getName().getStringRef() != "amdgpu.gather_to_lds")
    return aircc::refuseOp(op, attribute.getName(), "amdgpu.gather_to_lds");
  return aircc::verifyUnit(op, attribute);
}

static LogicalResult verifyPlacedWaits(Operation *op,
                                       NamedAttribute attribute) {
  if (!isa<FunctionOpInterface>(op))
    return aircc::refuseOp(op, attribute.getName(), "functions");
  return aircc::verifyUnit(op, attribute);
}

/// Each attribute of the dialect, with its verifier.
static constexpr aircc::AttrVerifier kVerifiers[] = {
    {LayoutDialect::ResultsAttrHelper::getNameStr(), verifyResultLayouts},
    {LayoutDialect::ScopeAttrHelper::getNameStr(), verifyScope},
    {LayoutDialect::MatrixInstructionAttrHelper::getNameStr(),
     verifyMatrixInstruction},
    {LayoutDialect::StrategyAttrHelper::getNameStr(), verifyStrategy},
    {LayoutDialect::AccessAttrHelper::getNameStr(), verifyAccess},
    {LayoutDialect::DefaultsAttrHelper::getNameStr(), verifyDefaults},
    {LayoutDialect::CountedAttrHelper::getNameStr(), verifyCounted},
    {LayoutDialect::PlacedWaitsAttrHelper::getNameStr(), verifyPlacedWaits},
};

LogicalResult
LayoutDialect::verifyOperationAttribute(Operation *op,
                                        NamedAttribute attribute) {
  return aircc::verifyDiscardableAttr(
      op, attribute, kVerifiers, [&](ArrayRef<StringRef> known) {
        return aircc::refuseUnknownAttribute(op, attribute.getName(), known);
      });
}
