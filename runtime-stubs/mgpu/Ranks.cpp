//===- Ranks.cpp - Ranks and the symmetric heap of the C ABI --------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A rank is a process; who started it says in the environment which one it is.
// The heap here serves a world of one rank, which is a range of device memory
// and nothing to share. In a larger world it refuses to start.
//
//===----------------------------------------------------------------------===//

#include "runtime-stubs/mgpu/CurrentDevice.h"
#include "runtime-stubs/mgpu/Mgpu.h"

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>

using namespace aircc::rt;

//===----------------------------------------------------------------------===//
// Which rank this is
//===----------------------------------------------------------------------===//

namespace {
struct World {
  int32_t rank = 0;
  int32_t size = 1;
};

/// How a launcher names the rank and the number of ranks.
struct Launcher {
  const char *rank, *size;
};
constexpr Launcher launchers[] = {
    {"RANK", "WORLD_SIZE"}, // aircc run, torchrun
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
    {"PMI_RANK", "PMI_SIZE"}, // MPICH
    {"SLURM_PROCID", "SLURM_NTASKS"},
};
} // namespace

/// Reads the non-negative number in the environment variable `name`.
static Status readNumber(const char *name, int32_t &number) {
  const char *text = std::getenv(name);
  if (!text)
    return Status::failure(std::string(name) + " is not set");
  char *end = nullptr;
  errno = 0;
  long value = std::strtol(text, &end, 10);
  if (end == text || *end || errno || value < 0 || value > INT32_MAX)
    return Status::failure(std::string(name) + "=" + text + " is not a number");
  number = static_cast<int32_t>(value);
  return Status::success();
}

static Status readWorld(World &world) {
  for (const Launcher &launcher : launchers) {
    // Slurm sets the size in shells that are no rank, so the rank's variable
    // decides; but WORLD_SIZE is set for programs only.
    bool plain = &launcher == &launchers[0];
    if (!std::getenv(launcher.rank) && !(plain && std::getenv(launcher.size)))
      continue;
    if (Status s = readNumber(launcher.rank, world.rank); !s.ok())
      return s;
    if (Status s = readNumber(launcher.size, world.size); !s.ok())
      return s;
    if (world.rank >= world.size)
      return Status::failure(std::string(launcher.rank) + "=" +
                             std::to_string(world.rank) + " is not below " +
                             launcher.size + "=" + std::to_string(world.size));
    return Status::success();
  }
  return Status::success();
}

static World getWorld(const char *entry) {
  World world;
  if (Status status = readWorld(world); !status.ok())
    fail(entry, "", status.message());
  return world;
}

int32_t mgpuGetRank(void) { return getWorld(__func__).rank; }
int32_t mgpuGetWorldSize(void) { return getWorld(__func__).size; }

//===----------------------------------------------------------------------===//
// The heap
//===----------------------------------------------------------------------===//

namespace {

/// Hands out ranges of a heap, first fit. The same calls give the same offsets.
class RangeAllocator {
public:
  explicit RangeAllocator(uint64_t bytes) { unused.emplace(0, bytes); }

  /// False when no range is large enough.
  bool allocate(uint64_t bytes, uint64_t &offset) {
    bytes = (bytes + alignment - 1) / alignment * alignment;
    for (auto it = unused.begin(); it != unused.end(); ++it) {
      if (it->second < bytes)
        continue;
      offset = it->first;
      uint64_t left = it->second - bytes;
      unused.erase(it);
      if (left)
        unused.emplace(offset + bytes, left);
      used.emplace(offset, bytes);
      return true;
    }
    return false;
  }

  /// False when no range begins at `offset`.
  bool free(uint64_t offset) {
    auto it = used.find(offset);
    if (it == used.end())
      return false;
    uint64_t bytes = it->second;
    used.erase(it);
    auto next = unused.lower_bound(offset);
    if (next != unused.end() && offset + bytes == next->first) {
      bytes += next->second;
      next = unused.erase(next);
    }
    if (next != unused.begin()) {
      auto previous = std::prev(next);
      if (previous->first + previous->second == offset) {
        previous->second += bytes;
        return true;
      }
    }
    unused.emplace(offset, bytes);
    return true;
  }

  static constexpr uint64_t alignment = 256;

private:
  std::map<uint64_t, uint64_t> unused, used; // Offset to bytes.
};

struct Heap {
  Heap(uint64_t bytes) : ranges(bytes) {}

  char *base = nullptr;
  void **bases = nullptr; // Memory that host and device reach.
  RangeAllocator ranges;
};

constinit std::mutex heapMutex;
constinit Heap *heap = nullptr; // Guarded by heapMutex.

} // namespace

/// Ends the program where there are several ranks.
static void requireOneRank(const char *entry, const std::string &arguments) {
  World world = getWorld(entry);
  if (world.size > 1)
    fail(entry, arguments,
         "this version of the runtime supports one rank, and this is rank " +
             std::to_string(world.rank) + " of " + std::to_string(world.size));
}

/// The heap, with heapMutex held.
static Heap &requireHeap(const char *entry, const std::string &arguments) {
  requireOneRank(entry, arguments);
  if (!heap)
    fail(entry, arguments,
         "there is no symmetric heap; call mgpuSymmetricHeapInit first");
  return *heap;
}

void mgpuSymmetricHeapInit(uint64_t bytes) {
  requireOneRank(__func__, formatArguments(arg("bytes", bytes)));
  std::lock_guard<std::mutex> lock(heapMutex);
  auto init = [&](Device &d) {
    if (heap)
      return Status::failure("there is a symmetric heap already");
    if (bytes == 0)
      return Status::failure("a heap of 0 bytes");
    bytes = bytes / RangeAllocator::alignment * RangeAllocator::alignment +
            (bytes % RangeAllocator::alignment ? RangeAllocator::alignment : 0);
    auto made = std::make_unique<Heap>(bytes);
    void *base = nullptr, *bases = nullptr;
    if (Status s = d.allocate(bytes, nullptr, /*hostShared=*/false, base);
        !s.ok())
      return s;
    if (Status s =
            d.allocate(sizeof(void *), nullptr, /*hostShared=*/true, bases);
        !s.ok())
      return s;
    made->base = static_cast<char *>(base);
    made->bases = static_cast<void **>(bases);
    made->bases[0] = base;
    heap = made.release();
    return Status::success();
  };
  onDevice(__func__, init, arg("bytes", bytes));
}

void mgpuSymmetricHeapDestroy(void) {
  std::lock_guard<std::mutex> lock(heapMutex);
  if (!heap)
    return;
  releaseOnDevice(__func__, [&](Device &d) {
    if (Status s = d.free(heap->bases, nullptr); !s.ok())
      return s;
    return d.free(heap->base, nullptr);
  });
  delete heap;
  heap = nullptr;
}

void *mgpuSymmetricAlloc(uint64_t bytes, void *stream) {
  std::string arguments =
      formatArguments(arg("bytes", bytes), arg("stream", stream));
  std::lock_guard<std::mutex> lock(heapMutex);
  Heap &h = requireHeap(__func__, arguments);
  if (bytes == 0)
    return nullptr;
  uint64_t offset = 0;
  if (!h.ranges.allocate(bytes, offset))
    fail(__func__, arguments,
         "the symmetric heap has no free range of this size");
  return h.base + offset;
}

void mgpuSymmetricFree(void *ptr, void *stream) {
  if (!ptr || deviceIsShutDown())
    return;
  std::string arguments =
      formatArguments(arg("ptr", ptr), arg("stream", stream));
  // What the stream still does with the memory comes before its next use.
  onDevice(
      __func__, [&](Device &d) { return d.synchronizeStream(stream); },
      arg("ptr", ptr), arg("stream", stream));
  std::lock_guard<std::mutex> lock(heapMutex);
  Heap &h = requireHeap(__func__, arguments);
  auto offset = static_cast<uint64_t>(static_cast<char *>(ptr) - h.base);
  if (!h.ranges.free(offset))
    fail(__func__, arguments, "this is no allocation of the symmetric heap");
}

void *mgpuGetHeapBase(int32_t rank) {
  std::string arguments = formatArguments(arg("rank", rank));
  std::lock_guard<std::mutex> lock(heapMutex);
  Heap &h = requireHeap(__func__, arguments);
  if (rank != 0)
    fail(__func__, arguments, "there is only rank 0");
  return h.base;
}

void **mgpuGetHeapBases(void) {
  std::lock_guard<std::mutex> lock(heapMutex);
  return requireHeap(__func__, "").bases;
}

void mgpuBarrier(void) { requireOneRank(__func__, ""); }
