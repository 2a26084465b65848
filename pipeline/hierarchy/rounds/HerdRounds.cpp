//===- HerdRounds.cpp - Run the PEs of a herd in rounds -------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/hierarchy/rounds/HerdRounds.h"

#include "pipeline/analysis/BufferLevels.h"
#include "pipeline/analysis/ExecutionModel.h"
#include "pipeline/analysis/VendorBarriers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace aircc::hierarchy {

namespace {

class HerdRounds {
public:
  HerdRounds(air::HerdOp herd, const RoundShape &shape, HerdPieces &pieces)
      : herd(herd), shape(shape), isLaneCode(codeNamesLanes(herd)),
        pieces(pieces), values(herd, pieces, shape.rounds) {}

  LogicalResult
  run(const llvm::MapVector<unsigned, RoundBuffer> &segmentBuffers);

private:
  void createHerd();
  void moveBlock(OpBuilder &b, Block *block);
  void moveGroup(OpBuilder &b, Piece &group);
  void moveStructure(OpBuilder &b, Operation *op);
  void createPEIds(OpBuilder &b, RoundGroup &group, Value pe);
  void useGroupValues(OpBuilder &b, Operation *op, RoundGroup &group);
  Value createSize(OpBuilder &b, unsigned dim);
  void markProgram(Operation *op);
  void emitRemark();
  Value constant(OpBuilder &b, int64_t value) {
    return arith::ConstantIndexOp::create(b, herd.getLoc(), value);
  }

  air::HerdOp herd, newHerd;
  const RoundShape shape;
  const bool isLaneCode;
  HerdPieces &pieces;
  RoundValues values;
};

/// Creates the new herd, with the same kernel operands and an empty body.
void HerdRounds::createHerd() {
  OpBuilder b(herd);
  Value waves = constant(b, shape.waves);
  newHerd =
      air::HerdOp::create(b, herd.getLoc(), waves, herd.getKernelOperands());
  for (NamedAttribute attribute : herd->getDiscardableAttrs())
    newHerd->setAttr(attribute.getName(), attribute.getValue());
  if (StringAttr name = herd.getSymNameAttr())
    newHerd.setSymNameAttr(name);
}

/// The ops of a loop over rounds have the roles that they had in the herd.
void HerdRounds::markProgram(Operation *op) {
  if (!isLaneCode)
    setScope(op, Scope::Wave);
}

/// Returns the size of the old herd in dimension `dim`, or 1.
Value HerdRounds::createSize(OpBuilder &b, unsigned dim) {
  return constant(b, dim < herd.getNumDims() ? herd.getStaticSizes()[dim] : 1);
}

void HerdRounds::createPEIds(OpBuilder &b, RoundGroup &group, Value pe) {
  Location loc = herd.getLoc();
  Value rest = pe;
  for (unsigned dim = 0; dim < herd.getNumDims(); ++dim) {
    Value size = createSize(b, dim);
    if (dim + 1 == herd.getNumDims()) {
      group.ids.push_back(rest);
      break;
    }
    group.ids.push_back(b.createOrFold<arith::RemUIOp>(loc, rest, size));
    rest = b.createOrFold<arith::DivUIOp>(loc, rest, size);
  }
}

/// Replaces the operands of `op`, and of the ops in it, that other groups
/// define.
void HerdRounds::useGroupValues(OpBuilder &b, Operation *op,
                                RoundGroup &group) {
  op->walk([&](Operation *inner) {
    for (OpOperand &operand : inner->getOpOperands()) {
      Value value = operand.get();
      Operation *def = value.getDefiningOp();
      bool isInside = op->isAncestor(value.getParentRegion()->getParentOp());
      bool isOwn =
          def && pieces.getGroup(def) == group.piece && !values.isBuffer(def);
      if (!isInside && !isOwn)
        operand.set(values.get(b, value, group));
    }
  });
}

/// Creates the loop over rounds for a group, and moves its ops there.
void HerdRounds::moveGroup(OpBuilder &b, Piece &piece) {
  Location loc = herd.getLoc();
  auto loop = scf::ForOp::create(b, loc, constant(b, 0),
                                 constant(b, shape.rounds), constant(b, 1));
  markProgram(loop);
  OpBuilder inner(loop.getBody()->getTerminator());
  RoundGroup group;
  group.piece = &piece;
  group.round = loop.getInductionVar();
  Value pe =
      arith::AddIOp::create(inner, loc,
                            arith::MulIOp::create(inner, loc, group.round,
                                                  constant(inner, shape.waves)),
                            newHerd.getIds().front());
  createPEIds(inner, group, pe);
  if (shape.rounds * shape.waves != shape.pes) {
    Value isPE = arith::CmpIOp::create(inner, loc, arith::CmpIPredicate::slt,
                                       pe, constant(inner, shape.pes));
    auto guard = scf::IfOp::create(inner, loc, isPE);
    markProgram(guard);
    inner.setInsertionPoint(guard.thenBlock()->getTerminator());
  }
  // Read the values of other groups first, because values that the group stores
  // at its end may be in the slots from which it reads.
  for (Operation *op : piece.ops)
    if (!values.isBuffer(op) && !isa<memref::DeallocOp>(op))
      useGroupValues(inner, op, group);
  SmallVector<std::pair<Value, Value>> stores;
  for (auto [value, slot] : piece.stores) {
    if (!values.hasSlot(slot))
      continue;
    Operation *def = value.getDefiningOp();
    bool isOwn = def && pieces.getGroup(def) == &piece;
    stores.push_back({isOwn ? value : values.get(inner, value, group), slot});
  }
  SmallVector<Operation *> moved;
  Operation *end = inner.getInsertionBlock()->getTerminator();
  for (Operation *op : piece.ops) {
    // allocate() has replaced these with buffers that live as long as the
    // kernel.
    if (values.isBuffer(op))
      continue;
    if (auto dealloc = dyn_cast<memref::DeallocOp>(op)) {
      Operation *alloc = dealloc.getMemref().getDefiningOp();
      if (!alloc || pieces.getGroup(alloc) != &piece || values.isBuffer(alloc))
        continue;
    }
    op->moveBefore(end);
    moved.push_back(op);
  }
  inner.setInsertionPoint(end);
  for (auto [value, slot] : stores)
    values.store(inner, value, slot, group.round);
  for (Operation *op : moved) {
    inner.setInsertionPointAfter(op);
    for (Value result : op->getResults())
      values.store(inner, result, result, group.round);
  }
}

/// Creates the loop or branch around barriers, and moves its blocks there.
void HerdRounds::moveStructure(OpBuilder &b, Operation *op) {
  Location loc = op->getLoc();
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    Value lower = values.getUniform(b, loop.getLowerBound());
    Value upper = values.getUniform(b, loop.getUpperBound());
    Value step = values.getUniform(b, loop.getStep());
    auto outer = scf::ForOp::create(b, loc, lower, upper, step);
    values.setUniform(loop.getInductionVar(), outer.getInductionVar());
    OpBuilder inner(outer.getBody()->getTerminator());
    moveBlock(inner, loop.getBody());
    return;
  }
  auto branch = cast<scf::IfOp>(op);
  Value condition = values.getUniform(b, branch.getCondition());
  auto outer =
      scf::IfOp::create(b, loc, condition,
                        /*withElseRegion=*/branch.elseBlock() != nullptr);
  OpBuilder inner(outer.thenBlock()->getTerminator());
  moveBlock(inner, branch.thenBlock());
  if (branch.elseBlock()) {
    inner.setInsertionPoint(outer.elseBlock()->getTerminator());
    moveBlock(inner, branch.elseBlock());
  }
}

void HerdRounds::moveBlock(OpBuilder &b, Block *block) {
  for (Piece &piece : pieces.of(block)) {
    Operation *op = piece.ops.empty() ? nullptr : piece.ops.front();
    switch (piece.kind) {
    case Piece::Kind::Group:
      moveGroup(b, piece);
      break;
    case Piece::Kind::Barrier:
      op->moveBefore(b.getInsertionBlock(), b.getInsertionPoint());
      break;
    case Piece::Kind::Uniform:
      for (OpOperand &operand : op->getOpOperands())
        operand.set(values.getUniform(b, operand.get()));
      op->moveBefore(b.getInsertionBlock(), b.getInsertionPoint());
      for (Value result : op->getResults())
        values.setUniform(result, result);
      break;
    case Piece::Kind::Structure:
      moveStructure(b, op);
      break;
    }
  }
}

LogicalResult
HerdRounds::run(const llvm::MapVector<unsigned, RoundBuffer> &segmentBuffers) {
  if (failed(values.analyze()))
    return failure();
  createHerd();
  OpBuilder b(newHerd.getBodyBlock()->getTerminator());
  for (auto [dim, size] : llvm::enumerate(herd.getSizes()))
    values.setUniform(size, createSize(b, dim));
  for (auto [i, arg] : llvm::enumerate(herd.getKernelArguments())) {
    Value own = newHerd.getKernelArguments()[i];
    auto copies = segmentBuffers.find(i);
    if (copies == segmentBuffers.end()) {
      values.setUniform(arg, own);
      continue;
    }
    RoundBuffer buffer = copies->second;
    buffer.bytes = own;
    values.setBuffer(arg, buffer);
  }
  if (failed(values.allocate(b)))
    return failure();
  if (shape.rounds > 1)
    emitRemark();
  moveBlock(b, herd.getBodyBlock());
  herd.erase();
  return success();
}

/// Emits a remark with the number of rounds and their cost.
void HerdRounds::emitRemark() {
  InFlightDiagnostic diag =
      herd.emitRemark("runs in ")
      << shape.rounds << " rounds: it has " << shape.pes
      << " PEs, but a workgroup has only " << shape.waves
      << " waves, each of which executes several PEs one after another";
  if (int64_t bytes = values.getBytesPerPE())
    diag << "; values that are live across barriers take " << bytes
         << " bytes per PE";
  if (isLaneCode)
    diag << "; if a PE is meant to be one lane, compile with --stage-option "
            "hierarchy.pe=lane";
}

/// Finds an op that needs all PEs at the same time, or whose meaning depends on
/// the number of waves; returns null if there is none.
Operation *findInseparable(air::HerdOp herd) {
  Operation *found = nullptr;
  auto isInCallee = [](Operation *op) {
    return isa<gpu::ThreadIdOp, gpu::BlockDimOp, gpu::GlobalIdOp,
               gpu::SubgroupIdOp, gpu::NumSubgroupsOp, gpu::AllReduceOp>(op) ||
           isSplitPoint(op) || isVendorNamedBarrier(op);
  };
  herd.walk([&](Operation *op) {
    bool isSplit = isa<gpu::AllReduceOp>(op) || isVendorNamedBarrier(op);
    if (auto call = dyn_cast<CallOpInterface>(op)) {
      Operation *callee = call.resolveCallable();
      isSplit = callee && codeHolds(callee, /*intoHerds=*/false, isInCallee);
    }
    if (!isSplit)
      return WalkResult::advance();
    found = op;
    return WalkResult::interrupt();
  });
  return found;
}

/// Replaces lane and thread ids with those of a workgroup that is large enough
/// for all PEs.
void virtualizeLanes(air::HerdOp herd, int64_t waveSize) {
  Location loc = herd.getLoc();
  auto constant = [&](OpBuilder &b, int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  auto createSize = [&](OpBuilder &b, unsigned dim) {
    return constant(b,
                    dim < herd.getNumDims() ? herd.getStaticSizes()[dim] : 1);
  };
  auto createThreadId = [&](OpBuilder &b, unsigned dim) -> Value {
    Value id =
        dim < herd.getNumDims() ? Value(herd.getIds()[dim]) : constant(b, 0);
    if (dim != 0)
      return id;
    Value lane = gpu::LaneIdOp::create(b, loc, /*upper_bound=*/nullptr);
    Value first = arith::MulIOp::create(b, loc, id, constant(b, waveSize));
    return arith::AddIOp::create(b, loc, first, lane);
  };
  auto createBlockDim = [&](OpBuilder &b, unsigned dim) -> Value {
    Value size = createSize(b, dim);
    return dim != 0 ? size
                    : b.createOrFold<arith::MulIOp>(loc, size,
                                                    constant(b, waveSize));
  };
  auto getDim = [](gpu::Dimension dim) { return static_cast<unsigned>(dim); };
  SmallVector<Operation *> ops;
  herd.walk([&](Operation *op) { ops.push_back(op); });
  for (Operation *op : ops) {
    OpBuilder b(op);
    Value result;
    if (auto id = dyn_cast<gpu::ThreadIdOp>(op)) {
      result = createThreadId(b, getDim(id.getDimension()));
    } else if (auto size = dyn_cast<gpu::BlockDimOp>(op)) {
      result = createBlockDim(b, getDim(size.getDimension()));
    } else if (auto id = dyn_cast<gpu::GlobalIdOp>(op)) {
      unsigned dim = getDim(id.getDimension());
      Value block =
          gpu::BlockIdOp::create(b, loc, b.getIndexType(), id.getDimension());
      Value first =
          arith::MulIOp::create(b, loc, block, createBlockDim(b, dim));
      result = arith::AddIOp::create(b, loc, first, createThreadId(b, dim));
    } else if (isa<gpu::SubgroupIdOp>(op)) {
      result = constant(b, 0);
      for (unsigned dim = herd.getNumDims(); dim-- > 0;) {
        Value before =
            b.createOrFold<arith::MulIOp>(loc, result, createSize(b, dim));
        result = b.createOrFold<arith::AddIOp>(loc, before, herd.getIds()[dim]);
      }
    } else if (isa<gpu::NumSubgroupsOp>(op)) {
      int64_t pes = 1;
      for (int64_t size : herd.getStaticSizes())
        pes *= size;
      result = constant(b, pes);
    }
    if (!result)
      continue;
    op->replaceAllUsesWith(ValueRange(result));
    op->erase();
  }
}

} // namespace

LogicalResult
runInRounds(air::HerdOp herd, const RoundShape &shape, int64_t waveSize,
            const llvm::MapVector<unsigned, RoundBuffer> &segmentBuffers) {
  if (Operation *op = findInseparable(herd))
    return op->emitOpError("must be executed by all PEs of its herd at the "
                           "same time, but the herd has ")
           << shape.pes << " PEs and runs in rounds on " << shape.waves
           << " waves; use a smaller herd, or exchange values through L2 and "
              "gpu.barrier";
  virtualizeLanes(herd, waveSize);
  FailureOr<HerdPieces> pieces = HerdPieces::find(herd);
  if (failed(pieces))
    return failure();
  return HerdRounds(herd, shape, *pieces).run(segmentBuffers);
}

} // namespace aircc::hierarchy
