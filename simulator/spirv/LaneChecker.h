//===- LaneChecker.h - Races and undefined values of lanes ------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The checks of SPIR-V kernels (AIRCC_SIM_CHECK) find reads of shared local
// memory that was never written, and data races. A data race consists of
// accesses by different lanes to the same address, at least one of them a
// write, that are not ordered by
// - a barrier of the workgroup between them whose semantics include their
//   memory (WorkgroupMemory, CrossWorkgroupMemory);
// - a collective operation of the subgroup between them, if both lanes are in
//   it, because the hardware executes the lanes in lockstep there;
// - atomics: two atomic accesses are not a race, and workgroups that use
//   atomics or fences with release or acquire semantics are assumed to be
//   ordered.
// Two writes of the same value are not a race.
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
  /// Called before an access. `slmOffset` is the offset in shared local memory,
  /// or ~0 for global memory.
  void access(const Lane &lane, const Site &site, AccessSite::Kind kind,
              uint64_t address, uint64_t slmOffset, uint64_t bytes);
  /// Called after a collective operation of a subgroup or the workgroup.
  void converged(const CollectiveSite &site, uint32_t subgroup);
  /// Called at a fence, and at an atomic with acquire or release semantics.
  void synchronized();

  /// Returns whether all subgroups must execute the same barrier instruction.
  bool checksBarriers() const { return selection.has(CheckKind::Barriers); }

  /// Returns the report, or "".
  std::string text(const std::string &kernel);

private:
  /// The lane of a past access. Lanes are the agents of the race detector.
  struct Place {
    uint64_t group = 0;
    uint32_t subgroup = 0, index = 0;
  };
  /// Returns the agent of a lane. The ticket of a lane's access is the time of
  /// its subgroup.
  uint32_t agentOf(const Lane &lane) const;
  Place placeOf(const PastAccess &past) const;
  uint32_t numberOf(const Site &site);
  bool isBefore(const PastAccess &past, const Lane &lane, bool isSlm) const;
  void checkDefined(const Lane &lane, const Site &site, uint64_t slmOffset,
                    uint64_t bytes, llvm::function_ref<std::string()> what);
  std::string describe(const Lane &lane, const Site &site,
                       const PastAccess &other, const std::string &what,
                       bool isSlm) const;
  /// Reports the pending write if it has changed memory.
  void settle();

  CheckSelection selection;
  FaultList faults;
  uint64_t group = 0;
  /// By subgroup, the number of its collective operations, and that number at
  /// the last barriers that ordered shared local memory and global memory.
  struct Times {
    uint32_t now = 1, slmOrdered = 0, deviceOrdered = 0;
  };
  std::vector<Times> times;
  AccessHistories slmHistories, deviceHistories;
  CellTable slm;
  PagedCells device;
  std::vector<const Site *> sites;
  llvm::DenseMap<const Site *, uint32_t> siteNumbers; ///< Indices in `sites`.
  llvm::DenseSet<uint64_t> ordered; ///< Workgroups that synchronize.
  /// A write to an address that another lane has written, before it is
  /// executed.
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
