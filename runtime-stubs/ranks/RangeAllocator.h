//===- RangeAllocator.h - Allocates ranges of a memory ----------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_RUNTIME_RANKS_RANGEALLOCATOR_H
#define AIRCC_RUNTIME_RANKS_RANGEALLOCATOR_H

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>

namespace aircc::rt {

/// Allocates ranges of a memory by first fit. The same sequence of calls
/// returns the same offsets.
class RangeAllocator {
public:
  explicit RangeAllocator(uint64_t bytes) { unused.emplace(0, bytes); }

  /// Allocates a range. Returns false if no range is large enough.
  bool allocate(uint64_t bytes, uint64_t &offset) {
    if (bytes > UINT64_MAX - alignment)
      return false;
    bytes = roundUp(bytes);
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

  /// Frees a range. Returns false if no range begins at `offset`.
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

  uint64_t largestFree() const {
    uint64_t largest = 0;
    for (auto [offset, bytes] : unused)
      largest = std::max(largest, bytes);
    return largest;
  }

  static constexpr uint64_t alignment = 256;
  static uint64_t roundUp(uint64_t bytes) {
    return (bytes + alignment - 1) / alignment * alignment;
  }

private:
  std::map<uint64_t, uint64_t> unused, used; // The sizes of ranges, by offset.
};

} // namespace aircc::rt

#endif // AIRCC_RUNTIME_RANKS_RANGEALLOCATOR_H
