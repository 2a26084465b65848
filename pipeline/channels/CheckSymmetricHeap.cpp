//===- CheckSymmetricHeap.cpp - Check that ranks allocate alike -----------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/channels/Passes.h"
#include "pipeline/channels/RankTrace.h"
// Use the run-time allocator, so that offsets are the same.
#include "runtime-stubs/ranks/RangeAllocator.h"

#include "llvm/ADT/MapVector.h"

#include <map>

namespace aircc::channels {
#define GEN_PASS_DEF_CHECKSYMMETRICHEAP
#include "pipeline/channels/Passes.h.inc"
} // namespace aircc::channels

using namespace mlir;
using namespace aircc;
using namespace aircc::channels;

namespace {

/// The allocations of one rank over time.
struct HeapHistory {
  /// The offsets that the executions of each alloc returned.
  llvm::MapVector<Operation *, SmallVector<uint64_t>> offsets;
  /// At each barrier, the offsets and sizes of all live allocations.
  SmallVector<std::map<uint64_t, int64_t>> barriers;
};

/// Executes the events of one rank. Returns nullopt if the outcome is unknown.
std::optional<HeapHistory> run(const RankTrace &trace) {
  if (!trace.counted)
    return std::nullopt;
  HeapHistory history;
  // Use a size larger than any heap, because this pass does not check for
  // exhaustion.
  rt::RangeAllocator ranges(uint64_t(1) << 62);
  std::map<uint64_t, int64_t> live;
  for (const HeapEvent &event : trace.heapEvents) {
    switch (event.kind) {
    case HeapEvent::Alloc: {
      uint64_t offset = 0;
      if (event.bytes < 0 ||
          (event.bytes && !ranges.allocate(event.bytes, offset)))
        return std::nullopt;
      if (event.bytes)
        live[offset] = event.bytes;
      history.offsets[event.op].push_back(offset);
      break;
    }
    case HeapEvent::Free: {
      auto it = history.offsets.find(event.alloc);
      if (it == history.offsets.end() || !ranges.free(it->second.back()))
        return std::nullopt;
      live.erase(it->second.back());
      break;
    }
    case HeapEvent::Barrier:
      history.barriers.push_back(live);
      break;
    }
  }
  return history;
}

/// Returns whether a difference between two ranks matters: a common allocation
/// has different offsets, or the allocations at a barrier differ.
bool isAsymmetric(HeapHistory &a, HeapHistory &b) {
  for (auto &[op, offsets] : a.offsets) {
    auto it = b.offsets.find(op);
    if (it == b.offsets.end())
      continue;
    for (auto [mine, theirs] : llvm::zip(offsets, it->second))
      if (mine != theirs)
        return true;
  }
  for (auto [mine, theirs] : llvm::zip(a.barriers, b.barriers))
    if (mine != theirs)
      return true;
  return false;
}

/// Reports the first event at which two ranks differ.
LogicalResult report(const RankTrace &a, const RankTrace &b) {
  const size_t count = std::max(a.heapEvents.size(), b.heapEvents.size());
  auto at = [](const RankTrace &trace, size_t i) -> const HeapEvent * {
    return i < trace.heapEvents.size() ? &trace.heapEvents[i] : nullptr;
  };
  for (size_t i = 0; i < count; ++i) {
    const HeapEvent *first = at(a, i), *second = at(b, i);
    if (first && second && first->op == second->op &&
        first->bytes == second->bytes)
      continue;
    const RankTrace *rank = &a, *other = &b;
    // Prefer to report an allocation, because its message includes the size.
    if (!first || (first->kind != HeapEvent::Alloc && second &&
                   second->kind == HeapEvent::Alloc)) {
      std::swap(first, second);
      std::swap(rank, other);
    }
    InFlightDiagnostic diag =
        first->kind == HeapEvent::Alloc
            ? first->op->emitOpError("allocates ")
                  << first->bytes << " bytes in the symmetric heap on rank "
            : first->op->emitOpError(
                  first->kind == HeapEvent::Free
                      ? "frees memory of the symmetric heap on rank "
                      : "is a barrier at which allocations differ on rank ");
    diag << rank->rank << ", where rank " << other->rank;
    if (second && second->kind == HeapEvent::Alloc)
      diag << " allocates " << second->bytes << " bytes";
    else
      diag << " does not";
    diag << ", so the same offset would hold different data on the two ranks; "
            "make all ranks allocate and free the same buffers in the same "
            "order, or use other memory";
    if (second && second->op != first->op)
      diag.attachNote(second->op->getLoc())
          << "rank " << other->rank << " continues here";
    return diag;
  }
  return success();
}

struct CheckSymmetricHeapPass
    : channels::impl::CheckSymmetricHeapBase<CheckSymmetricHeapPass> {
  void runOnOperation() override {
    WalkResult result = getOperation().walk([](air::RankOp rank) {
      std::optional<SmallVector<RankTrace>> traces = traceHeap(rank);
      if (!traces || traces->empty())
        return WalkResult::advance();
      std::optional<HeapHistory> first = run(traces->front());
      if (!first)
        return WalkResult::advance();
      for (const RankTrace &trace : ArrayRef(*traces).drop_front()) {
        std::optional<HeapHistory> history = run(trace);
        if (!history)
          return WalkResult::advance();
        if (isAsymmetric(*first, *history) &&
            failed(report(traces->front(), trace)))
          return WalkResult::interrupt();
      }
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};

} // namespace
