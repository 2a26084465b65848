//===- SymmetricHeap.cpp - Memory that all ranks can access ---------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime-stubs/ranks/SymmetricHeap.h"

using namespace aircc::rt;

/// The id under which every rank shares its heap. Channels use other ids.
static constexpr int64_t heapShare = 0;

Status SharedMemory::create(Device &device, const World &world, size_t bytes,
                            SharedMemory &memory, Fd &descriptor) {
  int fd = -1;
  void *ptr = nullptr;
  size_t rounded = bytes;
  Status status = device.createShared(rounded, ptr, fd);
  if (status.ok()) {
    descriptor = Fd(fd);
    memory = {static_cast<char *>(ptr), rounded, false};
    return status;
  }
  if (world.size > 1)
    return status;
  status = device.allocate(bytes, nullptr, /*hostShared=*/false, ptr);
  if (status.ok())
    status = device.fill(ptr, 0, 1, bytes, nullptr);
  if (status.ok())
    status = device.synchronizeStream(nullptr);
  memory = {static_cast<char *>(ptr), bytes, true};
  return status;
}

Status SharedMemory::destroy(Device &device) {
  return plain ? device.free(ptr, nullptr) : device.destroyShared(ptr);
}

Status SymmetricHeap::create(const Call &call, Device &device,
                             const World &world, uint64_t bytes,
                             std::unique_ptr<SymmetricHeap> &heap) {
  const Device::HeapRoom room = device.heapRoom(bytes, world.size);
  std::unique_ptr<SymmetricHeap> made(
      new SymmetricHeap(world, bytes, room.spread));
  Fd descriptor;
  if (Status s = SharedMemory::create(device, world, room.bytes, made->own,
                                      descriptor);
      !s.ok())
    return s;
  made->peers.resize(world.size);
  made->peers[world.rank] = made->own.ptr;
  made->memories.resize(world.size);
  if (world.size > 1)
    if (Status s = made->mapPeers(call, device, std::move(descriptor)); !s.ok())
      return s;
  void *table = nullptr;
  if (Status s = device.allocate(sizeof(void *) * world.size, nullptr,
                                 /*hostShared=*/true, table);
      !s.ok())
    return s;
  made->table = static_cast<void **>(table);
  for (int32_t rank = 0; rank < world.size; ++rank)
    made->table[rank] = made->peers[rank];
  std::vector<Device::HeapOfRank> heaps;
  heaps.reserve(world.size);
  for (int32_t rank = 0; rank < world.size; ++rank)
    heaps.push_back({made->peers[rank], made->isMapped(rank)});
  if (!made->own.plain)
    device.beginHeap(world.rank, heaps, bytes * room.spread);
  heap = std::move(made);
  return Status::success();
}

/// Maps the heaps of the peers consecutively, at the same distances on all
/// ranks, because equal sizes stay equal after rounding.
Status SymmetricHeap::mapPeers(const Call &call, Device &device,
                               Fd descriptor) {
  const size_t stride = own.bytes;
  Job &job = Job::get(call);
  job.share(device, heapShare, own, std::move(descriptor));
  if (Status s = device.reserveShared(stride * (place.size - 1), peerRange);
      !s.ok())
    return s;
  char *next = static_cast<char *>(peerRange);
  for (int32_t rank = 0; rank < place.size; ++rank) {
    if (rank == place.rank)
      continue;
    SharedDescriptor theirs = job.takeShared(call, rank, heapShare);
    if (theirs.bytes != stride)
      return Status::failure("the heap of rank " + std::to_string(rank) +
                             " has " + std::to_string(theirs.bytes) +
                             " bytes, not " + std::to_string(stride) +
                             "; the ranks have different devices");
    if (Status s = PeerMemory::map(
            device, job, theirs, next,
            [this](uint64_t offset, uint64_t size) {
              return isAllocated(offset, size);
            },
            memories[rank]);
        !s.ok())
      return Status::failure("the heap of rank " + std::to_string(rank) +
                             " cannot be mapped: " + s.message());
    peers[rank] = next;
    next += stride;
  }
  return Status::success();
}

Status SymmetricHeap::destroy(Device &device) {
  if (!own.plain)
    device.endHeap();
  if (Status s = device.free(static_cast<void *>(table), nullptr); !s.ok())
    return s;
  for (const std::unique_ptr<PeerMemory> &memory : memories)
    if (memory)
      if (Status s = memory->unmap(device); !s.ok())
        return s;
  if (Job *job = Job::joined())
    job->withdraw(heapShare);
  if (peerRange)
    if (Status s = device.releaseShared(peerRange); !s.ok())
      return s;
  return own.destroy(device);
}

bool SymmetricHeap::allocate(Device &device, uint64_t size, int32_t ranks,
                             uint64_t &offset) {
  if (!ranges.allocate(size, offset))
    return false;
  {
    std::lock_guard<std::mutex> lock(allocationsMutex);
    allocations[offset] = {size, ranks};
  }
  offset *= spread;
  if (!own.plain)
    device.heapAllocated(offset, size);
  return true;
}

bool SymmetricHeap::free(Device &device, uint64_t offset) {
  if (offset % spread || !ranges.free(offset / spread))
    return false;
  {
    std::lock_guard<std::mutex> lock(allocationsMutex);
    allocations.erase(offset / spread);
  }
  names.erase(offset);
  if (!own.plain)
    device.heapFreed(offset);
  return true;
}

/// Returns whether this rank has allocated [offset, offset + size).
bool SymmetricHeap::isAllocated(uint64_t offset, uint64_t size) const {
  std::lock_guard<std::mutex> lock(allocationsMutex);
  auto it = allocations.upper_bound(offset / spread);
  if (it == allocations.begin())
    return false;
  --it;
  const uint64_t within = offset - it->first * spread;
  return within <= it->second.bytes && size <= it->second.bytes - within;
}

std::string SymmetricHeap::describeUse() const {
  uint64_t used = 0;
  for (const auto &[offset, allocation] : allocations)
    used += RangeAllocator::roundUp(allocation.bytes);
  return "the symmetric heap has " + std::to_string(bytes) +
         " bytes, of which " + std::to_string(used) + " are in use by " +
         std::to_string(allocations.size()) +
         (allocations.size() == 1 ? " allocation" : " allocations") +
         "; the largest free range has " +
         std::to_string(ranges.largestFree()) +
         " bytes. The compiler's --stage-option channels.heap-bytes=N sets the "
         "size, or the argument of mgpuSymmetricHeapInit if the program "
         "calls it";
}

uint64_t SymmetricHeap::fingerprint(int32_t ranks) const {
  uint64_t hash = 0xcbf29ce484222325;
  auto mix = [&](uint64_t value) {
    hash = (hash ^ value) * 0x9e3779b97f4a7c15;
    hash ^= hash >> 29;
  };
  for (const auto &[offset, allocation] : allocations)
    if (allocation.ranks >= ranks) {
      mix(offset);
      mix(allocation.bytes);
    }
  return hash;
}

std::string SymmetricHeap::listAllocations(int32_t ranks) const {
  constexpr size_t shown = 8;
  std::string text;
  size_t count = 0;
  for (const auto &[offset, allocation] : allocations) {
    if (allocation.ranks < ranks || ++count > shown)
      continue;
    text += (text.empty() ? "" : ", ") + std::to_string(allocation.bytes) +
            " bytes at " + std::to_string(offset);
  }
  if (count > shown)
    text += ", " + std::to_string(count - shown) + " more";
  return text.empty() ? "nothing" : text;
}

void SymmetricHeap::setName(uint64_t offset, uint64_t bytes, std::string name) {
  names[offset] = {bytes, std::move(name)};
}

std::string SymmetricHeap::listNames() const {
  std::string text;
  for (auto &[offset, name] : names)
    text += (text.empty() ? "" : ", ") + name.text;
  return text;
}

std::string SymmetricHeap::describe(uint64_t address) const {
  for (int32_t rank = 0; rank < place.size; ++rank) {
    uint64_t begin = reinterpret_cast<uint64_t>(peers[rank]);
    if (address < begin || address - begin >= bytes * spread)
      continue;
    uint64_t offset = address - begin;
    std::string whose = "rank " + std::to_string(rank) + "'s ";
    auto it = names.upper_bound(offset);
    if (it != names.begin()) {
      --it;
      if (offset - it->first < it->second.bytes)
        return "channel " + it->second.text + " (" + whose + "buffer, byte " +
               std::to_string(offset - it->first) + " of " +
               std::to_string(it->second.bytes) + ")";
    }
    auto in = allocations.upper_bound(offset / spread);
    if (in != allocations.begin()) {
      --in;
      const uint64_t within = offset - in->first * spread;
      if (within < in->second.bytes)
        return whose + "symmetric heap (byte " +
               std::to_string(in->first + within) + " of " +
               std::to_string(bytes) + ")";
    }
    return whose + "symmetric heap";
  }
  return {};
}
