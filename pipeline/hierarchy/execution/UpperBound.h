//===- UpperBound.h - Upper bounds of sizes ---------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_HIERARCHY_EXECUTION_UPPERBOUND_H
#define AIRCC_PIPELINE_HIERARCHY_EXECUTION_UPPERBOUND_H

#include "mlir/IR/Value.h"

#include <cstdint>
#include <optional>

namespace aircc::hierarchy {

/// Returns an upper bound of `size`, of type index, derived from constants,
/// affine maps, loop bounds or integer ranges.
std::optional<int64_t> getUpperBound(mlir::Value size);

} // namespace aircc::hierarchy

#endif // AIRCC_PIPELINE_HIERARCHY_EXECUTION_UPPERBOUND_H
