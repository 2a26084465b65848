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

/// A linalg.generic without inputs that writes every element of `dest`, which
/// `getElement` computes from its indices.
mlir::Value createGenerated(
    mlir::OpBuilder &b, mlir::Location loc, mlir::Value dest,
    llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::Location,
                                   mlir::ValueRange)>
        getElement);

/// Patterns that replace linalg.pack, linalg.unpack and tensor.gather on
/// tensors by a linalg.generic without inputs, which reads each element of its
/// result from the source by tensor.extract. All sizes and inner tiles may be
/// dynamic. tensor.scatter becomes a loop nest over its indices.
void populateRelayoutPatterns(mlir::RewritePatternSet &patterns);

/// Patterns that do the same for ops of TOSA which upstream does not lower: a
/// tosa.tile of dynamic size.
void populateTosaRelayoutPatterns(mlir::RewritePatternSet &patterns);

} // namespace aircc::dispatch

#endif // AIRCC_PIPELINE_DISPATCH_RELAYOUTS_H
