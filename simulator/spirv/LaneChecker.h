//===- LaneChecker.h - Races and undefined values of lanes ------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What AIRCC_SIM_CHECK looks for in SPIR-V kernels: reads of shared local
// memory that nobody wrote, and accesses of different lanes to one place, one
// of them a write, that nothing orders. Accesses are ordered by
//  - a barrier of the workgroup that names their memory (WorkgroupMemory,
//    CrossWorkgroupMemory) and that both lanes pass between them;
//  - within a subgroup, whatever its lanes do together: hardware executes its
//    lanes as one there;
//  - atomics: those of two lanes are no race. Workgroups that use atomics or
//    fences with release or acquire semantics are taken as ordered among each
//    other.
// Two writes of the same value are no race.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_SPIRV_LANECHECKER_H
#define AIRCC_SIMULATOR_SPIRV_LANECHECKER_H

#include "simulator/api/CheckKinds.h"
#include "simulator/check/FaultList.h"
#include "simulator/spirv/Lane.h"

#include "llvm/ADT/DenseSet.h"

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace aircc::sim::spirv {

class LaneChecker {
public:
  LaneChecker(unsigned limit, CheckSelection selection)
      : selection(selection), faults(limit) {}

  void groupBegin(uint64_t number, uint32_t subgroups, uint64_t slmBytes);
  /// Before an access; `slmOffset` is where in shared local memory it is, or
  /// ~0 for memory of the device.
  void access(const Lane &lane, const Site &site, AccessSite::Kind kind,
              uint64_t address, uint64_t slmOffset, uint64_t bytes);
  /// Lanes of a subgroup, or of the workgroup, have come together.
  void met(const MeetSite &site, uint32_t subgroup);
  /// A fence, or an atomic with an order.
  void synchronized();

  /// Whether subgroups must come to the same barriers.
  bool checksBarriers() const { return selection.has(CheckKind::Barriers); }

  /// The report, or "".
  std::string text(const std::string &kernel);

private:
  /// Who accessed a byte, and when.
  struct Mark {
    const Site *site = nullptr; ///< Null: nobody.
    uint64_t group = 0;
    uint32_t lane = 0, subgroup = 0, index = 0;
    uint32_t groupTime = 0, subgroupTime = 0;
    bool isAtomic = false;
  };
  struct Cell {
    Mark write, reads[2];
  };
  static constexpr uint64_t kPage = 256;
  struct Page {
    Cell cells[kPage];
  };

  bool races(const Mark &before, const Mark &now, bool isSlm) const;
  std::string describe(const Lane &lane, const Site &site, const Mark &other,
                       const std::string &what, bool otherWrote,
                       bool isSlm) const;
  /// Tells of the write that was to come when it has changed something.
  void settle();

  CheckSelection selection;
  FaultList faults;
  uint64_t group = 0;
  uint32_t slmTime = 0, deviceTime = 0;
  std::vector<uint32_t> subgroupTimes;
  std::vector<Cell> slm;
  std::unordered_map<uint64_t, std::unique_ptr<Page>> pages;
  llvm::DenseSet<uint64_t> ordered; ///< Workgroups that synchronize.
  /// A write after another lane's to the same place, not made yet.
  struct Pending {
    const uint8_t *address = nullptr;
    std::vector<uint8_t> before;
    FaultList::Key key;
    std::string text;
  };
  std::vector<Pending> pending;
};

} // namespace aircc::sim::spirv

#endif // AIRCC_SIMULATOR_SPIRV_LANECHECKER_H
