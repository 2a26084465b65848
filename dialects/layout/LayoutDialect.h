//===- LayoutDialect.h - The layout dialect and its attributes --*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The dialect, #layout.nested, #layout.xor_shuffle and #layout.scope.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DIALECTS_LAYOUT_LAYOUTDIALECT_H
#define AIRCC_DIALECTS_LAYOUT_LAYOUTDIALECT_H

#include "dialects/layout/algebra/Conversion.h"
#include "dialects/layout/algebra/NestedLayout.h"
#include "dialects/layout/algebra/XorShuffle.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpImplementation.h"

#include <optional>
#include <string>

namespace aircc::layout {

/// The cost of a change of layout.
struct ConversionCost {
  ConversionKind kind = ConversionKind::Identity;
  /// The number of values that a lane holds before and after.
  int64_t sourceRegisters = 0, registers = 0;
};

} // namespace aircc::layout

#include "dialects/layout/LayoutEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/layout/LayoutAttrs.h.inc"

// The typed accessors of discardable attributes need the classes above.
#include "dialects/layout/LayoutDialect.h.inc"

#endif // AIRCC_DIALECTS_LAYOUT_LAYOUTDIALECT_H
