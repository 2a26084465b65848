//===- Mgpu.cpp - Devices, code, streams and events (C ABI) ---------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime-stubs/include/aircc/mgpu.h"
#include "runtime-stubs/include/aircc/runtime.h"
#include "runtime-stubs/mgpu/AsyncCall.h"
#include "runtime-stubs/mgpu/Call.h"
#include "runtime-stubs/mgpu/CurrentDevice.h"
#include "runtime-stubs/mgpu/Modules.h"

#include <cstdio>
#include <dlfcn.h>
#include <limits>

using namespace aircc::rt;

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

int32_t mgpuGetDeviceCount(void) {
  int count = 0;
  onDevice(__func__, [&](Device &d) { return d.getDeviceCount(count); });
  return count;
}

int32_t mgpuGetDevice(void) { return currentDeviceIndex(); }

void mgpuSetDevice(int32_t device) {
  onDevice(
      __func__, [&](Device &d) { return setCurrentDevice(d, device); },
      arg("device", device));
}

void mgpuSetDefaultDevice(int32_t device) {
  onDevice(
      __func__, [&](Device &d) { return setCurrentDevice(d, device); },
      arg("device", device));
}

int32_t mgpuSelectTarget(const char *const *names, int32_t count) {
  int32_t best = -1;
  auto select = [&](Device &d) {
    int bestPreference = 0;
    std::string listed;
    for (int32_t i = 0; i < count; ++i) {
      listed += (i ? ", " : "") + std::string(names[i]);
      int preference = d.targetPreference(names[i]);
      if (preference > bestPreference) {
        bestPreference = preference;
        best = i;
      }
    }
    if (best >= 0)
      return Status::success();
    return Status::failure("the program has no code for " + d.description() +
                           "; it has code for " +
                           (listed.empty() ? "no device" : listed));
  };
  onDevice(__func__, select, arg("names", names), arg("count", count));
  return best;
}

//===----------------------------------------------------------------------===//
// Device code
//===----------------------------------------------------------------------===//

/// Returns the file that contains an address of code or data.
static std::string getFileOf(const void *address) {
  Dl_info info;
  if (!dladdr(address, &info) || !info.dli_fname || !*info.dli_fname)
    return "the program";
  return info.dli_fname;
}

void airccCheckInterface(int32_t version) {
  if (version == AIRCC_RUNTIME_INTERFACE)
    return;
  failFromOutside(getFileOf(__builtin_return_address(0)) +
                  " was compiled for version " + std::to_string(version) +
                  " of the runtime's interface, and " +
                  getFileOf(reinterpret_cast<void *>(airccCheckInterface)) +
                  " has version " + std::to_string(AIRCC_RUNTIME_INTERFACE) +
                  "; compile it with the aircc that this runtime belongs to");
}

void *mgpuModuleLoad(void *image, size_t size) {
  if (!image)
    fail(__func__, formatArguments(arg("image", image), arg("size", size)),
         "there is no image");
  return new Module(std::string_view(static_cast<const char *>(image), size));
}

void *mgpuModuleLoadJIT(void *assembly, int32_t optLevel) {
  fail(__func__,
       formatArguments(arg("assembly", assembly), arg("optLevel", optLevel)),
       "the program embeds assembly, which no device of this runtime compiles; "
       "embed a code object or SPIR-V");
}

void mgpuModuleUnload(void *module) {
  if (!module)
    return;
  auto *record = static_cast<Module *>(module);
  // A loaded module implies an open device.
  if (openedDevice())
    releaseOnDevice(
        __func__, [&](Device &d) { return record->unload(d); },
        arg("module", module));
  delete record;
}

void *mgpuModuleGetFunction(void *module, const char *name) {
  Function *function = nullptr;
  auto get = [&](Device &d) {
    if (!module)
      return Status::failure("there is no module");
    if (!name)
      return Status::failure("there is no name");
    return static_cast<Module *>(module)->getFunction(d, currentDeviceIndex(),
                                                      name, function);
  };
  onDevice(__func__, get, arg("module", module), arg("name", name));
  return function;
}

/// Converts the sizes of a launch to the type of the device.
static Status convertDim(const char *what, intptr_t x, intptr_t y, intptr_t z,
                         Dim3 &dim) {
  for (intptr_t size : {x, y, z})
    if (size < 0 || size > intptr_t(std::numeric_limits<uint32_t>::max()))
      return Status::failure(std::string("a ") + what + " of size " +
                             std::to_string(size) + " is not possible");
  dim = {static_cast<uint32_t>(x), static_cast<uint32_t>(y),
         static_cast<uint32_t>(z)};
  return Status::success();
}

void mgpuCheckLaunchSize(const char *kernel, const char *attribute, intptr_t x,
                         intptr_t y, intptr_t z, intptr_t statedX,
                         intptr_t statedY, intptr_t statedZ) {
  if (x == statedX && y == statedY && z == statedZ)
    return;
  fail(__func__,
       formatArguments(arg("kernel", kernel), arg("attribute", attribute),
                       arg("x", x), arg("y", y), arg("z", z),
                       arg("statedX", statedX), arg("statedY", statedY),
                       arg("statedZ", statedZ)),
       "the kernel was compiled for launches of another size");
}

void mgpuLaunchKernel(void *function, intptr_t gridX, intptr_t gridY,
                      intptr_t gridZ, intptr_t blockX, intptr_t blockY,
                      intptr_t blockZ, int32_t dynamicSharedBytes, void *stream,
                      void **params, void **extra, size_t paramsCount) {
  auto *kernel = static_cast<Function *>(function);
  stream = AsyncCall::redirect(stream);
  auto launch = [&](Device &d) {
    if (!kernel)
      return Status::failure("there is no function");
    if (extra)
      return Status::failure("extra launch parameters are not supported");
    if (dynamicSharedBytes < 0)
      return Status::failure("the size of shared memory is negative");
    if (paramsCount != 0 && !params)
      return Status::failure("there are no params");
    Dim3 grid, block;
    if (Status s = convertDim("grid", gridX, gridY, gridZ, grid); !s.ok())
      return s;
    if (Status s = convertDim("block", blockX, blockY, blockZ, block); !s.ok())
      return s;
    if (block.x == 0 || block.y == 0 || block.z == 0)
      return Status::failure("the block has no lanes");
    // An empty grid is a no-op, but devices would reject it.
    if (grid.x == 0 || grid.y == 0 || grid.z == 0)
      return Status::success();
    FunctionHandle handle = nullptr;
    if (Status s = kernel->resolve(d, currentDeviceIndex(), handle); !s.ok())
      return s;
    noteLaunch(kernel->getName());
    return d.launch(handle, grid, block,
                    static_cast<uint32_t>(dynamicSharedBytes), stream, params,
                    paramsCount);
  };
  onDevice(__func__, launch,
           arg("function", kernel ? kernel->getName().c_str() : nullptr),
           arg("gridX", gridX), arg("gridY", gridY), arg("gridZ", gridZ),
           arg("blockX", blockX), arg("blockY", blockY), arg("blockZ", blockZ),
           arg("dynamicSharedBytes", dynamicSharedBytes), arg("stream", stream),
           arg("paramsCount", paramsCount));
}

void mgpuLaunchClusterKernel(void *function, intptr_t clusterX,
                             intptr_t clusterY, intptr_t clusterZ,
                             intptr_t gridX, intptr_t gridY, intptr_t gridZ,
                             intptr_t blockX, intptr_t blockY, intptr_t blockZ,
                             int32_t dynamicSharedBytes, void *stream,
                             void **params, void **extra) {
  auto *kernel = static_cast<Function *>(function);
  fail(__func__,
       formatArguments(
           arg("function", kernel ? kernel->getName().c_str() : nullptr),
           arg("clusterX", clusterX), arg("clusterY", clusterY),
           arg("clusterZ", clusterZ)),
       "launches in clusters are not supported; launch without clusters");
}

//===----------------------------------------------------------------------===//
// Streams and events
//===----------------------------------------------------------------------===//

// A call on a caller's stream uses no other stream, so events would order
// nothing.

void *mgpuStreamCreate(void) {
  if (AsyncCall *async = AsyncCall::current())
    return async->getStream();
  StreamHandle stream = nullptr;
  onDevice(__func__, [&](Device &d) { return d.createStream(stream); });
  if (Call *call = Call::current())
    call->addStream(stream);
  return stream;
}

void mgpuStreamDestroy(void *stream) {
  if (AsyncCall::current())
    return;
  if (Call *call = Call::current())
    call->removeStream(stream);
  releaseOnDevice(
      __func__, [&](Device &d) { return d.destroyStream(stream); },
      arg("stream", stream));
}

void mgpuStreamSynchronize(void *stream) {
  if (AsyncCall::current())
    return;
  onDevice(
      __func__, [&](Device &d) { return d.synchronizeStream(stream); },
      arg("stream", stream));
}

void mgpuStreamWaitEvent(void *stream, void *event) {
  if (AsyncCall::current())
    return;
  onDevice(
      __func__, [&](Device &d) { return d.waitEvent(stream, event); },
      arg("stream", stream), arg("event", event));
}

void *mgpuEventCreate(void) {
  if (AsyncCall *async = AsyncCall::current())
    return async->getStream();
  EventHandle event = nullptr;
  onDevice(__func__, [&](Device &d) { return d.createEvent(event); });
  if (Call *call = Call::current())
    call->addEvent(event);
  return event;
}

void mgpuEventDestroy(void *event) {
  if (AsyncCall::current())
    return;
  if (Call *call = Call::current())
    call->removeEvent(event);
  releaseOnDevice(
      __func__, [&](Device &d) { return d.destroyEvent(event); },
      arg("event", event));
}

void mgpuEventSynchronize(void *event) {
  if (AsyncCall::current())
    return;
  onDevice(
      __func__, [&](Device &d) { return d.synchronizeEvent(event); },
      arg("event", event));
}

void mgpuEventRecord(void *event, void *stream) {
  if (AsyncCall::current())
    return;
  onDevice(
      __func__, [&](Device &d) { return d.recordEvent(event, stream); },
      arg("event", event), arg("stream", stream));
}

int32_t mgpuEventElapsedTime(float *ms, void *start, void *stop) {
  float elapsed = 0;
  onDevice(
      __func__,
      [&](Device &d) { return d.elapsedMilliseconds(start, stop, elapsed); },
      arg("start", start), arg("stop", stop));
  if (ms)
    *ms = elapsed;
  std::printf("Elapsed time: %.3f ms\n", elapsed);
  return 0;
}
