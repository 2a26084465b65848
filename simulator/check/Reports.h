//===- Reports.h - Reports of the checker -----------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A report is identified by the kind of fault and its instructions. Each fault
// is reported once, with the number of occurrences. Kinds that the user did not
// select are neither reported nor counted.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_CHECK_REPORTS_H
#define AIRCC_SIMULATOR_CHECK_REPORTS_H

#include "simulator/api/CheckKinds.h"
#include "simulator/check/FaultList.h"
#include "simulator/exec/LaunchState.h"
#include "simulator/exec/Wave.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace aircc::sim {

/// The order in which reports are printed.
enum class FaultKind : uint8_t {
  LdsRace,
  GlobalRace,
  RankRace,
  SameInstruction,
  MissingWait,
  Uninitialized,
  Misaligned,
  Barrier,
  Deadlock,
  // Warnings by default
  DivergentBarrier,
  WaitStates,
};

/// Returns the kind with which the user selects a fault.
CheckKind checkKindOf(FaultKind kind);

/// The wave of a report.
struct WaveId {
  uint32_t group[3] = {0, 0, 0};
  unsigned index = 0;
  WaveId(const Wave &wave) : index(wave.index) {
    std::copy_n(wave.group->id, 3, group);
  }
};

class Reports {
public:
  Reports(unsigned limit, CheckSelection selection)
      : list(limit), selection(selection) {}
  void begin(const LaunchState &state) { this->state = &state; }

  /// Returns whether the fault is new. If not, counts the occurrence. `other`
  /// is the second instruction of the fault, or null.
  bool isNew(FaultKind kind, const Op &op, const Op *other = nullptr);
  /// Adds a new fault. `what` describes it in one line, and each note is
  /// another line.
  void add(FaultKind kind, const WaveId &wave, const Op &op, uint64_t lanes,
           const std::string &what, const std::vector<std::string> &notes = {},
           const Op *other = nullptr);

  /// Returns a description such as "0x7f… (matmul+0x1c): ds_read_b32 v1, v2
  /// [matmul.mlir:12:5]".
  std::string describe(const Op &op) const;
  /// Returns a description such as "lane 3" or "lanes 0-31, 40".
  static std::string describeLanes(uint64_t lanes);

  bool selects(CheckKind kind) const { return selection.has(kind); }

  /// Returns all faults with their counts, or "" if there are none.
  std::string faults() const { return text(/*ofWarnings=*/false); }
  /// Returns the same for warnings, which do not make the launch fail.
  std::string warnings() const { return text(/*ofWarnings=*/true); }

private:
  std::string text(bool ofWarnings) const;
  bool isWarning(FaultKind kind) const;

  const LaunchState *state = nullptr;
  FaultList list;
  CheckSelection selection;
};

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_CHECK_REPORTS_H
