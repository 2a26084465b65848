//===- AIRDialect.cpp - The AIR dialect and its types ---------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/air/AIRDialect.h"
#include "dialects/air/AIROps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace aircc::air;

#include "dialects/air/AIRDialect.cpp.inc"

#include "dialects/air/AIREnums.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "dialects/air/AIRTypes.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/air/AIRAttrs.cpp.inc"

namespace {
/// A function may be inlined into any region of the dialect, and a function
/// with AIR ops may be inlined anywhere, because the meaning of an op depends
/// only on its operands, not on its position.
struct AIRInlinerInterface : public DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Operation *call, Operation *callable,
                       bool wouldBeCloned) const final {
    return true;
  }
  bool isLegalToInline(Region *dest, Region *src, bool wouldBeCloned,
                       IRMapping &mapping) const final {
    return true;
  }
  bool isLegalToInline(Operation *op, Region *dest, bool wouldBeCloned,
                       IRMapping &mapping) const final {
    return true;
  }
};
} // namespace

void AIRDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialects/air/AIRTypes.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/air/AIRAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/air/AIROps.cpp.inc"
      >();
  addInterfaces<AIRInlinerInterface>();
}

std::optional<MemorySpace> aircc::air::getMemorySpace(BaseMemRefType type) {
  Attribute space = type.getMemorySpace();
  if (!space)
    return MemorySpace::L3;
  auto number = dyn_cast<IntegerAttr>(space);
  if (!number)
    return std::nullopt;
  return symbolizeMemorySpace(number.getValue().getLimitedValue());
}

Attribute aircc::air::getMemorySpaceAttr(MLIRContext *context,
                                         MemorySpace space) {
  if (space == MemorySpace::L3)
    return {};
  return IntegerAttr::get(IntegerType::get(context, 64),
                          static_cast<int64_t>(space));
}

bool aircc::air::isSymmetricHeap(BaseMemRefType type) {
  return isa_and_nonnull<SymmetricHeapAttr>(type.getMemorySpace());
}
