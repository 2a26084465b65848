//===- Workgroup.h - The lanes of a workgroup, taking turns -----*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All lanes of a workgroup share a thread of the host. A lane runs until it
// converges with others, ends, or has had its turn; when all lanes of a
// subgroup (or of the workgroup) have come to a place where they act together,
// that is done for all of them, and they go on.
//
// Lanes that are at different places: operations of which lanes may stay away
// (OpGroupNonUniform…) are done for those that came, the first in the module
// first, as hardware runs the branches of a subgroup one after the other. Other
// operations want all lanes; else it is a fault that says who is where.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_SPIRV_WORKGROUP_H
#define AIRCC_SIMULATOR_SPIRV_WORKGROUP_H

#include "simulator/exec/memory/GlobalMemory.h"
#include "simulator/observe/LaneCounts.h"
#include "simulator/spirv/Kernel.h"
#include "simulator/spirv/Lane.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace aircc::sim {
class LaunchOutput;
class LaunchWarnings;
} // namespace aircc::sim

namespace aircc::sim::spirv {

class LaneChecker;
class LaneTrace;

/// What all workgroups of a launch see.
struct LaunchContext {
  const SpirvKernel *kernel = nullptr;
  const GlobalMemory *memory = nullptr;
  std::shared_ptr<const MemorySnapshot> ranges;
  std::array<uint32_t, 3> grid = {1, 1, 1}, block = {1, 1, 1};
  uint32_t dynamicSlmBytes = 0;
  std::vector<const void *> arguments;
  LaneChecker *checker = nullptr; ///< Or null; then one thread only.
  LaneTrace *trace = nullptr;     ///< Or null.
  LaunchOutput *output = nullptr; ///< Where kernels print.
  LaunchWarnings *warnings = nullptr;
  bool lenientSurfaces = false; ///< Narrow surfaces are a warning.
  bool inStep = false;          ///< Subgroups take turns in order.
};

class Workgroup {
public:
  /// Begins the workgroup with this number, x fastest. The seed decides the
  /// order of subgroups.
  void start(const LaunchContext &launch, uint64_t number, uint64_t seed);

  /// Gives every lane a turn of so many backward jumps. True when all lanes
  /// have ended. Throws Fault with all that is to be said of it.
  bool runRound(int64_t budget);

  /// After a round: some lane's turn ended before its work.
  bool wasInterrupted() const { return interrupted; }
  /// All lanes that could run only read again what was there before; one of
  /// them, or null.
  const Lane *findWaiting() const;

  // Called by compiled code, by way of Host.h.
  void checkAccess(Lane &lane, const AccessSite &site, uint64_t address,
                   uint64_t bytes);
  /// The lane waits at a place for others, and its turn ends.
  void converge(Lane &lane, const CollectiveSite &site, uint8_t *record);
  /// Ends the lane's turn, from within it: the next lane of its subgroup that
  /// can run goes on, or who gave them their turn.
  void yield(Lane &lane);
  /// Ends the launch from within a lane.
  [[noreturn]] void fault(Lane &lane, const Site &site,
                          const std::string &what);

  /// Checks memory that lanes access together; throws Fault.
  void checkConvergence(const Lane &lane, const CollectiveSite &site,
                        uint64_t address, uint64_t bytes);
  /// Instructions of loops that lanes have executed since the start.
  uint64_t executed() const;
  /// A lane that has not ended; the one that has executed most.
  const Lane *findBusiest() const;
  /// In the grid, x fastest.
  uint64_t number() const { return ownNumber; }
  uint32_t subgroupSize() const { return launch->kernel->subgroupSize; }
  /// "kernel 'k', workgroup (1,0,0), subgroup 0, lane 3"; lane -1: none.
  std::string where(uint32_t subgroup, int lane) const;

  /// Those of all workgroups that were started here.
  LaneCounts takeCounts();

  const LaunchContext *launch = nullptr;
  LaneCounts counts;          ///< Those that are not still in the windows.
  LaneTrace *trace = nullptr; ///< Null unless it is for this workgroup.

private:
  struct Subgroup {
    std::vector<Lane *> lanes;
    /// How many lanes have come to `site` one after the other since lanes last
    /// went on from a convergence. When these are all, there is no need to
    /// look.
    const CollectiveSite *site = nullptr;
    uint32_t arrived = 0;

    bool isTogether() const { return arrived == lanes.size(); }
    void clearArrivals() {
      site = nullptr;
      arrived = 0;
    }
  };

  /// What an address points to. Of a generic one that is a question of where
  /// it lies.
  enum class Memory { Global, Slm, Private, Builtins };
  Memory memoryOf(const Lane &lane, spv::StorageClass storage,
                  uint64_t address) const;
  /// The variable or buffer that an access lies in.
  struct Extent {
    uint64_t begin = 0, size = 0;
    bool stays = false; ///< For as long as the workgroup runs.
  };
  /// False where the access lies in none; of some memory there is no extent.
  bool findExtent(const Lane &lane, Memory memory, uint64_t address,
                  uint64_t bytes, Extent &extent);
  bool findSlm(uint64_t address, uint64_t bytes, Extent &extent) const;
  bool findPrivate(const Lane &lane, uint64_t address, uint64_t bytes,
                   Extent &extent) const;
  bool findBuffer(uint64_t address, uint64_t bytes, Extent &extent);
  /// Lets further accesses of the site to the extent go without asking.
  void openWindow(const Lane &lane, const AccessSite &site, Memory memory,
                  const Extent &extent, uint32_t row);
  /// What is wrong with an access that findExtent() does not find, or "": a
  /// read may reach into the slack behind a buffer, which is a warning.
  std::string whyNotAccessible(const Lane &lane, const Site &site,
                               AccessSite::Kind kind, Memory memory,
                               uint64_t address, uint64_t bytes);

  void setIds(Lane &lane, uint32_t number);
  /// Gives a turn to each lane that can run, in order.
  void runLanes(Subgroup &subgroup, int64_t budget);
  bool resolve(Subgroup &subgroup);
  /// Fails where the operation takes subgroups of full size only.
  void checkWhole(const CollectiveSite &site, const Subgroup &subgroup) const;
  bool resolveAll();
  void runConvergence(const CollectiveSite &site,
                      llvm::ArrayRef<Lane *> taking);
  /// "lanes 0-3 are at …; lanes 4-15 have ended": whoever is not at `site`.
  [[noreturn]] void failConvergence(const CollectiveSite &site,
                                    llvm::ArrayRef<Lane *> all,
                                    bool isSubgroup);
  /// Tells the checker of an access.
  void noteAccess(const Lane &lane, const Site &site, const AccessSite &memory,
                  uint64_t address, uint64_t bytes);
  bool isSlm(uint64_t address) const {
    return address - reinterpret_cast<uint64_t>(slmBase) < slmBytes;
  }
  static bool isPrivate(const Lane &lane, uint64_t address) {
    return address - reinterpret_cast<uint64_t>(lane.privateMemory) <
           lane.privateUsed;
  }

  uint64_t id[3] = {}, ownNumber = 0;
  std::vector<std::unique_ptr<Lane>> lanes; ///< At least as many as needed.
  uint32_t laneCount = 0;
  std::vector<Subgroup> subgroups;
  std::vector<uint32_t> order;
  std::vector<uint8_t> slm, privateMemory;
  uint8_t *slmBase = nullptr;
  uint64_t slmBytes = 0;
  MemoryRange lastRange;
  std::vector<AccessWindow> windows;
  bool interrupted = false;
  std::string faultText; ///< Set by a lane that must not go on.
};

} // namespace aircc::sim::spirv

#endif // AIRCC_SIMULATOR_SPIRV_WORKGROUP_H
