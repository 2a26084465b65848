//===- RunIfUsed.cpp - Run passes only on code that needs them ------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A pass that lowers the ops of one dialect still visits every op. MLIR's
// greedy driver then takes time quadratic in the nesting depth: for each op, it
// adds all ancestors to its worklist, and walks all nested ops to find whether
// the op is dead. On 1,000 nested scf.if, each such pass takes a fifth of a
// second. Most programs have none of the ops that these passes lower, so skip
// the passes then.
//
//===----------------------------------------------------------------------===//

#include "pipeline/common/passes/RunIfUsed.h"
#include "pipeline/common/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace aircc {
#define GEN_PASS_DEF_RUNIFUSED
#include "pipeline/common/Passes.h.inc"
} // namespace aircc

namespace {

struct RunIfUsed : aircc::impl::RunIfUsedBase<RunIfUsed> {
  using RunIfUsedBase::RunIfUsedBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    for (const OpPassManager &pipeline : passes)
      pipeline.getDependentDialects(registry);
  }

  LogicalResult initialize(MLIRContext *) override {
    used.clear();
    for (const std::string &name : ops)
      used.insert(name);
    return success();
  }

  void runOnOperation() override {
    bool isUsed = getOperation()
                      ->walk([&](Operation *op) {
                        OperationName name = op->getName();
                        return used.contains(name.getStringRef()) ||
                                       used.contains(name.getDialectNamespace())
                                   ? WalkResult::interrupt()
                                   : WalkResult::advance();
                      })
                      .wasInterrupted();
    if (!isUsed)
      return;
    for (OpPassManager &pipeline : passes)
      if (failed(runPipeline(pipeline, getOperation())))
        return signalPassFailure();
  }

private:
  llvm::StringSet<> used;
};

} // namespace

void aircc::addPassesIfUsed(OpPassManager &pm, ArrayRef<StringRef> ops,
                            function_ref<void(OpPassManager &)> addPasses) {
  RunIfUsedOptions options;
  for (StringRef op : ops)
    options.ops.push_back(op.str());
  addPasses(options.passes.emplace_back(pm.getOpAnchorName()));
  pm.addPass(createRunIfUsed(std::move(options)));
}
