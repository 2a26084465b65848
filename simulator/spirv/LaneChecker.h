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
#include "simulator/check/RaceDetector.h"
#include "simulator/spirv/Lane.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <string>
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
  void converged(const CollectiveSite &site, uint32_t subgroup);
  /// A fence, or an atomic with an order.
  void synchronized();

  /// Whether subgroups must come to the same barriers.
  bool checksBarriers() const { return selection.has(CheckKind::Barriers); }

  /// The report, or "".
  std::string text(const std::string &kernel);

private:
  /// Where a past access was made: lanes are agents of the race detector.
  struct Place {
    uint64_t group = 0;
    uint32_t subgroup = 0, index = 0;
  };
  /// A lane's accesses have the time of its subgroup as ticket.
  uint32_t agentOf(const Lane &lane) const;
  Place placeOf(const PastAccess &past) const;
  uint32_t numberOf(const Site &site);
  bool isBefore(const PastAccess &past, const Lane &lane, bool isSlm) const;
  void checkDefined(const Lane &lane, const Site &site, uint64_t slmOffset,
                    uint64_t bytes, llvm::function_ref<std::string()> what);
  std::string describe(const Lane &lane, const Site &site,
                       const PastAccess &other, const std::string &what,
                       bool isSlm) const;
  /// Tells of the write that was to come when it has changed something.
  void settle();

  CheckSelection selection;
  FaultList faults;
  uint64_t group = 0;
  /// By subgroup: how often its lanes have come together, and how often they
  /// had when a barrier ordered shared local memory, and global memory.
  struct Times {
    uint32_t now = 1, slmOrdered = 0, deviceOrdered = 0;
  };
  std::vector<Times> times;
  AccessHistories slmHistories, deviceHistories;
  CellTable slm;
  PagedCells device;
  std::vector<const Site *> sites;
  llvm::DenseMap<const Site *, uint32_t> siteNumbers; ///< Places in `sites`.
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
