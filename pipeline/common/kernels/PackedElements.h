//===- PackedElements.h - Elements that share a byte ------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// In memory, 4-bit floats are packed two to a byte, the first one in the lower
// bits. Elementwise ops extract them with a shift, using an index `p` that
// alternates fastest:
//
//   bitcast (trunc (byte >> 4 * p))
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_COMMON_KERNELS_PACKEDELEMENTS_H
#define AIRCC_PIPELINE_COMMON_KERNELS_PACKEDELEMENTS_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/Value.h"

#include <optional>

namespace aircc {

/// An element of a byte that holds several.
struct PackedElement {
  mlir::Value storage; ///< The byte.
  int64_t count = 0;   ///< The number of elements in a byte.
};

/// Matches `element`, in the body of a linalg.generic, as an element of a byte
/// at the position given by the index of loop `loop`.
std::optional<PackedElement> matchPackedElement(mlir::Value element,
                                                unsigned loop);

/// Creates this computation in the body of a linalg.generic: extracts the
/// element of `type`, a 4-bit float, from `byte`, an i8.
mlir::Value createPackedElement(mlir::OpBuilder &b, mlir::Location loc,
                                mlir::Value byte, mlir::Type type,
                                unsigned loop);

} // namespace aircc

#endif // AIRCC_PIPELINE_COMMON_KERNELS_PACKEDELEMENTS_H
