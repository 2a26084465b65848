//===- GreedyPass.h - Passes that apply patterns greedily -------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_COMMON_GREEDYPASS_H
#define AIRCC_PIPELINE_COMMON_GREEDYPASS_H

#include "mlir/IR/PatternMatch.h"
#include "mlir/Rewrite/FrozenRewritePatternSet.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace aircc {

/// A pass that applies one set of patterns to each op on which it runs. `Base`
/// is the generated base class of the pass. The patterns are created once, when
/// the pass manager is initialized. Code without an op that a pattern may match
/// is not changed; RunIfUsed.cpp explains why.
template <typename Base> class GreedyPass : public Base {
public:
  using Base::Base;

  mlir::LogicalResult initialize(mlir::MLIRContext *context) final {
    mlir::RewritePatternSet patterns(context);
    addPatterns(patterns);
    frozen = mlir::FrozenRewritePatternSet(std::move(patterns));
    return mlir::success();
  }

  void runOnOperation() final {
    if (!hasOpToMatch())
      return this->markAllAnalysesPreserved();
    if (mlir::failed(mlir::applyPatternsGreedily(this->getOperation(), frozen)))
      this->signalPassFailure();
  }

private:
  virtual void addPatterns(mlir::RewritePatternSet &patterns) = 0;

  bool hasOpToMatch() {
    if (!frozen.getMatchAnyOpNativePatterns().empty())
      return true;
    const auto &patterns = frozen.getOpSpecificNativePatterns();
    return this->getOperation()
        ->walk([&](mlir::Operation *op) {
          return patterns.contains(op->getName())
                     ? mlir::WalkResult::interrupt()
                     : mlir::WalkResult::advance();
        })
        .wasInterrupted();
  }

  mlir::FrozenRewritePatternSet frozen;
};

} // namespace aircc

#endif // AIRCC_PIPELINE_COMMON_GREEDYPASS_H
