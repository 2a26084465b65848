//===- HubRelay.cpp - The hub's connections to other nodes ----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime-stubs/nodes/HubRelay.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <iterator>
#include <sys/socket.h>

using namespace aircc::rt;

HubRelay::HubRelay(NodeLink &link) : link(link) {
  link.attach(*this, {FrameKind::Hub});
}

Status HubRelay::connectFarRanks(std::vector<Fd> &hubEnds) {
  const NodeMap &nodes = link.nodes();
  for (size_t rank = 0; rank < nodes.nodes.size(); ++rank) {
    if (nodes.isNear(static_cast<int32_t>(rank)))
      continue;
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends))
      return Status::failure(std::string("cannot make a socket: ") +
                             std::strerror(errno));
    ports[static_cast<int32_t>(rank)].socket = Fd(ends[0]);
    hubEnds.emplace_back(ends[1]);
  }
  return Status::success();
}

//===----------------------------------------------------------------------===//
// A frame consists of the rank whose connection it is and a message, or nothing
// if the connection has been closed.
//===----------------------------------------------------------------------===//

void HubRelay::forward(int32_t rank, const Message *message) {
  Bytes bytes;
  appendTo(bytes, rank);
  if (message) {
    appendTo(bytes, message->kind);
    appendTo(bytes, message->rank);
    appendTo(bytes, message->values);
    bytes.insert(bytes.end(), message->text.begin(), message->text.end());
  }
  link.send(isHubSide() ? link.nodes().leaderOf(rank) : 0, FrameKind::Hub,
            std::move(bytes));
}

void HubRelay::receive(int32_t, FrameKind, Bytes bytes) {
  size_t at = 0;
  int32_t rank = 0;
  if (!extractFrom(bytes, at, rank))
    return;
  auto it = ports.find(rank);
  if (it == ports.end() || !it->second.socket)
    return;
  Port &port = it->second;
  if (at == bytes.size()) {
    flush(port);
    port.socket = Fd();
    port.process = Fd();
    return;
  }
  Message message;
  if (!extractFrom(bytes, at, message.kind) ||
      !extractFrom(bytes, at, message.rank) ||
      !extractFrom(bytes, at, message.values))
    return;
  message.text.assign(bytes.begin() + static_cast<ptrdiff_t>(at), bytes.end());
  if (!isHubSide()) {
    if (message.kind == MessageKind::Died)
      return spreadFailure(message);
    // The leader has already shared the memory of this node's ranks.
    if (message.kind == MessageKind::Share && link.nodes().isNear(message.rank))
      return;
    port.leaves += message.kind == MessageKind::Left;
  }
  send(port, std::move(message));
}

/// Tells all ranks of this node about a failure. The leader is last, because
/// its process then exits.
void HubRelay::spreadFailure(const Message &message) {
  if (std::exchange(failureSpread, true))
    return;
  const int32_t own = link.nodes().rank;
  auto tell = [&](Port &port) {
    Message copy(message.kind, message.rank);
    copy.text = message.text;
    send(port, std::move(copy));
  };
  for (auto &[rank, port] : ports)
    if (rank != own)
      tell(port);
  if (auto it = ports.find(own); it != ports.end())
    tell(it->second);
}

void HubRelay::shareOnNode(int32_t from, const Message &message) {
  for (auto &[rank, port] : ports) {
    if (rank == from)
      continue;
    Message copy(MessageKind::Share, from);
    std::copy(std::begin(message.values), std::end(message.values),
              copy.values);
    copy.fd = Fd(::fcntl(message.fd.get(), F_DUPFD_CLOEXEC, 0));
    send(port, std::move(copy));
  }
}

//===----------------------------------------------------------------------===//
// Sockets
//===----------------------------------------------------------------------===//

bool HubRelay::acceptConnections() {
  bool any = false;
  while (listener) {
    Fd socket(::accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (!socket)
      break;
    any = true;
    if (!getPeer(socket.get()))
      continue;
    pending.push_back(std::move(socket));
  }
  std::vector<Fd> kept;
  for (Fd &socket : pending)
    if (!identify(socket))
      kept.push_back(std::move(socket));
  any |= kept.size() != pending.size();
  pending = std::move(kept);
  return any;
}

/// Reads the first message on a connection. Returns false if it has not arrived
/// yet. Closes a connection that does not belong to a rank of this node.
bool HubRelay::identify(Fd &socket) {
  Message hello;
  switch (receiveMessage(socket.get(), hello, /*wait=*/false)) {
  case rt::Transfer::WouldBlock:
    return false;
  case rt::Transfer::Closed:
    socket = Fd();
    return true;
  case rt::Transfer::Done:
    break;
  }
  const NodeMap &nodes = link.nodes();
  const bool exists = hello.rank >= 0 &&
                      static_cast<size_t>(hello.rank) < nodes.nodes.size() &&
                      nodes.isNear(hello.rank);
  if (!exists || ports.count(hello.rank)) {
    Message refused(MessageKind::Refused);
    refused.text =
        "rank " + std::to_string(hello.rank) +
        (exists ? " has already joined this job" : " is not on this node");
    (void)sendMessage(socket.get(), refused, /*wait=*/false);
    socket = Fd();
    return true;
  }
  Port &port = ports[hello.rank];
  port.process = openPeer(socket.get());
  port.socket = std::move(socket);
  forward(hello.rank, &hello);
  // Free the name for the next job.
  if (ports.size() == static_cast<size_t>(std::count(
                          nodes.nodes.begin(), nodes.nodes.end(), nodes.own())))
    listener = Fd();
  return true;
}

void HubRelay::close(int32_t rank, Port &port) {
  port.socket = Fd();
  port.process = Fd();
  port.unsent.clear();
  forward(rank, nullptr);
}

/// Forwards the messages that have arrived from a rank, or from the hub for
/// that rank.
bool HubRelay::readFrom(int32_t rank, Port &port) {
  bool any = false;
  // Poll the process before reading the socket, so that messages it sent before
  // it exited are still read.
  pollfd process = {port.process.get(), POLLIN, 0};
  const bool hasEnded = port.process && ::poll(&process, 1, 0) > 0;
  while (port.socket) {
    Message message;
    switch (receiveMessage(port.socket.get(), message, /*wait=*/false)) {
    case rt::Transfer::WouldBlock:
      if (hasEnded)
        close(rank, port);
      return any;
    case rt::Transfer::Closed:
      close(rank, port);
      return true;
    case rt::Transfer::Done:
      any = true;
      if (!isHubSide() && message.kind == MessageKind::Share && message.fd)
        shareOnNode(rank, message);
      forward(rank, &message);
      break;
    }
  }
  return any;
}

void HubRelay::send(Port &port, Message message) {
  if (!port.socket)
    return;
  port.unsent.push_back(std::move(message));
  flush(port);
}

/// Sends queued messages. Returns whether something was sent.
bool HubRelay::flush(Port &port) {
  bool any = false;
  while (!port.unsent.empty() && port.socket) {
    if (sendMessage(port.socket.get(), port.unsent.front(), /*wait=*/false) ==
        rt::Transfer::WouldBlock)
      return any;
    // The relay detects that a peer has exited when it reads from it.
    port.unsent.pop_front();
    any = true;
  }
  return any;
}

//===----------------------------------------------------------------------===//
// Work on the link's thread
//===----------------------------------------------------------------------===//

bool HubRelay::work() {
  bool any = acceptConnections();
  for (auto &[rank, port] : ports) {
    any |= flush(port);
    any |= readFrom(rank, port);
  }
  return any;
}

void HubRelay::addDescriptors(std::vector<pollfd> &descriptors) {
  if (listener)
    descriptors.push_back({listener.get(), POLLIN, 0});
  for (Fd &socket : pending)
    descriptors.push_back({socket.get(), POLLIN, 0});
  for (auto &[rank, port] : ports) {
    if (!port.socket)
      continue;
    descriptors.push_back(
        {port.socket.get(),
         static_cast<short>(POLLIN | (port.unsent.empty() ? 0 : POLLOUT)), 0});
    if (port.process)
      descriptors.push_back({port.process.get(), POLLIN, 0});
  }
}

bool HubRelay::isFinished() {
  return std::all_of(ports.begin(), ports.end(), [&](auto &entry) {
    Port &port = entry.second;
    return !port.socket ||
           (port.unsent.empty() &&
            (isHubSide() || port.leaves == link.nodes().nodes.size()));
  });
}
