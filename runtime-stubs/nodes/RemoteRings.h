//===- RemoteRings.h - Message rings between nodes --------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A kernel sends a message through a ring in the heap of the receiving rank
// (ChannelAbi.h), and the receiver returns credits to the sender's ring. For a
// rank on another node, both write to a mirror: a copy of that rank's rings in
// memory of their own node. The link thread compares the flags and credits in
// each mirror with what it has seen before. It sends lines and credits that
// have changed to the rank, and writes what arrives to the rings of its own
// rank, with the flag of a line last.
//
// This works for rings with one sender and one receiver, because they never
// read what they write to the other's ring.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_RUNTIME_NODES_REMOTERINGS_H
#define AIRCC_RUNTIME_NODES_REMOTERINGS_H

#include "runtime-stubs/nodes/NodeLink.h"

#include <map>

namespace aircc::rt {

/// The number of a channel's rings and the shape of their slots.
struct RingShape {
  int64_t rings = 0, depth = 0, lines = 0;
  int64_t ringWords() const;
  uint64_t bytes() const;
};

class RemoteRings final : public LinkClient {
public:
  /// Must be called on each rank before the link runs.
  explicit RemoteRings(NodeLink &link);

  /// The mirror of a rank's rings, which must initially be zero.
  struct Mirror {
    int32_t rank;
    const char *memory;
  };
  /// Starts to accept messages for a channel whose rings are at `own` in this
  /// rank's heap, and returns the channel's number. All ranks must add channels
  /// in the same order, and before any of them uses the channel.
  int64_t add(Device &device, char *own, uint64_t bytes);
  /// Sends what kernels write to the mirrors.
  void watch(int64_t number, const RingShape &shape,
             const std::vector<Mirror> &mirrors);
  void remove(int64_t number);

  void receive(int32_t from, FrameKind kind, Bytes bytes) override;
  bool work() override;

private:
  /// A mirror with the flags and credits that have been sent, in the order of
  /// their words.
  struct Watched {
    Mirror mirror;
    std::vector<uint32_t> sent;
  };
  struct Channel {
    Device *device;
    int index; ///< The index of the device.
    char *own;
    uint64_t bytes;
    RingShape shape;
    std::vector<Watched> mirrors;
  };

  /// A header for words of a ring that are sent together. The words follow it.
  struct Change {
    uint32_t first, count;
  };
  static void collect(const Channel &channel, Watched &watched, Bytes &frame);

  NodeLink &link;
  std::mutex mutex; ///< Guards all members below.
  int64_t nextNumber = 1;
  std::map<int64_t, Channel> channels;
};

} // namespace aircc::rt

#endif // AIRCC_RUNTIME_NODES_REMOTERINGS_H
