//===- AttentionKernel.h - Build attention kernels --------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Builds a kernel for attention with workgroup-level vectors. Each workgroup
// computes some rows of one head: it iterates over the keys, and keeps the sum
// of weighted values, the maximum of the logits so far and the sum of the
// weights in registers (online softmax).
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_HIERARCHY_ATTENTION_ATTENTIONKERNEL_H
#define AIRCC_PIPELINE_HIERARCHY_ATTENTION_ATTENTIONKERNEL_H

#include "pipeline/common/kernels/Attention.h"
#include "targets/TargetProfile.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace aircc::hierarchy {

/// Attention on memrefs.
struct AttentionProblem {
  Attention attention;
  /// The elementwise op that is applied to the result before it is stored; null
  /// if the result itself is stored.
  mlir::linalg::GenericOp epilogue;
};

/// Creates the launch that computes `problem` at the insertion point.
mlir::gpu::LaunchOp createAttentionKernel(mlir::OpBuilder &b,
                                          const AttentionProblem &problem,
                                          const TargetProfile &profile);

} // namespace aircc::hierarchy

#endif // AIRCC_PIPELINE_HIERARCHY_ATTENTION_ATTENTIONKERNEL_H
