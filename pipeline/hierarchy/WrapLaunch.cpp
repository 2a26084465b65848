//===- WrapLaunch.cpp - Ops into launches and out of them -----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/hierarchy/WrapLaunch.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace aircc;

air::LaunchOp hierarchy::wrapInLaunch(OpBuilder &b, ArrayRef<Operation *> ops,
                                      ValueRange grid) {
  // A launch sees nothing of the host but its arguments.
  SetVector<Value> operands;
  for (Operation *op : ops) {
    operands.insert_range(op->getOperands());
    getUsedValuesDefinedAbove(op->getRegions(), operands);
  }
  auto launch = air::LaunchOp::create(b, ops.front()->getLoc(), grid,
                                      operands.getArrayRef());
  IRMapping mapping;
  mapping.map(operands.getArrayRef(), ValueRange(launch.getKernelArguments()));
  OpBuilder inner = OpBuilder::atBlockTerminator(launch.getBodyBlock());
  for (Operation *op : ops) {
    inner.clone(*op, mapping);
    op->erase();
  }
  return launch;
}

void hierarchy::unwrapLaunch(air::LaunchOp launch) {
  assert(launch.getNumDims() == 0 && "its body is run once");
  for (auto [arg, operand] :
       llvm::zip_equal(launch.getKernelArguments(), launch.getKernelOperands()))
    arg.replaceAllUsesWith(operand);
  for (Operation &op :
       llvm::make_early_inc_range(launch.getBodyBlock()->without_terminator()))
    op.moveBefore(launch);
  launch.erase();
}
