//===- Workgroup.h - Execution of the lanes of a workgroup ------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// All lanes of a workgroup share a host thread. A lane executes until it
// reaches a collective operation, ends, or has used its time slice. When all
// lanes of the subgroup (or of the workgroup) have reached the same collective
// operation, the operation is executed for all of them and they continue.
//
// If lanes wait at different operations, those that allow inactive lanes
// (OpGroupNonUniform…) are executed for the lanes that have arrived, in the
// order of the module, because the hardware executes the branches of a subgroup
// one after the other. All other operations require all lanes; otherwise, a
// fault names the position of each lane.
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

/// The data of a launch that all workgroups share.
struct LaunchContext {
  const SpirvKernel *kernel = nullptr;
  const GlobalMemory *memory = nullptr;
  std::shared_ptr<const MemorySnapshot> ranges;
  std::array<uint32_t, 3> grid = {1, 1, 1}, block = {1, 1, 1};
  uint32_t dynamicSlmBytes = 0;
  std::vector<const void *> arguments;
  LaneChecker *checker = nullptr; ///< May be null. Requires a single thread.
  LaneTrace *trace = nullptr;     ///< May be null.
  LaunchOutput *output = nullptr; ///< Receives what kernels print.
  LaunchWarnings *warnings = nullptr;
  bool lenientSurfaces = false; ///< Whether narrow surfaces are only a warning.
  bool inStep = false;          ///< Whether subgroups execute in order.
};

class Workgroup {
public:
  /// Starts the workgroup with this linear number (x varies fastest). The seed
  /// determines the order of subgroups.
  void start(const LaunchContext &launch, uint64_t number, uint64_t seed);

  /// Executes one time slice of at most `budget` backward jumps for each lane.
  /// Returns true if all lanes have ended. Throws Fault with the complete
  /// message.
  bool runRound(int64_t budget);

  /// Returns whether a lane used up its time slice in the last round.
  bool wasInterrupted() const { return interrupted; }
  /// Returns one of the running lanes if all of them only poll memory that does
  /// not change, otherwise null.
  const Lane *findWaiting() const;

  // Compiled code calls these functions through Host.h.
  void checkAccess(Lane &lane, const AccessSite &site, uint64_t address,
                   uint64_t bytes);
  /// Makes the lane wait at a collective operation, and yields.
  void converge(Lane &lane, const CollectiveSite &site, uint8_t *record);
  /// Called by a lane. Switches to the next running lane of the subgroup, or
  /// back to the scheduler.
  void yield(Lane &lane);
  /// Called by a lane. Fails the launch.
  [[noreturn]] void fault(Lane &lane, const Site &site,
                          const std::string &what);

  /// Checks the access of a collective operation. Throws Fault.
  void checkConvergence(const Lane &lane, const CollectiveSite &site,
                        uint64_t address, uint64_t bytes);
  /// Returns the number of instructions in loops that lanes have executed since
  /// the start.
  uint64_t executed() const;
  /// Returns the lane that has executed the most, among those that have not
  /// ended.
  const Lane *findBusiest() const;
  /// Returns the linear number in the grid (x varies fastest).
  uint64_t number() const { return ownNumber; }
  uint32_t subgroupSize() const { return launch->kernel->subgroupSize; }
  /// Returns a text such as "kernel 'k', workgroup (1,0,0), subgroup 0, lane
  /// 3". If `lane` is -1, the text ends after the subgroup.
  std::string where(uint32_t subgroup, int lane) const;

  /// Returns and resets the counts of all workgroups that this object executed.
  LaneCounts takeCounts();

  const LaunchContext *launch = nullptr;
  LaneCounts counts;          ///< Without the hits still in `windows`.
  LaneTrace *trace = nullptr; ///< Null unless this workgroup is traced.

private:
  struct Subgroup {
    std::vector<Lane *> lanes;
    /// The number of lanes that have arrived at `site` in a row since the last
    /// convergence. If that is all lanes, their states need not be examined.
    const CollectiveSite *site = nullptr;
    uint32_t arrived = 0;

    bool isTogether() const { return arrived == lanes.size(); }
    void clearArrivals() {
      site = nullptr;
      arrived = 0;
    }
  };

  /// The kind of memory to which an address points. For generic pointers, the
  /// address determines it.
  enum class Memory { Global, Slm, Private, Builtins };
  Memory memoryOf(const Lane &lane, spv::StorageClass storage,
                  uint64_t address) const;
  /// The variable or buffer that contains an access.
  struct Extent {
    uint64_t begin = 0, size = 0;
    bool stays = false; ///< Whether it is valid while the workgroup executes.
  };
  /// Finds the variable or buffer that contains an access. Returns false if
  /// there is none. Some kinds of memory leave the extent empty.
  bool findExtent(const Lane &lane, Memory memory, uint64_t address,
                  uint64_t bytes, Extent &extent);
  bool findSlm(uint64_t address, uint64_t bytes, Extent &extent) const;
  bool findPrivate(const Lane &lane, uint64_t address, uint64_t bytes,
                   Extent &extent) const;
  bool findBuffer(uint64_t address, uint64_t bytes, Extent &extent);
  /// Lets compiled code skip the check of further accesses by the site to the
  /// extent.
  void openWindow(const Lane &lane, const AccessSite &site, Memory memory,
                  const Extent &extent, uint32_t row);
  /// Returns why an access that findExtent() rejects is a fault, or "" if it is
  /// only a warning because it reads the slack after a buffer.
  std::string whyNotAccessible(const Lane &lane, const Site &site,
                               AccessSite::Kind kind, Memory memory,
                               uint64_t address, uint64_t bytes);

  void setIds(Lane &lane, uint32_t number);
  /// Executes one time slice of each running lane, in order.
  void runLanes(Subgroup &subgroup, int64_t budget);
  bool resolve(Subgroup &subgroup);
  /// Fails if the operation requires a full subgroup and this one is smaller.
  void checkWhole(const CollectiveSite &site, const Subgroup &subgroup) const;
  bool resolveAll();
  void runConvergence(const CollectiveSite &site,
                      llvm::ArrayRef<Lane *> taking);
  /// Fails with the positions of all lanes: "lanes 0-3 at …; lanes 4-15 ended".
  [[noreturn]] void failConvergence(const CollectiveSite &site,
                                    llvm::ArrayRef<Lane *> all,
                                    bool isSubgroup);
  /// Reports an access to the checker.
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
  std::string faultText; ///< Set by a lane that has faulted.
};

} // namespace aircc::sim::spirv

#endif // AIRCC_SIMULATOR_SPIRV_WORKGROUP_H
