//===- Descriptor.h - Canonical forms of access patterns --------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A sequence of elements as a DMA engine describes it: offsets, sizes and
// strides. The element with the coordinates (i0, i1, …), the last of which
// varies fastest, has the address sum (offset_d + i_d) * stride_d. All numbers
// count elements. Different lists can describe the same sequence; the functions
// here find a form within the limits of an engine.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DIALECTS_AIR_DESCRIPTOR_H
#define AIRCC_DIALECTS_AIR_DESCRIPTOR_H

#include "dialects/air/AIRInterfaces.h"
#include "dialects/air/LinearIndex.h"

#include <optional>

namespace aircc::air {

/// The patterns that the descriptors of a DMA engine can express.
struct DescriptorLimits {
  /// The maximum number of dimensions with a size above 1.
  unsigned dims = 4;
  /// The maximum size of a dimension; 0: unlimited. Contiguous transfers are
  /// not limited.
  int64_t maxSize = 0;
  /// The maximum stride, in 32-bit words; 0: unlimited.
  int64_t maxStrideWords = 0;
  /// Contiguous elements are transferred in units of this many bits.
  unsigned granuleBits = 32;
  /// Whether the outermost dimension can have stride 0 to repeat the rest.
  bool canRepeat = true;
};

/// A loop around a transfer with a constant trip count.
struct TransferLoop {
  mlir::Value variable;
  LinearIndex lowerBound;
  int64_t step = 1;
  int64_t tripCount = 0;
};

struct Descriptor {
  llvm::SmallVector<LinearIndex> offsets;
  llvm::SmallVector<int64_t> sizes;
  llvm::SmallVector<int64_t> strides;

  /// Returns the descriptor of a pattern. Empty lists stand for the whole
  /// memref in row-major order. Returns nullopt if a size or stride is not
  /// constant, is negative or exceeds LinearIndex::kMaxFactor, or if the lists
  /// have incompatible lengths: after leading zeros, one offset is required for
  /// each stride.
  static std::optional<Descriptor> get(const AccessPattern &pattern);

  size_t size() const { return sizes.size(); }
  bool isEmpty() const { return sizes.empty(); }
  /// Returns whether a size is 0, so that nothing is transferred.
  bool hasNoElements() const;
  /// Returns whether each stride is the product of the sizes that follow it.
  bool isContiguous() const;
  unsigned getNumActiveDims() const;

  /// Returns the first and last address, if all offsets are constant. Requires
  /// at least one element.
  std::optional<std::pair<int64_t, int64_t>> getRange() const;

  void insert(size_t at, LinearIndex offset, int64_t size, int64_t stride);
  void erase(size_t at);

  /// Makes `loop` the new first dimension. The values in the lower bound must
  /// not be defined in the loop. Fails without changing anything if the stride
  /// is negative or exceeds the limits.
  bool addLoop(const TransferLoop &loop, const DescriptorLimits &limits,
               unsigned elementBits);

  /// Repeatedly splits sizes that exceed the limit, drops dimensions of size 1
  /// and merges adjacent dimensions, until nothing changes. The lists become
  /// empty if they describe all elements of a memref of `volume` elements in
  /// row-major order. Pass nullopt for a memref of unknown size or with a
  /// layout.
  void canonicalize(const DescriptorLimits &limits, unsigned elementBits,
                    std::optional<int64_t> volume);

  /// Moves a dimension of stride 0 to the front, the only position at which an
  /// engine can repeat, and checks the number of dimensions and the strides.
  /// Returns false if the descriptor exceeds the limits.
  bool fit(const DescriptorLimits &limits, unsigned elementBits);

  /// Returns a dimension whose size exceeds the limit, if there is one.
  std::optional<size_t> findLargeSize(const DescriptorLimits &limits) const;

  bool operator==(const Descriptor &rhs) const {
    return offsets == rhs.offsets && sizes == rhs.sizes &&
           strides == rhs.strides;
  }

private:
  bool splitSizes(const DescriptorLimits &limits, int64_t granule);
  bool dropUnitDims(std::optional<int64_t> volume);
  bool mergeNeighbors(int64_t maxSize);
  /// Returns an inner dimension that can absorb the offset of dimension `dim`.
  std::optional<size_t> findOffsetTarget(size_t dim) const;
};

/// Returns the number of elements that are contiguous in units of the engine's
/// granule.
int64_t getGranuleElements(const DescriptorLimits &limits,
                           unsigned elementBits);

/// Returns the number of elements of a memref with a static shape and the
/// identity layout; nullopt for others.
std::optional<int64_t> getVolume(mlir::BaseMemRefType type);

} // namespace aircc::air

#endif // AIRCC_DIALECTS_AIR_DESCRIPTOR_H
