//===- AccessFootprint.h - The addresses of one access ----------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The addresses of an access and their pattern. Most accesses are to a single
// address, to consecutive addresses, or strided, and the checker handles all
// lanes of such an access together.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_CHECK_ACCESSFOOTPRINT_H
#define AIRCC_SIMULATOR_CHECK_ACCESSFOOTPRINT_H

#include "simulator/check/AddressShapes.h"
#include "simulator/exec/LaneAddresses.h"

#include "llvm/ADT/bit.h"

#include <cstdint>

namespace aircc::sim {

struct AccessFootprint {
  LaneAddresses addresses; ///< Set only for lanes in `lanes`.
  uint64_t lanes = 0;      ///< Never empty.
  unsigned bytes = 0;      ///< The bytes that each lane accesses.

  uint64_t low = 0, high = 0; ///< All bytes are in [low, high).
  uint64_t addressBits = 0;   ///< The bitwise or of the low four bits of all
                              ///< addresses.
  /// Whether lane L accesses low + (L - firstLane()) * stride.
  bool isStrided = false;
  uint64_t stride = 0;
  const AddressShape *shape = nullptr; ///< Null if unknown.

  AccessFootprint() = default;
  AccessFootprint(LaneAddresses addresses, uint64_t lanes, unsigned bytes);
  AccessFootprint(LaneAddresses addresses, const ShapedAccess &access)
      : addresses(addresses),
        lanes(access.shape.lanes == 64 ? ~uint64_t(0) : 0xffffffff),
        bytes(access.bytes), low(access.low), high(access.high),
        addressBits(access.shape.lowBits(access.first)),
        isStrided(access.shape.isStrided), stride(access.shape.stride),
        shape(&access.shape) {}

  unsigned firstLane() const { return llvm::countr_zero(lanes); }
  bool isSingleAddress() const { return high - low == bytes; }
  /// Returns whether the lanes access consecutive dwords in order, without a
  /// gap.
  bool isContiguous() const {
    return isStrided && stride == bytes && bytes % 4 == 0 &&
           !((lanes >> firstLane()) & ((lanes >> firstLane()) + 1));
  }
  bool overlaps(uint64_t begin, uint64_t end) const {
    return low < end && begin < high;
  }

  /// Calls visit(lane, address, bytes) for all lanes, with one call for the
  /// whole range of consecutive lanes. Stops when it returns false.
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
