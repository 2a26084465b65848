//===- MergeLaunches.cpp - Merge small independent launches ---------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/common/kernels/Work.h"
#include "pipeline/hierarchy/Passes.h"
#include "pipeline/hierarchy/channels/BufferAccesses.h"
#include "pipeline/hierarchy/launch/WrapLaunch.h"

#include "dialects/air/AIRDialect.h"
#include "dialects/kernel/KernelDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/XeGPU/IR/XeGPU.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

namespace aircc::hierarchy {
#define GEN_PASS_DEF_MERGELAUNCHES
#include "pipeline/hierarchy/Passes.h.inc"
} // namespace aircc::hierarchy

using namespace mlir;
using namespace aircc;

namespace {

/// Merging more kernels into one requires too many registers and branches,
/// unless they have few ops or are all the same.
constexpr unsigned kMaxMerged = 4;
constexpr unsigned kMaxEqual = 16;
constexpr unsigned kMaxOps = 512;

/// Each buffer is an argument of the kernel.
constexpr unsigned kMaxBuffers = 96;

/// A launch with constant sizes, and the memory that it accesses.
struct Candidate {
  gpu::LaunchOp launch;
  int64_t grid[3];
  int64_t threads[3];
  unsigned merged = 1, numOps = 0;
  /// The number of ops in each of the merged launches; 0 if they differ.
  unsigned opsOfEach = 0;
  /// The buffers that are written, and all buffers.
  SmallPtrSet<Value, 8> written, used;

  int64_t getWorkgroups() const { return grid[0] * grid[1] * grid[2]; }
};

/// Collects the memory of the launch. Fails if it is unknown.
bool collectMemory(Candidate &candidate) {
  gpu::LaunchOp launch = candidate.launch;
  SetVector<Value> captured;
  getUsedValuesDefinedAbove(launch.getBody(), captured);
  for (Value value : captured)
    if (isa<BaseMemRefType>(value.getType()))
      candidate.used.insert(hierarchy::getRootBuffer(value));
  WalkResult result = launch.getBody().walk([&](Operation *op) {
    ++candidate.numOps;
    if (isa<memref::AllocaOp, gpu::BlockIdOp, gpu::GridDimOp>(op))
      return WalkResult::interrupt();
    // This op is only a hint, but does not declare that it has no effects.
    if (isa<xegpu::PrefetchNdOp>(op))
      return WalkResult::advance();
    auto interface = dyn_cast<MemoryEffectOpInterface>(op);
    // These ops have no effects other than those of their bodies, or are
    // barriers, waits or scheduling hints.
    if (!interface && (op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() ||
                       isMemoryEffectFree(op) || op->getNumOperands() == 0))
      return WalkResult::advance();
    if (!interface)
      return WalkResult::interrupt();
    SmallVector<MemoryEffects::EffectInstance> effects;
    interface.getEffects(effects);
    for (const MemoryEffects::EffectInstance &effect : effects) {
      if (!isa<MemoryEffects::Write>(effect.getEffect()) || !effect.getValue())
        continue;
      Value buffer = hierarchy::getRootBuffer(effect.getValue());
      if (captured.contains(effect.getValue()) ||
          buffer.getParentRegion()->isProperAncestor(&launch.getBody()))
        candidate.written.insert(buffer);
    }
    return WalkResult::advance();
  });
  return !result.wasInterrupted();
}

std::optional<Candidate> getCandidate(gpu::LaunchOp launch) {
  if (launch.getAsyncToken() || !launch.getAsyncDependencies().empty() ||
      launch.getDynamicSharedMemorySize() || launch.hasClusterSize() ||
      !launch.getPrivateAttributions().empty())
    return std::nullopt;
  Candidate candidate;
  candidate.launch = launch;
  gpu::KernelDim3 grid = launch.getGridSizeOperandValues();
  gpu::KernelDim3 threads = launch.getBlockSizeOperandValues();
  auto read = [](gpu::KernelDim3 sizes, int64_t *into) {
    for (auto [i, size] :
         llvm::enumerate(ArrayRef<Value>{sizes.x, sizes.y, sizes.z})) {
      std::optional<int64_t> constant = getConstantIntValue(size);
      if (!constant)
        return false;
      into[i] = *constant;
    }
    return true;
  };
  if (!read(grid, candidate.grid) || !read(threads, candidate.threads) ||
      !collectMemory(candidate))
    return std::nullopt;
  candidate.opsOfEach = candidate.numOps;
  return candidate;
}

/// Returns whether no buffer that `a` writes shares memory with one that `b`
/// uses.
bool writesApart(const Candidate &a, const Candidate &b) {
  return llvm::all_of(a.written, [&](Value written) {
    return llvm::all_of(b.used, [&](Value used) {
      return hierarchy::isSeparateBuffer(written, used);
    });
  });
}

bool areIndependent(const Candidate &a, const Candidate &b) {
  return writesApart(a, b) && writesApart(b, a);
}

/// Returns the attributes that both launches must share: all except the name
/// and the description.
DictionaryAttr getAttributes(gpu::LaunchOp launch) {
  NamedAttrList attributes(launch->getDiscardableAttrDictionary());
  attributes.erase(kernel::KernelDialect::NameAttrHelper::getNameStr());
  attributes.erase(air::AIRDialect::WorkAttrHelper::getNameStr());
  return attributes.getDictionary(launch.getContext());
}

class MergeLaunches : public hierarchy::impl::MergeLaunchesBase<MergeLaunches> {
public:
  using MergeLaunchesBase::MergeLaunchesBase;

  void runOnOperation() final {
    auto name = air::AIRDialect::MergeLaunchesAttrHelper::getNameStr();
    getOperation().walk([&](func::FuncOp function) {
      if (!function->hasAttr(name))
        return;
      SmallVector<Block *> blocks;
      function.walk([&](Block *block) {
        if (!block->getParentOp()->getParentOfType<gpu::LaunchOp>() &&
            !isa<gpu::LaunchOp>(block->getParentOp()))
          blocks.push_back(block);
      });
      for (Block *block : blocks)
        merge(*block);
      function->removeAttr(name);
    });
  }

private:
  void merge(Block &block);
  bool isSmall(int64_t workgroups, ArrayRef<int64_t> threads);
  bool canMerge(const Candidate &a, const Candidate &b);
  Candidate merge(const Candidate &a, const Candidate &b, gpu::LaunchOp at);
  bool mergeInto(SmallVector<Candidate> &open, const Candidate &next);
};

/// Returns whether a device can execute all these workgroups at once.
bool MergeLaunches::isSmall(int64_t workgroups, ArrayRef<int64_t> threads) {
  return workgroups <= maxWorkgroups ||
         workgroups * threads[0] * threads[1] * threads[2] <= maxLanes;
}

/// Returns whether the merged launch has few enough ops and arguments.
bool isShort(const Candidate &a, const Candidate &b) {
  bool isEqual = a.opsOfEach != 0 && a.opsOfEach == b.opsOfEach;
  return (a.merged + b.merged <= (isEqual ? kMaxEqual : kMaxMerged) ||
          a.numOps + b.numOps <= kMaxOps) &&
         a.used.size() + b.used.size() <= kMaxBuffers;
}

/// Returns the workgroup buffers of the merged launch: those of `a`, whose
/// memory is shared by buffers of `b` of the same type, and the remaining ones
/// of `b`. Sets `places` to the index of the buffer for each buffer of `b`.
SmallVector<Type> shareBuffers(gpu::LaunchOp a, gpu::LaunchOp b,
                               SmallVector<unsigned> &places) {
  SmallVector<Type> types;
  for (BlockArgument buffer : a.getWorkgroupAttributions())
    types.push_back(buffer.getType());
  llvm::SmallBitVector taken(types.size());
  for (BlockArgument buffer : b.getWorkgroupAttributions()) {
    unsigned place = 0;
    while (place < taken.size() &&
           (taken.test(place) || types[place] != buffer.getType()))
      ++place;
    if (place == taken.size()) {
      types.push_back(buffer.getType());
      taken.resize(types.size());
    }
    taken.set(place);
    places.push_back(place);
  }
  return types;
}

/// Returns the number of bytes in the workgroup buffers of a merged launch of
/// `a` and `b`.
int64_t countBufferBytes(gpu::LaunchOp a, gpu::LaunchOp b) {
  SmallVector<unsigned> places;
  int64_t bytes = 0;
  for (Type type : shareBuffers(a, b, places)) {
    auto buffer = cast<MemRefType>(type);
    Type element = buffer.getElementType();
    int64_t bits =
        element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 64;
    bytes += llvm::divideCeil(buffer.getNumElements() * bits, 8);
  }
  return bytes;
}

bool MergeLaunches::canMerge(const Candidate &a, const Candidate &b) {
  return isShort(a, b) &&
         isSmall(a.getWorkgroups() + b.getWorkgroups(), a.threads) &&
         ArrayRef(a.threads) == ArrayRef(b.threads) &&
         getAttributes(a.launch) == getAttributes(b.launch) &&
         countBufferBytes(a.launch, b.launch) <= ldsBytes &&
         areIndependent(a, b);
}

/// Clones the body of `from` to the insertion point. `linear` is the number of
/// the workgroup.
void cloneBody(OpBuilder &b, const Candidate &from, gpu::LaunchOp into,
               Value linear, ArrayRef<BlockArgument> buffers) {
  gpu::LaunchOp launch = from.launch;
  Location loc = launch.getLoc();
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  IRMapping mapping;
  gpu::KernelDim3 ids = launch.getBlockIds(), sizes = launch.getGridSize();
  Value rest = linear;
  Value x = from.grid[1] * from.grid[2] == 1
                ? rest
                : arith::RemUIOp::create(b, loc, rest, constant(from.grid[0]))
                      .getResult();
  mapping.map(ids.x, x);
  rest = arith::DivUIOp::create(b, loc, rest, constant(from.grid[0]));
  mapping.map(ids.y,
              arith::RemUIOp::create(b, loc, rest, constant(from.grid[1])));
  mapping.map(ids.z,
              arith::DivUIOp::create(b, loc, rest, constant(from.grid[1])));
  for (auto [size, value] :
       llvm::zip(ArrayRef<Value>{sizes.x, sizes.y, sizes.z}, from.grid))
    mapping.map(size, constant(value));
  auto mapAll = [&](gpu::KernelDim3 of, gpu::KernelDim3 to) {
    mapping.map(of.x, to.x);
    mapping.map(of.y, to.y);
    mapping.map(of.z, to.z);
  };
  mapAll(launch.getThreadIds(), into.getThreadIds());
  mapAll(launch.getBlockSize(), into.getBlockSize());
  for (auto [own, shared] :
       llvm::zip(launch.getWorkgroupAttributions(), buffers))
    mapping.map(own, shared);
  for (Operation &op : launch.getBody().front().without_terminator())
    b.clone(op, mapping);
}

/// Merges two launches into one at the position of `at`.
Candidate MergeLaunches::merge(const Candidate &first, const Candidate &second,
                               gpu::LaunchOp at) {
  gpu::LaunchOp a = first.launch, c = second.launch;
  OpBuilder b(at);
  Location loc = FusedLoc::get(b.getContext(), {a.getLoc(), c.getLoc()});
  SmallVector<unsigned> places;
  SmallVector<Type> types = shareBuffers(a, c, places);
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  Value grid = arith::ConstantIndexOp::create(
      b, loc, first.getWorkgroups() + second.getWorkgroups());
  gpu::KernelDim3 threads = at.getBlockSizeOperandValues();
  auto merged = gpu::LaunchOp::create(
      b, loc, grid, one, one, threads.x, threads.y, threads.z,
      /*dynamicSharedMemorySize=*/Value(), /*asyncTokenType=*/Type(),
      /*asyncDependencies=*/ValueRange(), types);
  // The number of workgroup buffers is one of the attributes.
  auto number = merged->getAttr(merged.getNumWorkgroupAttributionsAttrName());
  merged->setDiscardableAttrs(getAttributes(c));
  merged->setAttr(merged.getNumWorkgroupAttributionsAttrName(), number);
  moveWorks({a, c}, merged);
  auto name = kernel::KernelDialect::NameAttrHelper::getNameStr();
  if (a->getAttr(name) && a->getAttr(name) == c->getAttr(name))
    merged->setAttr(name, a->getAttr(name));
  b.setInsertionPointToEnd(&merged.getBody().front());
  auto terminator = gpu::TerminatorOp::create(b, loc);
  b.setInsertionPoint(terminator);
  Value id = merged.getBlockIds().x;
  Value start = arith::ConstantIndexOp::create(b, loc, first.getWorkgroups());
  Value isFirst =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, id, start);
  auto choice = scf::IfOp::create(b, loc, isFirst, /*withElseRegion=*/true);
  ArrayRef<BlockArgument> all = merged.getWorkgroupAttributions();
  b.setInsertionPoint(choice.thenBlock()->getTerminator());
  cloneBody(b, first, merged, id, all);
  b.setInsertionPoint(choice.elseBlock()->getTerminator());
  SmallVector<BlockArgument> buffers;
  for (unsigned place : places)
    buffers.push_back(all[place]);
  Value own = arith::SubIOp::create(b, loc, id, start);
  cloneBody(b, second, merged, own, buffers);
  a.erase();
  c.erase();
  Candidate result = *getCandidate(merged);
  result.merged = first.merged + second.merged;
  result.opsOfEach = first.opsOfEach == second.opsOfEach ? first.opsOfEach : 0;
  return result;
}

/// Moves the ops that compute the operands of `launch` before `place` in the
/// same block. Fails without moving anything if one of them has an effect other
/// than an allocation.
bool moveOperandsBefore(gpu::LaunchOp launch, Operation *place) {
  llvm::SetVector<Value> values;
  getUsedValuesDefinedAbove(launch.getBody(), values);
  values.insert_range(launch->getOperands());
  SetVector<Operation *> ops;
  for (size_t i = 0; i < values.size(); ++i) {
    Operation *op = values[i].getDefiningOp();
    if (!op || op->getBlock() != place->getBlock() ||
        op->isBeforeInBlock(place))
      continue;
    if (op->getNumRegions() != 0 ||
        (!isMemoryEffectFree(op) && !isa<memref::AllocOp, gpu::AllocOp>(op)))
      return false;
    ops.insert(op);
    values.insert_range(op->getOperands());
  }
  SmallVector<Operation *> sorted = ops.takeVector();
  llvm::sort(sorted,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  for (Operation *op : sorted)
    op->moveBefore(place);
  return true;
}

/// Merges `next` with one of the launches before it that is independent of all
/// launches in between. Either launch moves to the position of the other.
bool MergeLaunches::mergeInto(SmallVector<Candidate> &open,
                              const Candidate &next) {
  for (auto [i, earlier] : llvm::enumerate(open)) {
    if (!canMerge(earlier, next))
      continue;
    auto isApart = [&](const Candidate &moved) {
      return llvm::all_of(ArrayRef(open).drop_front(i + 1),
                          [&](const Candidate &between) {
                            return areIndependent(moved, between);
                          });
    };
    if (isApart(earlier)) {
      Candidate merged = merge(earlier, next, next.launch);
      open.erase(open.begin() + i);
      open.push_back(merged);
      return true;
    }
    if (isApart(next) && moveOperandsBefore(next.launch, earlier.launch)) {
      earlier = merge(earlier, next, earlier.launch);
      return true;
    }
  }
  return false;
}

void MergeLaunches::merge(Block &block) {
  // Launches with only other launches and allocations between them.
  SmallVector<Candidate> open;
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (auto launch = dyn_cast<gpu::LaunchOp>(op)) {
      std::optional<Candidate> next = getCandidate(launch);
      if (!next)
        open.clear();
      else if (!mergeInto(open, *next))
        open.push_back(*next);
    } else if (!isMemoryEffectFree(&op) &&
               !isa<memref::AllocOp, gpu::AllocOp>(op)) {
      open.clear();
    }
  }
}

} // namespace
