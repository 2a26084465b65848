//===- NodeLink.h - Frames between ranks on several nodes -------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// In a job on several nodes, a thread in each rank initializes MPI and makes
// all MPI calls. It transfers frames, which are byte strings of some kind,
// between any two ranks. Frames between two ranks arrive in order. The thread
// sleeps while there is nothing to do, but for at most half a millisecond,
// because MPI cannot wake it.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_RUNTIME_NODES_NODELINK_H
#define AIRCC_RUNTIME_NODES_NODELINK_H

#include "runtime-stubs/nodes/MpiApi.h"
#include "runtime-stubs/ranks/Message.h"
#include "runtime-stubs/ranks/World.h"

#include <condition_variable>
#include <cstdint>
#include <cstring>
#include <deque>
#include <list>
#include <map>
#include <mutex>
#include <poll.h>
#include <string>
#include <vector>

namespace aircc::rt {

/// Which rank is on which node.
struct NodeMap {
  int32_t rank = 0;           ///< The rank of this process.
  std::vector<int32_t> nodes; ///< The node of each rank, numbered in the order
                              ///< of ranks.

  int32_t own() const { return nodes[rank]; }
  bool isNear(int32_t other) const { return nodes[other] == own(); }
  /// Returns the first rank on the node of `other`.
  int32_t leaderOf(int32_t other) const;
};

/// The content of a frame. The numbers are MPI tags.
enum class FrameKind : int {
  Hub = 1, ///< Between a rank and the hub: HubRelay.
  Put,     ///< Copies to or from memory, and their results: RemoteMemory.
  PutDone,
  Get,
  Got,
  Ring, ///< Changes of message rings: RemoteRings.
};

using Bytes = std::vector<char>;

/// Append and extract the bytes of plain values.
template <typename T> void appendTo(Bytes &bytes, const T &value) {
  const char *begin = reinterpret_cast<const char *>(&value);
  bytes.insert(bytes.end(), begin, begin + sizeof(T));
}
template <typename T>
bool extractFrom(const Bytes &bytes, size_t &at, T &value) {
  if (bytes.size() - at < sizeof(T))
    return false;
  std::memcpy(&value, bytes.data() + at, sizeof(T));
  at += sizeof(T);
  return true;
}

/// Receives frames and has other work for the thread. Only the thread calls
/// these functions.
class LinkClient {
public:
  virtual ~LinkClient() = default;
  virtual void receive(int32_t from, FrameKind kind, Bytes bytes) = 0;
  /// Does the work that there is. Returns false if there was none.
  virtual bool work() { return false; }
  /// Adds the descriptors whose events mean work.
  virtual void addDescriptors(std::vector<pollfd> &descriptors) {}
  /// Returns whether other ranks need nothing more from this one.
  virtual bool isFinished() { return true; }
};

class NodeLink {
public:
  explicit NodeLink(const World &world) : world(world) {}

  /// Loads and initializes MPI, and determines which rank is on which node.
  /// Collective. Waits at most `limit` for the other ranks.
  Status start(const WaitLimit &limit);
  const NodeMap &nodes() const { return map; }

  /// Passes frames of these kinds to `client`. Must be called before `run`.
  void attach(LinkClient &client, std::initializer_list<FrameKind> kinds);
  /// Lets the thread send and receive frames.
  void run();

  /// Sends a frame. May be called by any thread.
  void send(int32_t to, FrameKind kind, Bytes bytes);
  /// Makes the thread look for work immediately.
  void wake();
  /// Waits briefly until all frames have been sent and all work is done. For a
  /// process that is about to exit.
  void flush();
  /// Finalizes MPI after all ranks have sent their last frames. Collective.
  /// Returns false if this takes longer than `limit`.
  bool finish(const WaitLimit &limit);

private:
  struct Outgoing {
    int32_t to;
    FrameKind kind;
    Bytes bytes;
    mpi::Request request;
  };
  enum class Phase { Starting, Failed, Ready, Running, Finishing, Ended };

  void thread();
  Status initialize();
  Status findNodes();
  void serve();
  bool startSends();
  bool completeSends();
  bool receiveFrames();
  struct Requests {
    bool flush, finish;
  };
  Requests takeRequests();
  bool meet(Requests asked);
  void pause(unsigned idle);
  void setPhase(Phase next);
  void require(const char *function, int code) const;

  const World world;
  mpi::Api api;
  NodeMap map;
  std::vector<LinkClient *> clients;
  std::map<FrameKind, LinkClient *> receivers;
  std::list<Outgoing> sending; ///< Accessed only by the thread.
  Fd wakeup;

  std::mutex mutex; ///< Guards all members below.
  std::condition_variable changed;
  Phase phase = Phase::Starting;
  Status result = Status::success();
  std::deque<Outgoing> queue;
  bool flushing = false;
};

} // namespace aircc::rt

#endif // AIRCC_RUNTIME_NODES_NODELINK_H
