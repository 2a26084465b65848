//===- LDSPlan.cpp - Allocate LDS by lifetimes ----------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/hierarchy/buffers/LDSPlan.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <tuple>

namespace aircc::hierarchy {

/// Allocates buffers in this order, each at the lowest free offset.
static LDSPlan planInOrder(llvm::ArrayRef<LDSRequest> requests,
                           llvm::ArrayRef<size_t> order) {
  LDSPlan plan;
  plan.offsets.assign(requests.size(), -1);
  llvm::SmallVector<size_t> placed;
  for (size_t index : order) {
    const LDSRequest &request = requests[index];
    // The allocated buffers that are live together with this one.
    llvm::SmallVector<std::pair<int64_t, int64_t>> taken;
    for (size_t other : placed)
      if (requests[other].begin <= request.end &&
          request.begin <= requests[other].end)
        taken.push_back(
            {plan.offsets[other], plan.offsets[other] + requests[other].bytes});
    llvm::sort(taken);
    int64_t offset = 0;
    for (auto [first, last] : taken) {
      if (offset + request.bytes <= first)
        break;
      offset =
          std::max(offset, int64_t(llvm::alignTo(last, request.alignment)));
    }
    plan.offsets[index] = offset;
    plan.bytes = std::max(plan.bytes, offset + request.bytes);
    placed.push_back(index);
  }
  return plan;
}

/// Returns the plan that allocates buffers in ascending order of `key`.
static LDSPlan planBy(llvm::ArrayRef<LDSRequest> requests,
                      llvm::function_ref<int64_t(const LDSRequest &)> key) {
  llvm::SmallVector<size_t> order = llvm::to_vector(llvm::seq(requests.size()));
  llvm::sort(order, [&](size_t a, size_t b) {
    return std::pair(key(requests[a]), a) < std::pair(key(requests[b]), b);
  });
  return planInOrder(requests, order);
}

LDSPlan planLDS(llvm::ArrayRef<LDSRequest> requests) {
  return planBy(requests,
                [](const LDSRequest &request) { return -request.bytes; });
}

LDSPlan planArena(llvm::ArrayRef<LDSRequest> requests) {
  LDSPlan bySize = planLDS(requests);
  LDSPlan byTime =
      planBy(requests, [](const LDSRequest &request) { return request.begin; });
  return byTime.bytes < bySize.bytes ? byTime : bySize;
}

/// Returns the number of bytes that the requests not in `outside` need.
static int64_t countBytes(llvm::ArrayRef<LDSRequest> requests,
                          llvm::ArrayRef<bool> outside) {
  llvm::SmallVector<LDSRequest> inside;
  for (auto [request, isOutside] : llvm::zip_equal(requests, outside))
    if (!isOutside)
      inside.push_back(request);
  return planLDS(inside).bytes;
}

llvm::SmallVector<bool> chooseOutsideLDS(llvm::ArrayRef<LDSRequest> requests,
                                         int64_t ldsBytes) {
  llvm::SmallVector<bool> outside(requests.size(), false);
  while (countBytes(requests, outside) > ldsBytes) {
    // Sort preferred buffers after the others, and then large buffers before
    // small ones.
    llvm::SmallVector<size_t> order;
    for (size_t index : llvm::seq(requests.size()))
      if (!outside[index])
        order.push_back(index);
    llvm::sort(order, [&](size_t a, size_t b) {
      return std::tuple(requests[a].isPreferred, -requests[a].bytes, a) <
             std::tuple(requests[b].isPreferred, -requests[b].bytes, b);
    });
    size_t chosen = order.front();
    for (size_t index : order) {
      if (requests[index].isPreferred != requests[chosen].isPreferred)
        break;
      outside[index] = true;
      if (countBytes(requests, outside) <= ldsBytes)
        chosen = index;
      outside[index] = false;
    }
    outside[chosen] = true;
  }
  // A buffer that was chosen early may fit after all.
  for (size_t index : llvm::seq(requests.size()))
    if (outside[index]) {
      outside[index] = false;
      outside[index] = countBytes(requests, outside) > ldsBytes;
    }
  return outside;
}

} // namespace aircc::hierarchy
