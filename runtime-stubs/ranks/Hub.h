//===- Hub.h - What connects the ranks of a job -----------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The hub is a thread of rank 0 to which every rank, rank 0 as well, has a
// connection. It collects the ranks, releases collective calls, hands on
// descriptors, matches rank-level puts and gets, and tells everyone when a rank
// has gone. It never waits for a single rank: what one does not read yet is
// queued. It touches no device.
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
  /// The version of the messages' meaning: programs of one job may have been
  /// built at different times.
  static constexpr int64_t protocolVersion = 3;

  /// A hub for `size` ranks that listens at `listener`.
  Hub(int32_t size, Fd listener);

  void start();
  /// Waits until no rank is left.
  void join();

private:
  enum class State { Absent, Here, Left, Gone };

  /// What a rank said when it came to a collective call.
  struct Arrival {
    std::string call;
    int64_t argument;
    bool tolerant;       ///< Ranks that have left need not come.
    int32_t ranks;       ///< Of how many ranks, from rank 0 on, it is a call.
    int64_t fingerprint; ///< Of what is allocated in the symmetric heap.
    std::string allocations;
  };
  struct Peer {
    State state = State::Absent;
    Fd socket;
    Fd process; ///< Tells of its end, also where forks of it keep the socket.
    long pid = 0;
    std::deque<Message> unsent;
    std::optional<Arrival> arrival;
    std::map<int64_t, std::string> gets; ///< Not matched yet, by id.
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
  bool greet(Fd &socket);
  void serve(int32_t rank);
  void handle(int32_t rank, Message message);
  void handleArrive(int32_t rank, Message &message);
  void handleTransfer(int32_t rank, const Message &message);
  /// Releases the collective calls to which all of their ranks have come.
  void releaseIfComplete();
  /// Whether all of the first `ranks` ranks are in a call of so many.
  bool isComplete(int32_t ranks);
  void gone(int32_t rank);
  std::string explain(int32_t rank) const;

  void send(int32_t rank, Message message);
  void flush(Peer &peer);
  /// Tells every other rank that `rank` is why the job ends; the rank of the
  /// hub itself last, as it then ends the process.
  void fail(int32_t rank, const std::string &why);
  std::string nameRank(int32_t rank) const;

  std::vector<Peer> peers;
  Fd listener;
  std::vector<Fd> strangers; ///< Connected, and have not said hello yet.
  std::map<std::pair<std::string, int64_t>, Element> elements;
  bool failed = false;
  std::thread thread;
};

} // namespace aircc::rt

#endif // AIRCC_RUNTIME_RANKS_HUB_H
