//===- SimDevice.cpp - The simulated device -------------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime-stubs/sim/SimDevice.h"

#include "runtime-stubs/sim/CodeObject.h"
#include "runtime-stubs/sim/Instruments.h"
#include "runtime-stubs/sim/Launch.h"
#include "runtime-stubs/sim/Program.h"

#include <cstdlib>
#include <cstring>
#include <map>

using namespace aircc::sim;
using aircc::rt::Dim3;
using aircc::rt::Status;

/// A loaded code object, its decoded code (by wave size), and the handles of
/// its kernels.
struct SimDevice::Module {
  std::unique_ptr<CodeObject> object;
  std::unique_ptr<Program> programs[2];
  struct Function {
    Module *module;
    const Kernel *kernel;
    Program *program;
  };
  std::map<std::string, std::unique_ptr<Function>> functions;
};

SimDevice::SimDevice() {
  if (const char *wanted = std::getenv("AIRCC_SIM_CHIP"))
    chip = wanted;
  if (const char *count = std::getenv("AIRCC_SIM_DEVICES"))
    devices = std::max(1, std::atoi(count));
}

SimDevice::~SimDevice() {
  for (Module *module : modules)
    delete module;
  for (Stream *stream : streams)
    delete stream;
  for (Event *event : events)
    delete event;
}

void SimDevice::setInstruments(std::unique_ptr<Instruments> wanted) {
  instruments = std::move(wanted);
}

void SimDevice::shutdown() {
  if (instruments)
    instruments->write();
}

Status SimDevice::getDeviceCount(int &count) {
  count = devices;
  return Status::success();
}

Status SimDevice::setDevice(int index) {
  if (index < 0 || index >= devices)
    return Status::failure("there is no simulated device " +
                           std::to_string(index) + "; there are " +
                           std::to_string(devices) +
                           " (AIRCC_SIM_DEVICES says how many)");
  return Status::success();
}

int SimDevice::targetPreference(const char *target) {
  std::optional<Chip> wanted = Chip::parse(target);
  if (!wanted || (!chip.empty() && wanted->name != chip))
    return 0;
  return 1;
}

Status SimDevice::allocate(size_t bytes, rt::StreamHandle, bool, void *&ptr) {
  ptr = memory.allocate(bytes ? bytes : 1);
  return ptr ? Status::success()
             : Status::failure("no memory for " + std::to_string(bytes) +
                               " bytes");
}

static std::string hex(const void *ptr) {
  char text[32];
  std::snprintf(text, sizeof(text), "%p", ptr);
  return text;
}

Status SimDevice::free(void *ptr, rt::StreamHandle) {
  if (!ptr)
    return Status::success();
  return memory.release(ptr)
             ? Status::success()
             : Status::failure(hex(ptr) + " is not allocated on the device (or "
                                          "was freed before)");
}

Status SimDevice::copy(void *dst, const void *src, size_t bytes,
                       rt::StreamHandle) {
  if (std::string why = memory.checkHostAccess(dst, bytes); !why.empty())
    return Status::failure("the destination is " + why);
  if (std::string why = memory.checkHostAccess(src, bytes); !why.empty())
    return Status::failure("the source is " + why);
  std::memmove(dst, src, bytes);
  return Status::success();
}

Status SimDevice::fill(void *dst, uint32_t value, unsigned valueBytes,
                       size_t count, rt::StreamHandle) {
  if (valueBytes != 1 && valueBytes != 2 && valueBytes != 4)
    return Status::failure("a fill value has 1, 2 or 4 bytes, not " +
                           std::to_string(valueBytes));
  if (std::string why = memory.checkHostAccess(dst, count * valueBytes);
      !why.empty())
    return Status::failure("the destination is " + why);
  char *out = static_cast<char *>(dst);
  for (size_t i = 0; i < count; ++i)
    std::memcpy(out + i * valueBytes, &value, valueBytes);
  return Status::success();
}

Status SimDevice::registerHost(void *ptr, size_t bytes) {
  memory.registerHost(ptr, bytes);
  return Status::success();
}

Status SimDevice::unregisterHost(void *ptr) {
  return memory.unregisterHost(ptr)
             ? Status::success()
             : Status::failure(hex(ptr) + " is not registered");
}

/// A Status of what GlobalMemory says.
static Status statusOf(std::string why) {
  return why.empty() ? Status::success() : Status::failure(std::move(why));
}

Status SimDevice::createShared(size_t &bytes, void *&ptr, int &descriptor) {
  return statusOf(memory.createShared(bytes, ptr, descriptor));
}
Status SimDevice::reserveShared(size_t bytes, void *&range) {
  return statusOf(memory.reserveShared(bytes, range));
}
Status SimDevice::mapShared(int descriptor, size_t bytes, void *at) {
  return statusOf(memory.mapShared(descriptor, bytes, at));
}
Status SimDevice::releaseShared(void *range) {
  return statusOf(memory.releaseShared(range));
}
Status SimDevice::destroyShared(void *ptr) { return unmapShared(ptr); }
Status SimDevice::unmapShared(void *at) {
  return memory.unmapShared(at)
             ? Status::success()
             : Status::failure(hex(at) + " is no shared memory");
}

bool SimDevice::setWaitLimit(std::optional<std::chrono::milliseconds> limit,
                             std::function<std::string(uint64_t)> describe) {
  std::lock_guard<std::mutex> lock(mutex);
  waitLimit = limit;
  describeAddress = std::move(describe);
  return true;
}

Status SimDevice::loadModule(const void *image, size_t bytes,
                             rt::ModuleHandle &handle) {
  auto object = CodeObject::load(
      llvm::StringRef(static_cast<const char *>(image), bytes), memory);
  if (!object)
    return Status::failure(llvm::toString(object.takeError()));
  if (!chip.empty() && (*object)->chip().name != chip)
    return Status::failure("the code object is for " + (*object)->chip().name +
                           ", AIRCC_SIM_CHIP asks for " + chip);
  auto module = std::make_unique<Module>();
  module->object = std::move(*object);
  handle = module.get();
  std::lock_guard<std::mutex> lock(mutex);
  modules.insert(module.release());
  return Status::success();
}

Status SimDevice::unloadModule(rt::ModuleHandle handle) {
  std::lock_guard<std::mutex> lock(mutex);
  Module *module = static_cast<Module *>(handle);
  if (!modules.erase(module))
    return Status::failure("the module is not loaded");
  delete module;
  return Status::success();
}

Status SimDevice::getFunction(rt::ModuleHandle handle, const char *name,
                              rt::FunctionHandle &function) {
  std::lock_guard<std::mutex> lock(mutex);
  Module *module = static_cast<Module *>(handle);
  if (!modules.count(module))
    return Status::failure("the module is not loaded");
  std::unique_ptr<Module::Function> &entry = module->functions[name];
  if (!entry) {
    const Kernel *kernel = module->object->findKernel(name);
    if (!kernel) {
      std::string known;
      for (const auto &other : module->object->allKernels())
        known += (known.empty() ? "" : ", ") + other.first;
      module->functions.erase(name);
      return Status::failure("the module has no kernel '" + std::string(name) +
                             "'; it has: " + (known.empty() ? "none" : known));
    }
    std::unique_ptr<Program> &program = module->programs[kernel->wave32];
    if (!program) {
      auto made = Program::create(*module->object, kernel->wave32);
      if (!made) {
        module->functions.erase(name);
        return Status::failure(llvm::toString(made.takeError()));
      }
      program = std::move(*made);
    }
    entry.reset(new Module::Function{module, kernel, program.get()});
  }
  function = entry.get();
  return Status::success();
}

Status SimDevice::launch(rt::FunctionHandle handle, Dim3 grid, Dim3 block,
                         uint32_t dynamicSharedBytes, rt::StreamHandle,
                         void **params, size_t paramCount) {
  auto *function = static_cast<Module::Function *>(handle);
  LaunchRequest request;
  request.object = function->module->object.get();
  request.program = function->program;
  request.kernel = function->kernel;
  request.memory = &memory;
  request.grid[0] = grid.x;
  request.grid[1] = grid.y;
  request.grid[2] = grid.z;
  request.block[0] = block.x;
  request.block[1] = block.y;
  request.block[2] = block.z;
  request.dynamicLdsBytes = dynamicSharedBytes;
  for (size_t i = 0; i < paramCount; ++i)
    request.args.push_back(params[i]);
  LaunchResult result;
  std::string error;
  LaunchOptions options = LaunchOptions::fromEnvironment();
  options.observers = observers;
  {
    std::lock_guard<std::mutex> lock(mutex);
    options.waitLimit = waitLimit;
    options.describeAddress = describeAddress;
  }
  std::vector<std::unique_ptr<LaunchObserver>> watching;
  if (instruments)
    watching = instruments->forLaunch();
  for (auto &observer : watching)
    options.observers.push_back(observer.get());
  if (!runLaunch(request, options, result, error)) {
    // The program ends here, without a shutdown.
    shutdown();
    return Status::failure(error);
  }
  return Status::success();
}

Status SimDevice::createStream(rt::StreamHandle &stream) {
  std::lock_guard<std::mutex> lock(mutex);
  stream = *streams.insert(new Stream()).first;
  return Status::success();
}

Status SimDevice::destroyStream(rt::StreamHandle stream) {
  std::lock_guard<std::mutex> lock(mutex);
  if (!streams.erase(static_cast<Stream *>(stream)))
    return Status::failure("there is no such stream");
  delete static_cast<Stream *>(stream);
  return Status::success();
}

Status SimDevice::synchronizeStream(rt::StreamHandle) {
  return Status::success();
}

Status SimDevice::createEvent(rt::EventHandle &event) {
  std::lock_guard<std::mutex> lock(mutex);
  event = *events.insert(new Event()).first;
  return Status::success();
}

Status SimDevice::destroyEvent(rt::EventHandle event) {
  std::lock_guard<std::mutex> lock(mutex);
  if (!events.erase(static_cast<Event *>(event)))
    return Status::failure("there is no such event");
  delete static_cast<Event *>(event);
  return Status::success();
}

Status SimDevice::recordEvent(rt::EventHandle event, rt::StreamHandle) {
  auto *recorded = static_cast<Event *>(event);
  recorded->recorded = true;
  recorded->time = std::chrono::steady_clock::now();
  return Status::success();
}

Status SimDevice::synchronizeEvent(rt::EventHandle) {
  return Status::success();
}

Status SimDevice::waitEvent(rt::StreamHandle, rt::EventHandle) {
  return Status::success();
}

Status SimDevice::elapsedMilliseconds(rt::EventHandle start,
                                      rt::EventHandle stop, float &ms) {
  auto *first = static_cast<Event *>(start),
       *second = static_cast<Event *>(stop);
  if (!first->recorded || !second->recorded)
    return Status::failure("the time between events that were not recorded");
  ms = std::chrono::duration<float, std::milli>(second->time - first->time)
           .count();
  return Status::success();
}
