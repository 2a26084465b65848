//===- StridedCopy.cpp - Copies between strided layouts -------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime-stubs/ranks/StridedCopy.h"
#include "runtime-stubs/ranks/PeerMemory.h"

#include <numeric>

using namespace aircc::rt;

Status Layout::make(const MgpuTransfer *transfer, Layout &layout) {
  if (!transfer)
    return Status::failure("there is no transfer");
  if (transfer->elementBytes <= 0)
    return Status::failure("elements of " +
                           std::to_string(transfer->elementBytes) + " bytes");
  if (transfer->rank < 0 ||
      (transfer->rank > 0 && (!transfer->sizes || !transfer->strides)))
    return Status::failure("sizes or strides are missing for rank " +
                           std::to_string(transfer->rank));
  layout.base = static_cast<char *>(transfer->base);
  layout.elementBytes = transfer->elementBytes;
  int64_t bytes = transfer->elementBytes;
  for (int64_t i = 0; i < transfer->rank; ++i) {
    if (transfer->sizes[i] < 0)
      return Status::failure("dimension " + std::to_string(i) +
                             " has the size " +
                             std::to_string(transfer->sizes[i]));
    if (__builtin_mul_overflow(bytes, transfer->sizes[i], &bytes))
      return Status::failure("the transfer is larger than any memory");
  }
  layout.sizes.assign(transfer->sizes, transfer->sizes + transfer->rank);
  layout.strides.assign(transfer->strides, transfer->strides + transfer->rank);
  return Status::success();
}

Layout Layout::row(void *base, int64_t elements, int64_t elementBytes) {
  return {static_cast<char *>(base), elementBytes, {elements}, {1}};
}

int64_t Layout::elements() const {
  int64_t count = 1;
  for (int64_t size : sizes)
    count *= size;
  return count;
}

/// Returns the length in elements of the contiguous ranges in the layout.
static int64_t contiguousElements(const Layout &layout) {
  int64_t contiguous = 1;
  for (size_t i = layout.sizes.size(); i-- > 0;) {
    if (layout.sizes[i] == 1)
      continue;
    if (layout.strides[i] != contiguous)
      break;
    contiguous *= layout.sizes[i];
  }
  return contiguous;
}

/// Returns the address of the element with the row-major number `index`.
static char *elementAt(const Layout &layout, int64_t index) {
  int64_t offset = 0;
  for (size_t i = layout.sizes.size(); i-- > 0;) {
    offset += index % layout.sizes[i] * layout.strides[i];
    index /= layout.sizes[i];
  }
  return layout.base + offset * layout.elementBytes;
}

/// The number of pieces that are listed at once.
static constexpr size_t maxPieces = size_t(1) << 14;

Status aircc::rt::copyStrided(Device &device, const Layout &dst,
                              const Layout &src, StreamHandle stream) {
  if (dst.elementBytes != src.elementBytes)
    return Status::failure("the elements have " +
                           std::to_string(dst.elementBytes) + " and " +
                           std::to_string(src.elementBytes) + " bytes");
  const int64_t count = src.elements();
  if (dst.elements() != count)
    return Status::failure("there are " + std::to_string(count) +
                           " elements to copy to " +
                           std::to_string(dst.elements()));
  if (count == 0)
    return Status::success();
  const int64_t piece =
      std::gcd(contiguousElements(dst), contiguousElements(src));
  std::vector<CopyPiece> pieces;
  for (int64_t i = 0; i < count; i += piece) {
    pieces.push_back({elementAt(dst, i), elementAt(src, i),
                      static_cast<size_t>(piece * src.elementBytes)});
    if (pieces.size() < maxPieces)
      continue;
    if (Status s = copyMemory(device, pieces, stream); !s.ok())
      return s;
    pieces.clear();
  }
  return copyMemory(device, pieces, stream);
}
