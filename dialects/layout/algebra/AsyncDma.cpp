//===- AsyncDma.cpp - Layouts of direct transfers to LDS ------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/layout/algebra/AsyncDma.h"

#include <algorithm>
#include <functional>

namespace aircc::layout {

/// Distributes `count` over the sizes in `rest`, in the order of `dims`, and
/// divides the sizes accordingly. Each dimension is exhausted before the next
/// one is used. Returns what remains of `count` when all dimensions are
/// exhausted (1 if everything was distributed), or nullopt if a size does not
/// divide evenly.
static std::optional<int64_t> distribute(int64_t count,
                                         std::span<const size_t> dims,
                                         Ints &rest, Ints &tile) {
  tile.assign(rest.size(), 1);
  for (size_t d : dims) {
    if (count == 1)
      break;
    int64_t share = std::min(count, rest[d]);
    if (count % share != 0 || rest[d] % share != 0)
      return std::nullopt;
    tile[d] = share;
    rest[d] /= share;
    count /= share;
  }
  return count;
}

static Ints suffixProducts(const Ints &tile) {
  Ints strides(tile.size(), 0);
  int64_t stride = 1;
  for (size_t i = tile.size(); i-- > 0;) {
    strides[i] = tile[i] == 1 ? 0 : stride;
    stride *= tile[i];
  }
  return strides;
}

/// Returns the plan for one width, or the step that fails.
static Result<AsyncDmaPlan> planWidth(const AsyncDmaRequest &request,
                                      int64_t width, bool surplusWaves) {
  std::vector<size_t> outermostFirst(request.shape.size());
  for (size_t i = 0; i < outermostFirst.size(); ++i)
    outermostFirst[i] = i;
  std::vector<size_t> innermostFirst(outermostFirst.rbegin(),
                                     outermostFirst.rend());
  auto number = [](int64_t n) { return std::to_string(n); };

  AsyncDmaPlan plan;
  plan.width = width;
  Ints rest = request.shape;

  if (width % request.elementBits != 0)
    return Error{"element tile: " + number(width) +
                 " bits do not hold a whole number of elements of " +
                 number(request.elementBits) + " bits"};
  plan.elementsPerLane = width / request.elementBits;
  if (request.accessWidth && *request.accessWidth % plan.elementsPerLane != 0)
    return Error{"element tile: a piece of " + number(plan.elementsPerLane) +
                 " elements does not fit evenly in an access block of " +
                 number(*request.accessWidth) + " elements"};
  if (distribute(plan.elementsPerLane, innermostFirst, rest,
                 plan.params.elementTile) != 1)
    return Error{"element tile: " + number(plan.elementsPerLane) +
                 " elements per lane do not divide the tile " +
                 shapeText(request.shape) + " from the innermost dimension"};

  Ints blocks = rest;
  if (distribute(request.waveSize, innermostFirst, rest,
                 plan.params.threadTile) != 1)
    return Error{"thread tile: " + number(request.waveSize) +
                 " lanes do not divide the " + number(product(blocks)) +
                 " pieces (" + shapeText(blocks) + ") of " +
                 number(plan.elementsPerLane) +
                 " elements from the innermost dimension"};

  blocks = rest;
  std::optional<int64_t> left =
      distribute(request.waves, outermostFirst, rest, plan.params.subgroupTile);
  if (!left || (*left != 1 && !surplusWaves))
    return Error{"subgroup tile: " + number(request.waves) +
                 " waves do not divide the " + number(product(blocks)) +
                 " blocks (" + shapeText(blocks) + ") of " +
                 number(request.waveSize) + " lanes x " +
                 number(plan.elementsPerLane) +
                 " elements from the outermost dimension"};
  plan.copies = *left;

  plan.params.batchTile = rest;
  plan.loads = product(rest);
  plan.params.outerTile.assign(rest.size(), 1);
  plan.params.threadStrides = suffixProducts(plan.params.threadTile);
  plan.params.subgroupStrides = suffixProducts(plan.params.subgroupTile);
  Result<NestedLayout> layout = NestedLayout::get(plan.params);
  if (!layout)
    return Error{layout.message()};
  plan.layout = *layout;
  return plan;
}

Result<AsyncDmaPlan> planAsyncDma(const AsyncDmaRequest &request) {
  for (auto [name, value] :
       {std::pair("element width", request.elementBits),
        std::pair("wave size", request.waveSize),
        std::pair("number of waves", request.waves),
        std::pair("access width", request.accessWidth.value_or(1))})
    if (value < 1)
      return Error{std::string("the ") + name + " is " + std::to_string(value) +
                   ", but must be at least 1"};
  int64_t elements = 1;
  for (int64_t size : request.shape) {
    if (size < 1)
      return Error{"the tile " + shapeText(request.shape) + " is empty"};
    if (__builtin_mul_overflow(elements, size, &elements))
      return Error{"the tile " + shapeText(request.shape) +
                   " has more elements than 64 bits can count"};
  }
  Ints widths = request.widths;
  std::sort(widths.begin(), widths.end(), std::greater<>());
  widths.erase(std::unique(widths.begin(), widths.end()), widths.end());
  if (widths.empty())
    return Error{"the target has no direct-to-LDS loads"};
  if (widths.back() < 1)
    return Error{"a load width of " + std::to_string(widths.back()) +
                 " bits is too small"};

  std::string failures;
  for (int64_t width : widths) {
    Result<AsyncDmaPlan> plan = planWidth(request, width, false);
    if (plan)
      return plan;
    failures += (failures.empty() ? "" : "; ") + std::to_string(width) +
                " bits: " + plan.message();
  }
  if (request.allowSurplusWaves)
    for (int64_t width : widths)
      if (Result<AsyncDmaPlan> plan = planWidth(request, width, true))
        return plan;
  return Error{"no direct-to-LDS load width fits a tile of " +
               shapeText(request.shape) + " elements of " +
               std::to_string(request.elementBits) + " bits: " + failures};
}

Ints AsyncDmaPlan::pieceOf(int64_t wave, int64_t lane, int64_t load) const {
  Ints batch = delinearize(load, params.batchTile);
  Ints piece(batch.size());
  for (size_t i = 0; i < piece.size(); ++i) {
    DimTiles dim = {params.subgroupTile[i],
                    params.batchTile[i],
                    1,
                    params.threadTile[i],
                    params.elementTile[i],
                    params.subgroupStrides[i],
                    params.threadStrides[i]};
    piece[i] = dim.coordinate(dim.virtualSubgroup(wave),
                              dim.virtualThread(lane), batch[i] * dim.element);
  }
  return piece;
}

} // namespace aircc::layout
