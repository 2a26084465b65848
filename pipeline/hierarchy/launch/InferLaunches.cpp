//===- InferLaunches.cpp - Put device work of the host into launches ------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A group is a set of ops in one block that must be in the same launch because
// they share a buffer in L1 or L2, or the ends of a channel. Each group becomes
// a launch, in the outermost block that contains it.
//
//===----------------------------------------------------------------------===//

#include "pipeline/hierarchy/Passes.h"
#include "pipeline/hierarchy/launch/LaunchableOps.h"
#include "pipeline/hierarchy/launch/MoveIntoLaunch.h"

#include "dialects/air/AIROps.h"
#include "pipeline/analysis/BufferLevels.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"

namespace aircc::hierarchy {
#define GEN_PASS_DEF_INFERLAUNCHES
#include "pipeline/hierarchy/Passes.h.inc"
} // namespace aircc::hierarchy

using namespace mlir;
using namespace aircc;
using namespace aircc::hierarchy;

namespace {

/// Ops in one block that must be in the same launch, in program order.
struct Group {
  SmallVector<Operation *> members;
  /// A buffer in L1 or L2 that several members share; null if there is none.
  Value buffer;

  Operation *first() const { return members.front(); }
  Operation *last() const { return members.back(); }
};

/// Finds the groups of a block.
class GroupFinder {
public:
  explicit GroupFinder(Block &block) : block(block) {}

  SmallVector<Group> find();

private:
  void joinUsersOfBuffers();
  void joinEndsOfChannels();
  void joinOverlapping(SmallVectorImpl<Group> &groups);

  Block &block;
  DenseMap<Operation *, unsigned> positions;
  SmallVector<Operation *> ops;
  llvm::EquivalenceClasses<unsigned> classes;
  /// The first buffer that joins each op with another op.
  DenseMap<Operation *, Value> buffers;
};

void GroupFinder::joinUsersOfBuffers() {
  for (Operation *op : ops) {
    SetVector<Value> used;
    used.insert_range(op->getOperands());
    getUsedValuesDefinedAbove(op->getRegions(), used);
    for (Value value : used) {
      Operation *def = value.getDefiningOp();
      if (!isOnChip(value.getType()) || !def || def->getBlock() != &block)
        continue;
      classes.unionSets(positions.lookup(def), positions.lookup(op));
      buffers.try_emplace(def, value);
    }
  }
}

void GroupFinder::joinEndsOfChannels() {
  llvm::MapVector<StringAttr, unsigned> firstUses;
  for (Operation *op : ops)
    op->walk([&](air::ChannelAccessInterface access) {
      if (!needsLaunch(access))
        return;
      unsigned position = positions.lookup(op);
      auto [use, isFirst] =
          firstUses.insert({access.getChanNameAttr().getAttr(), position});
      if (!isFirst)
        classes.unionSets(use->second, position);
    });
}

/// Joins groups that overlap, because a launch runs its ops without
/// interruption.
void GroupFinder::joinOverlapping(SmallVectorImpl<Group> &groups) {
  llvm::sort(groups, [](const Group &a, const Group &b) {
    return a.first()->isBeforeInBlock(b.first());
  });
  SmallVector<Group> joined;
  for (Group &group : groups) {
    if (joined.empty() ||
        joined.back().last()->isBeforeInBlock(group.first())) {
      joined.push_back(std::move(group));
      continue;
    }
    Group &into = joined.back();
    llvm::append_range(into.members, group.members);
    llvm::sort(into.members, [](Operation *a, Operation *b) {
      return a->isBeforeInBlock(b);
    });
    if (!into.buffer)
      into.buffer = group.buffer;
  }
  groups.assign(std::make_move_iterator(joined.begin()),
                std::make_move_iterator(joined.end()));
}

SmallVector<Group> GroupFinder::find() {
  for (Operation &op : block) {
    positions[&op] = ops.size();
    classes.insert(ops.size());
    ops.push_back(&op);
  }
  joinUsersOfBuffers();
  joinEndsOfChannels();
  llvm::MapVector<unsigned, Group> byLeader;
  for (auto [position, op] : llvm::enumerate(ops)) {
    Group &group = byLeader[classes.getLeaderValue(position)];
    group.members.push_back(op);
    if (Value buffer = buffers.lookup(op); buffer && !group.buffer)
      group.buffer = buffer;
  }
  SmallVector<Group> groups;
  for (auto &[leader, group] : byLeader)
    if (llvm::any_of(group.members, containsLaunchableWork) ||
        (group.members.size() > 1 &&
         llvm::any_of(group.members,
                      [](Operation *op) { return isa<air::LaunchOp>(op); })))
      groups.push_back(std::move(group));
  joinOverlapping(groups);
  return groups;
}

/// Creates the launch of one group.
class GroupLowering {
public:
  explicit GroupLowering(const Group &group) : group(group) {}

  LogicalResult run();

private:
  bool becomesGrid();
  bool ownsBuffers();
  LogicalResult prepareLaunches();
  LogicalResult collectOps();
  bool staysBefore(Operation *op);
  void deferDeallocs();
  LogicalResult checkMember(Operation *op);
  LogicalResult checkResults();
  void remarkSequentialLoops();

  bool isMember(Operation *op) { return llvm::is_contained(group.members, op); }
  InFlightDiagnostic emitHostError(Operation *op);

  Group group;
  /// The ops of the launch, in program order.
  SetVector<Operation *> moved;
  /// Deallocations of L3 buffers, which follow the launch.
  SmallVector<Operation *> deallocs;
};

/// Converts a group that consists of a parallel loop and the buffers that only
/// this loop uses to a grid. No iteration may read values of these buffers that
/// another iteration wrote.
bool GroupLowering::becomesGrid() {
  Operation *loop = nullptr;
  SmallVector<Operation *> allocs, others;
  for (Operation *op : group.members) {
    if (isa<memref::AllocOp>(op))
      allocs.push_back(op);
    else if (isa<memref::DeallocOp>(op))
      others.push_back(op);
    else if (!loop && isGridLoop(op))
      loop = op;
    else
      return false;
  }
  if (!loop)
    return false;
  for (Operation *op : others)
    op->erase();
  convertToGrid(loop, allocs);
  return true;
}

/// Moves buffers that only one launch uses into it, so that each point gets its
/// own copy.
bool GroupLowering::ownsBuffers() {
  air::LaunchOp launch;
  SmallVector<memref::AllocOp> allocs;
  SmallVector<Operation *> others;
  for (Operation *op : group.members) {
    if (auto alloc = dyn_cast<memref::AllocOp>(op))
      allocs.push_back(alloc);
    else if (isa<memref::DeallocOp>(op))
      others.push_back(op);
    else if (!launch && isa<air::LaunchOp>(op))
      launch = cast<air::LaunchOp>(op);
    else
      return false;
  }
  if (!launch || allocs.empty())
    return false;
  for (Operation *op : others)
    op->erase();
  moveBuffersIntoLaunch(launch, allocs);
  return true;
}

/// Dissolves launches of one point in the group. Launches with several points
/// cannot share memory with the surrounding code.
LogicalResult GroupLowering::prepareLaunches() {
  SmallVector<Operation *> members;
  for (Operation *op : group.members) {
    SmallVector<air::LaunchOp> launches;
    op->walk([&](air::LaunchOp launch) { launches.push_back(launch); });
    Operation *before = op->getPrevNode();
    Operation *after = op->getNextNode();
    Block *block = op->getBlock();
    for (air::LaunchOp launch : launches) {
      if (!isSinglePoint(launch)) {
        InFlightDiagnostic diag =
            launch.emitOpError("has several points, but shares ");
        diag << (group.buffer ? "a buffer in L1 or L2" : "a channel")
             << " with code outside it; each point is a workgroup with its own "
                "L1 and L2, so move that code into the launch";
        if (group.buffer)
          diag.attachNote(group.buffer.getLoc())
              << "the buffer is defined here";
        return failure();
      }
      inlineSinglePoint(launch);
    }
    // The body of a launch that was a member, or the member itself.
    for (Operation *inner = before ? before->getNextNode() : &block->front();
         inner != after; inner = inner->getNextNode())
      members.push_back(inner);
  }
  group.members = std::move(members);
  return success();
}

InFlightDiagnostic GroupLowering::emitHostError(Operation *op) {
  // The op itself may be movable, but not an op in its regions.
  Operation *culprit = findHostOp(op);
  return (culprit ? culprit : op)->emitOpError();
}

/// Checks that a launch can run an op that accesses L1 or L2.
LogicalResult GroupLowering::checkMember(Operation *op) {
  if (!findHostOp(op))
    return success();
  InFlightDiagnostic diag = emitHostError(op);
  diag << "runs on the host, but uses an L1 or L2 buffer, or is part of code "
          "that does; L1 and L2 are workgroup memory, so copy the data to an "
          "L3 buffer with air.dma_memcpy_nd and use that instead";
  if (group.buffer)
    diag.attachNote(group.buffer.getLoc()) << "the buffer is defined here";
  return failure();
}

/// Returns true if an op between members can remain before the launch.
bool GroupLowering::staysBefore(Operation *op) {
  bool isAlloc = isAllocation(op) && !isOnChip(op->getResult(0).getType());
  bool isExecute = isSimpleExecute(op, /*allocates=*/true, /*frees=*/false);
  if (!isAlloc && !isExecute &&
      (op->getNumRegions() || !isMemoryEffectFree(op)))
    return false;
  auto isMoved = [&](Value operand) {
    return moved.contains(operand.getDefiningOp());
  };
  SetVector<Value> used(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), used);
  if (llvm::any_of(used, [&](Value value) {
        return !isa<air::AsyncTokenType>(value.getType()) && isMoved(value);
      }))
    return false;
  // Its order relative to ops of the launch does not matter.
  if (auto execute = dyn_cast<air::ExecuteOp>(op))
    for (unsigned i = execute.getAsyncDependencies().size(); i-- > 0;)
      if (isMoved(execute.getAsyncDependencies()[i]))
        execute.eraseAsyncDependency(i);
  return llvm::none_of(op->getOperands(), isMoved);
}

/// Moves deallocations of L3 buffers after the launch, because nothing in it
/// waits for them.
void GroupLowering::deferDeallocs() {
  Operation *last = moved.back();
  for (Operation *dealloc : llvm::reverse(deallocs)) {
    dealloc->moveAfter(last);
    if (dealloc->getNumResults() == 0)
      continue;
    Value token = dealloc->getResult(0);
    OpBuilder b(group.first());
    Value done = air::WaitAllOp::create(b, dealloc->getLoc(), ValueRange(),
                                        /*isAsync=*/true)
                     .getAsyncToken();
    Block *block = last->getBlock();
    token.replaceUsesWithIf(done, [&](OpOperand &use) {
      return moved.contains(block->findAncestorOpInBlock(*use.getOwner()));
    });
  }
}

/// Determines the ops of the launch.
LogicalResult GroupLowering::collectOps() {
  for (Operation *op = group.first();; op = op->getNextNode()) {
    if (isMember(op)) {
      if (failed(checkMember(op)))
        return failure();
      moved.insert(op);
    } else if (staysBefore(op)) {
      // Nothing to do.
    } else if (isa<memref::DeallocOp>(op) ||
               isSimpleExecute(op, /*allocates=*/false, /*frees=*/true)) {
      deallocs.push_back(op);
    } else if (!findHostOp(op)) {
      moved.insert(op);
    } else {
      InFlightDiagnostic diag = emitHostError(op);
      diag << "runs on the host between ops that must be in one launch because "
              "they share "
           << (group.buffer ? "a buffer in L1 or L2" : "a channel")
           << "; move it before or after them";
      diag.attachNote(
          (group.buffer ? group.buffer.getLoc() : group.first()->getLoc()))
          << (group.buffer ? "the buffer is defined here"
                           : "the first of them is here");
      return failure();
    }
    if (op == group.last())
      return success();
  }
}

/// Checks that no code outside the launch uses a value that the launch
/// computes.
LogicalResult GroupLowering::checkResults() {
  Block *block = group.first()->getBlock();
  for (Operation *op : moved)
    for (Value result : op->getResults()) {
      if (isa<air::AsyncTokenType>(result.getType()))
        continue;
      for (Operation *user : result.getUsers()) {
        if (moved.contains(block->findAncestorOpInBlock(*user)))
          continue;
        InFlightDiagnostic diag = op->emitOpError(
            "is part of a launch because it accesses an L1 or L2 buffer or is "
            "between ops that do, but host code uses its result; store the "
            "result in an L3 buffer and load it from there");
        diag.attachNote(user->getLoc()) << "the result is used here";
        return failure();
      }
    }
  return success();
}

void GroupLowering::remarkSequentialLoops() {
  for (Operation *op : moved)
    op->walk<WalkOrder::PreOrder>([&](Operation *loop) {
      if (isa<air::HierarchyInterface>(loop))
        return WalkResult::skip();
      if (!isa<scf::ParallelOp, affine::AffineParallelOp, scf::ForallOp>(
              loop) ||
          !containsLaunchableWork(loop))
        return WalkResult::advance();
      loop->emitRemark("the iterations of this loop run one after another in "
                       "one workgroup, because it shares ")
          << (group.buffer ? "a buffer in L1 or L2" : "a channel")
          << " with the surrounding code";
      return WalkResult::skip();
    });
}

LogicalResult GroupLowering::run() {
  if (becomesGrid() || ownsBuffers())
    return success();
  if (failed(prepareLaunches()) || failed(collectOps()) ||
      failed(checkResults()))
    return failure();
  remarkSequentialLoops();
  deferDeallocs();
  moveIntoLaunch(moved.getArrayRef());
  return success();
}

/// Returns true if `op` contains a loop that could be the grid of a launch.
bool containsGridLoop(Operation *op) {
  return op
      ->walk<WalkOrder::PreOrder>([&](Operation *inner) {
        if (isa<air::HierarchyInterface>(inner))
          return WalkResult::skip();
        return inner != op && containsLaunchableWork(inner) && isGridLoop(inner)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Returns true if a launch runs the whole op; otherwise, the host runs it, and
/// there are launches in its regions.
bool isLaunchedWhole(Operation *op) {
  return needsLaunch(op) ||
         (!findHostOp(op) && hasLaunchSizes(op) && !containsGridLoop(op) &&
          llvm::all_of(op->getResults(), [](Value result) {
            return result.use_empty() ||
                   isa<air::AsyncTokenType>(result.getType());
          }));
}

LogicalResult inferLaunches(Block &block) {
  for (Group &group : GroupFinder(block).find()) {
    Operation *only = group.members.size() == 1 ? group.first() : nullptr;
    if (!only || ((isGridLoop(only) || isLaunchedWhole(only)) &&
                  !accessesHostMemory(only)))
      if (failed(GroupLowering(group).run()))
        return failure();
  }
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (isa<air::HierarchyInterface, gpu::LaunchOp>(op))
      continue;
    for (Region &region : op.getRegions())
      for (Block &inner : region)
        if (failed(inferLaunches(inner)))
          return failure();
  }
  return success();
}

/// Erases unused buffers in L1 and L2.
void eraseUnusedBuffers(Operation *function) {
  SmallVector<Operation *> unused;
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<air::HierarchyInterface, gpu::LaunchOp>(op))
      return WalkResult::skip();
    if (isAllocation(op) && isOnChip(op->getResult(0).getType()) &&
        llvm::all_of(op->getUsers(), [](Operation *user) {
          return isa<memref::DeallocOp>(user);
        }))
      unused.push_back(op);
    return WalkResult::advance();
  });
  for (Operation *op : unused) {
    for (Operation *user : llvm::make_early_inc_range(op->getUsers()))
      user->erase();
    op->erase();
  }
}

struct InferLaunchesPass
    : hierarchy::impl::InferLaunchesBase<InferLaunchesPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    SmallVector<FunctionOpInterface> functions;
    module.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isa<gpu::GPUModuleOp>(op))
        return WalkResult::skip();
      if (auto function = dyn_cast<FunctionOpInterface>(op))
        functions.push_back(function);
      return WalkResult::advance();
    });
    for (FunctionOpInterface function : functions) {
      eraseUnusedBuffers(function);
      for (Block &block : function.getFunctionBody())
        if (failed(inferLaunches(block)))
          return signalPassFailure();
    }
  }
};

} // namespace
