//===- Job.h - This process as a rank of a job ------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A rank's side of the connection to the hub. A thread reads what comes, and
// ends the process when another rank has died. A job of one rank has a hub too,
// so that nothing else need make a difference.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_RUNTIME_RANKS_JOB_H
#define AIRCC_RUNTIME_RANKS_JOB_H

#include "runtime-stubs/ranks/Message.h"
#include "runtime-stubs/ranks/World.h"

#include <atomic>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>

namespace aircc::rt {

class Hub;

/// The abstract socket at which the hub of the job with this identity listens
/// until all ranks are there.
std::string hubName(const std::string &identity);

/// The entry point that a program is in, for messages.
struct Call {
  const char *entry;
  std::string arguments;
};

/// Memory of another rank, as it was announced.
struct SharedDescriptor {
  Fd fd;
  uint64_t bytes = 0;
};

/// A put that a get of this rank was matched with.
struct Match {
  int32_t rank = 0;
  int64_t put = 0, segment = 0, offset = 0, bytes = 0;
};

/// The allocations of a rank's symmetric heap: a number to compare, and a text.
struct HeapState {
  uint64_t fingerprint = 0;
  std::string text;
};

class Job {
public:
  /// This process's job; joins it at the first call, which waits for all ranks.
  /// Ends the program where that fails.
  static Job &get(const Call &call);
  /// The job if this process has joined it, else null.
  static Job *joined();

  const World &world() const { return place; }
  const WaitLimit &waitLimit() const { return limit; }

  /// Waits until all ranks have called this with the same `what` (a collective
  /// call, "mgpuBarrier") and `argument`. `tolerant`: those that have ended
  /// need not. `ranks`: only so many, from rank 0 on, come together; 0: all.
  /// `allocations` must be the same on all of them too.
  void meet(const Call &call, const std::string &what, int64_t argument = 0,
            bool tolerant = false, int32_t ranks = 0,
            const HeapState &allocations = {});

  /// Lets the other ranks have memory of this one, under a number of its own.
  void share(int64_t id, uint64_t bytes, Fd fd);
  /// What `rank` shares under that number; waits for it. Each once.
  SharedDescriptor takeShared(const Call &call, int32_t rank, int64_t id);

  void send(Message message);

  /// Whether this process is ending, and has taken its leave.
  bool hasLeft() const { return leaving; }

  /// Wakes those that wait.
  void notify() { changed.notify_all(); }

  /// Asks the hub what the other ranks are at. All that the hub sent before has
  /// come when this returns.
  std::string ask(std::unique_lock<std::mutex> &lock);

  /// Waits, with `mutex` held, until `ready()`; calls that with the mutex held.
  /// Ends the program after the time limit: "rank 1 of 2 has waited 10 s WHAT;
  /// rank 0 is in mgpuBarrier".
  void wait(const Call &call, std::unique_lock<std::mutex> &lock,
            const std::function<bool()> &ready, const std::string &what);

  // What has come for the channels; guarded by `mutex`.
  std::mutex mutex;
  std::map<int64_t, Match> matches; ///< By get.
  std::set<int64_t> taken;          ///< Puts whose message was got.
  std::set<int32_t> left;           ///< Ranks that have ended in order.

private:
  Job(const World &world, const WaitLimit &limit);
  ~Job();

  Status join();
  Status connect();
  void watch();
  bool receive(Message message);
  void leave(int status);
  void tellFailure(const std::string &why);

  const World place;
  const WaitLimit limit;
  /// A process forked from this one is no rank, though it has all this too.
  const pid_t process = ::getpid();
  Fd socket;
  long hubProcess = 0;
  std::mutex sendMutex;
  std::unique_ptr<Hub> hub; ///< On rank 0.
  std::atomic<bool> leaving{false};

  // Guarded by `mutex`.
  std::condition_variable changed;
  bool welcome = false;
  bool released = false;
  bool failureTold = false;
  std::map<std::pair<int32_t, int64_t>, SharedDescriptor> shared;
  std::optional<std::string> explanation;
};

} // namespace aircc::rt

#endif // AIRCC_RUNTIME_RANKS_JOB_H
