//===- SerializeTokens.cpp - Replace tokens by program order --------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/hierarchy/Passes.h"

#include "dialects/air/AIROps.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace aircc::hierarchy {
#define GEN_PASS_DEF_SERIALIZETOKENS
#include "pipeline/hierarchy/Passes.h.inc"
} // namespace aircc::hierarchy

using namespace mlir;
using namespace aircc;

namespace {

bool isToken(Value value) { return isa<air::AsyncTokenType>(value.getType()); }
bool isTokenType(Type type) { return isa<air::AsyncTokenType>(type); }

/// Returns a value that stands in for a token until its last use is erased.
Value placeholder(OpBuilder &b, Location loc) {
  return ub::PoisonOp::create(b, loc, air::AsyncTokenType::get(b.getContext()));
}

/// Replaces the token arguments of `block` and erases them.
void eraseTokenArguments(Block &block) {
  OpBuilder b = OpBuilder::atBlockBegin(&block);
  for (BlockArgument arg : block.getArguments())
    if (isToken(arg) && !arg.use_empty())
      arg.replaceAllUsesWith(placeholder(b, arg.getLoc()));
  block.eraseArguments([](BlockArgument arg) { return isToken(arg); });
}

void eraseTokenOperands(Operation *op) {
  for (unsigned i = op->getNumOperands(); i-- > 0;)
    if (isToken(op->getOperand(i)))
      op->eraseOperand(i);
}

void eraseTokenOperands(MutableOperandRange operands) {
  for (unsigned i = operands.size(); i-- > 0;)
    if (isToken(operands[i].get()))
      operands.erase(i);
}

/// Rebuilds `op` without its token results.
Operation *dropTokenResults(Operation *op) {
  if (llvm::none_of(op->getResults(), isToken))
    return op;
  OpBuilder b(op);
  OperationState state(op->getLoc(), op->getName(), op->getOperands(), {},
                       op->getAttrs());
  for (OpResult result : op->getResults())
    if (!isToken(result))
      state.types.push_back(result.getType());
  for (Region &region : op->getRegions())
    state.addRegion()->takeBody(region);
  Operation *replacement = b.create(state);
  unsigned next = 0;
  for (OpResult result : op->getResults())
    if (!isToken(result))
      result.replaceAllUsesWith(replacement->getResult(next++));
    else if (!result.use_empty())
      result.replaceAllUsesWith(placeholder(b, op->getLoc()));
  op->erase();
  return replacement;
}

/// Removes the tokens that a loop carries or a branch yields.
LogicalResult serializeControlFlow(Operation *op) {
  if (auto parallel = dyn_cast<scf::ParallelOp>(op)) {
    // Erases reductions of tokens, which are joins.
    auto reduce = cast<scf::ReduceOp>(parallel.getBody()->getTerminator());
    OpBuilder b(reduce);
    OperationState state(reduce.getLoc(), reduce->getName());
    for (auto [operand, region] :
         llvm::zip_equal(reduce.getOperands(), reduce.getReductions()))
      if (!isToken(operand)) {
        state.operands.push_back(operand);
        state.addRegion()->takeBody(region);
      }
    b.create(state);
    reduce.erase();
    eraseTokenOperands(parallel.getInitValsMutable());
    dropTokenResults(parallel);
    return success();
  }
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    eraseTokenOperands(loop.getInitArgsMutable());
  } else if (auto loop = dyn_cast<affine::AffineForOp>(op)) {
    eraseTokenOperands(loop.getInitsMutable());
  } else if (isa<scf::WhileOp>(op)) {
    eraseTokenOperands(op);
  } else if (!isa<scf::IfOp, scf::IndexSwitchOp, scf::ExecuteRegionOp,
                  affine::AffineIfOp>(op)) {
    return op->emitOpError(
        "cannot pass on tokens; tokens can only be passed through scf.for, "
        "scf.while, scf.if, scf.index_switch, scf.execute_region, "
        "scf.parallel, affine.for, affine.if and the args of AIR ops");
  }
  for (Region &region : op->getRegions())
    for (Block &block : region) {
      eraseTokenArguments(block);
      eraseTokenOperands(block.getTerminator());
    }
  dropTokenResults(op);
  return success();
}

bool handlesTokens(Operation *op) {
  if (llvm::any_of(op->getOperands(), isToken) ||
      llvm::any_of(op->getResults(), isToken))
    return true;
  for (Region &region : op->getRegions())
    for (Block &block : region)
      if (llvm::any_of(block.getArguments(), isToken))
        return true;
  return false;
}

void inlineExecute(air::ExecuteOp execute) {
  Block *body = &execute.getRegion().front();
  Operation *terminator = body->getTerminator();
  OpBuilder b(execute);
  execute.getResults().replaceAllUsesWith(terminator->getOperands());
  Value token = execute.getAsyncToken();
  if (!token.use_empty())
    token.replaceAllUsesWith(placeholder(b, execute.getLoc()));
  terminator->erase();
  execute->getBlock()->getOperations().splice(Block::iterator(execute),
                                              body->getOperations());
  execute.erase();
}

LogicalResult serialize(Operation *op) {
  if (auto execute = dyn_cast<air::ExecuteOp>(op)) {
    inlineExecute(execute);
    return success();
  }
  if (isa<air::WaitAllOp>(op)) {
    OpBuilder b(op);
    for (Value token : op->getResults())
      if (!token.use_empty())
        token.replaceAllUsesWith(placeholder(b, op->getLoc()));
    op->erase();
    return success();
  }
  if (auto async = dyn_cast<air::AsyncOpInterface>(op)) {
    async.getAsyncDependenciesMutable().clear();
    if (auto hierarchy = dyn_cast<air::HierarchyInterface>(op)) {
      for (unsigned i = hierarchy.getKernelOperands().size(); i-- > 0;)
        if (isToken(hierarchy.getKernelOperands()[i])) {
          BlockArgument arg = hierarchy.getKernelArguments()[i];
          OpBuilder b = OpBuilder::atBlockBegin(hierarchy.getBodyBlock());
          if (!arg.use_empty())
            arg.replaceAllUsesWith(placeholder(b, arg.getLoc()));
          hierarchy.eraseKernelOperand(i);
        }
    }
    dropTokenResults(op);
    return success();
  }
  if (!handlesTokens(op) || isa<ub::PoisonOp>(op) ||
      op->hasTrait<OpTrait::IsTerminator>())
    return success();
  if (isa<FunctionOpInterface, CallOpInterface>(op))
    return op->emitOpError(
        "cannot pass tokens between functions; wait for them with air.wait_all "
        "before the call or the return");
  return serializeControlFlow(op);
}

/// Makes functions that return tokens wait for them and return only their other
/// results.
LogicalResult waitInFunctions(ModuleOp module) {
  for (auto function : module.getOps<func::FuncOp>()) {
    if (llvm::none_of(function.getResultTypes(), isTokenType))
      continue;
    if (function.isExternal())
      return function.emitOpError(
          "returns a token, but is defined elsewhere, so a wait cannot be "
          "added to it; make it return after its work is done");
    function.walk([](func::ReturnOp ret) {
      SmallVector<Value> tokens =
          llvm::filter_to_vector(ret.getOperands(), isToken);
      OpBuilder b(ret);
      air::WaitAllOp::create(b, ret.getLoc(), tokens, /*isAsync=*/false);
      eraseTokenOperands(ret);
    });
    BitVector dropped(function.getNumResults());
    for (auto [i, type] : llvm::enumerate(function.getResultTypes()))
      dropped[i] = isTokenType(type);
    if (failed(function.eraseResults(dropped)))
      return failure();
  }
  module.walk([](func::CallOp call) { dropTokenResults(call); });
  return success();
}

/// Makes callers wait for the tokens that they pass to functions, and erases
/// these arguments.
LogicalResult waitBeforeCalls(ModuleOp module) {
  for (auto function : module.getOps<func::FuncOp>()) {
    if (llvm::none_of(function.getArgumentTypes(), isTokenType))
      continue;
    if (function.isExternal())
      return function.emitOpError(
          "takes a token, but is defined elsewhere, where nothing can wait for "
          "it; wait before the call instead, with air.wait_all");
    BitVector dropped(function.getNumArguments());
    OpBuilder b(function.getBody());
    for (BlockArgument arg : function.getArguments()) {
      if (!isToken(arg))
        continue;
      dropped.set(arg.getArgNumber());
      auto done = air::WaitAllOp::create(b, arg.getLoc(), ValueRange(),
                                         /*isAsync=*/true);
      arg.replaceAllUsesWith(done.getAsyncToken());
    }
    if (failed(function.eraseArguments(dropped)))
      return failure();
  }
  module.walk([](func::CallOp call) {
    SmallVector<Value> tokens =
        llvm::filter_to_vector(call.getOperands(), isToken);
    if (tokens.empty())
      return;
    OpBuilder b(call);
    air::WaitAllOp::create(b, call.getLoc(), tokens, /*isAsync=*/false);
    eraseTokenOperands(call);
  });
  return success();
}

/// Returns true if the tokens of this op become streams, because the op is a
/// launch or a join on the host, in a block where tokens only order launches.
bool usesStreams(Operation *op) {
  if (!isa<air::LaunchOp, air::WaitAllOp>(op) ||
      op->getParentOfType<air::HierarchyInterface>())
    return false;
  for (Operation &other : *op->getBlock()) {
    if (llvm::any_of(other.getOperands(), isToken) ||
        llvm::any_of(other.getResults(), isToken)) {
      if (!isa<air::LaunchOp, air::WaitAllOp>(other))
        return false;
      for (Value operand : other.getOperands())
        if (isToken(operand) && (!operand.getDefiningOp() ||
                                 operand.getParentBlock() != op->getBlock()))
          return false;
      for (Value result : other.getResults())
        for (Operation *user : result.getUsers())
          if (user->getBlock() != op->getBlock())
            return false;
    }
    if (auto launch = dyn_cast<air::LaunchOp>(other);
        launch && llvm::any_of(launch.getKernelOperands(), isToken))
      return false;
  }
  return true;
}

struct SerializeTokensPass
    : hierarchy::impl::SerializeTokensBase<SerializeTokensPass> {
  void runOnOperation() override {
    if (failed(waitBeforeCalls(getOperation())) ||
        failed(waitInFunctions(getOperation())))
      return signalPassFailure();
    // Visit inner ops first, because the tokens of a terminator are removed
    // together with those of its parent.
    SmallVector<Operation *> ops;
    SmallPtrSet<Operation *, 8> streams;
    getOperation().walk([&](Operation *op) {
      if (usesStreams(op))
        streams.insert(op);
      else
        ops.push_back(op);
    });
    for (Operation *op : ops)
      if (failed(serialize(op)))
        return signalPassFailure();
    getOperation().walk([&](ub::PoisonOp op) {
      if (isToken(op.getResult()) && op->use_empty())
        op.erase();
    });
    assert(!getOperation()
                ->walk([&](Operation *op) {
                  return !streams.contains(op) &&
                                 llvm::any_of(op->getOperandTypes(),
                                              isTokenType)
                             ? WalkResult::interrupt()
                             : WalkResult::advance();
                })
                .wasInterrupted() &&
           "tokens are left");
  }
};

} // namespace
