//===- RoundValues.cpp - Values of PEs across rounds ----------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/hierarchy/rounds/RoundValues.h"

#include "pipeline/analysis/BufferLevels.h"
#include "pipeline/hierarchy/buffers/BufferBytes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace aircc::hierarchy {

/// A value is recomputed if that takes at most this many ops.
static constexpr unsigned kMaxRecomputedOps = 12;

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

FailureOr<RoundBuffer> createRoundBuffer(OpBuilder &b, Operation *alloc,
                                         int64_t rounds) {
  auto type = cast<MemRefType>(alloc->getResult(0).getType());
  layout::Result<int64_t> bytes = getBufferBytes(alloc);
  if (!bytes)
    return alloc->emitOpError(bytes.message());
  RoundBuffer buffer;
  buffer.type = type;
  buffer.perRound = llvm::alignTo(std::max<int64_t>(*bytes, 1), kLDSAlignment);
  buffer.sizes = llvm::to_vector(alloc->getOperands());
  auto bytesType =
      MemRefType::get({buffer.perRound * rounds}, b.getI8Type(),
                      MemRefLayoutAttrInterface(), type.getMemorySpace());
  Location loc = alloc->getLoc();
  if (isa<memref::AllocaOp>(alloc))
    buffer.bytes = memref::AllocaOp::create(b, loc, bytesType);
  else
    buffer.bytes = memref::AllocOp::create(b, loc, bytesType);
  return buffer;
}

Value createRoundView(OpBuilder &b, Location loc, const RoundBuffer &buffer,
                      Value round, ValueRange sizes) {
  Value size = arith::ConstantIndexOp::create(b, loc, buffer.perRound);
  Value first = arith::MulIOp::create(b, loc, round, size);
  MemRefType type = buffer.type;
  if (type.getLayout().isIdentity())
    return memref::ViewOp::create(b, loc, type, buffer.bytes, first, sizes);
  // getBufferBytes() accepts only static strided layouts.
  SmallVector<int64_t> strides;
  int64_t offset;
  (void)type.getStridesAndOffset(strides, offset);
  Type element = type.getElementType();
  Operation *at = b.getInsertionBlock()->getParentOp();
  auto flatType =
      MemRefType::get({buffer.perRound / getElementBytes(at, element)}, element,
                      MemRefLayoutAttrInterface(), type.getMemorySpace());
  Value flat = memref::ViewOp::create(b, loc, flatType, buffer.bytes, first,
                                      ValueRange());
  return memref::ReinterpretCastOp::create(b, loc, type, flat, offset,
                                           type.getShape(), strides);
}

//===----------------------------------------------------------------------===//
// Analysis
//===----------------------------------------------------------------------===//

/// Returns true if `value` is an operand of the whole herd or of a loop around
/// barriers, or is uniform, so that no group computes it.
bool RoundValues::isAvailable(Value value, const Piece *group) {
  if (auto arg = dyn_cast<BlockArgument>(value)) {
    Operation *owner = arg.getOwner()->getParentOp();
    if (owner == herd.getOperation())
      return true;
    auto loop = dyn_cast<scf::ForOp>(owner);
    return loop && arg == loop.getInductionVar();
  }
  Operation *def = value.getDefiningOp();
  return pieces.isUniformRead(def) || (group && pieces.getGroup(def) == group);
}

/// Returns true if `value` can be recomputed with at most `budget` cheap ops.
bool RoundValues::isCheap(Value value, unsigned &budget) {
  if (isAvailable(value, /*group=*/nullptr))
    return true;
  Operation *def = value.getDefiningOp();
  if (!def || !isPure(def) || def->getNumRegions() || budget == 0)
    return false;
  --budget;
  if (def->hasTrait<OpTrait::ConstantLike>())
    return true;
  if (isa<gpu::LaneIdOp, gpu::BlockIdOp, gpu::GridDimOp, gpu::SubgroupSizeOp>(
          def))
    return true;
  if (isa<VectorType>(value.getType()) ||
      !isa_and_nonnull<arith::ArithDialect, affine::AffineDialect,
                       memref::MemRefDialect>(def->getDialect()))
    return false;
  return llvm::all_of(def->getOperands(), [&](Value operand) {
    return !isa<BaseMemRefType>(operand.getType()) && isCheap(operand, budget);
  });
}

/// Returns the element type of a slot, or null if memory cannot hold such
/// values.
static Type getSlotType(Type type) {
  Type element = getElementTypeOrSelf(type);
  if (auto vector = dyn_cast<VectorType>(type); vector && vector.isScalable())
    return {};
  if (!isa<VectorType, IntegerType, IndexType, FloatType, ComplexType>(type))
    return {};
  return element.isInteger(1) ? IntegerType::get(type.getContext(), 8)
                              : element;
}

LogicalResult RoundValues::requireSlot(Value value, Operation *user) {
  if (!getSlotType(value.getType())) {
    InFlightDiagnostic diag =
        user->emitOpError("uses a value of type ")
        << value.getType()
        << " that was computed before a barrier, in a herd that runs in rounds "
           "because it has more PEs than a workgroup has waves; compute it "
           "after "
           "the barrier, or use a smaller herd";
    diag.attachNote(value.getLoc()) << "the value is defined here";
    return diag;
  }
  slots.insert({value, Value()});
  return success();
}

LogicalResult RoundValues::require(Value value, const Piece *group,
                                   Operation *user) {
  if (isAvailable(value, group))
    return success();
  if (isa<BlockArgument>(value))
    return requireSlot(value, user);
  Operation *def = value.getDefiningOp();
  if (holdsSplitPoint(def)) {
    if (auto loop = dyn_cast<scf::ForOp>(def))
      value = loop.getTiedLoopRegionIterArg(cast<OpResult>(value));
    return requireSlot(value, user);
  }
  if (isAllocation(def)) {
    buffers.insert({value, RoundBuffer()});
    bufferGroups[value].insert(group);
    for (Value size : def->getOperands())
      if (failed(require(size, group, user)))
        return failure();
    return success();
  }
  bool isMemRef = isa<BaseMemRefType>(value.getType());
  unsigned budget = kMaxRecomputedOps;
  if (isMemRef ? !isPure(def) || def->getNumRegions() : !isCheap(value, budget))
    return requireSlot(value, user);
  recomputed.insert(def);
  for (Value operand : def->getOperands())
    if (failed(require(operand, group, user)))
      return failure();
  return success();
}

/// Returns true if only one group uses `buffer`, so that it can allocate it
/// itself.
bool RoundValues::isSinkable(Value buffer) {
  const llvm::SetVector<const Piece *> &groups = bufferGroups[buffer];
  Operation *alloc = buffer.getDefiningOp();
  if (!alloc || groups.size() != 1)
    return false;
  const Piece *user = groups.front(), *own = pieces.getGroup(alloc);
  // In a loop that does not contain the allocation, the contents survive
  // iterations.
  if (user->ops.empty() || user->ops.front()->getBlock() != alloc->getBlock())
    return false;
  return llvm::all_of(buffer.getUsers(), [&](Operation *op) {
    Operation *inBlock = alloc->getBlock()->findAncestorOpInBlock(*op);
    return isa<memref::DeallocOp>(op) ||
           (inBlock && pieces.getGroup(inBlock) != own);
  });
}

LogicalResult RoundValues::analyze() {
  LogicalResult result = success();
  pieces.forEachGroup([&](Piece &group) {
    auto check = [&](Value value, Operation *user) {
      if (failed(result))
        return;
      // Values that ops of the group define are not live across groups.
      for (Operation *op : group.ops)
        if (op->isAncestor(value.getParentRegion()->getParentOp()))
          return;
      result = require(value, &group, user);
    };
    for (Operation *op : group.ops)
      op->walk([&](Operation *inner) {
        if (isa<memref::DeallocOp>(inner))
          return;
        for (Value operand : inner->getOperands())
          check(operand, inner);
      });
    for (auto [value, slot] : group.stores)
      check(value, slot.getDefiningOp() ? slot.getDefiningOp()
                                        : slot.getParentBlock()->getParentOp());
  });
  for (Value buffer : llvm::to_vector(llvm::make_first_range(buffers)))
    if (isSinkable(buffer)) {
      buffers.erase(buffer);
      recomputed.insert(buffer.getDefiningOp());
    }
  pieces.forEachGroup([&](Piece &group) {
    for (Operation *op : group.ops)
      oldOperands[op] = llvm::to_vector(op->getOperands());
  });
  return result;
}

//===----------------------------------------------------------------------===//
// Creation
//===----------------------------------------------------------------------===//

LogicalResult RoundValues::allocate(OpBuilder &b) {
  auto l1 = b.getI64IntegerAttr(int64_t(air::MemorySpace::L1));
  for (auto &[value, slot] : slots) {
    SmallVector<int64_t> shape{rounds};
    if (auto vector = dyn_cast<VectorType>(value.getType()))
      llvm::append_range(shape, vector.getShape());
    auto type = MemRefType::get(shape, getSlotType(value.getType()),
                                MemRefLayoutAttrInterface(), l1);
    auto alloc = memref::AllocOp::create(b, value.getLoc(), type);
    slot = alloc;
    bytesPerPE += type.getNumElements() / rounds *
                  getElementBytes(alloc, type.getElementType());
  }
  for (auto &[value, buffer] : buffers) {
    // The segment allocates the copies of kernel arguments.
    if (!buffer.bytes) {
      FailureOr<RoundBuffer> created =
          createRoundBuffer(b, value.getDefiningOp(), rounds);
      if (failed(created))
        return failure();
      buffer = *created;
    }
    bytesPerPE += buffer.perRound;
  }
  return success();
}

/// Reads the value of type `type` from its slot.
static Value loadSlot(OpBuilder &b, Location loc, Type type, Value slot,
                      Value round) {
  Type stored = getSlotType(type);
  auto vector = dyn_cast<VectorType>(type);
  if (!vector) {
    Value loaded = memref::LoadOp::create(b, loc, slot, round);
    return stored == type ? loaded
                          : arith::TruncIOp::create(b, loc, type, loaded);
  }
  SmallVector<Value> indices{round};
  indices.append(vector.getRank(), arith::ConstantIndexOp::create(b, loc, 0));
  Type storedType = VectorType::get(vector.getShape(), stored);
  SmallVector<bool> inBounds(vector.getRank(), true);
  Value loaded = vector::TransferReadOp::create(
      b, loc, cast<VectorType>(storedType), slot, indices,
      /*padding=*/std::nullopt, ArrayRef(inBounds));
  return storedType == type ? loaded
                            : arith::TruncIOp::create(b, loc, type, loaded);
}

void RoundValues::store(OpBuilder &b, Value value, Value slot, Value round) {
  auto it = slots.find(slot);
  if (it == slots.end())
    return;
  Location loc = value.getLoc();
  Value memory = it->second;
  Type stored = getSlotType(slot.getType());
  auto vector = dyn_cast<VectorType>(value.getType());
  Type storedType =
      vector ? Type(VectorType::get(vector.getShape(), stored)) : stored;
  if (storedType != value.getType())
    value = arith::ExtUIOp::create(b, loc, storedType, value);
  if (!vector) {
    memref::StoreOp::create(b, loc, value, memory, round);
    return;
  }
  SmallVector<Value> indices{round};
  indices.append(vector.getRank(), arith::ConstantIndexOp::create(b, loc, 0));
  SmallVector<bool> inBounds(vector.getRank(), true);
  vector::TransferWriteOp::create(b, loc, value, memory, indices,
                                  ArrayRef(inBounds));
}

Value RoundValues::getUniform(OpBuilder &b, Value value) {
  if (Value known = uniform.lookupOrNull(value))
    return known;
  return createAgain(b, value,
                     [&](Value operand) { return getUniform(b, operand); });
}

/// Recreates the op of `value` with the operands that `get` returns.
Value RoundValues::createAgain(OpBuilder &b, Value value,
                               function_ref<Value(Value)> get) {
  Operation *def = value.getDefiningOp();
  SmallVector<Value> operands;
  for (Value operand : oldOperands.lookup(def))
    operands.push_back(get(operand));
  Operation *clone = b.clone(*def);
  clone->setOperands(operands);
  return clone->getResult(cast<OpResult>(value).getResultNumber());
}

Value RoundValues::get(OpBuilder &b, Value value, RoundGroup &group) {
  if (Value known = group.values.lookupOrNull(value))
    return known;
  Location loc = value.getLoc();
  Value result;
  if (auto it = buffers.find(value); it != buffers.end()) {
    SmallVector<Value> sizes;
    for (Value size : it->second.sizes)
      sizes.push_back(get(b, size, group));
    result = createRoundView(b, loc, it->second, group.round, sizes);
  } else if (Value outside = uniform.lookupOrNull(value)) {
    result = outside;
  } else if (auto arg = dyn_cast<BlockArgument>(value);
             arg && arg.getOwner() == herd.getBodyBlock()) {
    // All other arguments of the herd are uniform.
    result = group.ids[arg.getArgNumber()];
  } else if (Operation *def = value.getDefiningOp();
             def && recomputed.contains(def) && !slots.count(value)) {
    result = createAgain(b, value,
                         [&](Value operand) { return get(b, operand, group); });
  } else {
    Value slot = value;
    if (auto loop = value.getDefiningOp<scf::ForOp>();
        loop && !slots.count(value))
      slot = loop.getTiedLoopRegionIterArg(cast<OpResult>(value));
    result = loadSlot(b, loc, value.getType(), slots.find(slot)->second,
                      group.round);
  }
  group.values.map(value, result);
  return result;
}

} // namespace aircc::hierarchy
