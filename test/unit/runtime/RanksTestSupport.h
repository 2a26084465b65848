//===- RanksTestSupport.h - Processes as ranks in tests ---------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The test process itself neither opens a device nor joins a job: each rank is
// a forked process.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_TEST_UNIT_RANKSTESTSUPPORT_H
#define AIRCC_TEST_UNIT_RANKSTESTSUPPORT_H

#include <functional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace aircc::rt::test {

/// How a rank ended.
struct RankResult {
  int status = 0;  ///< Of exit; 128 + the signal that ended it.
  std::string err; ///< What it wrote on standard error.
};

/// A job of forked processes.
class TestJob {
public:
  /// Forks `size` ranks, each of which runs `body(rank)` and exits with what
  /// that returns. The job's identity is `name`, by default a new one.
  TestJob(int size, const std::function<int(int)> &body, std::string name = "");
  ~TestJob();

  const std::string &name() const { return job; }
  pid_t pid(int rank) const { return ranks[rank].pid; }
  /// Waits for all ranks. Kills those that are still running after `seconds`,
  /// and notes this in their `err`.
  std::vector<RankResult> wait(double seconds = 60);

private:
  struct Rank {
    pid_t pid = -1;
    int err = -1;
    RankResult result;
  };
  std::string job;
  std::vector<Rank> ranks;
};

/// Runs a job and waits for its end.
std::vector<RankResult> runRanks(int size, const std::function<int(int)> &body);

/// Fails with the output of the ranks unless all ended with status 0 and
/// without output.
void expectSuccess(const std::vector<RankResult> &results);

} // namespace aircc::rt::test

#endif // AIRCC_TEST_UNIT_RANKSTESTSUPPORT_H
