//===- PlaceBuffers.cpp - Allocate L1 and L2 buffers ----------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/analysis/BufferLevels.h"
#include "pipeline/analysis/ExecutionModel.h"
#include "pipeline/hierarchy/Passes.h"
#include "pipeline/hierarchy/buffers/BufferBytes.h"
#include "pipeline/hierarchy/buffers/GlobalArena.h"
#include "pipeline/hierarchy/buffers/L2Policy.h"
#include "pipeline/hierarchy/buffers/LDSPlan.h"
#include "pipeline/hierarchy/buffers/MemorySpaces.h"
#include "pipeline/hierarchy/execution/Workers.h"

#include "dialects/air/AIROps.h"
#include "dialects/kernel/Attributions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/MapVector.h"

namespace aircc::hierarchy {
#define GEN_PASS_DEF_PLACEBUFFERS
#include "pipeline/hierarchy/Passes.h.inc"
} // namespace aircc::hierarchy

using namespace mlir;
using namespace aircc;
using namespace aircc::hierarchy;

namespace {

struct Buffer {
  Operation *alloc;
  BufferLevel level;
  int64_t bytes = 0;
  LDSRequest request = {};
  /// Whether the buffer is in global memory, because it is too large for LDS or
  /// L2 is global.
  bool isInArena = false;

  /// Returns true if all lanes of a wave or of the workgroup share the buffer.
  bool isShared() const { return level != BufferLevel::PerLane; }
  bool isInLDS() const { return isShared() && !isInArena; }

  MemRefType getType() const {
    return cast<MemRefType>(alloc->getResult(0).getType());
  }
};

/// A range of bytes of the plan, and its workgroup attribution.
struct Arena {
  int64_t begin, end;
  Value bytes;
};

class BufferPlacement {
public:
  BufferPlacement(gpu::GPUFuncOp kernel, int64_t ldsBytes, int64_t maxThreads,
                  L2Policy l2)
      : kernel(kernel), ldsBytes(ldsBytes), maxThreads(maxThreads), l2(l2) {}

  LogicalResult run();

private:
  LogicalResult collect();
  LogicalResult computeLifetime(Buffer &buffer);
  bool mixesWaves(const LDSPlan &plan);
  SmallVector<Arena> createArenas(ArrayRef<LDSRequest> requests,
                                  const LDSPlan &plan);
  void chooseArena();
  LogicalResult planWorkgroupMemory();
  void placeInArena();
  LogicalResult emitSizeError(const LDSPlan &plan);
  void replace(Buffer &buffer, Value bytes, Value first);
  Value makeVisible(Value value, Operation *at);
  void markOwner(Operation *alloc);
  int64_t getNumWaves();
  Value createWaveIndex(OpBuilder &b);

  gpu::GPUFuncOp kernel;
  const int64_t ldsBytes, maxThreads;
  const L2Policy l2;
  SmallVector<Buffer> buffers;
  /// The number of bytes of LDS that all buffers would need, if they do not
  /// fit.
  int64_t ldsNeeded = 0;
  /// Whether per-wave buffers are live throughout the herds that use them.
  bool extendToHerds = false;
  /// The positions of each op and of the end of its regions, in program order.
  DenseMap<Operation *, std::pair<int64_t, int64_t>> positions;
  /// The values that have been passed to herds, and the arguments for them.
  llvm::MapVector<std::pair<Operation *, Value>, Value> visible;
  SmallVector<std::pair<Value, Attribute>> retyped;
};

/// Computes the positions in which the buffer is used. A use in a loop that
/// does not contain the allocation extends to the whole loop. Per-lane code
/// orders its accesses itself and is not aware of buffers that share bytes, so
/// a use there extends to the whole herd or segment. Waves execute a herd at
/// different speeds, so the part of one wave must not overlap another wave's
/// part of another buffer; `extendToHerds` extends the lifetimes of per-wave
/// buffers to the herds that use them.
LogicalResult BufferPlacement::computeLifetime(Buffer &buffer) {
  int64_t &begin = buffer.request.begin;
  int64_t &end = buffer.request.end;
  begin = std::numeric_limits<int64_t>::max();
  end = -1;
  SmallVector<Value> worklist{buffer.alloc->getResult(0)};
  SmallPtrSet<Value, 8> seen;
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    for (OpOperand &use : value.getUses()) {
      Operation *user = use.getOwner();
      forEachForwarded(use, [&](Value next) { worklist.push_back(next); });
      if (isa<memref::DeallocOp>(user))
        continue;
      begin = std::min(begin, positions[user].first);
      end = std::max(end, positions[user].second);
      if (buffer.level != BufferLevel::PerLane && !isa<air::HerdOp>(user) &&
          !isMemoryEffectFree(user) &&
          (getScope(user) == Scope::Lane ||
           (extendToHerds && buffer.level == BufferLevel::PerWave &&
            user->getParentOfType<air::HerdOp>()))) {
        Operation *program = user->getParentOp();
        while (program != kernel &&
               !program->hasAttr(
                   kernel::KernelDialect::ScopeAttrHelper::getNameStr()))
          program = program->getParentOp();
        begin = std::min(begin, positions[program].first);
        end = std::max(end, positions[program].second);
      }
      for (Operation *parent = user->getParentOp(); parent != kernel;
           parent = parent->getParentOp()) {
        if (!isa<LoopLikeOpInterface>(parent) ||
            parent->isProperAncestor(buffer.alloc))
          continue;
        begin = std::min(begin, positions[parent].first);
        end = std::max(end, positions[parent].second);
      }
      if (user->hasTrait<OpTrait::IsTerminator>() &&
          isa<LoopLikeOpInterface>(user->getParentOp()) &&
          user->getParentOp()->isProperAncestor(buffer.alloc))
        return buffer.alloc->emitOpError(
            "is carried into the next iteration of the loop, which would "
            "allocate the same bytes again; allocate the buffers before the "
            "loop and swap them");
    }
  }
  return success();
}

LogicalResult BufferPlacement::collect() {
  SmallVector<Operation *> allocs;
  kernel.walk([&](Operation *op) {
    if (isAllocation(op))
      allocs.push_back(op);
  });
  for (Operation *alloc : allocs) {
    // Erase buffers that are never used.
    if (llvm::all_of(alloc->getUsers(), [](Operation *user) {
          return isa<memref::DeallocOp>(user);
        })) {
      for (Operation *user : llvm::make_early_inc_range(alloc->getUsers()))
        user->erase();
      alloc->erase();
      continue;
    }
    Buffer buffer{alloc, getBufferLevel(alloc->getResult(0))};
    if (buffer.level == BufferLevel::Global ||
        buffer.level == BufferLevel::Unknown)
      return alloc->emitOpError(
          "allocates an L3 buffer in a kernel; allocate it before air.launch "
          "and pass it through args, or use memory space 1 (L2) or 2 (L1)");
    Value result = alloc->getResult(0);
    if (buffer.level == BufferLevel::Workgroup &&
        getScope(alloc) == Scope::Wave && getNumWaves() > 1)
      return alloc->emitOpError(
          "allocates an L2 buffer, which the whole workgroup shares, in a "
          "herd, where each PE would allocate one; allocate it in the segment "
          "and pass it in, or use memory space 2 (L1)");
    if (buffer.level == BufferLevel::PerLane &&
        reachesHerd(result, Scope::Lane) && reachesHerd(result, Scope::Wave))
      return alloc->emitOpError(
          "is passed to a herd with per-lane code, where each lane has its own "
          "copy, and to a herd where each PE has its own copy; use an L2 "
          "buffer, or two buffers");
    layout::Result<int64_t> bytes = getBufferBytes(alloc);
    buffer.isInArena = !bytes && l2 != L2Policy::LDS && buffer.isShared() &&
                       hasSizeKnownToHost(alloc);
    if (!bytes && !buffer.isInArena)
      return alloc->emitOpError(bytes.message());
    buffer.bytes = bytes ? *bytes : 0;
    buffers.push_back(buffer);
  }

  int64_t next = 0;
  std::function<void(Operation *)> number = [&](Operation *op) {
    int64_t first = next++;
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Operation &inner : block)
          number(&inner);
    positions[op] = {first, next++};
  };
  number(kernel);
  for (Buffer &buffer : buffers)
    if (failed(computeLifetime(buffer)))
      return failure();
  return success();
}

int64_t BufferPlacement::getNumWaves() {
  std::optional<int64_t> threads =
      getWorkerCount(&kernel.getBody().front().front(), Scope::Workgroup);
  return llvm::divideCeil(threads.value_or(maxThreads), getWaveSize(kernel));
}

Value BufferPlacement::createWaveIndex(OpBuilder &b) {
  Location loc = kernel.getLoc();
  Value index;
  for (int dim = 2; dim >= 0; --dim) {
    Value id = createPeId(b, loc, dim);
    Value size = getBlockDim(b, loc, dim);
    if (dim == 0)
      size = arith::DivUIOp::create(
          b, loc, size,
          arith::ConstantIndexOp::create(b, loc, getWaveSize(kernel)));
    index = index ? arith::AddIOp::create(
                        b, loc, arith::MulIOp::create(b, loc, index, size), id)
                  : id;
  }
  return index;
}

/// Makes `value`, from the kernel's body, usable at `at` by passing it to the
/// herd around `at`.
Value BufferPlacement::makeVisible(Value value, Operation *at) {
  auto herd = at->getParentOfType<air::HerdOp>();
  if (!herd)
    return value;
  Value &inside = visible[{herd, value}];
  if (!inside)
    inside = herd.appendKernelOperands(value).front();
  return inside;
}

/// Replaces an allocation with a view of `bytes` that starts at byte `first`,
/// or at 0 if `first` is null.
void BufferPlacement::replace(Buffer &buffer, Value bytes, Value first) {
  Operation *alloc = buffer.alloc;
  MemRefType type = buffer.getType();
  Location loc = alloc->getLoc();
  OpBuilder b(alloc);
  Attribute space = cast<MemRefType>(bytes.getType()).getMemorySpace();
  bytes = makeVisible(bytes, alloc);
  Value at = first ? makeVisible(first, alloc)
                   : arith::ConstantIndexOp::create(b, loc, 0);
  auto withSpace = [&](MemRefType t) {
    return cast<MemRefType>(changeMemorySpace(t, space));
  };
  Operation *view;
  Value result;
  if (type.getLayout().isIdentity()) {
    view = memref::ViewOp::create(b, loc, withSpace(type), bytes, at,
                                  alloc->getOperands());
    result = view->getResult(0);
  } else {
    SmallVector<int64_t> strides;
    int64_t offset;
    (void)type.getStridesAndOffset(strides, offset);
    int64_t size = getElementBytes(alloc, type.getElementType());
    auto flat = MemRefType::get({buffer.bytes / size}, type.getElementType(),
                                MemRefLayoutAttrInterface(), space);
    view = memref::ViewOp::create(b, loc, flat, bytes, at, ValueRange());
    result = memref::ReinterpretCastOp::create(b, loc, withSpace(type),
                                               view->getResult(0), offset,
                                               type.getShape(), strides);
  }
  if (buffer.isShared()) {
    view->setAttr(
        kernel::KernelDialect::LdsRangeAttrHelper::getNameStr(),
        b.getDenseI64ArrayAttr({buffer.request.begin, buffer.request.end}));
    if (buffer.level == BufferLevel::PerWave)
      view->setAttr(kernel::KernelDialect::PerWaveAttrHelper::getNameStr(),
                    b.getUnitAttr());
  }
  Value old = alloc->getResult(0);
  old.replaceAllUsesWith(result);
  retyped.push_back({result, type.getMemorySpace()});
  alloc->erase();
}

/// Records on the parent of an allocation that it owns the private attribution
/// that was just created.
void BufferPlacement::markOwner(Operation *alloc) {
  Operation *owner = alloc->getParentOp();
  if (owner->hasAttr(kernel::KernelDialect::ScopeAttrHelper::getNameStr()))
    return;
  SmallVector<int64_t> own;
  if (auto marked = owner->getAttrOfType<DenseI64ArrayAttr>(
          kernel::KernelDialect::OwnBuffersAttrHelper::getNameStr()))
    own = llvm::to_vector(marked.asArrayRef());
  own.push_back(int64_t(kernel.getPrivateAttributions().size()) - 1);
  owner->setAttr(kernel::KernelDialect::OwnBuffersAttrHelper::getNameStr(),
                 DenseI64ArrayAttr::get(kernel.getContext(), own));
}

LogicalResult BufferPlacement::emitSizeError(const LDSPlan &plan) {
  const Buffer *worst = nullptr;
  unsigned next = 0;
  for (const Buffer &buffer : buffers) {
    if (!buffer.isInLDS())
      continue;
    int64_t end = plan.offsets[next++] + buffer.request.bytes;
    if (end > ldsBytes &&
        (!worst || buffer.request.bytes >= worst->request.bytes))
      worst = &buffer;
  }
  InFlightDiagnostic diag =
      worst->alloc->emitOpError(
          "does not fit: the buffers that are live at the same time need ")
      << plan.bytes << " bytes of LDS, but a workgroup may use only "
      << ldsBytes;
  for (const Buffer &buffer : buffers) {
    if (!buffer.isInLDS())
      continue;
    Diagnostic &note = diag.attachNote(buffer.alloc->getLoc());
    note << buffer.request.bytes << " bytes for this buffer";
    if (buffer.level == BufferLevel::PerWave)
      note << ": " << buffer.bytes << " for each of " << getNumWaves()
           << " waves";
  }
  return diag;
}

/// Returns true if the part of a buffer for one wave may overlap the part of
/// another buffer for another wave.
bool BufferPlacement::mixesWaves(const LDSPlan &plan) {
  SmallVector<std::pair<int64_t, int64_t>> ranges;
  unsigned next = 0;
  for (const Buffer &buffer : buffers) {
    if (!buffer.isInLDS())
      continue;
    int64_t first = plan.offsets[next++];
    if (buffer.level == BufferLevel::PerWave)
      ranges.push_back({first, first + buffer.request.bytes});
  }
  for (auto a : ranges)
    for (auto b : ranges)
      if (a != b && a.first < b.second && b.first < a.second)
        return true;
  return false;
}

/// Creates the workgroup attributions. Buffers that share no bytes are in
/// different attributions, so that LLVM knows that they do not alias.
SmallVector<Arena> BufferPlacement::createArenas(ArrayRef<LDSRequest> requests,
                                                 const LDSPlan &plan) {
  SmallVector<std::pair<int64_t, int64_t>> ranges;
  for (auto [request, offset] : llvm::zip_equal(requests, plan.offsets))
    ranges.push_back({offset, offset + std::max<int64_t>(request.bytes, 1)});
  llvm::sort(ranges);
  SmallVector<Arena> arenas;
  for (auto [begin, end] : ranges)
    if (!arenas.empty() && begin < arenas.back().end)
      arenas.back().end = std::max(arenas.back().end, end);
    else
      arenas.push_back({begin, end, Value()});
  MLIRContext *context = kernel.getContext();
  auto space =
      gpu::AddressSpaceAttr::get(context, gpu::AddressSpace::Workgroup);
  for (Arena &arena : arenas) {
    auto type =
        MemRefType::get({arena.end - arena.begin}, IntegerType::get(context, 8),
                        MemRefLayoutAttrInterface(), space);
    arena.bytes = kernel::addWorkgroupBuffer(kernel, type, kernel.getLoc(),
                                             kLDSAlignment);
  }
  return arenas;
}

/// Decides which buffers are in global memory instead of LDS.
void BufferPlacement::chooseArena() {
  SmallVector<Buffer *> candidates;
  SmallVector<LDSRequest> requests;
  for (Buffer &buffer : buffers) {
    if (buffer.level == BufferLevel::Workgroup && l2 == L2Policy::Global)
      buffer.isInArena = true;
    if (!buffer.isInLDS())
      continue;
    candidates.push_back(&buffer);
    requests.push_back(buffer.request);
  }
  if (l2 == L2Policy::LDS)
    return;
  int64_t needed = planLDS(requests).bytes;
  if (needed <= ldsBytes)
    return;
  ldsNeeded = needed;
  for (auto [buffer, isOutside] :
       llvm::zip_equal(candidates, chooseOutsideLDS(requests, ldsBytes)))
    buffer->isInArena = isOutside;
}

/// Replaces the buffers in the arena with views of it.
void BufferPlacement::placeInArena() {
  SmallVector<Buffer *> inArena;
  SmallVector<ArenaBuffer> requests;
  for (Buffer &buffer : buffers) {
    if (!buffer.isShared() || !buffer.isInArena)
      continue;
    inArena.push_back(&buffer);
    requests.push_back({buffer.alloc, buffer.bytes,
                        buffer.level == BufferLevel::PerWave,
                        buffer.request.begin, buffer.request.end});
  }
  if (requests.empty())
    return;
  SmallVector<ArenaPlace> places =
      createGlobalArenas(kernel, requests, getNumWaves(), ldsNeeded, ldsBytes,
                         [&](OpBuilder &b) { return createWaveIndex(b); });
  for (auto [buffer, place] : llvm::zip_equal(inArena, places)) {
    buffer->request.begin = place.beginByte;
    buffer->request.end = place.endByte;
    replace(*buffer, place.memory, place.first);
  }
}

LogicalResult BufferPlacement::planWorkgroupMemory() {
  for (Buffer &buffer : buffers) {
    buffer.request.alignment = kLDSAlignment;
    buffer.request.isPreferred = buffer.level == BufferLevel::PerWave;
    buffer.request.bytes =
        buffer.level == BufferLevel::PerWave
            ? llvm::alignTo(buffer.bytes, kLDSAlignment) * getNumWaves()
            : std::max<int64_t>(buffer.bytes, 1);
  }
  chooseArena();
  SmallVector<LDSRequest> requests;
  for (Buffer &buffer : buffers)
    if (buffer.isInLDS())
      requests.push_back(buffer.request);
  if (requests.empty())
    return success();
  LDSPlan plan = planLDS(requests);
  if (!extendToHerds && mixesWaves(plan)) {
    extendToHerds = true;
    for (Buffer &buffer : buffers)
      if (failed(computeLifetime(buffer)))
        return failure();
    return planWorkgroupMemory();
  }
  if (plan.bytes > ldsBytes)
    return emitSizeError(plan);

  SmallVector<Arena> arenas = createArenas(requests, plan);
  OpBuilder b = OpBuilder::atBlockBegin(&kernel.getBody().front());
  Location loc = kernel.getLoc();
  Value wave;
  unsigned next = 0;
  SmallVector<std::pair<Value, Value>> views;
  for (Buffer &buffer : buffers) {
    if (!buffer.isInLDS())
      continue;
    int64_t offset = plan.offsets[next++];
    const Arena *arena =
        llvm::find_if(arenas, [&](const Arena &a) { return offset < a.end; });
    Value first = arith::ConstantIndexOp::create(b, loc, offset - arena->begin);
    if (buffer.level == BufferLevel::PerWave) {
      if (!wave)
        wave = createWaveIndex(b);
      Value size = arith::ConstantIndexOp::create(
          b, loc, llvm::alignTo(buffer.bytes, kLDSAlignment));
      first = arith::AddIOp::create(b, loc, first,
                                    arith::MulIOp::create(b, loc, wave, size));
    }
    // `replace` attaches the byte range to the view.
    buffer.request.begin = offset;
    buffer.request.end = offset + buffer.request.bytes;
    views.push_back({arena->bytes, first});
  }
  next = 0;
  for (Buffer &buffer : buffers)
    if (buffer.isInLDS()) {
      auto [bytes, first] = views[next++];
      replace(buffer, bytes, first);
    }
  return success();
}

LogicalResult BufferPlacement::run() {
  if (failed(collect()) || failed(planWorkgroupMemory()))
    return failure();
  placeInArena();
  MLIRContext *context = kernel.getContext();
  auto space = gpu::AddressSpaceAttr::get(context, gpu::AddressSpace::Private);
  for (Buffer &buffer : buffers) {
    if (buffer.level != BufferLevel::PerLane)
      continue;
    MemRefType type = buffer.getType();
    if (type.hasStaticShape() && type.getLayout().isIdentity()) {
      auto privateType = cast<MemRefType>(changeMemorySpace(type, space));
      Value own =
          kernel.addPrivateAttribution(privateType, buffer.alloc->getLoc());
      markOwner(buffer.alloc);
      Value seen = makeVisible(own, buffer.alloc);
      buffer.alloc->getResult(0).replaceAllUsesWith(seen);
      retyped.push_back({seen, type.getMemorySpace()});
      buffer.alloc->erase();
      continue;
    }
    Value bytes = kernel.addPrivateAttribution(
        MemRefType::get({std::max<int64_t>(buffer.bytes, 1)},
                        IntegerType::get(context, 8),
                        MemRefLayoutAttrInterface(), space),
        buffer.alloc->getLoc());
    markOwner(buffer.alloc);
    replace(buffer, bytes, Value());
  }
  kernel.walk([](memref::DeallocOp dealloc) { dealloc.erase(); });
  for (auto [value, oldSpace] : retyped)
    if (failed(propagateMemorySpace(value, oldSpace)))
      return failure();
  return success();
}

struct PlaceBuffersPass : hierarchy::impl::PlaceBuffersBase<PlaceBuffersPass> {
  using PlaceBuffersBase::PlaceBuffersBase;

  void runOnOperation() override {
    for (gpu::GPUFuncOp kernel : getUnfinishedKernels(getOperation())) {
      BufferPlacement placement(kernel, ldsBytes, maxThreads, l2);
      if (failed(placement.run()) || failed(verifyMemorySpaces(kernel)))
        return signalPassFailure();
    }
  }
};

} // namespace
