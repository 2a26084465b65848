//===- Streams.cpp - Streams and events on Level Zero ---------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime-stubs/level-zero/Streams.h"
#include "runtime-stubs/level-zero/Gpu.h"

#include <algorithm>

using namespace aircc::rt;
using namespace aircc::rt::ze;

//===----------------------------------------------------------------------===//
// Signals
//===----------------------------------------------------------------------===//

/// The number of events that are created together.
static constexpr uint32_t poolSize = 64;

Status SignalPool::grow() {
  EventPoolDesc poolDesc;
  poolDesc.count = poolSize;
  EventPoolHandle pool = nullptr;
  if (Status s =
          ZE_CALL(EventPoolCreate, context, &poolDesc, 0, nullptr, &pool);
      !s.ok())
    return s;
  pools.push_back(pool);
  HostMemAllocDesc memoryDesc;
  void *memory = nullptr;
  if (Status s =
          ZE_CALL(MemAllocHost, context, &memoryDesc,
                  poolSize * sizeof(uint64_t), sizeof(uint64_t), &memory);
      !s.ok())
    return s;
  times.push_back(memory);
  for (uint32_t i = 0; i < poolSize; ++i) {
    EventDesc desc;
    desc.index = i;
    auto signal = std::make_unique<Signal>();
    if (Status s = ZE_CALL(EventCreate, pool, &desc, &signal->event); !s.ok())
      return s;
    signal->time = static_cast<uint64_t *>(memory) + i;
    unused.push_back(signal.get());
    signals.push_back(std::move(signal));
  }
  return Status::success();
}

Status SignalPool::take(SignalRef &signal) {
  if (unused.empty())
    if (Status s = grow(); !s.ok())
      return s;
  Signal *taken = unused.back();
  if (taken->used)
    if (Status s = ZE_CALL(EventHostReset, taken->event); !s.ok())
      return s;
  unused.pop_back();
  taken->used = true;
  signal = SignalRef(taken, [this](Signal *back) { unused.push_back(back); });
  return Status::success();
}

Status SignalPool::destroy() {
  for (const auto &signal : signals)
    if (Status s = ZE_CALL(EventDestroy, signal->event); !s.ok())
      return s;
  for (EventPoolHandle pool : pools)
    if (Status s = ZE_CALL(EventPoolDestroy, pool); !s.ok())
      return s;
  for (void *memory : times)
    if (Status s = ZE_CALL(MemFree, context, memory); !s.ok())
      return s;
  return Status::success();
}

//===----------------------------------------------------------------------===//
// Streams
//===----------------------------------------------------------------------===//

Status StreamSet::open() {
  Stream *stream = nullptr;
  return create(stream);
}

Status StreamSet::create(Stream *&stream) {
  auto made = std::make_shared<Stream>();
  made->gpu = &gpu;
  CommandQueueDesc desc;
  desc.ordinal = gpu.queueGroup;
  desc.index = nextQueue;
  desc.flags = gpu.driver->inOrderLists ? queueFlagInOrder : 0;
  if (Status s = ZE_CALL(CommandListCreateImmediate, gpu.driver->context,
                         gpu.handle, &desc, &made->list);
      !s.ok())
    return s;
  // Streams run concurrently if the GPU has several engines.
  nextQueue = (nextQueue + 1) % gpu.queueCount;
  if (!streams.empty()) {
    made->knownOfDefault = 0;
    stream = made.get();
  }
  streams.push_back(std::move(made));
  return Status::success();
}

Stream *StreamSet::adopt(CommandListHandle list) {
  for (const std::shared_ptr<Stream> &known : streams)
    if (!known->isOwned && known->list == list)
      return known.get();
  auto made = std::make_shared<Stream>();
  made->gpu = &gpu;
  made->list = list;
  made->isOwned = false;
  streams.push_back(made);
  return made.get();
}

bool StreamSet::contains(const Stream *stream) const {
  return std::any_of(streams.begin(), streams.end(),
                     [&](auto &known) { return known.get() == stream; });
}

std::shared_ptr<Stream> StreamSet::find(const Stream &stream) const {
  return *std::find_if(streams.begin(), streams.end(),
                       [&](auto &known) { return known.get() == &stream; });
}

void StreamSet::dropHeld(Stream &stream) {
  auto isOver = [&](auto &entry) { return entry.first <= stream.completed; };
  stream.held.erase(
      std::remove_if(stream.held.begin(), stream.held.end(), isOver),
      stream.held.end());
}

/// Counts a command. If the driver does not keep the order, appends a barrier.
Status StreamSet::finishCommand(Stream &stream, SignalRef held) {
  // Return signals here too; otherwise, a program that never waits for a stream
  // would keep them forever.
  constexpr size_t many = 256;
  if (!gpu.driver->inOrderLists)
    if (Status s =
            ZE_CALL(CommandListAppendBarrier, stream.list, nullptr, 0, nullptr);
        !s.ok())
      return s;
  ++stream.appended;
  if (!held)
    return Status::success();
  stream.held.emplace_back(stream.appended, std::move(held));
  if (stream.held.size() % many != 0)
    return Status::success();
  Result result = api.CommandListHostSynchronize(stream.list, 0);
  if (result == notReady)
    return Status::success();
  if (result != success)
    return api.check("zeCommandListHostSynchronize", result, stream.list, 0);
  stream.completed = stream.appended;
  dropHeld(stream);
  return Status::success();
}

Status StreamSet::appendWait(Stream &stream, const SignalRef &signal) {
  EventHandle event = signal->event;
  if (Status s = ZE_CALL(CommandListAppendWaitOnEvents, stream.list, 1, &event);
      !s.ok())
    return s;
  return finishCommand(stream, signal);
}

Status StreamSet::orderAfter(Stream &later, Stream &earlier) {
  SignalRef signal;
  if (Status s = gpu.driver->signals->take(signal); !s.ok())
    return s;
  if (Status s =
          ZE_CALL(CommandListAppendSignalEvent, earlier.list, signal->event);
      !s.ok())
    return s;
  if (Status s = finishCommand(earlier, signal); !s.ok())
    return s;
  return appendWait(later, signal);
}

Status StreamSet::begin(Stream &stream) {
  Stream &first = getDefault();
  if (&stream != &first) {
    if (stream.knownOfDefault != first.work && !first.idle())
      if (Status s = orderAfter(stream, first); !s.ok())
        return s;
    stream.knownOfDefault = first.work;
    return Status::success();
  }
  for (const std::shared_ptr<Stream> &other : streams) {
    if (other.get() == &first || other->knownToDefault == other->work)
      continue;
    if (!other->idle())
      if (Status s = orderAfter(first, *other); !s.ok())
        return s;
    other->knownToDefault = other->work;
  }
  return Status::success();
}

Status StreamSet::end(Stream &stream, SignalRef held) {
  ++stream.work;
  return finishCommand(stream, std::move(held));
}

Status StreamSet::waitForOne(const std::shared_ptr<Stream> &stream,
                             std::unique_lock<std::mutex> &lock) {
  if (stream->idle())
    return Status::success();
  const uint64_t target = stream->appended;
  ++stream->waiters;
  lock.unlock();
  Status status = ZE_CALL(CommandListHostSynchronize, stream->list, forever);
  lock.lock();
  if (--stream->waiters == 0)
    waitersGone.notify_all();
  if (!status.ok())
    return status;
  stream->completed = std::max(stream->completed, target);
  dropHeld(*stream);
  return status;
}

Status StreamSet::wait(Stream &stream, std::unique_lock<std::mutex> &lock) {
  if (&stream == &getDefault())
    return waitForAll(lock);
  return waitForOne(find(stream), lock);
}

Status StreamSet::waitForAll(std::unique_lock<std::mutex> &lock) {
  // Copy the list, because another thread may create or destroy streams while
  // this one waits.
  const std::vector<std::shared_ptr<Stream>> all = streams;
  for (const std::shared_ptr<Stream> &stream : all)
    if (contains(stream.get()))
      if (Status s = waitForOne(stream, lock); !s.ok())
        return s;
  return Status::success();
}

Status StreamSet::destroy(Stream *stream, std::unique_lock<std::mutex> &lock) {
  std::shared_ptr<Stream> found = find(*stream);
  if (Status s = waitForOne(found, lock); !s.ok())
    return s;
  // From now on, no thread can find the stream. Wait for threads that are
  // already waiting for it.
  streams.erase(std::find(streams.begin(), streams.end(), found));
  waitersGone.wait(lock, [&] { return found->waiters == 0; });
  found->held.clear();
  if (!found->isOwned)
    return Status::success();
  return ZE_CALL(CommandListDestroy, found->list);
}

Status StreamSet::close(std::unique_lock<std::mutex> &lock) {
  if (Status s = waitForAll(lock); !s.ok())
    return s;
  for (const std::shared_ptr<Stream> &stream : streams) {
    stream->held.clear();
    if (!stream->isOwned)
      continue;
    if (Status s = ZE_CALL(CommandListDestroy, stream->list); !s.ok())
      return s;
  }
  streams.clear();
  return Status::success();
}
