//===- RankTrace.cpp - The puts and gets that a rank executes -------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/channels/RankTrace.h"
#include "pipeline/analysis/ConstantEvaluator.h"
#include "pipeline/analysis/ExecutionModel.h"
#include "pipeline/channels/RankLevel.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace aircc::channels {

namespace {

/// The maximum number of iterations and points traced for one rank.
constexpr int64_t kMaxSteps = 1 << 16;

/// Traces the code of one rank.
class Tracer {
public:
  Tracer(const SmallPtrSetImpl<Operation *> &interesting, bool peIsLane,
         RankTrace &trace)
      : interesting(interesting), peIsLane(peIsLane), trace(trace) {}

  void set(Value value, int64_t number) { known.set(value, number); }
  void walk(Block &block, bool certain);

private:
  std::optional<int64_t> evaluate(Value value) const {
    return known.evaluate(value);
  }
  SmallVector<std::optional<int64_t>> evaluateAll(ValueRange values) const;
  SmallVector<std::optional<int64_t>>
  evaluateAll(ArrayRef<OpFoldResult> values) const;
  void visit(Operation *op, bool certain);
  void visitIf(scf::IfOp branch, bool certain);
  void visitSwitch(scf::IndexSwitchOp branch, bool certain);
  void visitAffineFor(affine::AffineForOp loop, bool certain);
  void visitLevel(air::HierarchyInterface level, bool certain);
  void visitAccess(air::ChannelAccessInterface access, bool certain);
  /// Records an op for traceHeap. Returns false for other ops.
  bool visitHeap(Operation *op, bool certain);
  /// Visits the points of a space; `ids` are its coordinates.
  void visitPoints(ArrayRef<std::optional<int64_t>> lower,
                   ArrayRef<std::optional<int64_t>> upper,
                   ArrayRef<std::optional<int64_t>> step, ValueRange ids,
                   Block &body, bool inOrder, bool certain);
  /// Visits all regions of an op that may execute any number of times.
  void visitUnknown(Operation *op);

  const SmallPtrSetImpl<Operation *> &interesting;
  const bool peIsLane;
  RankTrace &trace;
  ConstantEvaluator known;
  int64_t steps = 0;
};

void Tracer::walk(Block &block, bool certain) {
  for (Operation &op : block)
    if (interesting.contains(&op))
      visit(&op, certain);
}

void Tracer::visitAccess(air::ChannelAccessInterface access, bool certain) {
  AccessEvent event{access, SmallVector<int64_t>(), certain};
  for (Value index : access.getIndices()) {
    std::optional<int64_t> number = evaluate(index);
    if (!number) {
      event.indices = std::nullopt;
      break;
    }
    event.indices->push_back(*number);
  }
  trace.counted &= certain;
  if (cast<air::AsyncOpInterface>(access.getOperation()).isAsync())
    trace.ordered = false;
  trace.events.push_back(std::move(event));
}

/// Returns the alloc whose memory is freed, looking through views; null if it
/// is unknown.
Operation *findFreed(Value memref) {
  while (Operation *def = memref.getDefiningOp()) {
    if (isSymmetricAllocation(def))
      return def;
    auto view = dyn_cast<ViewLikeOpInterface>(def);
    if (!view)
      return nullptr;
    memref = view.getViewSource();
  }
  return nullptr;
}

bool Tracer::visitHeap(Operation *op, bool certain) {
  if (!isa<memref::AllocOp, memref::DeallocOp, CallOpInterface>(op))
    return false;
  HeapEvent event{HeapEvent::Barrier, op};
  if (auto alloc = dyn_cast<memref::AllocOp>(op)) {
    MemRefType type = alloc.getType();
    event.kind = HeapEvent::Alloc;
    event.bytes = DataLayout::closest(op).getTypeSize(type.getElementType());
    auto dynamic = alloc.getDynamicSizes().begin();
    for (int64_t extent : type.getShape()) {
      std::optional<int64_t> size = ShapedType::isDynamic(extent)
                                        ? evaluate(*dynamic++)
                                        : std::optional(extent);
      certain &= size.has_value();
      event.bytes *= size.value_or(0);
    }
  } else if (auto dealloc = dyn_cast<memref::DeallocOp>(op)) {
    event.kind = HeapEvent::Free;
    event.alloc = findFreed(dealloc.getMemref());
    certain &= event.alloc != nullptr;
  } else {
    // Other functions may change the heap in unknown ways.
    auto call = dyn_cast<func::CallOp>(op);
    certain &= call && call.getCallee() == "mgpuBarrier";
  }
  trace.counted &= certain;
  trace.heapEvents.push_back(event);
  return true;
}

void Tracer::visitUnknown(Operation *op) {
  trace.counted = trace.ordered = false;
  for (Region &region : op->getRegions())
    for (Block &block : region)
      walk(block, /*certain=*/false);
}

void Tracer::visitPoints(ArrayRef<std::optional<int64_t>> lower,
                         ArrayRef<std::optional<int64_t>> upper,
                         ArrayRef<std::optional<int64_t>> step, ValueRange ids,
                         Block &body, bool inOrder, bool certain) {
  int64_t count = 1;
  SmallVector<int64_t> extents;
  for (auto [low, high, by] : llvm::zip_equal(lower, upper, step)) {
    if (!low || !high || !by || *by <= 0) {
      trace.counted = trace.ordered = false;
      return walk(body, /*certain=*/false);
    }
    extents.push_back(
        std::max<int64_t>(0, llvm::divideCeilSigned(*high - *low, *by)));
    count = extents.back() > kMaxSteps ? kMaxSteps + 1 : count * extents.back();
    if (count > kMaxSteps || count == 0)
      break;
  }
  if (count == 0)
    return;
  steps += count;
  if (steps > kMaxSteps) {
    trace.counted = trace.ordered = false;
    return walk(body, /*certain=*/false);
  }
  if (count > 1 && !inOrder)
    trace.ordered = false;
  for (int64_t point = 0; point < count; ++point) {
    int64_t rest = point;
    for (int64_t dim = ids.size(); dim-- > 0;) {
      set(ids[dim], *lower[dim] + rest % extents[dim] * *step[dim]);
      rest /= extents[dim];
    }
    walk(body, certain);
  }
  for (Value id : ids)
    known.erase(id);
}

SmallVector<std::optional<int64_t>>
Tracer::evaluateAll(ValueRange values) const {
  return llvm::map_to_vector(values,
                             [&](Value value) { return evaluate(value); });
}

SmallVector<std::optional<int64_t>>
Tracer::evaluateAll(ArrayRef<OpFoldResult> values) const {
  return llvm::map_to_vector(values, [&](OpFoldResult value) {
    return isa<Attribute>(value) ? getConstantIntValue(value)
                                 : evaluate(cast<Value>(value));
  });
}

void Tracer::visitIf(scf::IfOp branch, bool certain) {
  std::optional<int64_t> condition = evaluate(branch.getCondition());
  if (!condition)
    return visitUnknown(branch);
  Region &region = *condition ? branch.getThenRegion() : branch.getElseRegion();
  if (!region.empty())
    walk(region.front(), certain);
}

void Tracer::visitSwitch(scf::IndexSwitchOp branch, bool certain) {
  std::optional<int64_t> number = evaluate(branch.getArg());
  if (!number)
    return visitUnknown(branch);
  auto found = llvm::find(branch.getCases(), *number);
  Region &region =
      found == branch.getCases().end()
          ? branch.getDefaultRegion()
          : branch.getCaseRegions()[found - branch.getCases().begin()];
  walk(region.front(), certain);
}

void Tracer::visitAffineFor(affine::AffineForOp loop, bool certain) {
  if (!loop.hasConstantBounds())
    return visitUnknown(loop);
  visitPoints(std::optional(loop.getConstantLowerBound()),
              std::optional(loop.getConstantUpperBound()),
              std::optional(loop.getStepAsInt()), loop.getInductionVar(),
              *loop.getBody(), /*inOrder=*/true, certain);
}

void Tracer::visitLevel(air::HierarchyInterface level, bool certain) {
  if (cast<air::AsyncOpInterface>(level.getOperation()).isAsync())
    trace.ordered = false;
  if (auto herd = dyn_cast<air::HerdOp>(level.getOperation());
      herd && (peIsLane || hasLanePEs(herd)))
    return walk(*level.getBodyBlock(), certain);
  SmallVector<std::optional<int64_t>> zeros(level.getNumDims(), 0),
      ones(level.getNumDims(), 1);
  SmallVector<Value> ids(level.getIds());
  visitPoints(zeros, evaluateAll(level.getSizeOperands()), ones, ids,
              *level.getBodyBlock(), /*inOrder=*/false, certain);
}

void Tracer::visit(Operation *op, bool certain) {
  if (auto access = dyn_cast<air::ChannelAccessInterface>(op))
    return visitAccess(access, certain);
  if (visitHeap(op, certain))
    return;
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](scf::IfOp branch) { visitIf(branch, certain); })
      .Case([&](scf::IndexSwitchOp branch) { visitSwitch(branch, certain); })
      .Case([&](scf::ForOp loop) {
        visitPoints(evaluate(loop.getLowerBound()),
                    evaluate(loop.getUpperBound()), evaluate(loop.getStep()),
                    loop.getInductionVar(), *loop.getBody(),
                    /*inOrder=*/true, certain);
      })
      .Case([&](affine::AffineForOp loop) { visitAffineFor(loop, certain); })
      .Case([&](scf::ParallelOp loop) {
        visitPoints(evaluateAll(loop.getLowerBound()),
                    evaluateAll(loop.getUpperBound()),
                    evaluateAll(loop.getStep()), loop.getInductionVars(),
                    *loop.getBody(), /*inOrder=*/false, certain);
      })
      .Case([&](scf::ForallOp loop) {
        visitPoints(evaluateAll(loop.getMixedLowerBound()),
                    evaluateAll(loop.getMixedUpperBound()),
                    evaluateAll(loop.getMixedStep()), loop.getInductionVars(),
                    *loop.getBody(), /*inOrder=*/false, certain);
      })
      .Case([&](air::HierarchyInterface level) { visitLevel(level, certain); })
      .Default([&](Operation *) {
        const bool isInline =
            isa<scf::ExecuteRegionOp, memref::AllocaScopeOp, air::ExecuteOp>(
                op) &&
            op->getRegion(0).hasOneBlock();
        if (!isInline)
          return visitUnknown(op);
        if (isa<air::ExecuteOp>(op))
          trace.ordered = false;
        walk(op->getRegion(0).front(), certain);
      });
}

} // namespace

std::optional<int64_t> getRankCount(air::RankOp rank) {
  int64_t count = 1;
  for (int64_t size : rank.getStaticSizes()) {
    if (ShapedType::isDynamic(size) || size < 1 || size > kMaxRanks)
      return std::nullopt;
    count *= size;
    if (count > kMaxRanks)
      return std::nullopt;
  }
  return count;
}

bool hasLanePEs(air::HerdOp herd) {
  auto launch = herd->getParentOfType<air::LaunchOp>();
  return launch && launch->hasAttr(
                       kernel::KernelDialect::PeIsLaneAttrHelper::getNameStr());
}

static std::optional<SmallVector<RankTrace>>
traceOps(air::RankOp rank, ArrayRef<Operation *> ops, bool peIsLane,
         std::optional<int64_t> assumed) {
  std::optional<int64_t> count = getRankCount(rank);
  SmallVector<int64_t> sizes = rank.getStaticSizes();
  bool isAssumed = !count && assumed && sizes.size() == 1 &&
                   ShapedType::isDynamic(sizes.front());
  if (isAssumed) {
    count = assumed;
    sizes.front() = *assumed;
  }
  if (!count)
    return std::nullopt;
  SmallPtrSet<Operation *, 16> interesting;
  for (Operation *op : ops)
    for (; op != rank; op = op->getParentOp())
      interesting.insert(op);
  SmallVector<RankTrace> traces(*count);
  for (auto [number, trace] : llvm::enumerate(traces)) {
    trace.rank = number;
    Tracer tracer(interesting, peIsLane, trace);
    if (isAssumed)
      tracer.set(rank.getSizeOperands().front(), *count);
    int64_t rest = number;
    for (auto [id, size] : llvm::zip_equal(rank.getIds(), sizes)) {
      tracer.set(id, rest % size);
      rest /= size;
    }
    tracer.walk(*rank.getBodyBlock(), /*certain=*/true);
  }
  return traces;
}

std::optional<SmallVector<RankTrace>>
traceRanks(air::RankOp rank, bool peIsLane, std::optional<int64_t> assumed) {
  SmallVector<Operation *> ops;
  rank.walk([&](air::ChannelAccessInterface access) { ops.push_back(access); });
  return traceOps(rank, ops, peIsLane, assumed);
}

/// Returns whether `op`, or a function that it calls, may allocate or free in
/// the symmetric heap or is a barrier.
static bool touchesHeap(Operation *op, SmallPtrSetImpl<Operation *> &seen) {
  if (isSymmetricAllocation(op))
    return true;
  if (auto dealloc = dyn_cast<memref::DeallocOp>(op))
    return isSymmetric(dealloc.getMemref().getType()) ||
           findFreed(dealloc.getMemref());
  auto call = dyn_cast<CallOpInterface>(op);
  if (!call)
    return false;
  auto name = dyn_cast<SymbolRefAttr>(call.getCallableForCallee());
  if (!name)
    return true;
  Operation *callee = SymbolTable::lookupNearestSymbolFrom(op, name);
  if (!callee)
    return true;
  if (callee->getNumRegions() == 0 || callee->getRegion(0).empty())
    return StringRef(name.getLeafReference()).starts_with("mgpuSymmetric") ||
           name.getLeafReference() == "mgpuBarrier";
  if (!seen.insert(callee).second)
    return false;
  return callee
      ->walk([&](Operation *inner) {
        return touchesHeap(inner, seen) ? WalkResult::interrupt()
                                        : WalkResult::advance();
      })
      .wasInterrupted();
}

std::optional<SmallVector<RankTrace>> traceHeap(air::RankOp rank) {
  SmallVector<Operation *> ops;
  rank.walk([&](Operation *op) {
    SmallPtrSet<Operation *, 8> seen;
    if (touchesHeap(op, seen))
      ops.push_back(op);
  });
  return traceOps(rank, ops, /*peIsLane=*/false, std::nullopt);
}

} // namespace aircc::channels
