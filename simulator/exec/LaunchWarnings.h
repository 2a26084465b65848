//===- LaunchWarnings.h - Warnings about a launch ---------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Accesses that the hardware may allow but that are probably wrong. Each is
// reported once, with its number of occurrences.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_EXEC_LAUNCHWARNINGS_H
#define AIRCC_SIMULATOR_EXEC_LAUNCHWARNINGS_H

#include <algorithm>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

namespace aircc::sim {

/// Collects the warnings of a launch. Thread-safe.
class LaunchWarnings {
public:
  /// Adds an occurrence at `where`, reported as "WHAT AMOUNT UNIT; WHERE" with
  /// the largest amount.
  void add(const std::string &what, uint64_t amount, const std::string &unit,
           const std::string &where) {
    std::lock_guard<std::mutex> lock(mutex);
    Warning &warning = warnings[{where, what, unit}];
    warning.amount = std::max(warning.amount, amount);
    ++warning.count;
  }

  /// Returns a line for each warning, in an order that does not depend on
  /// threads.
  std::vector<std::string> lines(const std::string &kernel) const {
    std::vector<std::string> all;
    all.reserve(warnings.size());
    for (const auto &[key, warning] : warnings)
      all.push_back("kernel '" + kernel + "': " + key.what + " " +
                    std::to_string(warning.amount) + " " + key.unit + "; " +
                    key.where + "; met " + std::to_string(warning.count) +
                    (warning.count == 1 ? " time" : " times"));
    return all;
  }

private:
  struct Key {
    std::string where, what, unit;
    bool operator<(const Key &other) const {
      return std::tie(where, what, unit) <
             std::tie(other.where, other.what, other.unit);
    }
  };
  struct Warning {
    uint64_t amount = 0, count = 0;
  };
  std::mutex mutex;
  std::map<Key, Warning> warnings;
};

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_EXEC_LAUNCHWARNINGS_H
