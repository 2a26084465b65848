//===- LowerHostVectors.cpp - Vector ops of host code ---------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/layout/LayoutOps.h"
#include "pipeline/common/GreedyPass.h"
#include "pipeline/common/VectorLowering.h"
#include "pipeline/link/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace aircc {
#define GEN_PASS_DEF_LOWERHOSTVECTORS
#include "pipeline/link/Passes.h.inc"
} // namespace aircc

namespace {

/// A host thread holds complete vectors, so layouts have no effect.
struct DropAnchor : OpRewritePattern<aircc::layout::ToLayoutOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(aircc::layout::ToLayoutOp op,
                                PatternRewriter &rewriter) const final {
    rewriter.replaceOp(op, op.getInput());
    return success();
  }
};

struct LowerHostVectors
    : aircc::GreedyPass<aircc::impl::LowerHostVectorsBase<LowerHostVectors>> {
  using GreedyPass::GreedyPass;

  void addPatterns(RewritePatternSet &patterns) final {
    patterns.add<DropAnchor>(patterns.getContext());
    aircc::populateVectorLoweringPatterns(patterns);
  }
};

} // namespace
