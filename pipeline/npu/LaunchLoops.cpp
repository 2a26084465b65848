//===- LaunchLoops.cpp - The space of a launch as loops -------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/npu/ShimLoops.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace aircc;
using namespace aircc::npu;

static void addTokenResult(scf::IndexSwitchOp op) {
  OpBuilder b(op);
  for (Region &region : op->getRegions()) {
    Block &block = region.front();
    SmallVector<Value> tokens = getUnusedTokens(block);
    b.setInsertionPoint(block.getTerminator());
    Value token =
        air::WaitAllOp::create(b, op.getLoc(), tokens, /*isAsync=*/true)
            .getAsyncToken();
    block.getTerminator()->insertOperands(
        block.getTerminator()->getNumOperands(), token);
  }
  SmallVector<Type> types(op.getResultTypes());
  types.push_back(b.getType<air::AsyncTokenType>());
  b.setInsertionPoint(op);
  auto result = scf::IndexSwitchOp::create(b, op.getLoc(), types, op.getArg(),
                                           op.getCases(), op.getNumCases());
  result->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  for (auto [to, from] :
       llvm::zip_equal(result->getRegions(), op->getRegions()))
    to.takeBody(from);
  op.replaceAllUsesWith(result.getResults().drop_back());
  op.erase();
}

void npu::yieldBranchTokens(air::LaunchOp launch) {
  for (auto op : llvm::make_early_inc_range(
           launch.getRegion().getOps<scf::IndexSwitchOp>())) {
    bool hasUnused = llvm::any_of(op->getRegions(), [](Region &region) {
      return !getUnusedTokens(region.front()).empty();
    });
    if (hasUnused && llvm::none_of(op.getResults(), isToken))
      addTokenResult(op);
  }
}

/// Moves the body of `launch` into a nest of loops in `body`, the body of a
/// launch without space.
static void createLoops(air::LaunchOp launch, air::LaunchOp result,
                        ArrayRef<int64_t> sizes) {
  Location loc = launch.getLoc();
  OpBuilder b(result.getBodyBlock(), result.getBodyBlock()->begin());
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  SmallVector<Value> arguments, limits;
  for (int64_t size : sizes)
    limits.push_back(arith::ConstantIndexOp::create(b, loc, size));
  Value token = air::WaitAllOp::create(b, loc, ValueRange(), /*isAsync=*/true)
                    .getAsyncToken();
  SmallVector<scf::ForOp> loops;
  for (Value limit : limits) {
    auto loop = scf::ForOp::create(b, loc, zero, limit, one, ValueRange(token));
    loops.push_back(loop);
    arguments.push_back(loop.getInductionVar());
    token = loop.getRegionIterArg(0);
    b.setInsertionPointToStart(loop.getBody());
  }
  llvm::append_range(arguments, limits);
  llvm::append_range(arguments, result.getKernelArguments());

  Block *source = launch.getBodyBlock();
  source->getTerminator()->erase();
  Block *target = loops.back().getBody();
  for (auto [from, to] : llvm::zip_equal(source->getArguments(), arguments))
    from.replaceAllUsesWith(to);
  target->getOperations().splice(target->end(), source->getOperations());

  // Iterations are independent of each other; the carried token joins them.
  SmallVector<Value> tokens = getUnusedTokens(*target);
  tokens.insert(tokens.begin(), token);
  b.setInsertionPointToEnd(target);
  Value joined =
      air::WaitAllOp::create(b, loc, tokens, /*isAsync=*/true).getAsyncToken();
  scf::YieldOp::create(b, loc, joined);
  for (size_t i = loops.size(); i-- > 1;) {
    b.setInsertionPointAfter(loops[i]);
    scf::YieldOp::create(b, loc, loops[i].getResult(0));
  }
}

FailureOr<air::LaunchOp> npu::convertLaunch(air::LaunchOp launch) {
  if (launch.getNumDims() == 0)
    return launch;
  SmallVector<int64_t> sizes = launch.getStaticSizes();
  for (auto [dim, size] : llvm::enumerate(sizes))
    if (ShapedType::isDynamic(size))
      return launch.emitOpError("has a size in dimension ")
             << dim
             << " that is not constant, but a shim DMA is programmed with "
                "constant sizes; specialize the program for each size";
  OpBuilder b(launch);
  SmallVector<Value> dependencies;
  if (!launch.getAsyncDependencies().empty())
    dependencies.push_back(air::WaitAllOp::create(b, launch.getLoc(),
                                                  launch.getAsyncDependencies(),
                                                  /*isAsync=*/true)
                               .getAsyncToken());
  auto result = air::LaunchOp::create(
      b, launch.getLoc(), dependencies, /*sizes=*/ValueRange(),
      launch.getKernelOperands(), /*isAsync=*/true);
  result->setDiscardableAttrs(launch->getDiscardableAttrDictionary());
  if (StringAttr name = launch.getSymNameAttr())
    result.setSymNameAttr(name);
  result->setAttr(kDummyLaunch, b.getBoolAttr(true));
  createLoops(launch, result, sizes);
  if (Value token = launch.getAsyncToken())
    token.replaceAllUsesWith(result.getAsyncToken());
  else
    air::WaitAllOp::create(b, launch.getLoc(), result.getAsyncToken(),
                           /*isAsync=*/false);
  launch.erase();
  return result;
}
