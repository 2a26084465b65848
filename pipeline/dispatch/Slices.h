//===- Slices.h - Slices that drop unit dimensions --------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_DISPATCH_SLICES_H
#define AIRCC_PIPELINE_DISPATCH_SLICES_H

#include "mlir/IR/PatternMatch.h"

namespace aircc::dispatch {

/// Adds patterns that split a strided slice that drops some, but not all, of
/// its unit dimensions into a slice of full rank and a reshape.
void populateSlicePatterns(mlir::RewritePatternSet &patterns);

/// Adds patterns that replace reshapes of tensors without elements, which
/// upstream cannot bufferize if other sizes are dynamic.
void populateEmptyReshapePatterns(mlir::RewritePatternSet &patterns);

} // namespace aircc::dispatch

#endif // AIRCC_PIPELINE_DISPATCH_SLICES_H
