//===- TraceRecorder.h - Records traces of workgroups -----------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_TIMING_TRACERECORDER_H
#define AIRCC_SIMULATOR_TIMING_TRACERECORDER_H

#include "simulator/timing/WorkgroupTrace.h"

#include <functional>
#include <map>
#include <memory>
#include <mutex>

namespace aircc::sim {

/// The workgroups of a launch that are recorded: those of the first XCD
/// (workgroup N runs on XCD N modulo `xcds`), at most `most` of them.
struct RecordedSet {
  uint64_t xcds = 1;
  uint64_t most = 0;
  bool contains(uint64_t number) const {
    return number % xcds == 0 && number / xcds < most;
  }
};

/// Records the workgroups of one launch. Workgroups on different threads are
/// recorded concurrently.
class TraceRecorder : public LaunchObserver {
public:
  /// Called once before the launch begins, to select the workgroups, and once
  /// at its end with the traces, ordered by number, and the operations by
  /// OpInfo::index (null if none was executed).
  struct Client {
    virtual ~Client() = default;
    virtual RecordedSet begin(const LaunchState &state) = 0;
    virtual void end(const LaunchState &state,
                     std::vector<WorkgroupTrace> traces,
                     std::vector<const Op *> ops, bool failed) = 0;
  };
  explicit TraceRecorder(Client &client);
  ~TraceRecorder() override;

  void launchBegin(const LaunchState &state, unsigned slot) override;
  std::string launchEnd(const LaunchState &state,
                        const std::string &error) override;
  bool observesGroup(uint64_t number) const override {
    return set.contains(number);
  }
  void groupBegin(Workgroup &group) override;
  void waveBegin(Wave &wave) override;
  void before(Wave &wave, const Op &op) override;
  bool observesOnlyBranchesAfter() const override { return true; }
  void after(Wave &wave, const Op &op) override;
  void access(Wave &wave, const Op &op, const MemoryAccess &access) override;

private:
  struct Recording;
  WaveTrace *traceOf(Wave &wave) const;
  void addLines(WaveTrace &trace, TracedAccess &traced,
                const MemoryAccess &access) const;

  Client &client;
  RecordedSet set;
  MemoryFigures figures;
  unsigned slot = 0;
  std::mutex mutex; ///< Protects `recordings`.
  std::map<uint64_t, std::unique_ptr<Recording>> recordings; ///< By number.
};

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_TIMING_TRACERECORDER_H
