//===- OverlappingRows.cpp - Strides meant for a subview ------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/analysis/OverlappingRows.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace aircc {

/// Returns the step of the subview that `pattern` would describe. Returns
/// nullopt if it does not look like a subview or has at most one row.
static std::optional<int64_t> getSubviewStep(const air::AccessPattern &pattern,
                                             MemRefType type) {
  std::optional<int64_t> step = getConstantIntValue(pattern.strides.front());
  if (!step || *step <= 0)
    return std::nullopt;
  unsigned usedDims = 0;
  for (auto [dim, size, stride] :
       llvm::enumerate(pattern.sizes, pattern.strides)) {
    std::optional<int64_t> count = getConstantIntValue(size);
    if (!count || getConstantIntValue(stride) != step)
      return std::nullopt;
    int64_t extent;
    if (llvm::MulOverflow(*count - 1, *step, extent) ||
        (!type.isDynamicDim(dim) && extent >= type.getDimSize(dim)))
      return std::nullopt;
    usedDims += *count > 1;
  }
  return usedDims > 1 ? step : std::nullopt;
}

static void warn(air::TransferInterface op, const air::AccessPattern &pattern,
                 StringRef verb, StringRef side) {
  auto type = dyn_cast_or_null<MemRefType>(pattern.getType());
  if (!type || type.getRank() < 2 ||
      pattern.strides.size() != size_t(type.getRank()))
    return;
  SmallVector<int64_t> units;
  int64_t offset;
  std::optional<int64_t> step = getSubviewStep(pattern, type);
  if (!step || failed(type.getStridesAndOffset(units, offset)) ||
      llvm::all_of(units, [](int64_t unit) { return unit == 1; }))
    return;
  InFlightDiagnostic diag = op->emitWarning();
  diag << verb << " overlapping rows of its " << side
       << "; unlike in memref.subview, strides count elements of the buffer: "
          "for a tile of a "
       << type << ", use [";
  llvm::interleaveComma(units, diag, [&](int64_t unit) {
    if (ShapedType::isDynamic(unit))
      diag << "?";
    else
      diag << unit * *step;
  });
  diag << "] instead of [";
  llvm::interleaveComma(units, diag, [&](int64_t) { diag << *step; });
  diag << "]";
}

void warnOfOverlappingRows(air::TransferInterface op) {
  warn(op, op.getSourcePattern(), "reads", "source");
  warn(op, op.getTargetPattern(), "writes", "target");
}

} // namespace aircc
