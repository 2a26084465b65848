//===- HipDevice.cpp - AMD GPUs through HIP -------------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime-stubs/hip/HipDevice.h"
#include "runtime-stubs/hip/HipApi.h"
#include "runtime-stubs/mgpu/CurrentDevice.h"
#include "runtime-stubs/mgpu/TargetId.h"

#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

using namespace aircc::rt;

// Calls a HIP function and converts its result to a Status.
#define HIP_CALL(NAME, ...) api.check("hip" #NAME, api.NAME(__VA_ARGS__))

namespace {

class HipDevice final : public Device {
public:
  /// Loads the library and identifies the devices.
  Status open();

  const char *name() const override { return "hip"; }
  std::string description() override;

  Status getDeviceCount(int &count) override {
    count = static_cast<int>(architectures.size());
    return Status::success();
  }
  Status setDevice(int index) override { return HIP_CALL(SetDevice, index); }
  int targetPreference(const char *target) override {
    return matchTargetId(architecture(), target);
  }

  Status allocate(size_t bytes, StreamHandle stream, bool hostShared,
                  void *&ptr) override;
  Status free(void *ptr, StreamHandle stream) override {
    // hipFree waits for the device, and therefore for the stream.
    return HIP_CALL(Free, ptr);
  }
  Status copy(void *dst, const void *src, size_t bytes,
              StreamHandle stream) override {
    return HIP_CALL(MemcpyAsync, dst, src, bytes, hip::memcpyDefault, stream);
  }
  Status fill(void *dst, uint32_t value, unsigned valueBytes, size_t count,
              StreamHandle stream) override;
  Status registerHost(void *ptr, size_t bytes) override {
    return HIP_CALL(HostRegister, ptr, bytes, hip::hostRegisterMapped);
  }
  Status unregisterHost(void *ptr) override {
    return HIP_CALL(HostUnregister, ptr);
  }
  Status getDevicePointer(void *host, void *&device) override {
    return HIP_CALL(HostGetDevicePointer, &device, host, 0);
  }

  Status locate(const void *ptr, MemoryLocation &location) override;

  Status createShared(size_t &bytes, void *&ptr, int &descriptor) override;
  Status destroyShared(void *ptr) override;
  Status reserveShared(size_t bytes, void *&range) override;
  Status mapShared(int descriptor, size_t bytes, void *at) override;
  Status unmapShared(void *at) override;
  Status copyForPeer(void *dst, const void *src, size_t bytes,
                     bool isAllocated) override;
  Status releaseShared(void *range) override;

  Status loadModule(const void *image, size_t bytes,
                    ModuleHandle &module) override {
    return HIP_CALL(ModuleLoadData, &module, image);
  }
  Status unloadModule(ModuleHandle module) override {
    return HIP_CALL(ModuleUnload, module);
  }
  Status getFunction(ModuleHandle module, const char *kernel,
                     FunctionHandle &function) override {
    return HIP_CALL(ModuleGetFunction, &function, module, kernel);
  }
  Status launch(FunctionHandle function, Dim3 grid, Dim3 block,
                uint32_t dynamicSharedBytes, StreamHandle stream, void **params,
                size_t paramCount) override {
    return HIP_CALL(ModuleLaunchKernel, function, grid.x, grid.y, grid.z,
                    block.x, block.y, block.z, dynamicSharedBytes, stream,
                    params, nullptr);
  }

  Status createStream(StreamHandle &stream) override {
    return HIP_CALL(StreamCreate, &stream);
  }
  Status destroyStream(StreamHandle stream) override {
    return HIP_CALL(StreamDestroy, stream);
  }
  Status synchronizeStream(StreamHandle stream) override {
    return HIP_CALL(StreamSynchronize, stream);
  }
  Status createEvent(EventHandle &event) override {
    return HIP_CALL(EventCreate, &event);
  }
  Status destroyEvent(EventHandle event) override {
    return HIP_CALL(EventDestroy, event);
  }
  Status recordEvent(EventHandle event, StreamHandle stream) override {
    return HIP_CALL(EventRecord, event, stream);
  }
  Status synchronizeEvent(EventHandle event) override {
    return HIP_CALL(EventSynchronize, event);
  }
  Status waitEvent(StreamHandle stream, EventHandle event) override {
    return HIP_CALL(StreamWaitEvent, stream, event, 0);
  }
  Status elapsedMilliseconds(EventHandle start, EventHandle stop,
                             float &ms) override {
    return HIP_CALL(EventElapsedTime, &ms, start, stop);
  }

private:
  Status readArchitecture(int index, std::string &architecture);
  const std::string &architecture() const {
    return architectures[currentDeviceIndex()];
  }

  /// A mapping of memory of this or another process.
  struct Mapping {
    hip::MemHandle handle;
    size_t bytes;
  };

  Status requireSharing();
  Status map(void *at, hip::MemHandle handle, size_t bytes);
  Status unmap(void *at);

  hip::Api api;
  std::vector<std::string> architectures; // The target IDs, by device index.
  std::mutex mutex;
  std::map<void *, Mapping> mappings; // Guarded by mutex.
  std::map<void *, size_t> reserved;  // Guarded by mutex.
};

Status HipDevice::open() {
  if (Status status = api.load(); !status.ok())
    return status;
  if (Status status = HIP_CALL(Init, 0); !status.ok())
    return status;
  int count = 0;
  if (Status status = HIP_CALL(GetDeviceCount, &count); !status.ok())
    return status;
  if (count <= 0)
    return Status::failure("HIP sees no device");
  architectures.resize(count);
  for (int i = 0; i < count; ++i)
    if (Status status = readArchitecture(i, architectures[i]); !status.ok())
      return status;
  return Status::success();
}

Status HipDevice::readArchitecture(int index, std::string &architecture) {
  auto properties = std::make_unique<hip::DeviceProperties>();
  std::memset(properties.get(), 0, sizeof(*properties));
  bool r0600 = api.GetDevicePropertiesR0600 != nullptr;
  Status status =
      r0600 ? HIP_CALL(GetDevicePropertiesR0600, properties.get(), index)
            : HIP_CALL(GetDeviceProperties, properties.get(), index);
  if (!status.ok())
    return status;
  const auto &name =
      r0600 ? properties->r0600.gcnArchName : properties->r0000.gcnArchName;
  architecture.assign(name, strnlen(name, sizeof(name)));
  return Status::success();
}

std::string HipDevice::description() {
  return "hip device " + std::to_string(currentDeviceIndex()) + " (" +
         architecture() + ")";
}

Status HipDevice::allocate(size_t bytes, StreamHandle, bool hostShared,
                           void *&ptr) {
  if (hostShared)
    return HIP_CALL(MallocManaged, &ptr, bytes, hip::memAttachGlobal);
  return HIP_CALL(Malloc, &ptr, bytes);
}

Status HipDevice::fill(void *dst, uint32_t value, unsigned valueBytes,
                       size_t count, StreamHandle stream) {
  switch (valueBytes) {
  case 1:
    return HIP_CALL(MemsetD8Async, dst, static_cast<unsigned char>(value),
                    count, stream);
  case 2:
    return HIP_CALL(MemsetD16Async, dst, static_cast<unsigned short>(value),
                    count, stream);
  case 4:
    return HIP_CALL(MemsetD32Async, dst, static_cast<int>(value), count,
                    stream);
  }
  return Status::failure("cannot fill with values of " +
                         std::to_string(valueBytes) + " bytes");
}

Status HipDevice::locate(const void *ptr, MemoryLocation &location) {
  hip::PointerAttributes attributes = {};
  hip::Error error = api.PointerGetAttributes(&attributes, ptr);
  location = {};
  // ROCm 5 fails for process memory that it has not allocated or registered.
  if (error == hip::invalidValue)
    return Status::success();
  if (Status s = api.check("hipPointerGetAttributes", error); !s.ok())
    return s;
  // hipMemoryTypeDevice and, in ROCm 6, hipMemoryTypeManaged.
  const bool isRocm6 = api.GetDevicePropertiesR0600 != nullptr;
  if (attributes.isManaged || (isRocm6 && attributes.type == 3))
    location.kind = MemoryLocation::Shared;
  else if (attributes.type == (isRocm6 ? 2 : 1))
    location.kind = MemoryLocation::OnDevice;
  location.device = attributes.device;
  return Status::success();
}

//===----------------------------------------------------------------------===//
// Memory shared with other processes
//===----------------------------------------------------------------------===//

Status HipDevice::requireSharing() {
  if (api.lacksMemory.empty())
    return Status::success();
  return Status::failure("the HIP library cannot share memory between "
                         "processes: it lacks " +
                         api.lacksMemory);
}

static hip::MemAllocationProp shareable(int device) {
  hip::MemAllocationProp prop = {};
  prop.type = hip::memAllocationTypePinned;
  prop.requestedHandleType = hip::memHandleTypePosixFileDescriptor;
  prop.location = {hip::memLocationTypeDevice, device};
  return prop;
}

/// Maps memory at reserved addresses for every device, because a kernel on any
/// device may receive the address.
Status HipDevice::map(void *at, hip::MemHandle handle, size_t bytes) {
  if (Status s = HIP_CALL(MemMap, at, bytes, 0, handle, 0); !s.ok()) {
    api.MemRelease(handle);
    return s;
  }
  std::vector<hip::MemAccessDesc> access;
  access.reserve(architectures.size());
  for (size_t device = 0; device < architectures.size(); ++device)
    access.push_back({{hip::memLocationTypeDevice, static_cast<int>(device)},
                      hip::memAccessFlagsProtReadWrite});
  if (Status s =
          HIP_CALL(MemSetAccess, at, bytes, access.data(), access.size());
      !s.ok()) {
    api.MemUnmap(at, bytes);
    api.MemRelease(handle);
    return s;
  }
  std::lock_guard<std::mutex> lock(mutex);
  mappings[at] = {handle, bytes};
  return Status::success();
}

Status HipDevice::unmap(void *at) {
  Mapping mapping;
  {
    std::lock_guard<std::mutex> lock(mutex);
    auto it = mappings.find(at);
    if (it == mappings.end())
      return Status::failure("there is no shared memory at this address");
    mapping = it->second;
    mappings.erase(it);
  }
  if (Status s = HIP_CALL(MemUnmap, at, mapping.bytes); !s.ok())
    return s;
  return HIP_CALL(MemRelease, mapping.handle);
}

Status HipDevice::createShared(size_t &bytes, void *&ptr, int &descriptor) {
  if (Status s = requireSharing(); !s.ok())
    return s;
  const hip::MemAllocationProp prop = shareable(currentDeviceIndex());
  size_t granularity = 0;
  if (Status s = HIP_CALL(MemGetAllocationGranularity, &granularity, &prop,
                          hip::memAllocationGranularityRecommended);
      !s.ok())
    return s;
  if (granularity == 0)
    return Status::failure("HIP reports a memory granularity of 0 bytes");
  bytes = (bytes + granularity - 1) / granularity * granularity;
  void *at = nullptr;
  if (Status s = reserveShared(bytes, at); !s.ok())
    return s;
  hip::MemHandle handle = nullptr;
  if (Status s = HIP_CALL(MemCreate, &handle, bytes, &prop, 0); !s.ok())
    return s;
  int fd = -1;
  if (Status s = HIP_CALL(MemExportToShareableHandle, &fd, handle,
                          hip::memHandleTypePosixFileDescriptor, 0);
      !s.ok())
    return s;
  descriptor = fd;
  if (Status s = map(at, handle, bytes); !s.ok())
    return s;
  if (Status s = HIP_CALL(MemsetD8Async, at, 0, bytes, nullptr); !s.ok())
    return s;
  if (Status s = HIP_CALL(StreamSynchronize, nullptr); !s.ok())
    return s;
  ptr = at;
  return Status::success();
}

Status HipDevice::destroyShared(void *ptr) {
  if (Status s = unmap(ptr); !s.ok())
    return s;
  return releaseShared(ptr);
}

Status HipDevice::reserveShared(size_t bytes, void *&range) {
  if (Status s = requireSharing(); !s.ok())
    return s;
  if (Status s = HIP_CALL(MemAddressReserve, &range, bytes, 0, nullptr, 0);
      !s.ok())
    return s;
  std::lock_guard<std::mutex> lock(mutex);
  reserved[range] = bytes;
  return Status::success();
}

Status HipDevice::releaseShared(void *range) {
  size_t bytes = 0;
  {
    std::lock_guard<std::mutex> lock(mutex);
    auto it = reserved.find(range);
    if (it == reserved.end())
      return Status::failure("no addresses are reserved there");
    bytes = it->second;
    reserved.erase(it);
  }
  return HIP_CALL(MemAddressFree, range, bytes);
}

Status HipDevice::mapShared(int descriptor, size_t bytes, void *at) {
  hip::MemHandle handle = nullptr;
  // Pass the descriptor itself, cast to a pointer.
  if (Status s =
          HIP_CALL(MemImportFromShareableHandle, &handle,
                   reinterpret_cast<void *>(static_cast<intptr_t>(descriptor)),
                   hip::memHandleTypePosixFileDescriptor);
      !s.ok())
    return s;
  return map(at, handle, bytes);
}

Status HipDevice::unmapShared(void *at) { return unmap(at); }

Status HipDevice::copyForPeer(void *dst, const void *src, size_t bytes,
                              bool isAllocated) {
  // Other streams are ordered with the default stream, where a kernel may be
  // waiting for this copy. Use a stream of its own.
  hip::Stream stream = nullptr;
  if (Status s =
          HIP_CALL(StreamCreateWithFlags, &stream, hip::streamNonBlocking);
      !s.ok())
    return s;
  Status status =
      HIP_CALL(MemcpyAsync, dst, src, bytes, hip::memcpyDefault, stream);
  if (status.ok())
    status = HIP_CALL(StreamSynchronize, stream);
  Status destroyed = HIP_CALL(StreamDestroy, stream);
  return status.ok() ? destroyed : status;
}

} // namespace

Status aircc::rt::openHipDevice(Device *&device) {
  auto opened = std::make_unique<HipDevice>();
  if (Status status = opened->open(); !status.ok())
    return status;
  device = opened.release();
  return Status::success();
}
