//===- Counters.h - Counters of a launch ------------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Counts instructions and memory accesses of a launch. All counts are sums over
// the waves. A counted launch runs on one host thread, which makes the counts
// deterministic for a seed even if workgroups wait for each other.
// docs/simulator-reference.md describes each counter.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_OBSERVE_COUNTERS_H
#define AIRCC_SIMULATOR_OBSERVE_COUNTERS_H

#include "simulator/exec/Observe.h"
#include "simulator/observe/DistinctLines.h"

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace aircc::sim {

constexpr unsigned kOpClasses = static_cast<unsigned>(OpClass::Buffer) + 1;
/// Returns the name in the JSON file, such as "vector_alu".
const char *opClassName(OpClass opClass);
/// Returns whether instructions of the class have lanes.
bool countsLanes(OpClass opClass);

/// The units of a compute unit with an estimated load.
enum class IssueUnit : uint8_t { Scalar, Vector, Matrix, Lds, VectorMemory };
constexpr unsigned kIssueUnits = 5;
const char *issueUnitName(IssueUnit unit);

struct KernelCounters {
  std::string kernel, processor;
  unsigned waveSize = 64;
  uint64_t launches = 1;
  /// For a single launch, the grid in workgroups and the block in lanes.
  std::array<uint32_t, 3> grid{}, block{};
  bool failed = false; ///< Whether the kernel failed, in which case the counts
                       ///< end there.

  uint64_t workgroups = 0, waves = 0;

  struct Class {
    uint64_t instructions = 0;
    uint64_t lanes = 0; ///< Active lanes, if the class has lanes.
  };
  std::array<Class, kOpClasses> classes{};

  /// Accesses of one kind with the same number of bytes per lane.
  struct Access {
    uint64_t instructions = 0;
    uint64_t lanes = 0;
    uint64_t bytes = 0;  ///< The bytes of all lanes.
    uint64_t lines = 0;  ///< For global memory, the sum of each instruction's
                         ///< cache lines.
    uint64_t cycles = 0; ///< For LDS.
    uint64_t conflicts = 0; ///< For LDS, the cycles due to bank conflicts.
    Access &operator+=(const Access &other);
  };
  using Accesses = std::map<std::pair<AccessKind, unsigned>, Access>;
  Accesses global, lds, scratch;
  Access dma; ///< Writes to LDS by LDS DMA.
  Access scalar;
  unsigned lineBytes = 0, scalarLineBytes = 0;
  /// The numbers of different lines of `lineBytes` of global memory that a
  /// launch reads, that it writes, and both together.
  struct Lines {
    uint64_t read = 0, written = 0, all = 0;
  } distinctLines;

  struct Matrix {
    uint64_t instructions = 0;
    uint64_t passes = 0;       ///< 0 if not published.
    uint64_t multiplyAdds = 0; ///< For the dense shape.
  };
  std::map<std::string, Matrix> matrix; ///< By mnemonic.

  uint64_t barriers = 0; ///< Waves that reached one.
  uint64_t sleeps = 0;
  /// The number of loop iterations in which a wave read the same addresses as
  /// in the previous iteration (or slept) and wrote nothing.
  uint64_t spins = 0;

  /// The estimated busy cycles of each unit.
  std::array<uint64_t, kIssueUnits> issue{};
  /// The number of each unit per compute unit.
  std::array<unsigned, kIssueUnits> units{};

  uint64_t instructions() const;
  /// Returns the ratio of active lanes to all lanes of all instructions with
  /// lanes.
  double laneUtilization() const;
  /// Returns the cycles of the busiest unit if one compute unit executed
  /// everything, and sets `bound` to that unit.
  uint64_t estimatedCycles(IssueUnit &bound) const;

  void add(const KernelCounters &other);
};

/// Counts a launch and calls `done` with the counts at its end.
class CounterObserver : public LaunchObserver {
public:
  using Done = std::function<void(const KernelCounters &)>;
  explicit CounterObserver(Done done);
  ~CounterObserver() override;

  bool serial() const override { return true; }
  void launchBegin(const LaunchState &state, unsigned slot) override;
  std::string launchEnd(const LaunchState &state,
                        const std::string &error) override;
  void groupBegin(Workgroup &group) override;
  void groupEnd(Workgroup &group) override;
  void waveBegin(Wave &wave) override;
  void before(Wave &wave, const Op &op) override;
  void after(Wave &wave, const Op &op) override;
  void access(Wave &wave, const Op &op, const MemoryAccess &access) override;

private:
  struct Loop;
  struct Cost {
    bool known = false;
    IssueUnit unit = IssueUnit::Scalar;
    uint32_t cycles = 0;
  };
  Cost costOf(const Op &op) const;
  uint64_t &issued(IssueUnit unit) {
    return counters.issue[static_cast<unsigned>(unit)];
  }

  Done done;
  unsigned slot = 0;
  MemoryFigures memory;
  IssueFigures figures;
  KernelCounters counters;
  DistinctLines lines;
  std::vector<Cost> costs; ///< By OpInfo::index.
  std::vector<std::unique_ptr<Loop>> loops, spareLoops;
};

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_OBSERVE_COUNTERS_H
