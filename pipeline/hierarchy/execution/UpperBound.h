//===- UpperBound.h - How large a size can be -------------------*- C++ -*-===//
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

/// The largest value that `size`, of type index, can have, if the code says so:
/// through constants, affine maps and loop bounds, or through the range of what
/// arithmetic can give.
std::optional<int64_t> getUpperBound(mlir::Value size);

} // namespace aircc::hierarchy

#endif // AIRCC_PIPELINE_HIERARCHY_EXECUTION_UPPERBOUND_H
