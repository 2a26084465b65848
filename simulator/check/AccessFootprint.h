//===- AccessFootprint.h - The addresses of one access ----------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The addresses of an access and what they have in common: most accesses go to
// one place, to places in a row, or at one distance from each other, and can be
// looked at as a whole then.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_CHECK_ACCESSFOOTPRINT_H
#define AIRCC_SIMULATOR_CHECK_ACCESSFOOTPRINT_H

#include "llvm/ADT/bit.h"

#include <cstdint>

namespace aircc::sim {

struct AccessFootprint {
  const uint64_t *addresses = nullptr; ///< Only those in `lanes` are set.
  uint64_t lanes = 0;                  ///< Never empty.
  unsigned bytes = 0;                  ///< Of one lane.

  uint64_t low = 0, high = 0; ///< The first byte, and the one after the last.
  uint64_t addressBits = 0;   ///< Those that are set in any address.
  /// Lanes are so far apart: lane L accesses low + (L - first) * stride.
  bool isStrided = false;
  uint64_t stride = 0;

  AccessFootprint() = default;
  AccessFootprint(const uint64_t *addresses, uint64_t lanes, unsigned bytes);

  unsigned firstLane() const { return llvm::countr_zero(lanes); }
  bool isSingleAddress() const { return high - low == bytes; }
  /// Dwords without a gap, in the order of the lanes.
  bool isContiguous() const {
    return isStrided && stride == bytes && bytes % 4 == 0 &&
           !((lanes >> firstLane()) & ((lanes >> firstLane()) + 1));
  }
  bool overlaps(uint64_t begin, uint64_t end) const {
    return low < end && begin < high;
  }

  /// Calls visit(lane, address, bytes) with all addresses, several lanes at
  /// once where they are in a row. It ends with the first that gives false.
  template <class Visit> void forEach(const Visit &visit) const {
    if (isSingleAddress()) {
      visit(firstLane(), low, bytes);
      return;
    }
    if (isContiguous()) {
      visit(firstLane(), low, static_cast<unsigned>(high - low));
      return;
    }
    uint64_t previous = UINT64_MAX;
    for (uint64_t rest = lanes; rest; rest &= rest - 1) {
      const unsigned lane = llvm::countr_zero(rest);
      const uint64_t address = addresses[lane];
      if (address == previous)
        continue;
      previous = address;
      if (!visit(lane, address, bytes))
        return;
    }
  }
};

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_CHECK_ACCESSFOOTPRINT_H
