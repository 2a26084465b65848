//===- PredicateSingleWorkerOps.cpp - Predicate ops -----------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/analysis/ExecutionModel.h"
#include "pipeline/analysis/Uniformity.h"
#include "pipeline/hierarchy/Passes.h"
#include "pipeline/hierarchy/execution/Workers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace aircc::hierarchy {
#define GEN_PASS_DEF_PREDICATESINGLEWORKEROPS
#include "pipeline/hierarchy/Passes.h.inc"
} // namespace aircc::hierarchy

using namespace mlir;
using namespace aircc;
using namespace aircc::hierarchy;

namespace {

/// A group of ops that one worker executes under one condition.
struct Group {
  SmallVector<Operation *> ops;
  Scope scope = Scope::Workgroup;
};

/// Groups adjacent ops that a single worker executes. Ops without effects
/// between them do not end a group; they are moved before it.
void collectGroups(Region &region, SmallVectorImpl<Group> &groups) {
  for (Block &block : region) {
    Group group;
    auto finish = [&] {
      if (!group.ops.empty())
        groups.push_back(std::move(group));
      group = Group();
    };
    for (Operation &op : block) {
      Role role = getRole(&op);
      if (role == Role::SingleWorker) {
        Scope scope = getWorkScope(&op);
        if (!group.ops.empty() && scope != group.scope)
          finish();
        group.scope = scope;
        group.ops.push_back(&op);
        continue;
      }
      if (role == Role::AllWorkers && isMemoryEffectFree(&op) &&
          llvm::none_of(op.getOperands(), [&](Value operand) {
            return llvm::is_contained(group.ops, operand.getDefiningOp());
          }))
        continue;
      finish();
      if (role == Role::ControlFlow || role == Role::Herd)
        for (Region &inner : op.getRegions())
          collectGroups(inner, groups);
    }
    finish();
  }
}

void predicate(const Group &group) {
  Operation *first = group.ops.front(), *last = group.ops.back();
  // All workers need the ops without effects in between.
  SmallVector<Operation *> between;
  for (Operation *op = first; op != last; op = op->getNextNode())
    if (!llvm::is_contained(group.ops, op))
      between.push_back(op);
  for (Operation *op : between)
    op->moveBefore(first);

  OpBuilder b(first);
  Location loc = first->getLoc();
  Workers workers = getWorkers(b, loc, group.scope);
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value isExecuting =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, workers.id, zero);
  auto branch = scf::IfOp::create(b, loc, isExecuting);
  branch->setAttr(kernel::KernelDialect::EveryLaneAttrHelper::getNameStr(),
                  b.getUnitAttr());
  for (Operation *op : group.ops)
    op->moveBefore(branch.thenBlock()->getTerminator());
}

struct PredicateSingleWorkerOpsPass
    : hierarchy::impl::PredicateSingleWorkerOpsBase<
          PredicateSingleWorkerOpsPass> {
  void runOnOperation() override {
    for (gpu::GPUFuncOp kernel : getUnfinishedKernels(getOperation())) {
      SmallVector<Group> groups;
      collectGroups(kernel.getBody(), groups);
      if (groups.empty())
        continue;
      Uniformity uniformity(kernel);
      for (const Group &group : groups)
        for (Operation *op : group.ops)
          // The ops of a group may use each other's results.
          if (failed(checkSameForWorkers(op, group.scope, uniformity,
                                         "is executed once for the",
                                         group.ops)))
            return signalPassFailure();
      for (const Group &group : groups)
        predicate(group);
    }
  }
};

} // namespace
