//===- SegmentBuffers.cpp - L1 buffers of segments, for rounds ------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/hierarchy/rounds/SegmentBuffers.h"

#include "pipeline/analysis/BufferLevels.h"
#include "pipeline/analysis/ExecutionModel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace aircc::hierarchy {

namespace {

class SegmentBuffers {
public:
  SegmentBuffers(air::LaunchOp launch,
                 const llvm::SetVector<Operation *> &herds, int64_t rounds)
      : herds(herds), rounds(rounds), isLaneCode(codeNamesLanes(launch)) {}

  LogicalResult add(Operation *alloc);
  LogicalResult expand();
  HerdBuffers takeHerdBuffers() { return std::move(herdBuffers); }

private:
  LogicalResult addUser(OpOperand &use, bool isWhole);
  void repeat(Operation *statement);
  Value createCopy(OpBuilder &b, Value value, Value round, IRMapping &copies);

  const llvm::SetVector<Operation *> &herds;
  const int64_t rounds;
  const bool isLaneCode;
  SmallVector<Operation *> allocs, deallocs;
  /// The values that are one of these buffers, or a view of one.
  llvm::SetVector<Value> derived;
  llvm::SetVector<Operation *> statements;
  /// Operands of herds that are a whole buffer.
  SmallVector<OpOperand *> passed;
  llvm::MapVector<Value, RoundBuffer> buffers;
  HerdBuffers herdBuffers;
};

LogicalResult SegmentBuffers::addUser(OpOperand &use, bool isWhole) {
  Operation *user = use.getOwner();
  auto refuse = [&](StringRef how) {
    return user->emitOpError(how)
           << " an L1 buffer of the segment, of which each PE has its own "
              "copy, and which is also used by a herd that runs in rounds "
              "because it has more PEs than a workgroup has waves; allocate "
              "the buffer in the herd, or use L2, or, if a PE is meant to be "
              "one lane, compile with --stage-option hierarchy.pe=lane";
  };
  if (isa<memref::DeallocOp>(user)) {
    deallocs.push_back(user);
    return success();
  }
  if (isa<air::HierarchyInterface>(user)) {
    if (!isa<air::HerdOp>(user) || !isWhole)
      return refuse("passes a view of");
    passed.push_back(&use);
    return success();
  }
  bool givesMemRef =
      llvm::any_of(user->getResultTypes(), llvm::IsaPred<BaseMemRefType>);
  if (givesMemRef && isPure(user) && user->getNumResults() == 1 &&
      user->getNumRegions() == 0) {
    derived.insert(user->getResult(0));
    return success();
  }
  if (user->hasTrait<OpTrait::IsTerminator>() || givesMemRef ||
      !user->use_empty())
    return refuse("has results that depend on");
  statements.insert(user);
  return success();
}

LogicalResult SegmentBuffers::add(Operation *alloc) {
  auto type = cast<MemRefType>(alloc->getResult(0).getType());
  SmallVector<OpOperand *> toRounds;
  for (OpOperand &use : alloc->getResult(0).getUses())
    if (herds.contains(use.getOwner()))
      toRounds.push_back(&use);
  if (!type.hasStaticShape())
    return alloc->emitOpError(
        "has a dynamic size and is passed to a herd that runs in rounds "
        "because "
        "it has more PEs than a workgroup has waves; use a constant size, or "
        "allocate the buffer in the herd");
  allocs.push_back(alloc);
  size_t next = derived.size();
  derived.insert(alloc->getResult(0));
  for (; next < derived.size(); ++next) {
    Value value = derived[next];
    for (OpOperand &use : value.getUses())
      if (failed(addUser(use, /*isWhole=*/value == alloc->getResult(0))))
        return failure();
  }
  return success();
}

/// Creates the copy of `value`, a buffer or a view of one, for `round`.
Value SegmentBuffers::createCopy(OpBuilder &b, Value value, Value round,
                                 IRMapping &copies) {
  if (Value known = copies.lookupOrNull(value))
    return known;
  Value copy;
  if (auto it = buffers.find(value); it != buffers.end()) {
    copy = createRoundView(b, value.getLoc(), it->second, round, ValueRange());
  } else {
    Operation *def = value.getDefiningOp();
    IRMapping operands;
    for (Value operand : def->getOperands())
      if (derived.contains(operand))
        operands.map(operand, createCopy(b, operand, round, copies));
    copy = b.clone(*def, operands)->getResult(0);
  }
  copies.map(value, copy);
  return copy;
}

/// Repeats a statement of the segment for the copies of all rounds.
void SegmentBuffers::repeat(Operation *statement) {
  OpBuilder b(statement);
  Location loc = statement->getLoc();
  auto constant = [&](int64_t value) {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  auto loop =
      scf::ForOp::create(b, loc, constant(0), constant(rounds), constant(1));
  if (!isLaneCode)
    setScope(loop, Scope::Workgroup);
  b.setInsertionPoint(loop.getBody()->getTerminator());
  IRMapping copies;
  for (OpOperand &operand : statement->getOpOperands())
    if (derived.contains(operand.get()))
      operand.set(createCopy(b, operand.get(), loop.getInductionVar(), copies));
  statement->moveBefore(loop.getBody()->getTerminator());
}

LogicalResult SegmentBuffers::expand() {
  for (Operation *alloc : allocs) {
    OpBuilder b(alloc);
    FailureOr<RoundBuffer> buffer = createRoundBuffer(b, alloc, rounds);
    if (failed(buffer))
      return failure();
    buffers[alloc->getResult(0)] = *buffer;
  }
  for (Operation *dealloc : deallocs)
    dealloc->erase();
  for (Operation *statement : statements)
    repeat(statement);
  for (OpOperand *operand : passed) {
    auto herd = cast<air::HerdOp>(operand->getOwner());
    RoundBuffer &buffer = buffers[operand->get()];
    if (herds.contains(herd)) {
      unsigned number = operand->getOperandNumber() -
                        herd.getKernelOperands().getBeginOperandIndex();
      herdBuffers[herd][number] = buffer;
      operand->set(buffer.bytes);
      continue;
    }
    OpBuilder b(herd);
    Value zero = arith::ConstantIndexOp::create(b, herd.getLoc(), 0);
    operand->set(createRoundView(b, herd.getLoc(), buffer, zero, ValueRange()));
  }
  for (Value view : llvm::reverse(derived))
    if (view.use_empty())
      view.getDefiningOp()->erase();
  return success();
}

} // namespace

FailureOr<HerdBuffers>
expandSegmentBuffers(air::LaunchOp launch,
                     const llvm::SetVector<Operation *> &herds,
                     int64_t rounds) {
  SegmentBuffers buffers(launch, herds, rounds);
  SmallVector<Operation *> allocs;
  launch.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<air::HerdOp>(op))
      return WalkResult::skip();
    if (!isAllocation(op))
      return WalkResult::advance();
    auto type = cast<MemRefType>(op->getResult(0).getType());
    auto level = dyn_cast_or_null<IntegerAttr>(type.getMemorySpace());
    bool isL1 = level ? level.getInt() == int64_t(air::MemorySpace::L1)
                      : isa<memref::AllocaOp>(op) && !type.getMemorySpace();
    // Look through views, so that a herd that receives one is also found.
    SmallVector<Value> worklist{op->getResult(0)};
    bool isPassed = false;
    while (isL1 && !worklist.empty())
      for (Operation *user : worklist.pop_back_val().getUsers()) {
        isPassed |= herds.contains(user);
        if (isPure(user))
          llvm::append_range(worklist, user->getResults());
      }
    if (isPassed)
      allocs.push_back(op);
    return WalkResult::advance();
  });
  for (Operation *alloc : allocs)
    if (failed(buffers.add(alloc)))
      return failure();
  if (failed(buffers.expand()))
    return failure();
  return buffers.takeHerdBuffers();
}

} // namespace aircc::hierarchy
