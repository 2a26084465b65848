//===- Checker.h - Finds faults that hardware does not report ---*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// An observer of a launch that reports faults of a kernel even if the kernel
// computes the right result; docs/simulator.md lists them. The launch continues
// after a report and fails at its end, but a deadlock ends it immediately. A
// checked launch runs on one thread, which makes the order of reports
// deterministic.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_CHECK_CHECKER_H
#define AIRCC_SIMULATOR_CHECK_CHECKER_H

#include "simulator/check/Definedness.h"
#include "simulator/check/Races.h"
#include "simulator/check/RankRaces.h"
#include "simulator/check/Reports.h"
#include "simulator/check/Shadow.h"
#include "simulator/check/hazards/Hazards.h"

#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

namespace aircc::sim {

class Checker : public LaunchObserver {
public:
  /// At most `limit` faults are reported in full.
  explicit Checker(unsigned limit,
                   CheckSelection selection = CheckSelection::allAsFaults());
  ~Checker() override;

  bool serial() const override { return true; }
  bool observesOnlyBranchesAfter() const override { return true; }
  void launchBegin(const LaunchState &state, unsigned slot) override;
  std::string launchEnd(const LaunchState &state,
                        const std::string &error) override;
  void groupBegin(Workgroup &group) override;
  void groupEnd(Workgroup &group) override;
  void waveBegin(Wave &wave) override;
  void waveEnd(Wave &wave) override;
  void before(Wave &wave, const Op &op) override;
  void after(Wave &wave, const Op &op) override;
  void access(Wave &wave, const Op &op, const MemoryAccess &access) override;
  void wait(Wave &wave, const Op &op, const WaitCounts &counts) override;
  void barrierArrive(Wave &wave, const Op &op) override;
  void barrierRelease(Workgroup &group) override;

  std::string warnings() const override { return warningText; }

private:
  struct Group {
    GroupClocks clocks;
    LdsShadow lds;
    std::vector<std::unique_ptr<WaveShadow>> waves;
    std::vector<const Op *> barrierOps; ///< Each wave's last barrier.
  };
  /// The state of a wave at the end of a loop. The wave is `stuck` if its state
  /// was the same at the end of an earlier iteration and no memory was written
  /// in between.
  struct LoopState {
    const Op *op = nullptr;
    uint64_t hash = 0, stamp = 0;
    bool stuck = false;
  };
  Group &of(const Workgroup &group) {
    return *static_cast<Group *>(group.observed[slot]);
  }
  WaveShadow &of(const Wave &wave) {
    return *static_cast<WaveShadow *>(wave.observed[slot]);
  }
  /// Properties of an operation, which are computed once.
  struct alignas(64) OpFacts {
    TouchedRegisters touched;
    const HazardFacts *hazards = nullptr; ///< Null if not computed yet.
    bool transposes = false;
    /// The last shapes of its addresses in LDS, by wave.
    static constexpr unsigned kRecentShapes = 4;
    std::array<const AddressShape *, kRecentShapes> shapes{};
  };
  /// An operation with the registers that register indexing selects.
  struct IndexedOp {
    Op op;
    OpInfo info;
    OpFacts facts;
  };
  IndexedOp &indexedBy(const Wave &wave, const Op &op);
  OpFacts &factsOf(const Op &op) {
    const uint32_t index = op.info->index;
    if (__builtin_expect(index >= factsEnd || !facts[index].hazards, 0))
      findFacts(op);
    return facts[index];
  }
  void findFacts(const Op &op);
  void checkWaits(Wave &wave, WaveShadow &shadow, const Op &op,
                  const TouchedRegisters &touched);
  void issue(Wave &wave, WaveShadow &shadow, const Op &op);
  const AddressShape *shapeOf(const Wave &wave, OpFacts &known,
                              const MemoryAccess &access);
  bool accessLds(const Wave &wave, WaveShadow &shadow, Group &group,
                 const Op &op, const OpFacts &known, AccessKind kind,
                 const ShapedAccess &access);
  /// Performs all checks of an access.
  void checkAccess(Wave &wave, const Op &op, const MemoryAccess &access,
                   const AccessFootprint &footprint);
  void checkAlignment(Wave &wave, const Op &op, const MemoryAccess &access,
                      const AccessFootprint &footprint);
  void reachBarrier(Wave &wave, WaveShadow &shadow, const Op &op);
  void progress() {
    ++stamp;
    sinceProgress = 0;
  }
  bool atomicChanges(Wave &wave, const Op &op, const MemoryAccess &access);
  void checkDeadlock(Wave &wave, const Op &op);

  Reports reports;
  std::string warningText;
  const bool checksWaits, checksHazards, checksRaces, checksDefinedness;
  Definedness definedness;
  Hazards hazards;
  Races races;
  RankRaces rankRaces;
  const LaunchState *state = nullptr;
  unsigned slot = 0;
  std::vector<std::unique_ptr<Group>> spare;
  /// Operations under register indexing, by the relevant part of M0. Reports
  /// and histories keep pointers to them.
  std::map<std::pair<const Op *, uint32_t>, IndexedOp> indexed;
  std::vector<OpFacts> facts; ///< By OpInfo::index.
  uint32_t factsEnd = 0;      ///< The size of `facts`.
  AddressShapes shapes;

  // Detection of deadlocks
  bool hasOtherRanks = false;
  uint64_t stamp = 1, sinceProgress = 0;
  uint64_t groupsBegun = 0;
  std::set<Workgroup *> alive;
  std::vector<LoopState> loopStates; ///< By wave number in the launch.
};

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_CHECK_CHECKER_H
