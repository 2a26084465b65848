//===- Hostcall.cpp - What kernels ask the host to do ---------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/exec/Hostcall.h"

#include "simulator/exec/Fault.h"
#include "simulator/exec/FormatText.h"
#include "simulator/exec/LaunchOutput.h"

#include <bit>
#include <cstring>
#include <new>
#include <string>

using namespace aircc::sim;

namespace {

/// The buffer to which the argument points.
struct Buffer {
  uint64_t headers, payloads;
  uint64_t doorbell; ///< An amd_signal_t.
  uint64_t freeStack, readyStack;
  uint64_t indexMask;
};
/// The tops of the stacks of packets. A pointer is the packet's index and, in
/// the bits above, a count that makes it differ from earlier pointers to the
/// same packet (the ABA problem). 0 is an empty stack.
struct Header {
  uint64_t next;
  uint64_t lanes; ///< A bit for each calling lane.
  uint32_t service;
  uint32_t control;
};
constexpr uint32_t kReady = 1; ///< In Header::control.
/// The arguments of lane L. The results replace the first of them.
struct Payload {
  uint64_t lanes[64][8];
};
/// amd_signal_t, which has 64 bytes. A wave that notifies the host adds to the
/// value and, if there is a mailbox, sends an interrupt (s_sendmsg).
struct Signal {
  int64_t kind;
  int64_t value;
  uint64_t mailbox;
  uint32_t event;
  uint32_t rest[9];
};
constexpr int64_t kUserSignal = 1;

enum Service : uint32_t {
  kCallFunction = 1,
  kPrintf = 2,
  kDeviceMemory = 3,
  kSanitizer = 4,
};

/// The first quadword of a part of a message.
constexpr uint64_t kBegin = 1, kEnd = 2;
constexpr unsigned kLengthShift = 5, kLengthBits = 3, kIdShift = 8;

/// In the first quadword of a message to printf, selects stderr.
constexpr uint64_t kToStderr = 1;

/// Strings are zero-terminated and padded to quadwords.
class MessageArguments : public FormatArguments {
public:
  MessageArguments(const uint64_t *begin, const uint64_t *end)
      : at(begin), end(end) {}
  std::optional<uint64_t> integer() override {
    return at == end ? std::nullopt : std::optional(*at++);
  }
  std::optional<std::string> string() override {
    if (at == end)
      return std::nullopt;
    const char *text = reinterpret_cast<const char *>(at);
    std::string value(text, strnlen(text, (end - at) * sizeof(*at)));
    at += std::min<size_t>(value.size() / sizeof(*at) + 1, end - at);
    return value;
  }

private:
  const uint64_t *at, *end;
};

} // namespace

HostcallBuffer::HostcallBuffer(unsigned waves, size_t extra)
    : extra(extra), packets(std::bit_ceil(waves)) {
  bytes = extra + sizeof(Buffer) + sizeof(Signal) + sizeof(uint64_t) +
          packets * (sizeof(Header) + sizeof(Payload));
  void *block = nullptr;
  if (posix_memalign(&block, 4096, bytes))
    throw std::bad_alloc();
  memory.reset(static_cast<uint8_t *>(block));
  std::memset(block, 0, bytes);
}

void HostcallBuffer::reset() {
  messages.clear();
  begun = 0;
  auto *buffer = reinterpret_cast<Buffer *>(address());
  auto *signal = reinterpret_cast<Signal *>(buffer + 1);
  auto *mailbox = reinterpret_cast<uint64_t *>(signal + 1);
  auto *headers = reinterpret_cast<Header *>(mailbox + 1);
  std::memset(signal, 0, sizeof(*signal));
  signal->kind = kUserSignal;
  signal->mailbox = reinterpret_cast<uint64_t>(mailbox);
  signal->event = 1;
  *buffer = {};
  buffer->headers = reinterpret_cast<uint64_t>(headers);
  buffer->payloads = reinterpret_cast<uint64_t>(headers + packets);
  buffer->doorbell = reinterpret_cast<uint64_t>(signal);
  buffer->indexMask = packets - 1;
  for (uint64_t i = 0; i < packets; ++i) {
    headers[i] = {};
    headers[i].next = buffer->freeStack;
    buffer->freeStack = packets + i;
  }
}

void HostcallBuffer::serve(uint64_t group, LaunchOutput &output) {
  auto *buffer = reinterpret_cast<Buffer *>(address());
  // The kernel may have written anything there.
  auto *headers = reinterpret_cast<Header *>(address() + sizeof(Buffer) +
                                             sizeof(Signal) + sizeof(uint64_t));
  auto *payloads = reinterpret_cast<Payload *>(headers + packets);
  std::vector<uint64_t> ready;
  for (uint64_t at = buffer->readyStack; at;) {
    if (ready.size() == packets)
      throw Fault("the kernel has corrupted its hostcall buffer");
    ready.push_back(at & (packets - 1));
    at = headers[ready.back()].next;
  }
  buffer->readyStack = 0;
  // The oldest packet is at the bottom of the stack.
  for (auto packet = ready.rbegin(); packet != ready.rend(); ++packet) {
    Header &header = headers[*packet];
    for (uint64_t lanes = header.lanes; lanes; lanes &= lanes - 1)
      serveLane(header.service,
                payloads[*packet].lanes[std::countr_zero(lanes)], group,
                output);
    header.control &= ~kReady;
  }
}

void HostcallBuffer::serveLane(uint32_t service, uint64_t *payload,
                               uint64_t group, LaunchOutput &output) {
  switch (service) {
  case kPrintf:
    return appendToMessage(payload, group, output);
  case kCallFunction:
    throw Fault("the kernel calls a host function, which the simulated device "
                "does not support");
  case kDeviceMemory:
    throw Fault("the kernel allocates or frees memory (malloc, new), which the "
                "simulated device does not support");
  case kSanitizer:
    throw Fault("the kernel reports to the address sanitizer, which the "
                "simulated device does not support");
  default:
    throw Fault("the kernel requests host service " + std::to_string(service) +
                ", which the simulated device does not support");
  }
}

/// Messages have several parts. The answer to a part is the first quadword of
/// the next one, and the answer to the last part is the result of printf.
void HostcallBuffer::appendToMessage(uint64_t *payload, uint64_t group,
                                     LaunchOutput &output) {
  const uint64_t part = payload[0];
  const uint64_t id = part & kBegin ? begun++ : part >> kIdShift;
  if (part & kBegin)
    messages[id] = {};
  auto found = messages.find(id);
  if (found == messages.end())
    throw Fault("the kernel continues a printf message that it has not begun");
  Message &message = found->second;
  const unsigned length = part >> kLengthShift & ((1u << kLengthBits) - 1);
  message.insert(message.end(), payload + 1, payload + 1 + length);
  if (!(part & kEnd)) {
    payload[0] = id << kIdShift;
    return;
  }
  int64_t printed = -1;
  if (!message.empty() && !(message[0] & ~kToStderr)) {
    MessageArguments arguments(message.data() + 1,
                               message.data() + message.size());
    std::string text = formatText(arguments.string().value_or(""), arguments);
    printed = static_cast<int64_t>(text.size());
    output.print(group, message[0] & kToStderr ? stderr : stdout,
                 std::move(text));
  }
  messages.erase(found);
  payload[0] = static_cast<uint64_t>(printed);
}
