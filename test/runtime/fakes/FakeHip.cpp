//===- FakeHip.cpp - A HIP library for tests ------------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/runtime/fakes/FakeHip.h"
#include "test/runtime/fakes/FakeLog.h"

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

// The names and types of hip/hip_runtime_api.h.
// NOLINTBEGIN(readability-identifier-naming)
enum hipError_t : int {
  hipSuccess = 0,
  hipErrorInvalidValue = 1,
  hipErrorOutOfMemory = 2,
  hipErrorInvalidConfiguration = 9,
  hipErrorInvalidDevice = 101,
  hipErrorInvalidImage = 200,
  hipErrorNoBinaryForGpu = 209,
  hipErrorInvalidHandle = 400,
  hipErrorNotFound = 500,
};
using hipStream_t = void *;
using hipEvent_t = void *;
using hipModule_t = void *;
using hipFunction_t = void *;
using hipDeviceptr_t = void *;
using hipMemGenericAllocationHandle_t = void *;
struct hipMemLocation {
  int type, id;
};
struct hipMemAllocationProp {
  int type, requestedHandleType;
  hipMemLocation location;
  void *win32HandleMetaData;
  unsigned char compressionType, gpuDirectRDMACapable;
  unsigned short usage;
};
struct hipMemAccessDesc {
  hipMemLocation location;
  int flags;
};
// NOLINTEND(readability-identifier-naming)

namespace {

struct FakeModule;
struct FakeFunction {
  FakeModule *module;
  std::string name;
  std::vector<size_t> argumentSizes;
};
struct FakeModule {
  int device;
  std::map<std::string, FakeFunction> functions;
};

/// Physical memory, as an anonymous file.
struct FakeAllocation {
  int fd;
  size_t bytes;
};
struct State {
  fakes::Log log{"FAKE_HIP_FAIL", "FAKE_HIP_LOG"};
  std::vector<std::string> architectures;
  std::map<uintptr_t, size_t> deviceMemory, hostMemory; // Begin to size.
  std::map<uintptr_t, int> owners; // Of device memory; -1 if it is managed.
  std::set<void *> streams, events, modules;
  std::map<void *, FakeAllocation> allocations; // By handle.
  std::map<uintptr_t, size_t> reserved, mapped; // Begin to size.
  bool spinning = false;

  State() {
    const char *list = std::getenv("FAKE_HIP_ARCH");
    std::stringstream stream(list ? list : "gfx942:sramecc+:xnack-");
    for (std::string name; std::getline(stream, name, ',');)
      architectures.push_back(name);
  }
};

State &state() {
  static State *state = new State;
  return *state;
}

// The static state of a real HIP library is destroyed after the exit handlers.
struct TearDown {
  ~TearDown() { state().log.tornDown = true; }
} tearDown;

thread_local int currentDevice = 0;

struct Call : fakes::Call {
  explicit Call(const char *name) : fakes::Call(state().log, name) {}
};

bool covers(const std::map<uintptr_t, size_t> &ranges, const void *ptr,
            size_t bytes) {
  auto address = reinterpret_cast<uintptr_t>(ptr);
  auto it = ranges.upper_bound(address);
  if (it == ranges.begin())
    return false;
  --it;
  return address + bytes <= it->first + it->second;
}

/// Whether `stream` is a known stream or the default one.
bool knownStream(hipStream_t stream) {
  return !stream || state().streams.count(stream);
}

/// Returns a unique handle.
void *newHandle() { return new char; }

template <typename T>
hipError_t fill(Call &call, void *dst, T value, size_t count,
                hipStream_t stream) {
  call.pointer(dst).arg(int64_t(value)).arg(count).pointer(stream);
  if (!covers(state().deviceMemory, dst, count * sizeof(T)))
    return call.finish(hipErrorInvalidValue);
  if (!knownStream(stream))
    return call.finish(hipErrorInvalidHandle);
  for (size_t i = 0; i < count; ++i)
    std::memcpy(static_cast<char *>(dst) + i * sizeof(T), &value, sizeof(T));
  return call.finish(hipSuccess);
}

/// Parses the kernel table of a code object for `architecture`.
hipError_t readImage(const char *image, const std::string &architecture,
                     FakeModule &module) {
  if (std::memcmp(image,
                  "\x7f"
                  "ELF",
                  4) != 0)
    return hipErrorInvalidImage;
  std::istringstream lines(image + 4);
  std::string target;
  std::getline(lines, target);
  if (architecture.compare(0, architecture.find(':'), target, 0,
                           target.find(':')) != 0)
    return hipErrorNoBinaryForGpu;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    FakeFunction function{&module, "", {}};
    words >> function.name;
    for (size_t size; words >> size;)
      function.argumentSizes.push_back(size);
    module.functions[function.name] = function;
  }
  return hipSuccess;
}

hipError_t allocate(fakes::Call &call, void **pointer, size_t bytes) {
  if (call.failing())
    return call.finish(hipErrorOutOfMemory);
  *pointer = std::malloc(bytes);
  // Do not let code depend on fresh memory being zero.
  std::memset(*pointer, 0xa5, bytes);
  state().deviceMemory[reinterpret_cast<uintptr_t>(*pointer)] = bytes;
  return call.finish(hipSuccess);
}

/// Writes the name of device `index` at its offset in this layout of the
/// properties.
hipError_t properties(Call &call, char *bytes, size_t archOffset, int index) {
  call.arg(index);
  if (index < 0 || size_t(index) >= state().architectures.size())
    return call.finish(hipErrorInvalidDevice);
  std::strcpy(bytes, "Fake GPU");
  std::strcpy(bytes + archOffset, state().architectures[index].c_str());
  return call.finish(hipSuccess);
}

} // namespace

extern "C" {

const char *fakeHipTakeLog() { return state().log.take(); }

hipError_t hipInit(unsigned flags) {
  return Call("hipInit").arg(flags).finish(hipSuccess);
}

hipError_t hipGetDeviceCount(int *count) {
  *count = static_cast<int>(state().architectures.size());
  return Call("hipGetDeviceCount").finish(hipSuccess);
}

hipError_t hipSetDevice(int device) {
  Call call("hipSetDevice");
  call.arg(device);
  if (device < 0 || size_t(device) >= state().architectures.size())
    return call.finish(hipErrorInvalidDevice);
  currentDevice = device;
  return call.finish(hipSuccess);
}

// The layout of ROCm 6 and 7, omitted in the ROCm 5 variant.
#ifndef FAKE_HIP_ROCM5
hipError_t hipGetDevicePropertiesR0600(void *bytes, int index) {
  Call call("hipGetDevicePropertiesR0600");
  return properties(call, static_cast<char *>(bytes), 1160, index);
}
#endif

hipError_t hipGetDeviceProperties(void *bytes, int index) {
  Call call("hipGetDeviceProperties");
  return properties(call, static_cast<char *>(bytes), 396, index);
}

hipError_t hipModuleLoadData(hipModule_t *module, const void *image) {
  Call call("hipModuleLoadData");
  call.pointer(image);
  auto loaded = new FakeModule{currentDevice, {}};
  hipError_t result = readImage(static_cast<const char *>(image),
                                state().architectures[currentDevice], *loaded);
  if (result == hipSuccess) {
    state().modules.insert(loaded);
    *module = loaded;
  }
  return call.finish(result);
}

hipError_t hipModuleUnload(hipModule_t module) {
  Call call("hipModuleUnload");
  call.pointer(module);
  return call.finish(state().modules.erase(module) ? hipSuccess
                                                   : hipErrorInvalidHandle);
}

hipError_t hipModuleGetFunction(hipFunction_t *function, hipModule_t module,
                                const char *name) {
  Call call("hipModuleGetFunction");
  call.pointer(module).arg(name);
  if (!state().modules.count(module))
    return call.finish(hipErrorInvalidHandle);
  auto &functions = static_cast<FakeModule *>(module)->functions;
  auto it = functions.find(name);
  if (it == functions.end())
    return call.finish(hipErrorNotFound);
  *function = &it->second;
  return call.finish(hipSuccess);
}

hipError_t hipModuleLaunchKernel(hipFunction_t handle, unsigned gridX,
                                 unsigned gridY, unsigned gridZ,
                                 unsigned blockX, unsigned blockY,
                                 unsigned blockZ, unsigned sharedBytes,
                                 hipStream_t stream, void **params,
                                 void **extra) {
  Call call("hipModuleLaunchKernel");
  auto *function = static_cast<FakeFunction *>(handle);
  call.arg(function->name).arg(gridX).arg(gridY).arg(gridZ);
  call.arg(blockX).arg(blockY).arg(blockZ).arg(sharedBytes);
  call.pointer(stream).pointer(extra);
  for (size_t i = 0; i < function->argumentSizes.size(); ++i) {
    std::string bytes;
    for (size_t byte = 0; byte < function->argumentSizes[i]; ++byte) {
      char text[3];
      std::snprintf(text, sizeof(text), "%02x",
                    static_cast<unsigned char *>(params[i])[byte]);
      bytes += text;
    }
    // The value of a pointer is not reproducible.
    call.arg(function->argumentSizes[i] == 8 && i == 0 ? "ptr" : bytes);
  }
  if (!knownStream(stream) || function->module->device != currentDevice)
    return call.finish(hipErrorInvalidHandle);
  if (!gridX || !gridY || !gridZ || !blockX || !blockY || !blockZ ||
      uint64_t(blockX) * blockY * blockZ > 1024)
    return call.finish(hipErrorInvalidConfiguration);
  if (function->name == "spin")
    state().spinning = true;
  if (function->name == "scale" && !call.failing()) {
    auto *data = *static_cast<float **>(params[0]);
    auto factor = *static_cast<float *>(params[1]);
    auto count = *static_cast<int64_t *>(params[2]);
    if (!covers(state().deviceMemory, data, count * sizeof(float)))
      std::abort();
    for (int64_t i = 0; i < count; ++i)
      data[i] *= factor;
  }
  return call.finish(hipSuccess);
}

hipError_t hipMalloc(void **pointer, size_t bytes) {
  Call call("hipMalloc");
  hipError_t result = allocate(call.arg(bytes), pointer, bytes);
  if (result == hipSuccess)
    state().owners[reinterpret_cast<uintptr_t>(*pointer)] = currentDevice;
  return result;
}

hipError_t hipMallocManaged(void **pointer, size_t bytes, unsigned flags) {
  Call call("hipMallocManaged");
  hipError_t result = allocate(call.arg(bytes).arg(flags), pointer, bytes);
  if (result == hipSuccess)
    state().owners[reinterpret_cast<uintptr_t>(*pointer)] = -1;
  return result;
}

namespace {
struct PointerAttribute {
  int type, device;
  void *devicePointer, *hostPointer;
  int isManaged;
  unsigned allocationFlags;
};
#ifdef FAKE_HIP_ROCM5
enum { memoryTypeHost = 0, memoryTypeDevice = 1, memoryTypeManaged = 1 };
#else
enum {
  memoryTypeUnregistered = 0,
  memoryTypeHost = 1,
  memoryTypeDevice = 2,
  memoryTypeManaged = 3
};
#endif
} // namespace

hipError_t hipPointerGetAttributes(PointerAttribute *attributes,
                                   const void *pointer) {
  Call call("hipPointerGetAttributes");
  call.pointer(pointer);
  if (covers(state().hostMemory, pointer, 1)) {
    *attributes = {memoryTypeHost, currentDevice, nullptr, nullptr, 0, 0};
    return call.finish(hipSuccess);
  }
  if (!covers(state().deviceMemory, pointer, 1)) {
#ifdef FAKE_HIP_ROCM5
    return call.finish(hipErrorInvalidValue);
#else
    *attributes = {memoryTypeUnregistered, -2, nullptr, nullptr, 0, 0};
    return call.finish(hipSuccess);
#endif
  }
  auto owner = std::prev(
      state().owners.upper_bound(reinterpret_cast<uintptr_t>(pointer)));
  const bool isManaged = owner->second < 0;
  *attributes = {isManaged ? memoryTypeManaged : memoryTypeDevice,
                 isManaged ? 0 : owner->second,
                 nullptr,
                 nullptr,
                 isManaged,
                 0};
  return call.finish(hipSuccess);
}

hipError_t hipFree(void *pointer) {
  Call call("hipFree");
  call.pointer(pointer);
  if (!state().deviceMemory.erase(reinterpret_cast<uintptr_t>(pointer)))
    return call.finish(hipErrorInvalidValue);
  std::free(pointer);
  return call.finish(hipSuccess);
}

hipError_t hipMemcpyAsync(void *dst, const void *src, size_t bytes, int kind,
                          hipStream_t stream) {
  Call call("hipMemcpyAsync");
  call.pointer(dst).pointer(src).arg(bytes).arg(kind).pointer(stream);
  if (!dst || !src)
    return call.finish(hipErrorInvalidValue);
  if (!knownStream(stream))
    return call.finish(hipErrorInvalidHandle);
  std::memmove(dst, src, bytes);
  return call.finish(hipSuccess);
}

hipError_t hipMemsetD8Async(hipDeviceptr_t dst, unsigned char value,
                            size_t count, hipStream_t stream) {
  Call call("hipMemsetD8Async");
  return fill(call, dst, value, count, stream);
}
hipError_t hipMemsetD16Async(hipDeviceptr_t dst, unsigned short value,
                             size_t count, hipStream_t stream) {
  Call call("hipMemsetD16Async");
  return fill(call, dst, value, count, stream);
}
hipError_t hipMemsetD32Async(hipDeviceptr_t dst, int value, size_t count,
                             hipStream_t stream) {
  Call call("hipMemsetD32Async");
  return fill(call, dst, value, count, stream);
}

// Omitted in the variant that is too old to have it.
#if !defined(FAKE_HIP_INCOMPLETE) && !defined(FAKE_HIP_ROCM5)

/// Granularity of sizes and addresses of virtual memory.
static constexpr size_t granularity = 64 * 1024;

static bool isShareable(const hipMemAllocationProp *prop) {
  return prop && prop->type == 1 && prop->requestedHandleType == 1 &&
         prop->location.type == 1 && prop->location.id >= 0 &&
         size_t(prop->location.id) < state().architectures.size();
}

hipError_t hipMemGetAllocationGranularity(size_t *result,
                                          const hipMemAllocationProp *prop,
                                          int option) {
  Call call("hipMemGetAllocationGranularity");
  call.arg(option);
  if (!isShareable(prop) || (option != 0 && option != 1))
    return call.finish(hipErrorInvalidValue);
  *result = granularity;
  return call.finish(hipSuccess);
}

hipError_t hipMemCreate(hipMemGenericAllocationHandle_t *handle, size_t bytes,
                        const hipMemAllocationProp *prop,
                        unsigned long long flags) {
  Call call("hipMemCreate");
  call.arg(bytes).arg(prop ? prop->location.id : -1).arg(flags);
  if (!isShareable(prop) || bytes == 0 || bytes % granularity || flags)
    return call.finish(hipErrorInvalidValue);
  int fd = memfd_create("fake-hip", MFD_CLOEXEC);
  if (fd < 0 || ftruncate(fd, bytes))
    return call.finish(hipErrorOutOfMemory);
  *handle = newHandle();
  state().allocations[*handle] = {fd, bytes};
  return call.finish(hipSuccess);
}

hipError_t hipMemRelease(hipMemGenericAllocationHandle_t handle) {
  Call call("hipMemRelease");
  call.pointer(handle);
  auto it = state().allocations.find(handle);
  if (it == state().allocations.end())
    return call.finish(hipErrorInvalidValue);
  close(it->second.fd);
  state().allocations.erase(it);
  return call.finish(hipSuccess);
}

hipError_t hipMemExportToShareableHandle(void *shareable,
                                         hipMemGenericAllocationHandle_t handle,
                                         int type, unsigned long long flags) {
  Call call("hipMemExportToShareableHandle");
  call.pointer(handle).arg(type).arg(flags);
  auto it = state().allocations.find(handle);
  if (it == state().allocations.end() || type != 1 || flags)
    return call.finish(hipErrorInvalidValue);
  *static_cast<int *>(shareable) = fcntl(it->second.fd, F_DUPFD_CLOEXEC, 0);
  return call.finish(hipSuccess);
}

hipError_t
hipMemImportFromShareableHandle(hipMemGenericAllocationHandle_t *handle,
                                void *shareable, int type) {
  Call call("hipMemImportFromShareableHandle");
  call.arg(type);
  int fd = fcntl(static_cast<int>(reinterpret_cast<intptr_t>(shareable)),
                 F_DUPFD_CLOEXEC, 0);
  struct stat info = {};
  if (fd < 0 || type != 1 || fstat(fd, &info))
    return call.finish(hipErrorInvalidValue);
  *handle = newHandle();
  state().allocations[*handle] = {fd, size_t(info.st_size)};
  return call.finish(hipSuccess);
}

hipError_t hipMemAddressReserve(void **pointer, size_t bytes, size_t alignment,
                                void *address, unsigned long long flags) {
  Call call("hipMemAddressReserve");
  call.arg(bytes).arg(alignment).pointer(address).arg(flags);
  if (bytes == 0 || bytes % granularity || flags)
    return call.finish(hipErrorInvalidValue);
  // Reserve extra space for alignment.
  auto *at = static_cast<char *>(mmap(nullptr, bytes + granularity, PROT_NONE,
                                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  auto begin = (reinterpret_cast<uintptr_t>(at) + granularity - 1) /
               granularity * granularity;
  *pointer = reinterpret_cast<void *>(begin);
  state().reserved[begin] = bytes;
  return call.finish(hipSuccess);
}

hipError_t hipMemAddressFree(void *pointer, size_t bytes) {
  Call call("hipMemAddressFree");
  call.pointer(pointer).arg(bytes);
  auto it = state().reserved.find(reinterpret_cast<uintptr_t>(pointer));
  if (it == state().reserved.end() || it->second != bytes)
    return call.finish(hipErrorInvalidValue);
  for (auto &[begin, size] : state().mapped)
    if (begin >= it->first && begin < it->first + bytes)
      return call.finish(hipErrorInvalidValue);
  munmap(pointer, bytes);
  state().reserved.erase(it);
  return call.finish(hipSuccess);
}

hipError_t hipMemMap(void *pointer, size_t bytes, size_t offset,
                     hipMemGenericAllocationHandle_t handle,
                     unsigned long long flags) {
  Call call("hipMemMap");
  call.pointer(pointer).arg(bytes).arg(offset).pointer(handle).arg(flags);
  auto it = state().allocations.find(handle);
  if (it == state().allocations.end() || bytes != it->second.bytes || offset ||
      flags || !covers(state().reserved, pointer, bytes) ||
      covers(state().mapped, pointer, 1))
    return call.finish(hipErrorInvalidValue);
  // No access is allowed yet.
  if (mmap(pointer, bytes, PROT_NONE, MAP_SHARED | MAP_FIXED, it->second.fd,
           0) == MAP_FAILED)
    return call.finish(hipErrorOutOfMemory);
  state().mapped[reinterpret_cast<uintptr_t>(pointer)] = bytes;
  return call.finish(hipSuccess);
}

hipError_t hipMemUnmap(void *pointer, size_t bytes) {
  Call call("hipMemUnmap");
  call.pointer(pointer).arg(bytes);
  auto it = state().mapped.find(reinterpret_cast<uintptr_t>(pointer));
  if (it == state().mapped.end() || it->second != bytes)
    return call.finish(hipErrorInvalidValue);
  mmap(pointer, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
       0);
  state().deviceMemory.erase(it->first);
  state().mapped.erase(it);
  return call.finish(hipSuccess);
}

hipError_t hipMemSetAccess(void *pointer, size_t bytes,
                           const hipMemAccessDesc *desc, size_t count) {
  Call call("hipMemSetAccess");
  call.pointer(pointer).arg(bytes);
  std::set<int> devices;
  for (size_t i = 0; i < count; ++i) {
    call.arg(desc[i].location.id);
    if (desc[i].location.type == 1 && desc[i].flags == 3)
      devices.insert(desc[i].location.id);
  }
  auto it = state().mapped.find(reinterpret_cast<uintptr_t>(pointer));
  if (it == state().mapped.end() || it->second != bytes ||
      devices.size() != count)
    return call.finish(hipErrorInvalidValue);
  mprotect(pointer, bytes, PROT_READ | PROT_WRITE);
  state().deviceMemory[it->first] = bytes;
  state().owners[it->first] = currentDevice;
  return call.finish(hipSuccess);
}
#endif

hipError_t hipHostRegister(void *pointer, size_t bytes, unsigned flags) {
  Call call("hipHostRegister");
  call.pointer(pointer).arg(bytes).arg(flags);
  if (!pointer || bytes == 0)
    return call.finish(hipErrorInvalidValue);
  state().hostMemory[reinterpret_cast<uintptr_t>(pointer)] = bytes;
  return call.finish(hipSuccess);
}

hipError_t hipHostUnregister(void *pointer) {
  Call call("hipHostUnregister");
  call.pointer(pointer);
  return call.finish(
      state().hostMemory.erase(reinterpret_cast<uintptr_t>(pointer))
          ? hipSuccess
          : hipErrorInvalidValue);
}

// The device address of registered memory is 4096 bytes after the host address.
hipError_t hipHostGetDevicePointer(void **device, void *host, unsigned flags) {
  Call call("hipHostGetDevicePointer");
  call.pointer(host).arg(flags);
  if (!covers(state().hostMemory, host, 1))
    return call.finish(hipErrorInvalidValue);
  *device = static_cast<char *>(host) + 4096;
  return call.finish(hipSuccess);
}

hipError_t hipStreamCreate(hipStream_t *stream) {
  Call call("hipStreamCreate");
  *stream = newHandle();
  state().streams.insert(*stream);
  return call.finish(hipSuccess);
}

hipError_t hipStreamCreateWithFlags(hipStream_t *stream, unsigned flags) {
  Call call("hipStreamCreateWithFlags");
  if (flags > 1)
    return call.finish(hipErrorInvalidValue);
  *stream = newHandle();
  state().streams.insert(*stream);
  return call.finish(hipSuccess);
}

hipError_t hipStreamDestroy(hipStream_t stream) {
  Call call("hipStreamDestroy");
  call.pointer(stream);
  return call.finish(state().streams.erase(stream) ? hipSuccess
                                                   : hipErrorInvalidHandle);
}

hipError_t hipStreamSynchronize(hipStream_t stream) {
  bool spinning = false;
  {
    std::lock_guard<std::mutex> lock(state().log.mutex);
    spinning = state().spinning;
  }
  // A kernel that never ends. NOLINTNEXTLINE(bugprone-infinite-loop)
  while (spinning)
    pause();
  Call call("hipStreamSynchronize");
  call.pointer(stream);
  return call.finish(knownStream(stream) ? hipSuccess : hipErrorInvalidHandle);
}

hipError_t hipStreamWaitEvent(hipStream_t stream, hipEvent_t event,
                              unsigned flags) {
  Call call("hipStreamWaitEvent");
  call.pointer(stream).pointer(event).arg(flags);
  return call.finish(knownStream(stream) && state().events.count(event)
                         ? hipSuccess
                         : hipErrorInvalidHandle);
}

hipError_t hipEventCreate(hipEvent_t *event) {
  Call call("hipEventCreate");
  *event = newHandle();
  state().events.insert(*event);
  return call.finish(hipSuccess);
}

hipError_t hipEventDestroy(hipEvent_t event) {
  Call call("hipEventDestroy");
  call.pointer(event);
  return call.finish(state().events.erase(event) ? hipSuccess
                                                 : hipErrorInvalidHandle);
}

hipError_t hipEventRecord(hipEvent_t event, hipStream_t stream) {
  Call call("hipEventRecord");
  call.pointer(event).pointer(stream);
  return call.finish(knownStream(stream) && state().events.count(event)
                         ? hipSuccess
                         : hipErrorInvalidHandle);
}

hipError_t hipEventSynchronize(hipEvent_t event) {
  Call call("hipEventSynchronize");
  call.pointer(event);
  return call.finish(state().events.count(event) ? hipSuccess
                                                 : hipErrorInvalidHandle);
}

// Omitted in the variant that is too old.
#ifndef FAKE_HIP_INCOMPLETE
hipError_t hipEventElapsedTime(float *ms, hipEvent_t start, hipEvent_t stop) {
  Call call("hipEventElapsedTime");
  call.pointer(start).pointer(stop);
  if (!state().events.count(start) || !state().events.count(stop))
    return call.finish(hipErrorInvalidHandle);
  *ms = 1.25f;
  return call.finish(hipSuccess);
}
#endif

const char *hipGetErrorName(hipError_t error) {
  switch (int(error)) {
  case hipErrorInvalidValue:
    return "hipErrorInvalidValue";
  case hipErrorOutOfMemory:
    return "hipErrorOutOfMemory";
  case hipErrorInvalidConfiguration:
    return "hipErrorInvalidConfiguration";
  case hipErrorInvalidImage:
    return "hipErrorInvalidImage";
  case hipErrorNoBinaryForGpu:
    return "hipErrorNoBinaryForGpu";
  case hipErrorInvalidHandle:
    return "hipErrorInvalidHandle";
  case hipErrorNotFound:
    return "hipErrorNotFound";
  }
  return nullptr;
}

const char *hipGetErrorString(hipError_t error) {
  switch (int(error)) {
  case hipErrorInvalidImage:
    return "hipErrorInvalidImage"; // As in ROCm 5.
  case hipErrorOutOfMemory:
    return "out of memory";
  case hipErrorNotFound:
    return "named symbol not found";
  case hipErrorNoBinaryForGpu:
    return "no kernel image is available for execution on the device";
  }
  return "an error of the fake HIP";
}

} // extern "C"
