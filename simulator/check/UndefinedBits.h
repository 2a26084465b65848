//===- UndefinedBits.h - Undefined bits through an operation ----*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Values with undefined bits, and how each operation propagates undefined bits
// from its sources to its result.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_CHECK_UNDEFINEDBITS_H
#define AIRCC_SIMULATOR_CHECK_UNDEFINEDBITS_H

#include "simulator/check/Shadow.h"
#include "simulator/exec/Op.h"

#include <cstdint>

namespace aircc::sim {

/// A value and its undefined bits.
struct Bits {
  uint64_t value = 0, undefined = 0;
};

uint64_t lowBits(unsigned count);
/// Returns all bits from the lowest set bit upwards.
uint64_t upwards(uint64_t v);

/// Returns the number of bits of an element: 1 for a mask, 32 for two packed
/// halves.
unsigned typeBits(ValueType type);
bool isPacked16(ValueType type);
bool isPacked32(ValueType type);

/// Return the undefined bits of a conjunction and of a disjunction.
uint64_t andBits(const Bits &a, const Bits &b);
uint64_t orBits(const Bits &a, const Bits &b);

/// Returns the undefined bits of a result of type `dst` with the sources `s`.
uint64_t transfer(TransferKind kind, const Bits *s, unsigned count,
                  ValueType dst, const Operand *operands);

/// Returns the undefined bits of a pair of scalar registers.
inline uint64_t scalarPair(const WaveShadow &shadow, unsigned reg) {
  return shadow.scalars[reg] | uint64_t(shadow.scalars[reg + 1]) << 32;
}

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_CHECK_UNDEFINEDBITS_H
