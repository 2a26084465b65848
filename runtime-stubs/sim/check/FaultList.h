//===- FaultList.h - Faults that are told once each -------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop meets the same fault again and again: it is told for the places in the
// code that take part, once, and counted.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIM_CHECK_FAULTLIST_H
#define AIRCC_SIM_CHECK_FAULTLIST_H

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace aircc::sim {

class FaultList {
public:
  /// How many are told in full.
  explicit FaultList(unsigned limit) : limit(limit) {}

  /// Which kind of fault, by which instruction, with which other one (or null).
  using Key = std::tuple<unsigned, const void *, const void *>;

  /// Whether this is new: if it is not, it is only counted.
  bool isNew(const Key &key);
  /// Whether the text of the next new one will be told.
  bool wantsText() const { return entries.size() < limit; }
  void add(const Key &key, std::string text);

  /// All of them and how many there were, or "".
  std::string text(const std::string &kernel) const;

private:
  struct Entry {
    std::string text;
    uint64_t count = 0;
  };
  unsigned limit;
  std::map<Key, size_t> index;
  std::vector<Entry> entries;
};

} // namespace aircc::sim

#endif // AIRCC_SIM_CHECK_FAULTLIST_H
