//===- Observe.h - Watching a launch ----------------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A launch may have observers: the checker, the counters, the trace. They are
// listed in LaunchOptions::observers and called in that order. A launch without
// observers uses the plain run loop, and memory operations only cost one
// additional branch.
//
// The order of the calls:
//
//   launchBegin
//     groupBegin            a workgroup's registers, LDS and scratch are set up
//       waveBegin           for each of its waves, before any of them runs
//       before(op)          EXEC, registers and memory are as the operation
//                           finds them; wave.pc points after it
//         access…           what it accesses: see MemoryAccess. Comes before
//                           the access takes place (and before it faults, if it
//                           does), so that all values are still the old ones
//         wait              how many operations a wait allows to be outstanding
//       after(op)           the operation is complete; wave.pc is the next one.
//                           Not called when the operation faulted
//       barrierArrive       wave waits at a barrier
//       barrierRelease      all waves at the workgroup's barrier continue
//       waveEnd             after s_endpgm
//     groupEnd
//     fault                 an operation cannot be executed; the launch ends
//   launchEnd
//
// A single wave passes barriers without arriving: only before() and after() are
// called. `op.info` (OpInfo.h) describes every operation that observers see.
// Both halves of a VOPD are one operation.
//
// Workgroups run on several host threads, so calls for different workgroups are
// concurrent, but calls for the same workgroup are not. An observer that is not
// thread-safe overrides `serial()`, and the launch runs on one thread. An
// observer stores its state for a wave or workgroup in `wave.observed[slot]`
// and `group.observed[slot]`, which are null at the start of each workgroup.
// `slot` is its index in the list, an argument of launchBegin.
//
// Observers must not change the state of waves. An exception from an observer
// ends the launch as a Fault does.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_EXEC_OBSERVE_H
#define AIRCC_SIMULATOR_EXEC_OBSERVE_H

#include "simulator/exec/LaneAddresses.h"
#include "simulator/exec/OpInfo.h"
#include "simulator/exec/Wave.h"

#include <string>
#include <vector>

namespace aircc::sim {

enum class MemorySpace : uint8_t {
  Global,  ///< Host addresses.
  Lds,     ///< Addresses relative to the workgroup's LDS.
  Scratch, ///< Addresses relative to the lane's scratch.
  Scalar,  ///< A scalar load from global memory, where lane 0 represents the
           ///< wave.
};

/// The data that a lane transfers in an access.
struct LaneData {
  unsigned bytes; ///< 1 to 16, or up to 64 for scalar loads.
  /// For writes and atomics, the first row of data: dword k of lane L is data[k
  /// * kRowLanes + L], where bytes and halves are in the low bits or, with
  /// `dataHigh`, in the high half. Null for reads and DMA.
  const uint32_t *data = nullptr;
  bool dataHigh = false;
  /// For an instruction that makes several accesses, the first dword of its
  /// data or result that belongs to this one.
  unsigned firstDword = 0;
};

/// An access of an instruction: `bytes` bytes at `addresses[lane]` for every
/// lane in `lanes`. An instruction may make several: the two addresses of
/// ds_read2, the parts of a flat access in different spaces, the dwords of a
/// buffer access that the records cut or the swizzle scatters, and, for LDS
/// DMA, the read of global memory followed by a write to LDS with `dma` set.
/// Accesses that the hardware drops (buffer accesses outside the records) are
/// not reported.
struct MemoryAccess : LaneData {
  MemorySpace space;
  AccessKind kind;
  uint64_t lanes;          ///< A bit mask that is never empty.
  LaneAddresses addresses; ///< Set only for those in `lanes`.
  bool dma = false; ///< For LDS DMA, where the write completes when a wait
                    ///< covers it.
};

class LaunchObserver {
public:
  virtual ~LaunchObserver();
  /// Returns whether the launch must run on one thread.
  virtual bool serial() const { return false; }

  virtual void launchBegin(const LaunchState &, unsigned /*slot*/) {}
  /// Ends the launch. `error` is empty if the launch succeeded. If the returned
  /// message is not empty, the launch fails with it.
  virtual std::string launchEnd(const LaunchState &,
                                const std::string & /*error*/) {
    return {};
  }
  /// Called after the launch. Returns findings that do not make it fail, or "".
  virtual std::string warnings() const { return {}; }
  /// Returns whether this observer needs calls for a workgroup. Workgroups that
  /// no observer needs are executed without any.
  virtual bool observesGroup(uint64_t /*number*/) const { return true; }
  /// Returns whether to skip a workgroup entirely.
  virtual bool skipsGroup(uint64_t /*number*/) const { return false; }
  virtual void groupBegin(Workgroup &) {}
  virtual void groupEnd(Workgroup &) {}
  virtual void waveBegin(Wave &) {}
  virtual void waveEnd(Wave &) {}
  virtual void before(Wave &, const Op &) {}
  virtual void after(Wave &, const Op &) {}
  /// Returns whether after() is only needed for branches.
  virtual bool observesOnlyBranchesAfter() const { return false; }
  virtual void access(Wave &, const Op &, const MemoryAccess &) {}
  virtual void wait(Wave &, const Op &, const WaitCounts &) {}
  virtual void barrierArrive(Wave &, const Op &) {}
  virtual void barrierRelease(Workgroup &) {}
  virtual void fault(Wave &, const Op &, const std::string & /*what*/) {}
};

/// Forwards calls from the executor to all observers of a launch.
class Observers {
public:
  explicit Observers(std::vector<LaunchObserver *> list);
  /// Returns the observer if it is the only one, otherwise null.
  LaunchObserver *single() const {
    return list.size() == 1 ? list.front() : nullptr;
  }
  bool observesOnlyBranchesAfter() const { return afterAll.empty(); }
  bool serial() const;
  bool observesGroup(uint64_t number) const;
  bool skipsGroup(uint64_t number) const;
  void launchBegin(const LaunchState &state);
  void launchEnd(const LaunchState &state, std::string &error);
#define AIRCC_SIM_EACH(CALL)                                                   \
  for (LaunchObserver *observer : list)                                        \
  observer->CALL
  void groupBegin(Workgroup &group) { AIRCC_SIM_EACH(groupBegin(group)); }
  void groupEnd(Workgroup &group) { AIRCC_SIM_EACH(groupEnd(group)); }
  void waveBegin(Wave &wave) { AIRCC_SIM_EACH(waveBegin(wave)); }
  void waveEnd(Wave &wave) { AIRCC_SIM_EACH(waveEnd(wave)); }
  void before(Wave &wave, const Op &op) { AIRCC_SIM_EACH(before(wave, op)); }
  void after(Wave &wave, const Op &op) {
    if (op.info->opClass == OpClass::Branch) {
      AIRCC_SIM_EACH(after(wave, op));
      return;
    }
    for (LaunchObserver *observer : afterAll)
      observer->after(wave, op);
  }
  void access(Wave &wave, const Op &op, const MemoryAccess &access) {
    AIRCC_SIM_EACH(access(wave, op, access));
  }
  void wait(Wave &wave, const Op &op, const WaitCounts &counts) {
    AIRCC_SIM_EACH(wait(wave, op, counts));
  }
  void barrierArrive(Wave &wave, const Op &op) {
    AIRCC_SIM_EACH(barrierArrive(wave, op));
  }
  void barrierRelease(Workgroup &group) {
    AIRCC_SIM_EACH(barrierRelease(group));
  }
  void fault(Wave &wave, const Op &op, const std::string &what) {
    AIRCC_SIM_EACH(fault(wave, op, what));
  }
#undef AIRCC_SIM_EACH

private:
  std::vector<LaunchObserver *> list;
  std::vector<LaunchObserver *> afterAll; ///< Those that need every after().
};

/// For the handlers of memory operations, which call these functions only if
/// `wave.observers` is set.
void observeAccess(Wave &wave, const Op &op, MemorySpace space, AccessKind kind,
                   uint64_t lanes, LaneAddresses addresses,
                   const LaneData &data);
/// The addresses are row[lane] + offset, in 32 bits.
void observeLds(Wave &wave, const Op &op, AccessKind kind, const uint32_t *row,
                uint32_t offset, const LaneData &data);
/// For LDS DMA, where each lane's `bytes` are written to `base` + lane * bytes.
void observeDma(Wave &wave, const Op &op, uint64_t lanes, uint32_t base,
                unsigned bytes);
void observeScalar(Wave &wave, const Op &op, uint64_t address, unsigned bytes,
                   unsigned firstDword = 0);

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_EXEC_OBSERVE_H
