//===- Hub.h - The thread that connects the ranks of a job ------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The hub is a thread of rank 0. Every rank, including rank 0, is connected to
// it. It waits for all ranks to connect, releases collective calls, forwards
// descriptors, matches rank-level puts and gets, and notifies all ranks when
// one has disconnected. It never waits for a single rank, because messages that
// a rank does not read are queued. It does not access the device.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_RUNTIME_RANKS_HUB_H
#define AIRCC_RUNTIME_RANKS_HUB_H

#include "runtime-stubs/ranks/Message.h"

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace aircc::rt {

class Hub {
public:
  /// The version of the message protocol, because programs of one job may come
  /// from different builds.
  static constexpr int64_t protocolVersion = 4;

  /// Creates a hub for `size` ranks that accepts connections on `listener`.
  /// `farRanks` are the connections of the ranks on other nodes.
  Hub(int32_t size, Fd listener, std::vector<Fd> farRanks = {});

  void start();
  /// Waits until all ranks have disconnected.
  void join();

private:
  /// A rank that has left has exited normally but may still be connected.
  enum class State { NotConnected, Connected, Left, Disconnected };

  /// The message of a rank that has arrived at a collective call.
  struct Arrival {
    std::string call;
    int64_t argument;
    bool tolerant;       ///< Whether ranks that have left need not arrive.
    int32_t ranks;       ///< The number of participating ranks, from rank 0.
    int64_t fingerprint; ///< A hash of the allocations in the symmetric heap.
    std::string allocations;
  };
  struct Peer {
    State state = State::NotConnected;
    Fd socket;
    Fd process; ///< Detects that the process has exited even if forks keep the
                ///< socket.
    long pid = 0;
    std::deque<Message> unsent;
    std::optional<Arrival> arrival;
    std::map<int64_t, std::string> gets; ///< Unmatched gets, by id.
  };
  struct PutRecord {
    int32_t rank;
    int64_t id, segment, offset, bytes;
  };
  struct GetRecord {
    int32_t rank;
    int64_t id, bytes;
  };
  struct Element {
    std::deque<PutRecord> puts;
    std::deque<GetRecord> gets;
  };

  void run();
  bool done() const;
  void accept();
  bool handshake(Fd &socket);
  void serve(int32_t rank);
  void handle(int32_t rank, Message message);
  void handleArrive(int32_t rank, Message &message);
  void handleTransfer(int32_t rank, const Message &message);
  /// Releases the collective calls at which all participating ranks have
  /// arrived.
  void releaseIfComplete();
  /// Returns whether all of the first `ranks` ranks are in a call with `ranks`
  /// participants.
  bool isComplete(int32_t ranks);
  void onDisconnect(int32_t rank);
  std::string explain(int32_t rank) const;

  void send(int32_t rank, Message message);
  void flush(Peer &peer);
  /// Tells every other rank that `rank` caused the job to fail. The hub's own
  /// rank is last, because it then terminates the process.
  void fail(int32_t rank, const std::string &why);
  std::string nameRank(int32_t rank) const;

  std::vector<Peer> peers;
  Fd listener;
  std::vector<Fd> pendingConnections; ///< Connected, with the handshake
                                      ///< pending.
  std::map<std::pair<std::string, int64_t>, Element> elements;
  bool failed = false;
  std::thread thread;
};

} // namespace aircc::rt

#endif // AIRCC_RUNTIME_RANKS_HUB_H
