//===- DistinctLines.h - The cache lines that a kernel touches --*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_OBSERVE_DISTINCTLINES_H
#define AIRCC_SIMULATOR_OBSERVE_DISTINCTLINES_H

#include "llvm/ADT/DenseMap.h"

#include <array>
#include <cstdint>

namespace aircc::sim {

/// The cache lines that the accesses of a launch read and write, which is what
/// it would transfer if caches kept everything.
class DistinctLines {
public:
  /// `lineBytes` must be a power of two. Accesses to [ignored, ignored +
  /// ignoredBytes) do not count.
  void begin(unsigned lineBytes, uint64_t ignored, uint64_t ignoredBytes);

  /// Adds an access of `bytes` for each lane of the mask `lanes`.
  void add(bool reads, bool writes, unsigned bytes, uint64_t lanes,
           const uint64_t *addresses);

  uint64_t countRead() const { return count(kRead); }
  uint64_t countWritten() const { return count(kWritten); }
  uint64_t countAll() const { return lines.size(); }

private:
  static constexpr uint8_t kRead = 1, kWritten = 2;

  uint64_t count(uint8_t use) const;

  unsigned shift = 0;
  uint64_t ignoredBegin = 0, ignoredEnd = 0;
  llvm::DenseMap<uint64_t, uint8_t> lines;
  /// The last lines that were added, and their uses. Nearly all accesses are to
  /// lines in this list.
  struct Recent {
    uint64_t line = ~uint64_t(0);
    uint8_t uses = 0;
  };
  std::array<Recent, 1024> recent;
};

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_OBSERVE_DISTINCTLINES_H
