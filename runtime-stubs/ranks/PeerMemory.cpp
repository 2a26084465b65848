//===- PeerMemory.cpp - Memory of other ranks -----------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime-stubs/ranks/PeerMemory.h"
#include "runtime-stubs/nodes/RemoteMemory.h"
#include "runtime-stubs/ranks/Job.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <mutex>

using namespace aircc::rt;

/// How many bytes a copy to or from another node transfers at once, because
/// ranks buffer them in host memory.
static constexpr size_t batchBytes = size_t(4) << 20;
static constexpr size_t batchPieces = size_t(1) << 14;

namespace {

/// Memory of a rank on this node.
class MappedMemory final : public PeerMemory {
public:
  explicit MappedMemory(char *base) : base(base) {}
  Status unmap(Device &device) override { return device.unmapShared(base); }
  bool isMapped() const override { return true; }

private:
  char *base;
};

/// The addresses of memory on another node.
struct FarRange {
  RemoteMemory &remote;
  RemoteMemory::Place place;
  char *base;
  uint64_t bytes;
  PeerMemory::IsAllocatedFn isAllocated;

  RemoteMemory::Piece getPiece(const char *address, size_t size) const {
    const auto offset = static_cast<uint64_t>(address - base);
    return {offset, size, isAllocated(offset, size)};
  }
};
using FarRangePtr = std::shared_ptr<const FarRange>;

/// The number of ranges, which can be checked without a lock. Jobs on one node
/// have none.
constinit std::atomic<size_t> farCount{0};
constinit std::mutex farMutex;

/// All ranges. Never destroyed, because memory copies during process exit still
/// look ranges up. The caller must hold farMutex.
std::vector<FarRangePtr> &farRanges() {
  static auto *all = new std::vector<FarRangePtr>;
  return *all;
}

/// Returns the range that contains this address, or null.
FarRangePtr findFar(const char *address) {
  if (!farCount.load(std::memory_order_acquire))
    return nullptr;
  std::lock_guard<std::mutex> lock(farMutex);
  for (const FarRangePtr &range : farRanges())
    if (address >= range->base &&
        static_cast<uint64_t>(address - range->base) < range->bytes)
      return range;
  return nullptr;
}

/// Memory of a rank on another node.
class FarMemory final : public PeerMemory {
public:
  explicit FarMemory(FarRange made)
      : range(std::make_shared<FarRange>(std::move(made))) {
    std::lock_guard<std::mutex> lock(farMutex);
    farRanges().push_back(range);
    farCount = farRanges().size();
  }
  Status unmap(Device &) override {
    std::lock_guard<std::mutex> lock(farMutex);
    std::erase(farRanges(), range);
    farCount = farRanges().size();
    return Status::success();
  }
  bool isMapped() const override { return false; }

private:
  FarRangePtr range;
};

/// Copies to or from other nodes. As many as fit are sent in one frame.
class FarCopies {
public:
  FarCopies(Device &device, StreamHandle stream)
      : device(device), stream(stream) {}

  Status add(const FarRangePtr &dst, const FarRangePtr &src, CopyPiece piece);
  Status finish();

private:
  Status load(char *staged);
  Status store(const char *staged);

  Device &device;
  StreamHandle stream;
  FarRangePtr to, from; ///< Null for memory that the device can copy.
  std::vector<CopyPiece> pieces;
  size_t bytes = 0;
};

} // namespace

Status FarCopies::add(const FarRangePtr &dst, const FarRangePtr &src,
                      CopyPiece piece) {
  while (piece.bytes) {
    if (dst != to || src != from || bytes >= batchBytes ||
        pieces.size() >= batchPieces)
      if (Status s = finish(); !s.ok())
        return s;
    to = dst;
    from = src;
    const size_t part = std::min(piece.bytes, batchBytes - bytes);
    pieces.push_back({piece.dst, piece.src, part});
    bytes += part;
    piece = {piece.dst + part, piece.src + part, piece.bytes - part};
  }
  return Status::success();
}

Status FarCopies::finish() {
  if (pieces.empty())
    return Status::success();
  std::vector<char> staged(bytes);
  if (Status s = load(staged.data()); !s.ok())
    return s;
  if (Status s = store(staged.data()); !s.ok())
    return s;
  pieces.clear();
  bytes = 0;
  return Status::success();
}

Status FarCopies::load(char *staged) {
  // Earlier work in the stream precedes the copies.
  if (Status s = device.synchronizeStream(stream); !s.ok())
    return s;
  if (from) {
    RemoteMemory::Pieces parts;
    for (const CopyPiece &piece : pieces)
      parts.push_back(from->getPiece(piece.src, piece.bytes));
    return from->remote.get(from->place, parts, staged);
  }
  for (const CopyPiece &piece : pieces) {
    if (Status s = device.copy(staged, piece.src, piece.bytes, stream); !s.ok())
      return s;
    staged += piece.bytes;
  }
  return device.synchronizeStream(stream);
}

Status FarCopies::store(const char *staged) {
  if (to) {
    RemoteMemory::Pieces parts;
    for (const CopyPiece &piece : pieces)
      parts.push_back(to->getPiece(piece.dst, piece.bytes));
    return to->remote.put(to->place, parts, staged);
  }
  for (const CopyPiece &piece : pieces) {
    if (Status s = device.copy(piece.dst, staged, piece.bytes, stream); !s.ok())
      return s;
    staged += piece.bytes;
  }
  return device.synchronizeStream(stream);
}

Status PeerMemory::map(Device &device, Job &job, const SharedDescriptor &memory,
                       char *at, IsAllocatedFn isAllocated,
                       std::unique_ptr<PeerMemory> &peer) {
  if (RemoteMemory *remote = job.remoteMemory(memory.rank)) {
    peer = std::make_unique<FarMemory>(FarRange{*remote,
                                                {memory.rank, memory.id},
                                                at,
                                                memory.bytes,
                                                std::move(isAllocated)});
    return Status::success();
  }
  if (Status s = device.mapShared(memory.fd.get(), memory.bytes, at); !s.ok())
    return s;
  peer = std::make_unique<MappedMemory>(at);
  return Status::success();
}

Status aircc::rt::copyMemory(Device &device,
                             const std::vector<CopyPiece> &pieces,
                             StreamHandle stream) {
  FarCopies far(device, stream);
  for (const CopyPiece &piece : pieces) {
    FarRangePtr dst = findFar(piece.dst), src = findFar(piece.src);
    if (dst || src) {
      if (Status s = far.add(dst, src, piece); !s.ok())
        return s;
      continue;
    }
    if (Status s = far.finish(); !s.ok())
      return s;
    if (Status s = device.copy(piece.dst, piece.src, piece.bytes, stream);
        !s.ok())
      return s;
  }
  return far.finish();
}

Status aircc::rt::fillMemory(Device &device, char *dst, uint32_t value,
                             unsigned valueBytes, size_t count,
                             StreamHandle stream) {
  if (!findFar(dst))
    return device.fill(dst, value, valueBytes, count, stream);
  const size_t values = std::min(count, batchBytes / valueBytes);
  std::vector<char> host(values * valueBytes);
  for (size_t i = 0; i < values; ++i)
    std::memcpy(host.data() + i * valueBytes, &value, valueBytes);
  std::vector<CopyPiece> pieces;
  for (size_t done = 0; done < count; done += values)
    pieces.push_back({dst + done * valueBytes, host.data(),
                      std::min(values, count - done) * valueBytes});
  return copyMemory(device, pieces, stream);
}
