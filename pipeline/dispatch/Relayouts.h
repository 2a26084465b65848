//===- Relayouts.h - Data movement as structured ops ------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_DISPATCH_RELAYOUTS_H
#define AIRCC_PIPELINE_DISPATCH_RELAYOUTS_H

#include "mlir/IR/PatternMatch.h"

namespace aircc::dispatch {

/// Returns a linalg.generic without inputs that writes every element of `dest`.
/// `getElement` computes an element from its indices.
mlir::Value createGenerated(
    mlir::OpBuilder &b, mlir::Location loc, mlir::Value dest,
    llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::Location,
                                   mlir::ValueRange)>
        getElement);

/// Adds patterns that replace linalg.pack, linalg.unpack and tensor.gather on
/// tensors with a linalg.generic without inputs, which reads each element of
/// its result from the source with tensor.extract. All sizes and inner tiles
/// may be dynamic. tensor.scatter becomes a loop nest over its indices.
void populateRelayoutPatterns(mlir::RewritePatternSet &patterns);

/// Adds patterns that do the same for TOSA ops that upstream does not lower,
/// such as a tosa.tile of dynamic size.
void populateTosaRelayoutPatterns(mlir::RewritePatternSet &patterns);

} // namespace aircc::dispatch

#endif // AIRCC_PIPELINE_DISPATCH_RELAYOUTS_H
