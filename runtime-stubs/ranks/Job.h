//===- Job.h - This process as a rank of a job ------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A rank's side of the connection to the hub. A thread reads the messages and
// terminates the process if another rank has died. A job with a single rank has
// a hub as well, so that other code need not treat it separately.
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
class HubRelay;
class NodeLink;
class RemoteMemory;
class RemoteRings;
struct SharedMemory;

/// Returns the abstract socket on which the hub of the job with this identity
/// listens until all ranks have connected.
std::string hubName(const std::string &identity);

/// The current entry point of a program, for messages.
struct Call {
  const char *entry;
  std::string arguments;
};

/// Memory that another rank has shared.
struct SharedDescriptor {
  int32_t rank = 0;
  int64_t id = 0;
  Fd fd; ///< Unset if the rank is on another node.
  uint64_t bytes = 0;
};

/// A put that was matched with a get of this rank.
struct Match {
  int32_t rank = 0;
  int64_t put = 0, segment = 0, offset = 0, bytes = 0;
};

/// The allocations in a rank's symmetric heap: a hash for comparison, and a
/// description.
struct HeapState {
  uint64_t fingerprint = 0;
  std::string text;
};

class Job {
public:
  /// Returns the job of this process. The first call joins it and waits for all
  /// ranks. Terminates the program on failure.
  static Job &get(const Call &call);
  /// Returns the job if this process has joined it, otherwise null.
  static Job *joined();

  const World &world() const { return place; }
  const WaitLimit &waitLimit() const { return limit; }

  /// Waits until all ranks have called this function with the same `what` (the
  /// name of a collective call, "mgpuBarrier") and `argument`. If `tolerant` is
  /// set, ranks that have exited need not call it. `ranks` is the number of
  /// participants, from rank 0, where 0 means all. `allocations` must be equal
  /// on all participants.
  void collective(const Call &call, const std::string &what,
                  int64_t argument = 0, bool tolerant = false,
                  int32_t ranks = 0, const HeapState &allocations = {});

  /// Shares memory of this rank with the others, under an id that this rank
  /// chooses.
  void share(Device &device, int64_t id, const SharedMemory &memory, Fd fd);
  /// Must be called before memory that was shared under `id` is freed.
  void withdraw(int64_t id);
  /// Waits for the memory that `rank` shares under `id` and returns it. Must be
  /// called once per id.
  SharedDescriptor takeShared(const Call &call, int32_t rank, int64_t id);

  /// Returns the object that copies to and from `rank` if it is on another
  /// node, otherwise null.
  RemoteMemory *remoteMemory(int32_t rank) const;
  /// Returns the message rings between nodes, or null if all ranks are on one
  /// node.
  RemoteRings *remoteRings() const;

  void send(Message message);

  /// Returns whether this process is exiting and has left the job.
  bool hasLeft() const { return leaving; }

  /// Wakes all waiting threads.
  void notify() { changed.notify_all(); }

  /// Asks the hub what the other ranks are doing. All earlier messages from the
  /// hub have been processed when this returns.
  std::string ask(std::unique_lock<std::mutex> &lock);

  /// Waits until `ready()` returns true. `mutex` must be held on entry and is
  /// held during the calls. Terminates the program after the time limit: "rank
  /// 1 of 2 has waited 10 s WHAT; rank 0 is in mgpuBarrier".
  void wait(const Call &call, std::unique_lock<std::mutex> &lock,
            const std::function<bool()> &ready, const std::string &what);

  // Messages received for the channels; guarded by `mutex`.
  std::mutex mutex;
  std::map<int64_t, Match> matches; ///< Matches, by get id.
  std::set<int64_t> taken;          ///< Puts whose message was received.
  std::set<int32_t> left;           ///< Ranks that have exited normally.

private:
  Job(const World &world, const WaitLimit &limit);
  ~Job();

  /// The connection to other nodes.
  struct Nodes;

  Status join();
  Status startNodes();
  std::string socketName() const;
  Status listen(Fd &listener);
  Status startHub();
  Status connect();
  void finishNodes();
  void watch();
  bool receive(Message message);
  void leaveAtExit();
  void leave(int status);
  void tellFailure(const std::string &why);

  const World place;
  const WaitLimit limit;
  /// Recognizes forks of this process, which are not ranks although they
  /// inherit this object.
  const pid_t process = ::getpid();
  Fd socket;
  int32_t hubRank = 0; ///< The rank at the other end of the socket.
  long hubProcess = 0;
  std::mutex sendMutex;
  std::unique_ptr<Hub> hub;     ///< Only on rank 0.
  std::unique_ptr<Nodes> nodes; ///< Null if all ranks are on one node.
  std::atomic<bool> leaving{false};

  // Guarded by `mutex`.
  std::condition_variable changed;
  bool welcome = false;
  bool released = false;
  bool failureTold = false;
  std::atomic<bool> sharesWithNodes{false};
  bool disconnected = false;
  std::map<std::pair<int32_t, int64_t>, SharedDescriptor> shared;
  std::optional<std::string> explanation;
};

} // namespace aircc::rt

#endif // AIRCC_RUNTIME_RANKS_JOB_H
