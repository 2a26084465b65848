//===- RaceDetector.cpp - Detection of unordered accesses -----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/check/RaceDetector.h"

#include "simulator/exec/Observe.h"

#include <cstring>

using namespace aircc::sim;

std::string aircc::sim::accessText(bool writes, bool isAtomic) {
  return isAtomic ? "atomic" : writes ? "write" : "read";
}

bool aircc::sim::changesMemory(const MemoryAccess &access, unsigned lane,
                               uint64_t address, unsigned bytes,
                               const void *memory) {
  if (access.kind != AccessKind::Write || !access.data)
    return true;
  const uint64_t k = address - access.addresses[lane];
  const uint32_t value = access.data[k / 4 * kRowLanes + lane] >>
                         (8 * (k % 4) + (access.dataHigh ? 16 : 0));
  return std::memcmp(&value, memory, bytes) != 0;
}
