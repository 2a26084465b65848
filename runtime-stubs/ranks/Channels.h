//===- Channels.h - Runtime messages between ranks --------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A put copies its message into a memory segment that the other ranks can map,
// and notifies the hub. The hub matches it with a get, whose rank copies the
// message out and acknowledges it. Program threads copy messages whenever they
// wait, for whatever reason. Therefore, transfers make progress in any order in
// which a program starts them and waits for them.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_RUNTIME_RANKS_CHANNELS_H
#define AIRCC_RUNTIME_RANKS_CHANNELS_H

#include "runtime-stubs/ranks/Job.h"
#include "runtime-stubs/ranks/StridedCopy.h"
#include "runtime-stubs/ranks/SymmetricHeap.h"

#include <list>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace aircc::rt {

class Channels {
public:
  explicit Channels(Job &job) : job(job) {}

  struct Transfer;

  /// For both, the layout must stay valid until the transfer completes.
  Transfer *startPut(const Call &call, Device &device, std::string channel,
                     int64_t index, int64_t depth, Layout source,
                     StreamHandle stream);
  Transfer *startGet(const Call &call, Device &device, std::string channel,
                     int64_t index, Layout destination, StreamHandle stream);
  /// Waits until the transfer completes and deletes it.
  void wait(const Call &call, Device &device, Transfer *transfer);

private:
  using Element = std::pair<std::string, int64_t>;

  /// Memory for messages sent by this rank.
  struct Segment {
    SharedMemory memory;
    RangeAllocator ranges;
  };
  /// A message that has not been received yet.
  struct Kept {
    Element element;
    size_t segment;
    uint64_t offset;
  };

  bool progress(const Call &call, Device &device);
  Status copyIn(Device &device, Transfer &put);
  Status copyOut(const Call &call, Device &device, Transfer &get,
                 const Match &match);
  Status place(Device &device, uint64_t bytes, size_t &segment,
               uint64_t &offset, char *&ptr);
  Status findSegment(const Call &call, Device &device, const Match &match,
                     char *&ptr);

  Job &job;
  std::mutex mutex; ///< Guards all members below. Must be locked before the
                    ///< job's mutex.
  int64_t nextId = 1;
  std::list<Transfer *> queuedPuts; ///< In order of arrival.
  std::map<int64_t, Transfer *> gets;
  std::map<int64_t, Kept> kept; ///< Messages, by put id.
  std::map<Element, int64_t> outstanding;
  std::vector<std::unique_ptr<Segment>> segments;
  /// The segments of other ranks that have been mapped.
  struct Mapped {
    char *ptr = nullptr;
    std::unique_ptr<PeerMemory> memory;
  };
  std::map<std::pair<int32_t, int64_t>, Mapped> mapped;
};

} // namespace aircc::rt

#endif // AIRCC_RUNTIME_RANKS_CHANNELS_H
