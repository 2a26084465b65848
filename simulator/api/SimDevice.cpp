//===- SimDevice.cpp - The simulated device -------------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/api/SimDevice.h"

#include "runtime-stubs/support/CodeObject.h"
#include "simulator/api/EnvironmentObservers.h"
#include "simulator/check/CheckedLaunch.h"
#include "simulator/exec/CodeObject.h"
#include "simulator/exec/Program.h"
#include "simulator/exec/memory/SharedHeap.h"
#include "simulator/launch/Launch.h"
#include "simulator/spirv/SpirvLaunch.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <unistd.h>

using namespace aircc::sim;
using aircc::rt::Dim3;
using aircc::rt::Status;

/// A loaded module, which is a code object with its decoded code (by wave size)
/// or a SPIR-V module, and the handles of its kernels.
struct SimDevice::Module {
  std::unique_ptr<CodeObject> object;
  std::unique_ptr<Program> programs[2];
  std::unique_ptr<spirv::SpirvProgram> spirv;
  struct Function {
    Module *module = nullptr;
    const Kernel *kernel = nullptr;
    Program *program = nullptr;
    const spirv::SpirvKernel *spirvKernel = nullptr;
  };
  /// Finds the kernel of a handle. Returns an error message, or "".
  std::string find(const char *name, Function &function);
  std::map<std::string, std::unique_ptr<Function>> functions;
};

SimDevice::SimDevice() {
  if (const char *wanted = std::getenv("AIRCC_SIM_CHIP"))
    chip = wanted;
  if (const char *count = std::getenv("AIRCC_SIM_DEVICES"))
    if (llvm::StringRef(count).getAsInteger(10, devices) || devices < 1)
      devices = 1;
  memory.setSlack(slackFromEnvironment());
}

SimDevice::~SimDevice() {
  for (Module *module : modules)
    delete module;
  for (Stream *stream : streams)
    delete stream;
  for (Event *event : events)
    delete event;
}

void SimDevice::setObservers(std::unique_ptr<EnvironmentObservers> wanted) {
  environmentObservers = std::move(wanted);
}

void SimDevice::shutdown() {
  if (environmentObservers)
    environmentObservers->write();
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

bool SimDevice::isSpirvTarget(llvm::StringRef target) {
  return !target.empty() && !target.starts_with("gfx") &&
         !target.starts_with("sm_") && llvm::all_of(target, [](char c) {
           return llvm::isAlnum(c) || c == '-';
         });
}

int SimDevice::targetPreference(const char *target) {
  if (isSpirvTarget(target))
    return chip.empty() || chip == target;
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
    return Status::failure("a fill value must have 1, 2 or 4 bytes, but got " +
                           std::to_string(valueBytes));
  if (std::string why = memory.checkHostAccess(dst, count * valueBytes);
      !why.empty())
    return Status::failure("the destination is " + why);
  char *out = static_cast<char *>(dst);
  for (size_t i = 0; i < count; ++i)
    std::memcpy(out + i * valueBytes, &value, valueBytes);
  return Status::success();
}

/// All device memory is memory of the process.
Status SimDevice::locate(const void *ptr, MemoryLocation &location) {
  location = {};
  if (memory.isDeviceMemory(ptr))
    location.kind = MemoryLocation::Shared;
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

/// Converts a message from GlobalMemory, which is empty on success, to a
/// Status.
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
             : Status::failure(hex(at) + " is not shared memory");
}

Status SimDevice::copyForPeer(void *dst, const void *src, size_t bytes,
                              bool isAllocated) {
  if (!isAllocated)
    return copy(dst, src, bytes, nullptr);
  std::memmove(dst, src, bytes);
  return Status::success();
}

Status SimDevice::allocateMirror(size_t bytes, void *&ptr) {
  // In shared memory, the words of a line are stored in order.
  int descriptor = -1;
  if (Status s = createShared(bytes, ptr, descriptor); !s.ok())
    return s;
  ::close(descriptor);
  return Status::success();
}
Status SimDevice::freeMirror(void *ptr) { return destroyShared(ptr); }

static bool checksRanks(int32_t ranks) {
  return ranks > 1 &&
         LaunchOptions::fromEnvironment().check.has(CheckKind::Races);
}

SimDevice::HeapRoom SimDevice::heapRoom(uint64_t bytes, int32_t ranks) {
  const uint64_t addresses = bytes * SharedHeap::spread;
  return {SharedHeap::spread,
          SharedHeap::totalBytes(addresses, ranks, checksRanks(ranks))};
}
void SimDevice::beginHeap(int32_t rank, const std::vector<HeapOfRank> &heaps,
                          uint64_t addresses) {
  std::vector<SharedHeap::HeapOfRank> all;
  for (const HeapOfRank &heap : heaps)
    all.push_back({heap.base, heap.isMapped});
  memory.beginHeap(std::make_unique<SharedHeap>(
      rank, std::move(all), addresses,
      checksRanks(static_cast<int32_t>(heaps.size()))));
}
Status SimDevice::checkHeap() {
  SharedHeap *heap = memory.sharedHeap();
  return statusOf(heap ? heap->findUnallocated() : "");
}
void SimDevice::endHeap() { memory.endHeap(); }
void SimDevice::heapAllocated(uint64_t offset, uint64_t bytes) {
  memory.allocateInHeap(offset, bytes);
}
void SimDevice::heapFreed(uint64_t offset) { memory.freeInHeap(offset); }
void SimDevice::beforeCollective(int32_t ranks) {
  if (SharedHeap *heap = memory.sharedHeap())
    heap->arrive(ranks);
}
void SimDevice::afterCollective(int32_t ranks) {
  if (SharedHeap *heap = memory.sharedHeap())
    heap->leave(ranks);
}
void SimDevice::beforeMessage() {
  if (SharedHeap *heap = memory.sharedHeap())
    heap->publish();
}
void SimDevice::afterMessage(std::optional<int32_t> from) {
  SharedHeap *heap = memory.sharedHeap();
  if (!heap)
    return;
  if (from)
    return heap->hear(*from);
  for (int32_t rank = 0; rank < heap->ranks(); ++rank)
    heap->hear(rank);
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
  llvm::StringRef code(static_cast<const char *>(image), bytes);
  auto module = std::make_unique<Module>();
  if (rt::classifyImage(code) == rt::ImageKind::SPIRV) {
    if (!chip.empty() && !isSpirvTarget(chip))
      return Status::failure("the module is SPIR-V, but AIRCC_SIM_CHIP is " +
                             chip);
    auto program = spirv::SpirvProgram::create(
        code, memory,
        environmentObservers && environmentObservers->wantsTrace());
    if (!program)
      return Status::failure(llvm::toString(program.takeError()));
    module->spirv = std::move(*program);
  } else {
    auto object = CodeObject::load(code, memory);
    if (!object)
      return Status::failure(llvm::toString(object.takeError()));
    if (!chip.empty() && (*object)->chip().name != chip)
      return Status::failure("the code object is for " +
                             (*object)->chip().name +
                             ", but AIRCC_SIM_CHIP is " + chip);
    module->object = std::move(*object);
  }
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

std::string SimDevice::Module::find(const char *name, Function &function) {
  std::string known;
  auto add = [&](const std::string &other) {
    known += (known.empty() ? "" : ", ") + other;
  };
  if (spirv) {
    function.spirvKernel = spirv->findKernel(name);
    for (const spirv::SpirvKernel &other : spirv->allKernels())
      add(other.name);
  } else {
    function.kernel = object->findKernel(name);
    for (const auto &other : object->allKernels())
      add(other.first);
  }
  if (!function.kernel && !function.spirvKernel)
    return "the module has no kernel '" + std::string(name) +
           "'; it has: " + (known.empty() ? "none" : known);
  if (spirv)
    return {};
  std::unique_ptr<Program> &program = programs[function.kernel->wave32];
  if (!program) {
    auto made = Program::create(*object, function.kernel->wave32);
    if (!made)
      return llvm::toString(made.takeError());
    program = std::move(*made);
  }
  function.program = program.get();
  return {};
}

Status SimDevice::getFunction(rt::ModuleHandle handle, const char *name,
                              rt::FunctionHandle &function) {
  std::lock_guard<std::mutex> lock(mutex);
  Module *module = static_cast<Module *>(handle);
  if (!modules.count(module))
    return Status::failure("the module is not loaded");
  std::unique_ptr<Module::Function> &entry = module->functions[name];
  if (!entry) {
    auto made = std::make_unique<Module::Function>();
    made->module = module;
    if (std::string why = module->find(name, *made); !why.empty()) {
      module->functions.erase(name);
      return Status::failure(why);
    }
    entry = std::move(made);
  }
  function = entry.get();
  return Status::success();
}

void SimDevice::printWarnings(const LaunchResult &result) {
  std::lock_guard<std::mutex> lock(mutex);
  for (const std::string &warning : result.warnings)
    if (warnings.insert(warning).second)
      std::fprintf(stderr, "aircc simulator: warning: %s\n", warning.c_str());
}

Status SimDevice::launch(rt::FunctionHandle handle, Dim3 grid, Dim3 block,
                         uint32_t dynamicSharedBytes, rt::StreamHandle,
                         void **params, size_t paramCount) {
  auto *function = static_cast<Module::Function *>(handle);
  LaunchOptions options = LaunchOptions::fromEnvironment();
  options.observers = observers;
  options.showsProgress =
      !environmentObservers || !environmentObservers->wantsTrace();
  {
    std::lock_guard<std::mutex> lock(mutex);
    options.waitLimit = waitLimit;
    options.describeAddress = describeAddress;
  }
  LaunchResult result;
  if (function->spirvKernel) {
    spirv::SpirvLaunchRequest request;
    request.kernel = function->spirvKernel;
    request.memory = &memory;
    request.grid = {grid.x, grid.y, grid.z};
    request.block = {block.x, block.y, block.z};
    request.dynamicSlmBytes = dynamicSharedBytes;
    request.args.assign(params, params + paramCount);
    spirv::LaneCounts counts;
    return finishLaunch(
        environmentObservers
            ? environmentObservers->run(request, options, result)
            : spirv::runSpirvLaunch(request, options, counts, result),
        result);
  }
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
  std::vector<std::unique_ptr<LaunchObserver>> watching;
  if (environmentObservers)
    watching = environmentObservers->forLaunch();
  for (auto &observer : watching)
    options.observers.push_back(observer.get());
  return finishLaunch(runCheckedLaunch(request, options, result), result);
}

Status SimDevice::finishLaunch(llvm::Error error, const LaunchResult &result) {
  printWarnings(result);
  if (!error)
    return Status::success();
  // The program exits after this failure without calling shutdown().
  shutdown();
  return Status::failure(llvm::toString(std::move(error)));
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
    return Status::failure(
        "cannot compute the time between events that were not recorded");
  ms = std::chrono::duration<float, std::milli>(second->time - first->time)
           .count();
  return Status::success();
}
