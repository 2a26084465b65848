//===- Reports.h - What the checker found -----------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reports are told apart by what is wrong and by the instructions that take
// part: each such pair is reported once, and how often it was met is counted.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIM_CHECK_REPORTS_H
#define AIRCC_SIM_CHECK_REPORTS_H

#include "runtime-stubs/sim/Launch.h"
#include "runtime-stubs/sim/Wave.h"
#include "runtime-stubs/sim/check/FaultList.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace aircc::sim {

enum class FaultKind : uint8_t {
  Uninitialised,
  MissingWait,
  WaitStates,
  LdsRace,
  GlobalRace,
  RankRace,
  SameInstruction,
  Barrier,
  Misaligned,
  Deadlock,
};

/// The wave a report is about.
struct WhichWave {
  uint32_t group[3] = {0, 0, 0};
  unsigned index = 0;
  WhichWave(const Wave &wave) : index(wave.index) {
    std::copy_n(wave.group->id, 3, group);
  }
};

class Reports {
public:
  explicit Reports(unsigned limit) : list(limit) {}
  void begin(const LaunchState &state) { this->state = &state; }

  /// Whether this is new: if it is not, it is only counted. `other` is the
  /// second instruction that takes part, or null.
  bool isNew(FaultKind kind, const Op &op, const Op *other = nullptr);
  /// Adds what is new. `what` says in one line what is wrong, `notes` say more,
  /// a line each.
  void add(FaultKind kind, const WhichWave &wave, const Op &op, uint64_t lanes,
           const std::string &what, const std::vector<std::string> &notes = {},
           const Op *other = nullptr);

  /// "0x7f… (matmul+0x1c): ds_read_b32 v1, v2 [matmul.mlir:12:5]"
  std::string describe(const Op &op) const;
  /// "lane 3", "lanes 0-31, 40"
  static std::string describeLanes(uint64_t lanes);

  /// All reports and how many there were, or "".
  std::string text() const;

private:
  const LaunchState *state = nullptr;
  FaultList list;
};

} // namespace aircc::sim

#endif // AIRCC_SIM_CHECK_REPORTS_H
