//===- Attention.h - Match attention ----------------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Matches softmax(f(Q K^T)) V, written as linalg ops on tensors or memrefs, by
// indexing maps and bodies:
//
//   scores = Q K^T                       a contraction over the depth
//   logits = f(scores, …)                elementwise: scale, mask, bias, …
//   max    = maximum of logits           along the keys
//   exp    = exp(logits - max)           elementwise
//   sum    = sum of exp                  along the keys
//   weights = exp / sum                  elementwise
//   result = weights V                   a contraction over the keys
//
// All of these except the result have the dimensions of the scores, in the same
// order. One of these dimensions is the queries and one is the keys; the others
// are batches, heads and groups of heads.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_COMMON_KERNELS_ATTENTION_H
#define AIRCC_PIPELINE_COMMON_KERNELS_ATTENTION_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace aircc {

struct Attention {
  mlir::linalg::LinalgOp scores, result;
  /// In the order in which they use each other; empty if f is the identity.
  llvm::SmallVector<mlir::linalg::GenericOp> logits;
  mlir::linalg::GenericOp max, exp, sum, weights;
  mlir::OpOperand *q = nullptr, *k = nullptr, *v = nullptr;

  /// The dimensions of the scores.
  unsigned rank = 0, queryDim = 0, keyDim = 0;
  /// The dimensions of the operands and of the result, as functions of the
  /// dimensions of the scores, followed by the depth and by the columns of V.
  mlir::AffineMap mapOfQ, mapOfK, mapOfV, mapOfResult;
  unsigned getDepthDim() const { return rank; }
  unsigned getFeatureDim() const { return rank + 1; }

  /// Returns all ops, sorted so that each follows those that it uses.
  llvm::SmallVector<mlir::Operation *> getOps() const;
};

/// Provides how the values of a program are computed.
class ProducerMap {
public:
  virtual ~ProducerMap() = default;
  /// Returns the structured op that computes a tensor or the contents of a
  /// memref, or null if it is not known.
  virtual mlir::linalg::LinalgOp getProducer(mlir::Value value) const = 0;
  /// Returns the op that initially fills the result of `op`, or null.
  virtual mlir::linalg::FillOp getFill(mlir::linalg::LinalgOp op) const = 0;
};

/// Matches the attention that computes this result.
std::optional<Attention> matchAttention(mlir::linalg::LinalgOp result,
                                        const ProducerMap &producers);

} // namespace aircc

#endif // AIRCC_PIPELINE_COMMON_KERNELS_ATTENTION_H
