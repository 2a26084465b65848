//===- AddressShapes.h - Patterns of LDS addresses --------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// When an LDS instruction is executed again, its lanes usually have the same
// distances from lane 0, because a loop adds the same number to all addresses.
// A shape is the set of these distances. It is analyzed once, and later
// recognized by comparing the address register with it.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_CHECK_ADDRESSSHAPES_H
#define AIRCC_SIMULATOR_CHECK_ADDRESSSHAPES_H

#include <cstdint>
#include <deque>
#include <unordered_map>

namespace aircc::sim {

/// The distances of the addresses of a full wave from that of lane 0.
struct alignas(64) AddressShape {
  uint32_t distances[64];
  unsigned lanes = 0; ///< 32 or 64
  int32_t low = 0, high = 0;
  bool isStrided = false; ///< Whether distances[L] is L * stride.
  uint32_t stride = 0;
  /// Accesses of the lanes do not overlap if they have at most this many bytes.
  uint32_t gap = UINT32_MAX;
  uint16_t residues = 0; ///< Bit k is set if a distance is k modulo 16.

  /// Returns the bitwise or of the low four bits of all addresses, if the
  /// address of lane 0 is `first`.
  unsigned lowBits(uint32_t first) const {
    const unsigned by = first % 16;
    const unsigned all = residues << by;
    const unsigned set = (all | all >> 16) & 0xffff;
    // These are the numbers up to 15 that have bit k.
    return (set & 0xaaaa ? 1 : 0) | (set & 0xcccc ? 2 : 0) |
           (set & 0xf0f0 ? 4 : 0) | (set & 0xff00 ? 8 : 0);
  }
};

/// An access of a full wave whose addresses have a shape and do not overflow.
struct ShapedAccess {
  ShapedAccess(const AddressShape &shape, uint32_t first, unsigned bytes)
      : shape(shape), first(first), bytes(bytes),
        low(uint64_t(first) + shape.low),
        high(uint64_t(first) + shape.high + bytes) {}

  const AddressShape &shape;
  uint32_t first;     ///< The address of lane 0.
  unsigned bytes;     ///< The bytes that each lane accesses.
  uint64_t low, high; ///< All bytes are in [low, high).
};

/// The shapes of a launch. References to them remain valid.
class AddressShapes {
public:
  /// Returns the shape of the first `lanes` values in a register. `recent` is
  /// the shape of an earlier, similar access or null, and is updated. Returns
  /// null if there are too many shapes.
  const AddressShape *find(const uint32_t *row, unsigned lanes,
                           const AddressShape *&recent) {
    if (recent && recent->lanes == lanes && matches(*recent, row))
      return recent;
    return recent = intern(row, lanes);
  }
  void clear();

private:
  static bool matches(const AddressShape &shape, const uint32_t *row);
  const AddressShape *intern(const uint32_t *row, unsigned lanes);

  std::deque<AddressShape> shapes;
  std::unordered_multimap<uint64_t, const AddressShape *> byHash;
};

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_CHECK_ADDRESSSHAPES_H
