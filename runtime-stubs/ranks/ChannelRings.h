//===- ChannelRings.h - Where kernels find rings ----------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Kernels access the message rings of a channel on a rank of the same node in
// that rank's heap, and those on a rank of another node in a mirror in memory
// of this node (RemoteRings.h).
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_RUNTIME_RANKS_CHANNELRINGS_H
#define AIRCC_RUNTIME_RANKS_CHANNELRINGS_H

#include "runtime-stubs/nodes/RemoteRings.h"
#include "runtime-stubs/ranks/SymmetricHeap.h"

namespace aircc::rt {

class ChannelRings {
public:
  /// Creates a channel whose buffer is at `offset` in the heap. `remote` is
  /// null in a job on one node. All ranks must create their channels in the
  /// same order.
  ChannelRings(Device &device, const SymmetricHeap &heap, uint64_t offset,
               uint64_t bytes, RemoteRings *remote);
  Status destroy(Device &device);

  /// Returns the address of each rank's rings for kernels of this rank. Fails
  /// if the buffer does not have this shape.
  Status getBases(Device &device, const RingShape &shape, void **&bases);

private:
  const SymmetricHeap &heap;
  const uint64_t offset, bytes;
  RemoteRings *const remote;
  const int64_t number; ///< The channel's number for `remote`.
  void **table = nullptr;
  std::vector<void *> mirrors;
};

} // namespace aircc::rt

#endif // AIRCC_RUNTIME_RANKS_CHANNELRINGS_H
