//===- FakeLevelZeroLists.cpp - Command lists of the fake Level Zero ------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/runtime/fakes/FakeLevelZeroState.h"

using namespace fakes::levelzero;

namespace {

//===----------------------------------------------------------------------===//
// Executing
//===----------------------------------------------------------------------===//

/// Returns the next command of the list.
std::deque<Command>::iterator nextOf(List &list) {
  auto next = list.commands.begin();
  if (list.inOrder || next->isBarrier)
    return next;
  auto barrier = std::find_if(next, list.commands.end(), [](Command &command) {
    return command.isBarrier;
  });
  return std::prev(barrier);
}

bool waitFor(Event *event, unsigned depth);

/// Executes one command of the list, after the events that it waits for.
/// Returns false if these are never signaled.
bool step(List &list, unsigned depth) {
  auto next = nextOf(list);
  for (Event *event : next->waits)
    if (!waitFor(event, depth + 1))
      return false;
  Command command = std::move(*next);
  list.commands.erase(next);
  command.run();
  if (command.signal)
    command.signal->signaled = true;
  return true;
}

bool waitFor(Event *event, unsigned depth) {
  if (depth > 64)
    return false; // Deadlock.
  while (!event->signaled) {
    auto signals = [&](List *list) {
      return std::any_of(
          list->commands.begin(), list->commands.end(),
          [&](const Command &command) { return command.signal == event; });
    };
    auto it = std::find_if(state().lists.begin(), state().lists.end(), signals);
    if (it == state().lists.end() || !step(**it, depth))
      return false;
  }
  return true;
}

ze::Result append(Call &call, void *handle, std::function<void()> run,
                  void *signal, uint32_t waitCount, ze::EventHandle *waits,
                  bool isBarrier = false) {
  List *list = state().find<List>(handle);
  if (!list)
    return call.done(invalidNullHandle);
  if (waitCount && !waits)
    return call.done(invalidSize);
  Command command;
  command.run = std::move(run);
  command.isBarrier = isBarrier;
  if (signal) {
    command.signal = state().find<Event>(signal);
    if (!command.signal || command.signal->signaled ||
        isNamed(command.signal) ||
        command.signal->parent->parent != list->parent)
      return call.done(invalidSynchronization);
  }
  for (uint32_t i = 0; i < waitCount; ++i) {
    auto *event = state().find<Event>(waits[i]);
    if (!event || event->parent->parent != list->parent)
      return call.done(invalidSynchronization);
    command.waits.push_back(event);
  }
  if (!call.failing())
    list->commands.push_back(std::move(command));
  return call.done();
}

} // namespace

extern "C" {

//===----------------------------------------------------------------------===//
// Command lists
//===----------------------------------------------------------------------===//

ze::Result zeCommandListCreateImmediate(ze::ContextHandle context,
                                        ze::DeviceHandle device,
                                        const ze::CommandQueueDesc *desc,
                                        ze::CommandListHandle *list) {
  Call call("zeCommandListCreateImmediate");
  call.handle(device);
  if (!hasType(desc, 0xe) || desc->ordinal != 1 || desc->index > 1 ||
      desc->mode != 2)
    return call.done(invalidEnumeration);
  call.arg(desc->ordinal).arg(desc->index).arg(desc->flags);
  auto *parent = state().find<Context>(context);
  if (!parent || !state().find<Gpu>(device))
    return call.done(invalidNullHandle);
  if (call.failing())
    return call.done();
  List *made = state().make<List>(parent, desc->flags & 2);
  state().lists.push_back(made);
  *list = made;
  return call.done();
}

ze::Result zeCommandListDestroy(ze::CommandListHandle handle) {
  Call call("zeCommandListDestroy");
  List *list = state().find<List>(handle);
  if (list && !list->commands.empty()) {
    call.handle(handle);
    return call.done(objectInUse);
  }
  if (!call.failing())
    state().lists.erase(
        std::remove(state().lists.begin(), state().lists.end(), list),
        state().lists.end());
  return destroy<List>(call, handle);
}

// Omitted in the variant that is too old.
#ifndef FAKE_ZE_INCOMPLETE
ze::Result zeCommandListHostSynchronize(ze::CommandListHandle handle,
                                        uint64_t timeout) {
  Call call("zeCommandListHostSynchronize");
  call.handle(handle);
  List *list = state().find<List>(handle);
  if (!list)
    return call.done(invalidNullHandle);
  if (timeout == 0)
    return call.done(list->commands.empty() ? ze::success : ze::notReady);
  while (!call.failing() && !list->commands.empty())
    if (!step(*list, 0))
      return call.done(deviceLost);
  return call.done();
}
#endif

ze::Result zeCommandListAppendBarrier(ze::CommandListHandle list,
                                      ze::EventHandle signal,
                                      uint32_t waitCount,
                                      ze::EventHandle *waits) {
  Call call("zeCommandListAppendBarrier");
  call.handle(list);
  return append(
      call, list, [] {}, signal, waitCount, waits, /*isBarrier=*/true);
}

ze::Result zeCommandListAppendMemoryCopy(ze::CommandListHandle list, void *dst,
                                         const void *src, size_t bytes,
                                         ze::EventHandle signal,
                                         uint32_t waitCount,
                                         ze::EventHandle *waits) {
  Call call("zeCommandListAppendMemoryCopy");
  call.handle(list).pointer(dst).pointer(src).arg(bytes);
  if (!dst || !src)
    return call.done(invalidNullPointer);
  return append(
      call, list, [=] { std::memmove(dst, src, bytes); }, signal, waitCount,
      waits);
}

ze::Result zeCommandListAppendMemoryFill(ze::CommandListHandle handle,
                                         void *dst, const void *pattern,
                                         size_t patternBytes, size_t bytes,
                                         ze::EventHandle signal,
                                         uint32_t waitCount,
                                         ze::EventHandle *waits) {
  Call call("zeCommandListAppendMemoryFill");
  uint32_t value = 0;
  std::memcpy(&value, pattern, std::min<size_t>(patternBytes, 4));
  call.handle(handle).pointer(dst).arg(value).arg(patternBytes).arg(bytes);
  List *list = state().find<List>(handle);
  if (!list || !isAllocated(*static_cast<Context *>(list->parent), dst, bytes))
    return call.done(invalidArgument);
  if (patternBytes == 0 || patternBytes > 16 ||
      (patternBytes & (patternBytes - 1)) || bytes % patternBytes)
    return call.done(invalidSize);
  std::string copied(static_cast<const char *>(pattern), patternBytes);
  return append(
      call, handle,
      [=] {
        for (size_t i = 0; i < bytes; ++i)
          static_cast<char *>(dst)[i] = copied[i % patternBytes];
      },
      signal, waitCount, waits);
}

ze::Result zeCommandListAppendSignalEvent(ze::CommandListHandle list,
                                          ze::EventHandle event) {
  Call call("zeCommandListAppendSignalEvent");
  call.handle(list).handle(event);
  return append(call, list, [] {}, event, 0, nullptr);
}

ze::Result zeCommandListAppendWaitOnEvents(ze::CommandListHandle list,
                                           uint32_t count,
                                           ze::EventHandle *events) {
  Call call("zeCommandListAppendWaitOnEvents");
  call.handle(list);
  for (uint32_t i = 0; i < count; ++i)
    call.handle(events[i]);
  return append(call, list, [] {}, nullptr, count, events);
}

ze::Result zeCommandListAppendWriteGlobalTimestamp(ze::CommandListHandle handle,
                                                   uint64_t *dst,
                                                   ze::EventHandle signal,
                                                   uint32_t waitCount,
                                                   ze::EventHandle *waits) {
  Call call("zeCommandListAppendWriteGlobalTimestamp");
  call.handle(handle).handle(signal);
  List *list = state().find<List>(handle);
  if (!list || !isAllocated(*static_cast<Context *>(list->parent), dst, 8))
    return call.done(invalidArgument);
  return append(
      call, handle,
      [=] {
        *dst = state().clock;
        state().clock =
            (state().clock + clockStep) & ((uint64_t(1) << clockBits) - 1);
      },
      signal, waitCount, waits);
}

ze::Result zeCommandListAppendLaunchKernel(ze::CommandListHandle list,
                                           ze::KernelHandle handle,
                                           const ze::GroupCount *groups,
                                           ze::EventHandle signal,
                                           uint32_t waitCount,
                                           ze::EventHandle *waits) {
  Call call("zeCommandListAppendLaunchKernel");
  auto *kernel = state().find<Kernel>(handle);
  if (!kernel)
    return call.done(invalidNullHandle);
  call.handle(list).arg(kernel->function);
  call.arg(groups->x).arg(groups->y).arg(groups->z);
  for (uint32_t size : kernel->groupSize)
    call.arg(size);
  if (kernel->values.size() != kernel->type.arguments.size())
    return call.done(invalidArgument);
  auto work = [values = kernel->values, isScale = kernel->function == "scale"] {
    if (!isScale)
      return;
    float *data = nullptr, factor = 0;
    int64_t count = 0;
    std::memcpy(&data, values.at(0).data(), 8);
    std::memcpy(&factor, values.at(1).data(), 4);
    std::memcpy(&count, values.at(2).data(), 8);
    for (int64_t i = 0; i < count; ++i)
      data[i] *= factor;
  };
  return append(call, list, work, signal, waitCount, waits);
}

//===----------------------------------------------------------------------===//
// Events
//===----------------------------------------------------------------------===//

ze::Result zeEventPoolCreate(ze::ContextHandle context,
                             const ze::EventPoolDesc *desc,
                             uint32_t deviceCount, ze::DeviceHandle *,
                             ze::EventPoolHandle *pool) {
  Call call("zeEventPoolCreate");
  if (!hasType(desc, 0x10) || desc->count == 0)
    return call.done(invalidEnumeration);
  call.arg(desc->flags).arg(desc->count).arg(deviceCount);
  auto *parent = state().find<Context>(context);
  if (!parent)
    return call.done(invalidNullHandle);
  if (!call.failing())
    *pool = state().make<EventPool>(parent, desc->count);
  return call.done();
}

ze::Result zeEventPoolDestroy(ze::EventPoolHandle pool) {
  Call call("zeEventPoolDestroy");
  return destroy<EventPool>(call, pool);
}

ze::Result zeEventCreate(ze::EventPoolHandle handle, const ze::EventDesc *desc,
                         ze::EventHandle *event) {
  Call call("zeEventCreate");
  auto *pool = state().find<EventPool>(handle);
  if (!pool || !hasType(desc, 0x11))
    return call.done(invalidNullHandle);
  if (desc->index >= pool->count || !pool->indices.insert(desc->index).second)
    return call.done(invalidArgument);
  if (!call.failing())
    *event = state().make<Event>(pool);
  // One line for each event would not be useful.
  return call.failing() ? call.done() : ze::success;
}

ze::Result zeEventDestroy(ze::EventHandle handle) {
  Call call("zeEventDestroy");
  auto *event = state().find<Event>(handle);
  if (!event || isNamed(event))
    return call.done(event ? objectInUse : invalidNullHandle);
  state().objects.erase(handle);
  return ze::success;
}

ze::Result zeEventHostSynchronize(ze::EventHandle handle, uint64_t) {
  Call call("zeEventHostSynchronize");
  call.handle(handle);
  auto *event = state().find<Event>(handle);
  if (!event)
    return call.done(invalidNullHandle);
  return call.done(waitFor(event, 0) ? ze::success : deviceLost);
}

ze::Result zeEventHostReset(ze::EventHandle handle) {
  Call call("zeEventHostReset");
  call.handle(handle);
  auto *event = state().find<Event>(handle);
  if (!event || isNamed(event))
    return call.done(invalidSynchronization);
  event->signaled = false;
  return call.done();
}

ze::Result zeEventQueryStatus(ze::EventHandle handle) {
  Call call("zeEventQueryStatus");
  call.handle(handle);
  auto *event = state().find<Event>(handle);
  if (!event)
    return call.done(invalidNullHandle);
  return call.done(event->signaled ? ze::success : ze::notReady);
}

} // extern "C"
