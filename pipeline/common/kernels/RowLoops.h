//===- RowLoops.h - Long rows of elementwise ops ----------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_COMMON_KERNELS_ROWLOOPS_H
#define AIRCC_PIPELINE_COMMON_KERNELS_ROWLOOPS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace aircc {

/// Makes the innermost loops of an elementwise op one loop if rows along the
/// innermost one are short or not aligned, such as those of images. Returns the
/// op that replaces `op`, or `op` itself if nothing changed.
mlir::linalg::GenericOp joinRowLoops(mlir::RewriterBase &b,
                                     mlir::linalg::GenericOp op);

} // namespace aircc

#endif // AIRCC_PIPELINE_COMMON_KERNELS_ROWLOOPS_H
