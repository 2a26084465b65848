//===- Hub.cpp - The thread that connects the ranks of a job --------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime-stubs/ranks/Hub.h"
#include "runtime-stubs/support/RuntimeThread.h"

#include <algorithm>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>

using namespace aircc::rt;

Hub::Hub(int32_t size, Fd listener, std::vector<Fd> farRanks)
    : peers(size), listener(std::move(listener)),
      pendingConnections(std::move(farRanks)) {}

void Hub::start() {
  thread = startRuntimeThread([this] { run(); });
}

void Hub::join() { thread.join(); }

bool Hub::done() const {
  for (const Peer &peer : peers)
    if (peer.state == State::NotConnected || peer.state == State::Connected ||
        (peer.socket && !peer.unsent.empty()))
      return false;
  return true;
}

void Hub::run() {
  while (!done()) {
    std::vector<pollfd> waits;
    std::vector<int32_t> ranks;
    for (size_t rank = 0; rank < peers.size(); ++rank) {
      Peer &peer = peers[rank];
      if (!peer.socket)
        continue;
      waits.push_back(
          {peer.socket.get(),
           static_cast<short>(POLLIN | (peer.unsent.empty() ? 0 : POLLOUT)),
           0});
      ranks.push_back(static_cast<int32_t>(rank));
    }
    const size_t firstProcess = waits.size();
    for (int32_t rank : ranks)
      waits.push_back({peers[rank].process.get(), POLLIN, 0});
    const size_t firstPending = waits.size();
    for (Fd &pending : pendingConnections)
      waits.push_back({pending.get(), POLLIN, 0});
    if (listener)
      waits.push_back({listener.get(), POLLIN, 0});
    if (::poll(waits.data(), waits.size(), -1) < 0)
      continue;
    for (size_t i = 0; i < ranks.size(); ++i) {
      if (waits[i].revents & POLLOUT)
        flush(peers[ranks[i]]);
      // Read remaining messages before handling the hangup.
      if (waits[i].revents & (POLLIN | POLLHUP | POLLERR))
        serve(ranks[i]);
      if (waits[firstProcess + i].revents & POLLIN && peers[ranks[i]].socket) {
        serve(ranks[i]);
        if (peers[ranks[i]].socket)
          onDisconnect(ranks[i]);
      }
    }
    // Connections that have completed the handshake or hung up are no longer
    // pending.
    std::vector<Fd> kept;
    for (size_t i = 0; i < pendingConnections.size(); ++i)
      if (!waits[firstPending + i].revents || !handshake(pendingConnections[i]))
        kept.push_back(std::move(pendingConnections[i]));
    pendingConnections = std::move(kept);
    if (listener && waits.back().revents & POLLIN)
      accept();
  }
}

void Hub::accept() {
  for (;;) {
    Fd socket(::accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (!socket)
      return;
    if (!getPeer(socket.get()))
      continue;
    pendingConnections.push_back(std::move(socket));
  }
}

/// Performs the handshake of a connection. Returns false if no message has
/// arrived yet.
bool Hub::handshake(Fd &socket) {
  Message hello;
  switch (receiveMessage(socket.get(), hello, /*wait=*/false)) {
  case rt::Transfer::WouldBlock:
    return false;
  case rt::Transfer::Closed:
    return true;
  case rt::Transfer::Done:
    break;
  }
  auto refuse = [&](std::string why) {
    Message refused(MessageKind::Refused);
    refused.text = std::move(why);
    sendMessage(socket.get(), refused, /*wait=*/false);
    return true;
  };
  int32_t rank = hello.rank, size = static_cast<int32_t>(peers.size());
  if (hello.kind != MessageKind::Hello || hello.values[0] != protocolVersion)
    return refuse("the ranks of this job were built with different versions of "
                  "aircc; compile them again");
  if (hello.values[1] != size)
    return refuse(
        "this rank belongs to a job of " + std::to_string(hello.values[1]) +
        " ranks, and rank 0 says that there are " + std::to_string(size));
  if (rank < 0 || rank >= size)
    return refuse("there is no rank " + std::to_string(rank));
  Peer &peer = peers[rank];
  if (peer.state != State::NotConnected)
    return refuse("rank " + std::to_string(rank) +
                  " has already joined this job (process " +
                  std::to_string(peer.pid) +
                  "); two jobs that are started side by side need different "
                  "values of AIRCC_JOB");
  peer.state = State::Connected;
  // This process connects a rank on another node.
  peer.pid = static_cast<long>(hello.values[2]);
  peer.process = openPeer(socket.get());
  peer.socket = std::move(socket);
  // From now on, the end of this connection means that the hub process has
  // exited.
  send(rank, Message());

  std::string pids;
  for (const Peer &other : peers) {
    if (other.state == State::NotConnected)
      return true;
    pids += std::to_string(other.pid) + ' ';
  }
  // Free the name for the next job.
  listener = Fd();
  for (int32_t to = 0; to < size; ++to) {
    Message welcome(MessageKind::Welcome);
    welcome.text = pids;
    send(to, std::move(welcome));
  }
  return true;
}

void Hub::serve(int32_t rank) {
  for (;;) {
    Message message;
    if (!peers[rank].socket)
      return;
    switch (receiveMessage(peers[rank].socket.get(), message, /*wait=*/false)) {
    case rt::Transfer::WouldBlock:
      return;
    case rt::Transfer::Closed:
      return onDisconnect(rank);
    case rt::Transfer::Done:
      handle(rank, std::move(message));
      break;
    }
  }
}

void Hub::onDisconnect(int32_t rank) {
  Peer &peer = peers[rank];
  bool expected = peer.state == State::Left;
  peer.socket = Fd();
  peer.process = Fd();
  peer.unsent.clear();
  peer.state = State::Disconnected;
  if (!expected)
    fail(rank, nameRank(rank) + " has died");
}

void Hub::handle(int32_t rank, Message message) {
  switch (message.kind) {
  case MessageKind::Arrive:
    return handleArrive(rank, message);
  case MessageKind::Share:
    for (int32_t to = 0; to < static_cast<int32_t>(peers.size()); ++to) {
      if (to == rank)
        continue;
      Message copy(MessageKind::Share, rank);
      std::copy(std::begin(message.values), std::end(message.values),
                copy.values);
      copy.fd = Fd(::fcntl(message.fd.get(), F_DUPFD_CLOEXEC, 0));
      send(to, std::move(copy));
    }
    return;
  case MessageKind::Put:
  case MessageKind::Get:
    return handleTransfer(rank, message);
  case MessageKind::Got: {
    Message taken(MessageKind::Taken);
    taken.values[0] = message.values[1];
    return send(static_cast<int32_t>(message.values[0]), std::move(taken));
  }
  case MessageKind::Failed:
    return fail(rank, nameRank(rank) + " has failed: " + message.text);
  case MessageKind::Leave: {
    peers[rank].state = State::Left;
    peers[rank].arrival.reset();
    for (int32_t to = 0; to < static_cast<int32_t>(peers.size()); ++to) {
      Message left(MessageKind::Left, rank);
      send(to, std::move(left));
    }
    return releaseIfComplete();
  }
  case MessageKind::Explain: {
    Message answer(MessageKind::Explained);
    answer.text = explain(rank);
    return send(rank, std::move(answer));
  }
  default:
    // Only a rank from another build can send anything else.
    return fail(rank, nameRank(rank) + " sends an invalid message");
  }
}

//===----------------------------------------------------------------------===//
// Collective calls
//===----------------------------------------------------------------------===//

void Hub::handleArrive(int32_t rank, Message &message) {
  const auto size = static_cast<int32_t>(peers.size());
  const size_t line = std::min(message.text.find('\n'), message.text.size());
  Arrival arrival{message.text.substr(0, line),
                  message.values[0],
                  message.values[1] != 0,
                  static_cast<int32_t>(message.values[2]),
                  message.values[3],
                  message.text.substr(std::min(line + 1, message.text.size()))};
  if (arrival.ranks < 1 || arrival.ranks > size)
    arrival.ranks = size;
  for (int32_t other = 0; other < size; ++other) {
    const std::optional<Arrival> &there = peers[other].arrival;
    // Ranks that do not take part in an air.rank may be ahead in the program.
    if (!there ||
        std::max(rank, other) >= std::min(arrival.ranks, there->ranks))
      continue;
    if (there->call != arrival.call)
      return fail(-1, "the ranks do not make the same calls: rank " +
                          std::to_string(other) + " is in " + there->call +
                          ", rank " + std::to_string(rank) + " in " +
                          arrival.call);
    if (there->argument != arrival.argument || there->ranks != arrival.ranks) {
      auto describe = [&](const Arrival &a) {
        return std::to_string(there->ranks != arrival.ranks ? a.ranks
                                                            : a.argument) +
               (there->ranks != arrival.ranks ? " ranks" : "");
      };
      return fail(-1, "the ranks do not make the same calls: rank " +
                          std::to_string(other) + " is in " + there->call +
                          " with " + describe(*there) + ", rank " +
                          std::to_string(rank) + " with " + describe(arrival));
    }
    if (there->fingerprint != arrival.fingerprint)
      return fail(-1,
                  "the symmetric heaps differ in " + arrival.call + ": rank " +
                      std::to_string(other) + " has allocated " +
                      there->allocations + "; rank " + std::to_string(rank) +
                      " " + arrival.allocations +
                      ". The same offset then belongs to different buffers; "
                      "all ranks must allocate the same sizes in the same "
                      "order");
    break;
  }
  peers[rank].arrival = std::move(arrival);
  releaseIfComplete();
}

bool Hub::isComplete(int32_t ranks) {
  const Arrival *arrival = nullptr;
  for (int32_t rank = 0; rank < ranks; ++rank)
    if (peers[rank].arrival && peers[rank].arrival->ranks == ranks)
      arrival = &*peers[rank].arrival;
  if (!arrival)
    return false;
  for (int32_t rank = 0; rank < ranks; ++rank)
    if ((peers[rank].state == State::Left ||
         peers[rank].state == State::Disconnected) &&
        !arrival->tolerant) {
      fail(rank, nameRank(rank) +
                     " has ended, and another rank waits for it in " +
                     arrival->call);
      return false;
    }
  for (int32_t rank = 0; rank < ranks; ++rank) {
    const Peer &peer = peers[rank];
    if (peer.state == State::NotConnected ||
        (peer.state == State::Connected &&
         (!peer.arrival || peer.arrival->ranks != ranks)))
      return false;
  }
  return true;
}

void Hub::releaseIfComplete() {
  for (int32_t ranks = 1; ranks <= static_cast<int32_t>(peers.size());
       ++ranks) {
    if (!isComplete(ranks))
      continue;
    for (int32_t rank = 0; rank < ranks; ++rank) {
      if (!peers[rank].arrival)
        continue;
      peers[rank].arrival.reset();
      Message release(MessageKind::Release);
      send(rank, std::move(release));
    }
  }
}

//===----------------------------------------------------------------------===//
// Rank-level channels
//===----------------------------------------------------------------------===//

static std::string nameElement(const std::pair<std::string, int64_t> &element) {
  return element.first + "[" + std::to_string(element.second) + "]";
}

void Hub::handleTransfer(int32_t rank, const Message &message) {
  std::pair<std::string, int64_t> key(message.text, message.values[0]);
  Element &element = elements[key];
  if (message.kind == MessageKind::Put) {
    element.puts.push_back({rank, message.values[1], message.values[2],
                            message.values[3], message.values[4]});
  } else {
    element.gets.push_back({rank, message.values[1], message.values[2]});
    peers[rank].gets[message.values[1]] = nameElement(key);
  }
  while (!element.puts.empty() && !element.gets.empty()) {
    PutRecord put = element.puts.front();
    GetRecord get = element.gets.front();
    element.puts.pop_front();
    element.gets.pop_front();
    peers[get.rank].gets.erase(get.id);
    if (put.bytes != get.bytes)
      return fail(-1, "channel " + nameElement(key) + ": rank " +
                          std::to_string(put.rank) + " puts " +
                          std::to_string(put.bytes) + " bytes, rank " +
                          std::to_string(get.rank) + " gets " +
                          std::to_string(get.bytes));
    Message match(MessageKind::Match);
    int64_t values[6] = {get.id,      put.rank,   put.id,
                         put.segment, put.offset, put.bytes};
    std::copy(std::begin(values), std::end(values), match.values);
    send(get.rank, std::move(match));
  }
  if (element.puts.empty() && element.gets.empty())
    elements.erase(key);
}

//===----------------------------------------------------------------------===//
// Failure messages
//===----------------------------------------------------------------------===//

std::string Hub::nameRank(int32_t rank) const {
  return "rank " + std::to_string(rank) + " (process " +
         std::to_string(peers[rank].pid) + ")";
}

/// Describes what the other ranks were doing when the hub last heard from them.
std::string Hub::explain(int32_t asking) const {
  std::string text;
  for (int32_t rank = 0; rank < static_cast<int32_t>(peers.size()); ++rank) {
    const Peer &peer = peers[rank];
    if (rank == asking)
      continue;
    text += text.empty() ? "rank " : "; rank ";
    text += std::to_string(rank);
    if (peer.state == State::NotConnected)
      text += " has not made its first call";
    else if (peer.state != State::Connected)
      text += " has ended";
    else if (peer.arrival)
      text += " is in " + peer.arrival->call;
    else if (!peer.gets.empty())
      text += " waits to get from channel " + peer.gets.begin()->second;
    else
      text += " (process " + std::to_string(peer.pid) +
              ") is not known to wait for another rank";
  }
  return text;
}

void Hub::send(int32_t rank, Message message) {
  Peer &peer = peers[rank];
  if (!peer.socket)
    return;
  peer.unsent.push_back(std::move(message));
  flush(peer);
}

void Hub::flush(Peer &peer) {
  while (!peer.unsent.empty() && peer.socket) {
    Transfer sent =
        sendMessage(peer.socket.get(), peer.unsent.front(), /*wait=*/false);
    if (sent == Transfer::WouldBlock)
      return;
    // The hub detects a disconnected peer when it reads from it.
    peer.unsent.pop_front();
  }
}

void Hub::fail(int32_t rank, const std::string &why) {
  if (failed)
    return;
  failed = true;
  for (int32_t i = 1; i <= static_cast<int32_t>(peers.size()); ++i) {
    int32_t to = i % static_cast<int32_t>(peers.size());
    // Notify the failing rank too, because it waits until the others know.
    Message died(MessageKind::Died, rank);
    died.text = why;
    send(to, std::move(died));
  }
}
