//===- Ranks.cpp - Ranks and the symmetric heap (C ABI) -------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime-stubs/mgpu/Ranks.h"
#include "runtime-stubs/include/aircc/mgpu.h"
#include "runtime-stubs/mgpu/CurrentDevice.h"
#include "runtime-stubs/ranks/ChannelAbi.h"
#include "runtime-stubs/ranks/ChannelRings.h"
#include "runtime-stubs/ranks/SymmetricHeap.h"

#include <cstring>
#include <limits>
#include <map>
#include <vector>

using namespace aircc::rt;

static World getWorld(const Call &call) {
  World world;
  if (Status status = readWorld(world); !status.ok())
    fail(call.entry, call.arguments, status.message());
  return world;
}

int32_t mgpuGetRank(void) { return getWorld({__func__, ""}).rank; }
int32_t mgpuGetWorldSize(void) { return getWorld({__func__, ""}).size; }

void mgpuRequireRanks(int64_t ranks, const char *what) {
  Call call{__func__, formatArguments(arg("ranks", ranks), arg("what", what))};
  World world = getWorld(call);
  if (world.size < ranks)
    fail(call.entry, call.arguments,
         std::string(what ? what : "the program") + " needs " +
             std::to_string(ranks) + " ranks, and there " +
             (world.size == 1 ? "is" : "are") + " " +
             std::to_string(world.size) +
             "; start the program with `aircc run "
             "-n " +
             std::to_string(ranks) + "` or another launcher");
}

/// Synchronizes with the first `ranks` ranks, or with all ranks if `ranks` is
/// 0. All must have the same `allocations`.
static void collective(const Call &call, const std::string &what,
                       int64_t argument, bool tolerant, int32_t ranks = 0,
                       const HeapState &allocations = {}) {
  World world = getWorld(call);
  if (world.size == 1)
    return;
  Job &job = Job::get(call);
  if (job.hasLeft())
    return;
  if (!ranks)
    ranks = world.size;
  Device *device = deviceIsShutDown() ? nullptr : openedDevice();
  if (device)
    device->beforeCollective(ranks);
  job.collective(call, what, argument, tolerant, ranks, allocations);
  if (device)
    device->afterCollective(ranks);
}

/// The sizes of the enclosing rank spaces, innermost last.
static thread_local std::vector<int32_t> rankSpaces;

void mgpuEnterRankSpace(int64_t ranks) {
  Call call{__func__, formatArguments(arg("ranks", ranks))};
  World world = getWorld(call);
  if (world.rank >= ranks || ranks > world.size)
    fail(call.entry, call.arguments,
         "rank " + std::to_string(world.rank) + " of " +
             std::to_string(world.size) + " cannot enter a space of this size");
  rankSpaces.push_back(static_cast<int32_t>(ranks));
}

void mgpuLeaveRankSpace(void) {
  if (rankSpaces.empty())
    fail(__func__, "", "the program is not in a space of ranks");
  rankSpaces.pop_back();
}

/// Waits for outstanding device work of this rank.
static void finishWork(const Call &call) {
  Device *device = openedDevice();
  if (!device || deviceIsShutDown())
    return;
  if (Status s = device->synchronizeStream(nullptr); !s.ok())
    fail(call.entry, call.arguments, s.message());
}

//===----------------------------------------------------------------------===//
// The heap
//===----------------------------------------------------------------------===//

namespace {
constinit std::mutex heapMutex;
constinit SymmetricHeap *heap = nullptr; // Guarded by heapMutex.
} // namespace

/// Returns the channels by the address of their buffers. heapMutex guards them.
static std::map<void *, ChannelRings> &channelRings() {
  // The map is never destroyed, because channels may be freed during process
  // exit.
  static auto *all = new std::map<void *, ChannelRings>;
  return *all;
}

/// Returns the heap. The caller must hold heapMutex.
static SymmetricHeap &requireHeap(const Call &call) {
  if (!heap)
    fail(call.entry, call.arguments,
         "there is no symmetric heap; call mgpuSymmetricHeapInit first");
  return *heap;
}

/// Returns the number of ranks in the innermost space, or of all ranks.
static int32_t ranksHere(const Call &call) {
  return rankSpaces.empty() ? getWorld(call).size : rankSpaces.back();
}

void mgpuBarrier(void) {
  Call call{__func__, ""};
  finishWork(call);
  const int32_t ranks = ranksHere(call);
  HeapState state;
  {
    std::lock_guard<std::mutex> lock(heapMutex);
    if (heap)
      state = {heap->fingerprint(ranks), heap->listAllocations(ranks)};
  }
  collective(call, call.entry, 0, /*tolerant=*/false, ranks, state);
}

std::string aircc::rt::describeSymmetricAddress(uint64_t address) {
  std::lock_guard<std::mutex> lock(heapMutex);
  return heap ? heap->describe(address) : "";
}

std::string aircc::rt::listSymmetricNames() {
  // The program may be stuck in a call that holds the lock.
  std::unique_lock<std::mutex> lock(heapMutex, std::try_to_lock);
  return lock.owns_lock() && heap ? heap->listNames() : "";
}

/// Makes the device of this rank current. If the launcher shows each rank only
/// one device, there is no choice. All ranks are on this node, so the rank
/// itself replaces a local rank that the launcher does not provide.
static Status chooseDevice(Device &device, const World &world) {
  int count = 0;
  if (Status s = device.getDeviceCount(count); !s.ok())
    return s;
  if (count <= 1 || (world.size == 1 && !world.localRank))
    return Status::success();
  int32_t local = world.localRank.value_or(world.rank);
  if (local >= count)
    return Status::failure("rank " + std::to_string(world.rank) +
                           " is number " + std::to_string(local) +
                           " on this node, which has " + std::to_string(count) +
                           " devices; start fewer ranks");
  return setCurrentDevice(device, local);
}

void mgpuSymmetricHeapInit(uint64_t bytes) {
  Call call{__func__, formatArguments(arg("bytes", bytes))};
  World world = getWorld(call);
  {
    std::lock_guard<std::mutex> lock(heapMutex);
    if (heap)
      fail(call.entry, call.arguments, "the symmetric heap already exists");
  }
  if (bytes == 0)
    fail(call.entry, call.arguments, "a heap of 0 bytes");
  if (bytes > uint64_t(std::numeric_limits<int64_t>::max()) / world.size)
    fail(call.entry, call.arguments, "the heap is larger than any memory");
  collective(call, call.entry, static_cast<int64_t>(bytes), /*tolerant=*/false);
  Device &d = device(call.entry, call.arguments);
  std::unique_ptr<SymmetricHeap> made;
  Status status = chooseDevice(d, world);
  if (status.ok())
    status = SymmetricHeap::create(call, d, world,
                                   RangeAllocator::roundUp(bytes), made);
  if (!status.ok())
    fail(call.entry, call.arguments, status.message());
  std::lock_guard<std::mutex> lock(heapMutex);
  heap = made.release();
}

void mgpuSymmetricHeapDestroy(void) {
  Call call{__func__, ""};
  {
    std::lock_guard<std::mutex> lock(heapMutex);
    if (!heap)
      return;
  }
  // All ranks must have finished using the heap before it is freed.
  if (!deviceIsShutDown()) {
    finishWork(call);
    collective(call, call.entry, 0, /*tolerant=*/true);
    if (Status s = device(call.entry, call.arguments).checkHeap(); !s.ok())
      fail(call.entry, call.arguments, s.message());
  }
  std::lock_guard<std::mutex> lock(heapMutex);
  releaseOnDevice(__func__, [&](Device &d) {
    for (auto &[ptr, rings] : channelRings())
      if (Status s = rings.destroy(d); !s.ok())
        return s;
    return heap->destroy(d);
  });
  channelRings().clear();
  delete heap;
  heap = nullptr;
}

void *mgpuSymmetricAlloc(uint64_t bytes, void *stream) {
  Call call{__func__,
            formatArguments(arg("bytes", bytes), arg("stream", stream))};
  const int32_t ranks = ranksHere(call);
  std::lock_guard<std::mutex> lock(heapMutex);
  SymmetricHeap &h = requireHeap(call);
  if (bytes == 0)
    return nullptr;
  Device &d = device(call.entry, call.arguments);
  uint64_t offset = 0;
  if (!h.allocate(d, bytes, ranks, offset))
    fail(call.entry, call.arguments,
         "there is no room for " + std::to_string(bytes) +
             " bytes: " + h.describeUse());
  return h.base() + offset;
}

/// Frees heap memory after all uses in `stream` have completed.
static void freeSymmetric(const Call &call, void *ptr, void *stream) {
  Device &d = device(call.entry, call.arguments);
  if (Status s = d.synchronizeStream(stream); !s.ok())
    fail(call.entry, call.arguments, s.message());
  std::lock_guard<std::mutex> lock(heapMutex);
  SymmetricHeap &h = requireHeap(call);
  auto offset = static_cast<uint64_t>(static_cast<char *>(ptr) - h.base());
  if (!h.free(d, offset))
    fail(call.entry, call.arguments,
         "this is not an allocation of the symmetric heap");
}

void mgpuSymmetricFree(void *ptr, void *stream) {
  if (!ptr || deviceIsShutDown())
    return;
  freeSymmetric(
      {__func__, formatArguments(arg("ptr", ptr), arg("stream", stream))}, ptr,
      stream);
}

void *mgpuGetHeapBase(int32_t rank) {
  Call call{__func__, formatArguments(arg("rank", rank))};
  std::lock_guard<std::mutex> lock(heapMutex);
  SymmetricHeap &h = requireHeap(call);
  if (rank < 0 || rank >= h.world().size)
    fail(call.entry, call.arguments,
         h.world().size == 1 ? "there is only rank 0"
                             : "there are only ranks 0 to " +
                                   std::to_string(h.world().size - 1));
  return h.base(rank);
}

void **mgpuGetHeapBases(void) {
  std::lock_guard<std::mutex> lock(heapMutex);
  return requireHeap({__func__, ""}).bases();
}

//===----------------------------------------------------------------------===//
// Buffers of channels
//===----------------------------------------------------------------------===//

static_assert(RangeAllocator::alignment % aircc::abi::kLineBytes == 0,
              "a line of a message ring must not cross lines of the cache");

void *mgpuChannelAlloc(const char *name, uint64_t bytes, void *stream) {
  Call call{__func__, formatArguments(arg("name", name), arg("bytes", bytes),
                                      arg("stream", stream))};
  if (!name || !*name)
    fail(call.entry, call.arguments, "the channel has no name");
  if (bytes == 0)
    fail(call.entry, call.arguments, "a channel of 0 bytes");
  uint64_t offset = 0;
  char *ptr = nullptr;
  Device *opened = nullptr;
  {
    std::lock_guard<std::mutex> lock(heapMutex);
    SymmetricHeap &h = requireHeap(call);
    opened = &device(call.entry, call.arguments);
    if (!h.allocate(*opened, bytes, h.world().size, offset))
      fail(call.entry, call.arguments,
           std::string("there is no room for the ") + std::to_string(bytes) +
               " bytes of channel " + name + ": " + h.describeUse());
    h.setName(offset, bytes, name);
    ptr = h.base() + offset;
    RemoteRings *remote =
        h.world().size > 1 ? Job::get(call).remoteRings() : nullptr;
    channelRings().try_emplace(ptr, *opened, h, offset, bytes, remote);
  }
  Device &d = *opened;
  Status status = d.fill(ptr, 0, 1, bytes, stream);
  if (status.ok())
    status = d.synchronizeStream(stream);
  if (!status.ok())
    fail(call.entry, call.arguments, status.message());
  // The offset must be the same on all ranks, and no rank may write before all
  // buffers are zero.
  collective(call, std::string(call.entry) + " of channel " + name,
             static_cast<int64_t>(offset), /*tolerant=*/false);
  return ptr;
}

void **mgpuGetChannelBases(void *ptr, int64_t rings, int64_t depth,
                           int64_t lines) {
  Call call{__func__,
            formatArguments(arg("ptr", ptr), arg("rings", rings),
                            arg("depth", depth), arg("lines", lines))};
  if (rings < 1 || depth < 1 || lines < 1)
    fail(call.entry, call.arguments, "there are no such rings");
  std::lock_guard<std::mutex> lock(heapMutex);
  auto it = channelRings().find(ptr);
  if (it == channelRings().end())
    fail(call.entry, call.arguments,
         "this is not a buffer of mgpuChannelAlloc");
  void **bases = nullptr;
  if (Status s = it->second.getBases(device(call.entry, call.arguments),
                                     {rings, depth, lines}, bases);
      !s.ok())
    fail(call.entry, call.arguments, s.message());
  return bases;
}

void mgpuChannelFree(void *ptr, void *stream) {
  if (!ptr || deviceIsShutDown())
    return;
  Call call{__func__, formatArguments(arg("ptr", ptr), arg("stream", stream))};
  // The work in the stream must have completed on this rank and on all others.
  Device &d = device(call.entry, call.arguments);
  if (Status s = d.synchronizeStream(stream); !s.ok())
    fail(call.entry, call.arguments, s.message());
  collective(call, call.entry, 0, /*tolerant=*/true);
  {
    std::lock_guard<std::mutex> lock(heapMutex);
    if (auto rings = channelRings().extract(ptr); !rings.empty())
      if (Status s = rings.mapped().destroy(d); !s.ok())
        fail(call.entry, call.arguments, s.message());
  }
  freeSymmetric(call, ptr, stream);
}
