//===- Message.h - Messages between ranks -----------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Messages between the ranks of a job and its hub, sent over Unix sockets that
// keep message boundaries (SOCK_SEQPACKET). A message may carry a file
// descriptor.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_RUNTIME_RANKS_MESSAGE_H
#define AIRCC_RUNTIME_RANKS_MESSAGE_H

#include "runtime-stubs/Device.h"
#include "runtime-stubs/ranks/ChannelAbi.h"

#include <cstdint>
#include <optional>
#include <string>
#include <unistd.h>
#include <utility>

namespace aircc::rt {

/// Owns a file descriptor.
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

/// Returns the process at the other end of a connection, or nothing if it
/// belongs to another user.
std::optional<pid_t> getPeer(int socket);
/// Returns a descriptor that becomes readable when the process at the other end
/// of a connection exits. Unset on kernels without such descriptors, where the
/// end of the connection must suffice.
Fd openPeer(int socket);

enum class MessageKind : uint32_t {
  // From a rank to the hub
  Hello,   ///< First message, and its answer. values: version, ranks,
           ///< process id
  Arrive,  ///< At a collective call. text: its name, and in a second line the
           ///< allocations in the symmetric heap; values: argument, tolerant,
           ///< number of participating ranks, fingerprint of the heap
  Share,   ///< Also from the hub. values: id, bytes; with a descriptor
  Put,     ///< text: channel; values: index, put id, segment, offset, bytes
  Get,     ///< text: channel; values: index, get id, bytes
  Got,     ///< A matched put was copied. values: rank of the put, put id
  Failed,  ///< This rank is ending with an error. text: reason
  Leave,   ///< This rank is ending normally.
  Explain, ///< Query: what does this rank wait for? text: question
  // From the hub to a rank
  Welcome, ///< All ranks have connected. text: their process ids
  Refused, ///< text: reason
  Release, ///< All ranks have arrived.
  Match,   ///< values: get id, rank of the put, put id, segment, offset, bytes
  Taken,   ///< A put was received. values: put id
  Died,    ///< `rank` has died or failed. text: reason
  Left,    ///< `rank` has ended normally.
  Explained, ///< text
};

struct Message {
  explicit Message(MessageKind kind = MessageKind::Hello, int32_t rank = 0)
      : kind(kind), rank(rank) {}

  MessageKind kind;
  int32_t rank; ///< The affected rank, or the sending rank.
  int64_t values[6] = {};
  std::string text; ///< Truncated to maxText bytes.
  Fd fd;

  static constexpr size_t maxText = abi::kMaxChannelName;
};

/// The result of sending or receiving.
enum class Transfer { Done, WouldBlock, Closed };

/// Sends without SIGPIPE. If `wait` is set, blocks until there is room.
Transfer sendMessage(int socket, const Message &message, bool wait);
/// Receives one message. Also returns Closed if the peer sends an invalid
/// message.
Transfer receiveMessage(int socket, Message &message, bool wait);

} // namespace aircc::rt

#endif // AIRCC_RUNTIME_RANKS_MESSAGE_H
