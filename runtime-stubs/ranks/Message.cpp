//===- Message.cpp - Messages between ranks -------------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime-stubs/ranks/Message.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sys/socket.h>
#include <sys/syscall.h>

using namespace aircc::rt;

namespace {
struct Header {
  MessageKind kind;
  int32_t rank;
  int64_t values[6];
};

union Control {
  cmsghdr align;
  char bytes[CMSG_SPACE(sizeof(int))];
};
} // namespace

std::optional<pid_t> aircc::rt::getPeer(int socket) {
  ucred peer = {};
  socklen_t length = sizeof(peer);
  if (::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &length) ||
      peer.uid != ::getuid())
    return std::nullopt;
  return peer.pid;
}

Fd aircc::rt::openPeer(int socket) {
  std::optional<pid_t> peer = getPeer(socket);
  return Fd(
      peer ? static_cast<int>(::syscall(SYS_pidfd_open, *peer, /*flags=*/0u))
           : -1);
}

Transfer aircc::rt::sendMessage(int socket, const Message &message, bool wait) {
  Header header{message.kind, message.rank, {}};
  std::copy(std::begin(message.values), std::end(message.values),
            header.values);
  iovec parts[2] = {
      {&header, sizeof(header)},
      {const_cast<char *>(message.text.data()),
       std::min(message.text.size(), Message::maxText)},
  };
  msghdr envelope = {};
  envelope.msg_iov = parts;
  envelope.msg_iovlen = 2;
  Control control = {};
  if (message.fd) {
    envelope.msg_control = control.bytes;
    envelope.msg_controllen = sizeof(control.bytes);
    cmsghdr *part = CMSG_FIRSTHDR(&envelope);
    part->cmsg_level = SOL_SOCKET;
    part->cmsg_type = SCM_RIGHTS;
    part->cmsg_len = CMSG_LEN(sizeof(int));
    int fd = message.fd.get();
    std::memcpy(CMSG_DATA(part), &fd, sizeof(fd));
  }
  for (;;) {
    if (::sendmsg(socket, &envelope,
                  MSG_NOSIGNAL | (wait ? 0 : MSG_DONTWAIT)) >= 0)
      return Transfer::Done;
    if (errno == EINTR)
      continue;
    return errno == EAGAIN || errno == EWOULDBLOCK ? Transfer::WouldBlock
                                                   : Transfer::Closed;
  }
}

Transfer aircc::rt::receiveMessage(int socket, Message &message, bool wait) {
  Header header;
  char text[Message::maxText];
  iovec parts[2] = {{&header, sizeof(header)}, {text, sizeof(text)}};
  Control control = {};
  msghdr envelope = {};
  envelope.msg_iov = parts;
  envelope.msg_iovlen = 2;
  envelope.msg_control = control.bytes;
  envelope.msg_controllen = sizeof(control.bytes);
  ssize_t length;
  do {
    length = ::recvmsg(socket, &envelope,
                       MSG_CMSG_CLOEXEC | (wait ? 0 : MSG_DONTWAIT));
    // A peer that exits without having read everything resets the connection.
    // The error is reported once, before the data that the peer had sent. Retry
    // to read that data.
  } while (length < 0 && (errno == EINTR || errno == ECONNRESET));
  if (length < 0)
    return errno == EAGAIN || errno == EWOULDBLOCK ? Transfer::WouldBlock
                                                   : Transfer::Closed;
  message.fd = Fd();
  for (cmsghdr *part = CMSG_FIRSTHDR(&envelope); part;
       part = CMSG_NXTHDR(&envelope, part))
    if (part->cmsg_level == SOL_SOCKET && part->cmsg_type == SCM_RIGHTS) {
      int fd;
      std::memcpy(&fd, CMSG_DATA(part), sizeof(fd));
      message.fd = Fd(fd);
    }
  if (static_cast<size_t>(length) < sizeof(header))
    return Transfer::Closed;
  message.kind = header.kind;
  message.rank = header.rank;
  std::copy(std::begin(header.values), std::end(header.values), message.values);
  message.text.assign(text, length - sizeof(header));
  return Transfer::Done;
}
