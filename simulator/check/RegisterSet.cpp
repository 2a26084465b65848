//===- RegisterSet.cpp - Sets of a wave's registers -----------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/check/RegisterSet.h"

using namespace aircc::sim;

TouchedRegisters::TouchedRegisters(const OpInfo &info) {
  for (const auto *ranges : {&info.reads, &info.writes})
    for (const RegRange &range : *ranges)
      for (unsigned k = 0; k < range.count; ++k)
        add(RegisterSet::indexOf(range.vector, range.first + k));
  if (info.readsScc || info.writesScc)
    add(RegisterSet::kScc);
}

void TouchedRegisters::add(unsigned place) {
  const uint64_t bit = uint64_t(1) << place % 64;
  for (unsigned i = 0; i < count; ++i)
    if (word[i] == place / 64) {
      mask[i] |= bit;
      return;
    }
  word[count] = static_cast<uint8_t>(place / 64);
  mask[count++] = bit;
}
