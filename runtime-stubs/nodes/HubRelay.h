//===- HubRelay.h - The hub's connections to other nodes --------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The hub is a thread of rank 0, and ranks are connected to it by Unix sockets.
// The ranks on another node connect to the first rank on their node instead,
// their leader, where a relay forwards their messages to rank 0 by MPI. The
// relay in rank 0 has a socket pair for each rank on another node, one end of
// which is the hub's. Neither the hub nor the ranks see a difference.
//
// Descriptors of shared memory are sent directly from the leader to the other
// ranks of the node.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_RUNTIME_NODES_HUBRELAY_H
#define AIRCC_RUNTIME_NODES_HUBRELAY_H

#include "runtime-stubs/nodes/NodeLink.h"
#include "runtime-stubs/ranks/Message.h"

#include <deque>
#include <map>
#include <vector>

namespace aircc::rt {

class HubRelay final : public LinkClient {
public:
  /// Must be called on each rank before the link runs.
  explicit HubRelay(NodeLink &link);

  /// On rank 0, creates the connections of the ranks on other nodes and returns
  /// the hub's ends.
  Status connectFarRanks(std::vector<Fd> &hubEnds);
  /// On the leader of another node, relays the connections at `listener`.
  void acceptAt(Fd socket) { listener = std::move(socket); }

  void receive(int32_t from, FrameKind kind, Bytes bytes) override;
  bool work() override;
  void addDescriptors(std::vector<pollfd> &descriptors) override;
  bool isFinished() override;

private:
  /// The connection of a rank.
  struct Port {
    Fd socket;
    Fd process; ///< On the leader, detects that the process has exited even if
                ///< forks keep the socket.
    std::deque<Message> unsent;
    size_t leaves = 0; ///< How many ranks it knows to have exited normally.
  };

  bool isHubSide() const { return link.nodes().rank == 0; }
  bool acceptConnections();
  bool identify(Fd &socket);
  bool readFrom(int32_t rank, Port &port);
  void forward(int32_t rank, const Message *message);
  void shareOnNode(int32_t rank, const Message &message);
  void spreadFailure(const Message &message);
  void close(int32_t rank, Port &port);
  static void send(Port &port, Message message);
  static bool flush(Port &port);

  NodeLink &link;
  Fd listener;
  std::vector<Fd> pending;       ///< Accepted connections whose rank is not
                                 ///< known yet.
  std::map<int32_t, Port> ports; ///< The connections, by rank.
  bool failureSpread = false;
};

} // namespace aircc::rt

#endif // AIRCC_RUNTIME_NODES_HUBRELAY_H
