//===- PrintAnalyses.cpp - Annotate ops with analysis results -------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/analysis/MemoryAccess.h"
#include "pipeline/analysis/Passes.h"
#include "pipeline/analysis/Uniformity.h"

#include "mlir/IR/Builders.h"

namespace aircc {
#define GEN_PASS_DEF_PRINTUNIFORMITY
#define GEN_PASS_DEF_PRINTACCESSES
#include "pipeline/analysis/Passes.h.inc"
} // namespace aircc

using namespace mlir;
using namespace aircc;

namespace {

struct PrintUniformity : aircc::impl::PrintUniformityBase<PrintUniformity> {
  using PrintUniformityBase::PrintUniformityBase;

  void runOnOperation() override {
    Builder b(&getContext());
    for (auto kernel : getOperation().getOps<gpu::GPUFuncOp>()) {
      Uniformity uniformity(kernel, {waveSize, readsAreUniform});
      auto describe = [&](ValueRange values) {
        SmallVector<StringRef> scopes;
        for (Value value : values)
          scopes.push_back(stringifyScope(uniformity.getUniformScope(value)));
        return b.getStrArrayAttr(scopes);
      };
      kernel.walk([&](Operation *op) {
        if (op->getNumResults())
          op->setAttr("uniform_over", describe(op->getResults()));
        SmallVector<Value> args;
        for (Region &region : op->getRegions())
          llvm::append_range(args, region.getArguments());
        if (!args.empty())
          op->setAttr("args_uniform_over", describe(args));
        if (op == kernel)
          return;
        Scope control = uniformity.getControlScope(op);
        if (control < Scope::Workgroup)
          op->setAttr("reached_by", b.getStringAttr(stringifyScope(control)));
      });
    }
  }
};

StringRef stringify(BufferLevel level) {
  switch (level) {
  case BufferLevel::Global:
    return "global";
  case BufferLevel::Workgroup:
    return "workgroup";
  case BufferLevel::PerWave:
    return "wave";
  case BufferLevel::PerLane:
    return "lane";
  case BufferLevel::Unknown:
    return "any";
  }
  llvm_unreachable("unknown buffer level");
}

StringRef stringify(AccessAgent agent) {
  switch (agent) {
  case AccessAgent::SingleWorker:
    return "one";
  case AccessAgent::AllWorkers:
    return "all";
  case AccessAgent::LaneCode:
    return "lanes";
  }
  llvm_unreachable("unknown agent");
}

struct PrintAccesses : aircc::impl::PrintAccessesBase<PrintAccesses> {
  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<gpu::GPUFuncOp>()) {
      Uniformity uniformity(kernel);
      // Roles depend on the attributes of ops, so compute all results before
      // setting any.
      SmallVector<std::pair<Operation *, ArrayAttr>> marks;
      kernel.walk([&](Operation *op) {
        if (op->getNumRegions() == 0)
          marks.push_back({op, describe(op, uniformity)});
      });
      for (auto [op, mark] : marks)
        if (!mark.empty())
          op->setAttr("accesses", mark);
    }
  }

private:
  ArrayAttr describe(Operation *op, const Uniformity &uniformity) {
    SmallVector<MemoryAccess> accesses;
    collectAccesses(op,
                    getAccessAgent(op, getRole(op), getScope(op), uniformity),
                    accesses);
    SmallVector<Attribute> texts;
    for (const MemoryAccess &access : accesses) {
      std::string text;
      llvm::raw_string_ostream os(text);
      os << (access.isAsync ? "async " : "")
         << (access.writes ? "write " : "read ") << stringify(access.level);
      if (access.firstByte != access.endByte)
        os << " [" << access.firstByte << ", " << access.endByte << ")";
      os << ' ' << stringify(access.agent);
      texts.push_back(StringAttr::get(&getContext(), text));
    }
    return ArrayAttr::get(&getContext(), texts);
  }
};

} // namespace
