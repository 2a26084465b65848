//===- LaneAddresses.h - The addresses of one access ------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// LDS instructions compute the address of a lane as the sum of a register and
// an offset, in 32 bits. Observers usually do not need the sums, because they
// recognize the pattern of the register's values (check/AddressShapes.h).
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_EXEC_LANEADDRESSES_H
#define AIRCC_SIMULATOR_EXEC_LANEADDRESSES_H

#include <cstdint>

namespace aircc::sim {

class LaneAddresses {
public:
  LaneAddresses() = default;
  /// The addresses are given by lane. Those of inactive lanes are not read.
  LaneAddresses(const uint64_t *values) : values(values) {}
  /// The addresses are row[lane] + offset, in 32 bits.
  LaneAddresses(const uint32_t *row, uint32_t offset)
      : registers(row), registerOffset(offset) {}

  uint64_t operator[](unsigned lane) const {
    return values ? values[lane] : registers[lane] + registerOffset;
  }
  /// Returns the register, or null.
  const uint32_t *row() const { return registers; }
  uint32_t offset() const { return registerOffset; }

  /// Returns all addresses, which are stored in `buffer` if they are not stored
  /// yet.
  const uint64_t *all(uint64_t (&buffer)[64]) const;

private:
  const uint64_t *values = nullptr;
  const uint32_t *registers = nullptr;
  uint32_t registerOffset = 0;
};

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_EXEC_LANEADDRESSES_H
