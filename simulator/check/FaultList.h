//===- FaultList.h - Faults, reported once for each place -------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A loop has the same fault in every iteration. It is reported once for each
// combination of instructions, with the number of occurrences. Reports are
// grouped by the kind of fault.
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
  /// At most `limit` faults are reported in full.
  explicit FaultList(unsigned limit) : limit(limit) {}

  /// The kind of fault, its instruction, and the other instruction or null.
  /// Kinds are reported in the order of their numbers.
  using Key = std::tuple<unsigned, const void *, const void *>;

  /// Returns whether the fault is new. If not, counts the occurrence.
  bool isNew(const Key &key);
  /// Returns whether the next new fault of a kind needs a text.
  bool needsText(unsigned kind) const;
  void add(const Key &key, std::string text);

  /// The kinds of a report and their names.
  struct Selection {
    std::function<bool(unsigned kind)> contains;
    std::function<std::string(unsigned kind)> name;
    /// Texts such as "the checker found", "a fault", "faults".
    std::string intro, one, several;
  };
  /// Returns the report on one kernel, or "" if there are no faults.
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
