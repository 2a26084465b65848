//===- CheckKinds.h - Kinds of checks ---------------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parses the value of --check and AIRCC_SIM_CHECK, a comma-separated list of
// kinds, for the driver and the simulated device. This header requires only the
// standard library.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_API_CHECKKINDS_H
#define AIRCC_SIMULATOR_API_CHECKKINDS_H

#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>

namespace aircc::sim {

enum class CheckKind : uint8_t {
  Races,     ///< Conflicting accesses that are not ordered.
  Waits,     ///< Missing s_waitcnt.
  Hazards,   ///< Missing wait states: warnings.
  Barriers,  ///< Barriers that not all waves reach, and deadlocks.
  Undefined, ///< Uses of values that were never written.
  Bounds,    ///< Misaligned accesses. Addresses are always checked.
};

inline constexpr const char *kCheckKindNames[] = {
    "races", "waits", "hazards", "barriers", "undefined", "bounds"};

class CheckSelection {
public:
  static constexpr CheckSelection all() {
    CheckSelection selection;
    selection.kinds = (1u << std::size(kCheckKindNames)) - 1;
    return selection;
  }
  /// Selects all kinds, with warnings as faults.
  static constexpr CheckSelection allAsFaults() {
    CheckSelection selection = all();
    selection.faults = selection.kinds;
    return selection;
  }

  bool any() const { return kinds != 0; }
  bool has(CheckKind kind) const { return kinds & bit(kind); }
  /// Returns whether the warnings of a kind are faults.
  bool hasAsFault(CheckKind kind) const { return faults & bit(kind); }

  /// Parses "0", "1", "all" or a list of kinds, each with an optional "=error".
  /// Returns an error message, or "".
  static std::string parse(std::string_view text, CheckSelection &result);

private:
  static constexpr uint8_t bit(CheckKind kind) {
    return static_cast<uint8_t>(1u << static_cast<unsigned>(kind));
  }

  uint8_t kinds = 0, faults = 0;
};

inline std::string CheckSelection::parse(std::string_view text,
                                         CheckSelection &result) {
  result = CheckSelection();
  if (text.empty() || text == "0")
    return {};
  while (true) {
    const size_t comma = text.find(',');
    std::string_view kind = text.substr(0, comma), severity;
    if (const size_t equals = kind.find('='); equals != kind.npos) {
      severity = kind.substr(equals);
      kind = kind.substr(0, equals);
    }
    uint8_t wanted = kind == "1" || kind == "all" ? all().kinds : 0;
    for (unsigned i = 0; i < std::size(kCheckKindNames); ++i)
      if (kind == kCheckKindNames[i])
        wanted = bit(static_cast<CheckKind>(i));
    if (!wanted || (!severity.empty() && severity != "=error")) {
      std::string known;
      for (const char *name : kCheckKindNames)
        known += (known.empty() ? "" : ", ") + std::string(name);
      return "there is no kind of check '" + std::string(kind) +
             std::string(severity) + "'; the kinds are " + known +
             " and all, and KIND=error makes faults of a kind's warnings";
    }
    result.kinds |= wanted;
    if (!severity.empty())
      result.faults |= wanted;
    if (comma == text.npos)
      return {};
    text.remove_prefix(comma + 1);
  }
}

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_API_CHECKKINDS_H
