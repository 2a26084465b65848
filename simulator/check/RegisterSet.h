//===- RegisterSet.h - Sets of a wave's registers ---------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Bit sets of registers, and the few words of such a set that contain the
// registers of an instruction, so that testing an instruction against a set
// reads one or two words.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_CHECK_REGISTERSET_H
#define AIRCC_SIMULATOR_CHECK_REGISTERSET_H

#include "simulator/exec/OpInfo.h"

#include <array>
#include <cstdint>

namespace aircc::sim {

constexpr unsigned kShadowScalars = kScalarRegs + 16;

/// Contains vector rows, then scalars, then SCC.
struct RegisterSet {
  static constexpr unsigned kScc = kVectorRows + kShadowScalars;
  static constexpr unsigned kWords = kScc / 64 + 1;
  std::array<uint64_t, kWords> words{};

  static constexpr unsigned indexOf(bool vector, unsigned reg) {
    return vector ? reg : kVectorRows + reg;
  }
  bool has(unsigned place) const { return words[place / 64] >> place % 64 & 1; }
  void set(unsigned place, bool value) {
    const uint64_t bit = uint64_t(1) << place % 64;
    if (value)
      words[place / 64] |= bit;
    else
      words[place / 64] &= ~bit;
  }
  void clear() { words.fill(0); }
};

/// The registers that an instruction reads or writes.
class TouchedRegisters {
public:
  TouchedRegisters() = default;
  explicit TouchedRegisters(const OpInfo &info);

  bool intersects(const RegisterSet &set) const {
    uint64_t any = 0;
    for (unsigned i = 0; i < count; ++i)
      any |= set.words[word[i]] & mask[i];
    return any != 0;
  }
  /// For each of two sets, whether the registers intersect it.
  struct Intersections {
    bool first, second;
  };
  Intersections intersect(const RegisterSet &a, const RegisterSet &b) const {
    // Most instructions have few words; the other masks are 0.
    uint64_t first = 0, second = 0;
    auto add = [&](unsigned i) {
      first |= a.words[word[i]] & mask[i];
      second |= b.words[word[i]] & mask[i];
    };
    add(0);
    add(1);
    add(2);
    for (unsigned i = 3; i < count; ++i)
      add(i);
    return {first != 0, second != 0};
  }
  template <class Visit> void forEach(const Visit &visit) const {
    for (unsigned i = 0; i < count; ++i)
      for (uint64_t rest = mask[i]; rest; rest &= rest - 1)
        visit(word[i] * 64 + __builtin_ctzll(rest));
  }

  /// Visits the registers that are also in `set`.
  template <class Visit>
  void forEach(const RegisterSet &set, const Visit &visit) const {
    for (unsigned i = 0; i < count; ++i)
      for (uint64_t rest = mask[i] & set.words[word[i]]; rest; rest &= rest - 1)
        visit(word[i] * 64 + __builtin_ctzll(rest));
  }

private:
  void add(unsigned place);

  uint8_t count = 0;
  uint8_t word[RegisterSet::kWords] = {};
  uint64_t mask[RegisterSet::kWords] = {};
};

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_CHECK_REGISTERSET_H
