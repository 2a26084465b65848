//===- LaneCounts.h - Counters of a SPIR-V kernel ---------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_OBSERVE_LANECOUNTS_H
#define AIRCC_SIMULATOR_OBSERVE_LANECOUNTS_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace aircc::sim::spirv {

/// The rows of the table, each with a count and a number of bytes or
/// multiply-adds.
class LaneCounts {
public:
  enum Row {
    GlobalReads, ///< Per lane.
    GlobalWrites,
    SlmReads,
    SlmWrites,
    Atomics,
    BlockReads, ///< Per subgroup, with the bytes that are on the surface.
    BlockWrites,
    BlockPrefetches,
    LinearReads,
    LinearWrites,
    Dpas, ///< The amount is in multiply-adds.
    GroupOperations,
    Barriers,
    Rows
  };

  void add(Row row, uint64_t amount = 0) { addTimes(row, 1, amount); }
  void addTimes(Row row, uint64_t times, uint64_t amount) {
    counts[row].times += times;
    counts[row].amount += amount;
  }
  /// Adds to the amount without counting another operation.
  void addAmount(Row row, uint64_t amount) { counts[row].amount += amount; }
  void addGroup(uint64_t ofSubgroups) {
    ++workgroups;
    subgroups += ofSubgroups;
  }
  void operator+=(const LaneCounts &other) {
    workgroups += other.workgroups;
    subgroups += other.subgroups;
    for (size_t i = 0; i < Rows; ++i) {
      counts[i].times += other.counts[i].times;
      counts[i].amount += other.counts[i].amount;
    }
  }
  uint64_t times(Row row) const { return counts[row].times; }
  uint64_t amount(Row row) const { return counts[row].amount; }

  /// Return the numbers of workgroups and subgroups that have started.
  uint64_t getWorkgroups() const { return workgroups; }
  uint64_t getSubgroups() const { return subgroups; }

  /// The name of a row and of its amount's unit, in the table and in JSON. The
  /// unit is null if the row has no amount.
  struct RowText {
    const char *name, *key, *unit, *unitKey;
  };
  static const RowText &text(Row row);
  /// Returns the table of the rows that are not zero.
  std::string table() const;

private:
  uint64_t workgroups = 0, subgroups = 0;
  struct Count {
    uint64_t times = 0, amount = 0;
  };
  std::array<Count, Rows> counts;
};

} // namespace aircc::sim::spirv

#endif // AIRCC_SIMULATOR_OBSERVE_LANECOUNTS_H
