//===- LayoutDialect.cpp - The layout dialect -----------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/layout/LayoutDialect.h"
#include "dialects/layout/LayoutOps.h"
#include "dialects/layout/LayoutValues.h"

#include "mlir/IR/DialectImplementation.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace aircc::layout;

#include "dialects/layout/LayoutDialect.cpp.inc"

#include "dialects/layout/LayoutEnums.cpp.inc"

namespace {
/// A function with these ops means the same wherever it is inlined.
struct LayoutInlinerInterface : public DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Operation *op, Region *dest, bool wouldBeCloned,
                       IRMapping &mapping) const final {
    return true;
  }
};

/// Layouts are long, and the same few come again and again.
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

/// `layout.results` fits the op's results.
static LogicalResult verifyResultLayouts(Operation *op, Attribute attribute) {
  auto layouts = dyn_cast<ArrayAttr>(attribute);
  if (!layouts || layouts.size() != op->getNumResults())
    return op->emitOpError("expects '")
           << kResultLayoutsAttr << "' to be a list of " << op->getNumResults()
           << " layouts, one for each result";
  for (auto [entry, result] : llvm::zip_equal(layouts, op->getResults())) {
    if (isa<UnitAttr>(entry))
      continue;
    auto layout = dyn_cast<NestedLayoutAttr>(entry);
    if (!layout)
      return op->emitOpError("expects each entry of '")
             << kResultLayoutsAttr << "' to be a layout or unit, but got "
             << entry;
    auto type = dyn_cast<VectorType>(result.getType());
    if (!type || type.isScalable() ||
        layout.getUndistributedShape() != llvm::to_vector(type.getShape()))
      return op->emitOpError("has the layout ")
             << layout << " on a result of type " << result.getType()
             << ", which is of another shape";
  }
  return success();
}

static LogicalResult verifyStrategy(Operation *op, Attribute value) {
  // By name: the dialect itself depends on neither of the ops' dialects.
  StringRef opName = op->getName().getStringRef();
  if (isa<ContractionStrategyAttr>(value) && opName == "vector.contract")
    return success();
  if (isa<TileTransferAttr>(value) &&
      (opName == "vector.transfer_read" || opName == "xegpu.prefetch_nd"))
    return success();
  return op->emitOpError("expects '")
         << kStrategyAttr << "' to be #layout.contraction_strategy on a "
         << "vector.contract or #layout.tile_transfer on a "
         << "vector.transfer_read or xegpu.prefetch_nd, but got " << value;
}

LogicalResult
LayoutDialect::verifyOperationAttribute(Operation *op,
                                        NamedAttribute attribute) {
  StringRef name = attribute.getName();
  Attribute value = attribute.getValue();
  if (name == kResultLayoutsAttr)
    return verifyResultLayouts(op, value);
  if (name == kScopeAttr) {
    if (isa<ScopeAttr>(value))
      return success();
    return op->emitOpError("expects '")
           << name << "' to be #layout.scope<wave> or "
           << "#layout.scope<workgroup>, but got " << value;
  }
  if (name == kPlacedWaitsAttr)
    return success();
  if (name == kMatrixInstructionAttr) {
    if (isa<StringAttr>(value))
      return success();
    return op->emitOpError("expects '")
           << name << "' to be the name of a matrix instruction, but got "
           << value;
  }
  if (name == kAccessLayoutAttr) {
    if (isa<NestedLayoutAttr>(value))
      return success();
    return op->emitOpError("expects '")
           << name << "' to be a layout, but got " << value;
  }
  if (name == kDefaultsAttr) {
    auto names = dyn_cast<ArrayAttr>(value);
    if (names && llvm::all_of(names, llvm::IsaPred<StringAttr>))
      return success();
    return op->emitOpError("expects '")
           << name << "' to be a list of names of attributes, but got "
           << value;
  }
  if (name == kStrategyAttr)
    return verifyStrategy(op, value);
  // Attributes of stages carry names of their own.
  return op->emitOpError("has the attribute '")
         << name << "', which the layout dialect does not have";
}
