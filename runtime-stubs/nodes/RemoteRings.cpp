//===- RemoteRings.cpp - Message rings between nodes ----------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime-stubs/nodes/RemoteRings.h"
#include "runtime-stubs/mgpu/CurrentDevice.h"
#include "runtime-stubs/ranks/ChannelAbi.h"

#include <atomic>

using namespace aircc;
using namespace aircc::rt;

int64_t RingShape::ringWords() const { return abi::getRingWords(depth, lines); }

uint64_t RingShape::bytes() const {
  return static_cast<uint64_t>(rings * ringWords() * abi::kWordBytes);
}

RemoteRings::RemoteRings(NodeLink &link) : link(link) {
  link.attach(*this, {FrameKind::Ring});
}

int64_t RemoteRings::add(Device &device, char *own, uint64_t bytes) {
  std::lock_guard<std::mutex> lock(mutex);
  channels.emplace(nextNumber,
                   Channel{&device, currentDeviceIndex(), own, bytes, {}, {}});
  return nextNumber++;
}

void RemoteRings::watch(int64_t number, const RingShape &shape,
                        const std::vector<Mirror> &mirrors) {
  const size_t watched = static_cast<size_t>(shape.rings) *
                         static_cast<size_t>(shape.depth * (1 + shape.lines));
  {
    std::lock_guard<std::mutex> lock(mutex);
    Channel &channel = channels.at(number);
    channel.shape = shape;
    for (const Mirror &mirror : mirrors)
      channel.mirrors.push_back({mirror, std::vector<uint32_t>(watched)});
  }
  link.wake();
}

void RemoteRings::remove(int64_t number) {
  std::lock_guard<std::mutex> lock(mutex);
  channels.erase(number);
}

//===----------------------------------------------------------------------===//
// The writing node
//===----------------------------------------------------------------------===//

static uint32_t loadWord(const char *memory, int64_t word) {
  const auto *at = reinterpret_cast<const std::atomic<uint32_t> *>(
      memory + word * abi::kWordBytes);
  static_assert(sizeof(*at) == abi::kWordBytes);
  return at->load(std::memory_order_acquire);
}

/// Appends the lines and credits of a mirror that have changed. The payload of
/// a line was stored before its flag or together with it, so it is loaded after
/// the flag.
void RemoteRings::collect(const Channel &channel, Watched &watched,
                          Bytes &frame) {
  const char *memory = watched.mirror.memory;
  size_t number = 0;
  auto check = [&](int64_t word, int64_t first, uint32_t count) {
    const uint32_t value = loadWord(memory, word);
    if (value == std::exchange(watched.sent[number++], value))
      return;
    appendTo(frame, Change{static_cast<uint32_t>(first), count});
    for (uint32_t i = 0; i + 1 < count; ++i)
      appendTo(frame, loadWord(memory, first + i));
    // Send the value that was compared, because a later one is another change.
    appendTo(frame, value);
  };
  const RingShape &shape = channel.shape;
  for (int64_t ring = 0; ring < shape.rings; ++ring) {
    const int64_t start = ring * shape.ringWords();
    for (int64_t slot = 0; slot < shape.depth; ++slot)
      check(start + abi::kCredits + slot, start + abi::kCredits + slot, 1);
    for (int64_t line = 0; line < shape.depth * shape.lines; ++line) {
      const int64_t first =
          start + abi::getFirstSlot(shape.depth) + line * abi::kLineWords;
      check(first + abi::kFlagWord, first, abi::kLineWords);
    }
  }
}

bool RemoteRings::work() {
  std::lock_guard<std::mutex> lock(mutex);
  bool any = false;
  for (auto &[number, channel] : channels)
    for (Watched &watched : channel.mirrors) {
      Bytes frame;
      appendTo(frame, number);
      const size_t empty = frame.size();
      collect(channel, watched, frame);
      if (frame.size() == empty)
        continue;
      any = true;
      link.send(watched.mirror.rank, FrameKind::Ring, std::move(frame));
    }
  return any;
}

//===----------------------------------------------------------------------===//
// The rank that owns the rings
//===----------------------------------------------------------------------===//

void RemoteRings::receive(int32_t from, FrameKind, Bytes frame) {
  size_t at = 0;
  int64_t number = 0;
  if (!extractFrom(frame, at, number))
    return;
  std::lock_guard<std::mutex> lock(mutex);
  auto it = channels.find(number);
  // Credits may arrive after the channel has been freed.
  if (it == channels.end())
    return;
  const Channel &channel = it->second;
  Status status = channel.device->setDevice(channel.index);
  Change change = {};
  while (status.ok() && extractFrom(frame, at, change)) {
    const uint64_t bytes = uint64_t(change.count) * abi::kWordBytes;
    const uint64_t offset = uint64_t(change.first) * abi::kWordBytes;
    if (!change.count || frame.size() - at < bytes ||
        offset + bytes > channel.bytes)
      return failFromOutside("rank " + std::to_string(from) +
                             " sends invalid messages");
    // The last word is a flag or a credit.
    const uint64_t before = bytes - abi::kWordBytes;
    char *to = channel.own + offset;
    const char *words = frame.data() + at;
    if (before)
      status = channel.device->copyForPeer(to, words, before,
                                           /*isAllocated=*/true);
    if (status.ok())
      status = channel.device->copyForPeer(to + before, words + before,
                                           abi::kWordBytes,
                                           /*isAllocated=*/true);
    at += bytes;
  }
  if (!status.ok())
    failFromOutside("a message of rank " + std::to_string(from) +
                    " cannot be stored: " + status.message());
}
