//===- RanksTestSupport.cpp - Processes as ranks in tests -----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/unit/runtime/RanksTestSupport.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace aircc::rt::test;
using Clock = std::chrono::steady_clock;

TestJob::TestJob(int size, const std::function<int(int)> &body,
                 std::string name) {
  static int count = 0;
  if (name.empty())
    name = "test-" + std::to_string(getpid()) + "-" + std::to_string(++count);
  job = name;
  std::fflush(nullptr);
  ranks.resize(size);
  for (int rank = 0; rank < size; ++rank) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC))
      std::abort();
    pid_t parent = getpid();
    pid_t pid = fork();
    if (pid == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (getppid() != parent)
        _exit(1);
      dup2(ends[1], STDERR_FILENO);
      for (Rank &other : ranks)
        if (other.err >= 0)
          close(other.err);
      close(ends[0]);
      close(ends[1]);
      setenv("AIRCC_JOB", name.c_str(), 1);
      setenv("RANK", std::to_string(rank).c_str(), 1);
      setenv("LOCAL_RANK", std::to_string(rank).c_str(), 1);
      setenv("WORLD_SIZE", std::to_string(size).c_str(), 1);
      exit(body(rank));
    }
    close(ends[1]);
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    ranks[rank].pid = pid;
    ranks[rank].err = ends[0];
  }
}

TestJob::~TestJob() { wait(0); }

std::vector<RankResult> TestJob::wait(double seconds) {
  auto end = Clock::now() + std::chrono::duration<double>(seconds);
  bool killed = false;
  for (bool running = true; running;) {
    running = false;
    for (Rank &rank : ranks) {
      char text[4096];
      ssize_t length;
      while (rank.err >= 0 && (length = read(rank.err, text, sizeof(text))) > 0)
        rank.result.err.append(text, length);
      if (rank.pid < 0)
        continue;
      int status;
      if (waitpid(rank.pid, &status, WNOHANG) == rank.pid) {
        rank.result.status =
            WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        rank.pid = -1;
        while (rank.err >= 0 &&
               (length = read(rank.err, text, sizeof(text))) > 0)
          rank.result.err.append(text, length);
        continue;
      }
      running = true;
      if (!killed && Clock::now() > end)
        rank.result.err += "(killed by the test: it did not end)\n";
    }
    if (running && !killed && Clock::now() > end) {
      killed = true;
      for (Rank &rank : ranks)
        if (rank.pid > 0)
          kill(rank.pid, SIGKILL);
    }
    if (running)
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  std::vector<RankResult> results;
  for (Rank &rank : ranks) {
    if (rank.err >= 0)
      close(rank.err);
    rank.err = -1;
    results.push_back(rank.result);
  }
  return results;
}

std::vector<RankResult>
aircc::rt::test::runRanks(int size, const std::function<int(int)> &body) {
  return TestJob(size, body).wait();
}

void aircc::rt::test::expectSuccess(const std::vector<RankResult> &results) {
  for (size_t rank = 0; rank < results.size(); ++rank) {
    EXPECT_EQ(results[rank].status, 0) << "rank " << rank;
    EXPECT_EQ(results[rank].err, "") << "rank " << rank;
  }
}
