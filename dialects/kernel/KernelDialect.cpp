//===- KernelDialect.cpp - The kernel dialect and its attributes ----------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/kernel/KernelDialect.h"
#include "dialects/kernel/BlockOps.h"
#include "dialects/kernel/KernelOps.h"
#include "dialects/kernel/LaneOps.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace aircc::kernel;

#include "dialects/kernel/KernelDialect.cpp.inc"

#include "dialects/kernel/KernelEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/kernel/KernelAttrs.cpp.inc"

namespace {
/// All ops have the same meaning in any function, so they can be inlined.
struct KernelInlinerInterface : public DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Operation *op, Region *dest, bool wouldBeCloned,
                       IRMapping &mapping) const final {
    return true;
  }
};
} // namespace

void KernelDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/kernel/KernelAttrs.cpp.inc"
      >();
}

void KernelDialect::initialize() {
  registerAttributes();
  addOperations<
#define GET_OP_LIST
#include "dialects/kernel/KernelOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/kernel/BlockOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/kernel/LaneOps.cpp.inc"
      >();
  addInterfaces<KernelInlinerInterface>();
}
