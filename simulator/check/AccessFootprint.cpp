//===- AccessFootprint.cpp - The addresses of one access ------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/check/AccessFootprint.h"

#include "simulator/exec/VectorClones.h"

#include <algorithm>

using namespace aircc::sim;

namespace {
struct Shape {
  uint64_t low, high, bits, differs;
};
} // namespace

/// Returns whether each lane L of `count` lanes accesses addresses[0] + L *
/// stride.
AIRCC_SIM_VECTOR_CLONES static bool
areStrided(const uint64_t *addresses, unsigned count, uint64_t stride) {
  uint64_t differs = 0, even = addresses[0];
#pragma clang loop vectorize(enable)
  for (unsigned lane = 0; lane < count; ++lane) {
    differs |= addresses[lane] ^ even;
    even += stride;
  }
  return !differs;
}

/// Computes the shape of the addresses of `count` consecutive lanes.
AIRCC_SIM_VECTOR_CLONES static void measure(const uint64_t *addresses,
                                            unsigned count, Shape &shape) {
  uint64_t low = addresses[0], high = addresses[0], bits = 0;
#pragma clang loop vectorize(enable)
  for (unsigned lane = 0; lane < count; ++lane) {
    const uint64_t address = addresses[lane];
    low = address < low ? address : low;
    high = address > high ? address : high;
    bits |= address;
  }
  shape = {low, high, bits, 1};
}

/// The period of addressBits. Addresses of lanes that are this far apart have
/// the same low bits.
static constexpr unsigned kBitsPeriod = 16;

/// Returns the bitwise or of the low address bits of strided lanes.
static uint64_t lowBits(uint64_t begin, unsigned count, uint64_t stride) {
  uint64_t bits = 0;
  for (unsigned lane = 0; lane < std::min(count, kBitsPeriod); ++lane)
    bits |= begin + lane * stride;
  return bits;
}

AccessFootprint::AccessFootprint(LaneAddresses from, uint64_t lanes,
                                 unsigned bytes)
    : addresses(from), lanes(lanes), bytes(bytes) {
  uint64_t buffer[64];
  const uint64_t *addresses = from.all(buffer);
  const unsigned first = firstLane();
  const uint64_t run = lanes >> first;
  Shape shape;
  if (!(run & (run + 1))) {
    const unsigned count = llvm::popcount(lanes);
    stride = count > 1 ? addresses[first + 1] - addresses[first] : bytes;
    const uint64_t begin = addresses[first], end = begin + (count - 1) * stride;
    if (stride <= UINT32_MAX && areStrided(addresses + first, count, stride))
      shape = {begin, end, lowBits(begin, count, stride), 0};
    else
      measure(addresses + first, count, shape);
  } else {
    // Here, the active lanes are not consecutive.
    const uint64_t begin = addresses[first];
    const unsigned second = llvm::countr_zero(lanes & (lanes - 1));
    const uint64_t distance = second - first;
    stride = (addresses[second] - begin) / distance;
    shape = {begin, begin, 0, 0};
    for (uint64_t rest = lanes; rest; rest &= rest - 1) {
      const unsigned lane = llvm::countr_zero(rest);
      const uint64_t address = addresses[lane];
      shape.low = address < shape.low ? address : shape.low;
      shape.high = address > shape.high ? address : shape.high;
      shape.bits |= address;
      shape.differs |= address ^ (begin + (lane - first) * stride);
    }
  }
  // Do not treat descending addresses as strided.
  isStrided = !shape.differs && shape.low == addresses[first];
  low = shape.low;
  high = shape.high + bytes;
  addressBits = shape.bits % kBitsPeriod;
}
