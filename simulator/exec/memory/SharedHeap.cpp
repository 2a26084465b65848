//===- SharedHeap.cpp - What ranks know of each other's heaps -------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/exec/memory/SharedHeap.h"

#include <algorithm>
#include <sys/mman.h>

using namespace aircc::sim;

/// The number of freed allocations that are kept for messages.
static constexpr size_t kFreedKept = 64;
static constexpr uint64_t pageBytes = 4096;

//===----------------------------------------------------------------------===//
// Layout
//===----------------------------------------------------------------------===//

static uint64_t roundUp(uint64_t bytes, uint64_t to) {
  return (bytes + to - 1) / to * to;
}

/// Returns the offset of the cells on the board.
static uint64_t cellsOffset(uint64_t addresses, uint64_t granuleBytes,
                            uint64_t ranks) {
  // The board has granules, a row of clocks, and two rows for barriers of each
  // size.
  return roundUp(addresses / granuleBytes * 4 + 4 * ranks * (1 + 2 * ranks),
                 pageBytes);
}

uint64_t SharedHeap::totalBytes(uint64_t addresses, int32_t ranks,
                                bool checked) {
  return addresses + cellsOffset(addresses, granuleBytes, ranks) +
         (checked ? addresses / 4 * sizeof(RankCell) : 0);
}

SharedHeap::SharedHeap(int32_t rank, std::vector<HeapOfRank> heaps,
                       uint64_t addresses, bool checked)
    : own(rank), heaps(std::move(heaps)), bytes(addresses), checked(checked),
      known(this->heaps.size()) {
  known[own] = 1;
}

SharedHeap::Granule *SharedHeap::granules(int32_t rank) const {
  static_assert(sizeof(Granule) == 4);
  return reinterpret_cast<Granule *>(heaps[rank].base + bytes);
}

std::atomic<uint32_t> *SharedHeap::clocks(int32_t rank) const {
  return reinterpret_cast<std::atomic<uint32_t> *>(
      heaps[rank].base + bytes + bytes / granuleBytes * sizeof(Granule));
}

std::atomic<uint32_t> *SharedHeap::meeting(int32_t rank, int32_t count,
                                           unsigned parity) const {
  return clocks(rank) + ranks() * (1 + 2 * (uint64_t(count) - 1) + parity);
}

RankCell *SharedHeap::cell(uint64_t address) const {
  std::optional<int32_t> rank = findRank(address);
  if (!checked || !rank || !isMapped(*rank))
    return nullptr;
  auto *cells = reinterpret_cast<RankCell *>(
      heaps[*rank].base + bytes + cellsOffset(bytes, granuleBytes, ranks()));
  return cells + (address - base(*rank)) / 4;
}

std::optional<int32_t> SharedHeap::findRank(uint64_t address) const {
  for (int32_t rank = 0; rank < ranks(); ++rank)
    if (address - base(rank) < bytes)
      return rank;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Allocations
//===----------------------------------------------------------------------===//

void SharedHeap::allocate(uint64_t offset, uint64_t size) {
  std::lock_guard<std::mutex> lock(mutex);
  std::erase_if(freed, [&](const Block &block) {
    return block.offset < offset + size && offset < block.offset + block.bytes;
  });
  live[offset] = {offset, size, ++allocations, false};
  Granule *first = granules(own) + offset / granuleBytes;
  for (uint64_t at = 0; at < size; at += granuleBytes) {
    first[at / granuleBytes].valid =
        static_cast<uint16_t>(std::min(granuleBytes, size - at));
    first[at / granuleBytes].allocated = 1;
  }
}

void SharedHeap::free(uint64_t offset) {
  std::lock_guard<std::mutex> lock(mutex);
  auto it = live.find(offset);
  if (it == live.end())
    return;
  Block block = it->second;
  live.erase(it);
  block.freed = true;
  if (freed.size() >= kFreedKept)
    freed.erase(freed.begin());
  freed.push_back(block);
  Granule *first = granules(own) + offset / granuleBytes;
  for (uint64_t at = 0; at < block.bytes; at += granuleBytes)
    first[at / granuleBytes].valid = 0;
  // Accesses to this allocation are irrelevant for the next owner. The cells of
  // an allocation begin at a page boundary, and the next allocation is far
  // away.
  if (checked) {
    RankCell *begin = cell(base(own) + offset);
    const uint64_t size =
        roundUp(block.bytes / 4 * sizeof(RankCell) + 1, pageBytes);
    madvise(begin, size, MADV_REMOVE);
  }
}

bool SharedHeap::isValid(int32_t rank, uint64_t offset, uint64_t size) const {
  if (offset > bytes || size > bytes - offset)
    return false;
  const Granule *table = granules(rank);
  const uint64_t end = offset + size;
  for (uint64_t at = offset; at < end;) {
    const uint64_t begin = at / granuleBytes * granuleBytes;
    const uint64_t stop = std::min(end, begin + granuleBytes);
    if (table[at / granuleBytes].valid < stop - begin)
      return false;
    at = stop;
  }
  return true;
}

bool SharedHeap::isAllocated(uint64_t begin, uint64_t end) {
  std::optional<int32_t> rank = findRank(begin);
  if (!rank || !isMapped(*rank) || end < begin)
    return false;
  const uint64_t offset = begin - base(*rank), size = end - begin;
  if (isValid(*rank, offset, size))
    return true;
  if (*rank == own)
    return false;
  // Ranks make the same allocations at different times, so an allocation of
  // this rank counts for the peer. Barriers compare the heaps.
  if (!isValid(own, offset, size))
    return false;
  if (granules(*rank)[offset / granuleBytes].allocated == 0) {
    std::lock_guard<std::mutex> lock(mutex);
    expected.insert({*rank, offset});
  }
  return true;
}

std::string SharedHeap::findUnallocated() {
  std::lock_guard<std::mutex> lock(mutex);
  for (auto [rank, offset] : expected)
    if (granules(rank)[offset / granuleBytes].allocated == 0)
      return "rank " + std::to_string(own) + " has accessed memory at byte " +
             std::to_string(offset / spread) + " of rank " +
             std::to_string(rank) +
             "'s symmetric heap, where that rank never allocated anything; all "
             "ranks must allocate the same sizes in the same order";
  expected.clear();
  return {};
}

std::vector<SharedHeap::Block> SharedHeap::blocks() const {
  std::lock_guard<std::mutex> lock(mutex);
  std::vector<Block> all;
  all.reserve(live.size() + freed.size());
  for (auto &entry : live)
    all.push_back(entry.second);
  all.insert(all.end(), freed.begin(), freed.end());
  return all;
}

std::string SharedHeap::describe(uint64_t address) const {
  std::optional<int32_t> rank = findRank(address);
  return rank ? "rank " + std::to_string(*rank) + "'s symmetric heap" : "";
}

std::string SharedHeap::describeUnmapped(uint64_t address) const {
  std::optional<int32_t> rank = findRank(address);
  if (!rank || isMapped(*rank))
    return {};
  return "in the symmetric heap of rank " + std::to_string(*rank) +
         ", which is on another node; kernels reach the ranks of their own "
         "node, and others through channels";
}

//===----------------------------------------------------------------------===//
// Clocks
//===----------------------------------------------------------------------===//

void SharedHeap::join(const std::atomic<uint32_t> *row) {
  std::atomic<uint32_t> *mine = clocks(own);
  for (int32_t rank = 0; rank < ranks(); ++rank)
    if (rank != own && row[rank] > known[rank])
      mine[rank] = known[rank] = row[rank].load();
}

void SharedHeap::publish() {
  std::lock_guard<std::mutex> lock(mutex);
  clocks(own)[own] = known[own]++;
}

void SharedHeap::acquireFrom(int32_t rank, uint32_t clock) {
  if (rank == own || isBefore(rank, clock))
    return;
  std::lock_guard<std::mutex> lock(mutex);
  // The rank may have continued, but its later actions are not acquired.
  const uint32_t before = std::max(known[rank].load(), clock);
  join(clocks(rank));
  clocks(own)[rank] = known[rank] = before;
}

void SharedHeap::hear(int32_t rank) {
  if (rank == own)
    return;
  std::lock_guard<std::mutex> lock(mutex);
  if (isMapped(rank))
    return join(clocks(rank));
  for (int32_t near = 0; near < ranks(); ++near)
    if (isMapped(near) && near != own)
      join(clocks(near));
}

void SharedHeap::arrive(int32_t count) {
  publish();
  std::lock_guard<std::mutex> lock(mutex);
  std::atomic<uint32_t> *row = meeting(own, count, parities[count] % 2);
  for (int32_t rank = 0; rank < ranks(); ++rank)
    row[rank] = clocks(own)[rank].load();
}

void SharedHeap::leave(int32_t count) {
  std::lock_guard<std::mutex> lock(mutex);
  // No rank is more than one barrier ahead, so the row is unchanged.
  const unsigned parity = parities[count]++ % 2;
  for (int32_t rank = 0; rank < count; ++rank)
    if (rank != own && isMapped(rank))
      join(meeting(rank, count, parity));
}
