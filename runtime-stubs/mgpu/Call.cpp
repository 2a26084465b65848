//===- Call.cpp - A call to a compiled function ---------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime-stubs/mgpu/Call.h"
#include "runtime-stubs/mgpu/AsyncCall.h"
#include "runtime-stubs/mgpu/CurrentDevice.h"
#include "runtime-stubs/mgpu/EntryCheck.h"
#include "runtime-stubs/mgpu/Failure.h"
#include "runtime-stubs/mgpu/Staging.h"

#include "runtime-stubs/include/aircc/mgpu.h"
#include "runtime-stubs/include/aircc/runtime.h"

#include <algorithm>

using namespace aircc::rt;

namespace {
constinit thread_local Call *currentCall = nullptr;
thread_local std::string lastError;
} // namespace

Call::Call() : outer(std::exchange(currentCall, this)) {}
Call::~Call() { currentCall = outer; }
Call *Call::current() { return currentCall; }

void Call::remove(std::vector<void *> &list, void *entry) {
  // Search backward, because memory that was allocated last is usually freed
  // first.
  auto found = std::find(list.rbegin(), list.rend(), entry);
  if (found != list.rend())
    list.erase(std::next(found).base());
}

void Call::release() {
  Device *device = openedDevice();
  if (!device || deviceIsShutDown())
    return;
  // Kernels that are still running may use the memory.
  for (void *stream : streams)
    (void)device->synchronizeStream(stream).ok();
  (void)device->synchronizeStream(nullptr).ok();
  for (void *event : events)
    (void)device->destroyEvent(event).ok();
  for (void *stream : streams)
    (void)device->destroyStream(stream).ok();
  for (void *ptr : memory)
    (void)device->free(ptr, nullptr).ok();
}

/// Records an error of this thread and notifies the handler.
static int32_t report(int32_t status, const std::string &message) {
  lastError = message;
  reportToHandler(status, message.c_str());
  return status;
}

/// Calls `body`, which may fail by throwing.
template <typename Fn> static int32_t guard(Fn &&body) {
  Call call;
  try {
    return body();
  } catch (const CallFailure &failure) {
    call.release();
    return report(AIRCC_DEVICE_ERROR, failure.message);
  } catch (const std::exception &error) {
    call.release();
    return report(AIRCC_DEVICE_ERROR, error.what());
  }
}

const char *airccLastError(void) { return lastError.c_str(); }

void airccSetErrorHandler(AirccErrorHandler handler, void *data) {
  setHandler(handler, data);
}

int32_t airccGetDeviceCount(int32_t *count) {
  return guard([&] {
    int value = 0;
    onDevice("airccGetDeviceCount",
             [&](Device &d) { return d.getDeviceCount(value); });
    *count = value;
    return AIRCC_SUCCESS;
  });
}

int32_t airccSetDevice(int32_t index) {
  return guard([&] {
    onDevice(
        "airccSetDevice", [&](Device &d) { return setCurrentDevice(d, index); },
        arg("device", index));
    return AIRCC_SUCCESS;
  });
}

int32_t airccGetDevice(const char **kind, int32_t *index) {
  return guard([&] {
    *kind = device("airccGetDevice").name();
    *index = currentDeviceIndex();
    return AIRCC_SUCCESS;
  });
}

int32_t airccAllocate(uint64_t bytes, void **memory) {
  return guard([&] {
    *memory = mgpuMemAlloc(bytes, nullptr, /*hostShared=*/false);
    return AIRCC_SUCCESS;
  });
}

int32_t airccFree(void *memory) {
  return guard([&] {
    mgpuMemFree(memory, nullptr);
    return AIRCC_SUCCESS;
  });
}

int32_t airccCopy(void *destination, const void *source, uint64_t bytes) {
  return guard([&] {
    mgpuMemcpy(destination, const_cast<void *>(source), bytes, nullptr);
    mgpuStreamSynchronize(nullptr);
    return AIRCC_SUCCESS;
  });
}

int32_t airccGetMemoryDevice(const void *address, int32_t *index) {
  return guard([&] {
    Device::MemoryLocation location;
    onDevice(
        "airccGetMemoryDevice",
        [&](Device &d) { return d.locate(address, location); },
        arg("address", address));
    *index = location.kind == Device::MemoryLocation::Host ? -1
             : location.kind == Device::MemoryLocation::Shared
                 ? currentDeviceIndex()
                 : location.device;
    return AIRCC_SUCCESS;
  });
}

int64_t airccGetCopiedBytes(void) { return Staging::getCopiedBytes(); }

int32_t airccCall(const AirccEntry *entry, void *const *arguments) {
  return guard([&]() -> int32_t {
    if (Status status = checkCall(*entry, arguments); !status.ok())
      return report(AIRCC_INVALID_ARGUMENT, status.message());
    Signature signature(*entry);
    signature.takeDescriptors(arguments);
    Staging staging(signature, arguments);
    if (Status status = staging.begin(); !status.ok()) {
      Call::current()->release();
      return report(AIRCC_INVALID_ARGUMENT, status.message());
    }
    entry->call(staging.getPointers());
    staging.finish();
    return AIRCC_SUCCESS;
  });
}

/// Performs the checks that are possible before anything is launched.
static Status checkAsyncCall(const Signature &signature, Staging &staging) {
  if (signature.computesOnHost)
    return signature.failure(
        "code of the host computes with elements, so it has to wait for "
        "kernels; call the function without '_async'");
  return staging.checkInPlace();
}

/// Converts a native stream to one of the runtime.
static void adopt(const char *function, void *&stream) {
  onDevice(
      function, [&](Device &d) { return d.adoptStream(stream); },
      arg("stream", stream));
}

int32_t airccCallAsync(const AirccEntry *entry, void *const *arguments,
                       void *stream) {
  return guard([&]() -> int32_t {
    if (Status status = checkCall(*entry, arguments); !status.ok())
      return report(AIRCC_INVALID_ARGUMENT, status.message());
    Signature signature(*entry);
    signature.takeDescriptors(arguments);
    Staging staging(signature, arguments);
    if (Status status = checkAsyncCall(signature, staging); !status.ok())
      return report(AIRCC_INVALID_ARGUMENT, status.message());
    adopt("airccCallAsync", stream);
    AsyncCall async(entry, stream);
    try {
      entry->call(arguments);
      staging.copyFromDonors(stream);
    } catch (...) {
      async.releaseAll();
      throw;
    }
    return AIRCC_SUCCESS;
  });
}

int32_t airccCreateStream(void **stream) {
  return guard([&] {
    onDevice("airccCreateStream",
             [&](Device &d) { return d.createStream(*stream); });
    return AIRCC_SUCCESS;
  });
}

int32_t airccSynchronize(void *stream) {
  return guard([&] {
    adopt("airccSynchronize", stream);
    mgpuStreamSynchronize(stream);
    return AIRCC_SUCCESS;
  });
}

int32_t airccReleaseStream(void *stream) {
  return guard([&] {
    adopt("airccReleaseStream", stream);
    mgpuStreamSynchronize(stream);
    auto release = [&](Device &d) {
      Status status = freePools(d, stream);
      return status.ok() ? d.forgetStream(stream) : status;
    };
    onDevice("airccReleaseStream", release, arg("stream", stream));
    return AIRCC_SUCCESS;
  });
}

int32_t airccDestroyStream(void *stream) {
  if (int32_t status = airccReleaseStream(stream))
    return status;
  return guard([&] {
    mgpuStreamDestroy(stream);
    return AIRCC_SUCCESS;
  });
}

int32_t airccGetResultSizes(const AirccEntry *entry, void *const *arguments,
                            int64_t *sizes) {
  return guard([&]() -> int32_t {
    if (Status status = checkSizesCall(*entry, arguments); !status.ok())
      return report(AIRCC_INVALID_ARGUMENT, status.message());
    Status status = computeResultSizes(*entry, arguments, sizes);
    if (!status.ok())
      return report(AIRCC_INVALID_ARGUMENT, status.message());
    return AIRCC_SUCCESS;
  });
}
