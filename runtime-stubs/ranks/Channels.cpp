//===- Channels.cpp - Runtime messages between ranks ----------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime-stubs/ranks/Channels.h"
#include "runtime-stubs/mgpu/Failure.h"

#include <algorithm>
#include <atomic>
#include <set>

using namespace aircc::rt;

/// The minimum size of a segment. Larger messages get a segment of their own
/// size.
static constexpr uint64_t segmentBytes = uint64_t(1) << 20;

struct Channels::Transfer {
  bool isPut;
  Element element;
  int64_t depth;
  Layout layout;
  StreamHandle stream;
  int64_t id;
  std::atomic<bool> done{false};

  std::string describe() const {
    return std::string(isPut ? "to put into" : "to get from") + " channel " +
           element.first + "[" + std::to_string(element.second) + "]";
  }
};

Channels::Transfer *Channels::startPut(const Call &call, Device &device,
                                       std::string channel, int64_t index,
                                       int64_t depth, Layout source,
                                       StreamHandle stream) {
  auto *put = new Transfer{
      true, {std::move(channel), index}, depth, std::move(source), stream, 0};
  {
    std::lock_guard<std::mutex> lock(mutex);
    put->id = nextId++;
    queuedPuts.push_back(put);
  }
  progress(call, device);
  return put;
}

Channels::Transfer *Channels::startGet(const Call &call, Device &device,
                                       std::string channel, int64_t index,
                                       Layout destination,
                                       StreamHandle stream) {
  auto *get = new Transfer{
      false, {std::move(channel), index}, 0, std::move(destination), stream, 0};
  Message message(MessageKind::Get);
  message.text = get->element.first;
  {
    std::lock_guard<std::mutex> lock(mutex);
    get->id = nextId++;
    gets[get->id] = get;
    message.values[0] = index;
    message.values[1] = get->id;
    message.values[2] = get->layout.bytes();
    // Send while holding the lock, because gets of one element must be matched
    // in the order of their ids.
    job.send(std::move(message));
  }
  progress(call, device);
  return get;
}

void Channels::wait(const Call &call, Device &device, Transfer *transfer) {
  // Whether the hub has been asked since the other ranks disconnected.
  bool asked = false;
  while (!transfer->done) {
    progress(call, device);
    std::unique_lock<std::mutex> lock(job.mutex);
    auto eventful = [&] {
      return transfer->done || !job.matches.empty() || !job.taken.empty();
    };
    bool alone = false;
    job.wait(
        call, lock,
        [&] {
          alone = job.world().size > 1 && !transfer->isPut &&
                  job.left.size() + 1 == size_t(job.world().size);
          return alone || eventful();
        },
        transfer->describe());
    if (!alone || eventful())
      continue;
    // No remaining rank can put the message that this get waits for, but the
    // message may still be in flight. In that case, it arrives before the hub's
    // answer.
    if (!asked) {
      asked = true;
      job.ask(lock);
      continue;
    }
    lock.unlock();
    std::lock_guard<std::mutex> own(mutex);
    if (queuedPuts.empty() && kept.empty())
      fail(call.entry, call.arguments,
           "rank " + std::to_string(job.world().rank) + " waits " +
               transfer->describe() + ", and all other ranks have ended");
  }
  delete transfer;
}

/// Makes all the progress that is currently possible. Device work is done while
/// holding the lock, because other threads wait here for transfers in program
/// order.
bool Channels::progress(const Call &call, Device &device) {
  bool any = false;
  std::lock_guard<std::mutex> lock(mutex);
  for (bool more = true; more;) {
    more = false;
    std::map<int64_t, Match> matches;
    std::set<int64_t> taken;
    {
      std::lock_guard<std::mutex> jobLock(job.mutex);
      matches.swap(job.matches);
      taken.swap(job.taken);
    }
    // The ranks that received these messages may unblock this rank.
    if (!taken.empty())
      device.afterMessage(std::nullopt);
    for (int64_t id : taken) {
      Kept &message = kept.at(id);
      segments[message.segment]->ranges.free(message.offset);
      if (--outstanding[message.element] == 0)
        outstanding.erase(message.element);
      kept.erase(id);
      more = true;
    }
    for (auto &[id, match] : matches) {
      Transfer *get = gets.at(id);
      gets.erase(id);
      if (Status s = copyOut(call, device, *get, match); !s.ok())
        fail(call.entry, call.arguments,
             "getting from channel " + get->element.first + ": " + s.message());
      get->done = true;
      more = true;
    }
    // Messages for one element stay in order: a blocked one also blocks the
    // later ones for its element.
    std::set<Element> full;
    for (auto it = queuedPuts.begin(); it != queuedPuts.end();) {
      Transfer *put = *it;
      auto there = outstanding.find(put->element);
      if (full.count(put->element) ||
          (there != outstanding.end() && there->second >= put->depth)) {
        full.insert(put->element);
        ++it;
        continue;
      }
      it = queuedPuts.erase(it);
      device.beforeMessage();
      if (Status s = copyIn(device, *put); !s.ok())
        fail(call.entry, call.arguments,
             "putting into channel " + put->element.first + ": " + s.message());
      put->done = true;
      more = true;
    }
    any |= more;
  }
  if (any)
    job.notify();
  return any;
}

/// Allocates space for a message from this rank.
Status Channels::place(Device &device, uint64_t bytes, size_t &segment,
                       uint64_t &offset, char *&ptr) {
  bytes = std::max<uint64_t>(bytes, 1);
  for (segment = 0; segment < segments.size(); ++segment)
    if (segments[segment]->ranges.allocate(bytes, offset)) {
      ptr = segments[segment]->memory.ptr + offset;
      return Status::success();
    }
  SharedMemory memory;
  Fd descriptor;
  if (Status s = SharedMemory::create(
          device, job.world(),
          std::max(segmentBytes, RangeAllocator::roundUp(bytes)), memory,
          descriptor);
      !s.ok())
    return s;
  segments.push_back(
      std::make_unique<Segment>(Segment{memory, RangeAllocator(memory.bytes)}));
  if (job.world().size > 1)
    // Number 0 is the heap.
    job.share(device, static_cast<int64_t>(segment) + 1, memory,
              std::move(descriptor));
  segments[segment]->ranges.allocate(bytes, offset);
  ptr = memory.ptr + offset;
  return Status::success();
}

Status Channels::copyIn(Device &device, Transfer &put) {
  const int64_t bytes = put.layout.bytes();
  size_t segment = 0;
  uint64_t offset = 0;
  char *ptr = nullptr;
  if (Status s = place(device, bytes, segment, offset, ptr); !s.ok())
    return s;
  if (Status s = copyStrided(
          device,
          Layout::row(ptr, put.layout.elements(), put.layout.elementBytes),
          put.layout, put.stream);
      !s.ok())
    return s;
  if (Status s = device.synchronizeStream(put.stream); !s.ok())
    return s;
  kept[put.id] = {put.element, segment, offset};
  ++outstanding[put.element];
  Message message(MessageKind::Put);
  message.text = put.element.first;
  int64_t values[5] = {put.element.second, put.id,
                       static_cast<int64_t>(segment) + 1,
                       static_cast<int64_t>(offset), bytes};
  std::copy(std::begin(values), std::end(values), message.values);
  job.send(std::move(message));
  return Status::success();
}

Status Channels::findSegment(const Call &call, Device &device,
                             const Match &match, char *&ptr) {
  if (match.rank == job.world().rank) {
    ptr = segments[match.segment - 1]->memory.ptr;
    return Status::success();
  }
  Mapped &known = mapped[{match.rank, match.segment}];
  if (!known.ptr) {
    SharedDescriptor theirs = job.takeShared(call, match.rank, match.segment);
    void *range = nullptr;
    if (Status s = device.reserveShared(theirs.bytes, range); !s.ok())
      return s;
    // Messages are in allocated memory.
    if (Status s = PeerMemory::map(
            device, job, theirs, static_cast<char *>(range),
            [](uint64_t, uint64_t) { return true; }, known.memory);
        !s.ok())
      return s;
    known.ptr = static_cast<char *>(range);
  }
  ptr = known.ptr;
  return Status::success();
}

Status Channels::copyOut(const Call &call, Device &device, Transfer &get,
                         const Match &match) {
  char *segment = nullptr;
  if (Status s = findSegment(call, device, match, segment); !s.ok())
    return s;
  if (Status s =
          copyStrided(device, get.layout,
                      Layout::row(segment + match.offset, get.layout.elements(),
                                  get.layout.elementBytes),
                      get.stream);
      !s.ok())
    return s;
  if (Status s = device.synchronizeStream(get.stream); !s.ok())
    return s;
  device.afterMessage(match.rank);
  device.beforeMessage();
  Message got(MessageKind::Got);
  got.values[0] = match.rank;
  got.values[1] = match.put;
  job.send(std::move(got));
  return Status::success();
}
