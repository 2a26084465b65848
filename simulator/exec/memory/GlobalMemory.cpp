//===- GlobalMemory.cpp - The memory that kernels may touch ---------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/exec/memory/GlobalMemory.h"
#include "simulator/exec/memory/SharedHeap.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace aircc::sim;

namespace {
/// The gap before and after an allocation, in bytes.
constexpr size_t kGuardBytes = 4096;
/// Larger allocations are not filled, because touching them would cost their
/// pages.
constexpr size_t kFillLimit = size_t(16) << 20;
/// The maximum number of bytes of freed memory that are kept from reuse.
constexpr size_t kQuarantineBytes = size_t(64) << 20;
} // namespace

/// Returns the readable mapping of this process that contains an address, or an
/// empty one.
static MemoryRange findMapping(uint64_t address) {
  MemoryRange found;
  std::FILE *maps = std::fopen("/proc/self/maps", "r");
  if (!maps)
    return found;
  unsigned long long begin, end;
  char readable;
  // The Linux kernel writes the file, so its numbers are valid.
  // NOLINTNEXTLINE(bugprone-unchecked-string-to-number-conversion)
  while (std::fscanf(maps, "%llx-%llx %c%*[^\n]", &begin, &end, &readable) == 3)
    if (address >= begin && address < end) {
      if (readable == 'r')
        found = {begin, end};
      break;
    }
  std::fclose(maps);
  return found;
}

GlobalMemory::GlobalMemory(Fill fill) : fill(fill) {}

GlobalMemory::~GlobalMemory() {
  for (auto &entry : allocations)
    ::free(entry.second.raw);
  for (Allocation &block : quarantine)
    ::free(block.raw);
  for (auto &[begin, range] : sharedRanges)
    munmap(reinterpret_cast<void *>(begin), range.bytes);
  for (auto &[begin, bytes] : reservations)
    munmap(reinterpret_cast<void *>(begin), bytes);
}

void *GlobalMemory::allocate(size_t bytes) {
  size_t size = (bytes + slack + 255) / 256 * 256 + 2 * kGuardBytes;
  if (size < bytes)
    return nullptr;
  void *raw = nullptr;
  if (posix_memalign(&raw, 4096, size))
    return nullptr;
  char *ptr = static_cast<char *>(raw) + kGuardBytes;
  if (bytes <= kFillLimit)
    std::memset(ptr, static_cast<int>(fill), bytes);
  // Make values that are read there conspicuous.
  std::memset(ptr + bytes, static_cast<int>(Fill::NaN), slack);
  std::lock_guard<std::mutex> lock(mutex);
  allocations[reinterpret_cast<uint64_t>(ptr)] = {bytes, raw, ++allocated,
                                                  slack};
  rebuild();
  return ptr;
}

bool GlobalMemory::release(void *ptr) {
  std::lock_guard<std::mutex> lock(mutex);
  auto it = allocations.find(reinterpret_cast<uint64_t>(ptr));
  if (it == allocations.end())
    return false;
  quarantine.push_back(it->second);
  quarantineBytes += it->second.bytes;
  allocations.erase(it);
  while (quarantineBytes > kQuarantineBytes) {
    quarantineBytes -= quarantine.front().bytes;
    ::free(quarantine.front().raw);
    quarantine.pop_front();
  }
  rebuild();
  return true;
}

void GlobalMemory::registerHost(void *ptr, size_t bytes) {
  std::lock_guard<std::mutex> lock(mutex);
  HostRange &range = hostRanges[reinterpret_cast<uint64_t>(ptr)];
  range.bytes = range.count ? std::max(range.bytes, bytes) : bytes;
  ++range.count;
  rebuild();
}

bool GlobalMemory::unregisterHost(void *ptr) {
  std::lock_guard<std::mutex> lock(mutex);
  auto it = hostRanges.find(reinterpret_cast<uint64_t>(ptr));
  if (it == hostRanges.end())
    return false;
  if (--it->second.count == 0) {
    hostRanges.erase(it);
    rebuild();
  }
  return true;
}

static std::string systemError(const char *what) {
  return std::string(what) + ": " + std::strerror(errno);
}

static size_t roundToPages(size_t bytes) {
  constexpr size_t page = 4096;
  return (bytes + page - 1) / page * page;
}

std::string GlobalMemory::createShared(size_t &bytes, void *&ptr,
                                       int &descriptor) {
  bytes = roundToPages(std::max<size_t>(bytes, 1));
  int fd = memfd_create("aircc-shared", MFD_CLOEXEC);
  if (fd < 0)
    return systemError("memfd_create");
  if (ftruncate(fd, static_cast<off_t>(bytes))) {
    std::string why = systemError("ftruncate");
    close(fd);
    return why;
  }
  void *mapped = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_NORESERVE, fd, 0);
  if (mapped == MAP_FAILED) {
    std::string why = systemError("mmap");
    close(fd);
    return why;
  }
  ptr = mapped;
  descriptor = fd;
  std::lock_guard<std::mutex> lock(mutex);
  sharedRanges[reinterpret_cast<uint64_t>(ptr)] = {bytes, false};
  rebuild();
  return {};
}

std::string GlobalMemory::reserveShared(size_t bytes, void *&range) {
  bytes = roundToPages(bytes);
  void *mapped = mmap(nullptr, bytes, PROT_NONE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED)
    return systemError("mmap");
  range = mapped;
  std::lock_guard<std::mutex> lock(mutex);
  reservations[reinterpret_cast<uint64_t>(range)] = bytes;
  return {};
}

std::string GlobalMemory::releaseShared(void *range) {
  std::lock_guard<std::mutex> lock(mutex);
  auto it = reservations.find(reinterpret_cast<uint64_t>(range));
  if (it == reservations.end())
    return "the range was not reserved";
  auto inside = sharedRanges.lower_bound(it->first);
  if (inside != sharedRanges.end() && inside->first < it->first + it->second)
    return "the range still has memory in it";
  munmap(range, it->second);
  reservations.erase(it);
  return {};
}

std::string GlobalMemory::mapShared(int descriptor, size_t bytes, void *at) {
  uint64_t begin = reinterpret_cast<uint64_t>(at);
  struct stat info = {};
  if (fstat(descriptor, &info))
    return systemError("fstat");
  // An access past the end would crash the process.
  if (static_cast<uint64_t>(info.st_size) < bytes)
    return "it has " + std::to_string(info.st_size) + " bytes, not " +
           std::to_string(bytes);
  std::lock_guard<std::mutex> lock(mutex);
  auto next = reservations.upper_bound(begin);
  auto it = next == reservations.begin() ? reservations.end() : std::prev(next);
  if (it == reservations.end() || begin + bytes > it->first + it->second ||
      begin % 4096 != 0)
    return "the addresses were not reserved";
  if (mmap(at, bytes, PROT_READ | PROT_WRITE,
           MAP_SHARED | MAP_NORESERVE | MAP_FIXED, descriptor, 0) == MAP_FAILED)
    return systemError("mmap");
  sharedRanges[begin] = {bytes, true};
  rebuild();
  return {};
}

bool GlobalMemory::unmapShared(void *ptr) {
  std::lock_guard<std::mutex> lock(mutex);
  auto it = sharedRanges.find(reinterpret_cast<uint64_t>(ptr));
  if (it == sharedRanges.end())
    return false;
  if (!it->second.reserved)
    munmap(ptr, it->second.bytes);
  else if (mmap(ptr, it->second.bytes, PROT_NONE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1,
                0) == MAP_FAILED)
    return false;
  sharedRanges.erase(it);
  rebuild();
  return true;
}

void GlobalMemory::beginHeap(std::unique_ptr<SharedHeap> made) {
  std::lock_guard<std::mutex> lock(mutex);
  heap = std::move(made);
  rebuild();
}

void GlobalMemory::endHeap() {
  std::lock_guard<std::mutex> lock(mutex);
  heap.reset();
  rebuild();
}

void GlobalMemory::allocateInHeap(uint64_t offset, size_t bytes) {
  std::lock_guard<std::mutex> lock(mutex);
  heap->allocate(offset, bytes);
  rebuild();
}

void GlobalMemory::freeInHeap(uint64_t offset) {
  std::lock_guard<std::mutex> lock(mutex);
  heap->free(offset);
  rebuild();
}

MemoryRange GlobalMemory::sharedSpan() const {
  std::lock_guard<std::mutex> lock(mutex);
  if (sharedRanges.empty())
    return {};
  auto &[last, range] = *sharedRanges.rbegin();
  return {sharedRanges.begin()->first, last + range.bytes};
}

std::vector<MemoryRange> GlobalMemory::sharedMemory() const {
  std::lock_guard<std::mutex> lock(mutex);
  std::vector<MemoryRange> ranges;
  ranges.reserve(sharedRanges.size());
  for (auto &[begin, range] : sharedRanges)
    ranges.push_back({begin, begin + range.bytes});
  return ranges;
}

/// Merges all maps. Overlapping ranges become one. Adjacent ranges stay
/// separate, so an access across two allocations is an error.
void GlobalMemory::rebuild() {
  auto next = std::make_shared<MemorySnapshot>();
  next->reserve(allocations.size() + hostRanges.size() + sharedRanges.size());
  for (auto &entry : allocations)
    if (entry.second.bytes)
      next->push_back(
          {entry.first, entry.first + entry.second.bytes, entry.second.slack});
  for (auto &entry : hostRanges)
    if (entry.second.bytes)
      next->push_back({entry.first, entry.first + entry.second.bytes});
  for (auto &entry : sharedRanges)
    if (!heap || !heap->findRank(entry.first))
      next->push_back({entry.first, entry.first + entry.second.bytes});
  if (heap) {
    const uint64_t own = heap->base(heap->rank());
    for (const SharedHeap::Block &block : heap->blocks())
      if (!block.freed)
        next->push_back({own + block.offset, own + block.offset + block.bytes});
    for (int32_t rank = 0; rank < heap->ranks(); ++rank)
      if (rank != heap->rank() && heap->isMapped(rank))
        next->push_back({heap->base(rank), heap->base(rank) + heap->addresses(),
                         /*slack=*/0, heap.get()});
  }
  std::sort(next->begin(), next->end(),
            [](const MemoryRange &a, const MemoryRange &b) {
              return a.begin < b.begin;
            });
  size_t kept = 0;
  for (const MemoryRange &range : *next) {
    if (kept && range.begin < (*next)[kept - 1].end)
      (*next)[kept - 1].end = std::max((*next)[kept - 1].end, range.end);
    else
      (*next)[kept++] = range;
  }
  next->resize(kept);
  current.store(std::move(next));
}

std::shared_ptr<const MemorySnapshot> GlobalMemory::snapshot() const {
  return current.load();
}

uint64_t aircc::sim::bytesInSlack(const MemorySnapshot &ranges,
                                  uint64_t address, uint64_t bytes) {
  auto it = std::upper_bound(
      ranges.begin(), ranges.end(), address,
      [](uint64_t a, const MemoryRange &range) { return a < range.begin; });
  if (it == ranges.begin())
    return 0;
  --it;
  const uint64_t end = address + bytes;
  return end > it->end && end - it->end <= it->slack ? end - it->end : 0;
}

bool GlobalMemory::isDeviceMemory(const void *ptr) const {
  const uint64_t address = reinterpret_cast<uint64_t>(ptr);
  std::lock_guard<std::mutex> lock(mutex);
  auto contains = [&](const auto &ranges) {
    auto it = ranges.upper_bound(address);
    return it != ranges.begin() &&
           address - std::prev(it)->first < std::prev(it)->second.bytes;
  };
  return contains(allocations) || contains(sharedRanges) ||
         (heap && heap->findRank(address));
}

std::string GlobalMemory::checkHostAccess(const void *ptr, size_t bytes) const {
  uint64_t begin = reinterpret_cast<uint64_t>(ptr);
  std::lock_guard<std::mutex> lock(mutex);
  auto it = allocations.upper_bound(begin);
  if (it != allocations.begin()) {
    --it;
    uint64_t end = it->first + it->second.bytes;
    if (begin < end && (bytes > end - begin))
      return std::to_string(bytes) + " bytes from byte " +
             std::to_string(begin - it->first) + " of an allocation of " +
             std::to_string(it->second.bytes) + " bytes";
  }
  if (heap && bytes && heap->findRank(begin)) {
    if (heap->isAllocated(begin, begin + bytes))
      return {};
    return std::to_string(bytes) + " bytes that are not all allocated (" +
           describeHeld(begin) + ")";
  }
  auto shared = sharedRanges.upper_bound(begin);
  if (shared != sharedRanges.begin()) {
    --shared;
    uint64_t end = shared->first + shared->second.bytes;
    if (begin < end && bytes > end - begin)
      return std::to_string(bytes) + " bytes from byte " +
             std::to_string(begin - shared->first) + " of a shared memory of " +
             std::to_string(shared->second.bytes) + " bytes";
  }
  for (const Allocation &block : quarantine) {
    uint64_t first = reinterpret_cast<uint64_t>(block.raw) + kGuardBytes;
    if (begin >= first && begin < first + block.bytes)
      return "memory that was freed";
  }
  return {};
}

std::string GlobalMemory::describe(uint64_t address) const {
  std::lock_guard<std::mutex> lock(mutex);
  return describeHeld(address);
}

std::string GlobalMemory::describeUnmapped(uint64_t address) const {
  std::lock_guard<std::mutex> lock(mutex);
  return heap ? heap->describeUnmapped(address) : "";
}

std::string GlobalMemory::describeHeld(uint64_t address) const {
  struct Block {
    uint64_t begin, bytes;
    std::string name, what;
  };
  std::vector<Block> blocks;
  blocks.reserve(allocations.size() + quarantine.size());
  auto allocation = [](const Allocation &block) {
    return ", allocation " + std::to_string(block.number) + " of the device";
  };
  for (const auto &entry : allocations)
    blocks.push_back({entry.first, entry.second.bytes, "a buffer",
                      allocation(entry.second)});
  for (const Allocation &block : quarantine)
    blocks.push_back({reinterpret_cast<uint64_t>(block.raw) + kGuardBytes,
                      block.bytes, "a buffer",
                      allocation(block) + " that was freed"});
  for (const auto &entry : hostRanges)
    blocks.push_back({entry.first, entry.second.bytes, "a buffer",
                      ", memory of the host that was registered"});
  for (const auto &entry : sharedRanges)
    if (!heap || !heap->findRank(entry.first))
      blocks.push_back(
          {entry.first, entry.second.bytes, "shared memory",
           entry.second.reserved ? ", of another rank" : ", of this rank"});
  if (std::optional<int32_t> rank =
          heap ? heap->findRank(address) : std::nullopt)
    for (const SharedHeap::Block &block : heap->blocks())
      blocks.push_back({heap->base(*rank) + block.offset, block.bytes,
                        "a buffer",
                        ", allocation " + std::to_string(block.number) +
                            " of " + heap->describe(address) +
                            (block.freed ? ", that was freed" : "")});
  const Block *nearest = nullptr;
  uint64_t best = UINT64_MAX;
  for (const Block &block : blocks) {
    const uint64_t end = block.begin + block.bytes;
    uint64_t distance = address < block.begin ? block.begin - address
                        : address >= end      ? address - end + 1
                                              : 0;
    if (distance < best) {
      best = distance;
      nearest = &block;
    }
  }
  if (!nearest)
    return "nothing is allocated";
  const uint64_t end = nearest->begin + nearest->bytes;
  std::string text =
      address < nearest->begin
          ? std::to_string(nearest->begin - address) + " bytes before the start"
      : address >= end
          ? std::to_string(address - end) + " bytes past the end"
          : std::to_string(address - nearest->begin) + " bytes past the start";
  char place[32];
  std::snprintf(place, sizeof(place), "0x%llx",
                (unsigned long long)nearest->begin);
  return text + " of " + nearest->name + " of " +
         std::to_string(nearest->bytes) + " bytes at " + place + nearest->what;
}

bool GlobalMemory::isNearDeviceMemory(uint64_t address) const {
  auto holds = [&](uint64_t begin, size_t bytes) {
    return address + kGuardBytes >= begin &&
           address < begin + bytes + kGuardBytes;
  };
  auto anyHolds = [&](const auto &blocks) {
    return std::any_of(blocks.begin(), blocks.end(), [&](const auto &block) {
      return holds(block.first, block.second.bytes);
    });
  };
  std::lock_guard<std::mutex> lock(mutex);
  return anyHolds(allocations) || anyHolds(hostRanges) ||
         anyHolds(sharedRanges) ||
         std::any_of(quarantine.begin(), quarantine.end(),
                     [&](const Allocation &block) {
                       return holds(reinterpret_cast<uint64_t>(block.raw) +
                                        kGuardBytes,
                                    block.bytes);
                     });
}

std::string
GlobalMemory::adviseOnHostMemory(uint64_t address,
                                 const std::vector<uint64_t> &words) const {
  const MemoryRange mapping = findMapping(address);
  if (mapping.begin == mapping.end || isNearDeviceMemory(address))
    return {};
  // Use the argument from which the address was most likely computed. If there
  // is none, the pointer was read from memory. In that case, the address
  // belongs to the host unless the same mapping contains device memory.
  uint64_t from = 0;
  for (uint64_t word : words)
    if (word >= mapping.begin && word <= address)
      from = std::max(from, word);
  bool isOfHost = from && !isNearDeviceMemory(from);
  if (!from) {
    std::lock_guard<std::mutex> lock(mutex);
    auto first = allocations.lower_bound(mapping.begin);
    isOfHost = first == allocations.end() || first->first >= mapping.end;
  }
  return isOfHost ? "; this memory was not given to the device: mgpuMemAlloc, "
                    "gpu.alloc host_shared or mgpuMemHostRegister"
                  : "";
}
