//===- PatternParts.h - Parts of an access pattern --------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_HIERARCHY_CHANNELS_PATTERNPARTS_H
#define AIRCC_PIPELINE_HIERARCHY_CHANNELS_PATTERNPARTS_H

#include "dialects/air/AIROps.h"

#include "mlir/IR/Builders.h"

namespace aircc::hierarchy {

/// An access pattern, split into consecutive parts with equal numbers of
/// elements.
class PatternParts {
public:
  /// Returns the parts of `count` elements; nullopt if the pattern has unknown
  /// sizes or such parts are not patterns themselves.
  static std::optional<PatternParts> get(const air::AccessPattern &pattern,
                                         int64_t count);

  /// Returns the sizes of the space of parts, outermost first.
  llvm::ArrayRef<int64_t> getExtents() const { return extents; }
  int64_t getNumParts() const;

  /// Creates the part with these coordinates; a coordinate may be null if its
  /// dimension has size 1.
  air::AccessPattern createPart(mlir::OpBuilder &b, mlir::Location loc,
                                mlir::ValueRange coordinates) const;
  /// Creates the part with this number.
  air::AccessPattern createPart(mlir::OpBuilder &b, mlir::Location loc,
                                mlir::Value number) const;

private:
  air::AccessPattern pattern;
  llvm::SmallVector<int64_t> sizes, memrefStrides;
  llvm::SmallVector<mlir::OpFoldResult> strides;
  llvm::SmallVector<int64_t> extents;
  /// The number of elements of the last split dimension in a part.
  int64_t inPart = 1;
};

} // namespace aircc::hierarchy

#endif // AIRCC_PIPELINE_HIERARCHY_CHANNELS_PATTERNPARTS_H
