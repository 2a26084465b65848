//===- Descriptor.cpp - Canonical forms of access patterns ----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/air/Descriptor.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace mlir;
using namespace aircc::air;

//===----------------------------------------------------------------------===//
// Construction
//===----------------------------------------------------------------------===//

std::optional<int64_t> aircc::air::getVolume(BaseMemRefType type) {
  auto ranked = dyn_cast<MemRefType>(type);
  if (!ranked || !ranked.hasStaticShape() || !ranked.getLayout().isIdentity())
    return std::nullopt;
  return ranked.getNumElements();
}

int64_t aircc::air::getGranuleElements(const DescriptorLimits &limits,
                                       unsigned elementBits) {
  return std::max<int64_t>(1, limits.granuleBits / elementBits);
}

/// Appends constants in [0, kMaxFactor). Fails for other entries.
static bool appendConstants(ArrayRef<OpFoldResult> entries,
                            SmallVectorImpl<int64_t> &constants) {
  for (OpFoldResult entry : entries) {
    LinearIndex index = LinearIndex::get(entry);
    if (!index.isConstant() || index.getConstant() < 0 ||
        index.getConstant() >= LinearIndex::kMaxFactor)
      return false;
    constants.push_back(index.getConstant());
  }
  return true;
}

/// Returns the strides of a memref if they are constant.
static std::optional<SmallVector<int64_t>> getStaticStrides(MemRefType type) {
  SmallVector<int64_t> strides;
  int64_t offset;
  if (!type || !type.hasStaticShape() ||
      failed(type.getStridesAndOffset(strides, offset)))
    return std::nullopt;
  if (llvm::any_of(strides, [](int64_t stride) {
        return stride < 0 || stride >= LinearIndex::kMaxFactor;
      }))
    return std::nullopt;
  return strides;
}

std::optional<Descriptor> Descriptor::get(const AccessPattern &pattern) {
  auto type = dyn_cast<MemRefType>(pattern.getType());
  Descriptor result;
  if (pattern.isWholeMemref()) {
    std::optional<SmallVector<int64_t>> strides = getStaticStrides(type);
    if (!strides)
      return std::nullopt;
    result.strides = *strides;
    result.sizes = llvm::to_vector(type.getShape());
    if (result.sizes.empty())
      result.insert(0, 0, 1, 1);
  } else if (!appendConstants(pattern.sizes, result.sizes)) {
    return std::nullopt;
  } else if (!pattern.strides.empty()) {
    if (!appendConstants(pattern.strides, result.strides))
      return std::nullopt;
  } else {
    // Each dimension of the memref has a unit step.
    std::optional<SmallVector<int64_t>> strides = getStaticStrides(type);
    if (!strides || strides->size() < result.sizes.size() ||
        pattern.offsets.size() > strides->size())
      return std::nullopt;
    result.strides = *strides;
    while (result.sizes.size() < result.strides.size())
      result.sizes.insert(result.sizes.begin(), 1);
  }
  if (result.sizes.empty() || result.sizes.size() != result.strides.size() ||
      pattern.offsets.size() > result.sizes.size())
    return std::nullopt;
  result.offsets.clear();
  for (OpFoldResult offset : pattern.offsets)
    result.offsets.push_back(LinearIndex::get(offset));
  while (result.offsets.size() < result.sizes.size())
    result.offsets.insert(result.offsets.begin(), LinearIndex());
  return result;
}

void Descriptor::insert(size_t at, LinearIndex offset, int64_t size,
                        int64_t stride) {
  offsets.insert(offsets.begin() + at, std::move(offset));
  sizes.insert(sizes.begin() + at, size);
  strides.insert(strides.begin() + at, stride);
}

void Descriptor::erase(size_t at) {
  offsets.erase(offsets.begin() + at);
  sizes.erase(sizes.begin() + at);
  strides.erase(strides.begin() + at);
}

//===----------------------------------------------------------------------===//
// Properties
//===----------------------------------------------------------------------===//

bool Descriptor::hasNoElements() const { return llvm::is_contained(sizes, 0); }

bool Descriptor::isContiguous() const {
  int64_t product = 1;
  for (auto [size, stride] : llvm::reverse(llvm::zip_equal(sizes, strides))) {
    if (size == 1 && stride == 0)
      continue;
    if (stride != product || llvm::MulOverflow(product, size, product))
      return false;
  }
  return true;
}

unsigned Descriptor::getNumActiveDims() const {
  return llvm::count_if(sizes, [](int64_t size) { return size > 1; });
}

std::optional<std::pair<int64_t, int64_t>> Descriptor::getRange() const {
  int64_t first = 0, length = 0, last;
  for (auto [offset, size, stride] : llvm::zip_equal(offsets, sizes, strides)) {
    int64_t term;
    if (!offset.isConstant() ||
        llvm::MulOverflow(offset.getConstant(), stride, term) ||
        llvm::AddOverflow(first, term, first) ||
        llvm::MulOverflow(size - 1, stride, term) ||
        llvm::AddOverflow(length, term, length))
      return std::nullopt;
  }
  if (llvm::AddOverflow(first, length, last))
    return std::nullopt;
  return std::pair(first, last);
}

std::optional<size_t>
Descriptor::findLargeSize(const DescriptorLimits &limits) const {
  if (!limits.maxSize || isContiguous())
    return std::nullopt;
  for (auto [dim, size] : llvm::enumerate(sizes))
    if (size > limits.maxSize)
      return dim;
  return std::nullopt;
}

static bool isStrideTooLarge(int64_t stride, const DescriptorLimits &limits,
                             unsigned elementBits) {
  int64_t bits;
  if (!limits.maxStrideWords)
    return false;
  return llvm::MulOverflow<int64_t>(stride, elementBits, bits) ||
         llvm::divideCeil(bits, 32) > uint64_t(limits.maxStrideWords);
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

bool Descriptor::addLoop(const TransferLoop &loop,
                         const DescriptorLimits &limits, unsigned elementBits) {
  int64_t stride = 0;
  SmallVector<LinearIndex> atLowerBound;
  for (auto [offset, unit] : llvm::zip_equal(offsets, strides)) {
    // The variable may occur in several offsets (a diagonal), each of which
    // contributes.
    int64_t term;
    if (llvm::MulOverflow(offset.getCoefficient(loop.variable), loop.step,
                          term) ||
        llvm::MulOverflow(term, unit, term) ||
        llvm::AddOverflow(stride, term, stride))
      return false;
    atLowerBound.push_back(offset.substitute(loop.variable, loop.lowerBound));
    if (!atLowerBound.back().isTractable())
      return false;
  }
  if (loop.tripCount > 1) {
    if (stride < 0 || stride >= LinearIndex::kMaxFactor)
      return false;
    // A loop whose step is the first size merges with that dimension.
    if (isStrideTooLarge(stride, limits, elementBits) &&
        (isEmpty() || loop.step != sizes.front()))
      return false;
  }
  offsets = std::move(atLowerBound);
  insert(0, LinearIndex(), loop.tripCount, loop.tripCount > 1 ? stride : 0);
  return true;
}

bool Descriptor::fit(const DescriptorLimits &limits, unsigned elementBits) {
  if (isEmpty())
    return true;
  while (size() < limits.dims)
    insert(0, LinearIndex(), 1, 0);
  if (size() > limits.dims)
    return false;
  bool hasActive = false;
  for (size_t i = 1; i < size(); ++i) {
    if (sizes[i] <= 1)
      continue;
    if (strides[i]) {
      hasActive = true;
      continue;
    }
    if (sizes[0] != 1 || hasActive)
      return false;
    std::swap(offsets[0], offsets[i]);
    std::swap(sizes[0], sizes[i]);
    std::swap(strides[0], strides[i]);
  }
  for (auto [size, stride] : llvm::zip_equal(sizes, strides))
    if (size > 1 && isStrideTooLarge(stride, limits, elementBits))
      return false;
  // The engine takes the number of repetitions from the outermost of all its
  // dimensions.
  if (sizes[0] > 1 && strides[0] == 0)
    return limits.canRepeat;
  while (size() > 1 && sizes[0] == 1 && offsets[0].isZero())
    erase(0);
  return true;
}

//===----------------------------------------------------------------------===//
// Canonical form
//===----------------------------------------------------------------------===//

/// Returns the largest factor of `value` that is at most `maximum` and a
/// multiple of `multiple`, or 1 if there is none.
static int64_t getLargestFactor(int64_t value, int64_t maximum,
                                int64_t multiple) {
  for (int64_t factor = std::min(value, maximum); factor > 1; --factor)
    if (value % factor == 0 && factor % multiple == 0)
      return factor;
  return 1;
}

bool Descriptor::splitSizes(const DescriptorLimits &limits, int64_t granule) {
  if (!limits.maxSize)
    return false;
  bool changed = false;
  for (size_t i = size(); i-- > 0;) {
    // A contiguous transfer is a single stream.
    if (isContiguous())
      break;
    if (sizes[i] <= limits.maxSize)
      continue;
    int64_t stride = strides[i];
    int64_t inner =
        getLargestFactor(sizes[i], limits.maxSize, stride == 1 ? granule : 1);
    if (inner == 1)
      continue;
    int64_t outer = sizes[i] / inner;
    int64_t jump;
    if (limits.maxStrideWords && (llvm::MulOverflow(stride, inner, jump) ||
                                  jump > limits.maxStrideWords))
      std::swap(inner, outer);
    sizes[i] = inner;
    insert(i, LinearIndex(), outer, stride * inner);
    changed = true;
    // Visit the outer part next, which now has the index of the dimension that
    // was split.
    ++i;
  }
  return changed;
}

std::optional<size_t> Descriptor::findOffsetTarget(size_t dim) const {
  for (size_t j = dim + 1; j < size(); ++j)
    if (strides[j] && strides[dim] % strides[j] == 0 && offsets[j].isConstant())
      return j;
  return std::nullopt;
}

bool Descriptor::dropUnitDims(std::optional<int64_t> volume) {
  // Keep one dimension: empty lists describe the whole memref, not a single
  // element.
  std::optional<size_t> kept;
  if (llvm::all_of(sizes, [](int64_t size) { return size == 1; }) &&
      volume != 1)
    kept = size() - 1;
  bool changed = false;
  for (size_t i = size(); i-- > 0;) {
    if (sizes[i] != 1 || i == kept || size() == 1)
      continue;
    if (!offsets[i].isZero()) {
      std::optional<size_t> target = findOffsetTarget(i);
      if (!target)
        continue;
      LinearIndex sum =
          offsets[*target] + offsets[i] * (strides[i] / strides[*target]);
      if (!sum.isTractable())
        continue;
      offsets[*target] = sum;
    }
    erase(i);
    if (kept)
      --*kept;
    changed = true;
  }
  return changed;
}

bool Descriptor::mergeNeighbors(int64_t maxSize) {
  bool changed = false;
  for (size_t i = size(); i-- > 1;) {
    int64_t extent, count;
    if (llvm::MulOverflow(sizes[i], strides[i], extent) ||
        llvm::MulOverflow(sizes[i], sizes[i - 1], count) ||
        strides[i - 1] != extent)
      continue;
    if (maxSize && count > maxSize && !isContiguous())
      continue;
    if (!offsets[i - 1].isZero()) {
      if (!strides[i] || !offsets[i].isConstant())
        continue;
      LinearIndex sum = offsets[i] + offsets[i - 1] * sizes[i];
      if (!sum.isTractable())
        continue;
      offsets[i] = sum;
    }
    sizes[i] = count;
    erase(i - 1);
    changed = true;
  }
  return changed;
}

void Descriptor::canonicalize(const DescriptorLimits &limits,
                              unsigned elementBits,
                              std::optional<int64_t> volume) {
  if (isEmpty() || hasNoElements())
    return;
  int64_t granule = getGranuleElements(limits, elementBits);
  bool changed = true;
  while (changed) {
    changed = splitSizes(limits, granule);
    changed |= dropUnitDims(volume);
    changed |= mergeNeighbors(limits.maxSize);
  }
  if (size() == 1 && offsets[0].isZero() && strides[0] == 1 &&
      sizes[0] == volume) {
    offsets.clear();
    sizes.clear();
    strides.clear();
  }
}
