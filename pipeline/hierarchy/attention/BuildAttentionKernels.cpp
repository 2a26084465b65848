//===- BuildAttentionKernels.cpp - Attention to kernels -------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/common/kernels/ElementwiseTile.h"
#include "pipeline/common/kernels/Work.h"
#include "pipeline/hierarchy/attention/AttentionKernel.h"
#include "pipeline/hierarchy/launch/WrapLaunch.h"
#include "pipeline/hierarchy/tiles/TilePasses.h"

#include "dialects/air/AIROps.h"
#include "dialects/kernel/KernelDialect.h"
#include "dialects/layout/LayoutDialect.h"
#include "pipeline/common/PassTarget.h"

#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace aircc::hierarchy {
#define GEN_PASS_DEF_BUILDATTENTIONKERNELS
#include "pipeline/hierarchy/tiles/TilePasses.h.inc"
} // namespace aircc::hierarchy

using namespace mlir;
using namespace aircc;
using namespace aircc::hierarchy;

namespace {

/// The ops of a launch that write its memrefs.
class LaunchProducers : public ProducerMap {
public:
  explicit LaunchProducers(air::LaunchOp launch) {
    for (auto op : launch.getBodyBlock()->getOps<linalg::LinalgOp>()) {
      bool isFill = isa<linalg::FillOp>(op.getOperation());
      for (Value result : op.getDpsInits()) {
        auto [place, isNew] =
            (isFill ? fills : writers).try_emplace(result, op);
        isUnique &= isNew;
      }
    }
  }

  linalg::LinalgOp getProducer(Value value) const final {
    return isUnique ? writers.lookup(value) : nullptr;
  }
  linalg::FillOp getFill(linalg::LinalgOp op) const final {
    linalg::LinalgOp fill = fills.lookup(op.getDpsInits()[0]);
    return fill && fill->isBeforeInBlock(op)
               ? cast<linalg::FillOp>(fill.getOperation())
               : nullptr;
  }

private:
  DenseMap<Value, linalg::LinalgOp> writers, fills;
  bool isUnique = true;
};

/// Replaces constant arguments with constants.
void sinkConstants(air::LaunchOp launch) {
  OpBuilder b = OpBuilder::atBlockBegin(launch.getBodyBlock());
  for (auto [argument, operand] :
       llvm::zip_equal(launch.getKernelArguments(), launch.getKernelOperands()))
    if (Operation *op = operand.getDefiningOp();
        op && op->hasTrait<OpTrait::ConstantLike>() && !argument.use_empty())
      argument.replaceAllUsesWith(b.clone(*op)->getResult(0));
}

/// Returns the attention that the launch computes, if it computes nothing else.
std::optional<AttentionProblem> match(air::LaunchOp launch) {
  SmallVector<linalg::LinalgOp> ops;
  for (Operation &op : launch.getBodyBlock()->without_terminator()) {
    auto structured = dyn_cast<linalg::LinalgOp>(op);
    if (structured && structured.hasPureBufferSemantics())
      ops.push_back(structured);
    else if (!isa<memref::AllocOp, memref::DeallocOp>(op) &&
             !isHostComputable(&op))
      return std::nullopt;
  }
  llvm::erase_if(ops, [](linalg::LinalgOp op) {
    return isa<linalg::FillOp>(op.getOperation());
  });
  // Attention has two contractions, two reductions and two elementwise ops.
  if (ops.size() < 6)
    return std::nullopt;
  sinkConstants(launch);
  AttentionProblem problem;
  linalg::LinalgOp result = ops.back();
  if (!linalg::isaContractionOpInterface(result)) {
    problem.epilogue = dyn_cast<linalg::GenericOp>(result.getOperation());
    if (!problem.epilogue || !isElementwiseOnTiles(problem.epilogue))
      return std::nullopt;
    result = ops[ops.size() - 2];
  }
  std::optional<Attention> attention =
      matchAttention(result, LaunchProducers(launch));
  if (!attention)
    return std::nullopt;
  problem.attention = *attention;
  // Each op must use results of the ops before it, and there must be no others.
  SmallVector<Operation *> expected = attention->getOps();
  if (problem.epilogue)
    expected.push_back(problem.epilogue);
  if (expected.size() != ops.size())
    return std::nullopt;
  for (auto [before, after] : llvm::zip(expected, llvm::drop_begin(expected)))
    if (!before->isBeforeInBlock(after) ||
        !cast<linalg::LinalgOp>(before)
             .getDpsInits()[0]
             .getDefiningOp<memref::AllocOp>())
      return std::nullopt;
  if (linalg::GenericOp epilogue = problem.epilogue)
    if (llvm::count(epilogue.getDpsInputs(), result.getDpsInits()[0]) != 1)
      return std::nullopt;
  return problem;
}

class BuildAttentionKernels
    : public hierarchy::impl::BuildAttentionKernelsBase<BuildAttentionKernels> {
public:
  using BuildAttentionKernelsBase::BuildAttentionKernelsBase;

  void setTarget(std::shared_ptr<const TargetProfile> known) {
    passTarget = PassTarget(std::move(known));
    target = passTarget.getOption();
  }

  void runOnOperation() final {
    for (air::LaunchOp launch : getSingleWorkgroupLaunches(getOperation()))
      if (failed(lower(launch)))
        return signalPassFailure();
  }

private:
  LogicalResult lower(air::LaunchOp launch);

  PassTarget passTarget;
};

LogicalResult BuildAttentionKernels::lower(air::LaunchOp launch) {
  std::optional<AttentionProblem> problem = match(launch);
  if (!problem)
    return success();
  const TargetProfile *profile = passTarget.get(getArgument(), target, launch);
  if (!profile)
    return failure();
  SmallVector<Operation *> ops = problem->attention.getOps();
  if (problem->epilogue)
    ops.push_back(problem->epilogue);
  Value result = cast<linalg::LinalgOp>(ops.back()).getDpsInits()[0];
  if (!isResultSeparate(launch, result, ops)) {
    splitLaunch(launch);
    return success();
  }
  SmallVector<Operation *> done;
  for (Operation &op : launch.getBodyBlock()->without_terminator())
    if (!isHostComputable(&op))
      done.push_back(&op);
  unwrapLaunch(launch);
  // The operands are now values of the caller.
  result = cast<linalg::LinalgOp>(ops.back()).getDpsInits()[0];
  OpBuilder b(ops.back());
  Location loc = ops.back()->getLoc();
  auto type = cast<MemRefType>(result.getType());
  if (!llvm::is_contained(type.getShape(), 0)) {
    SmallVector<OpFoldResult> sizes;
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      sizes.push_back(memref::getMixedSize(b, loc, result, dim));
    createNonEmptyGuard(b, loc, sizes);
    moveWorks(done, createAttentionKernel(b, *problem, *profile));
  }
  for (Operation *op : llvm::reverse(done))
    op->erase();
  return success();
}

} // namespace

std::unique_ptr<Pass> aircc::hierarchy::createBuildAttentionKernels(
    std::shared_ptr<const TargetProfile> profile) {
  auto pass = std::make_unique<BuildAttentionKernels>();
  pass->setTarget(std::move(profile));
  return pass;
}
