//===- FaultList.h - Faults, reported once for each place -------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop meets the same fault in every iteration: it is reported once for the
// places in the code that take part, with the number of times. Reports are
// grouped by kind of fault.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_CHECK_FAULTLIST_H
#define AIRCC_SIMULATOR_CHECK_FAULTLIST_H

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace aircc::sim {

class FaultList {
public:
  /// How many are reported in full.
  explicit FaultList(unsigned limit) : limit(limit) {}

  /// Which kind of fault, by which instruction, with which other one (or null).
  /// Kinds are reported in the order of their numbers.
  using Key = std::tuple<unsigned, const void *, const void *>;

  /// Whether this is new: if it is not, it is only counted.
  bool isNew(const Key &key);
  /// Whether the text of the next new one of a kind is needed.
  bool needsText(unsigned kind) const;
  void add(const Key &key, std::string text);

  /// Which kinds a report is about, and what it calls them.
  struct Selection {
    std::function<bool(unsigned kind)> contains;
    std::function<std::string(unsigned kind)> name;
    /// "the checker found", "a fault", "faults"
    std::string intro, one, several;
  };
  /// The report on one kernel, or "".
  std::string text(const std::string &kernel, const Selection &selection) const;

private:
  struct Entry {
    std::string text;
    uint64_t count = 0;
  };
  unsigned limit;
  /// By kind, in the order in which they were found.
  std::map<unsigned, std::vector<Entry>> entries;
  std::map<Key, size_t> index;
};

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_CHECK_FAULTLIST_H
