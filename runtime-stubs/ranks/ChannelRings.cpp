//===- ChannelRings.cpp - Where kernels find the rings of a channel -------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime-stubs/ranks/ChannelRings.h"

using namespace aircc::rt;

ChannelRings::ChannelRings(Device &device, const SymmetricHeap &heap,
                           uint64_t offset, uint64_t bytes, RemoteRings *remote)
    : heap(heap), offset(offset), bytes(bytes), remote(remote),
      number(remote ? remote->add(device, heap.base() + offset, bytes) : 0) {}

Status ChannelRings::getBases(Device &device, const RingShape &shape,
                              void **&bases) {
  if (shape.bytes() != bytes)
    return Status::failure("the channel has " + std::to_string(bytes) +
                           " bytes, and these rings " +
                           std::to_string(shape.bytes()));
  if (!table) {
    void *made = nullptr;
    if (Status s = device.allocate(sizeof(void *) * heap.world().size, nullptr,
                                   /*hostShared=*/true, made);
        !s.ok())
      return s;
    table = static_cast<void **>(made);
    std::vector<RemoteRings::Mirror> watched;
    for (int32_t rank = 0; rank < heap.world().size; ++rank) {
      table[rank] = heap.base(rank) + offset;
      if (heap.isMapped(rank))
        continue;
      if (Status s = device.allocateMirror(bytes, table[rank]); !s.ok())
        return s;
      mirrors.push_back(table[rank]);
      watched.push_back({rank, static_cast<const char *>(table[rank])});
    }
    if (remote)
      remote->watch(number, shape, watched);
  }
  bases = table;
  return Status::success();
}

Status ChannelRings::destroy(Device &device) {
  if (remote)
    remote->remove(number);
  for (void *mirror : mirrors)
    if (Status s = device.freeMirror(mirror); !s.ok())
      return s;
  return table ? device.free(static_cast<void *>(table), nullptr)
               : Status::success();
}
