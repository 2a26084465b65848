//===- PlanMemory.cpp - One allocation for the buffers of a function ------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/hierarchy/Passes.h"
#include "pipeline/hierarchy/buffers/LDSPlan.h"

#include "dialects/air/AIRDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/Transforms/BufferViewFlowAnalysis.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/SetVector.h"

namespace aircc::hierarchy {
#define GEN_PASS_DEF_PLANMEMORY
#include "pipeline/hierarchy/Passes.h.inc"
} // namespace aircc::hierarchy

using namespace mlir;
using namespace aircc;
using namespace aircc::hierarchy;

namespace {

/// The alignment of each buffer in an arena: a multiple of what any kernel
/// assumes, and of a cache line.
constexpr int64_t kAlignment = 256;

/// Returns the function that `call` calls if its memory is planned, which
/// requires that its results share no memory with its arguments.
func::FuncOp getPlannedCallee(func::CallOp call) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      call, call.getCalleeAttr());
  bool isPlanned =
      callee && !callee.isDeclaration() &&
      callee->hasAttr(air::AIRDialect::PlanMemoryAttrHelper::getNameStr());
  return isPlanned ? callee : nullptr;
}

/// Returns whether `op` only creates an alias of a memref, or reads its sizes.
bool accessesNothing(Operation *op) {
  return isa<ViewLikeOpInterface, memref::DimOp,
             memref::ExtractStridedMetadataOp>(op);
}

/// Returns whether host code may access the elements of an operand of `op`.
bool accessesFromHost(OpOperand &operand) {
  Operation *op = operand.getOwner();
  if (accessesNothing(op) || isa<gpu::LaunchFuncOp>(op))
    return false;
  auto call = dyn_cast<func::CallOp>(op);
  func::FuncOp callee = call ? getPlannedCallee(call) : nullptr;
  if (!callee)
    return true;
  // Only kernels access the argument, or the callee passes it on.
  Value argument = callee.getArgument(operand.getOperandNumber());
  for (Value alias : BufferViewFlowAnalysis(callee).resolve(argument))
    for (Operation *user : alias.getUsers())
      if (!accessesNothing(user) && !isa<gpu::LaunchFuncOp>(user))
        return true;
  return false;
}

/// Returns whether `op` is only executed conditionally in the function. A loop
/// is assumed to have iterations.
bool isConditional(Operation *op) {
  for (Operation *parent = op->getParentOp(); !isa<func::FuncOp>(parent);
       parent = parent->getParentOp())
    if (!isa<LoopLikeOpInterface>(parent))
      return true;
  return false;
}

/// A buffer that the function allocates and frees.
struct Buffer {
  gpu::AllocOp alloc;
  gpu::DeallocOp dealloc;
  /// The positions of its first and last use.
  int64_t begin = 0, end = 0;
  /// Whether host code accesses its elements.
  bool isUsedByHost = false;

  MemRefType getType() { return alloc.getType(); }
  bool isStatic() { return getType().hasStaticShape(); }
};

/// Buffers of dynamic size that are never live at the same time.
struct Slot {
  SmallVector<Buffer *> buffers;

  bool isFree(const Buffer &buffer) const {
    return llvm::none_of(buffers, [&](const Buffer *other) {
      return buffer.begin <= other->end && other->begin <= buffer.end;
    });
  }
};

/// Collects the buffers of a function that can be in an arena, in the order of
/// their allocations.
class BufferCollector {
public:
  explicit BufferCollector(func::FuncOp function)
      : function(function), flow(function) {
    llvm::SetVector<Value> results;
    function.walk([&](func::CallOp call) {
      if (getPlannedCallee(call))
        results.insert_range(call.getResults());
    });
    flow.remove(results);
    int64_t next = 0;
    function.walk([&](Operation *op, const WalkStage &stage) {
      if (stage.isBeforeAllRegions())
        begins[op] = next++;
      if (stage.isAfterAllRegions())
        ends[op] = next++;
    });
  }

  SmallVector<Buffer> collect() {
    SmallVector<Buffer> buffers;
    function.walk([&](gpu::AllocOp alloc) {
      Buffer buffer{alloc, nullptr};
      if (isOrdinary(alloc) && findUses(buffer))
        buffers.push_back(buffer);
    });
    return buffers;
  }

private:
  /// Returns whether the allocation is synchronous, has contiguous elements in
  /// the default memory, and has sizes that can be computed at function entry.
  /// A branch that is not taken may have sizes that exceed any memory.
  bool isOrdinary(gpu::AllocOp alloc) {
    return !alloc.getAsyncToken() && alloc.getAsyncDependencies().empty() &&
           alloc.getSymbolOperands().empty() &&
           alloc.getType().getLayout().isIdentity() &&
           !alloc.getType().getMemorySpace() &&
           (alloc.getDynamicSizes().empty() || !isConditional(alloc)) &&
           llvm::all_of(alloc.getDynamicSizes(), [&](Value size) {
             llvm::SetVector<Operation *> ops;
             return canMoveToBegin(size, ops);
           });
  }

public:
  /// Returns whether `value` can be computed at function entry. Appends the ops
  /// that compute it to `ops`, definitions first.
  bool canMoveToBegin(Value value, llvm::SetVector<Operation *> &ops) {
    Operation *op = value.getDefiningOp();
    if (!op)
      return value.getParentBlock() == &function.front();
    if (ops.contains(op))
      return true;
    if (op->getNumRegions() != 0 || !isPure(op) ||
        !llvm::all_of(op->getOperands(), [&](Value operand) {
          return canMoveToBegin(operand, ops);
        }))
      return false;
    ops.insert(op);
    return true;
  }

private:
  /// Determines where the buffer is used. Fails unless it is used and freed
  /// only in the block of its allocation and in nested blocks.
  bool findUses(Buffer &buffer) {
    Block *block = buffer.alloc->getBlock();
    buffer.begin = buffer.end = begins[buffer.alloc];
    bool isUsed = false;
    for (Value alias : flow.resolve(buffer.alloc.getMemref())) {
      for (OpOperand &use : alias.getUses()) {
        Operation *user = use.getOwner();
        Operation *ancestor = block->findAncestorOpInBlock(*user);
        if (!ancestor || ancestor->hasTrait<OpTrait::IsTerminator>())
          return false;
        if (auto dealloc = dyn_cast<gpu::DeallocOp>(user)) {
          if (buffer.dealloc || dealloc->getBlock() != block ||
              dealloc.getAsyncToken() ||
              dealloc.getMemref() != buffer.alloc.getMemref())
            return false;
          buffer.dealloc = dealloc;
          continue;
        }
        if (isa<memref::DeallocOp>(user))
          return false;
        if (accessesNothing(user))
          continue;
        buffer.isUsedByHost |= accessesFromHost(use);
        buffer.begin = isUsed ? std::min(buffer.begin, begins[ancestor])
                              : begins[ancestor];
        buffer.end = std::max(buffer.end, ends[ancestor]);
        isUsed = true;
      }
    }
    return buffer.dealloc != nullptr;
  }

  func::FuncOp function;
  BufferViewFlowAnalysis flow;
  llvm::DenseMap<Operation *, int64_t> begins, ends;
};

/// Creates the arena of a function.
class ArenaBuilder {
public:
  ArenaBuilder(func::FuncOp function, BufferCollector &collector)
      : function(function), collector(collector),
        b(OpBuilder::atBlockBegin(&function.front())), loc(function.getLoc()),
        layout(DataLayout::closest(function)) {}

  /// Replaces the allocations of `buffers` with parts of one allocation, which
  /// host code accesses if `isShared` is set.
  void create(MutableArrayRef<Buffer *> buffers, bool isShared);

private:
  /// Returns the distance between elements in memory: an i48 takes eight bytes.
  int64_t getElementBytes(MemRefType type) {
    Type element = type.getElementType();
    return int64_t(llvm::alignTo(layout.getTypeSize(element).getFixedValue(),
                                 layout.getTypeABIAlignment(element)));
  }
  Value createConstant(int64_t value) {
    return arith::ConstantIndexOp::create(b, loc, value);
  }
  /// Returns the size of the buffer in bytes, rounded up to the alignment.
  Value createBytes(Buffer &buffer);
  void moveSizesToBegin(ArrayRef<Buffer *> buffers);
  SmallVector<Slot> assignSlots(ArrayRef<Buffer *> buffers);
  void replace(Buffer &buffer, Value arena, Value offset);

  func::FuncOp function;
  BufferCollector &collector;
  OpBuilder b;
  Location loc;
  DataLayout layout;
};

Value ArenaBuilder::createBytes(Buffer &buffer) {
  int64_t constant = getElementBytes(buffer.getType());
  Value elements;
  for (int64_t size : buffer.getType().getShape())
    if (!ShapedType::isDynamic(size))
      constant *= size;
  // A loop without iterations may have negative sizes.
  bool isInLoop = !isa<func::FuncOp>(buffer.alloc->getParentOp());
  for (Value size : buffer.alloc.getDynamicSizes()) {
    if (isInLoop)
      size = b.createOrFold<arith::MaxSIOp>(loc, size, createConstant(0));
    elements =
        elements ? b.createOrFold<arith::MulIOp>(loc, elements, size) : size;
  }
  Value bytes =
      b.createOrFold<arith::MulIOp>(loc, elements, createConstant(constant));
  if (constant % kAlignment == 0)
    return bytes;
  Value more =
      b.createOrFold<arith::AddIOp>(loc, bytes, createConstant(kAlignment - 1));
  return b.createOrFold<arith::AndIOp>(loc, more, createConstant(-kAlignment));
}

void ArenaBuilder::moveSizesToBegin(ArrayRef<Buffer *> buffers) {
  llvm::SetVector<Operation *> ops;
  for (Buffer *buffer : buffers)
    for (Value size : buffer->alloc.getDynamicSizes())
      (void)collector.canMoveToBegin(size, ops);
  Block &entry = function.front();
  auto place = entry.begin();
  for (Operation *op : ops) {
    // Ops that are already there remain in place.
    if (place != entry.end() && op == &*place)
      ++place;
    else
      op->moveBefore(&entry, place);
  }
  b.setInsertionPoint(&entry, place);
}

/// Returns whether two buffers have the same number of bytes, as far as their
/// types and sizes tell.
bool haveSameSizes(Buffer &a, Buffer &b) {
  return a.getType() == b.getType() &&
         llvm::equal(a.alloc.getDynamicSizes(), b.alloc.getDynamicSizes());
}

/// Let buffers of the same size share a slot first, because the size of a slot
/// is that of its largest buffer.
SmallVector<Slot> ArenaBuilder::assignSlots(ArrayRef<Buffer *> buffers) {
  SmallVector<Slot> slots;
  for (Buffer *buffer : buffers) {
    auto isEqual = [&](const Slot &slot) {
      return haveSameSizes(*slot.buffers.front(), *buffer);
    };
    Slot *best = nullptr;
    for (Slot &slot : slots)
      if (slot.isFree(*buffer) && (!best || (isEqual(slot) && !isEqual(*best))))
        best = &slot;
    if (!best)
      best = &slots.emplace_back();
    best->buffers.push_back(buffer);
  }
  return slots;
}

void ArenaBuilder::replace(Buffer &buffer, Value arena, Value offset) {
  OpBuilder at(buffer.alloc);
  Value view =
      memref::ViewOp::create(at, buffer.alloc.getLoc(), buffer.getType(), arena,
                             offset, buffer.alloc.getDynamicSizes());
  buffer.alloc.getMemref().replaceAllUsesWith(view);
  buffer.dealloc.erase();
  buffer.alloc.erase();
}

void ArenaBuilder::create(MutableArrayRef<Buffer *> buffers, bool isShared) {
  if (buffers.empty())
    return;
  moveSizesToBegin(buffers);
  SmallVector<Buffer *> fixed, dynamic;
  for (Buffer *buffer : buffers)
    (buffer->isStatic() ? fixed : dynamic).push_back(buffer);
  SmallVector<LDSRequest> requests;
  for (Buffer *buffer : fixed)
    requests.push_back({buffer->getType().getNumElements() *
                            getElementBytes(buffer->getType()),
                        kAlignment, buffer->begin, buffer->end});
  LDSPlan plan = planArena(requests);

  SmallVector<std::pair<Buffer *, Value>> offsets;
  for (auto [buffer, offset] : llvm::zip_equal(fixed, plan.offsets))
    offsets.push_back({buffer, createConstant(offset)});
  auto type = MemRefType::get({plan.bytes}, b.getI8Type());
  SmallVector<Value> sizes;
  if (!dynamic.empty()) {
    Value bytes =
        createConstant(int64_t(llvm::alignTo(plan.bytes, kAlignment)));
    for (Slot &slot : assignSlots(dynamic)) {
      Value largest;
      for (Buffer *buffer : slot.buffers) {
        offsets.push_back({buffer, bytes});
        if (largest && haveSameSizes(*slot.buffers.front(), *buffer))
          continue;
        Value own = createBytes(*buffer);
        largest =
            largest ? b.createOrFold<arith::MaxUIOp>(loc, largest, own) : own;
      }
      bytes = b.createOrFold<arith::AddIOp>(loc, bytes, largest);
    }
    type = MemRefType::get({ShapedType::kDynamic}, b.getI8Type());
    sizes.push_back(bytes);
  }
  auto arena = gpu::AllocOp::create(b, loc, type, /*asyncToken=*/Type(),
                                    /*asyncDependencies=*/ValueRange(), sizes,
                                    /*symbolOperands=*/ValueRange(), isShared);
  for (auto [buffer, offset] : offsets)
    replace(*buffer, arena.getMemref(), offset);
  OpBuilder end(function.front().getTerminator());
  gpu::DeallocOp::create(end, loc, /*asyncToken=*/Type(),
                         /*asyncDependencies=*/ValueRange(), arena.getMemref());
}

class PlanMemory : public hierarchy::impl::PlanMemoryBase<PlanMemory> {
public:
  void runOnOperation() final {
    StringRef name = air::AIRDialect::PlanMemoryAttrHelper::getNameStr();
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (function->hasAttr(name) && llvm::hasSingleElement(function.getBody()))
        plan(function);
    for (auto function : getOperation().getOps<func::FuncOp>())
      function->removeAttr(name);
  }

private:
  static void plan(func::FuncOp function) {
    BufferCollector collector(function);
    SmallVector<Buffer> buffers = collector.collect();
    SmallVector<Buffer *> ofDevice, shared;
    for (Buffer &buffer : buffers)
      (buffer.isUsedByHost ? shared : ofDevice).push_back(&buffer);
    ArenaBuilder builder(function, collector);
    builder.create(ofDevice, /*isShared=*/false);
    builder.create(shared, /*isShared=*/true);
  }
};

} // namespace
