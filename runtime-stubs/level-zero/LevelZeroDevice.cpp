//===- LevelZeroDevice.cpp - Intel GPUs through Level Zero ----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime-stubs/level-zero/LevelZeroDevice.h"
#include "runtime-stubs/level-zero/Chips.h"
#include "runtime-stubs/level-zero/Memory.h"
#include "runtime-stubs/level-zero/Modules.h"
#include "runtime-stubs/mgpu/CurrentDevice.h"

#include <map>
#include <memory>
#include <mutex>
#include <vector>

using namespace aircc::rt;

namespace {

using ze::Driver;
using ze::Gpu;
using ze::Kernel;
using ze::Module;
using ze::SignalRef;
using ze::Stream;

/// An event. mgpuEventCreate returns a pointer to one.
struct Event {
  SignalRef signal; ///< The signal of the last record, or null before the
                    ///< first.
  Gpu *gpu = nullptr;
};

class LevelZeroDevice final : public Device {
public:
  Status open();

  const char *name() const override { return "level-zero"; }
  std::string description() override {
    return "level-zero device " + std::to_string(currentDeviceIndex()) + " (" +
           current().describe() + ")";
  }
  void shutdown() override;

  Status getDeviceCount(int &count) override {
    count = static_cast<int>(gpus.size());
    return Status::success();
  }
  /// The caller checks the index and stores it per thread.
  Status setDevice(int) override { return Status::success(); }
  int targetPreference(const char *target) override {
    return ze::matchChip(current().chip, target);
  }

  Status allocate(size_t bytes, StreamHandle stream, bool hostShared,
                  void *&ptr) override;
  Status free(void *ptr, StreamHandle stream) override;
  Status copy(void *dst, const void *src, size_t bytes,
              StreamHandle stream) override;
  Status fill(void *dst, uint32_t value, unsigned valueBytes, size_t count,
              StreamHandle stream) override;
  Status registerHost(void *ptr, size_t bytes) override;
  Status unregisterHost(void *ptr) override;
  Status getDevicePointer(void *host, void *&device) override;
  Status locate(const void *ptr, MemoryLocation &location) override;

  Status loadModule(const void *image, size_t bytes,
                    ModuleHandle &module) override;
  Status unloadModule(ModuleHandle module) override;
  Status getFunction(ModuleHandle module, const char *kernel,
                     FunctionHandle &function) override;
  Status launch(FunctionHandle function, Dim3 grid, Dim3 block,
                uint32_t dynamicSharedBytes, StreamHandle stream, void **params,
                size_t paramCount) override;

  Status createStream(StreamHandle &stream) override;
  Status destroyStream(StreamHandle stream) override;
  Status adoptStream(StreamHandle &stream) override;
  Status forgetStream(StreamHandle stream) override;
  Status synchronizeStream(StreamHandle stream) override;
  Status createEvent(EventHandle &event) override;
  Status destroyEvent(EventHandle event) override;
  Status recordEvent(EventHandle event, StreamHandle stream) override;
  Status synchronizeEvent(EventHandle event) override;
  Status waitEvent(StreamHandle stream, EventHandle event) override;
  Status elapsedMilliseconds(EventHandle start, EventHandle stop,
                             float &ms) override;

private:
  Gpu &current() { return *gpus[currentDeviceIndex()]; }
  Status findStream(StreamHandle handle, Stream *&stream);
  Status findEvent(EventHandle handle, Event *&event);
  Status findEvent(EventHandle handle, Event *&event, StreamHandle on,
                   Stream *&stream) {
    Status status = findEvent(handle, event);
    return status.ok() ? findStream(on, stream) : status;
  }
  /// Waits for all streams of the GPUs that share memory with `driver`.
  Status waitForDriver(const Driver &driver,
                       std::unique_lock<std::mutex> &lock);
  Status release(const ze::MemoryRange &range,
                 std::unique_lock<std::mutex> &lock);
  Status closeAll(std::unique_lock<std::mutex> &lock);

  /// Appends a command to a stream by calling `append(list)`.
  template <typename Append>
  Status enqueue(Stream &stream, Append append, SignalRef held = nullptr) {
    if (Status s = stream.gpu->streams->begin(stream); !s.ok())
      return s;
    if (Status s = append(stream.list); !s.ok())
      return s;
    return stream.gpu->streams->end(stream, std::move(held));
  }

  ze::Api api;
  std::vector<std::unique_ptr<Driver>> drivers;
  std::vector<std::unique_ptr<Gpu>> gpus;

  std::mutex mutex; // Guards all members below, and the streams.
  ze::Memory memory{api};
  std::map<void *, std::unique_ptr<Module>> modules;
  std::map<void *, std::unique_ptr<Event>> events;
};

Status LevelZeroDevice::open() {
  if (Status s = api.load(); !s.ok())
    return s;
  return ze::openGpus(api, drivers, gpus);
}

//===----------------------------------------------------------------------===//
// Shutdown
//===----------------------------------------------------------------------===//

Status LevelZeroDevice::closeAll(std::unique_lock<std::mutex> &lock) {
  for (const std::unique_ptr<Gpu> &gpu : gpus)
    if (Status s = gpu->streams->waitForAll(lock); !s.ok())
      return s;
  events.clear();
  for (auto &[handle, module] : modules)
    if (Status s = module->unload(); !s.ok())
      return s;
  modules.clear();
  for (const std::unique_ptr<Gpu> &gpu : gpus)
    if (Status s = gpu->streams->close(lock); !s.ok())
      return s;
  if (Status s = memory.freeAll(); !s.ok())
    return s;
  for (const std::unique_ptr<Driver> &driver : drivers) {
    if (Status s = driver->signals->destroy(); !s.ok())
      return s;
    if (Status s = ZE_CALL(ContextDestroy, driver->context); !s.ok())
      return s;
  }
  return Status::success();
}

/// Waits for outstanding work, so that its failures are reported, and frees
/// everything that the program has not freed.
void LevelZeroDevice::shutdown() {
  std::unique_lock<std::mutex> lock(mutex);
  if (Status s = closeAll(lock); !s.ok())
    failFromOutside("at the end of the program: " + s.message());
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Status LevelZeroDevice::allocate(size_t bytes, StreamHandle, bool hostShared,
                                 void *&ptr) {
  std::lock_guard<std::mutex> lock(mutex);
  return memory.allocate(current(), bytes, hostShared, ptr);
}

Status LevelZeroDevice::locate(const void *ptr, MemoryLocation &location) {
  std::lock_guard<std::mutex> lock(mutex);
  ze::MemoryAllocationProperties properties;
  ze::DeviceHandle owner = nullptr;
  if (Status s = ZE_CALL(MemGetAllocProperties, current().driver->context, ptr,
                         &properties, &owner);
      !s.ok())
    return s;
  location = {};
  if (properties.type == ze::memoryTypeDevice)
    location.kind = MemoryLocation::OnDevice;
  else if (properties.type == ze::memoryTypeShared)
    location.kind = MemoryLocation::Shared;
  location.device = currentDeviceIndex();
  for (size_t i = 0; i < gpus.size(); ++i)
    if (gpus[i]->handle == owner)
      location.device = static_cast<int>(i);
  return Status::success();
}

Status LevelZeroDevice::waitForDriver(const Driver &driver,
                                      std::unique_lock<std::mutex> &lock) {
  for (const std::unique_ptr<Gpu> &gpu : gpus)
    if (gpu->driver == &driver)
      if (Status s = gpu->streams->waitForAll(lock); !s.ok())
        return s;
  return Status::success();
}

/// Frees memory that was removed from the lists, after its last use.
Status LevelZeroDevice::release(const ze::MemoryRange &range,
                                std::unique_lock<std::mutex> &lock) {
  if (!range.driver)
    return Status::success();
  if (Status s = waitForDriver(*range.driver, lock); !s.ok())
    return s;
  return ZE_CALL(MemFree, range.driver->context, range.begin);
}

Status LevelZeroDevice::free(void *ptr, StreamHandle) {
  std::unique_lock<std::mutex> lock(mutex);
  ze::MemoryRange range;
  if (Status s = memory.takeAllocation(ptr, range); !s.ok())
    return s;
  return release(range, lock);
}

Status LevelZeroDevice::copy(void *dst, const void *src, size_t bytes,
                             StreamHandle handle) {
  std::lock_guard<std::mutex> lock(mutex);
  Stream *stream = nullptr;
  if (Status s = findStream(handle, stream); !s.ok())
    return s;
  for (const void *ptr : {static_cast<const void *>(dst), src})
    if (Status s = memory.checkReachable(ptr, *stream->gpu); !s.ok())
      return s;
  return enqueue(*stream, [&](ze::CommandListHandle list) {
    return ZE_CALL(CommandListAppendMemoryCopy, list, dst, src, bytes, nullptr,
                   0, nullptr);
  });
}

Status LevelZeroDevice::fill(void *dst, uint32_t value, unsigned valueBytes,
                             size_t count, StreamHandle handle) {
  std::lock_guard<std::mutex> lock(mutex);
  Stream *stream = nullptr;
  if (Status s = findStream(handle, stream); !s.ok())
    return s;
  if (Status s = memory.checkReachable(dst, *stream->gpu); !s.ok())
    return s;
  if (valueBytes != 1 && valueBytes != 2 && valueBytes != 4)
    return Status::failure("cannot fill with values of " +
                           std::to_string(valueBytes) + " bytes");
  if (valueBytes > stream->gpu->maxFillPattern)
    return Status::failure("the device fills with values of at most " +
                           std::to_string(stream->gpu->maxFillPattern) +
                           " bytes");
  // In little-endian order, the low bytes of the value come first.
  return enqueue(*stream, [&](ze::CommandListHandle list) {
    return ZE_CALL(CommandListAppendMemoryFill, list, dst, &value,
                   size_t(valueBytes), count * valueBytes, nullptr, 0, nullptr);
  });
}

Status LevelZeroDevice::registerHost(void *ptr, size_t bytes) {
  std::lock_guard<std::mutex> lock(mutex);
  return memory.registerHost(current(), ptr, bytes);
}

Status LevelZeroDevice::unregisterHost(void *ptr) {
  std::unique_lock<std::mutex> lock(mutex);
  ze::MemoryRange range;
  if (Status s = memory.takeRegistered(ptr, range); !s.ok())
    return s;
  return release(range, lock);
}

Status LevelZeroDevice::getDevicePointer(void *host, void *&device) {
  std::lock_guard<std::mutex> lock(mutex);
  device = host;
  return memory.checkKnown(host);
}

//===----------------------------------------------------------------------===//
// Code
//===----------------------------------------------------------------------===//

Status LevelZeroDevice::loadModule(const void *image, size_t bytes,
                                   ModuleHandle &handle) {
  auto module = std::make_unique<Module>(api, current());
  if (Status s = module->load({static_cast<const char *>(image), bytes});
      !s.ok())
    return s;
  std::lock_guard<std::mutex> lock(mutex);
  handle = module.get();
  modules[handle] = std::move(module);
  return Status::success();
}

Status LevelZeroDevice::unloadModule(ModuleHandle handle) {
  std::unique_lock<std::mutex> lock(mutex);
  auto it = modules.find(handle);
  if (it == modules.end())
    return Status::failure("there is no such module");
  std::unique_ptr<Module> module = std::move(it->second);
  modules.erase(it);
  if (Status s = module->getGpu().streams->waitForAll(lock); !s.ok())
    return s;
  return module->unload();
}

Status LevelZeroDevice::getFunction(ModuleHandle handle, const char *name,
                                    FunctionHandle &function) {
  std::lock_guard<std::mutex> lock(mutex);
  auto it = modules.find(handle);
  if (it == modules.end())
    return Status::failure("there is no such module");
  Kernel *kernel = nullptr;
  if (Status s = it->second->getKernel(name, kernel); !s.ok())
    return s;
  function = kernel;
  return Status::success();
}

Status LevelZeroDevice::launch(FunctionHandle function, Dim3 grid, Dim3 block,
                               uint32_t dynamicSharedBytes, StreamHandle handle,
                               void **params, size_t paramCount) {
  std::lock_guard<std::mutex> lock(mutex);
  auto *kernel = static_cast<Kernel *>(function);
  Stream *stream = nullptr;
  if (Status s = findStream(handle, stream); !s.ok())
    return s;
  if (stream->gpu != kernel->gpu)
    return Status::failure("the stream belongs to a device other than the "
                           "current one; create a stream on this device");
  return enqueue(*stream, [&](ze::CommandListHandle list) {
    return appendLaunch(api, *kernel, list,
                        {.grid = grid,
                         .block = block,
                         .dynamicSharedBytes = dynamicSharedBytes,
                         .params = params,
                         .paramCount = paramCount});
  });
}

//===----------------------------------------------------------------------===//
// Ordering
//===----------------------------------------------------------------------===//

Status LevelZeroDevice::findStream(StreamHandle handle, Stream *&stream) {
  stream = static_cast<Stream *>(handle);
  if (!stream) {
    stream = &current().streams->getDefault();
    return Status::success();
  }
  for (const std::unique_ptr<Gpu> &gpu : gpus)
    if (gpu->streams->contains(stream))
      return Status::success();
  return Status::failure("there is no such stream");
}

Status LevelZeroDevice::findEvent(EventHandle handle, Event *&event) {
  auto it = events.find(handle);
  if (it == events.end())
    return Status::failure("there is no such event");
  event = it->second.get();
  return Status::success();
}

Status LevelZeroDevice::createStream(StreamHandle &handle) {
  std::lock_guard<std::mutex> lock(mutex);
  Stream *stream = nullptr;
  if (Status s = current().streams->create(stream); !s.ok())
    return s;
  handle = stream;
  return Status::success();
}

Status LevelZeroDevice::destroyStream(StreamHandle handle) {
  std::unique_lock<std::mutex> lock(mutex);
  Stream *stream = nullptr;
  if (Status s = findStream(handle, stream); !s.ok())
    return s;
  if (!handle)
    return Status::failure("the default stream cannot be destroyed");
  return stream->gpu->streams->destroy(stream, lock);
}

Status LevelZeroDevice::adoptStream(StreamHandle &handle) {
  std::lock_guard<std::mutex> lock(mutex);
  auto isKnown = [&](const std::unique_ptr<Gpu> &gpu) {
    return gpu->streams->contains(static_cast<Stream *>(handle));
  };
  if (handle && std::none_of(gpus.begin(), gpus.end(), isKnown))
    handle = current().streams->adopt(handle);
  return Status::success();
}

Status LevelZeroDevice::forgetStream(StreamHandle handle) {
  std::unique_lock<std::mutex> lock(mutex);
  Stream *stream = nullptr;
  if (Status s = findStream(handle, stream); !s.ok())
    return s;
  return stream->isOwned ? Status::success()
                         : stream->gpu->streams->destroy(stream, lock);
}

Status LevelZeroDevice::synchronizeStream(StreamHandle handle) {
  std::unique_lock<std::mutex> lock(mutex);
  Stream *stream = nullptr;
  if (Status s = findStream(handle, stream); !s.ok())
    return s;
  return stream->gpu->streams->wait(*stream, lock);
}

Status LevelZeroDevice::createEvent(EventHandle &handle) {
  std::lock_guard<std::mutex> lock(mutex);
  auto event = std::make_unique<Event>();
  handle = event.get();
  events[handle] = std::move(event);
  return Status::success();
}

Status LevelZeroDevice::destroyEvent(EventHandle handle) {
  std::lock_guard<std::mutex> lock(mutex);
  // Commands that refer to the signal of the event keep it alive.
  return events.erase(handle) ? Status::success()
                              : Status::failure("there is no such event");
}

Status LevelZeroDevice::recordEvent(EventHandle handle, StreamHandle on) {
  std::lock_guard<std::mutex> lock(mutex);
  Event *event = nullptr;
  Stream *stream = nullptr;
  if (Status s = findEvent(handle, event, on, stream); !s.ok())
    return s;
  SignalRef signal;
  if (Status s = stream->gpu->driver->signals->take(signal); !s.ok())
    return s;
  auto record = [&](ze::CommandListHandle list) {
    return ZE_CALL(CommandListAppendWriteGlobalTimestamp, list, signal->time,
                   signal->event, 0, nullptr);
  };
  if (Status s = enqueue(*stream, record, signal); !s.ok())
    return s;
  event->signal = std::move(signal);
  event->gpu = stream->gpu;
  return Status::success();
}

Status LevelZeroDevice::synchronizeEvent(EventHandle handle) {
  std::unique_lock<std::mutex> lock(mutex);
  Event *event = nullptr;
  if (Status s = findEvent(handle, event); !s.ok())
    return s;
  SignalRef signal = event->signal;
  if (!signal)
    return Status::success();
  lock.unlock();
  Status status = ZE_CALL(EventHostSynchronize, signal->event, ze::forever);
  lock.lock(); // This may return the signal to the pool.
  signal.reset();
  return status;
}

Status LevelZeroDevice::waitEvent(StreamHandle on, EventHandle handle) {
  std::lock_guard<std::mutex> lock(mutex);
  Event *event = nullptr;
  Stream *stream = nullptr;
  if (Status s = findEvent(handle, event, on, stream); !s.ok())
    return s;
  if (!event->signal)
    return Status::success();
  if (event->gpu->driver != stream->gpu->driver)
    return Status::failure(
        "the event and the stream belong to devices of different drivers");
  auto wait = [&](ze::CommandListHandle list) {
    ze::EventHandle waited = event->signal->event;
    return ZE_CALL(CommandListAppendWaitOnEvents, list, 1, &waited);
  };
  return enqueue(*stream, wait, event->signal);
}

Status LevelZeroDevice::elapsedMilliseconds(EventHandle startHandle,
                                            EventHandle stopHandle, float &ms) {
  std::lock_guard<std::mutex> lock(mutex);
  Event *start = nullptr, *stop = nullptr;
  if (Status s = findEvent(startHandle, start); !s.ok())
    return s;
  if (Status s = findEvent(stopHandle, stop); !s.ok())
    return s;
  for (const Event *event : {start, stop}) {
    const char *which = event == start ? "start" : "stop";
    if (!event->signal)
      return Status::failure(std::string(which) + " was not recorded");
    ze::Result result = api.EventQueryStatus(event->signal->event);
    if (result == ze::notReady)
      return Status::failure(
          std::string(which) +
          " has not completed yet; synchronize with it first");
    if (Status s =
            api.check("zeEventQueryStatus", result, event->signal->event);
        !s.ok())
      return s;
  }
  if (start->gpu != stop->gpu)
    return Status::failure("the events belong to two devices, whose clocks "
                           "are unrelated");
  const ze::DeviceProperties &clock = start->gpu->properties;
  if (clock.timerResolution == 0)
    return Status::failure("the device does not report its clock rate");
  // The counter wraps around, and stop may precede start.
  const unsigned unusedBits =
      clock.timestampValidBits == 0 || clock.timestampValidBits >= 64
          ? 0
          : 64 - clock.timestampValidBits;
  const int64_t ticks =
      static_cast<int64_t>((*stop->signal->time - *start->signal->time)
                           << unusedBits) >>
      unusedBits;
  ms = static_cast<float>(static_cast<double>(ticks) * 1e3 /
                          static_cast<double>(clock.timerResolution));
  return Status::success();
}

} // namespace

Status aircc::rt::openLevelZeroDevice(Device *&device) {
  auto opened = std::make_unique<LevelZeroDevice>();
  if (Status status = opened->open(); !status.ok())
    return status;
  device = opened.release();
  return Status::success();
}
