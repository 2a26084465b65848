//===- DistinctLines.cpp - The cache lines that a kernel touches ----------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/observe/DistinctLines.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"

#include <algorithm>

using namespace aircc::sim;

void DistinctLines::begin(unsigned lineBytes, uint64_t ignored,
                          uint64_t ignoredBytes) {
  shift = llvm::countr_zero(lineBytes);
  ignoredBegin = ignored;
  ignoredEnd = ignored + ignoredBytes;
  lines.clear();
  recent.fill({});
}

void DistinctLines::add(bool reads, bool writes, unsigned bytes, uint64_t lanes,
                        const uint64_t *addresses) {
  const auto uses =
      static_cast<uint8_t>((reads ? kRead : 0) | (writes ? kWritten : 0));
  for (uint64_t rest = lanes; rest; rest &= rest - 1) {
    const uint64_t address = addresses[llvm::countr_zero(rest)];
    if (address >= ignoredBegin && address < ignoredEnd)
      continue;
    const uint64_t last = (address + std::max(bytes, 1u) - 1) >> shift;
    for (uint64_t line = address >> shift; line <= last; ++line) {
      Recent &known = recent[line % recent.size()];
      if (known.line == line && (known.uses & uses) == uses)
        continue;
      known = {line, lines[line] |= uses};
    }
  }
}

uint64_t DistinctLines::count(uint8_t use) const {
  return static_cast<uint64_t>(llvm::count_if(
      lines, [&](const auto &line) { return (line.second & use) != 0; }));
}
