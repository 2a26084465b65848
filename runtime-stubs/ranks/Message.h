//===- Message.h - What ranks send each other -------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Messages between the ranks of a job and its hub, over Unix sockets that keep
// message boundaries (SOCK_SEQPACKET). A message may carry a file descriptor.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_RUNTIME_RANKS_MESSAGE_H
#define AIRCC_RUNTIME_RANKS_MESSAGE_H

#include "runtime-stubs/Device.h"
#include "runtime-stubs/ranks/ChannelAbi.h"

#include <cstdint>
#include <string>
#include <unistd.h>
#include <utility>

namespace aircc::rt {

/// An owned file descriptor.
class Fd {
public:
  Fd() = default;
  explicit Fd(int fd) : fd(fd) {}
  Fd(Fd &&other) noexcept : fd(std::exchange(other.fd, -1)) {}
  Fd &operator=(Fd &&other) noexcept {
    std::swap(fd, other.fd);
    return *this;
  }
  ~Fd() {
    if (fd >= 0)
      ::close(fd);
  }
  int get() const { return fd; }
  explicit operator bool() const { return fd >= 0; }

private:
  int fd = -1;
};

enum class MessageKind : uint32_t {
  // From a rank to the hub.
  Hello,   ///< The first one, and its answer. values: version, ranks
  Arrive,  ///< At a collective call. text: which, and in a second line what is
           ///< allocated in the symmetric heap; values: an argument, tolerant,
           ///< of how many ranks, and the heap's fingerprint
  Share,   ///< Also from the hub. values: id, bytes; with a descriptor
  Put,     ///< text: channel; values: index, put id, segment, offset, bytes
  Get,     ///< text: channel; values: index, get id, bytes
  Got,     ///< A matched put was copied. values: rank of the put, put id
  Failed,  ///< This rank ends itself. text: why
  Leave,   ///< This rank ends in order.
  Explain, ///< What does this rank wait for? text: what it asks about
  // From the hub to a rank.
  Welcome, ///< All ranks are there. text: their process numbers
  Refused, ///< text: why
  Release, ///< All ranks have arrived.
  Match,   ///< values: get id, rank of the put, put id, segment, offset, bytes
  Taken,   ///< A put was got. values: put id
  Died,    ///< `rank` has died, or failed. text: how
  Left,    ///< `rank` has ended in order.
  Explained, ///< text
};

struct Message {
  explicit Message(MessageKind kind = MessageKind::Hello, int32_t rank = 0)
      : kind(kind), rank(rank) {}

  MessageKind kind;
  int32_t rank; ///< Whom it is about; from a rank, which one sends it.
  int64_t values[6] = {};
  std::string text; ///< At most maxText bytes; what is more is cut off.
  Fd fd;

  static constexpr size_t maxText = abi::kMaxChannelName;
};

/// How sending or receiving went.
enum class Transfer { Done, WouldBlock, Closed };

/// Sends without SIGPIPE. `wait`: until there is room.
Transfer sendMessage(int socket, const Message &message, bool wait);
/// Receives one message. Closed also where the peer sends what is no message.
Transfer receiveMessage(int socket, Message &message, bool wait);

} // namespace aircc::rt

#endif // AIRCC_RUNTIME_RANKS_MESSAGE_H
