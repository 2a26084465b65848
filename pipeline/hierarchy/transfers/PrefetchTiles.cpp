//===- PrefetchTiles.cpp - Prefetch the tiles of loops --------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/analysis/BufferLevels.h"
#include "pipeline/analysis/ExecutionModel.h"
#include "pipeline/analysis/MemoryAccess.h"
#include "pipeline/analysis/Uniformity.h"
#include "pipeline/analysis/VendorBarriers.h"
#include "pipeline/common/Transfer.h"
#include "pipeline/hierarchy/Passes.h"
#include "pipeline/hierarchy/buffers/BufferBytes.h"
#include "pipeline/hierarchy/execution/Workers.h"
#include "pipeline/hierarchy/tiles/BufferedLoop.h"
#include "pipeline/hierarchy/transfers/DirectTransfer.h"

#include "dialects/air/AIROps.h"
#include "dialects/kernel/KernelOps.h"
#include "dialects/layout/LayoutOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

namespace aircc::hierarchy {
#define GEN_PASS_DEF_PREFETCHTILES
#include "pipeline/hierarchy/Passes.h.inc"
} // namespace aircc::hierarchy

using namespace mlir;
using namespace aircc;
using namespace aircc::hierarchy;

namespace {

/// A transfer that fills a buffer in each iteration of a loop, for use in that
/// iteration.
struct Fetch {
  air::DmaMemcpyNdOp dma;
  memref::AllocOp alloc;
  /// The size of one buffer.
  int64_t bytes = 0;
  /// The ops in the loop that compute its operands, in order.
  SetVector<Operation *> slice;
  /// Whether it is known at compile time that the transfer loads directly to
  /// LDS.
  bool isCertain = false;
};

/// Erases all ops that are inserted while it listens.
class TemporaryOps : public OpBuilder::Listener {
public:
  ~TemporaryOps() override {
    for (Operation *op : llvm::reverse(ops))
      op->erase();
  }
  void notifyOperationInserted(Operation *op, OpBuilder::InsertPoint) override {
    ops.push_back(op);
  }

private:
  SmallVector<Operation *> ops;
};

/// Returns true if `op` may write to global memory or synchronize with other
/// writers, in which case reads of global memory must not be moved before it.
bool mayChangeGlobalMemory(Operation *op) {
  if (isAllocation(op) ||
      isa<memref::DeallocOp, kernel::BarrierOp, layout::AsyncWaitOp>(op))
    return false;
  if (auto fence = dyn_cast<kernel::FenceOp>(op))
    return fence.getScope() != kernel::Scope::Wave;
  if (std::optional<kernel::Scope> scope = getVendorFenceScope(op))
    return *scope != kernel::Scope::Wave;
  if (op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() ||
      isa<air::HerdOp>(op)) {
    for (Region &region : op->getRegions())
      for (Operation &nested : region.getOps())
        if (mayChangeGlobalMemory(&nested))
          return true;
    return false;
  }
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  if (!interface)
    return true;
  SmallVector<MemoryEffects::EffectInstance> effects;
  interface.getEffects(effects);
  return llvm::any_of(effects, [](const MemoryEffects::EffectInstance &effect) {
    Value value = effect.getValue();
    if (!value || !isa<BaseMemRefType>(value.getType()))
      return true;
    if (isa<MemoryEffects::Read>(effect.getEffect()))
      return false;
    BufferLevel level = getBufferLevel(value);
    return level == BufferLevel::Global || level == BufferLevel::Unknown;
  });
}

/// A loop and its transfers that can be prefetched.
class FetchingLoop {
public:
  FetchingLoop(scf::ForOp loop, const Uniformity &uniformity,
               ArrayRef<int64_t> directWidths)
      : loop(loop), uniformity(uniformity), directWidths(directWidths) {}

  /// Finds the transfers. Returns false if there are none.
  bool analyze();
  Scope getScope() const { return scope; }
  /// Returns the number of bytes of LDS for one additional buffer of each tile.
  int64_t getBytesOfBuffers(int64_t waves) const;
  bool isCertain() const {
    return llvm::all_of(fetches, [](const Fetch &f) { return f.isCertain; });
  }
  void rewrite(BufferCount count);

private:
  std::optional<Fetch> analyze(air::DmaMemcpyNdOp dma);
  bool findSlice(Fetch &fetch);
  bool isIterationLocal(Fetch &fetch);
  Value createBuffer(OpBuilder &b, Fetch &fetch, Value buffers, Value buffer);
  void createFetch(OpBuilder &b, Fetch &fetch, Value buffers, Value iv,
                   Value buffer);
  scf::ForOp createLoop(OpBuilder &b, BufferCount count);
  static int64_t getPitch(const Fetch &fetch) {
    return llvm::alignTo(fetch.bytes, kLDSAlignment);
  }

  scf::ForOp loop;
  const Uniformity &uniformity;
  const ArrayRef<int64_t> directWidths;
  Scope scope = Scope::Workgroup;
  SmallVector<Fetch> fetches;
};

/// Finds the ops that compute the operands of the transfer. Fails if they
/// depend on more than the induction variable and values from outside the loop.
bool FetchingLoop::findSlice(Fetch &fetch) {
  SmallVector<Operation *> worklist;
  auto visit = [&](Value value) {
    if (loop.isDefinedOutsideOfLoop(value) || value == loop.getInductionVar())
      return true;
    Operation *def = value.getDefiningOp();
    if (!def || def->getBlock() != loop.getBody() || def->getNumRegions() ||
        !isPure(def))
      return false;
    if (fetch.slice.insert(def))
      worklist.push_back(def);
    return true;
  };
  for (Value operand : fetch.dma->getOperands())
    if (operand != fetch.dma.getDst() && !visit(operand))
      return false;
  while (!worklist.empty())
    for (Value operand : worklist.pop_back_val()->getOperands())
      if (!visit(operand))
        return false;
  auto ordered = fetch.slice.takeVector();
  llvm::sort(ordered,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  fetch.slice.insert_range(ordered);
  return true;
}

/// Returns true if each use of the buffer follows the transfer in the same
/// iteration.
bool FetchingLoop::isIterationLocal(Fetch &fetch) {
  bool isUsed = false;
  for (Operation *user : fetch.alloc->getUsers()) {
    if (user == fetch.dma || isa<memref::DeallocOp>(user))
      continue;
    Operation *inBody = loop.getBody()->findAncestorOpInBlock(*user);
    if (!inBody || inBody->hasTrait<OpTrait::IsTerminator>() ||
        !fetch.dma->isBeforeInBlock(inBody))
      return false;
    isUsed = true;
  }
  return isUsed;
}

std::optional<Fetch> FetchingLoop::analyze(air::DmaMemcpyNdOp dma) {
  Fetch fetch;
  fetch.dma = dma;
  fetch.alloc = dma.getDst().getDefiningOp<memref::AllocOp>();
  if (!fetch.alloc || getTransferScope(dma, uniformity) != scope)
    return std::nullopt;
  MemRefType type = fetch.alloc.getType();
  if (!type.hasStaticShape() || !type.getLayout().isIdentity() ||
      !isIterationLocal(fetch) || !findSlice(fetch))
    return std::nullopt;
  layout::Result<int64_t> bytes = getBufferBytes(fetch.alloc);
  if (!bytes)
    return std::nullopt;
  fetch.bytes = *bytes;
  // Erase the ops that the analysis builds.
  TemporaryOps temporaryOps;
  OpBuilder b(dma.getContext(), &temporaryOps);
  b.setInsertionPoint(dma);
  FailureOr<Transfer> transfer = createTransfer(b, dma);
  if (failed(transfer) || transfer->dst.getCount() != type.getNumElements())
    return std::nullopt;
  std::optional<DirectTransfer> direct =
      getDirectTransfer(b, dma, *transfer, scope, directWidths);
  if (!direct)
    return std::nullopt;
  fetch.isCertain = !direct->fits;
  return fetch;
}

bool FetchingLoop::analyze() {
  if (!loop.getInductionVar().getType().isIndex() || loop.getUnsignedCmp())
    return false;
  // Buffers that the loop carries are not local to an iteration.
  for (Value carried : loop.getRegionIterArgs())
    if (isa<BaseMemRefType>(carried.getType()))
      return false;
  // A loop with at most one iteration has nothing to prefetch.
  std::optional<int64_t> lower = getConstantIntValue(loop.getLowerBound()),
                         upper = getConstantIntValue(loop.getUpperBound()),
                         step = getConstantIntValue(loop.getStep());
  if (lower && upper && step && (*upper <= *lower || *upper - *lower <= *step))
    return false;
  scope = aircc::getScope(&loop.getBody()->front());
  if (scope == Scope::Lane)
    return false;
  for (Operation *parent = loop->getParentOp();
       parent &&
       !parent->hasAttr(kernel::KernelDialect::ScopeAttrHelper::getNameStr());
       parent = parent->getParentOp())
    if (isSharedLoop(parent))
      return false;
  for (auto dma : loop.getBody()->getOps<air::DmaMemcpyNdOp>())
    if (std::optional<Fetch> fetch = analyze(dma))
      fetches.push_back(std::move(*fetch));
  return !fetches.empty() && llvm::none_of(*loop.getBody(), [](Operation &op) {
    return !op.hasTrait<OpTrait::IsTerminator>() && mayChangeGlobalMemory(&op);
  });
}

int64_t FetchingLoop::getBytesOfBuffers(int64_t waves) const {
  int64_t bytes = 0;
  for (const Fetch &fetch : fetches)
    bytes += getPitch(fetch);
  return scope == Scope::Wave ? bytes * waves : bytes;
}

Value FetchingLoop::createBuffer(OpBuilder &b, Fetch &fetch, Value buffers,
                                 Value buffer) {
  Location loc = fetch.alloc.getLoc();
  Value first = b.createOrFold<arith::MulIOp>(
      loc, buffer, arith::ConstantIndexOp::create(b, loc, getPitch(fetch)));
  return memref::ViewOp::create(b, loc, fetch.alloc.getType(), buffers, first,
                                ValueRange());
}

void FetchingLoop::createFetch(OpBuilder &b, Fetch &fetch, Value buffers,
                               Value iv, Value buffer) {
  IRMapping mapping;
  mapping.map(loop.getInductionVar(), iv);
  for (Operation *op : fetch.slice)
    b.clone(*op, mapping);
  mapping.map(fetch.dma.getDst(), createBuffer(b, fetch, buffers, buffer));
  Operation *dma = b.clone(*fetch.dma, mapping);
  dma->setAttr(kernel::KernelDialect::PrefetchAttrHelper::getNameStr(),
               b.getUnitAttr());
}

scf::ForOp FetchingLoop::createLoop(OpBuilder &b, BufferCount count) {
  Location loc = loop.getLoc();
  SmallVector<Value> buffers;
  for (Fetch &fetch : fetches) {
    auto type = MemRefType::get({getPitch(fetch) * count.buffers},
                                b.getI8Type(), MemRefLayoutAttrInterface(),
                                fetch.alloc.getType().getMemorySpace());
    buffers.push_back(memref::AllocOp::create(b, fetch.alloc.getLoc(), type));
  }
  auto fold = [&]<typename OpTy>(OpTy, Value lhs, Value rhs) -> Value {
    return b.createOrFold<OpTy>(loc, lhs, rhs);
  };
  BufferedLoop buffered;
  buffered.lower = loop.getLowerBound();
  buffered.upper = loop.getUpperBound();
  buffered.step = loop.getStep();
  Value extent = fold(arith::SubIOp(), buffered.upper, buffered.lower);
  extent =
      fold(arith::SubIOp(), extent, arith::ConstantIndexOp::create(b, loc, 1));
  extent = fold(arith::MulIOp(), fold(arith::DivUIOp(), extent, buffered.step),
                buffered.step);
  buffered.last = fold(arith::AddIOp(), buffered.lower, extent);
  buffered.inits = loop.getInits();
  buffered.count = count;
  buffered.scope = scope;
  buffered.buffers = buffers;
  buffered.transfers = fetches.size();

  auto fetchAll = [&](Value iv, Value buffer) {
    for (auto [fetch, memory] : llvm::zip_equal(fetches, buffers))
      createFetch(b, fetch, memory, iv, buffer);
  };
  return createBufferedLoop(
      b, loc, buffered, fetchAll, [&](const BufferedIteration &iteration) {
        fetchAll(iteration.fetchedIv, iteration.fetchedBuffer);
        IRMapping mapping;
        mapping.map(loop.getInductionVar(), iteration.iv);
        mapping.map(loop.getRegionIterArgs(), iteration.carried);
        for (auto [fetch, memory] : llvm::zip_equal(fetches, buffers))
          mapping.map(fetch.alloc.getResult(),
                      createBuffer(b, fetch, memory, iteration.buffer));
        auto isReplaced = [&](Operation &op) {
          return llvm::any_of(fetches, [&](Fetch &fetch) {
            return &op == fetch.dma || &op == fetch.alloc ||
                   (isa<memref::DeallocOp>(op) &&
                    op.getOperand(0) == fetch.alloc.getResult());
          });
        };
        for (Operation &op : loop.getBody()->without_terminator())
          if (!isReplaced(op))
            b.clone(op, mapping);
        SmallVector<Value> carried;
        for (Value value : loop.getBody()->getTerminator()->getOperands())
          carried.push_back(mapping.lookupOrDefault(value));
        return carried;
      });
}

void FetchingLoop::rewrite(BufferCount count) {
  OpBuilder b(loop);
  Location loc = loop.getLoc();
  // A loop without iterations must not fetch.
  Value hasIterations =
      b.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::slt,
                                    loop.getLowerBound(), loop.getUpperBound());
  SmallVector<Value> results;
  size_t carried = loop.getNumResults();
  if (getConstantIntValue(hasIterations) == 1) {
    llvm::append_range(results, createLoop(b, count).getResults());
  } else {
    auto guard = scf::IfOp::create(b, loc, loop.getResultTypes(), hasIterations,
                                   /*withElseRegion=*/carried != 0);
    b.setInsertionPointToStart(guard.thenBlock());
    scf::ForOp prefetching = createLoop(b, count);
    if (carried) {
      scf::YieldOp::create(b, loc,
                           prefetching.getResults().take_front(carried));
      b.setInsertionPointToStart(guard.elseBlock());
      scf::YieldOp::create(b, loc, loop.getInits());
    }
    llvm::append_range(results, guard.getResults());
  }
  loop.replaceAllUsesWith(ArrayRef(results).take_front(carried));
  SmallVector<memref::AllocOp> allocs;
  for (Fetch &fetch : fetches)
    if (!loop->isProperAncestor(fetch.alloc))
      allocs.push_back(fetch.alloc);
  loop.erase();
  // The only remaining uses are deallocations.
  for (memref::AllocOp alloc : allocs) {
    for (Operation *user : llvm::make_early_inc_range(alloc->getUsers()))
      user->erase();
    alloc.erase();
  }
}

struct PrefetchTilesPass
    : hierarchy::impl::PrefetchTilesBase<PrefetchTilesPass> {
  using PrefetchTilesBase::PrefetchTilesBase;

  void runOnOperation() override {
    if (directWidths.empty())
      return;
    for (gpu::GPUFuncOp kernel : getUnfinishedKernels(getOperation())) {
      // Visit inner loops first.
      SmallVector<scf::ForOp> loops;
      kernel.walk([&](scf::ForOp loop) {
        if (!loop.getBody()->getOps<air::DmaMemcpyNdOp>().empty())
          loops.push_back(loop);
      });
      for (scf::ForOp loop : loops)
        prefetchTiles(kernel, loop);
    }
  }

private:
  int64_t getNumWaves(gpu::GPUFuncOp kernel) {
    std::optional<int64_t> threads =
        getWorkerCount(&kernel.getBody().front().front(), Scope::Workgroup);
    return llvm::divideCeil(threads.value_or(maxThreads), getWaveSize(kernel));
  }

  /// Returns an upper bound of the LDS that the kernel uses without
  /// prefetching.
  std::optional<int64_t> countBytes(gpu::GPUFuncOp kernel) {
    int64_t bytes = 0;
    WalkResult result = kernel.walk([&](Operation *op) {
      if (!isAllocation(op))
        return WalkResult::advance();
      BufferLevel level = getBufferLevel(op->getResult(0));
      if (level != BufferLevel::Workgroup && level != BufferLevel::PerWave)
        return WalkResult::advance();
      layout::Result<int64_t> own = getBufferBytes(op);
      if (!own)
        return WalkResult::interrupt();
      bytes += llvm::alignTo(*own, kLDSAlignment) *
               (level == BufferLevel::PerWave ? getNumWaves(kernel) : 1);
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      return std::nullopt;
    return bytes;
  }

  /// Returns the occupancy: the number of workgroups of this size that fit on a
  /// compute unit.
  int64_t countWorkgroups(int64_t bytes, int64_t waves) {
    return std::min(ldsBytes / std::max<int64_t>(bytes, 1),
                    std::max<int64_t>(maxWaves / waves, 1));
  }

  void prefetchTiles(gpu::GPUFuncOp kernel, scf::ForOp loop) {
    Uniformity uniformity(kernel);
    FetchingLoop fetching(loop, uniformity, directWidths);
    if (!fetching.analyze())
      return;
    std::optional<int64_t> single = countBytes(kernel);
    int64_t waves = getNumWaves(kernel);
    int64_t more = fetching.getBytesOfBuffers(waves);
    // Leave room for a second workgroup on the compute unit, which runs while
    // this one waits, and for exchanges between waves.
    if (!single || (*single + more) * 2 > ldsBytes)
      return;
    // With a third buffer, transfers can be outstanding for two iterations. The
    // waits then count transfers, so all of them must be direct.
    BufferCount count{2, 1};
    if (fetching.isCertain() && countWorkgroups(*single + 2 * more, waves) ==
                                    countWorkgroups(*single + more, waves))
      count = {3, 2};
    fetching.rewrite(count);
  }
};

} // namespace
